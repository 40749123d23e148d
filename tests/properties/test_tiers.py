"""Tiers, for any cards: within the limits, blind to their order, at rest when nothing happens."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from alaya.introspect.cool import Cooling, Temperatures, temperature, tiers
from alaya.introspect.strength import strength
from alaya.model.graph import CardState, Horizon, Tier
from alaya.model.life import Life
from alaya.model.raw import Origin
from alaya.testing.invented import START, day

AGES = st.floats(-5, 400).map(lambda days: START - timedelta(days=days))
STATES = st.builds(
    CardState,
    recorded_at=AGES,
    pinned=st.booleans(),
    stale=st.booleans(),
    access_count=st.integers(0, 30),
    last_access=st.none() | AGES,
    relevance=st.none() | st.floats(-0.5, 1.5),
    tier=st.sampled_from(Tier),
)
LIVES = st.lists(
    st.builds(
        Life,
        id=st.integers(0, 10**6).map(str),
        said_at=AGES,
        importance=st.floats(0, 1),
        confidence=st.floats(0, 1),
        origin=st.sampled_from(Origin),
        horizon=st.sampled_from(Horizon),
        told=st.integers(0, 3),
        state=STATES,
    ),
    max_size=30,
    unique_by=lambda life: life.id,
)
RULES = st.builds(Cooling, hot_limit=st.integers(0, 10), warm_limit=st.integers(0, 10))


def settled(lives: list[Life], found: dict[str, Tier]) -> list[Life]:
    """The same cards, each in the tier that was found."""
    return [one._replace(state=replace(one.state, tier=found[one.id])) for one in lives]


@given(LIVES, RULES)
def test_the_limits_hold(lives: list[Life], rules: Cooling) -> None:
    """Every card gets a tier, HOT and WARM hold no more than they may, but for pinned cards."""
    found = tiers(lives, now=START, rules=rules)
    assert found.keys() == {one.id for one in lives}
    pinned = {one.id for one in lives if one.state.pinned}
    for tier, limit in ((Tier.HOT, rules.hot_limit), (Tier.WARM, rules.warm_limit)):
        held = {name for name, place in found.items() if place is tier}
        assert len(held) <= max(limit, len(held & pinned))


@given(LIVES, RULES, st.integers(0, 99))
def test_the_order_is_nothing(lives: list[Life], rules: Cooling, seed: int) -> None:
    """Cards are placed alike in whatever order they come."""
    other = random.Random(seed).sample(lives, len(lives))
    assert tiers(other, now=START, rules=rules) == tiers(lives, now=START, rules=rules)


@given(LIVES, RULES)
def test_twice_is_once(lives: list[Life], rules: Cooling) -> None:
    """Cards that stand where they belong stay there."""
    found = tiers(lives, now=START, rules=rules)
    assert tiers(settled(lives, found), now=START, rules=rules) == found


@given(LIVES, RULES)
def test_pinned_cards_do_not_cool(lives: list[Life], rules: Cooling) -> None:
    """A pinned card is where it was or warmer, and never COLD."""
    order = [Tier.COLD, Tier.WARM, Tier.HOT]
    found = tiers(lives, now=START, rules=rules)
    for one in lives:
        if one.state.pinned:
            assert found[one.id] is not Tier.COLD
            assert order.index(found[one.id]) >= order.index(one.state.tier)


@given(LIVES, RULES)
def test_who_is_in_use_is_hot_first(lives: list[Life], rules: Cooling) -> None:
    """No card in use is kept out of HOT while one that is not pinned or in use is in it."""
    found = tiers(lives, now=START, rules=rules)
    used = [x for x in lives if x.state.access_count > 10]
    if any(found[x.id] is not Tier.HOT for x in used):
        inside = [x for x in lives if found[x.id] is Tier.HOT]
        assert all(x.state.pinned or x.state.access_count > 10 for x in inside)


@given(LIVES, st.floats(0, 400), st.floats(0, 400))
def test_left_alone_it_only_cools(lives: list[Life], one: float, other: float) -> None:
    """Temperature and strength are in 0..1 and never rise while nothing is recalled."""
    first, second = sorted((one, other))
    for life in lives:
        warmth = [
            temperature(life.said_at, life.state, now=day(days), rules=Temperatures())
            for days in (first, second)
        ]
        kept = [strength(life, now=day(days)) for days in (first, second)]
        assert 0 <= warmth[1] <= warmth[0] <= 1
        assert 0 <= kept[1] <= kept[0] <= 1
