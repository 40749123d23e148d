"""The three layers in numbers."""

from __future__ import annotations

from datetime import datetime

from alaya.config import Config
from alaya.introspect.cool import Temperatures, temperature
from alaya.introspect.embed_worker import worker_status
from alaya.model.passage import Where
from alaya.model.raw import SessionKind
from alaya.model.record import RecallLog
from alaya.model.report import EmbeddingStatus, Status
from alaya.model.scope import Scope
from alaya.ports import Archive, Embedder, Index
from alaya.projection import PATIENCE

_BATCH = 500


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
        temperatures=_temperatures(index, scope, now=now, config=config),
        embedding=_embedding(index, config, embedder=embedder[0], why=embedder[1]),
        distiller=distiller,
        journal_seq=index.position().seq,
        behind=archive.head().seq - index.position().seq,
        parked=tuple(archive.parked()),
        undistilled=len(waiting),
    )


def count_recalls(archive: Archive, index: Index) -> None:
    """Bring access counts up to the recall log. They are never journaled.

    While another process writes for long, they wait for the next time.
    """
    while True:
        batch: list[RecallLog] = []
        after = upto = index.recalls_counted()
        for recall, place in archive.recalls_after(upto):
            batch.append(recall)
            upto = place
            if len(batch) == _BATCH:
                break
        if not batch or not index.writable(PATIENCE):
            return
        index.count_recalls(after, upto, recalls=batch)


def _temperatures(index: Index, scope: Scope, *, now: datetime, config: Config) -> tuple[int, ...]:
    numbers = config.temperature
    rules = Temperatures(
        hot_threshold=numbers.hot_threshold,
        warm_threshold=numbers.warm_threshold,
        hot_days=numbers.hot_days,
        hot_accesses=numbers.hot_accesses,
        cold_days=numbers.cold_days,
        recency_decay=numbers.recency_decay,
        frequency_cap=numbers.frequency_cap,
    )
    found = [0] * 10
    for card, state in index.find_cards(Where(scope)):
        found[min(9, int(temperature(card.said_at, state, now=now, rules=rules) * 10))] += 1
    return tuple(found)


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
