"""How much of a question's words a text covers: the calibrated vote of the words arm."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alaya.model.words import Stemmer, groups

# Words that carry grammar, not a topic. Not a stop list: alone, they are still looked up.
_GRAMMAR = frozenset(
    """a about after again all also am an and any are as at be been before being but by can could
    did do does doing done for from get got had has have having he her here him his how i if in
    into is it its just know let like may me might mine my no not now of on or our out over please
    say said shall she should so some tell than that the their them then there these they this
    those to today told tomorrow too under up us very was we were what when where which while who
    whom whose why will with would yesterday you your""".split()  # noqa: SIM905
)
_GRAMMAR_HAN = frozenset(
    "的了是在我你他她它们这那哪个么什怎吗呢吧啊呀和与及或把被给让对从到就都也还很会能可以要有没不请问"
    "谁何为如之其些样上次下里时候说过告诉知道关于今昨明天现"
)
_LIGHT = 0.15  # weight of grammar beside that of a topic word
_PRIOR = 1_000  # items that a store is taken to have at least: two cards tell nothing of rarity
_PART = 0.6  # what the parts of a compound are worth without the whole


@dataclass(frozen=True)
class Wanted:
    """A question's pieces with their weights: (alternatives, weight), weights summing to 1."""

    pieces: tuple[tuple[tuple[str, ...], float], ...]


def wanted(
    text: str, frequencies: Mapping[str, int], *, total: int, stem: Stemmer | None = None
) -> Wanted:
    """Weigh the pieces of a question by inverse document frequency (as in BM25), grammar lightly.

    A word that stands nowhere weighs most: a text cannot be about what it never mentions.
    """
    weighed = []
    for group in groups(text, stem):
        seen = max((frequencies.get(term, 0) for term in group[:1]), default=0)
        idf = math.log(1 + (max(total, _PRIOR) - seen + 0.5) / (seen + 0.5))
        weighed.append((group, max(idf, 0.05) * (_LIGHT if is_grammar(group[0]) else 1.0)))
    whole = sum(weight for _, weight in weighed)
    if all(is_grammar(group[0]) for group, _ in weighed):
        whole /= _LIGHT  # a question without a topic: no text answers it by sharing its grammar
    return Wanted(tuple((group, weight / whole) for group, weight in weighed) if whole else ())


def coverage(asked: Wanted, terms: frozenset[str]) -> float:
    """The weighted share of a question's pieces that a text holds, 0..1."""
    share = 0.0
    for group, weight in asked.pieces:
        if group[0] in terms:
            share += weight
        elif len(group) > 1:
            share += weight * _PART * sum(t in terms for t in group[1:]) / (len(group) - 1)
    return min(1.0, share)


def looked_up(texts: Sequence[str], stem: Stemmer | None = None) -> list[str]:
    """The heads of all pieces, whose frequencies `wanted` needs."""
    return list(dict.fromkeys(group[0] for text in texts for group in groups(text, stem)))


def is_grammar(term: str) -> bool:
    """Whether a term only holds a sentence together."""
    return term in _GRAMMAR or all(char in _GRAMMAR_HAN for char in term)
