"""L2 as SQL: cards, entities, sessions and turns. Every read goes through `where`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from alaya.model.codec import decode
from alaya.model.graph import (
    Card,
    CardState,
    Horizon,
    Relation,
    Standing,
    Tier,
)
from alaya.model.passage import Where
from alaya.model.raw import Role, Session, SessionState, TurnMark, TurnPlace
from alaya.model.relations import CORE, CORE_NAMES
from alaya.model.scope import Scope
from alaya.model.time import parse_time
from alaya.stores.sqlite import former
from alaya.stores.sqlite import where as filters
from alaya.stores.sqlite.connection import Database

STATE = """c.recorded_at, c.retired_at, c.forgotten_at, c.pinned, c.stale, c.quarantined,
  c.tier, a.count, a.last_at, a.relevance"""
_ACCESSED = "FROM cards c LEFT JOIN accesses a ON a.user=c.user AND a.card=c.id"
_MANY = 500  # ids in one query


def cards(db: Database, ids: Sequence[str], *, where: Where) -> list[tuple[Card, CardState]]:
    condition, bindings = filters.of_cards(where)
    found: dict[str, tuple[Card, CardState]] = {}
    for part in _parts(ids):
        sql = f"SELECT {_card_of(where)} WHERE c.id IN ({marks(part)}) AND {condition}"
        for row in db.rows(sql, [*part, *bindings]):
            card = _card(row)
            found[card[0].id] = card
    return [found[i] for i in dict.fromkeys(ids) if i in found]


def standing(db: Database, ids: Sequence[str], *, where: Where) -> dict[str, Standing]:
    condition, bindings = filters.of_cards(where)
    stale = former.column("cards", "stale", alias="c", at=where.believed_at)
    columns = f"c.id, c.said_at, c.importance, a.count, {stale} {_ACCESSED}"
    return {
        name: Standing(parse_time(said_at), importance, count or 0, bool(is_stale))
        for part in _parts(ids)
        for name, said_at, importance, count, is_stale in db.rows(
            f"SELECT {columns} WHERE c.id IN ({marks(part)}) AND {condition}",
            [*part, *bindings],
        )
    }


def find_cards(
    db: Database, where: Where, *, limit: int | None
) -> Iterator[tuple[Card, CardState]]:
    condition, bindings = filters.of_cards(where)
    sql = (
        f"SELECT {_card_of(where)} WHERE {condition} ORDER BY c.said_at DESC, c.rowid DESC LIMIT ?"
    )
    for row in db.rows(sql, [*bindings, -1 if limit is None else limit]):
        yield _card(row)


def sessions(db: Database, scope: Scope) -> Iterator[SessionState]:
    condition, bindings = filters.of_scope(scope, "s", session_column="id").build()
    sql = f"SELECT {_SESSION} FROM sessions s WHERE {condition} ORDER BY s.started_at, s.id"
    for row in db.rows(sql, bindings):
        yield _session(row)


def session(db: Database, scope: Scope, *, name: str) -> SessionState | None:
    condition, bindings = filters.of_scope(scope, "s", session_column="id").build()
    sql = f"SELECT {_SESSION} FROM sessions s WHERE s.id=? AND {condition}"
    row = db.row(sql, [name, *bindings])
    return None if row is None else _session(row)


def turns(db: Database, scope: Scope, *, name: str, ids: Sequence[str] | None) -> list[TurnPlace]:
    condition, bindings = filters.of_scope(scope, "t").build()
    sql = f"SELECT {_TURN} FROM turns t WHERE t.session=? AND {condition}"
    if ids is None:
        return [_place(r) for r in db.rows(f"{sql} ORDER BY t.ordinal", [name, *bindings])]
    found = [
        _place(row)
        for part in _parts(ids)
        for row in db.rows(f"{sql} AND t.id IN ({marks(part)})", [name, *bindings, *part])
    ]
    return sorted(found, key=lambda place: place.ordinal)


def cards_of_turns(
    db: Database, where: Where, *, wanted: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], list[str]]:
    condition, bindings = filters.of_cards(where)
    sql = (
        "SELECT DISTINCT c.id FROM spans p JOIN cards c ON c.rowid=p.card"
        f" WHERE p.user=? AND p.session=? AND p.turn=? AND {condition}"
    )
    return by_turn(db, sql, user=where.scope.user, wanted=wanted, bindings=bindings)


def by_turn(
    db: Database,
    sql: str,
    *,
    user: str,
    wanted: Sequence[tuple[str, str]],
    bindings: Sequence[Any],
) -> dict[tuple[str, str], list[str]]:
    """The ids that `sql` finds for each (session, turn); those that have none are absent."""
    found = {}
    for name, turn in dict.fromkeys(wanted):
        rows = db.rows(sql, [user, name, turn, *bindings])
        if rows:
            found[name, turn] = [row[0] for row in rows]
    return found


def relations(db: Database, scope: Scope) -> list[Relation]:
    """Core relations first, then free ones, each by use; aliases also where they have none left."""
    used = dict(
        db.rows(
            "SELECT relation, sum(retired_at IS NULL) FROM links WHERE user=? GROUP BY relation",
            [scope.user],
        )
    )
    known = {r.name: r for r in CORE}
    for name, text in db.rows("SELECT name, json FROM relations"):
        known[name] = decode(Relation, json.loads(text))
    found = [replace(r, frequency=used.get(r.name, 0)) for r in known.values()]
    aliases = {r.name for r in found if r.alias_of and r.name in used}
    found = [r for r in found if r.name in CORE_NAMES or r.frequency or r.name in aliases]
    return sorted(found, key=lambda r: (not r.is_core, -r.frequency, r.name))


def counts(db: Database, scope: Scope) -> Mapping[str, int]:
    where = Where(scope)
    card, card_bindings = filters.of_cards(where)
    turn, turn_bindings = filters.of_turns(where)
    link, link_bindings = filters.of_links(where)
    found: dict[str, int] = {"cards": 0, "links": 0}
    with db.reading():
        for kind, n in db.rows(
            f"SELECT c.kind, count(*) FROM cards c WHERE {card} GROUP BY 1", card_bindings
        ):
            found[f"cards.{kind}"] = n
            found["cards"] += n
        for tier, n in db.rows(
            f"SELECT c.tier, count(*) FROM cards c WHERE {card} GROUP BY 1", card_bindings
        ):
            found[f"tiers.{tier}"] = n
        for relation, n in db.rows(
            f"SELECT l.relation, count(*) FROM links l WHERE {link} GROUP BY 1", link_bindings
        ):
            found[f"links.{relation}"] = n
            found["links"] += n
        found["turns"] = db.rows(f"SELECT count(*) FROM turns t WHERE {turn}", turn_bindings)[0][0]
        others = (
            ("sessions s", filters.of_scope(scope, "s", session_column="id").build()),
            ("entities e", filters.of_entities(where)),
            ("summaries m", filters.of_summaries(where)),
            ("notes n", ("n.user=?", [scope.user])),
        )
        for table, (condition, bindings) in others:
            sql = f"SELECT count(*) FROM {table} WHERE {condition}"
            found[table.split()[0]] = db.rows(sql, bindings)[0][0]
    return found


_SESSION = 's.json, s.generation, s.turns, s."end", s.tokens, s.distilled, s.last_said_at'
_TURN = """t.session, t.id, t.ordinal, t.generation, t.offset, t.length, t.role, t.sha256, t.tokens,
  t.said_at, t.mark, t.parent"""


def versions(
    db: Database, scope: Scope, *, ids: Sequence[str]
) -> dict[str, list[tuple[Card, CardState]]]:
    """Every version of these cards, the oldest first."""
    condition, bindings = filters.of_scope(scope, "c").build()
    found: dict[str, list[tuple[Card, CardState]]] = {}
    for part in _parts(ids):
        sql = f"SELECT {_card_of(Where(scope))} WHERE c.id IN ({marks(part)}) AND {condition}"
        for row in db.rows(f"{sql} ORDER BY c.version", [*part, *bindings]):
            card = _card(row)
            found.setdefault(card[0].id, []).append(card)
    return found


def _card_of(where: Where) -> str:
    """What `_card` reads, as it stood at `believed_at`."""
    at = where.believed_at
    then = partial(former.column, "cards", alias="c", at=at)
    states = ", ".join(
        then(name) for name in ("forgotten_at", "pinned", "stale", "quarantined", "tier")
    )
    horizon = "NULL" if at is None else then("horizon").replace("c.horizon", _HORIZON)
    return (
        f"c.json, c.recorded_at, {former.until('c.retired_at', at=at)}, {states}, {horizon},"
        f" a.count, a.last_at, a.relevance {_ACCESSED}"
    )


_HORIZON = "json_extract(c.json,'$.horizon')"


def _card(row: Any) -> tuple[Card, CardState]:
    text, *state, horizon, count, last, relevance = row
    card = _read_card(text)
    if horizon is not None and card.horizon != horizon:
        card = replace(card, horizon=Horizon(horizon))
    return card, state_of((*state, count, last, relevance))


def state_of(row: Sequence[Any]) -> CardState:
    """A card's state from the columns STATE."""
    recorded, retired, forgotten, pinned, stale, quarantined, tier, count, last, rel = row
    return CardState(
        recorded_at=parse_time(recorded),
        retired_at=parse_time(retired) if retired else None,
        forgotten_at=parse_time(forgotten) if forgotten else None,
        pinned=bool(pinned),
        stale=bool(stale),
        quarantined=bool(quarantined),
        access_count=count or 0,
        last_access=parse_time(last) if last else None,
        relevance=rel,
        tier=Tier(tier),
    )


@lru_cache(maxsize=2_048)  # a card is a value, and the same ones are recalled again and again
def _read_card(text: str) -> Card:
    card: Card = decode(Card, json.loads(text))
    return card


def _session(row: Any) -> SessionState:
    text, generation, count, end, tokens, distilled, last = row
    header: Session = decode(Session, json.loads(text))
    return SessionState(
        session=header,
        generation=generation,
        turns=count,
        end=end,
        tokens=tokens,
        distilled=distilled,
        last_said_at=parse_time(last) if last else None,
    )


def _place(row: Any) -> TurnPlace:
    name, turn, ordinal, generation, offset, length, role, sha, tokens, said, mark, parent = row
    return TurnPlace(
        session=name,
        id=turn,
        ordinal=ordinal,
        generation=generation,
        offset=offset,
        length=length,
        role=Role(role),
        sha256=sha,
        tokens=tokens,
        said_at=parse_time(said) if said else None,
        mark=TurnMark(mark),
        parent=parent,
    )


def _parts(ids: Sequence[str]) -> Iterator[list[str]]:
    unique = list(dict.fromkeys(ids))
    for i in range(0, len(unique), _MANY):
        yield unique[i : i + _MANY]


def marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
