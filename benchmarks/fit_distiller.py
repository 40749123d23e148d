"""Fit the distiller's weights on the labelled sessions, all but the blind ones.

    python benchmarks/fit_distiller.py [--write]

Needs scikit-learn, which alaya itself does not. The first step is fitted twice: where a card cites
several turns, the first fit picks the one that carries it (of a failure, rather the later one, that
explains it) and the second ignores the others (multiple-instance learning, Dietterich et al. 1997).
The second step is fitted on what the first says of writers it was not fitted on.
`held_out` gives weights for each session that were fitted on the other writers' sessions, since a
new user is a new writer; thresholds are chosen so, and `benchmarks/rules.py` reports them.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import rules as bench
from numpy.typing import NDArray

import alaya.distill.weights as shipped
from alaya.distill.features import Features, features
from alaya.distill.judge import best_of
from alaya.distill.reading import Reading, Voice, read
from alaya.distill.rules import breaks_of, proposed
from alaya.distill.weights import KINDS, SHAPE, WORDS, parsed, rows
from alaya.model.raw import ArchivedTurn

Matrix = NDArray[np.float64]
_RARE = 3  # a feature seen in fewer turns is left out
_KEPT = 5000  # features, by weight times the root of how often they were seen
_STRENGTH = 1.0  # C of the logistic regression
_LATER = 1.0  # log-odds that a later turn of a failure is worth
_HOPELESS = 0.02  # probability in the first step below which the second is not fitted
_RATE = 0.08  # of boosting
_SEEDS = (0, 1)  # two forests of each kind: their mean is steadier
_PRECISION = 0.81  # of held-out verdicts: thresholds aim at it


@dataclass(frozen=True)
class Labelled:
    """A session as it is read, with its labels: (kind, turns)."""

    name: str
    writer: str
    reading: Reading
    seen: list[Features]
    expected: list[tuple[int, list[int]]]
    cuts: tuple[Labelled, ...] = ()  # short windows of it


def labelled(document: dict[str, Any], writer: str) -> Labelled:
    """Read a labelled session, whole and in windows: sessions in use are short as well as long."""
    _, turns = bench.archived(document)
    kinds = [k.value for k in KINDS]
    expected = [(kinds.index(e["kind"]), sorted(e["turns"])) for e in document["expected"]]
    chance = random.Random(document["name"])
    cuts = []
    for width in (2, 3, 5, 8):
        anchors = [t for _, cited in expected for t in cited] or [0]
        start = max(0, min(chance.choice(anchors), len(turns) - 1) - chance.randrange(width))
        cuts.append(
            _read((document["name"], writer), turns[start : start + width], expected, start)
        )
    return replace(_read((document["name"], writer), turns, expected, 0), cuts=tuple(cuts))


def _read(
    name: tuple[str, str],
    turns: Sequence[ArchivedTurn],
    expected: Sequence[tuple[int, list[int]]],
    start: int,
) -> Labelled:
    reading = read(turns)
    found, _ = proposed(reading, breaks_of(turns, 0))
    inside = [
        (kind, [t - start for t in cited])
        for kind, cited in expected
        if all(0 <= t - start < len(turns) for t in cited)
    ]
    partly = [
        (kind, [t - start for t in cited if 0 <= t - start < len(turns)])
        for kind, cited in expected
        if cited[-1] - start in range(len(turns)) and cited[0] < start and KINDS[kind] != "gotcha"
    ]
    return Labelled(*name, reading, features(reading, found), inside + partly)


def _with_cuts(docs: Sequence[Labelled]) -> list[Labelled]:
    return [one for d in docs for one in (d, *d.cuts)]


def _matrix(docs: Sequence[Labelled], places: dict[str, int]) -> Any:
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

    row, column, value = [], [], []
    at = 0
    for doc in docs:
        for seen in doc.seen:
            scale = WORDS / max(1, len(seen.words)) ** 0.5
            for names, by in ((seen.shape, SHAPE), (seen.words, scale)):
                for name in sorted(names & places.keys()):
                    row.append(at)
                    column.append(places[name])
                    value.append(by)
            at += 1
    return csr_matrix((value, (row, column)), shape=(at, len(places)))


def _targets(docs: Sequence[Labelled], odds: Matrix | None) -> tuple[Matrix, Matrix]:
    """Labels and their weights by turn; with odds, one turn of each card counts."""
    total = sum(len(d.seen) for d in docs)
    labels, weights = np.zeros((total, len(KINDS))), np.ones((total, len(KINDS)))
    at = 0
    for doc in docs:
        chosen = set()
        for kind, turns in doc.expected:
            best = turns
            if odds is not None:
                later = _LATER * (KINDS[kind].value == "gotcha")
                row = odds[:, kind]
                best = [max(turns, key=lambda t: row[at + t] + later * turns.index(t))]
            chosen.update((t, kind) for t in best)
            for turn in turns:
                weights[at + turn, kind] = 0
        for turn, kind in chosen:
            labels[at + turn, kind] = weights[at + turn, kind] = 1
        at += len(doc.seen)
    return labels, weights


def _logistic(x: Any, labels: Matrix, weights: Matrix) -> tuple[Matrix, Matrix]:
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

    fitted = [
        LogisticRegression(C=_STRENGTH, max_iter=300, solver="liblinear", random_state=0).fit(
            x, labels[:, k], sample_weight=weights[:, k]
        )
        for k in range(len(KINDS))
    ]
    return np.stack([m.coef_[0] for m in fitted]), np.array([m.intercept_[0] for m in fitted])


def _first(docs: Sequence[Labelled]) -> dict[str, Any]:
    """The linear step: pick turns, prune features, fit."""
    counts = Counter(name for d in docs for s in d.seen for name in (*s.shape, *s.words))
    names = sorted(n for n, c in counts.items() if c >= _RARE)
    x = _matrix(docs, {n: i for i, n in enumerate(names)})
    coefficients, bias = _logistic(x, *_targets(docs, None))
    targets = _targets(docs, x @ coefficients.T + bias)
    coefficients, bias = _logistic(x, *targets)
    often = np.sqrt(np.asarray(x.multiply(x).sum(0)).ravel())
    order = np.argsort(-np.abs(coefficients).max(0) * often, kind="stable")[:_KEPT]
    names = sorted(names[i] for i in order)
    x = _matrix(docs, {n: i for i, n in enumerate(names)})
    coefficients, bias = _logistic(x, *targets)
    weights = np.round(coefficients * 100).astype(int)
    return {
        "bias": [round(float(b), 3) for b in bias],
        "features": {n: weights[:, i].tolist() for i, n in enumerate(names) if weights[:, i].any()},
    }


def _odds(first: dict[str, Any], docs: Sequence[Labelled]) -> list[list[list[float]]]:
    model = parsed({**first, "forests": [], "needed": []})
    return [[model.odds(s) for s in d.seen] for d in docs]


def _second(docs: Sequence[Labelled], odds: Sequence[list[list[float]]]) -> list[Any]:
    """The trees, over held-out odds of the first step."""
    from sklearn.ensemble import GradientBoostingClassifier

    x = np.array(
        [r for d, o in zip(docs, odds, strict=True) for r in rows(d.reading, d.seen, odds=o)]
    )
    flat = np.array([o for one in odds for o in one])
    labels, weights = _targets(docs, flat)
    spoken = [
        u.voice is not Voice.TOOL and not u.invented and bool(u.said)
        for d in docs
        for u in d.reading.utterances
    ]
    kept = np.array(spoken) & (flat.max(1) > np.log(_HOPELESS / (1 - _HOPELESS)))
    forests: list[list[dict[str, Any]]] = []
    for k in range(len(KINDS)):
        share = np.average(labels[kept, k], weights=weights[kept, k])
        base = round(float(np.log(share / (1 - share))), 4)
        forests.append([])
        for seed in _SEEDS:
            model = GradientBoostingClassifier(
                n_estimators=60,
                max_depth=3,
                learning_rate=_RATE,
                subsample=0.7,
                max_features=20,
                random_state=seed,
            ).fit(x[kept], labels[kept, k], sample_weight=weights[kept, k])
            trees = [_tree(t[0].tree_) for t in model.estimators_]
            forests[-1].append({"base": base, "rate": _RATE, "trees": trees})
    return forests


def _tree(tree: Any) -> list[list[float]]:
    nodes: list[list[float]] = []
    for i in range(tree.node_count):
        left, right = int(tree.children_left[i]), int(tree.children_right[i])
        if left < 0:
            nodes.append([round(float(tree.value[i][0][0]), 3)])
        else:
            threshold = round(float(tree.threshold[i]), 3)
            nodes.append([int(tree.feature[i]), threshold, left, right])
    return nodes


def fit(docs: Sequence[Labelled]) -> dict[str, Any]:
    """Both steps, not on people's talk, which rules alone read; thresholds are left open."""
    docs = [d for d in docs if not d.reading.people]
    tried: list[Labelled] = []
    odds: list[list[list[float]]] = []
    for writer in sorted({d.writer for d in docs}):
        model = _first(_with_cuts([d for d in docs if d.writer != writer]))
        others = _with_cuts([d for d in docs if d.writer == writer])
        tried += others
        odds += _odds(model, others)
    first = _first(_with_cuts(docs))
    return {**first, "forests": _second(tried, odds), "needed": [0.3] * len(KINDS)}


