"""Horizons, as Alice has them: what is kept for good, and what fades within days.

A short-term card becomes long-term by importance, by use, or when it was told again in another
session. One that is little important and is left alone fades after 7 to 30 days, the sooner the
less important it is; everything else stays short-term until the rules of forgetting judge it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from alaya.introspect.strength import idle_days
from alaya.model.graph import Horizon
from alaya.model.life import Life


@dataclass(frozen=True)
class HorizonRules:
    """Long-term: so important, recalled so often, or told in so many sessions. Fading: of less
    than `fades_below`, after `first` (importance 0) to `last` days; `last` 0: never."""

    importance: float = 0.8
    accesses: int = 5
    told: int = 2
    fades_below: float = 0.5
    first: float = 7.0
    last: float = 30.0


def becomes_long(life: Life, rules: HorizonRules = HorizonRules()) -> bool:
    """Whether a short-term card is long-term from now on."""
    if life.horizon is Horizon.LONG or life.state.stale:
        return False
    return (
        life.importance >= rules.importance
        or life.state.access_count >= rules.accesses
        or life.told >= rules.told
    )


def fades(life: Life, *, now: datetime, rules: HorizonRules = HorizonRules()) -> bool:
    """Whether a short-term card was left alone for too long, for as little as it weighs."""
    if life.horizon is Horizon.LONG or life.state.pinned or becomes_long(life, rules):
        return False
    if not rules.last or life.importance >= rules.fades_below:
        return False
    days = rules.first + (rules.last - rules.first) * life.importance / rules.fades_below
    return idle_days(life, now) > days
