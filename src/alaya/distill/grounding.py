"""Where in the cited turns the words stand that a card rests on. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from alaya.distill.sentences import Sentence, sentences_within
from alaya.distill.windows import Line
from alaya.model.words import Stemmer, segment

_SHARED = 2  # words that a sentence and a card share at least
_NEAR_BEST = 0.5  # of the best sentence's shared words: also evidence
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


def _joined(chosen: Sequence[Sentence]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for one in chosen:
        if found and one.start - found[-1][1] <= _SHORT:
            found[-1] = (found[-1][0], one.end)
        else:
            found.append((one.start, one.end))
    return found