def held_out(docs: Sequence[Labelled]) -> list[dict[str, Any]]:
    """For each session the weights that were fitted on the other writers' sessions."""
    names = sorted({d.writer for d in docs})
    groups = [[d for d in docs if d.writer != name] for name in names]
    with ProcessPoolExecutor(max_workers=2) as pool:
        models = dict(zip(names, pool.map(fit, groups), strict=True))
    return [models[d.writer] for d in docs]


def thresholds(docs: Sequence[Labelled], models: Sequence[dict[str, Any]]) -> list[float]:
    """The least probability of each kind: a wrong card costs as much as is needed for precision.

    The same price for all kinds; the lowest at which held-out precision is as wanted.
    """
    once = {id(m): parsed(m) for m in models}
    judged = [
        once[id(m)].probabilities(d.reading, d.seen) for d, m in zip(docs, models, strict=True)
    ]
    options = [round(0.16 + 0.02 * i, 2) for i in range(35)]
    counts = {t: _counts(docs, judged, [t] * len(KINDS)) for t in options}
    needed: list[float] = []
    for price in (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.5, 2.0):
        needed = [
            max(options, key=lambda t: counts[t][k][0] - price * counts[t][k][1])
            for k in range(len(KINDS))
        ]
        right, wrong = np.array(_counts(docs, judged, needed)).sum(0)
        if right >= _PRECISION * (right + wrong):
            break
    return needed


