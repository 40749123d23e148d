"""What benchmarks/quality.py and benchmarks/abstention.py compute from what they measure."""

from __future__ import annotations

import importlib
import json
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"


@pytest.fixture(scope="module")
def benchmarks() -> Iterator[tuple[Any, Any]]:
    """quality and abstention, as modules."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        yield importlib.import_module("quality"), importlib.import_module("abstention")
        for name in ("quality", "abstention"):
            sys.modules.pop(name)


@dataclass
class Group:
    queries: list[int]
    docs: list[Any] = field(default_factory=list)


@dataclass
class Task:
    groups: list[Group]


def result(**overall: float) -> dict[str, Any]:
    return {
        "overall": overall,
        "by_category": {"temporal": {name: value / 2 for name, value in overall.items()}},
        "query_ms_p50": 20.0,
        "query_ms_p95": 40.0,
    }


def test_a_sample_is_always_the_same(benchmarks) -> None:
    """N questions of all, the same each time, and no store that nobody asks."""
    quality, _ = benchmarks
    task = Task([Group(list(range(n * 10, n * 10 + 10))) for n in range(30)])
    some = quality.sampled(task, 12)
    asked = [q for group in some.groups for q in group.queries]
    assert len(asked) == 12
    assert all(group.queries for group in some.groups)
    assert asked == [q for group in quality.sampled(task, 12).groups for q in group.queries]
    assert quality.sampled(task, None) is task
    assert quality.sampled(task, 999) is task


def test_a_row_holds_where_every_figure_does(benchmarks) -> None:
    """A row with two figures is a hit only with both, and a category that was not asked is none."""
    quality, _ = benchmarks
    row = quality.Row("t", {"R@10": 80, "temporal R@10": 40})
    good, poor = {"alaya": result(**{"R@10": 0.8})}, {"alaya": result(**{"R@10": 0.79})}
    assert quality.holds(row, good)
    assert not quality.holds(row, poor)
    assert not quality.holds(row, {})
    assert math.isnan(quality.figure(good["alaya"], "multi-hop R@10"))
    lines = list(quality.lines(row, {"bm25": result(**{"R@10": 0.5}), **poor}))
    assert [("MISS" in line, "hit" in line) for line in lines] == [(True, False), (True, False)]
    assert "50.0" in lines[0]
    assert "79.0" in lines[0]


def test_the_issue_s_rows_are_all_there(benchmarks) -> None:
    """Ten rows, twelve figures; Chinese tasks stand beside bigrams, English ones beside stems."""
    quality, _ = benchmarks
    assert len(quality.ROWS) == 10
    assert sum(len(row.targets) for row in quality.ROWS) == 12
    assert {row.baselines[1] for row in quality.ROWS} == {"bm25-stem", "bm25-bigram"}


def measured(abstention: Any, real: list[float], off_topic: list[float]) -> Any:
    ours = abstention.Heard([score < 0.3 for score in real], real)
    theirs = abstention.Heard([score < 0.3 for score in off_topic], off_topic)
    return abstention.Measured(abstention.PAIRS[0], ours, theirs)


def test_how_well_silence_is_told_from_answers(benchmarks) -> None:
    """AUC is the share of pairs in the right order; the threshold loses at most 5 %."""
    _, abstention = benchmarks
    apart = measured(abstention, [0.9] * 20, [0.1] * 10)
    assert (apart.auc, apart.silent, apart.lost, apart.holds) == (1.0, 1.0, 0.0, True)
    assert apart.below(apart.threshold) == 1.0
    alike = measured(abstention, [0.5] * 20, [0.5] * 10)
    assert (alike.auc, alike.silent, alike.holds) == (0.5, 0.0, False)
    real = [n / 100 for n in range(100)]
    mixed = measured(abstention, real, [0.0, 0.02, 0.5, 0.99])
    assert sum(score < mixed.threshold for score in real) == 5
    assert mixed.below(mixed.threshold) == 0.5
    assert mixed.lost == 0.3


def test_questions_are_dealt_out_once(benchmarks) -> None:
    """Off-topic questions are asked in one store each, and no store is left out."""
    _, abstention = benchmarks
    loaded = abstention.Loaded(None, 200)
    questions = [abstention.Question(str(n)) for n in range(25)]
    dealt = loaded.shared(questions, 4)
    assert sorted(q.text for some in dealt for q in some) == sorted(q.text for q in questions)
    assert [len(some) for some in dealt] == [7, 6, 6, 6]


def test_the_real_tasks_run(benchmarks, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A few questions of a real task go through ingest and recall, and the table shows them."""
    quality, _ = benchmarks
    if not (quality.SHARED / "retrieval_bench.py").is_file():
        pytest.skip(f"no benchmark in {quality.SHARED}")
    out = tmp_path / "quality.json"
    settings = ["--set", "embedding.provider=none", "--out", str(out)]
    quality.main(["--tasks", "locomo-session", "--sample", "6", *settings])
    shown = capsys.readouterr().out
    if shown.startswith("skipped"):
        pytest.skip(shown)
    assert "locomo-session any@1" in shown
    assert "of 1 rows hold" in shown
    found = json.loads(out.read_text("utf-8"))["locomo-session"]
    assert set(found) == {"bm25", "bm25-stem", "alaya"}
    assert found["alaya"]["overall"]["n"] == 6
    assert found["alaya"]["overall"]["R@20"] > 0
