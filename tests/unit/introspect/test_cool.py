"""Temperature and tier, against numbers computed by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from alaya.introspect.cool import Cooling, Temperatures, temperature, tier, tiers
from alaya.model.graph import CardState, Horizon, Tier
from alaya.model.life import Life
from alaya.model.raw import Origin
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
        (40, {"last_access": day(33), "access_count": 1}, Tier.HOT),  # recalled within a week
        (400, {"access_count": 11, "last_access": day(1)}, Tier.HOT),  # by use
        (400, {"access_count": 10, "last_access": day(1)}, Tier.COLD),
        (400, {"access_count": 10, "last_access": day(392)}, Tier.WARM),
        (31, {}, Tier.WARM),  # .356: not cool enough
    ],
)
def test_tier(days, fields, expected) -> None:
    """HOT by warmth, by age or a recall within a week, or by use; COLD when cool and left alone."""
    assert tier(START, state(**fields), now=day(days)) is expected


def test_what_was_imported_is_not_cold_at_once() -> None:
    """Old words that came into the memory lately have not been left alone in it yet."""
    imported = CardState(recorded_at=day(395))
    assert tier(START, imported, now=day(400)) is Tier.WARM
    assert tier(START, imported, now=day(426)) is Tier.COLD


def one(name: str, **fields) -> Life:
    """A card said on day 0, as introspection sees it."""
    given = {"importance": 0.6, "confidence": 0.7, "origin": Origin.AGENT, "told": 1, **fields}
    place = {"said_at": START, "horizon": Horizon.SHORT, "state": state(), **given}
    return Life(id=name, **place)


def test_the_warmest_stay() -> None:
    """Beyond hot_limit cards in use stay first, then the warmest; beyond warm_limit is COLD."""
    used = state(access_count=11, last_access=day(1))
    cards = [one("used", said_at=day(-90), state=used)]
    cards += [one(f"new-{n}", said_at=day(-n)) for n in range(5)]
    found = tiers(cards, now=day(0), rules=Cooling(hot_limit=2, warm_limit=3))
    assert found == {
        "used": Tier.HOT,
        "new-0": Tier.HOT,
        "new-1": Tier.WARM,
        "new-2": Tier.WARM,
        "new-3": Tier.WARM,
        "new-4": Tier.COLD,
    }


def test_weak_cards_give_their_vectors_up() -> None:
    """What is weak goes COLD before its time, unless it was just used; what is strong does not."""
    weak = one("weak", importance=0.2, origin=Origin.UNTRUSTED)
    recalled = replace(state(), last_access=day(11), access_count=1)
    cards = [weak, weak._replace(id="recalled", state=recalled), one("strong", importance=0.9)]
    found = tiers(cards, now=day(12), rules=Cooling())
    assert found == {"weak": Tier.COLD, "recalled": Tier.HOT, "strong": Tier.WARM}


def test_pinned_stay() -> None:
    """A pinned card is never cooler than it was, whatever its age and the limits; nor COLD."""
    pins = {tier: one(tier.value, state=state(pinned=True, tier=tier)) for tier in Tier}
    found = tiers([*pins.values()], now=day(900), rules=Cooling(hot_limit=0, warm_limit=0))
    assert found == {"HOT": Tier.HOT, "WARM": Tier.WARM, "COLD": Tier.WARM}
