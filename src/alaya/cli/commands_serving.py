"""What the commands that serve agents take."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from alaya.cli.language import Say


def _mcp(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--http", metavar="HOST:PORT", help=say("mcp.http"))
    parser.add_argument("--read-only", action="store_true", help=say("mcp.read_only"))


COMMANDS: dict[str, Callable[[argparse.ArgumentParser, Say], None]] = {"mcp": _mcp}
