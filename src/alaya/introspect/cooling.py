"""The third step of an introspection: every card to the tier and the horizon where it belongs.

One record lists what changed: tiers, what became long-term, what faded. Temperatures and counts
are not in it: they follow from the recall log and the clock.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from alaya.config import Config
from alaya.introspect import since
from alaya.introspect.cool import Cooling, Temperatures, tiers
from alaya.introspect.counting import count_recalls
from alaya.introspect.dependants import depended_on
from alaya.introspect.horizon import HorizonRules, becomes_long, fades
from alaya.introspect.steps import Minded
from alaya.introspect.strength import StrengthRules
from alaya.model import change as ch
from alaya.model.graph import Horizon, Tier
from alaya.model.introspection import Step, StepReport, Told
from alaya.model.life import Life
from alaya.model.passage import Where
from alaya.model.scope import Scope
from alaya.ports import Archive, Index, Progress
from alaya.projection import Clock, commit

FADED = "faded: short-term, of little importance, and left alone"


@dataclass(frozen=True)
class Plan:
    """What is to change: tiers from and to, cards that become long-term, cards that fade."""

    moved: tuple[tuple[str, Tier, Tier], ...] = ()
    long: tuple[str, ...] = ()
    faded: tuple[str, ...] = ()
    held: tuple[tuple[Tier, int], ...] = ()  # how many cards are in each tier then

    def changes(self, scope: Scope) -> list[ch.Change]:
        """The record that does it; nothing where nothing changes."""
        found: list[ch.Change] = []
        if self.moved:
            found.append(ch.Cooled(scope, tuple((card, to) for card, _, to in self.moved)))
        if self.long:
            found.append(ch.Promoted(scope, self.long, Horizon.LONG))
        if self.faded:
            found.append(ch.Forgotten(scope, self.faded, FADED))
        return found

    def count(self, *, source: Tier | None = None, target: Tier | None = None) -> int:
        """How many cards left a tier, or came to one."""
        return sum(a is source or b is target for _, a, b in self.moved)


def rules_of(config: Config) -> Cooling:
    """Temperatures, limits and strength as configured."""
    numbers, minding = config.temperature, config.introspect
    return Cooling(
        temperatures=Temperatures(
            hot_threshold=numbers.hot_threshold,
            warm_threshold=numbers.warm_threshold,
            hot_days=numbers.hot_days,
            hot_accesses=numbers.hot_accesses,
            cold_days=numbers.cold_days,
            recency_decay=numbers.recency_decay,
            frequency_cap=numbers.frequency_cap,
        ),
        hot_limit=numbers.hot_limit,
        warm_limit=numbers.warm_limit,
        strength=StrengthRules(
            threshold=minding.strength_threshold,
            half_life=minding.strength_half_life_days,
            enough=numbers.frequency_cap,
        ),
    )


def horizons_of(config: Config) -> HorizonRules:
    """When a card becomes long-term, and when it fades, as configured."""
    minding = config.introspect
    return HorizonRules(
        importance=minding.long_importance,
        accesses=minding.long_accesses,
        told=minding.long_sessions,
        fades_below=minding.fade_importance,
        first=minding.fade_days_least,
        last=minding.fade_days_most,
    )


def plan(
    index: Index, scope: Scope, *, config: Config, clock: Clock, restored: Collection[str] = ()
) -> Plan:
    """Where each card of a user belongs now, if it is not there; none of `restored` fades."""
    now, horizons = clock(), horizons_of(config)
    lives = index.lives(Where(scope, include_quarantined=True))
    weak = [life.id for life in lives if fades(life, now=now, rules=horizons)]
    faded = set(weak) - depended_on(index, weak, scope=scope) - set(restored)
    kept = [life for life in lives if life.id not in faded]
    places = tiers(kept, now=now, rules=rules_of(config))
    return Plan(
        moved=_moved(kept, places),
        long=tuple(life.id for life in kept if becomes_long(life, horizons)),
        faded=tuple(life.id for life in lives if life.id in faded),
        held=tuple((tier, sum(to is tier for to in places.values())) for tier in Tier),
    )


def _moved(lives: Sequence[Life], places: dict[str, Tier]) -> tuple[tuple[str, Tier, Tier], ...]:
    found = [(life.id, life.state.tier, places[life.id]) for life in lives]
    return tuple((card, source, target) for card, source, target in found if source is not target)


def cool(memory: Minded, *, dry_run: bool, progress: Progress | None = None) -> StepReport:
    """Count what was recalled, and move what belongs elsewhere, in one record."""
    parts, scope = memory.parts, Scope(memory.scope.user)
    count_recalls(parts.archive, parts.index)
    found, touches = Plan(), set[str]()
    grace = timedelta(days=parts.config.introspect.forget_days)
    back = since.read(parts.archive, scope.user).restored
    restored = {card for card, at in back if parts.clock() - at <= grace}

    def decide() -> list[ch.Change]:
        nonlocal found
        found = plan(parts.index, scope, config=parts.config, clock=parts.clock, restored=restored)
        changes = found.changes(scope)
        touches.clear()
        touches.update(*(_names(change) for change in changes))
        return changes

    if dry_run:
        decide()
    else:
        commit(
            parts.archive,
            parts.index,
            decide=decide,
            actor=memory.scope.agent or scope.user,
            verb="cool",
            clock=parts.clock,
            touches=touches,
        )
        if found.count(source=Tier.COLD):
            parts.embed_later()
    return _report(found)


def _names(change: ch.Change) -> Collection[str]:
    if isinstance(change, ch.Cooled):
        return [card for card, _ in change.tiers]
    return getattr(change, "cards", ())


def bring_back(
    archive: Archive, index: Index, *, scope: Scope, cards: Collection[str], clock: Clock
) -> int:
    """Cards that were recalled without a vector are WARM from now on; returns how many."""
    where = Where(replace(scope, agent=None, session=None), tiers=(Tier.COLD,))
    back: list[str] = []

    def decide() -> list[ch.Change]:
        back[:] = [card.id for card, _ in index.cards(sorted(cards), where)]
        return [ch.Cooled(where.scope, tuple((name, Tier.WARM) for name in back))] if back else []

    commit(
        archive, index, decide=decide, actor="alaya", verb="warm", clock=clock, touches=set(cards)
    )
    return len(back)


def _report(found: Plan) -> StepReport:
    held = {tier.value: count for tier, count in found.held}
    counts = {
        "hot": held.get("HOT", 0),
        "warm": held.get("WARM", 0),
        "cold": held.get("COLD", 0),
        "upgraded": found.count(target=Tier.HOT),
        "downgraded": found.count(source=Tier.HOT),
        "archived": found.count(target=Tier.COLD),
        "returned": found.count(source=Tier.COLD),
        "promoted": len(found.long),
        "faded": len(found.faded),
    }
    told = [
        Told(key, {name: counts[name] for name in names})
        for key, names in _TOLD.items()
        if key in _ALWAYS or counts[key]
    ]
    return StepReport(Step.COOL, counts, tuple(told))


# Each line with the counts that stand in it.
_TOLD = {
    "hot": ("hot", "upgraded", "downgraded"),
    "warm": ("warm",),
    "cold": ("cold", "archived", "returned"),
    "promoted": ("promoted",),
    "faded": ("faded",),
}
_ALWAYS = ("hot", "warm", "cold")
