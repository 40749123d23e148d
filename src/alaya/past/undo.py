"""Undo: a new record with the changes that reverse others. Undoing an undoing does it again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from alaya.errors import InvalidInput, NotFound
from alaya.model.change import Change, SessionDistilled, SessionGrew, Undone
from alaya.model.held import HeldLink, Thing, ThingKind, Value
from alaya.model.past import Recorded, UndoReport
from alaya.model.record import Record
from alaya.model.scope import Scope
from alaya.past import records
from alaya.past.clashes import clashing
from alaya.past.inverse import cards_put_back, counted, reverse, towards
from alaya.ports import Archive, Index
from alaya.projection import Clock

_SHOWN = 5  # later records that are named


@dataclass(frozen=True)
class Wish:
    """The last `count` changes, or the record `seq`; `later`: with all that was built on it."""

    count: int = 1
    seq: int | None = None
    later: bool = False


@dataclass
class _Plan:
    """Records to be undone, the newest first, and what is then wanted."""

    records: list[Record]
    now: dict[Thing, Value] = field(default_factory=dict)
    wanted: dict[Thing, Value | None] = field(default_factory=dict)


def undo(
    archive: Archive, index: Index, *, scope: Scope, wish: Wish, clock: Clock, dry_run: bool
) -> UndoReport:
    """Undo what is wished, as one record; `index` has caught up.

    Decided anew where another process wrote meanwhile: nothing is undone twice. Raises NotFound
    where there is nothing (of this number) to undo and InvalidInput for what cannot be undone.
    """
    made: list[Change] = []
    plan = _Plan([])

    def decide() -> Sequence[Change]:
        nonlocal plan
        plan = _planned(archive, index, scope=scope, wish=wish)
        made[:] = _changes(index, plan, scope=scope)
        return made

    records.carry_out(
        archive, index, decide=decide, verb="undo", scope=scope, clock=clock, dry_run=dry_run
    )
    return UndoReport(
        undone=tuple(
            records.recorded(index, one, scope=scope, undone_by=None) for one in plan.records
        ),
        seq=None if dry_run else records.written(archive, index, changes=made),
        changes=counted([change for change in made if not isinstance(change, Undone)]),
        dry_run=dry_run,
    )


def last(archive: Archive, index: Index, *, scope: Scope, limit: int) -> list[Recorded]:
    """The last records of this user in words, the newest first."""
    found: list[Recorded] = []
    for one, by in records.standing(archive, index):
        if len(found) == limit:
            break
        if records.is_of(one, scope.user):
            found.append(records.recorded(index, one, scope=scope, undone_by=by))
    return found


def _planned(archive: Archive, index: Index, *, scope: Scope, wish: Wish) -> _Plan:
    if wish.seq is None:
        chosen = _newest(archive, index, scope=scope, wish=wish)
    else:
        chosen = _one(archive, index, scope=scope, seq=wish.seq)
    while True:
        try:
            plan = _reversed(index, chosen, scope=scope)
            seq, later = chosen[-1].position.seq, _moved(archive, index, chosen=chosen, scope=scope)
            if not later:
                return plan
        except _Conflict as conflict:
            seq, things = conflict.seq, conflict.things
            later = _later(archive, index, chosen=chosen, scope=scope, things=things)
        _all_can_be(seq, later, scope=scope)
        if not wish.later or not later:
            raise InvalidInput(_explained(seq, later))
        chosen = sorted([*chosen, *later], key=lambda one: -one.position.seq)


class _Conflict(InvalidInput):
    """These things became something else since, or would not hold beside what is undone."""

    def __init__(self, seq: int, things: set[Thing]) -> None:
        super().__init__(_explained(seq, []))
        self.seq = seq
        self.things = things


def _newest(archive: Archive, index: Index, *, scope: Scope, wish: Wish) -> list[Record]:
    """The last records that can be undone and were not: each undo goes one further back."""
    found: list[Record] = []
    for one, by in records.standing(archive, index):
        if len(found) == wish.count:
            break
        passed = by is not None or records.undoes(one) or not records.is_of(one, scope.user)
        if not passed and not records.why_not(one, scope.user):
            found.append(one)
    if not found:
        raise NotFound("there is nothing to undo")
    return found


def _one(archive: Archive, index: Index, *, scope: Scope, seq: int) -> list[Record]:
    records.time_of(index, seq)
    for one, by in records.standing(archive, index):
        if one.position.seq > seq:
            continue
        if not records.is_of(one, scope.user):
            raise NotFound(f"record #{seq} is not one of user {scope.user!r}")
        if why := records.why_not(one, scope.user):
            raise InvalidInput(f"record #{seq} cannot be undone: {why}")
        if by is not None:
            raise InvalidInput(
                f"record #{seq} was undone by #{by} already; undo #{by} to have it again"
            )
        return [one]
    raise NotFound(f"there is no record #{seq}")


def _reversed(index: Index, chosen: Sequence[Record], *, scope: Scope) -> _Plan:
    """What is wanted when these are undone, the newest first. Raises _Conflict."""
    plan = _Plan(list(chosen))
    current: dict[Thing, Value | None] = {}
    for one in chosen:
        seq, about = one.position.seq, records.things(one.changes)
        _not_learnt_from(index, one, chosen=chosen, scope=scope)
        was = index.held(about, scope, at=records.before(index, seq))
        became = index.held(about, scope, at=one.time)
        unknown = [thing for thing in {*was, *became} if thing not in current]
        now = index.held(unknown, scope)
        plan.now.update(now)
        current.update({thing: now.get(thing) for thing in unknown})
        wanted, conflicts = reverse(was, became, now=current)
        if conflicts:
            raise _Conflict(seq, conflicts)
        current.update(wanted)
        if beside := clashing(index, current, scope=scope, before=records.before(index, seq)):
            raise _Conflict(seq, beside)
    plan.wanted = current
    return plan


def _not_learnt_from(index: Index, one: Record, *, chosen: Sequence[Record], scope: Scope) -> None:
    """Raises _Conflict where cards were made of the turns that a record brought."""
    for change in one.changes:
        if not isinstance(change, SessionGrew):
            continue
        thing = Thing(ThingKind.SESSION, change.session.id)
        held = index.held([thing], scope).get(thing)
        done = getattr(held, "distilled", ())
        with_it = {c for other in chosen for c in other.changes if isinstance(c, SessionDistilled)}
        if any(d.turns > change.first and d not in with_it for d in done):
            raise _Conflict(one.position.seq, {thing})


def _moved(
    archive: Archive, index: Index, *, chosen: Sequence[Record], scope: Scope
) -> list[Record]:
    """The merges that made links of another node out of those that these records told: without
    the merge there is nothing to take back, and what was told would stay."""
    told: dict[Thing, Value] = {}
    for one in chosen:
        links = [t for t in records.things(one.changes) if t.kind is ThingKind.LINK]
        was = index.held(links, scope, at=records.before(index, one.position.seq))
        became = index.held(links, scope, at=one.time)
        told.update((thing, value) for thing, value in became.items() if thing not in was)
    for thing in index.held(told, scope):
        del told[thing]
    ends = {
        Thing(ThingKind.AROUND, end)
        for value in told.values()
        if isinstance(value, HeldLink)
        for end in (value.link.source, value.link.target)
    }
    if not ends:
        return []
    return [
        one
        for one in _later(archive, index, chosen=chosen, scope=scope, things=ends)
        if index.held(told, scope, at=records.before(index, one.position.seq)).keys()
        - index.held(told, scope, at=one.time).keys()
    ]


def _later(
    archive: Archive,
    index: Index,
    *,
    chosen: Sequence[Record],
    scope: Scope,
    things: set[Thing],
) -> list[Record]:
    """The records behind the first one that made something else of these things and stand."""
    known = {one.position.seq for one in chosen}
    touching = set(index.touching(things, scope)) - known
    found = []
    for one, by in records.standing(archive, index):
        if one.position.seq <= min(known):
            break
        if one.position.seq in touching and by is None and not records.undoes(one):
            found.append(one)
    return found


def _all_can_be(seq: int, later: Sequence[Record], *, scope: Scope) -> None:
    """Raises InvalidInput where one that was built on a record cannot be undone itself."""
    for one in later:
        if why := records.why_not(one, scope.user):
            raise InvalidInput(
                f"record #{seq} cannot be undone: what it changed was changed again by"
                f" #{one.position.seq} ({one.verb}), which cannot be undone: {why}"
            )


def _explained(seq: int, later: Sequence[Record]) -> str:
    named = ", ".join(f"#{r.position.seq} ({r.verb})" for r in reversed(later[-_SHOWN:]))
    if not named:
        return f"record #{seq} cannot be undone: what it changed has become something else since"
    return (
        f"record #{seq} cannot be undone alone: what it changed was changed again or "
        f"replaced by {named}; "
        "undo these first, or all together with --with-later"
    )


def _changes(index: Index, plan: _Plan, *, scope: Scope) -> list[Change]:
    back = cards_put_back(plan.now, plan.wanted)
    versions = {name: of[-1][0].version for name, of in index.versions(back, _all(scope)).items()}
    reason = "undo " + ", ".join(f"#{one.position.seq}" for one in plan.records[:_SHOWN])
    made = towards(plan.now, plan.wanted, versions=versions, scope=scope, reason=reason)
    return [*made, *(Undone(one.position.seq) for one in plan.records)]


def _all(scope: Scope) -> Scope:
    return Scope(scope.user)
