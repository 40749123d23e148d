"""Rollback: a new record that makes the memory hold what it held; and what differs between times.

Things are compared some hundreds at a time, so that what is kept is what differs, and no more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import datetime

from alaya.model.change import Change
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
)
from alaya.model.past import Diff, Difference, Moment, RollbackReport, Way
from alaya.model.scope import Scope
from alaya.past import records
from alaya.past.inverse import cards_put_back, counted, towards
from alaya.ports import Archive, Index
from alaya.projection import Clock

_AT_ONCE = 500


def diff(index: Index, *, scope: Scope, start: Moment, end: Moment) -> Diff:
    """What is held otherwise at the end than at the start, by kind and title.

    Access counts and vectors are no part of it.
    """
    found: list[Difference] = []
    for then, later in _batches(index, scope, start=start, end=end.at):
        names = records.names_of_ends(index, then, scope=scope, at=start.at)
        names |= records.names_of_ends(index, later, scope=scope, at=end.at)
        for thing in sorted({*then, *later}):
            one = _difference(thing, then.get(thing), after=later.get(thing), names=names)
            if one is not None:
                found.append(one)
    found.sort(key=lambda one: one.thing)
    return Diff(start, end, tuple(found))


def rollback(
    archive: Archive, index: Index, *, scope: Scope, to: Moment, clock: Clock, dry_run: bool
) -> RollbackReport:
    """One record that makes the memory hold what it held at `to`; `index` has caught up.

    What was erased since stays erased. Nothing where nothing differs.
    """
    made: list[Change] = []
    count: Counter[str] = Counter()

    def decide() -> Sequence[Change]:
        made[:] = []
        count.clear()
        for then, now in _batches(index, scope, start=to, end=None):
            wanted = {thing: then.get(thing) for thing in {*then, *now}}
            back = cards_put_back(now, wanted)
            versions = {
                name: of[-1][0].version
                for name, of in index.versions(back, Scope(scope.user)).items()
            }
            reason = f"rollback to #{to.seq}"
            made.extend(towards(now, wanted, versions=versions, scope=scope, reason=reason))
            for thing, value in wanted.items():
                if (found := _difference(thing, now.get(thing), after=value, names={})) is not None:
                    count[f"{thing.kind}.{found.way}"] += 1
        return made

    records_since = index.position().seq - to.seq
    records.carry_out(
        archive, index, decide=decide, verb="rollback", scope=scope, clock=clock, dry_run=dry_run
    )
    return RollbackReport(
        to=to,
        records=records_since,
        seq=None if dry_run or not made else records.written(archive, index, changes=made),
        changes=counted(made),
        differences=tuple(sorted(count.items())),
        dry_run=dry_run,
    )


def _batches(
    index: Index, scope: Scope, *, start: Moment, end: datetime | None
) -> Iterator[tuple[Held, Held]]:
    """What was touched since a moment, as held then and at the end, each thing once."""
    about = index.touched(start.seq, scope)
    seen: set[Thing] = set()
    around = [thing for thing in about if thing.kind is ThingKind.AROUND]
    others = [thing for thing in about if thing.kind is not ThingKind.AROUND]
    for listed in (around, others):
        for first in range(0, len(listed), _AT_ONCE):
            part = [thing for thing in listed[first : first + _AT_ONCE] if thing not in seen]
            then, later = index.held(part, scope, at=start.at), index.held(part, scope, at=end)
            found = {*then, *later} - seen
            if listed is around:  # a link around one end may be around another, too
                seen |= found
                then, later = (
                    index.held(found, scope, at=start.at),
                    index.held(found, scope, at=end),
                )
            yield then, later


def _difference(
    thing: Thing, before: Value | None, *, after: Value | None, names: Mapping[str, str]
) -> Difference | None:
    if before == after:
        return None
    one, other = (
        records.title(thing, value, names=names) if value is not None else ""
        for value in (before, after)
    )
    if before is None:
        return Difference(thing, Way.ADDED, after=other)
    if after is None:
        return Difference(thing, Way.REMOVED, before=one)
    return Difference(thing, Way.CHANGED, one, other, tuple(_changed(before, after)))


def _changed(before: Value, after: Value) -> Iterator[str]:
    """The parts of a thing that differ; of a card, entity … also what of it does."""
    for item in fields(before):
        one, other = getattr(before, item.name), getattr(after, item.name)
        if one == other:
            continue
        inner = isinstance(before, HeldCard | HeldLink | HeldEntity | HeldSummary)
        if inner and item.name in ("card", "link", "entity", "summary"):
            names = (f.name for f in fields(one))
            yield from (n for n in names if getattr(one, n) != getattr(other, n))
        elif not isinstance(before, HeldSession) or item.name in ("turns", "distilled"):
            yield item.name
