"""A simulated year on the default store, day by day through introspection: benchmarks/year.py."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from alaya import Memory


@pytest.fixture
def simulated() -> ModuleType:
    """benchmarks/year.py as a module."""
    path = Path(__file__).parents[2] / "benchmarks" / "year.py"
    spec = importlib.util.spec_from_file_location("alaya_benchmark_year", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_year(sized: Callable[[int, int], int], simulated: ModuleType, tmp_path: Path) -> None:
    """What is needed is HOT, what is used often is HOT, little that was forgotten is needed again.

    60 days of 200 sessions; in the soak a whole year of 10,000. Of so short a time fewer cards have
    been recalled often, or are old enough to be forgotten.
    """
    year = simulated.Year(sessions=sized(200, 10_000), days=sized(60, 365))
    whole = year.days == 365
    figures = simulated.live(tmp_path / "home", year)
    print("\n".join(simulated.lines(figures)))
    assert figures.cards == pytest.approx(year.sessions * simulated.CARDS, rel=0.1)
    assert figures.hot_rate > 0.85
    assert min(figures.accuracy, figures.accuracy_small) > 0.9
    assert figures.used > 5
    assert figures.forgotten
    assert figures.regret < 0.1
    if whole and "forget" in figures.steps:
        assert figures.forgotten_share >= 0.15
    settings = {**simulated.SETTINGS, "temperature.hot_limit": 500}
    with Memory.open(tmp_path / "home", settings=settings) as memory:
        assert memory.verify().differences == ()
