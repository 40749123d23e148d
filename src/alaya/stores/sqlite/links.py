"""Links as SQL: those of nodes, the ways that lead on, all. Both ends must pass the filter."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from alaya.model.codec import decode
from alaya.model.graph import Edge, Link
from alaya.model.ids import clean
from alaya.model.passage import Where
from alaya.model.relations import reading
from alaya.stores.sqlite import former
from alaya.stores.sqlite import where as filters
from alaya.stores.sqlite.connection import Database
from alaya.stores.sqlite.passed import Passed

LINK = """l.source, l.relation, l.target, l.valid_at, l.weight, l.invalid_at, l.recorded_at,
  l.retired_at, l.json"""
_BACK = "INDEXED BY links_back"
_EDGE = "l.source, l.relation, l.target, l.valid_at, l.weight"
_TOLD = LINK + (
    " FROM json_each(?) k CROSS JOIN {links} WHERE l.user=? AND l.source=k.value->>0"
    " AND l.relation=k.value->>1 AND l.target=k.value->>2 AND l.valid_at=k.value->>3"
)


def links(
    db: Database,
    nodes: Sequence[str],
    *,
    where: Where,
    relations: Sequence[str],
    limit: int,
    passed: Passed,
) -> list[Link]:
    with db.reading():
        rows = _picked(db, nodes, where=where, relations=relations, limit=limit, passed=passed)
        if not rows:
            return []
        keys = json.dumps([row[:4] for row in rows])
        told = db.rows(
            f"SELECT {_TOLD.format(links=former.links(where.believed_at))}",
            [keys, where.scope.user],
        )
    return sorted((read_link(row, where.scope.user) for row in told), key=_heaviest)


def edges(
    db: Database,
    nodes: Sequence[str],
    *,
    where: Where,
    relations: Sequence[str],
    limit: int,
    passed: Passed,
) -> list[Edge]:
    rows = _picked(db, nodes, where=where, relations=relations, limit=limit, passed=passed)
    return [Edge(source, relation, target, weight) for source, relation, target, _, weight in rows]


def ways(db: Database, nodes: Sequence[str], *, where: Where, passed: Passed) -> dict[str, int]:
    (condition, bindings), at = filters.of_links(where), where.believed_at
    sql = (
        f"SELECT l.source, l.relation, l.target FROM json_each(?) j CROSS JOIN {former.links(at)}"
        f" WHERE l.source=j.value AND {condition} UNION"
        " SELECT l.source, l.relation, l.target FROM json_each(?) j CROSS JOIN"
        f" {former.links(at, index=_BACK)} WHERE l.target=j.value AND {condition}"
    )
    inside = set(nodes)
    some = json.dumps([clean(node) for node in sorted(inside)])
    with db.reading():
        found = {
            (node, *reading(Edge(source, relation, target, 1.0), node))
            for source, relation, target in db.rows(sql, [some, *bindings, some, *bindings])
            for node in (source, target)
            if node in inside
        }
        seen = passed.nodes(inside | {other for _, _, other in found}, where=where)
    read = {(relation, other) for node, relation, other in found if {node, other} <= seen}
    return Counter(relation for relation, other in read if other not in inside)


def _picked(
    db: Database,
    nodes: Sequence[str],
    *,
    where: Where,
    relations: Sequence[str],
    limit: int,
    passed: Passed,
) -> list[tuple[Any, ...]]:
    """(source, relation, target, valid_at, weight) of the heaviest edges of each node that pass,
    heaviest first. What is said about an edge is not touched: a node may have thousands."""
    condition, bindings = filters.of_links(where)
    if relations:
        marks = ",".join("?" * len(relations))
        condition += f" AND l.relation IN ({marks})"
        bindings = [*bindings, *relations]
    # Left alone, the planner takes every edge of the user for a few and reads them all.
    sql = (
        f"SELECT {_EDGE} FROM {former.links(where.believed_at)}"
        f" WHERE l.source=? AND {condition} UNION ALL"
        f" SELECT {_EDGE} FROM {former.links(where.believed_at, index=_BACK)}"
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
            seen = passed.nodes(ends, where=where)
            for node, edges in rows.items():
                kept = [row for row in edges if row[0] in seen and row[2] in seen]
                found.update(kept[: missing[node]])
                missing[node] -= len(kept)
            missing = {n: m for n, m in missing.items() if m > 0 and len(rows[n]) == page}
            skip, page = skip + page, page * 4
    return sorted(found, key=lambda row: (-row[4], row[1], row[0], row[2], row[3]))


def _heaviest(link: Link) -> tuple[object, ...]:
    return (-link.weight, link.relation, link.source, link.target, link.valid_at)


def all_links(db: Database, where: Where, *, passed: Passed) -> Iterator[Link]:
    condition, bindings = filters.of_links(where)
    with db.reading():
        rows = db.rows(
            f"SELECT {LINK} FROM {former.links(where.believed_at)} WHERE {condition}", bindings
        )
        ends = {end for row in rows for end in (row[0], row[2])}
        seen = passed.nodes(ends, where=where)
    for row in rows:
        if row[0] in seen and row[2] in seen:
            yield read_link(row, where.scope.user)


@lru_cache(maxsize=2_048)  # a link is a value, as a card is
def read_link(row: tuple[Any, ...], user: str) -> Link:
    source, relation, target, valid, weight, invalid, recorded, retired, text = row
    said = json.loads(text)
    said["scope"] = {**said.get("scope", {}), "user": user}
    said.update(source=source, relation=relation, target=target, weight=weight, valid_at=valid)
    said.update(invalid_at=invalid, recorded_at=recorded, retired_at=retired)
    link: Link = decode(Link, said)
    return link
