"""A home of any size for benchmarks, written through the journal like any other.

Sessions of fifty turns, cards that cite their turns, links of the usual kinds. Embedding 125,000
texts takes an hour at 30 a second; so `VECTORS` distinct texts get their real vectors, and every
other text gets one made from these: their mean plus a turned mixture of two of their deviations
from it. Such vectors lie in e5's narrow cone (the cosines of unrelated pairs have the median and
the spread of the real ones); they just mean nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
from prose import Prose

from alaya.memory import Parts
from alaya.model.change import CardAdded, Change, LinkAdded, SessionDistilled
from alaya.model.graph import Card, CardKind, Link
from alaya.model.ids import card_id, sha256
from alaya.model.raw import Origin, Role, Session, Span, Turn
from alaya.model.scope import Scope
from alaya.projection import Grow, commit
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
) -> None:
    """Fill a new home; one that is filled is left alone. `vectors`: how many are real ones."""
    parts = wire(home, {"embedding.background": False})
    try:
        known = parts.index.counts(Scope()).get("cards", 0)
        if 0 < known < cards:
            raise SystemExit(f"{home} holds {known} of {cards} cards; delete it and run this again")
        if not known:
            _fill(parts, prose, cards=cards, links=links, turns=turns, tell=tell)
        if parts.embedder is not None:
            _embed(parts, vectors, tell)
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
    real = np.asarray(known, dtype=np.float32)
    rng = np.random.default_rng(2026)
    while some := index.pending(embedder.name, _STORED_TOGETHER):
        placed = like_these(real, len(some), rng)
        index.put(embedder.name, {p.text_hash: [v] for p, v in zip(some, placed, strict=True)})
        tell(f"placing vectors: {index.pending_count(embedder.name)} left")


def like_these(real: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """`count` unit vectors whose cosines are spread like those of `real` (n, d)."""
    mean = real.mean(axis=0)
    apart = real - mean
    angle = rng.uniform(0, np.pi / 2, size=(count, 1)).astype(np.float32)
    one, other = (apart[rng.integers(len(real), size=count)] for _ in range(2))
    made = mean + np.cos(angle) * one + np.sin(angle) * other
    made += rng.normal(0, 0.1 * float(apart.std()), made.shape).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)
