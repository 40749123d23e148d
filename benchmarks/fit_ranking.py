"""Fit the weights of `recall/weights.py` on the tasks of `retrieval_bench.py`, and print them.

    python benchmarks/fit_ranking.py [--tasks NAME,...|all|none] [--sample N] [--ascend SECONDS]
                                     [--folds K] [--evidence]

Needs `pip install '.[bench]'`, and `../shared` beside the repository. First every question is asked
through ingest and recall (`ranking_features.py`); the rest is arithmetic on what was seen. Then

- a softmax over the candidates of a question says how likely each is the gold one; weights make the
  gold likely (listwise maximum likelihood, Cao et al. 2007). Tasks count by what they are worth.
- `--ascend`: from there one weight after the other is moved while recall gets better (coordinate
  ascent, Metzler and Croft 2007), again from weights near the best ones until the seconds are
  over. Of what is above a target one point counts in full: it is not to pay for what is missed.
- WORDS_ALONE is the first step without what comes from vectors. Its column is that of the same
  candidates, some of which vectors had found: without an embedder recall is lower.
- `--folds`: both steps again on K - 1 of K parts, each taking `--ascend` seconds; recall on the
  part left out is `held out`. A part is whole stores, the same in every task that has them; of a
  task that has one store, it is questions. This, not `fitted`, is what others may expect.
- `--evidence`: a logistic regression that tells the questions of a store from those of another, on
  the pairs of `abstention.py`; its bias makes recall.min_similarity the threshold that suits best.

Feedback, bridges and evidence start from the best candidates by the weights as they are: write what
was fitted into `recall/weights.py` and fit again, evidence last (`--tasks none --evidence`).
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from abstention import PAIRS, Loaded
from quality import SHARED, TASKS, retrieval_bench, sampled
from ranking_features import (
    EVIDENCE,
    FEATURES,
    Array,
    Figure,
    Ranked,
    Sides,
    drawn,
    figures,
    record,
    record_evidence,
)

from alaya.config import RecallConfig
from alaya.recall.weights import WEIGHTS, WORDS_ALONE

Fitted = Mapping[str, Sequence[Ranked]]  # the questions of each task
# What a task is worth, by hand: with more, it gets better at the cost of the others.
WORTH: Mapping[str, float] = {
    "locomo-turn": 3,
    "locomo-session": 2,
    "realtalk-turn": 2,
    "beam-100K": 1,
    "musique-train100": 1,
    "hotpotqa-train100": 2,
    "memdaily-noise10": 3,
    "novel-hlm": 1,
    "novel-sgyy": 3,
}
_DECAY = 3e-3  # of the squared weights, each by the spread of its feature
_SPARE, _SPARE_CATEGORY = 1.0, 0.6  # points above a target that count in full, of all and of some
_BEYOND = 0.03  # what a point counts above that
_FIRST, _LAST = 0.3, 0.03  # by how much of itself a weight is moved, at first and at last
_LEAST = 0.5  # the size that the smallest weights are taken to have
_GAIN = 0.02  # points for which a weight is moved
_SHAKEN = 0.15  # of itself, by which each weight is changed before the next climb
# Shown, but not fitted on.
_UNFITTED = ("realtalk in other realtalk", "novel-hlm in memdaily")
_ASKED = 80  # questions of a kind and store, for the evidence
_STRENGTH = 3.0  # C of the logistic regression
_SILENT, _LOST = 0.92, 0.045  # what the threshold aims at: a little more than the issue wants
_FLOOR = RecallConfig().min_similarity


def softmax(fitted: Fitted, names: Sequence[str]) -> dict[str, float]:
    """Weights of these features that make gold likely. Several gold places count alike, and a place
    is as likely as its candidates together. Questions whose gold was not found say nothing.
    """
    from scipy.optimize import minimize  # type: ignore[import-untyped]

    used = [FEATURES.index(name) for name in names]
    some = [
        (one, WORTH[task] / len(questions))
        for task, questions in fitted.items()
        for one in questions
        if one.gold.any()
    ]
    if not some:
        raise SystemExit("no gold was found: nothing to fit on")
    features = np.concatenate([one.features[:, used] for one, _ in some])
    spread = features.std(0) + 1e-9
    features = features / spread
    sizes = [len(one.places) for one, _ in some]
    starts = np.cumsum([0, *sizes])
    worth = np.array([value for _, value in some])
    worth /= worth.sum()
    # Each gold place has a number; `share` is what it counts.
    golds = np.flatnonzero(np.concatenate([one.gold for one, _ in some]))
    places = np.concatenate(
        [one.places + start for (one, _), start in zip(some, starts[:-1], strict=True)]
    )
    _, place = np.unique(places[golds], return_inverse=True)
    answers = np.array([one.answers.sum() for one, _ in some])
    share = np.repeat(worth / answers, answers)

    def loss(weights: Array) -> tuple[float, Array]:
        scores = features @ weights
        scores = scores - np.repeat(np.maximum.reduceat(scores, starts[:-1]), sizes)
        odds = np.exp(scores)
        likely = odds / np.repeat(np.add.reduceat(odds, starts[:-1]), sizes)
        of_place = np.maximum(np.bincount(place, likely[golds]), 1e-12)
        pull = -np.repeat(worth, sizes) * likely
        pull[golds] += share[place] * likely[golds] / of_place[place]
        cost = -float(share @ np.log(of_place)) + _DECAY * float(weights @ weights)
        return cost, -(features.T @ pull) + 2 * _DECAY * weights

    start = np.zeros(len(used))
    best = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300})
    return dict(zip(names, (best.x / spread).tolist(), strict=True))


def scored(fitted: Fitted, weights: Mapping[str, float]) -> dict[str, list[Array]]:
    """The scores of every question's candidates."""
    row = np.array([weights.get(name, 0.0) for name in FEATURES])
    return {task: [one.features @ row for one in some] for task, some in fitted.items()}


