"""What the commands take that keep and let go, and those about relations."""

from __future__ import annotations

import argparse

from alaya.cli.language import Say
from alaya.cli.values import among, whole

ACTIONS = ("list", "promote", "alias", "split")


def pin(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("cards", metavar="CARD", nargs="+", help=say("forgetting.cards"))
    parser.add_argument("--off", action="store_true", help=say("pin.off"))


def forget(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("cards", metavar="CARD", nargs="*", help=say("forgetting.cards"))
    parser.add_argument("--query", metavar="TEXT", default="", help=say("forget.query"))
    parser.add_argument("--limit", metavar="N", type=whole(say, 1), help=say("forget.limit"))
    parser.add_argument("--reason", metavar="TEXT", default="", help=say("forget.reason"))
    parser.add_argument("--dry-run", action="store_true", help=say("forget.dry-run"))


def restore(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("cards", metavar="CARD", nargs="*", help=say("forgetting.cards"))
    parser.add_argument("--backup", metavar="FILE", help=say("restore.backup"))


def forgotten(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument(
        "--limit", metavar="N", type=whole(say, 1), default=50, help=say("list.limit")
    )
    parser.add_argument(
        "--offset", metavar="N", type=whole(say, 0), default=0, help=say("list.offset")
    )


def relations(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument(
        "action",
        metavar="list|promote|alias|split",
        nargs="?",
        default="list",
        type=among(say, ACTIONS),
        help=say("relations.action"),
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help=say("relations.name"))
    parser.add_argument("into", metavar="INTO", nargs="?", help=say("relations.into"))
    parser.add_argument("--definition", metavar="TEXT", help=say("relations.definition"))
    parser.add_argument("--reason", metavar="TEXT", help=say("relations.reason"))
    parser.add_argument(
        "--link", metavar="ID", action="append", dest="links", help=say("relations.links")
    )


COMMANDS = {
    "pin": pin,
    "forget": forget,
    "forgotten": forgotten,
    "restore": restore,
    "relations": relations,
}
