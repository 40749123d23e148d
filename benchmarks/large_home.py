"""A home of any size for benchmarks, written through the journal like any other.

Sessions of fifty turns, cards that cite their turns, links of the usual kinds. Embedding 125,000
texts takes an hour at 30 a second; so `VECTORS` distinct texts get their real vectors, and every
other text gets one that is placed like real ones (placed.py): it just means nothing.
"""

from __future__ import annotations

import dataclasses
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import placed
from prose import Prose

from alaya import Memory
from alaya.model.change import CardAdded, Change, LinkAdded, SessionDistilled
from alaya.model.graph import Card, CardKind, Link
from alaya.model.ids import card_id, sha256
from alaya.model.raw import Origin, Role, Session, Span, Turn
from alaya.model.scope import Scope
from alaya.parts import Parts
from alaya.ports import Embedder, Vector
from alaya.projection import Grow, catch_up, commit
from alaya.wiring import parts as wire

VECTORS = 500
TURNS_EACH = 50  # in a session
_TOGETHER = 20  # sessions in one record
_KINDS = (CardKind.CONCEPT, CardKind.PATTERN, CardKind.GOTCHA, CardKind.DECISION)
_RELATIONS = (
    "TEMPORAL_NEXT",
    "SIMILAR_TO",
    "CAUSED_BY",
    "DEPENDS_ON",
    "RELATES_TO",
    "用于",
    "替代",
)
_EMBEDDED_TOGETHER = 32
_STORED_TOGETHER = 4096

QUIET = {"embedding.background": False}

Tell = Callable[[str], object]


def build(
    home: Path,
    prose: Prose,
    *,
    cards: int,
    links: int,
    turns: int,
    tell: Tell,
    vectors: int = VECTORS,
    width: int = 384,
) -> None:
    """Fill a new home; one that is filled is left alone.

    `vectors`: how many are real ones; `width`: in how many dimensions they are stored, too.
    """
    parts = wire(home, QUIET)
    try:
        catch_up(parts.archive, parts.index)  # what an older alaya has written is replayed first
        known = parts.index.counts(Scope()).get("cards", 0)
        if 0 < known < cards:
            raise SystemExit(f"{home} holds {known} of {cards} cards; delete it and run this again")
        if not known:
            _fill(parts, prose, cards=cards, links=links, turns=turns, tell=tell)
        if parts.embedder is not None:
            _embed(parts, vectors, tell)
            if width != parts.embedder.dimensions:
                widen(parts, width, tell)
    finally:
        parts.index.close()