def height(
    wanted: Sequence[Figure], fitted: Fitted, scores: Mapping[str, Sequence[Array]]
) -> float:
    """How good recall is: points from the targets, of which those above count little."""
    total = 0.0
    for figure in wanted:
        value = figure.of(fitted[figure.task], scores[figure.task])
        if math.isnan(value):
            continue
        spare = _SPARE_CATEGORY if figure.category else _SPARE
        total += min(value - figure.target, spare) + (0 if figure.category else _BEYOND * value)
    return total


class Hill:
    """Recall as a function of the weights, quick to judge again where one of them changed."""

    def __init__(self, fitted: Fitted, *, seconds: float) -> None:
        self._fitted = fitted
        self._wanted = figures(fitted)
        self._until = time.monotonic() + seconds
        self._seen: dict[str, Array] = {}  # the features of all candidates of a task
        self._cuts = {}
        for task, some in fitted.items():
            self._seen[task] = np.concatenate([one.features for one in some])
            self._cuts[task] = np.cumsum([len(one.places) for one in some])[:-1]

    @property
    def over(self) -> bool:
        """Whether the time is."""
        return time.monotonic() >= self._until

    def _height(self, scores: Mapping[str, Array]) -> float:
        split = {task: np.split(flat, self._cuts[task]) for task, flat in scores.items()}
        return height(self._wanted, self._fitted, split)

    def climb(self, weights: Array, chance: random.Random) -> tuple[Array, float]:
        """Move one weight after the other while that helps: where that ends, and how high it is."""
        weights = weights.astype(np.float32)
        scores: dict[str, Array] = {task: seen @ weights for task, seen in self._seen.items()}
        best, step = self._height(scores), _FIRST
        while step > _LAST and not self.over:
            before = best
            for n in chance.sample(range(len(weights)), len(weights)):
                size = step * max(abs(float(weights[n])), _LEAST)
                for move in np.array([size, -size], dtype=np.float32) if not self.over else ():
                    moved = {t: scores[t] + move * seen[:, n] for t, seen in self._seen.items()}
                    if (now := self._height(moved)) > best + _GAIN:
                        weights[n] += move
                        scores, best = moved, now
                        break
            if best == before:
                step /= 2
        return weights, best


def ascend(fitted: Fitted, weights: Mapping[str, float], *, seconds: float) -> dict[str, float]:
    """The highest place that is reached from these weights, and from near the highest so far.

    The same for the same number of climbs; how many there are, the seconds decide.
    """
    hill, chance = Hill(fitted, seconds=seconds), random.Random(0)
    row, best = hill.climb(np.array([weights.get(name, 0.0) for name in FEATURES]), chance)
    while not hill.over:
        shaken = row * np.array([chance.uniform(1 - _SHAKEN, 1 + _SHAKEN) for _ in FEATURES])
        other, high = hill.climb(shaken, chance)
        if high > best:
            row, best = other, high
    return dict(zip(FEATURES, row.tolist(), strict=True))


