"""From a question to ranked candidates of one kind: what the indexes propose, judged together.

An arm that has nothing to say does not vote: no vectors of the model, no term that is known, no
time named, nobody's name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from alaya.errors import ProviderError
from alaya.model.passage import ArmScore, Item, ItemKind, Scored, Where
from alaya.model.similarity import mixed_median
from alaya.model.words import Stemmer
from alaya.ports import Embedder, Index, Vector
from alaya.recall import ranking
from alaya.recall.asked import Asked, asked
from alaya.recall.dates import Named
from alaya.recall.features import Column
from alaya.recall.ranking import Ranked
from alaya.recall.weights import ARMS, DENSE, NEIGHBOURS, WORDS, evidence

_SHAPE = frozenset(("length", "asks"))  # of any question alike: they count, but are no vote
_WORDED, _NEAREST = 40, 40  # items that words and vectors propose at least
_PLACED = 40  # of these, how many are understood with the turns around them
_REACH = 2
_FUSED = 10  # reciprocal rank fusion's k, to choose what is looked at closely
_SEEN = 5  # candidates whose evidence decides how sure the whole answer is
_LEAST = 0.01  # however unsure, the order is kept: who asks without a floor gets the best first
_FADE = 3.0  # points behind the best at which an item is worth half as much


@dataclass(frozen=True)
class Asking:
    """How a recall asks, whatever the kind of the items. `arms` are those that may vote."""

    index: Index
    stem: Stemmer
    embedder: Embedder | None
    where: Where
    arms: frozenset[str] = frozenset(ARMS)
    dates: tuple[Named, ...] = ()


@dataclass(frozen=True)
class Question:
    """Everything that is needed to judge items of one kind."""

    asking: Asking
    phrases: tuple[Asked, ...]
    kind: ItemKind
    model: str | None = None
    medians: Mapping[str, float] = field(default_factory=dict)
    baseline: Mapping[str, float] = field(default_factory=dict)


class Candidate(NamedTuple):
    """An item, and where it stands in the ranking for the phrase that fits it best."""

    id: str
    similarity: float  # 0..1: how sure it is that this answers
    ranked: Ranked = ranking.NOTHING
    place: int = 0
    said: tuple[ArmScore, ...] = ()  # by arms that rank by themselves

    @property
    def item(self) -> Item | None:
        """What was judged, where something was."""
        return self.ranked.items[self.place] if self.ranked.items else None

    @property
    def arms(self) -> tuple[ArmScore, ...]:
        """What the arms said of it: worked out for what is shown alone."""
        return (*(_votes(self.ranked, self.place) if self.ranked.items else ()), *self.said)


@dataclass(frozen=True)
class Found:
    """The candidates for a question, best first, and how they came about for each phrase."""

    candidates: tuple[Candidate, ...]
    ranked: tuple[Ranked, ...]


NOTHING = Found((), ())


def ask(
    asking: Asking, phrases: Sequence[str], *, vectors: Sequence[Vector | None], kind: ItemKind
) -> Question:
    """Prepare a question for items of one kind."""
    index, embedder = asking.index, asking.embedder
    dense = embedder is not None and DENSE in asking.arms and any(v is not None for v in vectors)
    prepared = [
        asked(index, text, kind=kind, stem=asking.stem, dates=asking.dates, where=asking.where)
        for text in phrases
    ]
    if embedder is None or not dense:
        return Question(asking, tuple(prepared), kind)
    return Question(
        asking,
        tuple(replace(a, vector=v) for a, v in zip(prepared, vectors, strict=True)),
        kind,
        model=embedder.name,
        medians=index.calibration(embedder.name),
        baseline=embedder.baseline,
    )


def query_vectors(
    index: Index, embedder: Embedder | None, *, phrases: Sequence[str]
) -> tuple[list[Vector | None], str]:
    """The vectors of the phrases, and why there are none when there are none."""
    nothing: list[Vector | None] = [None] * len(phrases)
    if not any(_says_something(phrase) for phrase in phrases):
        return nothing, ""  # an emoji or a dash means nothing to an embedder: words decide
    if embedder is None:
        return nothing, "no embedder: words and graph only"
    if not index.models().get(embedder.name):
        return nothing, f"no vectors of {embedder.name} yet: words and graph only"
    try:
        return [
            embedder.query(phrase) if _says_something(phrase) else None for phrase in phrases
        ], ""
    except ProviderError as error:
        return nothing, f"the embedder failed, words and graph only: {error}"


def find(question: Question, *, limit: int) -> Found:
    """The best items for the question, most similar first."""
    ranked = [
        ranking.rank(
            question.asking.index,
            question=phrase,
            items=_proposed(question, phrase, limit=limit),
            where=question.asking.where,
            similar=partial(_similar, question=question, phrase=phrase),
            off=_off(question.asking.arms),
        )
        for phrase in question.phrases
    ]
    return Found(tuple(_fused(ranked, question)), tuple(ranked))


def judge(question: Question, ids: Sequence[str], *, found: Found) -> list[Candidate]:
    """How similar other items are, on the scale of what was found: most similar first."""
    extra = question.asking.index.items(ids, question.kind, where=question.asking.where)
    before = found.ranked or [ranking.NOTHING] * len(question.phrases)
    ranked = [
        ranking.beside(
            known,
            extra=extra,
            question=phrase,
            similar=partial(_similar, question=question, phrase=phrase),
            off=_off(question.asking.arms),
        )
        for phrase, known in zip(question.phrases, before, strict=True)
    ]
    wanted = {item.id for item in extra}
    return [c for c in _fused(ranked, question) if c.id in wanted]


def _proposed(question: Question, phrase: Asked, *, limit: int) -> list[Item]:
    """What words and vectors find; the best of them with what stands around."""
    asking, kind = question.asking, question.kind
    index, where = asking.index, asking.where
    worded: list[Scored] = []
    near: list[Scored] = []
    if WORDS in asking.arms:
        worded = index.match(phrase.wide, kind, where=where, limit=max(_WORDED, 2 * limit))
    if phrase.vector is not None and question.model is not None:
        wanted = max(_NEAREST, limit)
        near = index.nearest(question.model, phrase.vector, kind=kind, where=where, limit=wanted)
    votes: dict[str, float] = {}
    for found in (worded, near):
        for rank, item in enumerate(found, 1):
            votes[item.id] = votes.get(item.id, 0.0) + 1 / (_FUSED + rank)
    ids = sorted(votes, key=lambda i: (-votes[i], i))
    if kind is not ItemKind.TURN or NEIGHBOURS not in asking.arms:
        return index.items(ids, kind, where=where)
    placed = index.items(ids[:_PLACED], kind, where=where, reach=_REACH)
    present = {item.id for item in placed}
    rest = [i for i in ids[_PLACED:] if i not in present]
    return placed + index.items(rest, kind, where=where)


def _similar(items: Sequence[Item], *, question: Question, phrase: Asked) -> Column:
    """Calibrated similarities by vectors; NaN for what has no vector."""
    if phrase.vector is None or question.model is None or not items:
        return np.full(len(items), np.nan)
    cosines = question.asking.index.similarities(
        question.model,
        phrase.vector,
        kind=question.kind,
        ids=[item.id for item in items],
        where=question.asking.where,
    )
    # The median is a straight line between a passage without Chinese and one of nothing else.
    without, whole = (
        mixed_median(phrase.han, han, medians=question.medians, baseline=question.baseline)
        for han in (0.0, 1.0)
    )
    middle = without + (whole - without) * np.array([item.forms.han for item in items])
    known = np.array([cosines.get(item.id, np.nan) for item in items], dtype=float)
    scaled: Column = np.clip((known - middle) / (1.0 - middle), 0.0, 1.0)
    return scaled


def _fused(ranked: Sequence[Ranked], question: Question) -> list[Candidate]:
    """Several phrases: the best one counts most, the mean of all rewards an item that fits all."""
    if len(ranked) == 1:
        # In this order already: it is the less sure, the farther behind.
        surely = sureness(ranked[0], question.phrases[0])
        return [
            Candidate(item.id, much, ranked[0], n)
            for n, (item, much) in enumerate(zip(ranked[0].items, surely, strict=True))
        ]
    votes: dict[str, list[tuple[float, int, int]]] = {}
    for number, (one, phrase) in enumerate(zip(ranked, question.phrases, strict=True)):
        for n, (item, sure) in enumerate(zip(one.items, sureness(one, phrase), strict=True)):
            votes.setdefault(item.id, []).append((sure, -number, -n))
    best = []
    for name, given in votes.items():
        top, number, n = max(given)
        mean = sum([vote[0] for vote in given]) / len(question.phrases)
        best.append((-(0.7 * top + 0.3 * mean), name, -number, -n))
    best.sort()
    return [Candidate(name, -less, ranked[number], n) for less, name, number, n in best]


def sureness(ranked: Ranked, phrase: Asked) -> list[float]:
    """How sure it is that each answers, 0..1: the best evidence for the question, less for what
    stands further behind. Falls along the order of the ranking."""
    if not ranked.items:
        return []
    best = {name: column[:_SEEN] for name, column in ranked.columns.items()}
    blind, similarity = np.isnan(ranked.similarity), ranked.similarity
    near, unread = similarity[:_SEEN][~blind[:_SEEN]], blind[:_SEEN]
    apart = float(near.max() - np.median(similarity[~blind])) if len(near) else 0.0
    sure = evidence(best, question=phrase, apart=apart)
    if unread.any():  # what has no vector yet is as sure as if nothing had one
        worded = {name: column[unread] for name, column in best.items()}
        sure = max(sure, evidence(worded, question=replace(phrase, vector=None)))
    sure = max(sure, _LEAST)
    behind = np.maximum(0.0, ranked.scores[0] - ranked.scores)
    found: list[float] = (sure / (1 + behind / _FADE)).tolist()
    return found


def _votes(ranked: Ranked, n: int) -> tuple[ArmScore, ...]:
    """What each arm said of the n-th: its points, and its strongest feature, 0..1."""
    said = []
    for arm, names in ARMS.items():
        used = [f for f in names if ranked.weights.get(f) and f in ranked.columns]
        given = {f: float(ranked.columns[f][n]) for f in used}
        strongest = max((given[f] for f in used if f not in _SHAPE), default=0.0)
        if (vote := round(min(1.0, strongest), 4)) > 0:
            points = sum(ranked.weights[f] * value for f, value in given.items())
            said.append(ArmScore(arm, round(points, 4), vote, n + 1))
    return tuple(said)


def _off(arms: frozenset[str]) -> frozenset[str]:
    return frozenset(f for arm, names in ARMS.items() if arm not in arms for f in names)


def _says_something(phrase: str) -> bool:
    return any(char.isalnum() for char in phrase)
