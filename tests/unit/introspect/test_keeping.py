"""Strength and horizons, against numbers computed by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from alaya.introspect.horizon import HorizonRules, becomes_long, fades
from alaya.introspect.strength import StrengthRules, strength
from alaya.model.graph import CardState, Horizon
from alaya.model.life import Life
from alaya.model.raw import Origin
from alaya.testing.invented import START, day


def life(**fields: Any) -> Life:
    """A card said and recorded on day 0; what is no part of it belongs to its state."""
    parts = {name: fields.pop(name) for name in Life._fields if name in fields}
    given: dict[str, Any] = {
        "id": "card-a",
        "said_at": START,
        "importance": 0.5,
        "confidence": 0.5,
        "origin": Origin.OWNER,
        "horizon": Horizon.SHORT,
        "told": 1,
        **parts,
    }
    return Life(**given, state=CardState(recorded_at=START, **fields))


@pytest.mark.parametrize(
    ("days", "fields", "expected"),
    [
        (0, {}, 0.25),  # .5 x .5 x 1 x 1
        (30, {}, 0.125),
        (0, {"importance": 1.0, "access_count": 20}, 1.0),
        (0, {"importance": 1.0, "access_count": 400}, 1.0),
        (0, {"importance": 1.0, "access_count": 3}, 0.5 + 0.5 * math.log(4) / math.log(21)),
        (60, {"importance": 1.0, "access_count": 20, "last_access": day(30)}, 0.5),
        (0, {"importance": 1.0, "origin": Origin.AGENT}, 0.4),
        (0, {"importance": 1.0, "origin": Origin.UNTRUSTED}, 0.25),
        (0, {"importance": 0.0}, 0.0),
        (-9, {}, 0.25),  # said in the future: not stronger than new
    ],
)
def test_strength(days, fields, expected) -> None:
    """importance x use x reliability of the origin x freshness, which halves in 30 days."""
    assert strength(life(**fields), now=day(days)) == pytest.approx(expected)


def test_every_number_is_a_setting() -> None:
    """The half-life and what counts as full use."""
    found = strength(
        life(importance=1.0, access_count=4), now=day(20), rules=StrengthRules(0.1, 10, 4)
    )
    assert found == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, False),
        ({"importance": 0.8}, True),
        ({"access_count": 5}, True),
        ({"access_count": 4}, False),
        ({"told": 2}, True),
        ({"importance": 0.9, "horizon": Horizon.LONG}, False),  # it is already
        ({"importance": 0.9, "stale": True}, False),  # not before somebody confirms it
    ],
)
def test_what_becomes_long_term(fields, expected) -> None:
    """By importance, by use, or by being told again in another session."""
    assert becomes_long(life(**fields)) is expected


@pytest.mark.parametrize(
    ("days", "fields", "expected"),
    [
        (7.1, {"importance": 0.0}, True),
        (6.9, {"importance": 0.0}, False),
        (18.6, {"importance": 0.25}, True),
        (18.4, {"importance": 0.25}, False),
        (29.9, {"importance": 0.499}, False),
        (900, {"importance": 0.5}, False),  # important enough to wait for the rules of forgetting
        (40, {"importance": 0.1, "last_access": day(35), "access_count": 1}, False),
        (40, {"importance": 0.1, "last_access": day(5), "access_count": 1}, True),
        (40, {"importance": 0.1, "pinned": True}, False),
        (40, {"importance": 0.1, "horizon": Horizon.LONG}, False),
        (40, {"importance": 0.1, "told": 2}, False),  # it becomes long-term instead
    ],
)
def test_what_fades(days, fields, expected) -> None:
    """A short-term card of little importance that is left alone, after 7 to 30 days."""
    assert fades(life(**fields), now=day(days)) is expected


def test_nothing_fades_where_it_is_off() -> None:
    """fade_days_most 0 means never."""
    rules = HorizonRules(last=0)
    assert not fades(life(importance=0.0), now=day(900), rules=rules)
