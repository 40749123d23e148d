"""The commands of the memory's own past: revise, history, diff, undo, rollback."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from argparse import Namespace
from datetime import datetime
from pathlib import Path

from alaya.cli import query as queries
from alaya.cli import show_past as show
from alaya.cli.adding import stdin_text
from alaya.cli.opening import open_memory
from alaya.cli.page import Page
from alaya.cli.parser import BadUsage
from alaya.cli.result import Result, document
from alaya.errors import InvalidInput
from alaya.model.past import UndoReport
from alaya.model.time import utc_now

_LISTED = 20  # records, unless a number is given
_GIVEN = ("content", "title", "tags", "importance")


def revise(args: Namespace, page: Page) -> Result:
    """Write a card anew, by options, standard input or an editor."""
    with open_memory(args) as memory:
        content = args.content
        if args.edit:
            if not page.ask:
                raise BadUsage(page.say("bad.edit"), "")
            content = _edited(memory.trace(args.card).card.content, page)
        elif content == "-" or all(getattr(args, name) is None for name in _GIVEN):
            content = stdin_text(page, missing="bad.revise_nothing")
        before = memory.trace(args.card).card
        card = memory.revise(
            args.card,
            content=content,
            title=args.title,
            tags=args.tags,
            importance=args.importance,
            reason=args.reason,
        )
    return Result(
        document(card), lambda page: show.revised_lines(card, page, before=before), confirms=True
    )


def history(args: Namespace, page: Page) -> Result:
    """The life of one thing."""
    with open_memory(args) as memory:
        found = memory.history(args.id)
    return Result(document(found), lambda page: show.history_lines(found, page))


def diff(args: Namespace, page: Page) -> Result:
    """What changed between two times."""
    start = _when("--from", args.start, page=page)
    end = None if args.end is None else _when("--to", args.end, page=page)
    with open_memory(args) as memory:
        found = memory.diff(start, end=end)
    return Result(show.diff_document(found), lambda page: show.diff_lines(found, page))


def undo(args: Namespace, page: Page) -> Result:
    """Undo the last changes, or one of them; or list them."""
    if args.list:
        with open_memory(args) as memory:
            listed = memory.changes(args.count or _LISTED)
        return Result({"changes": document(listed)}, lambda page: show.recorded_lines(listed, page))
    if args.seq is not None and args.count is not None:
        raise BadUsage(page.say("bad.undo_both"), "")
    seq = None if args.seq is None else _seq(args.seq, page)
    with open_memory(args) as memory:
        report: UndoReport = memory.undo(
            args.count or 1, seq=seq, with_later=args.with_later, dry_run=args.dry_run
        )
    return Result(
        document(report),
        lambda page: show.undo_lines(report, page),
        confirms=not args.dry_run,
    )


def rollback(args: Namespace, page: Page) -> Result:
    """Make the memory hold what it held; a person at a terminal is asked first."""
    to = _when("--to", args.to, page=page)
    asks = page.ask and not args.json and not args.yes
    if not (args.dry_run or args.yes or asks):
        raise BadUsage(page.say("bad.rollback_yes"), "")
    with open_memory(args) as memory:
        report = memory.rollback(to, dry_run=args.dry_run or not args.yes)
        if asks and not args.dry_run and report.changes:
            print("\n".join(show.rollback_lines(report, page)))
            print(page.say("rollback.ask"), end=" ", flush=True)
            if sys.stdin.readline().strip().lower() not in ("y", "yes", "是", "好"):
                return Result(document(report), lambda page: [page.say("rollback.left")])
            report = memory.rollback(to)
    return Result(
        document(report),
        lambda page: show.rollback_lines(report, page),
        confirms=not args.dry_run,
    )


def _when(name: str, text: str, *, page: Page) -> datetime | int:
    """A time, or the number of a record."""
    if text.strip().startswith("#"):
        return _seq(text, page)
    try:
        return queries.time_of(name, text, now=utc_now())
    except queries.Wrong as wrong:
        raise InvalidInput(page.say(wrong.key, **wrong.values)) from wrong


def _seq(text: str, page: Page) -> int:
    number = text.strip().removeprefix("#")
    if not number.isdecimal():
        raise InvalidInput(page.say("past.no_seq", value=text[:80]))
    return int(number)


def _edited(content: str, page: Page) -> str:
    """The text as it leaves the editor of choice."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory(prefix="alaya-") as folder:  # 0700
        path = Path(folder) / "card.md"
        path.write_text(content + "\n", encoding="utf-8")
        try:
            done = subprocess.run([*shlex.split(editor), str(path)], check=False)
        except OSError as error:
            raise InvalidInput(page.say("revise.no_editor", editor=editor)) from error
        if done.returncode:
            raise InvalidInput(page.say("revise.left", editor=editor, status=done.returncode))
        try:
            return path.read_text(encoding="utf-8").removesuffix("\n")
        except UnicodeDecodeError as error:
            raise InvalidInput(page.say("add.not_utf8")) from error
