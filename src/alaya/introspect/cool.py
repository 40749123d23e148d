"""Temperature, as the Alaya design has it (3.3), with its gaps closed as docs/domain.md says."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime

from alaya.model.graph import CardState, Tier

_DAY = 86_400.0


@dataclass(frozen=True)
class Temperatures:
    """The numbers of the design, from the configuration."""

    hot_threshold: float = 0.7
    warm_threshold: float = 0.3
    hot_days: int = 7
    hot_accesses: int = 10
    cold_days: int = 30
    recency_decay: float = 30.0
    frequency_cap: int = 20


def temperature(
    said_at: datetime, state: CardState, *, now: datetime, rules: Temperatures = Temperatures()
) -> float:
    """recency x frequency x relevance, in 0..1.

    recency = exp(-days since it was said / 30), frequency = min(1, accesses / 20), relevance =
    the mean similarity in recent recalls. A card that was never recalled has neither frequency
    nor relevance yet: both count 1, so that a new card starts at 1.0.
    """
    days = max(0.0, (now - said_at).total_seconds() / _DAY)
    recency = math.exp(-days / rules.recency_decay)
    if not state.access_count:
        return recency
    frequency = min(1.0, state.access_count / rules.frequency_cap)
    relevance = 1.0 if state.relevance is None else min(1.0, max(0.0, state.relevance))
    return recency * frequency * relevance


def tier(
    said_at: datetime, state: CardState, *, now: datetime, rules: Temperatures = Temperatures()
) -> Tier:
    """HOT by warmth, by age under a week or by use; COLD when cool and left alone; else WARM."""
    warmth = temperature(said_at, state, now=now, rules=rules)
    days = (now - said_at).total_seconds() / _DAY
    if (
        warmth >= rules.hot_threshold
        or days <= rules.hot_days
        or state.access_count > rules.hot_accesses
    ):
        return Tier.HOT
    last = state.last_access or said_at
    idle = (now - last).total_seconds() / _DAY
    if warmth < rules.warm_threshold and idle > rules.cold_days:
        return Tier.COLD
    return Tier.WARM
