"""Temperature and tier, against numbers computed by hand."""

from __future__ import annotations

import math

import pytest

from alaya.introspect.cool import Temperatures, temperature, tier
from alaya.model.graph import CardState, Tier
from alaya.testing.invented import START, day


def state(**fields) -> CardState:
    return CardState(recorded_at=START, **fields)


@pytest.mark.parametrize(
    ("days", "fields", "expected"),
    [
        (0, {}, 1.0),
        (30, {}, 0.367879),  # e^-1
        (60, {}, 0.135335),  # e^-2
        (-5, {}, 1.0),  # said in the future: not warmer than new
        (0, {"access_count": 20, "relevance": 1.0}, 1.0),
        (0, {"access_count": 10, "relevance": 1.0}, 0.5),
        (0, {"access_count": 40, "relevance": 0.5}, 0.5),
        (0, {"access_count": 5, "relevance": 0.8}, 0.2),
        (15, {"access_count": 10, "relevance": 0.6}, 0.606531 * 0.5 * 0.6),
        (0, {"access_count": 20, "relevance": None}, 1.0),
        (0, {"access_count": 20, "relevance": 1.7}, 1.0),
        (0, {"access_count": 20, "relevance": -0.3}, 0.0),
        (0, {"access_count": 0, "relevance": 0.2}, 1.0),
    ],
)
def test_temperature(days, fields, expected) -> None:
    """exp(-days / 30) x min(1, accesses / 20) x mean similarity; new cards start at 1."""
    assert temperature(START, state(**fields), now=day(days)) == pytest.approx(expected, abs=1e-5)


def test_settings() -> None:
    """Every number of the formula is a setting."""
    rules = Temperatures(recency_decay=10, frequency_cap=4)
    found = temperature(START, state(access_count=2, relevance=1.0), now=day(10), rules=rules)
    assert found == pytest.approx(math.exp(-1) * 0.5)


@pytest.mark.parametrize(
    ("days", "fields", "expected"),
    [
        (0, {}, Tier.HOT),
        (7, {"access_count": 1, "relevance": 0.1}, Tier.HOT),  # said within a week
        (10, {}, Tier.HOT),  # e^-1/3 = .72
        (11, {}, Tier.WARM),  # .69
        (40, {}, Tier.COLD),  # .26, and idle for 40 days
        (40, {"last_access": day(20), "access_count": 1}, Tier.WARM),  # used 20 days ago
        (40, {"last_access": day(9), "access_count": 1}, Tier.COLD),
        (400, {"access_count": 11, "last_access": day(1)}, Tier.HOT),  # by use
        (400, {"access_count": 10, "last_access": day(1)}, Tier.COLD),
        (31, {}, Tier.WARM),  # .356: not cool enough
    ],
)
def test_tier(days, fields, expected) -> None:
    """HOT by warmth, age or use; COLD when cool and left alone; else WARM."""
    assert tier(START, state(**fields), now=day(days)) is expected
