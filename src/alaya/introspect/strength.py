"""Strength, as Eywa has it (2.3): how much a memory is worth keeping at hand.

strength = importance x use x reliability of its origin x freshness, in 0..1

It halves with every half-life that a card was neither said nor recalled; each recall raises its
use. Below a threshold the card gives up its vector, as a COLD one does, and stays.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime

from alaya.model.graph import CardState
from alaya.model.life import Life
from alaya.model.raw import Origin

DAY = 86_400.0
# What a person says of themselves holds; a tool reports what it saw; an agent guesses; the rest
# was written by anybody.
RELIABILITY = {
    Origin.OWNER: 1.0,
    Origin.SYSTEM: 0.9,
    Origin.TOOL: 0.9,
    Origin.AGENT: 0.8,
    Origin.UNTRUSTED: 0.5,
}
_UNUSED = 0.5  # of what was never recalled: it may still be


@dataclass(frozen=True)
class StrengthRules:
    """`enough` recalls are full use; freshness halves in `half_life` days."""

    threshold: float = 0.05
    half_life: float = 30.0
    enough: int = 20


def use(accesses: int, enough: int) -> float:
    """From 0.5 for no recall to 1 for `enough`; the first ones count most."""
    share = math.log1p(min(accesses, enough)) / math.log1p(enough)
    return _UNUSED + (1 - _UNUSED) * share


def strength(life: Life, *, now: datetime, rules: StrengthRules = StrengthRules()) -> float:
    """importance x use x reliability x freshness."""
    freshness: float = 0.5 ** (idle_days(life, now) / rules.half_life)
    accesses = use(life.state.access_count, rules.enough)
    return life.importance * accesses * RELIABILITY[life.origin] * freshness


def idle_days(life: Life, now: datetime) -> float:
    """Days since a card was said, came into this memory, or was recalled: whichever is last."""
    return idle(life.said_at, life.state, now=now)


def idle(said_at: datetime, state: CardState, *, now: datetime) -> float:
    """As `idle_days`. What was imported from old logs has had no time to be needed yet."""
    since = max(said_at, state.recorded_at, state.last_access or said_at)
    return max(0.0, (now - since).total_seconds() / DAY)
