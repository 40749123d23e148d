"""The oracle's past: a copy of the state after every record, and what was held of things then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from alaya.model.change import Change
from alaya.model.graph import Horizon, Relation
from alaya.model.held import (
    Held,
    HeldCard,
    HeldEntity,
    HeldLink,
    HeldSession,
    HeldSummary,
    Thing,
    ThingKind,
    Value,
    session_of,
    things_of,
    user_of,
)
from alaya.model.record import Position
from alaya.testing.oracle_apply import apply_change, apply_to_past
from alaya.testing.oracle_state import CardRow, LinkRow, State


class History:
    """The state now, and as it stood after every record. Erasure erases from all of them."""

    def __init__(self) -> None:
        self.now = State()
        self.moments: dict[int, tuple[Position, datetime]] = {}
        self._past: list[tuple[datetime, State]] = []
        self._touched: list[tuple[int, str, Thing]] = []

    def apply(self, position: Position, changes: Iterable[Change], *, at: datetime) -> bool:
        """One record; False where it is not the next one."""
        if self.now.position.seq != position.seq - 1:
            return False
        state = self.now.copy()
        for change in changes:
            apply_change(state, change, at=at)
            for _, past in self._past:
                apply_to_past(past, change, at=at)
            user = user_of(change) or ""
            self._touched += [(position.seq, user, thing) for thing in things_of(change)]
        state.position = position
        self.now = state
        self.moments[position.seq] = position, at
        self._past.append((at, state.copy()))
        return True

    def then(self, at: datetime | None) -> State:
        """The state at a time (None: now). Sessions, accesses and vectors are those of now."""
        now = self.now
        if at is None:
            return now
        found = next((state for since, state in reversed(self._past) if since <= at), State())
        made = found.copy()
        made.sessions, made.accesses, made.vectors = now.sessions, now.accesses, now.vectors
        return made

    def touching(self, things: set[Thing], user: str) -> list[int]:
        return sorted(
            {n for n, whose, t in self._touched if t in things and _is(t, whose, user=user)}
        )

    def touched(self, after: int, user: str) -> list[Thing]:
        found = {t for n, whose, t in self._touched if n > after and _is(t, whose, user=user)}
        return sorted(found)


def _is(thing: Thing, whose: str, *, user: str) -> bool:
    return thing.kind is ThingKind.RELATION or whose == user


def held_of(state: State, things: Iterable[Thing], *, user: str) -> Held:
    """What a state holds of things; of nodes, their links."""
    found: dict[Thing, Value] = {}
    for thing in things:
        found.update(_held(state, thing, user=user))
    return found


def given_up(now: State, then: State, *, ids: set[str], user: str) -> dict[str, datetime]:
    """When what stood then was retired, of what does not stand now as it did."""
    found: dict[str, datetime] = {}
    for (owner, name), edge in now.links.items():
        was = then.links.get((owner, name))
        if owner == user and name in ids and was and not was.retired_at and edge.retired_at:
            found[name] = edge.retired_at
    for name in ids:
        versions = {r.order for r in then.cards if _current(r, user, name=name)}
        mine = [r for r in now.cards if (r.card.scope.user, r.card.id) == (user, name)]
        stands = [_card(row).card for row in mine if row.retired_at is None]
        for row in mine:
            if row.order in versions and row.retired_at and _card(row).card not in stands:
                found[name] = row.retired_at
    return found


def _held(state: State, thing: Thing, *, user: str) -> Iterator[tuple[Thing, Value]]:
    kind, name = thing.kind, thing.name
    match kind:
        case ThingKind.CARD:
            yield from ((thing, _card(r)) for r in state.cards if _current(r, user, name=name))
        case ThingKind.AROUND:
            for (owner, edge), row in state.links.items():
                if owner == user and name in (row.link.source, row.link.target):
                    yield from _link(Thing(ThingKind.LINK, edge), row)
        case ThingKind.LINK:
            yield from _link(thing, state.links.get((user, name)))
        case ThingKind.ENTITY:
            if (user, name) in state.entities:
                known = state.entities[user, name]
                names = tuple(sorted(n for u, n, e in state.names if (u, e) == (user, name)))
                yield thing, HeldEntity(known.entity, names, known.merged_into)
        case ThingKind.SUMMARY:
            for said in state.summaries:
                whose = said.summary.scope.user, said.summary.id
                if whose == (user, name) and said.retired_at is None:
                    yield thing, HeldSummary(said.summary, said.forgotten_at is not None)
        case ThingKind.SESSION:
            session = _session(state, user, name=name)
            if session != HeldSession():
                yield thing, session
        case ThingKind.EVENT:
            if (user, name) in state.events:
                yield thing, state.events[user, name]
        case ThingKind.NOTE:
            if (user, name) in state.notes:
                yield thing, state.notes[user, name]
        case ThingKind.RELATION:
            relation = state.relations.get(name, Relation(name))
            if relation != Relation(name):
                yield thing, relation


def _current(row: CardRow, user: str, *, name: str) -> bool:
    return (row.card.scope.user, row.card.id) == (user, name) and row.retired_at is None


def _card(row: CardRow) -> HeldCard:
    return HeldCard(
        card=replace(row.card, version=0, horizon=Horizon.SHORT),
        horizon=row.card.horizon,
        forgotten=row.forgotten_at is not None,
        pinned=row.pinned,
        stale=row.stale,
        quarantined=row.quarantined,
        tier=row.tier,
    )


def _link(thing: Thing, row: LinkRow | None) -> Iterator[tuple[Thing, Value]]:
    if row is None:
        return
    told = replace(row.link, invalid_at=row.told_end, recorded_at=None, retired_at=None)
    if row.retired_at is None:
        yield thing, HeldLink(told)
    elif row.link.invalid_at != row.told_end:
        yield thing, HeldLink(told, row.link.invalid_at)


def _session(state: State, user: str, *, name: str) -> HeldSession:
    key = user, name
    return session_of(
        (
            (row.archived.turn.id, row.mark)
            for row in state.turns
            if (row.session.scope.user, row.session.id) == key
        ),
        (d for d in state.distilled.values() if (d.scope.user, d.session) == key),
    )
