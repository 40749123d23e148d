"""The journal from its end: records one by one, which of them were undone, and what they were
about in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from alaya.errors import NotFound
from alaya.model.change import Change, Undone
from alaya.model.held import (
    Held,
    HeldCard,
    HeldEntity,
    HeldLink,
    HeldSummary,
    Thing,
    ThingKind,
    Value,
    thing_of,
    things_of,
    user_of,
)
from alaya.model.note import Note
from alaya.model.past import Moment, Recorded
from alaya.model.raw import Event
from alaya.model.record import Position, Record
from alaya.model.scope import Scope
from alaya.past.inverse import counted, refusal
from alaya.ports import Archive, Index
from alaya.projection import Clock, Decide, commit

_CHUNK = 64  # records that are read at once, going back
_TITLED = 3  # things of a record that are named
_NO_NAMES: Mapping[str, str] = {}
_TICK = timedelta(microseconds=1)


def before(index: Index, seq: int) -> datetime:
    """The last moment before a record."""
    return time_of(index, seq) - _TICK


def time_of(index: Index, seq: int) -> datetime:
    """When a record was written; of number 0, before the first one. Raises NotFound."""
    if seq == 0 and (first := index.moment(1)) is not None:
        return first[1] - _TICK
    found = index.moment(seq)
    if found is None:
        last = index.position().seq
        raise NotFound(f"there is no record #{seq}; the journal has #1 to #{last}")
    return found[1]


def moment_of(index: Index, to: datetime | int) -> Moment:
    """A place in the journal, by time or by record. Raises NotFound."""
    seq = index.seq_at(to) if isinstance(to, datetime) else to
    return Moment(seq, time_of(index, seq) if index.position().seq else _at(to))


def _at(to: datetime | int) -> datetime:
    if isinstance(to, datetime):
        return to
    raise NotFound(f"there is no record #{to}; nothing was written yet")


def record(archive: Archive, index: Index, *, seq: int) -> Record:
    """One record of the journal. Raises NotFound."""
    time_of(index, seq)
    found = next(archive.records(_place(index, seq - 1)), None)
    if found is None or seq < 1:
        raise NotFound(f"there is no record #{seq}")
    return found


def backward(archive: Archive, index: Index) -> Iterator[Record]:
    """All records that the index has applied, the newest first."""
    last = index.position().seq
    while last > 0:
        first = max(0, last - _CHUNK)
        part: list[Record] = []
        for one in archive.records(_place(index, first)):
            part.append(one)
            if one.position.seq == last:
                break
        yield from reversed(part)
        last = first


def standing(archive: Archive, index: Index) -> Iterator[tuple[Record, int | None]]:
    """As `backward`, each with the record that undid it, unless that was undone itself."""
    undone: dict[int, int] = {}
    for one in backward(archive, index):
        seq = one.position.seq
        by = undone.pop(seq, None)
        if by is None:
            undone.update((number, seq) for number in undoes(one))
        yield one, by


def undoes(one: Record) -> tuple[int, ...]:
    """The records that a record undid."""
    return tuple(change.seq for change in one.changes if isinstance(change, Undone))


def is_of(one: Record, user: str) -> bool:
    """Whether a record is this user's: it has a change of his, or none of anybody."""
    users = {user_of(change) for change in one.changes} - {None}
    return user in users or (not users and not one.erased)


def why_not(one: Record, user: str) -> str:
    """Why a record cannot be undone; empty where it can."""
    if one.erased:
        return "what it said was erased"
    if {user_of(change) for change in one.changes} - {None, user}:
        return "it holds changes of another user"
    return refusal(one.changes)


def carry_out(
    archive: Archive,
    index: Index,
    *,
    decide: Decide,
    verb: str,
    scope: Scope,
    clock: Clock,
    dry_run: bool,
) -> None:
    """Write what is decided as one record; in a dry run it is only decided."""
    if dry_run:
        decide()
        return
    actor = scope.agent or scope.user
    commit(archive, index, decide=decide, actor=actor, verb=verb, clock=clock)


def written(archive: Archive, index: Index, *, changes: Sequence[Change]) -> int | None:
    """The number of the record that holds exactly these changes, the newest of its kind."""
    wanted = tuple(changes)
    return next((r.position.seq for r in backward(archive, index) if r.changes == wanted), None)


def things(changes: Iterable[Change]) -> set[Thing]:
    """What several changes are about."""
    return {thing for change in changes for thing in things_of(change)}


def recorded(index: Index, one: Record, *, scope: Scope, undone_by: int | None) -> Recorded:
    """A record in words."""
    seq = one.position.seq
    return Recorded(
        seq=seq,
        at=one.time,
        actor=one.actor,
        verb=one.verb,
        changes=counted([c for c in one.changes if not isinstance(c, Undone)]),
        titles=tuple(titles(index, things(one.changes), scope=scope, seq=seq).values()),
        undone_by=undone_by,
        undoes=undoes(one),
        refusal=why_not(one, scope.user),
    )


def titles(
    index: Index, about: Collection[Thing], *, scope: Scope, seq: int, most: int = _TITLED
) -> dict[Thing, str]:
    """What the first things of a record are called, from just after it or just before."""
    named = sorted(t for t in about if t.kind is not ThingKind.AROUND)[:most]
    asked = [t for t in named if t.kind is not ThingKind.SESSION]  # which has no title to read
    held: Held = {}
    if asked:
        after = index.held(asked, scope, at=time_of(index, seq))
        held = {**index.held(asked, scope, at=before(index, seq)), **after}
    names = names_of_ends(index, held, scope=scope, at=time_of(index, seq))
    return {thing: title(thing, held.get(thing), names=names) for thing in named}


def names_of_ends(index: Index, held: Held, *, scope: Scope, at: datetime | None) -> dict[str, str]:
    """What the nodes are called between which links without a sentence stand, by id."""
    ends = {
        end
        for value in held.values()
        if isinstance(value, HeldLink) and not value.link.fact
        for end in (value.link.source, value.link.target)
    }
    nodes = [thing_of(end) for end in sorted(ends) if not end.startswith("session:")]
    found = index.held(nodes, scope, at=at)
    return {thing.name: title(thing, value) for thing, value in found.items()}


def title(thing: Thing, value: Value | None, *, names: Mapping[str, str] = _NO_NAMES) -> str:
    """The words by which a person knows a thing. `names`: of nodes, by id."""
    match value:
        case HeldCard(card=card):
            return card.title
        case HeldLink(link=link):
            source, target = (names.get(end, end) for end in (link.source, link.target))
            return link.fact or f"{source} —{link.relation}→ {target}"
        case HeldEntity(entity=entity):
            return entity.name
        case HeldSummary(summary=summary):
            return summary.topic
        case Note():
            return value.title or value.path
        case Event():
            return f"{value.kind.value} {value.id}"
    return thing.name


def _place(index: Index, seq: int) -> Position:
    found = index.moment(seq)
    return Position() if found is None else found[0]
