"""What is known of people and things as SQL: entities, facts about them, and summaries."""

from __future__ import annotations

import json
from collections.abc import Sequence

from alaya.model.codec import decode
from alaya.model.graph import Entity, Link, Summary
from alaya.model.ids import clean
from alaya.model.naming import name_key
from alaya.model.passage import Where
from alaya.stores.sqlite import former
from alaya.stores.sqlite import where as filters
from alaya.stores.sqlite.connection import Database
from alaya.stores.sqlite.graph import by_turn, marks
from alaya.stores.sqlite.links import LINK, read_link

# Ids of entities, as a range of the key.
_ENTITY = (
    "l.source>='entity-' AND l.source<'entity.' AND l.target>='entity-' AND l.target<'entity.'"
)


def entities(
    db: Database, where: Where, *, names: Sequence[str], ids: Sequence[str] | None
) -> list[Entity]:
    filters.asks_of_entities(where)
    condition, bindings = filters.of_entities(where)
    if ids is not None:
        condition += " AND e.id IN (SELECT value FROM json_each(?))"
        bindings = [*bindings, json.dumps([clean(one) for one in ids])]
    sql = f"SELECT DISTINCT e.json FROM {former.entities(where.believed_at)} WHERE {condition}"
    if names:
        sql += (
            " AND e.id IN (SELECT n.entity FROM entity_names n WHERE n.user=?"
            f" AND n.name IN ({marks(names)}) AND {former.current('n', where.believed_at)})"
        )
        bindings = [*bindings, where.scope.user, *(name_key(name) for name in names)]
    return [decode(Entity, json.loads(row[0])) for row in db.rows(sql, bindings)]


def entities_of_turns(
    db: Database, where: Where, *, wanted: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], list[str]]:
    filters.asks_of_entities(where)
    condition, bindings = filters.of_entities(where)
    sql = (
        f"SELECT e.id FROM entity_spans p CROSS JOIN {former.entities(where.believed_at)}"
        " ON e.user=p.user AND e.id=p.entity WHERE p.user=? AND p.session=? AND p.turn=?"
        f" AND {former.current('p', where.believed_at)} AND {condition} ORDER BY e.id"
    )
    return by_turn(db, sql, user=where.scope.user, wanted=wanted, bindings=bindings)


def summaries(
    db: Database, where: Where, *, name: str | None, ids: Sequence[str] | None
) -> list[Summary]:
    condition, bindings = filters.of_summaries(where)
    if ids is not None:
        condition += " AND m.id IN (SELECT value FROM json_each(?))"
        bindings = [*bindings, json.dumps([clean(one) for one in ids])]
    if name is not None:
        condition, bindings = f"{condition} AND m.session=?", [*bindings, name]
    sql = f"SELECT m.json FROM summaries m WHERE {condition} ORDER BY m.said_at, m.id"
    return [decode(Summary, json.loads(row[0])) for row in db.rows(sql, bindings)]


def facts(db: Database, where: Where, *, limit: int, offset: int) -> list[Link]:
    condition, bindings = filters.of_links(where)
    known, whose = filters.of_entities(where)
    at = where.believed_at
    sql = (
        f"SELECT {LINK} FROM {former.links(at)} WHERE {_ENTITY}"
        f" AND coalesce(l.json->>'fact','')<>'' AND {condition}"
    )
    for end in ("source", "target"):
        sql += f" AND EXISTS(SELECT 1 FROM {former.entities(at)} WHERE e.id=l.{end} AND {known})"
        bindings = [*bindings, *whose]
    rows = db.rows(
        f"{sql} ORDER BY l.valid_at DESC, l.id LIMIT ? OFFSET ?", [*bindings, limit, offset]
    )
    return [read_link(row, where.scope.user) for row in rows]
