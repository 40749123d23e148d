"""The commands that write: init, ingest, distill, link, export, rebuild, embed."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

from alaya.cli import show_distill
from alaya.cli import show_writes as show
from alaya.cli.opening import open_memory
from alaya.cli.page import Page
from alaya.cli.parser import BadUsage
from alaya.cli.progress import Bar
from alaya.cli.result import Result, document
from alaya.errors import Failure, InvalidInput, UserError
from alaya.export import default_folder
from alaya.model.call import Problem
from alaya.model.report import Discovered, DistillReport, Outcome

if TYPE_CHECKING:
    from alaya.memory import Memory


def init(args: Namespace, page: Page) -> Result:
    """Make the home; harmless when there is one."""
    with open_memory(args) as memory:
        created, home = memory.init(), str(memory.config.home)
    return Result(
        {"home": home, "created": created},
        lambda page: show.init_lines(created, page, home=home),
        confirms=True,
    )


def ingest(args: Namespace, page: Page) -> Result:
    """Take session logs into the archive."""
    if args.discover and args.paths:
        raise BadUsage(page.say("bad.discover_paths"), "")
    if not args.discover and not args.paths:
        raise BadUsage(page.say("bad.no_paths"), "")
    with open_memory(args) as memory:
        take = _discover if args.discover else _ingest
        return take(args, page, memory=memory)


def _ingest(args: Namespace, page: Page, *, memory: Memory) -> Result:
    if "-" in args.paths and sys.stdin is None:
        raise InvalidInput(page.say("ingest.no_stdin"))
    sources: list[str | Path | IO[bytes]] = [
        sys.stdin.buffer if path == "-" else path for path in args.paths
    ]
    return _take(args, page, memory=memory, sources=sources, listed={})


def _discover(args: Namespace, page: Page, *, memory: Memory) -> Result:
    found = memory.discover()
    new = [item for item in found if not item.known]
    listed = {"discovered": document(found)}
    if new and not args.yes and page.ask and not args.json:
        print("\n".join(show.discovered_lines(found, page)))
        if not _agreed(page):
            return Result(listed, lambda page: [page.say("discover.left")])
    elif not args.yes or not new:
        return Result(listed, lambda page: _listing(found, page))
    sources = [item.path for item in new]
    return _take(args, page, memory=memory, sources=sources, listed=listed)


def _listing(found: Sequence[Discovered], page: Page) -> list[str]:
    lines = show.discovered_lines(found, page)
    return [*lines, *page.hints(page.say("discover.next"))] if found else lines


def _agreed(page: Page) -> bool:
    print(page.say("discover.ask"), end=" ", flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes", "是", "好")


def _take(
    args: Namespace,
    page: Page,
    *,
    memory: Memory,
    sources: Sequence[str | Path | IO[bytes]],
    listed: dict[str, object],
) -> Result:
    """Ingest, and distil afterwards where the configuration says so.

    Status 1 when everything that was given had to be parked; 3 when something was left out by a
    failure of ours, as of a full disk.
    """
    with Bar(page, "ingest") as progress:
        report = memory.ingest(*sources, format=args.format, progress=progress)
    distilled: DistillReport | None = None
    distils = memory.config.distill.auto_distill and not args.no_distill
    if report.turns and distils and not report.failed:
        with Bar(page, "distill") as progress:
            distilled = memory.distill(progress=progress)
    llm = configured_llm(memory)

    def lines(page: Page) -> list[str]:
        after = show_distill.distill_lines(distilled, page, llm=llm) if distilled else []
        return [*show.ingest_lines(report, page), *after]

    useless = bool(report.parked) and not report.sessions and not report.unchanged
    found = {**listed, **document(report)}
    if distilled is not None:
        found["distilled"] = document(distilled)
    status = Failure.exit_status if report.failed else int(useless)
    if distilled is not None:
        status = max(status, distil_status(distilled))
    return Result(found, lines, status=status, confirms=not status)


def distill(args: Namespace, page: Page) -> Result:
    """From what was said to cards."""
    with open_memory(args) as memory, Bar(page, "distill") as progress:
        report = memory.distill(
            args.session,
            all_kinds=args.all,
            redistill=args.redistill,
            rules=args.rules,
            dry_run=args.dry_run,
            close=args.close,
            progress=progress,
        )
        llm = configured_llm(memory)
    status = distil_status(report)
    return Result(
        document(report),
        lambda page: show_distill.distill_lines(report, page, llm=llm),
        status=status,
        confirms=not status and not args.dry_run,
    )


def distil_status(report: DistillReport) -> int:
    """1 where a limit of the user's own ended it, 3 where a model did not answer usably."""
    if not report.failed:
        return 0
    only_budget = report.stopped_by == Problem.BUDGET and not report.count(Outcome.FAILED)
    return UserError.exit_status if only_budget else Failure.exit_status


def configured_llm(memory: Memory) -> str | None:
    provider = memory.config.distill.llm_provider
    return None if provider == "none" else provider


def link(args: Namespace, page: Page) -> Result:
    """Join two cards by hand."""
    with open_memory(args) as memory:
        made = memory.link(
            args.source, args.target, relation=args.rel, reason=args.reason, weight=args.weight
        )
    return Result(document(made), lambda page: show.link_lines(made, page), confirms=True)


def export(args: Namespace, page: Page) -> Result:
    """Cards as Markdown, the graph as GraphML, an index."""
    with open_memory(args) as memory:
        folder = args.output or default_folder(memory.config.home, memory.scope.user)
        report = memory.export(folder, sessions=args.sessions)
    return Result(document(report), lambda page: show.export_lines(report, page), confirms=True)


def rebuild(args: Namespace, page: Page) -> Result:
    """Grow L2 and L1 again from L3."""
    with open_memory(args) as memory:
        report = memory.rebuild()
    return Result(document(report), lambda page: show.rebuild_lines(report, page), confirms=True)


def rebuild_l1(args: Namespace, page: Page) -> Result:
    """Grow L1 again from L2."""
    with open_memory(args) as memory:
        report = memory.rebuild_l1()
    return Result(document(report), lambda page: show.rebuild_lines(report, page), confirms=True)


def embed(args: Namespace, page: Page) -> Result:
    """Work off the embedding backlog. It can be interrupted: what is done is kept."""
    with open_memory(args) as memory:
        if args.worker:
            done = memory.embed(limit=args.limit, gently=True)
            return Result({"embedded": done}, lambda page: [], confirms=True)
        with Bar(page, "embed") as progress:
            done = memory.embed(limit=args.limit, progress=progress)
        state = memory.status().embedding
    left = state.pending
    return Result(
        {"embedded": done, "pending": left, "embedding": document(state)},
        lambda page: show.embed_lines(state, page, done=done),
        confirms=True,
    )
