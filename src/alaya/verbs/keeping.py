"""What the verbs that make and keep do: init, ingest, discover, distill, link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import IO

from alaya import editing
from alaya.model.graph import Link
from alaya.model.report import Discovered, DistillReport, IngestReport
from alaya.model.scope import Scope
from alaya.parts import Parts
from alaya.ports import Progress


def init(parts: Parts) -> list[str]:
    """Make what is missing of the home; returns what was made."""
    made = parts.archive.create()
    made += import_module("alaya.wiring").write_defaults(parts.config)
    parts.follow()
    if made and not parts.index.position().seq:
        made.append("alaya.db")
    return made


def ingest(
    parts: Parts,
    scope: Scope,
    *,
    sources: Sequence[str | Path | IO[bytes]],
    format: str | None,
    progress: Progress | None,
) -> IngestReport:
    """Take sources into the archive, and start embedding what is new."""
    from alaya.ingest import take  # only here: reading is worth 0.1 s less to import

    parts.follow()
    report = take.take(
        parts.archive,
        parts.index,
        sources=sources,
        scope=scope,
        format=format,
        clock=parts.clock,
        progress=progress,
    )
    return replace(report, embedding=parts.embed_later() if report.turns else "")


def discover(parts: Parts, scope: Scope) -> list[Discovered]:
    """The logs of the agents that are installed on this machine."""
    from alaya.ingest import discover, take

    def known(path: Path, size: int) -> bool:
        return take.is_known(parts.archive, scope.user, path=path, size=size)

    return discover.discover(parts.environ, parts.user_home, known=known)


def distill(
    parts: Parts,
    scope: Scope,
    *,
    session: str | None,
    all_kinds: bool = False,
    redistill: bool = False,
    progress: Progress | None = None,
) -> DistillReport:
    """Distil one session or all, and start embedding what came of it."""
    from alaya.distill import run as distilling

    parts.follow()
    report = distilling.distill(
        parts.archive,
        parts.index,
        scope=scope,
        session=session,
        rules=distilling.Rules(
            distiller=parts.distiller(),
            min_tokens=parts.config.distill.min_session_tokens,
            all_kinds=all_kinds,
            redistill=redistill,
        ),
        clock=parts.clock,
        progress=progress,
    )
    if report.cards:
        parts.embed_later()
    return report


def link(parts: Parts, wanted: Link) -> Link:
    """Link two cards, unless they are linked."""
    parts.follow()
    return editing.link(parts.archive, parts.index, wanted=wanted, clock=parts.clock)
