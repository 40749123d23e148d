"""Does alaya keep silent when a memory holds no answer? Real questions against off-topic ones.

    python benchmarks/abstention.py [--pairs NAME,...] [--sample N] [--set KEY=VALUE ...]
                                    [--out FILE]

A pair is a kind of store, asked its own questions and questions of the same language that belong to
another store. Everything is the default: the threshold is one for all pairs. Printed for each:

- silent: off-topic questions at which recall abstained (must be at least 90 %);
- lost: real questions, which have gold here, at which it abstained (at most 5 %);
- AUC: how well the best hit's score tells the two kinds apart, .5 is chance;
- at 5 %: how many off-topic questions a threshold of the pair's own would silence that loses at
  most 5 % of the real ones; `one`: the same with the one threshold that suits every pair best.

`*` marks the pairs that the issue names; the others are their reverse. Each store is built once.
Needs `pip install '.[bench]'`, and `../shared` beside the repository.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from quality import SHARED, retrieval_bench, settings_of

from alaya.evals.retriever import Retriever, RetrieverFactory

SILENT, LOST = 0.90, 0.05


@dataclass(frozen=True)
class Question:
    """What is asked, and when, as the benchmark has it."""

    text: str
    timestamp: str | None = None


@dataclass(frozen=True)
class Store:
    """Documents and the questions that have gold in them."""

    documents: list[dict[str, Any]]
    questions: list[Question]


@dataclass
class Heard:
    """What recall answered to one kind of question: whether it kept silent, and the best score."""

    silent: list[bool] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)

    def ask(self, retriever: Retriever, questions: Iterable[Question]) -> None:
        """Ask by default; where it abstains, ask again without a floor for the score alone."""
        for question in questions:
            answer = retriever.recall(question.text, timestamp=question.timestamp)
            self.silent.append(answer.abstained)
            if answer.abstained:
                answer = retriever.recall(
                    question.text, timestamp=question.timestamp, min_similarity=0.0
                )
            self.scores.append(max((hit.score for hit in answer.hits), default=0.0))


@dataclass(frozen=True)
class Pair:
    """Stores of one kind, each with the off-topic questions that are asked there."""

    name: str
    stores: Callable[[Loaded], list[Store]]
    others: Callable[[Loaded], list[list[Question]]]  # for each store
    named: bool = True  # by the issue


@dataclass(frozen=True)
class Measured:
    """What was heard in the stores of a pair."""

    pair: Pair
    real: Heard
    off_topic: Heard

    @property
    def silent(self) -> float:
        """The share of off-topic questions at which recall abstained."""
        return float(np.mean(self.off_topic.silent))

    @property
    def lost(self) -> float:
        """The share of real questions at which it abstained."""
        return float(np.mean(self.real.silent))

    @property
    def holds(self) -> bool:
        return self.silent >= SILENT and self.lost <= LOST

    @property
    def threshold(self) -> float:
        """The highest score below which at most 5 % of the real questions' best hits stand."""
        return float(sorted(self.real.scores)[int(LOST * len(self.real.scores))])

    def below(self, threshold: float) -> float:
        """The share of off-topic questions that this threshold would silence."""
        return float(np.mean(np.asarray(self.off_topic.scores) < threshold))

    @property
    def auc(self) -> float:
        """How often a real question's best hit scores higher than an off-topic one's."""
        ours, theirs = np.asarray(self.real.scores), np.asarray(self.off_topic.scores)
        above = np.mean(ours[:, None] > theirs[None, :])
        return float(above + np.mean(ours[:, None] == theirs[None, :]) / 2)

    def as_json(self, one: float) -> dict[str, Any]:
        """Every figure, shares of 0..1, and the scores they come from."""
        return {
            "pair": self.pair.name,
            "named": self.pair.named,
            "holds": self.holds,
            "silent": self.silent,
            "lost": self.lost,
            "auc": self.auc,
            "threshold": self.threshold,
            "at_threshold": self.below(self.threshold),
            "at_one": self.below(one),
            "scores_real": self.real.scores,
            "scores_off_topic": self.off_topic.scores,
        }


class Loaded:
    """The stores of the benchmark's tasks, each task read once."""

    def __init__(self, bench: Any, sample: int) -> None:
        self._bench = bench
        self._sample = sample
        self._stores: dict[str, list[Store]] = {}

    def stores(self, task: str, limit: int | None = None) -> list[Store]:
        """Every store of a task, or `limit` of them drawn once; at most `sample` questions each."""
        if task not in self._stores:
            groups = self._bench.TASKS[task]().groups
            if limit is not None and limit < len(groups):
                groups = random.Random(0).sample(groups, limit)
            self._stores[task] = [
                Store(
                    group.docs,
                    self.some([Question(str(q.text), q.timestamp) for q in group.queries]),
                )
                for group in groups
            ]
        return self._stores[task]

    def questions(self, task: str, limit: int | None = None) -> list[Question]:
        """Questions from every store of a task."""
        return [q for store in self.stores(task, limit) for q in store.questions]

    def some(self, questions: Sequence[Question]) -> list[Question]:
        """At most `sample` of them, always the same ones."""
        if len(questions) <= self._sample:
            return list(questions)
        return random.Random(0).sample(list(questions), self._sample)

    def shared(self, questions: Sequence[Question], stores: int) -> list[list[Question]]:
        """The questions dealt out to that many stores, so that each is asked in one of them."""
        dealt = random.Random(1).sample(list(questions), len(questions))
        return [self.some(dealt[n::stores]) for n in range(stores)]


