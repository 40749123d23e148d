"""Temperature and tiers, as the Alaya design has them (3.3, 4.7.2); docs/introspection.md says
where its gaps are and how they are closed. Pure: a card's life and the time in, its tier out."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from alaya.introspect.strength import DAY, StrengthRules, idle, idle_days, strength
from alaya.model.graph import CardState, Tier
from alaya.model.life import Life


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
    days = max(0.0, (now - said_at).total_seconds() / DAY)
    recency = math.exp(-days / rules.recency_decay)
    if not state.access_count:
        return recency
    frequency = min(1.0, state.access_count / rules.frequency_cap)
    relevance = 1.0 if state.relevance is None else min(1.0, max(0.0, state.relevance))
    return recency * frequency * relevance


def tier(
    said_at: datetime, state: CardState, *, now: datetime, rules: Temperatures = Temperatures()
) -> Tier:
    """HOT by warmth, when said or recalled within a week, or by use; COLD when cool and left
    alone; else WARM."""
    return _tier(said_at, state, now=now, rules=rules)[0]


def _tier(
    said_at: datetime, state: CardState, *, now: datetime, rules: Temperatures
) -> tuple[Tier, float]:
    warmth = temperature(said_at, state, now=now, rules=rules)
    lately = max(said_at, state.last_access or said_at)
    if (
        warmth >= rules.hot_threshold
        or (now - lately).total_seconds() / DAY <= rules.hot_days
        or state.access_count > rules.hot_accesses
    ):
        return Tier.HOT, warmth
    if warmth < rules.warm_threshold and idle(said_at, state, now=now) > rules.cold_days:
        return Tier.COLD, warmth
    return Tier.WARM, warmth


@dataclass(frozen=True)
class Cooling:
    """Everything by which cards are kept: temperatures, how many may be HOT and WARM, strength."""

    temperatures: Temperatures = Temperatures()
    hot_limit: int = 5_000
    warm_limit: int = 20_000
    strength: StrengthRules = StrengthRules()


def tiers(lives: Iterable[Life], *, now: datetime, rules: Cooling = Cooling()) -> dict[str, Tier]:
    """The tier in which each card belongs now, whatever order they come in.

    Each is judged by itself (`tier`, and a weak one that was left alone for a week gives its
    vector up). Then the limits: of those that are HOT the ones in use come first, then the
    warmest; the rest is WARM, the warmest first, and what is beyond that limit COLD. A pinned
    card is never cooler than it was and never COLD, whatever the limits.
    """
    numbers = rules.temperatures
    wanted: dict[Tier, list[tuple[Life, float]]] = {one: [] for one in Tier}
    for life in lives:
        found, warmth = _tier(life.said_at, life.state, now=now, rules=numbers)
        if found is Tier.WARM and _is_weak(life, now=now, rules=rules):
            found = Tier.COLD
        wanted[_kept(life, found)].append((life, warmth))

    def first(item: tuple[Life, float]) -> tuple[bool, bool, float, float, str]:
        life, warmth = item
        in_use = life.state.access_count > numbers.hot_accesses
        return not life.state.pinned, not in_use, -warmth, -life.said_at.timestamp(), life.id

    placed: dict[str, Tier] = {}
    over: list[tuple[Life, float]] = []
    for place, limit in ((Tier.HOT, rules.hot_limit), (Tier.WARM, rules.warm_limit)):
        ranked = sorted([*over, *wanted[place]], key=first)
        room = max(limit, sum(life.state.pinned for life, _ in ranked))
        placed |= {life.id: place for life, _ in ranked[:room]}
        over = ranked[room:]
    return placed | {life.id: Tier.COLD for life, _ in [*over, *wanted[Tier.COLD]]}


def _is_weak(life: Life, *, now: datetime, rules: Cooling) -> bool:
    if idle_days(life, now) <= rules.temperatures.hot_days:  # it was just recalled
        return False
    return strength(life, now=now, rules=rules.strength) < rules.strength.threshold


def _kept(life: Life, found: Tier) -> Tier:
    if not life.state.pinned or found is Tier.HOT:
        return found
    return Tier.HOT if life.state.tier is Tier.HOT else Tier.WARM
