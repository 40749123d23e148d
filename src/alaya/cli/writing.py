"""The commands that write: init, ingest, distill, link, export, rebuild, embed."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

from alaya.cli import show_writes as show
from alaya.cli.opening import open_memory
from alaya.cli.page import Page
from alaya.cli.parser import BadUsage
from alaya.cli.progress import Bar
from alaya.cli.result import Result, document
from alaya.model.report import Discovered, DistillReport, IngestReport

if TYPE_CHECKING:
    from alaya.memory import Memory


def init(args: Namespace, page: Page) -> Result:
    """Make the home; harmless when there is one."""
    with open_memory(args) as memory:
        created, home = memory.init(), str(memory.config.home)
    return Result(
        {"home": home, "created": created},
        lambda page: show.init_lines(created, home, page),
        confirms=True,
    )


def ingest(args: Namespace, page: Page) -> Result:
    """Take session logs into the archive."""
    if args.discover and args.paths:
        raise BadUsage(page.say("bad.discover_paths"), "")
    if not args.discover and not args.paths:
        raise BadUsage(page.say("bad.no_paths"), "")
    with open_memory(args) as memory:
        return _discover(args, page, memory) if args.discover else _ingest(args, page, memory)


def _ingest(args: Namespace, page: Page, memory: Memory) -> Result:
    sources: list[str | Path | IO[bytes]] = [
        sys.stdin.buffer if path == "-" else path for path in args.paths
    ]
    with Bar(page, "ingest") as progress:
        report = memory.ingest(*sources, format=args.format, progress=progress)
    distilled = _distill_after(args, page, memory, report)
    return _taken(report, distilled, _configured_llm(memory), {})


def _discover(args: Namespace, page: Page, memory: Memory) -> Result:
    found = memory.discover()
    new = [item for item in found if not item.known]
    listed = {"discovered": document(found)}
    if new and not args.yes and page.ask and not args.json:
        print("\n".join(show.discovered_lines(found, page)))
        if not _agreed(page):
            return Result(listed, lambda page: [page.say("discover.left")])
    elif not args.yes or not new:
        return Result(listed, lambda page: _listing(found, page))
    with Bar(page, "ingest") as progress:
        report = memory.ingest(*(item.path for item in new), format=args.format, progress=progress)
    distilled = _distill_after(args, page, memory, report)
    return _taken(report, distilled, _configured_llm(memory), listed)


def _listing(found: Sequence[Discovered], page: Page) -> list[str]:
    lines = show.discovered_lines(found, page)
    return [*lines, *page.hints(page.say("discover.next"))] if found else lines


def _agreed(page: Page) -> bool:
    print(page.say("discover.ask"), end=" ", flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes", "是", "好")


def _distill_after(
    args: Namespace, page: Page, memory: Memory, report: IngestReport
) -> DistillReport | None:
    if args.no_distill or not memory.config.distill.auto_distill or not report.turns:
        return None
    with Bar(page, "distill") as progress:
        return memory.distill(progress=progress)


def _taken(
    report: IngestReport,
    distilled: DistillReport | None,
    llm: str | None,
    more: dict[str, object],
) -> Result:
    """Status 1 when everything that was given had to be parked."""

    def lines(page: Page) -> list[str]:
        after = show.distill_lines(distilled, page, llm=llm) if distilled else []
        return [*show.ingest_lines(report, page), *after]

    useless = bool(report.parked) and not report.sessions and not report.unchanged
    found = {**more, **document(report)}
    if distilled is not None:
        found["distilled"] = document(distilled)
    return Result(found, lines, status=int(useless), confirms=not useless)


def distill(args: Namespace, page: Page) -> Result:
    """From what was said to cards."""
    with open_memory(args) as memory, Bar(page, "distill") as progress:
        report = memory.distill(
            args.session, all_kinds=args.all, redistill=args.redistill, progress=progress
        )
        llm = _configured_llm(memory)
    return Result(
        document(report), lambda page: show.distill_lines(report, page, llm=llm), confirms=True
    )


def _configured_llm(memory: Memory) -> str | None:
    provider = memory.config.distill.llm_provider
    return None if provider == "none" else provider


def link(args: Namespace, page: Page) -> Result:
    """Join two cards by hand."""
    with open_memory(args) as memory:
        made = memory.link(
            args.source, args.target, args.rel, reason=args.reason, weight=args.weight
        )
    return Result(document(made), lambda page: show.link_lines(made, page), confirms=True)


def export(args: Namespace, page: Page) -> Result:
    """Cards as Markdown, the graph as GraphML, an index."""
    with open_memory(args) as memory:
        report = memory.export(args.output, sessions=args.sessions)
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
        lambda page: show.embed_lines(done, state, page),
        confirms=True,
    )
