"""What the verbs that mind the memory do: export, verify, rebuild, embed."""

from __future__ import annotations

from pathlib import Path

from alaya import export as exporting
from alaya.errors import NotFound
from alaya.introspect import audit, embed_worker
from alaya.introspect import rebuild as rebuilding
from alaya.model.passage import Where
from alaya.model.report import ExportReport, RebuildReport, VerifyReport
from alaya.model.scope import Scope
from alaya.parts import Parts
from alaya.ports import Progress
from alaya.projection import catch_up


def export(
    parts: Parts, scope: Scope, *, folder: str | Path | None, sessions: bool
) -> ExportReport:
    """Write cards, graph and index into a folder, by default into the home's."""
    parts.follow()
    usual = exporting.default_folder(parts.config.home, scope.user)
    return exporting.export(
        parts.archive,
        parts.index,
        where=Where(scope=scope),
        folder=Path(folder or usual).expanduser(),
        sessions=sessions,
    )


def verify(parts: Parts, scope: Scope, *, repair: bool) -> VerifyReport:
    """Compare the three layers; `repair` grows L2 and L1 anew where they differ."""
    return audit.verify(
        parts.archive,
        parts.index,
        scratch=parts.scratch,
        scope=scope,
        follow=parts.follow,
        mend=(lambda: rebuild(parts, scope)) if repair else None,
    )


def rebuild(parts: Parts, scope: Scope) -> RebuildReport:
    """Grow L2 and L1 anew from L3."""
    report = rebuilding.rebuild(
        parts.archive, parts.index, scope=scope, fill=parts.fill_vectors, timer=parts.timer
    )
    parts.embed_later()
    return report


def rebuild_l1(parts: Parts, scope: Scope) -> RebuildReport:
    """Grow L1 anew from L2."""
    catch_up(parts.archive, parts.index)
    report = rebuilding.rebuild_l1(parts.index, scope, fill=parts.fill_vectors, timer=parts.timer)
    parts.embed_later()
    return report


def embed(parts: Parts, *, limit: int | None, gently: bool, progress: Progress | None) -> int:
    """Work off the texts without a vector."""
    if parts.embedder is None:
        raise NotFound(f"nothing can be embedded: {parts.embedder_why}")
    return embed_worker.work_off(
        parts.config.home,
        parts.archive,
        index=parts.index,
        embedder=parts.embedder,
        clock=parts.clock,
        pace=parts.pace(limit, gently=gently),
        progress=progress,
    )
