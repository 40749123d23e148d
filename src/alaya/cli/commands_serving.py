"""What the commands that serve agents take."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from alaya.cli.language import Say
from alaya.cli.values import among

# Named here so that help need not import what installs; a test keeps them equal.
AGENTS = ("claude-code", "codex", "openclaw")
EVENTS = ("session-start", "prompt", "compact", "session-end")


def _mcp(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--http", metavar="HOST:PORT", help=say("mcp.http"))
    parser.add_argument("--read-only", action="store_true", help=say("mcp.read_only"))


def _install(parser: argparse.ArgumentParser, say: Say) -> None:
    told = say("install.name")
    parser.add_argument("name", metavar="AGENT", type=among(say, AGENTS), help=told)
    for flag in ("uninstall", "dry-run", "no-hooks"):
        told = say(f"install.{flag.replace('-', '_')}")
        parser.add_argument(f"--{flag}", action="store_true", help=told)


def _hook(parser: argparse.ArgumentParser, say: Say) -> None:
    told = say("hook.event")
    parser.add_argument("event", metavar="EVENT", type=among(say, EVENTS), help=told)


COMMANDS: dict[str, Callable[[argparse.ArgumentParser, Say], None]] = {
    "mcp": _mcp,
    "install": _install,
    "hook": _hook,
}
