"""Where in the cited turns the words stand that a card rests on. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from alaya.distill.sentences import Sentence, sentences_within
from alaya.distill.topics import STOP
from alaya.distill.windows import Line, language_of
from alaya.model.grammar import is_grammar
from alaya.model.words import Stemmer, segment

_SHARED = 2  # words that a sentence and a card share at least
_NEAR_BEST = 0.5  # of the best sentence's shared words: also evidence
_ENOUGH = 8  # terms and beginnings that a card has, for it to be judged by them
_BEGINNING = 4  # letters: `postgres` and `postgresql` begin alike
_ENGLISH = 0.2  # of the words of English, at least, hold a sentence together
_NUMBER = re.compile(r"\d+")
_OTHERS = re.compile("[\u3040-\u30ff\uac00-\ud7af]")  # Japanese and Korean
_SHORT = 2  # characters between two sentences that are then cited as one


def terms(text: str, stem: Stemmer | None) -> frozenset[str]:
    """The words of a text; Chinese as pairs of characters."""
    return frozenset(segment(text, stem).words)


def spans(words: frozenset[str], line: Line, *, stem: Stemmer | None) -> list[tuple[int, int]]:
    """The sentences of a line that share most words with a card, else the whole line."""
    said = sentences_within(line.turn, line.start, end=line.end)
    shared = [len(words & terms(one.text, stem)) for one in said]
    best = max(shared, default=0)
    if best < _SHARED:
        return [(line.start, line.end)]
    least = max(_SHARED, best * _NEAR_BEST)
    return _joined([one for one, count in zip(said, shared, strict=True) if count >= least])


def support(words: frozenset[str], lines: Sequence[Line], *, stem: Stemmer | None) -> float:
    """How much of a card's words stands in the lines that it cites, 0..1."""
    cited = terms("\n".join(line.text for line in lines), stem)
    return len(words & cited) / len(words) if words else 0.0


def strange(card: str, heard: str, *, stem: Stemmer | None) -> bool:
    """Whether a card rests on nothing of what was heard: no word, no beginning of one, no pair of
    characters and no number is in both, leaving out what only holds sentences together.

    False where that cannot be judged: a card of few words, or one in another language than what
    was heard (a model is asked to write English or Chinese about talk in any).
    """
    wanted = _telling(card, stem)
    if len(wanted) < _ENOUGH or _OTHERS.search(f"{card}{heard}"):
        return False
    tongue = language_of(heard)
    if language_of(card) != tongue or (tongue == "en" and not _english(heard)):
        return False
    return not wanted & _telling(heard, stem)


def _telling(text: str, stem: Stemmer | None) -> frozenset[str]:
    """What tells in a text: terms, beginnings of words, numbers without their zeros in front."""
    words = {w for w in segment(text, stem).words if w not in STOP and not is_grammar(w)}
    begun = {word[:_BEGINNING] for word in words if len(word) > _BEGINNING and word.isascii()}
    return frozenset(words | begun | {number.lstrip("0") for number in _NUMBER.findall(text)})


def _english(text: str) -> bool:
    """Whether it is English rather than another language of these letters."""
    words = [word for word in segment(text).words if word.isascii() and word.isalpha()]
    return sum(map(is_grammar, words)) >= _ENGLISH * len(words) > 0


def _joined(chosen: Sequence[Sentence]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for one in chosen:
        if found and one.start - found[-1][1] <= _SHORT:
            found[-1] = (found[-1][0], one.end)
        else:
            found.append((one.start, one.end))
    return found