def fit(fitted: Fitted, *, seconds: float) -> dict[str, float]:
    """The softmax's weights; with seconds to spend, moved on from there."""
    weights = softmax(fitted, FEATURES)
    return ascend(fitted, weights, seconds=seconds) if seconds else weights


def parts(fitted: Fitted, count: int) -> dict[str, list[int]]:
    """For each question the part that it belongs to: 0 … count - 1, about as many stores in each.

    A store that several tasks have is in the same part in all of them.
    """
    known: dict[str, int] = {}
    found = {}
    for task, some in fitted.items():
        several = len({one.store for one in some}) > 1
        units = [one.store if several else f"{task} {one.name}" for one in some]
        new = sorted(set(units) - known.keys())
        random.Random(0).shuffle(new)
        known |= {unit: number % count for number, unit in enumerate(new)}
        found[task] = [known[unit] for unit in units]
    return found


def held_out(fitted: Fitted, count: int, *, seconds: float) -> dict[str, list[Array]]:
    """The scores of each question's candidates by weights that were fitted on the other parts."""
    of = parts(fitted, count)
    found: dict[str, list[Array]] = {task: [np.zeros(0)] * len(of[task]) for task in fitted}
    for part in range(count):
        others = {
            task: [one for one, n in zip(some, of[task], strict=True) if n != part]
            for task, some in fitted.items()
        }
        weights = fit({task: some for task, some in others.items() if some}, seconds=seconds)
        for task, scores in scored(fitted, weights).items():
            for number, (n, score) in enumerate(zip(of[task], scores, strict=True)):
                if n == part:
                    found[task][number] = score
    return found


@dataclass(frozen=True)
class Evidence:
    """A logistic regression: how much each of EVIDENCE counts, and the bias."""

    weights: Array
    bias: float

    def shares(self, sides: Sides) -> tuple[float, float]:
        """The share of off-topic questions that are silenced, and of real ones that are lost."""
        floor = math.log(_FLOOR / (1 - _FLOOR)) - self.bias
        silenced, lost = (
            float(np.mean(x @ self.weights < floor)) for x in (sides.other, sides.real)
        )
        return silenced, lost


def fit_evidence(pairs: Mapping[str, Sides]) -> Evidence:
    """In each pair the two kinds of question weigh the same, and every pair as much as another."""
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

    fitted = {name: p for name, p in pairs.items() if name not in _UNFITTED} or pairs
    kinds = [(x, real) for p in fitted.values() for x, real in ((p.real, 1), (p.other, 0))]
    rows = np.concatenate([x for x, _ in kinds])
    real = np.concatenate([np.full(len(x), kind) for x, kind in kinds])
    counts = np.concatenate([np.full(len(x), 1 / len(x)) for x, _ in kinds])
    middle, spread = rows.mean(0), rows.std(0) + 1e-9
    model = LogisticRegression(C=_STRENGTH, max_iter=800)
    model.fit((rows - middle) / spread, real, sample_weight=counts / counts.mean())
    weights = model.coef_[0] / spread
    bias = float(model.intercept_[0] - middle @ weights)
    floor = math.log(_FLOOR / (1 - _FLOOR))
    options = (Evidence(weights, bias - t + floor) for t in np.linspace(-5, 5, 401))
    return max(options, key=lambda option: _suits(option, fitted))


def _suits(option: Evidence, pairs: Mapping[str, Sides]) -> float:
    """How good a threshold is: the pairs that the issue names count most, losses twice."""
    named = {pair.name for pair in PAIRS if pair.named}
    total = 0.0
    for name, sides in pairs.items():
        silenced, lost = option.shares(sides)
        total += 0.1 * (silenced - lost)
        if name in named:
            total += min(silenced - _SILENT, 0.0) + 2 * min(_LOST - lost, 0.0)
    return total