def _counts(
    docs: Sequence[Labelled], judged: Sequence[Any], needed: Sequence[float]
) -> list[tuple[int, int]]:
    """Verdicts that are right and wrong, by kind."""
    counts = [[0, 0] for _ in KINDS]
    for doc, found in zip(docs, judged, strict=True):
        for verdict in best_of(found, needed):
            k = KINDS.index(verdict.kind)
            hit = any(kind == k and verdict.turn in turns for kind, turns in doc.expected)
            counts[k][not hit] += 1
    return [(right, wrong) for right, wrong in counts]


def main(argv: Sequence[str] | None = None) -> None:
    """Fit, report thresholds, and write the package's file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--write", action="store_true", help="replace src/alaya/distill/weights.json"
    )
    options = parser.parse_args(argv)
    docs = [labelled(d, s) for s in bench.FITTED for d in bench.load(bench.LABELLED / s)]
    docs = [d for d in docs if not d.reading.people]
    needed = thresholds(docs, held_out(docs))
    print("least probability:", dict(zip([k.value for k in KINDS], needed, strict=True)))
    if options.write:
        data = {"fitted_on": list(bench.FITTED), "sessions": len(docs)}
        data |= {**fit(docs), "needed": needed}
        path = Path(shipped.__file__).with_name("weights.json")
        path.write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n")
        print(f"{path}: {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
