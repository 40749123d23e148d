"""L2 as SQL: cards, links, sessions and turns. Every read goes through `where`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from alaya.model.codec import decode
from alaya.model.graph import Card, CardState, Edge, Link, Relation, Tier
from alaya.model.passage import Where
from alaya.model.raw import Role, Session, SessionState, TurnMark, TurnPlace
from alaya.model.relations import CORE, CORE_NAMES, reading
from alaya.model.scope import Scope
from alaya.model.time import parse_time
from alaya.stores.sqlite import where as filters
from alaya.stores.sqlite.connection import Database

_CARD = """c.json, c.recorded_at, c.retired_at, c.forgotten_at, c.pinned, c.stale, c.quarantined,
  c.tier, a.count, a.last_at, a.relevance
  FROM cards c LEFT JOIN accesses a ON a.user=c.user AND a.card=c.id"""
LINK = """l.source, l.relation, l.target, l.valid_at, l.weight, l.invalid_at, l.recorded_at,
  l.retired_at, l.json FROM links l"""
_EDGE = "l.source, l.relation, l.target, l.valid_at, l.weight FROM links l"
_TOLD = LINK.replace("FROM links l", "FROM json_each(?) k CROSS JOIN links l") + (
    " WHERE l.user=? AND l.source=k.value->>0 AND l.relation=k.value->>1"
    " AND l.target=k.value->>2 AND l.valid_at=k.value->>3"
)
_MANY = 500  # ids in one query


def cards(db: Database, ids: Sequence[str], *, where: Where) -> list[tuple[Card, CardState]]:
    condition, bindings = filters.of_cards(where)
    found: dict[str, tuple[Card, CardState]] = {}
    for part in _parts(ids):
        sql = f"SELECT {_CARD} WHERE c.id IN ({marks(part)}) AND {condition}"
        for row in db.rows(sql, [*part, *bindings]):
            card = _card(row)
            found[card[0].id] = card
    return [found[i] for i in dict.fromkeys(ids) if i in found]


def find_cards(
    db: Database, where: Where, *, limit: int | None
) -> Iterator[tuple[Card, CardState]]:
    condition, bindings = filters.of_cards(where)
    sql = f"SELECT {_CARD} WHERE {condition} ORDER BY c.said_at DESC, c.rowid DESC LIMIT ?"
    for row in db.rows(sql, [*bindings, -1 if limit is None else limit]):
        yield _card(row)


def links(
    db: Database, nodes: Sequence[str], *, where: Where, relations: Sequence[str], limit: int
) -> list[Link]:
    with db.reading():
        rows = _picked(db, nodes, where=where, relations=relations, limit=limit)
        if not rows:
            return []
        keys = json.dumps([row[:4] for row in rows])
        told = db.rows(f"SELECT {_TOLD}", [keys, where.scope.user])
    return sorted((read_link(row, where.scope.user) for row in told), key=_heaviest)


def edges(
    db: Database, nodes: Sequence[str], *, where: Where, relations: Sequence[str], limit: int
) -> list[Edge]:
    rows = _picked(db, nodes, where=where, relations=relations, limit=limit)
    return [Edge(source, relation, target, weight) for source, relation, target, _, weight in rows]


def ways(db: Database, nodes: Sequence[str], *, where: Where) -> dict[str, int]:
    condition, bindings = filters.of_links(where)
    sql = (
        f"SELECT l.source, l.relation, l.target FROM links l WHERE l.source=? AND {condition} UNION"
        " SELECT l.source, l.relation, l.target FROM links l INDEXED BY links_back"
        f" WHERE l.target=? AND {condition}"
    )
    inside = set(nodes)
    with db.reading():
        found = {
            (node, *reading(Edge(source, relation, target, 1.0), node))
            for node in inside
            for source, relation, target in db.rows(sql, [node, *bindings, node, *bindings])
        }
        seen = visible(db, inside | {other for _, _, other in found}, where=where)
    read = {(relation, other) for node, relation, other in found if {node, other} <= seen}
    return Counter(relation for relation, other in read if other not in inside)


def _picked(
    db: Database, nodes: Sequence[str], *, where: Where, relations: Sequence[str], limit: int
) -> list[tuple[Any, ...]]:
    """(source, relation, target, valid_at, weight) of the heaviest edges of each node that pass,
    heaviest first. What is said about an edge is not touched: a node may have thousands."""
    condition, bindings = filters.of_links(where)
    if relations:
        condition += f" AND l.relation IN ({marks(relations)})"
        bindings = [*bindings, *relations]
    # Left alone, the planner takes every edge of the user for a few and reads them all.
    sql = (
        f"SELECT {_EDGE} WHERE l.source=? AND {condition} UNION ALL"
        f" SELECT {_EDGE} INDEXED BY links_back"
        f" WHERE l.target=? AND l.source<>l.target AND {condition}"
        " ORDER BY 5 DESC, 2, 1, 3, 4 LIMIT ? OFFSET ?"
    )
    found: set[tuple[Any, ...]] = set()
    skip, page = 0, limit
    missing = dict.fromkeys(nodes, limit)
    with db.reading():
        # Nearly always once: again only for nodes whose heaviest edges lead to what is hidden.
        while missing:
            rows = {
                node: db.rows(sql, [node, *bindings, node, *bindings, page, skip])
                for node in missing
            }
            ends = {end for edges in rows.values() for row in edges for end in (row[0], row[2])}
            seen = visible(db, ends, where=where)
            for node, edges in rows.items():
                kept = [row for row in edges if row[0] in seen and row[2] in seen]
                found.update(kept[: missing[node]])
                missing[node] -= len(kept)
            missing = {n: m for n, m in missing.items() if m > 0 and len(rows[n]) == page}
            skip, page = skip + page, page * 4
    return sorted(found, key=lambda row: (-row[4], row[1], row[0], row[2], row[3]))


def _heaviest(link: Link) -> tuple[object, ...]:
    return (-link.weight, link.relation, link.source, link.target, link.valid_at)


def all_links(db: Database, where: Where) -> Iterator[Link]:
    condition, bindings = filters.of_links(where)
    with db.reading():
        rows = db.rows(f"SELECT {LINK} WHERE {condition}", bindings)
        seen = visible(db, {e for row in rows for e in (row[0], row[2])}, where=where)
    for row in rows:
        if row[0] in seen and row[2] in seen:
            yield read_link(row, where.scope.user)


def visible(db: Database, nodes: set[str], *, where: Where) -> set[str]:
    """Which of these nodes (cards, sessions, entities) the filter lets through."""
    condition, bindings = filters.of_cards(where)
    session, session_bindings = filters.of_scope(where.scope, "s", session_column="id").build()
    entity, entity_bindings = filters.of_entities(where)
    seen: set[str] = set()
    by_table = (
        ("card-", f"SELECT c.id FROM cards c WHERE {condition} AND c.id", bindings, 0),
        (
            "session:",
            f"SELECT 'session:'||s.id FROM sessions s WHERE {session} AND s.id",
            session_bindings,
            len("session:"),
        ),
        ("entity-", f"SELECT e.id FROM entities e WHERE {entity} AND e.id", entity_bindings, 0),
    )
    for prefix, sql, values, cut in by_table:
        wanted = [n[cut:] for n in nodes if n.startswith(prefix)]
        for part in _parts(wanted):
            seen.update(r[0] for r in db.rows(f"{sql} IN ({marks(part)})", [*values, *part]))
    return seen


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
    found = {}
    for name, turn in dict.fromkeys(wanted):
        rows = db.rows(sql, [where.scope.user, name, turn, *bindings])
        if rows:
            found[name, turn] = [row[0] for row in rows]
    return found


def relations(db: Database, scope: Scope) -> list[Relation]:
    """Core relations first, then free ones, each by use; examples are reasons that were given."""
    used = dict(
        db.rows(
            "SELECT relation, count(*) FROM links WHERE user=? AND retired_at IS NULL"
            " GROUP BY relation",
            [scope.user],
        )
    )
    known = {r.name: r for r in CORE}
    for name, text in db.rows("SELECT name, json FROM relations"):
        known[name] = decode(Relation, json.loads(text))
    found = [replace(r, frequency=used.get(r.name, 0)) for r in known.values()]
    found = [r for r in found if r.name in CORE_NAMES or r.frequency]
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


def _card(row: Any) -> tuple[Card, CardState]:
    text, recorded, retired, forgotten, pinned, stale, quarantined, tier, count, last, rel = row
    state = CardState(
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
    return _read_card(text), state


@lru_cache(maxsize=2_048)  # a card is a value, and the same ones are recalled again and again
def _read_card(text: str) -> Card:
    card: Card = decode(Card, json.loads(text))
    return card


@lru_cache(maxsize=2_048)  # as cards are
def read_link(row: tuple[Any, ...], user: str) -> Link:
    source, relation, target, valid, weight, invalid, recorded, retired, text = row
    said = json.loads(text)
    said["scope"] = {**said.get("scope", {}), "user": user}
    said.update(source=source, relation=relation, target=target, weight=weight, valid_at=valid)
    said.update(invalid_at=invalid, recorded_at=recorded, retired_at=retired)
    link: Link = decode(Link, said)
    return link


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