def evidence_lines(pairs: Mapping[str, Sides], folds: int) -> Iterable[str]:
    """The numbers, and of each pair the shares that are silenced and lost."""
    model = fit_evidence(pairs)
    numbers = zip((*EVIDENCE, "bias"), (*model.weights, model.bias), strict=True)
    yield "evidence: " + ", ".join(f"{name} {value:.1f}" for name, value in numbers)
    stores = sorted({int(n) for p in pairs.values() for n in (*p.real_stores, *p.other_stores)})
    random.Random(0).shuffle(stores)
    apart: dict[str, list[tuple[float, float, int, int]]] = {name: [] for name in pairs}
    for part in range(folds):
        inside = frozenset(stores[part::folds])
        rest = {name: p.within(inside, inside=False) for name, p in pairs.items()}
        others = fit_evidence({n: p for n, p in rest.items() if len(p.real) and len(p.other)})
        for name, sides in pairs.items():
            some = sides.within(inside, inside=True)
            if len(some.real) and len(some.other):
                apart[name].append((*others.shares(some), len(some.other), len(some.real)))
    yield f"{'':42s}silenced    lost" + ("   held out: silenced, lost" if folds else "")
    for name, sides in pairs.items():
        silenced, lost = model.shares(sides)
        label = f"{name}{' (not fitted)' if name in _UNFITTED else ''}"
        line = f"{label:42s}{silenced:8.1%}{lost:8.1%}"
        if apart[name]:
            s, lo, other, real = np.array(apart[name]).T
            line += f"{np.average(s, weights=other):21.1%}{np.average(lo, weights=real):8.1%}"
        yield line


def as_written(title: str, weights: Mapping[str, float], names: Sequence[str]) -> Iterable[str]:
    """Weights as they stand in `recall/weights.py`."""
    yield f"{title}: Mapping[str, float] = MappingProxyType("
    yield "    {"
    yield from (f'        "{name}": {weights[name]:.2f},' for name in names)
    yield "    }\n)"


def ranking_lines(fitted: Fitted, options: argparse.Namespace) -> Iterable[str]:
    """The weights, and recall by each set of them."""
    weights, words = fit(fitted, seconds=options.ascend), softmax(fitted, tuple(WORDS_ALONE))
    yield from as_written("WEIGHTS", weights, FEATURES)
    yield from as_written("WORDS_ALONE", words, tuple(WORDS_ALONE))
    by = {label: scored(fitted, w) for label, w in (("now", WEIGHTS), ("fitted", weights))}
    if options.folds:
        by["held out"] = held_out(fitted, options.folds, seconds=options.ascend)
    by["words"] = scored(fitted, words)
    yield f"{'':36s}target" + "".join(f"{label:>10s}" for label in by)
    for figure in figures(fitted):
        questions = fitted[figure.task]
        values = [figure.of(questions, scores[figure.task]) for scores in by.values()]
        label = f"{figure.task} {figure.name}"
        yield f"{label:36s}{figure.target:6.1f}" + "".join(f"{value:10.1f}" for value in values)


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """What was asked for; `tasks` as a tuple."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tasks", default="all", help=f"of {', '.join(TASKS)}; none: no ranking")
    parser.add_argument("--sample", type=int, metavar="N", help="questions for each task or store")
    parser.add_argument("--ascend", type=float, default=0.0, metavar="SECONDS")
    parser.add_argument("--folds", type=int, default=0, metavar="K", help="2 or more; 0: none")
    parser.add_argument("--evidence", action="store_true", help="fit the evidence too")
    options = parser.parse_args(argv)
    sets: dict[str, tuple[str, ...]] = {"all": TASKS, "none": ()}
    options.tasks = sets.get(options.tasks, tuple(options.tasks.split(",")))
    if strange := set(options.tasks) - set(TASKS):
        parser.error(f"no task {', '.join(sorted(strange))}; tasks are: {', '.join(TASKS)}")
    if options.folds == 1 or options.folds < 0:
        parser.error("--folds is 2 or more, or 0 for none")
    if options.ascend < 0 or (options.sample is not None and options.sample < 1):
        parser.error("--ascend and --sample are above 0")
    return options


def main(argv: Sequence[str] | None = None) -> None:
    """Print what was fitted, and how good it is."""
    options = arguments(argv)
    try:
        bench: Any = retrieval_bench()
    except ImportError as error:
        print(f"skipped: {error} (the benchmark is read from {SHARED})")
        return
    if options.tasks:
        tasks = {
            name: sampled(drawn(bench.TASKS[name]()), options.sample) for name in options.tasks
        }
        fitted = {name: record(task) for name, task in tasks.items()}
        print(*ranking_lines(fitted, options), sep="\n", flush=True)
    if options.evidence:
        loaded = Loaded(bench, options.sample or _ASKED)
        pairs = record_evidence(PAIRS, loaded)
        print(*evidence_lines(pairs, options.folds), sep="\n")


if __name__ == "__main__":
    main()