_DAILY = 150  # of the 1,473 stores of memdaily, which hold nine messages and one question each


def _next(task: str) -> Callable[[Loaded], list[list[Question]]]:
    """In each store of a task the questions of the next store: the talk of other people."""
    return lambda of: [of.stores(task)[n - 1].questions for n in range(len(of.stores(task)))]


def _dealt(
    task: str, into: str, *, limit: int | None = None, rooms: int | None = None
) -> Callable[[Loaded], list[list[Question]]]:
    return lambda of: of.shared(of.questions(task, limit), len(of.stores(into, rooms)))


def _stores(task: str, limit: int | None = None) -> Callable[[Loaded], list[Store]]:
    return lambda of: of.stores(task, limit)


LOCOMO, REALTALK, DAILY = "locomo-turn", "realtalk-turn", "memdaily"
MUSIQUE, HOTPOT = "musique-train100", "hotpotqa-train100"
PAIRS = (
    Pair("locomo in realtalk", _stores(REALTALK), _dealt(LOCOMO, REALTALK)),
    Pair("locomo in other locomo", _stores(LOCOMO), _next(LOCOMO)),
    Pair("musique in hotpotqa", _stores(HOTPOT), _dealt(MUSIQUE, HOTPOT)),
    Pair("memdaily in novel-hlm", _stores("novel-hlm"), _dealt(DAILY, "novel-hlm", limit=_DAILY)),
    Pair(
        "memdaily in novel-sgyy", _stores("novel-sgyy"), _dealt(DAILY, "novel-sgyy", limit=_DAILY)
    ),
    Pair("realtalk in locomo", _stores(LOCOMO), _dealt(REALTALK, LOCOMO), named=False),
    Pair("realtalk in other realtalk", _stores(REALTALK), _next(REALTALK), named=False),
    Pair("hotpotqa in musique", _stores(MUSIQUE), _dealt(HOTPOT, MUSIQUE), named=False),
    Pair(
        "novel-hlm in memdaily",
        _stores(DAILY, _DAILY),
        _dealt("novel-hlm", DAILY, rooms=_DAILY),
        named=False,
    ),
)


def measure(pairs: Sequence[Pair], loaded: Loaded, *, factory: RetrieverFactory) -> list[Measured]:
    """Build each store once and ask there what every pair asks there."""
    asked: dict[int, tuple[Store, list[tuple[Pair, list[Question]]]]] = {}
    for pair in pairs:
        for store, others in zip(pair.stores(loaded), pair.others(loaded), strict=True):
            asked.setdefault(id(store), (store, []))[1].append((pair, others))
    found = {pair.name: Measured(pair, Heard(), Heard()) for pair in pairs}
    for number, (store, visits) in enumerate(asked.values(), 1):
        retriever = factory(store.documents)
        own = Heard()
        own.ask(retriever, store.questions)
        for pair, others in visits:
            found[pair.name].real.silent.extend(own.silent)
            found[pair.name].real.scores.extend(own.scores)
            found[pair.name].off_topic.ask(retriever, others)
        retriever.close()
        print(f"… store {number} of {len(asked)}", file=sys.stderr, flush=True)
    return list(found.values())


def table(measured: Sequence[Measured], one: float) -> Iterable[str]:
    """A line for each pair."""
    yield f"{'':29s}off-topic  silent    real    lost          AUC   at 5 %     one"
    for m in measured:
        name = f"{'*' if m.pair.named else ' '} {m.pair.name}"
        verdict = "holds" if m.holds else "MISS "
        yield (
            f"{name:29s}{len(m.off_topic.silent):9d} {m.silent:7.1%} {len(m.real.silent):7d} "
            f"{m.lost:7.1%}  {verdict} {m.auc:7.3f}  {m.below(m.threshold):7.1%} "
            f"{m.below(one):7.1%}"
        )
    named = [m for m in measured if m.pair.named]
    held = sum(m.holds for m in named)
    yield f"{held} of {len(named)} named pairs hold; the one threshold is {one:.3f}"


def main(argv: Sequence[str] | None = None) -> None:
    """Print the table; with --out, write the figures and scores as JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", default="all", help=f"of: {', '.join(p.name for p in PAIRS)}")
    parser.add_argument("--sample", type=int, default=200, metavar="N", help="of a kind and store")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--out", type=Path, metavar="FILE")
    options = parser.parse_args(argv)
    names = [p.name for p in PAIRS] if options.pairs == "all" else options.pairs.split(",")
    pairs = [pair for pair in PAIRS if pair.name in names]
    if len(pairs) < len(names):
        parser.error(f"pairs are: {', '.join(pair.name for pair in PAIRS)}")
    try:
        bench = retrieval_bench()
    except ImportError as error:
        print(f"skipped: {error} (the benchmark is read from {SHARED})")
        return
    loaded = Loaded(bench, options.sample)
    factory = RetrieverFactory(settings_of(options.set))
    measured = measure(pairs, loaded, factory=factory)
    one = min(m.threshold for m in [m for m in measured if m.pair.named] or measured)
    print(*table(measured, one), sep="\n")
    if options.out:
        figures = {"one_threshold": one, "pairs": [m.as_json(one) for m in measured]}
        options.out.write_text(json.dumps(figures, ensure_ascii=False, indent=1), "utf-8")


if __name__ == "__main__":
    main()
