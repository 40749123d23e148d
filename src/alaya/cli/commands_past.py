"""The arguments of the commands of the memory's own past."""

from __future__ import annotations

from argparse import ArgumentParser as Parser
from collections.abc import Callable

from alaya.cli.language import Say
from alaya.cli.values import share, whole


def _revise(parser: Parser, say: Say) -> None:
    parser.add_argument("card", metavar="CARD", help=say("trace.card"))
    text = parser.add_mutually_exclusive_group()
    text.add_argument("--content", metavar="TEXT", help=say("revise.content"))
    text.add_argument("--edit", action="store_true", help=say("revise.edit"))
    parser.add_argument("--title", metavar="TEXT", help=say("revise.title"))
    parser.add_argument("--tag", metavar="T", dest="tags", action="append", help=say("revise.tag"))
    parser.add_argument("--importance", metavar="X", type=share(say), help=say("revise.importance"))
    parser.add_argument("--reason", metavar="TEXT", default="", help=say("revise.reason"))


def _history(parser: Parser, say: Say) -> None:
    parser.add_argument("id", metavar="CARD|FACT|ENTITY", help=say("history.id"))


def _diff(parser: Parser, say: Say) -> None:
    parser.add_argument("--from", metavar="T", dest="start", required=True, help=say("diff.from"))
    parser.add_argument("--to", metavar="T", dest="end", help=say("diff.to"))


def _undo(parser: Parser, say: Say) -> None:
    parser.add_argument("count", metavar="N", nargs="?", type=whole(say, 1), help=say("undo.count"))
    parser.add_argument("--seq", metavar="S", help=say("undo.seq"))
    parser.add_argument("--with-later", action="store_true", help=say("undo.with_later"))
    parser.add_argument("--list", action="store_true", help=say("undo.list"))
    parser.add_argument("--dry-run", action="store_true", help=say("undo.dry_run"))


def _rollback(parser: Parser, say: Say) -> None:
    parser.add_argument("--to", metavar="T", required=True, help=say("rollback.to"))
    parser.add_argument("--dry-run", action="store_true", help=say("undo.dry_run"))
    parser.add_argument("--yes", action="store_true", help=say("rollback.yes"))


PAST: dict[str, Callable[[Parser, Say], None]] = {
    "revise": _revise,
    "history": _history,
    "diff": _diff,
    "undo": _undo,
    "rollback": _rollback,
}
