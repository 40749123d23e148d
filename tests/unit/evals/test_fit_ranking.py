"""What benchmarks/fit_ranking.py makes of the numbers that it records."""

from __future__ import annotations

import importlib
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from alaya.evals.retriever import RetrieverFactory

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"
MODULES = ("quality", "abstention", "ranking_features", "fit_ranking")
TASK, OTHER = "locomo-turn", "locomo-session"

pytest.importorskip("scipy", reason="pip install '.[bench]'")
pytest.importorskip("sklearn", reason="pip install '.[bench]'")


@pytest.fixture(scope="module")
def bench() -> Iterator[Any]:
    """fit_ranking, as a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        yield importlib.import_module("fit_ranking")
        for name in MODULES:
            sys.modules.pop(name)


def question(bench: Any, n: int, *, store: str = "s", gold: int = 0, dense: float = 1.0) -> Any:
    """Twelve candidates of random features; only `dense` sets the gold one apart."""
    features = np.random.default_rng(n).uniform(0, 0.5, (12, len(bench.FEATURES)))
    features[:, bench.FEATURES.index("dense")] = 1 - dense
    features[gold, bench.FEATURES.index("dense")] = dense
    places = np.arange(12)
    return bench.Ranked(
        store, f"q{n}", "temporal", features.astype(np.float32), places, places == gold, 1
    )


def recall(bench: Any, fitted: Any, scores: Any) -> float:
    task = next(iter(fitted))
    figure = bench.Figure(task, "any@1", "", "any", 1, 90.0)
    return float(figure.of(fitted[task], scores[task]))


def test_a_chapter_is_as_good_as_its_best_part(bench) -> None:
    """Places are counted once, among the k best, and where there are fewer than k, all of them."""
    places, gold = np.array([0, 0, 1, 2, 2]), np.array([False, False, False, True, True])
    one = bench.Ranked("s", "q", "all", np.zeros((5, 1)), places, gold, 1)
    assert one.found(np.array([5.0, 4.0, 3.0, 0.0, 2.0]), 2) == 0
    assert one.found(np.array([5.0, 4.0, 1.0, 0.0, 2.0]), 2) == 1
    assert one.found(np.zeros(5), 3) == 1
    none = bench.Ranked("s", "q", "all", np.zeros((0, 1)), places[:0], gold[:0], 1)
    assert none.found(np.zeros(0), 10) == 0


def test_figures_are_those_of_the_table(bench) -> None:
    """Eleven of the twelve, each with its category; every task is worth something; parts of a
    category that nobody asked are no number."""
    found = bench.figures(bench.TASKS)
    assert len(found) == 11
    assert set(bench.WORTH) == set(bench.TASKS)
    of = {(f.task, f.category): f for f in found}
    assert (of[TASK, "multi-hop"].metric, of[TASK, "multi-hop"].k) == ("R", 10)
    assert (of[OTHER, ""].metric, of[OTHER, ""].k) == ("any", 1)
    asked = [question(bench, 1)]
    assert math.isnan(of[TASK, "multi-hop"].of(asked, [np.zeros(12)]))
    assert of[TASK, "temporal"].of(asked, [np.arange(12.0)]) == 0
    assert of[TASK, "temporal"].of(asked, [-np.arange(12.0)]) == 100


def test_the_softmax_finds_what_tells_gold(bench) -> None:
    """The one feature that sets gold apart gets the greatest weight, and gold comes first; where it
    is left out, it gets none."""
    fitted = {TASK: [question(bench, n, gold=n % 12) for n in range(40)]}
    weights = bench.softmax(fitted, bench.FEATURES)
    assert max(weights, key=weights.get) == "dense"
    assert recall(bench, fitted, bench.scored(fitted, weights)) == 100
    others = bench.softmax(fitted, ("part", "chars"))
    assert set(others) == {"part", "chars"}
    assert recall(bench, fitted, bench.scored(fitted, others)) < 60


def test_parts_of_a_chapter_are_likely_together(bench) -> None:
    """What is fitted is the likelihood of the place: one good part of two is enough."""
    rows = np.zeros((40, 4, len(bench.FEATURES)), dtype=np.float32)
    rows[:, 0, bench.FEATURES.index("dense")] = 1
    rows[:, 1, bench.FEATURES.index("date")] = 1
    gold = np.array([True, True, False, False])
    # Alone, the second is as often gold as the first: apart, both features must do the same.
    whole = [
        bench.Ranked("s", str(n), "", r, np.array([0, 0, 1, 2]), gold, 1)
        for n, r in enumerate(rows)
    ]
    apart = [bench.Ranked("s", str(n), "", r, np.arange(4), gold, 2) for n, r in enumerate(rows)]
    for some in (whole, apart):
        weights = bench.softmax({TASK: some}, ("dense", "date"))
        assert weights["dense"] == pytest.approx(weights["date"], rel=1e-3)
        assert weights["dense"] > 1


def test_ascent_goes_up(bench) -> None:
    """From weights that believe in noise, recall climbs as far as the feature allows; without time
    they stay as they are."""
    fitted = {OTHER: [question(bench, n, gold=n % 12) for n in range(20)]}
    start = dict.fromkeys(bench.FEATURES, 0.0) | {"dense": 0.2, "date": 3.0}
    low = recall(bench, fitted, bench.scored(fitted, start))
    found = bench.ascend(fitted, start, seconds=1.0)
    assert set(found) == set(bench.FEATURES)
    assert low < 50 < 75 <= recall(bench, fitted, bench.scored(fitted, found))
    assert bench.ascend(fitted, start, seconds=0.0) == pytest.approx(start)


def test_parts_keep_stores_together(bench) -> None:
    """A store is in one part in every task that has it; questions of a single store are dealt."""
    shared = {
        task: [question(bench, n, store=f"store {n % 6}") for n in range(30)]
        for task in (TASK, OTHER)
    }
    alone = {"novel-hlm": [question(bench, n) for n in range(9)]}
    found = bench.parts(shared | alone, 3)
    assert found[TASK] == found[OTHER]
    assert [found[TASK][n] for n in range(6)] * 5 == found[TASK]
    for some in found.values():
        assert [some.count(part) for part in range(3)] == [len(some) // 3] * 3


def test_held_out_is_fitted_on_others(bench) -> None:
    """A store that is the opposite of the other gets no help from itself."""
    fitted = {
        TASK: [
            question(bench, n, store="ab"[n % 2], gold=n % 12, dense=float(n % 2))
            for n in range(24)
        ]
    }
    scores = bench.held_out(fitted, 2, seconds=0.0)
    assert [len(one) for one in scores[TASK]] == [12] * 24
    assert recall(bench, fitted, scores) == 0


def sides(bench: Any, real: float, other: float) -> Any:
    """Fifty questions of each kind in ten stores, told by the first number alone."""
    noise = np.random.default_rng(0).normal(0, 0.02, (100, len(bench.EVIDENCE)))
    noise[:50, 0] += real
    noise[50:, 0] += other
    return bench.Sides(noise[:50], noise[50:], np.arange(50) % 10, np.arange(50) % 10)


def test_evidence_tells_the_kinds_of_question(bench) -> None:
    """Apart, all of the one kind are silenced and none of the other lost; a pair that is only shown
    changes nothing; held-out shares stand beside the others."""
    named = {"locomo in realtalk": sides(bench, 0.9, 0.1)}
    model = bench.fit_evidence(named)
    assert model.shares(named["locomo in realtalk"]) == (1.0, 0.0)
    both = named | {"realtalk in other realtalk": sides(bench, 0.1, 0.9)}
    assert bench.fit_evidence(both).bias == pytest.approx(model.bias)
    silenced, lost = model.shares(both["realtalk in other realtalk"])
    assert silenced == 0 < 0.9 < lost
    lines = list(bench.evidence_lines(both, 5))
    assert lines[0].startswith("evidence: dense ")
    shares = [float(cell.rstrip("%")) for cell in lines[2].split()[-4:]]
    assert shares[:2] == [100, 0]
    assert shares[2] > 90 > 10 > shares[3]
    assert "(not fitted)" in lines[3]


def test_stores_are_told_apart(bench) -> None:
    """The questions of some stores, and those of the rest, are all there are."""
    whole = sides(bench, 0.9, 0.1)
    inside, outside = (whole.within(frozenset({1, 2}), inside=yes) for yes in (True, False))
    assert (len(inside.real), len(outside.other)) == (10, 40)
    assert set(inside.other_stores.tolist()) == {1, 2}


def test_a_real_task_is_recorded_and_fitted(
    bench, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Questions go through ingest and recall, gold among their candidates, and weights come out."""
    if not (bench.SHARED / "retrieval_bench.py").is_file():
        pytest.skip(f"no benchmark in {bench.SHARED}")
    factory = RetrieverFactory({"embedding.provider": "none"})
    monkeypatch.setattr(sys.modules["ranking_features"], "make_retriever", factory)
    bench.main(["--tasks", OTHER, "--sample", "6", "--folds", "2"])
    shown = capsys.readouterr().out
    if shown.startswith("skipped"):
        pytest.skip(shown)
    assert '        "own_long": ' in shown
    assert "WORDS_ALONE: Mapping[str, float] = MappingProxyType(" in shown
    last = shown.strip().splitlines()[-1]
    assert last.startswith(f"{OTHER} any@1")
    assert float(last.split()[4]) > 0
