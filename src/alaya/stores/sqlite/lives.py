"""What decides where cards are kept, read of all of them at once: no card is decoded for it."""

from __future__ import annotations

from alaya.model.graph import Horizon
from alaya.model.life import Life
from alaya.model.passage import Where
from alaya.model.raw import Origin
from alaya.model.time import parse_time
from alaya.stores.sqlite import where as filters
from alaya.stores.sqlite.connection import Database
from alaya.stores.sqlite.graph import STATE, state_of

_SHORT = Horizon.SHORT.value


def lives(db: Database, where: Where) -> list[Life]:
    """Of all cards that pass, newest first."""
    condition, bindings = filters.of_cards(where)
    sql = f"""SELECT c.id, c.said_at, c.importance, c.confidence, c.origin,
      json_extract(c.json,'$.horizon'), p.sessions, {STATE}
      FROM cards c LEFT JOIN accesses a ON a.user=c.user AND a.card=c.id
      LEFT JOIN (SELECT card, count(DISTINCT session) sessions FROM spans WHERE user=?
        GROUP BY card) p ON p.card=c.rowid
      WHERE {condition} ORDER BY c.said_at DESC, c.rowid DESC"""
    return [
        Life(
            id=name,
            said_at=parse_time(said_at),
            importance=importance,
            confidence=confidence,
            origin=Origin(origin),
            horizon=Horizon(horizon or _SHORT),
            told=told or 0,
            state=state_of(state),
        )
        for name, said_at, importance, confidence, origin, horizon, told, *state in db.rows(
            sql, [where.scope.user, *bindings]
        )
    ]
