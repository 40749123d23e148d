"""Source events as SQL: those of the journal, and which cards name them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from alaya.model.codec import decode
from alaya.model.ids import clean
from alaya.model.passage import Where
from alaya.model.raw import Event
from alaya.model.scope import Scope
from alaya.stores.sqlite import where as filters
from alaya.stores.sqlite.connection import Database


def events(db: Database, scope: Scope, *, ids: Sequence[str], about: Sequence[str]) -> list[Event]:
    condition = (
        "e.id IN (SELECT value FROM json_each(?)) OR e.id IN (SELECT a.event FROM event_about a"
        " WHERE a.user=e.user AND a.about IN (SELECT value FROM json_each(?)))"
    )
    sql = f"SELECT e.json FROM events e WHERE e.user=? AND ({condition}) ORDER BY e.at, e.id"
    bindings = [scope.user, _listed(ids), _listed(about)]
    return [decode(Event, json.loads(row[0])) for row in db.rows(sql, bindings)]


def cards_of_events(db: Database, where: Where, *, wanted: Sequence[str]) -> dict[str, list[str]]:
    condition, bindings = filters.of_cards(where)
    sql = (
        "SELECT DISTINCT e.event, c.id FROM card_events e JOIN cards c ON c.rowid=e.card"
        f" WHERE e.user=? AND e.event IN (SELECT value FROM json_each(?)) AND {condition}"
        " ORDER BY e.event, c.id"
    )
    found: dict[str, list[str]] = {}
    for event, card in db.rows(sql, [where.scope.user, _listed(wanted), *bindings]):
        found.setdefault(event, []).append(card)
    return found


def _listed(names: Sequence[str]) -> str:
    return json.dumps([clean(name) for name in names])
