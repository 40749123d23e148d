"""What the verbs that make and keep do: init, ingest, add, discover, distill, link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING

from alaya import editing
from alaya.model.action import Added
from alaya.model.graph import Link
from alaya.model.report import Discovered, DistillReport, IngestReport
from alaya.model.scope import Scope
from alaya.parts import How, Parts
from alaya.ports import Progress

if TYPE_CHECKING:
    from alaya.distill.learnt import Learnt
    from alaya.ingest.adding import Messages, Taken


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


def add(
    parts: Parts,
    scope: Scope,
    *,
    messages: Messages,
    session: str | None,
    agent: str | None,
    distil: bool | None,
) -> Added:
    """Append messages to a session; then, where it is wanted, distil that session."""
    from alaya.ingest import adding
    from alaya.ingest.intake import Into

    parts.follow()
    taken = adding.add(
        Into(parts.archive, parts.index, scope.user, parts.clock),
        messages,
        session=scope.session if session is None else session,
        agent=scope.agent if agent is None else agent,
    )
    embedding = parts.embed_later() if taken.turns else ""
    report, found = _distilled(parts, scope, taken=taken, distil=distil)
    return Added(
        session=taken.session,
        created=taken.created,
        episodes=taken.turns,
        known=taken.known,
        cards=found.cards,
        entities=found.entities,
        facts=found.facts,
        summaries=found.summaries,
        skipped=taken.skipped,
        redacted=taken.redacted,
        distilled=report,
        embedding=embedding,
    )


def _distilled(
    parts: Parts, scope: Scope, *, taken: Taken, distil: bool | None
) -> tuple[DistillReport | None, Learnt]:
    """Distil what was added to, however short, where that is asked for.

    None: where the configuration says so, something is new, and the session is long enough.
    """
    from alaya.distill.learnt import Learnt, learnt

    wanted = parts.config.distill.auto_distill and bool(taken.turns) if distil is None else distil
    if not wanted:
        return None, Learnt()
    before = parts.archive.head()
    how = How(short=distil is True)
    report = distill(parts, Scope(scope.user), session=taken.session, how=how)
    return report, learnt(parts.archive.records(before), taken.session)


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
    how: How,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> DistillReport:
    """Distil one session or all, and start embedding what came of it. `dry_run`: only say what it
    would take."""
    from alaya.distill import run as distilling

    parts.follow()
    rules = parts.distilling(scope.user, how)
    home = (parts.archive, parts.index)
    if dry_run:
        found = distilling.forecast(
            *home, scope=scope, session=session, rules=rules, clock=parts.clock
        )
        return parts.with_summaries(found, scope, session=session, how=how)
    report = distilling.distill(
        *home, scope=scope, session=session, rules=rules, clock=parts.clock, progress=progress
    )
    # Nobody answers any more: the next run sums up.
    summaries = None if report.stopped else parts.summarize(scope, session=session, how=how)
    if report.cards or report.revised or (summaries and summaries.made):
        parts.embed_later()
    return replace(report, summaries=summaries)


def link(parts: Parts, wanted: Link) -> Link:
    """Link two cards, unless they are linked."""
    parts.follow()
    return editing.link(parts.archive, parts.index, wanted=wanted, clock=parts.clock)
