"""What recall saw when it ranked the benchmarks' questions: the numbers `fit_ranking.py` fits.

Every question goes through the public ingest and recall (`alaya.evals.retriever`); what ranking and
the estimate of evidence were given on the way is written down. Numbers only: no text is kept.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from unittest.mock import patch

import numpy as np
from abstention import Loaded, Pair, Question, Store
from numpy.typing import NDArray
from quality import ROWS

from alaya.evals.retriever import Retriever, make_retriever
from alaya.recall import arms, ranking
from alaya.recall.weights import WEIGHTS

Array = NDArray[np.floating[Any]]
# What is fitted: a new feature gets a line in `recall/weights.py` first, with 0. Two are left out:
# `own` is `part` where a question is one, and `known` is `held` where a store is not tiny.
FEATURES = tuple(WEIGHTS)
STORES = 500  # of a task that has more, such as memdaily: enough, and it takes minutes, not an hour
SURE = ("dense", "close", "session_dense")  # of the best candidates, the most of each counts
EVIDENCE = (*SURE, "longer", "han", "strange")  # the columns of what `evidence` was given


@dataclass(frozen=True)
class Ranked:
    """A question and its candidates: a row of features for each.

    `places` are what a candidate counts as, 0 and up: itself, or the chapter that it is a part of.
    `wanted` is how many of them are gold, found or not.
    """

    store: str
    name: str
    category: str
    features: Array
    places: NDArray[np.int64]
    gold: NDArray[np.bool_]
    wanted: int

    @cached_property
    def answers(self) -> NDArray[np.bool_]:
        """Whether each place is gold."""
        found = np.zeros(int(self.places.max(initial=-1)) + 1, dtype=bool)
        found[self.places[self.gold]] = True
        return found

    def found(self, scores: Array, k: int) -> int:
        """How many gold places are among the best k; a place is as good as its best candidate."""
        best = scores
        if len(self.answers) < len(scores):
            best = np.full(len(self.answers), -np.inf, dtype=scores.dtype)
            np.maximum.at(best, self.places, scores)
        if len(best) <= k:
            return int(self.answers.sum())
        return int(self.answers[np.argpartition(-best, k)[:k]].sum())


@dataclass(frozen=True)
class Figure:
    """What a task must reach: `R` (the share of the gold that is found) or `any` (whether) at k."""

    task: str
    name: str
    category: str
    metric: str
    k: int
    target: float

    def of(self, questions: Sequence[Ranked], scores: Sequence[Array]) -> float:
        """In percent; not a number where no question is of the category."""
        some = [
            min(one.found(s, self.k) / (1 if self.metric == "any" else one.wanted), 1.0)
            for one, s in zip(questions, scores, strict=True)
            if self.category in ("", one.category)
        ]
        return 100 * float(np.mean(some)) if some else math.nan


def figures(tasks: Iterable[str]) -> list[Figure]:
    """Those of the issue's table, without N@10: the order within the ten is not climbed for."""
    found = []
    for row in (row for row in ROWS if row.task in set(tasks)):
        for name, target in row.targets.items():
            category, _, metric = name.rpartition(" ")
            kind, _, k = metric.partition("@")
            if kind != "N":
                found.append(Figure(row.task, name, category, kind, int(k), target))
    return found


@dataclass(frozen=True)
class Sides:
    """What evidence was given in the stores of a pair: a row for each question, by EVIDENCE."""

    real: Array
    other: Array
    real_stores: NDArray[np.int64]  # the number of the store that each was asked in
    other_stores: NDArray[np.int64]

    def within(self, stores: frozenset[int], *, inside: bool) -> Sides:
        """The questions that were asked in these stores, or in all the others."""
        some = list(stores)
        real = np.isin(self.real_stores, some) == inside
        other = np.isin(self.other_stores, some) == inside
        return Sides(
            self.real[real], self.other[other], self.real_stores[real], self.other_stores[other]
        )


