"""A phrase of a question, ready to be compared: its terms, what each is worth, its other names."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from alaya.model.calendar import MONTH_NUMBERS
from alaya.model.forms import aliased, forms
from alaya.model.forms import terms as terms_of
from alaya.model.grammar import is_grammar
from alaya.model.passage import ItemKind, Where
from alaya.model.words import Stemmer, han_share, segment
from alaya.ports import Index, Vector
from alaya.recall.dates import Named
from alaya.recall.questions import questions

_NAME_WORDS = 3  # of a name that may have others
_ALIASED = 80  # stretches of a question that may be names
_SMALL = 1000  # items below which the frequency of a word says little of how common it is
_NAMED_IN = 10  # items that a name leads to at most


@dataclass(frozen=True)
class Asked:
    """A phrase, ready to be compared. `idf` weighs its terms, `chars` its single characters."""

    text: str
    idf: Mapping[str, float]
    chars: Mapping[str, float]
    worth: Mapping[str, float]  # `idf` as in a store that is not tiny
    names: frozenset[str]
    dates: tuple[Named, ...]
    total: int
    parts: tuple[frozenset[str], ...] = ()  # the terms of each question, where there are several
    also: Mapping[str, frozenset[str]] = field(default_factory=dict)  # by term: other names
    han: float = 0.0  # how much of it is Chinese, see `words.han_share`
    strange: float = 0.0  # share of the words in its names that no item holds
    topical: bool = True  # it has words beside those that carry grammar
    vector: Vector | None = None

    @property
    def wide(self) -> str:
        """The text with the other names for what it names."""
        return " ".join([self.text, *sorted({n for names in self.also.values() for n in names})])


def asked(
    index: Index,
    text: str,
    *,
    kind: ItemKind,
    stem: Stemmer,
    dates: tuple[Named, ...],
    where: Where,
) -> Asked:
    """Weigh the terms of a phrase by inverse document frequency, as BM25 does."""
    read = _read(text, stem)
    total, known = index.frequencies([*read.wanted, *read.chars], kind)
    idf = {term: idf_of(known.get(term, 0), total) for term in read.wanted}
    told = {t for t in read.wanted if dates and (t.isdecimal() or t[:3] in MONTH_NUMBERS)}
    named = [term for term in read.named if term in idf and term not in told]
    return Asked(
        text=text,
        idf=idf,
        worth={term: idf_of(known.get(term, 0), max(total, _SMALL)) for term in read.wanted},
        chars={char: idf_of(known.get(char, 0), total) for char in read.chars if known.get(char)},
        names=frozenset(read.everything),
        dates=dates,
        also=_also(index, read.everything, kind=kind, where=where),
        total=total,
        parts=read.parts,
        han=han_share(text),
        strange=sum(not known.get(term) for term in named) / (len(named) or 1),
        topical=read.topical,
    )


@dataclass(frozen=True)
class _Read:
    """What a phrase says, whatever is searched for it."""

    everything: tuple[str, ...]  # its terms in order
    wanted: tuple[str, ...]  # without grammar, each once
    chars: tuple[str, ...]
    named: tuple[str, ...]  # the terms of its names
    parts: tuple[frozenset[str], ...]
    topical: bool


@lru_cache(maxsize=8)  # cards and turns are asked the same
def _read(text: str, stem: Stemmer) -> _Read:
    everything = terms_of(text, stem, grammar=True)
    wanted = tuple(dict.fromkeys(terms_of(text, stem) or everything))
    parts = (frozenset(wanted) & frozenset(terms_of(part, stem)) for part in questions(text))
    return _Read(
        everything=tuple(everything),
        wanted=wanted,
        chars=tuple(dict.fromkeys(segment(" ".join(wanted)).chars)),
        named=tuple(term for name in forms(text, stem).names for term in name.split()),
        parts=tuple(part for part in parts if part),
        topical=not all(map(is_grammar, terms_of(text))),
    )


def _also(
    index: Index, words: Sequence[str], *, kind: ItemKind, where: Where
) -> dict[str, frozenset[str]]:
    """Other names for words of a question, as the memory gives them, by each of their terms."""
    stretches = dict.fromkeys(
        " ".join(words[start : start + size])
        for size in range(1, _NAME_WORDS + 1)
        for start in range(len(words) - size + 1)
    )
    keys = [aliased(name) for name in list(stretches)[:_ALIASED]]
    found = index.mentioning(keys, kind, where=where, most=_NAMED_IN)
    if not found:
        return {}
    given = index.items([m.id for some in found.values() for m in some], kind, where=where)
    also: dict[str, set[str]] = {}
    for one, other in (pair for item in given for pair in item.forms.alike):
        for name, as_well in ((one, other), (other, one)):
            if name in stretches:
                for term in name.split():
                    also.setdefault(term, set()).add(as_well)
    return {term: frozenset(names) for term, names in also.items()}


def idf_of(frequency: int, total: int) -> float:
    """ln(1 + (N - n + 0.5) / (n + 0.5)) as in Lucene: never negative."""
    return math.log(1 + (max(total, frequency) - frequency + 0.5) / (frequency + 0.5))
