"""The verbs that mind the memory: export, verify, rebuild, embed. Methods of Memory."""

from __future__ import annotations

from pathlib import Path

from alaya import export as exporting
from alaya.errors import NotFound
from alaya.introspect import audit, embed_worker
from alaya.introspect import rebuild as rebuilding
from alaya.model.passage import Where
from alaya.model.report import ExportReport, RebuildReport, VerifyReport
from alaya.parts import Opened
from alaya.ports import Progress
from alaya.projection import catch_up


def export(
    memory: Opened, folder: str | Path | None = None, *, sessions: bool = False
) -> ExportReport:
    """Cards as Markdown by kind, the graph as GraphML, an index; `sessions`: as JSON too."""
    parts, scope = memory.parts, memory.scope
    parts.follow()
    usual = exporting.default_folder(parts.config.home, scope.user)
    return exporting.export(
        parts.archive,
        parts.index,
        where=Where(scope=scope),
        folder=Path(folder or usual).expanduser(),
        sessions=sessions,
    )


def verify(memory: Opened, *, repair: bool = False) -> VerifyReport:
    """Is L3 what was written, do L2 and L1 follow from it? `repair` mends the latter two."""
    parts = memory.parts
    return audit.verify(
        parts.archive,
        parts.index,
        scratch=parts.scratch,
        scope=memory.scope,
        follow=parts.follow,
        mend=(lambda: rebuild(memory)) if repair else None,
    )


def rebuild(memory: Opened) -> RebuildReport:
    """Grow L2 and L1 anew from L3, in place, without calling a model."""
    parts = memory.parts
    report = rebuilding.rebuild(
        parts.archive, parts.index, scope=memory.scope, fill=parts.fill_vectors, timer=parts.timer
    )
    parts.embed_later()
    return report


def rebuild_l1(memory: Opened) -> RebuildReport:
    """Grow words and vectors anew from L2."""
    parts = memory.parts
    catch_up(parts.archive, parts.index)
    report = rebuilding.rebuild_l1(
        parts.index, memory.scope, fill=parts.fill_vectors, timer=parts.timer
    )
    parts.embed_later()
    return report


def embed(
    memory: Opened,
    *,
    limit: int | None = None,
    gently: bool = False,
    progress: Progress | None = None,
) -> int:
    """Work off the texts without a vector; can be interrupted. Returns how many were done.

    Raises NotFound when there is no embedder, and Busy when another process is at it; with
    `gently`, as the background worker, at lowest priority, it leaves that one alone.
    """
    parts = memory.parts
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