@contextmanager
def overheard(module: Any, name: str) -> Iterator[list[tuple[Any, Any]]]:
    """While this lasts: what a function of recall was given, by position and by name, and said."""
    heard: list[tuple[Any, Any]] = []
    genuine = getattr(module, name)

    def listening(*given: Any, **named: Any) -> Any:
        said = genuine(*given, **named)
        heard.append(((given, named), said))
        return said

    with patch.object(module, name, listening):
        yield heard


def drawn(task: Any) -> Any:
    """The task with at most STORES of its stores, always the same ones."""
    if len(task.groups) <= STORES:
        return task
    return replace(task, groups=random.Random(1).sample(task.groups, STORES))


def record(task: Any) -> list[Ranked]:
    """Ask every question of a task, and note the features of its candidates."""
    questions: list[Ranked] = []
    with overheard(ranking, "rank") as heard:
        for number, group in enumerate(task.groups, 1):
            retriever = make_retriever([dict(document) for document in group.docs])
            ids = [document["id"] for document in group.docs]
            for query in group.queries:
                heard.clear()
                retriever(query.text, 100, timestamp=query.timestamp)
                said = [answer for _, answer in heard if answer.items]
                found = [ids[int(i.id.rpartition("#")[2])] for i in said[-1].items] if said else []
                seen = [said[-1].columns[f] for f in FEATURES] if said else [[]] * len(FEATURES)
                at = [task.parent[one] for one in found] if task.parent else found
                places = {one: n for n, one in enumerate(dict.fromkeys(at))}
                questions.append(
                    Ranked(
                        store=str(group.name),
                        name=str(query.id),
                        category=query.category,
                        features=np.stack([np.asarray(c, dtype=np.float32) for c in seen], axis=1),
                        places=np.array([places[one] for one in at], dtype=np.int64),
                        gold=np.array([one in query.gold for one in at], dtype=bool),
                        wanted=len(query.gold),
                    )
                )
            retriever.close()
            if number % 50 == 0 or number == len(task.groups):
                print(f"… {task.name}: store {number}", file=sys.stderr, flush=True)
    return questions


def record_evidence(pairs: Sequence[Pair], loaded: Loaded) -> dict[str, Sides]:
    """Ask every store of the pairs what is asked there, and note what evidence was given."""
    asked: dict[int, tuple[Store, list[tuple[Pair, list[Question]]]]] = {}
    for pair in pairs:
        for store, others in zip(pair.stores(loaded), pair.others(loaded), strict=True):
            asked.setdefault(id(store), (store, []))[1].append((pair, others))
    rows: dict[tuple[str, bool], list[Array]] = {}
    stores: dict[tuple[str, bool], list[int]] = {}
    for number, (store, visits) in enumerate(asked.values()):
        retriever = make_retriever(store.documents)
        own = list(_given(retriever, store.questions))
        for pair, others in visits:
            for real, some in ((True, own), (False, list(_given(retriever, others)))):
                rows.setdefault((pair.name, real), []).extend(some)
                stores.setdefault((pair.name, real), []).extend([number] * len(some))
        retriever.close()
        print(f"… store {number + 1} of {len(asked)}", file=sys.stderr, flush=True)
    given = {key: np.reshape(some, (-1, len(EVIDENCE))) for key, some in rows.items()}
    where = {key: np.array(some, dtype=np.int64) for key, some in stores.items()}
    return {
        name: Sides(given[name, True], given[name, False], where[name, True], where[name, False])
        for name in (pair.name for pair in pairs)
    }


def _given(retriever: Retriever, questions: Sequence[Question]) -> Iterator[Array]:
    """What evidence was given for each question; nothing where no candidate was found."""
    with overheard(arms, "evidence") as heard:
        for question in questions:
            heard.clear()
            retriever.recall(question.text, timestamp=question.timestamp)
            for ((columns,), named), _ in heard[:1]:
                asked = named["question"]
                most = [float(columns[name].max()) for name in SURE]
                yield np.array([*most, math.log1p(len(asked.idf)), asked.han, asked.strange])