def _fill(parts: Parts, prose: Prose, *, cards: int, links: int, turns: int, tell: Tell) -> None:
    rng = random.Random(2026)
    sessions = max(1, turns // TURNS_EACH)
    known: list[str] = []
    for first in range(0, sessions, _TOGETHER):
        part = range(first, min(sessions, first + _TOGETHER))
        made = [_session(number, prose, rng) for number in part]
        changes: list[Change | Grow] = [Grow(s, 0, 0, 0, tuple(said)) for s, said in made]
        wanted = cards * (part.stop) // sessions - len(known)
        fresh = [_card(prose, rng, *rng.choice(made)) for _ in range(wanted)]
        known += [card.id for card in fresh]
        changes += [CardAdded(card) for card in fresh]
        edges = links * part.stop // sessions - links * part.start // sessions
        changes += [LinkAdded(link) for link in _links(fresh, known, edges, rng)]
        changes += [
            SessionDistilled(s.scope, s.id, "draft", "bench", len(said), sha256(s.id), wanted)
            for s, said in made
        ]
        commit(
            parts.archive,
            parts.index,
            decide=lambda changes=changes: changes,  # type: ignore[misc]
            actor="bench",
            verb="bench",
            clock=parts.clock,
        )
        if first % (10 * _TOGETHER) == 0:
            tell(f"building: {part.stop} of {sessions} sessions, {len(known)} cards")


def _session(number: int, prose: Prose, rng: random.Random) -> tuple[Session, list[Turn]]:
    start = datetime.now(UTC) - timedelta(days=365 * (1 - number / 2000) % 365, minutes=number)
    session = Session(f"bench-{number:05d}", Scope(agent="bench"), start, title="benchmark")
    turns = [
        Turn(
            id=f"t{i}",
            role=Role.USER if i % 2 == 0 else Role.ASSISTANT,
            content=prose.passage(rng, 1, 4),
            said_at=start + timedelta(minutes=i),
            origin=Origin.OWNER if i % 2 == 0 else Origin.AGENT,
        )
        for i in range(TURNS_EACH)
    ]
    return session, turns


def _card(prose: Prose, rng: random.Random, session: Session, turns: Sequence[Turn]) -> Card:
    cited = rng.sample(turns, 2)
    title = prose.passage(rng, 1, 1)[:60]
    said = max(turn.said_at or session.started_at for turn in cited)
    return Card(
        id=card_id("bench", rng.getrandbits(63)),
        scope=Scope(agent="bench", session=session.id),
        title=title,
        content=prose.passage(rng, 3, 6),
        kind=rng.choice(_KINDS),
        created_at=said,
        said_at=said,
        updated_at=said,
        tags=(title[:4].strip(), rng.choice(("gateway", "docker", "旅行", "学习"))),
        importance=round(rng.random(), 2),
        evidence=tuple(Span(session.id, t.id, 0, len(t.content), sha256(t.content)) for t in cited),
    )


def add_cards(parts: Parts, count: int) -> None:
    """Some more cards, short and without evidence."""
    now, rng = datetime.now(UTC), random.Random()
    cards = [
        Card(
            id=card_id("bench", rng.getrandbits(63)),
            scope=Scope(agent="bench"),
            title=f"A note of no consequence, number {rng.getrandbits(63)}",
            content="",
            kind=CardKind.CONCEPT,
            created_at=now,
            said_at=now,
            updated_at=now,
        )
        for _ in range(count)
    ]
    commit(
        parts.archive,
        parts.index,
        decide=lambda: [CardAdded(card) for card in cards],
        actor="bench",
        verb="bench",
        clock=parts.clock,
    )


def _links(
    fresh: Sequence[Card], known: Sequence[str], count: int, rng: random.Random
) -> Iterator[Link]:
    for _ in range(count):
        card = rng.choice(fresh)
        other = rng.choice(known)
        if other != card.id:
            relation, weight = rng.choice(_RELATIONS), round(rng.uniform(0.3, 1), 2)
            yield Link(Scope(), card.id, relation, other, card.said_at, weight)


def _embed(parts: Parts, wanted: int, tell: Tell) -> None:
    index, embedder = parts.index, parts.embedder
    assert embedder is not None
    have = index.models().get(embedder.name, 0)
    while have < wanted and (some := index.pending(embedder.name, _EMBEDDED_TOGETHER)):
        made = embedder.passages([item.text for item in some])
        index.put(embedder.name, {p.text_hash: v for p, v in zip(some, made, strict=True)})
        have = index.models().get(embedder.name, 0)
        tell(f"embedding: {have} of {wanted}")
    known = [windows[0] for _, windows in index.sample(embedder.name, wanted) if len(windows)]
    real = np.concatenate([np.asarray(known, dtype=np.float32), placed.cached(25_000)])
    rng = np.random.default_rng(2026)
    while some := index.pending(embedder.name, _STORED_TOGETHER):
        made = placed.like(real, len(some), rng)
        index.put(embedder.name, {p.text_hash: [v] for p, v in zip(some, made, strict=True)})
        tell(f"placing vectors: {index.pending_count(embedder.name)} left")


class Widened:
    """An embedder whose vectors are another one's in more dimensions: every cosine is the same."""

    def __init__(self, embedder: Embedder, width: int) -> None:
        self.name, self.dimensions = f"bench-{width}", width
        self.baseline = embedder.baseline
        self._embedder = embedder

    def passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        made = self._embedder.passages(texts)
        return [list(placed.widened(np.asarray(windows), self.dimensions)) for windows in made]

    def query(self, text: str) -> Vector:
        vector: Vector = placed.widened(np.asarray(self._embedder.query(text)), self.dimensions)
        return vector


def opened(home: Path, width: int = 384, *, settings: Mapping[str, object] | None = None) -> Memory:
    """The memory of such a home, asked in that many dimensions."""
    parts = wire(home, {**QUIET, **(settings or {})})
    if parts.embedder is not None and width != parts.embedder.dimensions:
        parts = dataclasses.replace(parts, embedder=Widened(parts.embedder, width))
    return Memory(parts, Scope(user=parts.config.user))


def widen(parts: Parts, width: int, tell: Tell) -> None:
    """Store each vector of the embedder's model again in `width` dimensions."""
    index, embedder = parts.index, parts.embedder
    assert embedder is not None
    name = f"bench-{width}"
    sql = (
        "SELECT v.vector FROM json_each(?) j CROSS JOIN vectors v ON v.model=? AND v.hash=j.value"
        " AND v.win=0 ORDER BY j.key"
    )
    while some := index.pending(name, _STORED_TOGETHER):
        hashes = json.dumps([item.text_hash for item in some])
        rows = index._db.rows(sql, [hashes, embedder.name])  # type: ignore[attr-defined]
        known = np.stack([np.frombuffer(row[0], dtype=np.float32) for row in rows])
        wide = placed.widened(known, width)
        index.put(name, {p.text_hash: [v] for p, v in zip(some, wide, strict=True)})
        tell(f"{width} dimensions: {index.pending_count(name)} left")
