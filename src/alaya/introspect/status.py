"""The three layers in numbers."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from alaya.config import Config
from alaya.introspect.cool import temperature
from alaya.introspect.cooling import rules_of
from alaya.introspect.counting import count_recalls
from alaya.introspect.embed_worker import worker_status
from alaya.model.graph import Horizon
from alaya.model.life import Life
from alaya.model.passage import Where
from alaya.model.raw import SessionKind
from alaya.model.report import EmbeddingStatus, Status
from alaya.model.scope import Scope
from alaya.ports import Archive, Embedder, Index


def status(
    archive: Archive,
    index: Index,
    *,
    scope: Scope,
    config: Config,
    embedder: tuple[Embedder | None, str],
    distiller: str,
    now: datetime,
) -> Status:
    """Counts of what this scope sees; sizes, backlog and parked input of the whole home.

    The index is taken as it stands. `embedder` comes with how it was chosen, or why there is none.
    """
    count_recalls(archive, index)
    counts = index.counts(scope)
    sessions = list(index.sessions(scope))
    lives = index.lives(Where(scope, include_forgotten=True, include_quarantined=True))
    seen = [x for x in lives if x.state.forgotten_at is None and not x.state.quarantined]
    taken = index.vector_bytes(Where(scope))
    waiting = [
        s
        for s in sessions
        if s.distilled < s.turns
        and s.session.kind is SessionKind.MAIN
        and s.tokens >= config.distill.min_session_tokens
    ]
    return Status(
        home=str(config.home),
        user=scope.user,
        counts=counts,
        archive_bytes=archive.size(),
        database_bytes=index.size(),
        oldest=min((s.session.started_at for s in sessions), default=None),
        newest=max((s.last_said_at or s.session.started_at for s in sessions), default=None),
        tiers={t: counts.get(f"tiers.{t}", 0) for t in ("HOT", "WARM", "COLD")},
        temperatures=_temperatures(seen, now=now, config=config),
        tier_memory={tier.value: memory for tier, (memory, _) in taken.items()},
        tier_disk={tier.value: disk for tier, (_, disk) in taken.items()},
        flags=_flags(lives),
        embedding=_embedding(index, config, embedder=embedder[0], why=embedder[1]),
        distiller=distiller,
        journal_seq=index.position().seq,
        behind=archive.head().seq - index.position().seq,
        parked=tuple(archive.parked()),
        undistilled=len(waiting),
    )


def _temperatures(lives: Iterable[Life], *, now: datetime, config: Config) -> tuple[int, ...]:
    rules = rules_of(config).temperatures
    found = [0] * 10
    for life in lives:
        found[min(9, int(temperature(life.said_at, life.state, now=now, rules=rules) * 10))] += 1
    return tuple(found)


def _flags(lives: Iterable[Life]) -> dict[str, int]:
    """Of all cards but the forgotten ones, how many are pinned …; and how many are forgotten."""
    found = dict.fromkeys(("pinned", "stale", "quarantined", "forgotten", "long"), 0)
    for life in lives:
        state = life.state
        if state.forgotten_at is not None:
            found["forgotten"] += 1
            continue
        found["pinned"] += state.pinned
        found["stale"] += state.stale
        found["quarantined"] += state.quarantined
        found["long"] += life.horizon is Horizon.LONG
    return found


def _embedding(
    index: Index, config: Config, *, embedder: Embedder | None, why: str
) -> EmbeddingStatus:
    models = dict(index.models())
    if embedder is None:
        return EmbeddingStatus("none", None, None, why, other_models=models, worker="off")
    return EmbeddingStatus(
        provider=embedder.name.partition("/")[0],
        model=embedder.name,
        dimensions=embedder.dimensions,
        why=why,
        done=models.pop(embedder.name, 0),
        pending=index.pending_count(embedder.name),
        other_models=models,
        worker=worker_status(config.home) if config.embedding.background else "off",
    )
