"""The commands that remove words for good, and that keep a second copy: erase, backup, restore."""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import replace

from alaya.cli import show_erasing as show
from alaya.cli.opening import config_of, open_memory, settings_of
from alaya.cli.page import Page
from alaya.cli.parser import BadUsage
from alaya.cli.result import Result, document
from alaya.errors import UserError
from alaya.model.erasure import EraseReport, Planned

_TARGETS = ("card", "session", "entity", "query")


def erase(args: Namespace, page: Page) -> Result:
    """Show what goes, ask, and remove it; or look for words that should be gone."""
    named = [name for name in _TARGETS if getattr(args, name) is not None]
    if args.check is not None:
        if named or args.all:
            raise BadUsage(page.say("erase.check_alone"), "")
        return _check(args)
    if len(named) + args.all != 1:
        raise BadUsage(page.say("erase.one"), "")
    asks = page.ask and not args.json
    only_shown = args.dry_run or not (args.yes or asks)

    def agreed(planned: Planned) -> bool:
        if args.yes:
            return True
        print("\n".join(show.plan_lines(planned, page)))
        print(page.say("erase.ask"), end=" ", flush=True)
        return sys.stdin.readline().strip().lower() in ("y", "yes", "是", "好")

    with open_memory(args) as memory:
        report = memory.erase(
            **{name: getattr(args, name) for name in _TARGETS},
            everything=args.all,
            reason=args.reason,
            dry_run=only_shown,
            agreed=agreed,
        )
    if report is None:
        return Result({"erased": False}, lambda page: [page.say("erase.left")])
    if only_shown:
        return _shown(report, asked=args.dry_run)
    found = replace(report, planned=None)  # what is printed may be kept: no words in it
    return Result(
        document(found),
        lambda page: show.erase_lines(found, page),
        status=UserError.exit_status if report.remaining else 0,
        confirms=not report.remaining,
    )


def _shown(report: EraseReport, *, asked: bool) -> Result:
    """What would go; that nothing went is a mistake unless only that was asked."""

    def lines(page: Page) -> list[str]:
        planned = show.plan_lines(report.planned, page) if report.planned else []
        return [*planned, page.say("erase.dry" if asked else "erase.needs_yes")]

    return Result(document(report), lines, status=0 if asked else UserError.exit_status)


def _check(args: Namespace) -> Result:
    with open_memory(args) as memory:
        found = memory.find_words(*args.check)
    status = UserError.exit_status if found.places else 0
    return Result(document(found), lambda page: show.check_lines(found, page), status=status)


def backup(args: Namespace, page: Page) -> Result:
    """The whole home in one file."""
    with open_memory(args) as memory:
        report = memory.backup(args.output, keep=args.keep)
    return Result(document(report), lambda page: show.backup_lines(report, page), confirms=True)


def restore_backup(args: Namespace, page: Page) -> Result:
    """Put a backup in the place of the home."""
    from alaya.memory import Memory

    home = config_of(args).home
    report = Memory.restore_backup(args.backup, home, settings=settings_of(args))
    return Result(document(report), lambda page: show.restore_lines(report, page), confirms=True)
