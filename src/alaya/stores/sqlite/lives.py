"""What decides where cards are kept, read of all of them at once: no card is decoded for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from alaya.model.graph import Horizon, Tier
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


def vector_bytes(
    db: Database, where: Where, *, models: Iterable[str]
) -> Mapping[Tier, tuple[int, int]]:
    """By tier: a byte for each dimension in the copy that is scanned, and four in the database.

    What cards of two tiers share is counted for both.
    """
    condition, bindings = filters.of_cards(where)
    sql = f"""SELECT c.tier, sum(length(v.vector)) FROM cards c
      CROSS JOIN vectors v ON v.model=? AND v.hash=c.text_hash AND v.slot IS NOT NULL
      WHERE {condition} GROUP BY 1"""
    exact = Counter[Tier]()
    for model in models:
        exact.update({Tier(tier): size for tier, size in db.rows(sql, [model, *bindings])})
    return {tier: (size // 4, size // 4 + size) for tier, size in exact.items()}
