"""What was held of things as SQL, and which records touched them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from alaya.model.change import SessionDistilled
from alaya.model.codec import decode
from alaya.model.graph import Entity, Horizon, Link, Relation, Summary
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
    key_of,
    of_key,
    session_of,
)
from alaya.model.ids import clean
from alaya.model.note import Note
from alaya.model.passage import Where
from alaya.model.raw import Event, TurnMark
from alaya.model.record import Position
from alaya.model.scope import Scope
from alaya.model.time import format_time, parse_time
from alaya.stores.sqlite import former, graph
from alaya.stores.sqlite.connection import Database

_LISTED = "IN (SELECT value FROM json_each(?))"
_VALUES: dict[ThingKind, tuple[type[Any], str]] = {
    ThingKind.EVENT: (Event, "SELECT json FROM events WHERE user=? AND id=?"),
    ThingKind.NOTE: (Note, "SELECT json FROM notes WHERE user=? AND path=?"),
    ThingKind.RELATION: (Relation, "SELECT json FROM relations WHERE ?='' AND name=?"),
}

Found = Iterator[tuple[Thing, Value]]


def held(db: Database, things: Iterable[Thing], *, user: str, at: datetime | None) -> Held:
    """One snapshot of what was held of each; what was not is absent."""
    of: dict[ThingKind, list[str]] = {}
    for thing in things:
        of.setdefault(thing.kind, []).append(clean(thing.name))
    found: dict[Thing, Value] = {}
    with db.reading():
        for kind, names in of.items():
            read = _READ.get(kind) or partial(_values, kind=kind)
            found.update(read(db, names, user=user, at=at))
    return found


def given_up(
    db: Database, ids: Iterable[str], *, user: str, since: datetime
) -> dict[str, datetime]:
    """When what stood at `since` was retired, of what does not stand now as it did."""
    listed = json.dumps([clean(name) for name in ids])
    links, given = former.these_links(
        since, f"n.user=? AND n.id {_LISTED}", bindings=[user, listed]
    )
    content = "json_remove({}.json,'$.version','$.horizon')"
    sql = (
        f"SELECT l.id, l.retired_at FROM ({links}) n CROSS JOIN links l ON l.user=n.user"
        " AND l.id=n.id WHERE n.retired_at IS NULL AND l.retired_at IS NOT NULL"
        f" UNION ALL SELECT c.id, c.retired_at FROM cards c WHERE c.user=? AND c.id {_LISTED}"
        f" AND {former.current('c', since)} AND c.retired_at IS NOT NULL"
        " AND NOT EXISTS(SELECT 1 FROM cards g WHERE g.user=c.user AND g.id=c.id"
        f" AND g.retired_at IS NULL AND {content.format('g')}={content.format('c')})"
    )
    rows = db.rows(sql, [*given, user, listed])
    return {name: parse_time(retired) for name, retired in rows}


def touching(db: Database, things: Iterable[Thing], *, user: str) -> list[int]:
    keys = json.dumps([clean(key_of(thing)) for thing in things])
    sql = f"SELECT DISTINCT seq FROM touched WHERE user IN (?,'') AND thing {_LISTED} ORDER BY seq"
    return [row[0] for row in db.rows(sql, [user, keys])]


def touched(db: Database, after: int, *, user: str) -> list[Thing]:
    sql = "SELECT DISTINCT thing FROM touched WHERE user IN (?,'') AND seq>? ORDER BY thing"
    return sorted(of_key(row[0]) for row in db.rows(sql, [user, after]))


def moment(db: Database, seq: int) -> tuple[Position, datetime] | None:
    row = db.row('SELECT seq, chain, file, "offset", at FROM records WHERE seq=?', [seq])
    return None if row is None else (Position(*row[:4]), parse_time(row[4]))


def seq_at(db: Database, at: datetime) -> int:
    row = db.row("SELECT max(seq) FROM records WHERE at<=?", [format_time(at)])
    return int(row[0]) if row is not None and row[0] is not None else 0


def _cards(db: Database, names: Sequence[str], *, user: str, at: datetime | None) -> Found:
    where = Where(Scope(user), believed_at=at, include_forgotten=True, include_quarantined=True)
    for card, state in graph.cards(db, names, where=where):
        yield (
            Thing(ThingKind.CARD, card.id),
            HeldCard(
                card=replace(card, version=0, horizon=Horizon.SHORT),
                horizon=card.horizon,
                forgotten=state.forgotten_at is not None,
                pinned=state.pinned,
                stale=state.stale,
                quarantined=state.quarantined,
                tier=state.tier,
            ),
        )


def _links(db: Database, names: Sequence[str], *, user: str, at: datetime | None) -> Found:
    return _told(db, f"n.id {_LISTED}", bindings=[json.dumps(names)], user=user, at=at)


def _around(db: Database, names: Sequence[str], *, user: str, at: datetime | None) -> Found:
    for end in ("source", "target"):
        condition = f"n.user=? AND n.{end} {_LISTED}"
        yield from _told(db, condition, bindings=[user, json.dumps(names)], user=user, at=at)


def _told(
    db: Database, condition: str, *, bindings: list[object], user: str, at: datetime | None
) -> Found:
    sql, given = former.these_links(at, condition, bindings=bindings)
    for owner, name, text, invalid, retired in db.rows(sql, given):
        if owner != user:
            continue
        link: Link = replace(decode(Link, json.loads(text)), recorded_at=None, retired_at=None)
        end = parse_time(invalid) if invalid else None
        if retired is None:
            yield Thing(ThingKind.LINK, name), HeldLink(link)
        elif end != link.invalid_at:
            yield Thing(ThingKind.LINK, name), HeldLink(link, end)


def _entities(db: Database, names: Sequence[str], *, user: str, at: datetime | None) -> Found:
    listed = json.dumps(names)
    called: dict[str, set[str]] = {}
    sql = (
        f"SELECT n.entity, n.name FROM entity_names n WHERE n.user=? AND n.entity {_LISTED}"
        f" AND {former.current('n', at)}"
    )
    for entity, name in db.rows(sql, [user, listed]):
        called.setdefault(entity, set()).add(name)
    sql = (
        f"SELECT e.id, e.json, e.merged_into FROM {former.entities(at)}"
        f" WHERE e.user=? AND e.id {_LISTED} AND e.retired_at IS NULL"
    )
    for name, text, into in db.rows(sql, [user, listed]):
        entity_: Entity = decode(Entity, json.loads(text))
        value = HeldEntity(entity_, tuple(sorted(called.get(name, ()))), into)
        yield Thing(ThingKind.ENTITY, name), value


def _summaries(db: Database, names: Sequence[str], *, user: str, at: datetime | None) -> Found:
    forgotten = former.column("summaries", "forgotten_at", alias="m", at=at)
    sql = (
        f"SELECT m.id, m.json, {forgotten} FROM summaries m WHERE m.user=? AND m.id {_LISTED}"
        f" AND {former.current('m', at)}"
    )
    for name, text, when in db.rows(sql, [user, json.dumps(names)]):
        summary: Summary = decode(Summary, json.loads(text))
        yield Thing(ThingKind.SUMMARY, name), HeldSummary(summary, when is not None)


def _sessions(db: Database, names: Sequence[str], *, user: str, at: datetime | None) -> Found:
    mark = former.column("turns", "mark", alias="t", at=at)
    known = "1" if at is None else f"t.recorded_at<='{format_time(at)}'"
    for name in names:
        turns = db.rows(
            f"SELECT t.id, {mark} FROM turns t WHERE t.user=? AND t.session=? AND {known}",
            [user, name],
        )
        done = db.rows(
            f"SELECT d.json FROM distilled d WHERE d.user=? AND d.session=?"
            f" AND {former.current('d', at)}",
            [user, name],
        )
        value = session_of(
            ((turn, TurnMark(kind)) for turn, kind in turns),
            (decode(SessionDistilled, json.loads(text)) for (text,) in done),
        )
        if value != HeldSession():
            yield Thing(ThingKind.SESSION, name), value


def _values(
    db: Database, names: Sequence[str], *, user: str, at: datetime | None, kind: ThingKind
) -> Found:
    cls, sql = _VALUES[kind]
    whose = "" if kind is ThingKind.RELATION else user
    before = (
        "SELECT json FROM former_values WHERE kind=? AND user=? AND name=? AND until>?"
        " ORDER BY until LIMIT 1"
    )
    for name in names:
        row = at and db.row(before, [kind.value, whose, name, format_time(at)])
        row = row or db.row(sql, [whose, name])
        value = None if row is None or row[0] is None else decode(cls, json.loads(row[0]))
        if value is not None and value != Relation(name):
            yield Thing(kind, name), value


_READ = {
    ThingKind.CARD: _cards,
    ThingKind.LINK: _links,
    ThingKind.AROUND: _around,
    ThingKind.ENTITY: _entities,
    ThingKind.SUMMARY: _summaries,
    ThingKind.SESSION: _sessions,
}
