"""What has no vector yet, and samples of what has."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from alaya.model.codec import decode
from alaya.model.graph import Card, Relation, Summary
from alaya.model.ids import sha256
from alaya.model.passage import ItemKind, Pending
from alaya.model.raw import Session
from alaya.model.speech import embeddable
from alaya.ports import ReadTurn, Vector
from alaya.stores.sqlite.connection import Database

_LACKS = "NOT EXISTS(SELECT 1 FROM vectors v WHERE v.model=? AND v.hash={hash})"
_RELATIONS = "FROM relations r WHERE " + _LACKS.format(hash="r.text_hash")
_CARDS = (
    "FROM cards c WHERE c.retired_at IS NULL AND c.forgotten_at IS NULL AND c.tier<>'COLD' AND "
    + _LACKS.format(hash="c.text_hash")
)
_SUMMARIES = (
    "FROM summaries m WHERE m.retired_at IS NULL AND m.forgotten_at IS NULL AND "
    + _LACKS.format(hash="m.text_hash")
)
_TURNS = "FROM turns t WHERE t.text_hash IS NOT NULL AND t.mark='active' AND " + _LACKS.format(
    hash="t.text_hash"
)
_TURN_COLUMNS = "s.json, t.generation, t.offset, t.length, t.text_hash"
_TURN_JOIN = " JOIN sessions s ON s.user=t.user AND s.id=t.session "


def pending(db: Database, read_turn: ReadTurn, *, model: str, limit: int) -> list[Pending]:
    """Relations first (they are few), then cards, summaries, turns, newest first; each once."""
    found: list[Pending] = []
    for (text,) in db.rows(f"SELECT r.json {_RELATIONS} LIMIT ?", [model, limit]):
        relation: Relation = decode(Relation, json.loads(text))
        found.append(Pending(ItemKind.RELATION, sha256(relation.text), relation.text))
    if len(found) < limit:
        sql = f"SELECT c.json {_CARDS} ORDER BY c.said_at DESC LIMIT ?"
        for (text,) in db.rows(sql, [model, limit - len(found)]):
            card: Card = decode(Card, json.loads(text))
            found.append(Pending(ItemKind.CARD, sha256(card.text), card.text))
    if len(found) < limit:
        sql = f"SELECT m.json {_SUMMARIES} ORDER BY m.said_at DESC LIMIT ?"
        for (text,) in db.rows(sql, [model, limit - len(found)]):
            summary: Summary = decode(Summary, json.loads(text))
            found.append(Pending(ItemKind.SUMMARY, sha256(summary.text), summary.text))
    if len(found) < limit:
        turns = _TURNS.replace("FROM turns t ", f"FROM turns t {_TURN_JOIN}")
        sql = f"SELECT {_TURN_COLUMNS} {turns} ORDER BY t.said_at DESC LIMIT ?"
        for row in db.rows(sql, [model, limit - len(found)]):
            found.append(Pending(ItemKind.TURN, row[4], _turn_text(read_turn, row)))
    unique: dict[str, Pending] = {}
    for item in found:
        unique.setdefault(item.text_hash, item)
    return list(unique.values())


def count(db: Database, model: str) -> int:
    """How many texts have no vector of this model."""
    backlogs = (
        ("r.text_hash", _RELATIONS),
        ("c.text_hash", _CARDS),
        ("m.text_hash", _SUMMARIES),
        ("t.text_hash", _TURNS),
    )
    texts = " UNION ".join(f"SELECT {column} {rest}" for column, rest in backlogs)
    return int(db.rows(f"SELECT count(*) FROM ({texts})", [model] * len(backlogs))[0][0])


def sample(
    db: Database, read_turn: ReadTurn, *, model: str, limit: int
) -> list[tuple[str, Sequence[Vector]]]:
    """Random cards and turns that have vectors: (text, vectors)."""
    import numpy as np

    found: list[tuple[str, Sequence[Vector]]] = []
    for text_hash, text in _sampled(db, read_turn, model=model, limit=limit):
        blobs = db.rows(
            "SELECT vector FROM vectors WHERE model=? AND hash=? AND slot IS NOT NULL",
            [model, text_hash],
        )
        if blobs:
            vectors: list[Any] = [np.frombuffer(b[0], dtype=np.float32) for b in blobs]
            found.append((text, vectors))
    return found


def _sampled(
    db: Database, read_turn: ReadTurn, *, model: str, limit: int
) -> Iterator[tuple[str, str]]:
    has = "EXISTS(SELECT 1 FROM vectors v WHERE v.model=? AND v.hash={hash} AND v.slot IS NOT NULL)"
    cards = has.format(hash="c.text_hash")
    sql = f"SELECT c.text_hash, c.json FROM cards c WHERE {cards} ORDER BY random() LIMIT ?"
    for text_hash, text in db.rows(sql, [model, limit]):
        card: Card = decode(Card, json.loads(text))
        yield text_hash, card.text
    turns = has.format(hash="t.text_hash")
    sql = (
        f"SELECT {_TURN_COLUMNS} FROM turns t {_TURN_JOIN} WHERE t.text_hash IS NOT NULL"
        f" AND {turns} ORDER BY random() LIMIT ?"
    )
    for row in db.rows(sql, [model, limit]):
        yield row[4], _turn_text(read_turn, row)


def _turn_text(read_turn: ReadTurn, row: Any) -> str:
    session: Session = decode(Session, json.loads(row[0]))
    turn = read_turn(session, row[1], offset=row[2], length=row[3])
    return embeddable(turn)
