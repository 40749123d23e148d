"""Links to rows: said, retired, and taken over when one node turns out to be another."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from alaya.model import change as ch
from alaya.model.codec import decode
from alaya.model.graph import Link, Relation
from alaya.model.ids import sha256
from alaya.model.relations import canonical
from alaya.model.time import format_time, parse_time
from alaya.stores.sqlite import former
from alaya.stores.sqlite.applying import Applying, as_json, drop_vectors

# The same edge said again is the same edge; its newest weight and reason count.
_SAID_AGAIN = """DO UPDATE SET weight=excluded.weight, json=excluded.json,
  invalid_at=excluded.invalid_at, recorded_at=min(recorded_at,excluded.recorded_at),
  retired_at=NULL"""
# An edge that is taken over gives way to the one that stands there, unless that one is retired.
_TAKEN_OVER = f"{_SAID_AGAIN} WHERE links.retired_at IS NOT NULL"


def link_added(to: Applying, change: ch.LinkAdded) -> None:
    _put(to, change.link, again=_SAID_AGAIN)
    put_relation(to, Relation(canonical(change.link).relation), keep=True)


def link_retired(to: Applying, change: ch.LinkRetired | ch.FactRetired) -> None:
    former.keep_links(to, "user=? AND id=?", change.scope.user, change.link)
    to.db.execute(
        "UPDATE links SET retired_at=coalesce(retired_at,?), invalid_at=coalesce(?,invalid_at)"
        " WHERE user=? AND id=?",
        (
            to.at,
            format_time(change.invalid_at) if change.invalid_at else None,
            change.scope.user,
            change.link,
        ),
    )
    to.changed("relation")


def move_links(to: Applying, user: str, *, old: str, new: str) -> None:
    """The current edges of `old` become edges of `new`; as edges of `old` they are retired.

    So do those that ended, as what ended when it did, where `new` has none.
    """
    mine = "FROM links WHERE user=? AND (source=? OR target=?) AND retired_at"
    rows: list[Any] = to.db.execute(
        f"SELECT source, target, invalid_at, json {mine} IS NULL ORDER BY id", (user, old, old)
    ).fetchall()
    ended: list[Any] = to.db.execute(
        f"SELECT source, target, invalid_at, json, recorded_at, retired_at {mine} IS NOT NULL"
        " AND invalid_at IS NOT json_extract(json,'$.invalid_at') ORDER BY id",
        (user, old, old),
    ).fetchall()
    former.keep_links(to, "user=? AND (source=? OR target=?)", user, old, old)
    to.db.execute(
        "UPDATE links SET retired_at=? WHERE user=? AND (source=? OR target=?)"
        " AND retired_at IS NULL",
        (to.at, user, old, old),
    )
    for source, target, invalid, text in rows:
        link: Link = decode(Link, json.loads(text))
        moved = replace(
            link,
            source=new if source == old else source,
            target=new if target == old else target,
            invalid_at=parse_time(invalid) if invalid else None,
        )
        if moved.source != moved.target:
            _put(to, moved, again=_TAKEN_OVER)
    for source, target, invalid, text, recorded, retired in ended:
        link = decode(Link, json.loads(text))
        moved = replace(
            link,
            source=new if source == old else source,
            target=new if target == old else target,
        )
        known = to.db.execute("SELECT 1 FROM links WHERE user=? AND id=?", (user, moved.id))
        if moved.source != moved.target and known.fetchone() is None:
            _put(to, moved, again=_TAKEN_OVER)
            to.db.execute(
                "UPDATE links SET invalid_at=?, recorded_at=?, retired_at=? WHERE user=? AND id=?",
                (invalid, recorded, retired, user, moved.id),
            )
    to.changed("relation")


def put_relation(to: Applying, relation: Relation, *, keep: bool) -> None:
    """A relation, unless (`keep`) it is known; the vector of what it meant before goes."""
    if not keep or not known(to, relation.name):
        found = "SELECT json FROM relations WHERE name=:name"
        former.keep_value(to, "relation", user="", name=relation.name, found=found)
    before = to.db.execute(
        "SELECT text_hash FROM relations WHERE name=?", (relation.name,)
    ).fetchone()
    conflict = (
        "DO NOTHING" if keep else "DO UPDATE SET text_hash=excluded.text_hash, json=excluded.json"
    )
    to.db.execute(
        f"INSERT INTO relations(name,text_hash,json) VALUES(?,?,?) ON CONFLICT(name) {conflict}",
        (relation.name, sha256(relation.text), as_json(relation)),
    )
    if before is not None and not keep:
        drop_vectors(to, before[0])
    to.changed("relation")


def known(to: Applying, relation: str) -> bool:
    found = to.db.execute("SELECT 1 FROM relations WHERE name=?", (relation,))
    return found.fetchone() is not None


def _put(to: Applying, said: Link, *, again: str) -> None:
    link = canonical(said)
    former.keep_links(to, "user=? AND id=?", link.scope.user, link.id)
    to.db.execute(
        f"""INSERT INTO links(user,source,relation,target,valid_at,weight,id,invalid_at,
             recorded_at,json) VALUES(?,?,?,?,?,?,?,?,?,?)
           ON CONFLICT(user,source,relation,target,valid_at) {again}""",
        (
            link.scope.user,
            link.source,
            link.relation,
            link.target,
            format_time(link.valid_at),
            link.weight,
            link.id,
            format_time(link.invalid_at) if link.invalid_at else None,
            to.at,
            as_json(link),
        ),
    )
