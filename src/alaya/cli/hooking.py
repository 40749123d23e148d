"""`alaya hook EVENT`: what agents run at the events of a session. Fast, and never in the way.

A hook reads the event as JSON from standard input (as Claude Code and Codex give it), and what it
prints goes into the prompt. A running MCP server of the same scope answers it, else it looks
itself, by words alone. It prints nothing rather than late; ingesting and distilling go to the
background.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alaya.cli.log import record_crash
from alaya.cli.opening import config_of, open_memory, scope_of
from alaya.cli.page import Page, is_terminal
from alaya.cli.result import Result
from alaya.errors import AlayaError

if TYPE_CHECKING:
    from alaya.config import Config

_MOST = 4_000_000  # bytes of an event
_BY_WORDS = [
    "embedding.provider=none",
    "recall.tokenizer=estimate",
]  # a model would take longer to load than a hook may


def hook(args: Namespace, page: Page) -> Result:
    """Answer one event: a context, or nothing."""
    event = _event()
    if args.event in ("session-start", "prompt"):
        if args.event == "session-start":
            _later(args, "distill")
        return Result({}, lambda page: [text] if (text := _in_time(args, event)) else [])
    path = event.get("transcript_path")
    if isinstance(path, str) and Path(path).expanduser().is_file():
        distil = ["--no-distill"] if args.event == "compact" else _SET
        _later(args, "ingest", str(Path(path).expanduser()), *distil)
    return Result({}, lambda page: [])


_SET = ["--set", "distill.auto_distill=true"]


def _event() -> Mapping[str, Any]:
    """What the agent tells; nothing where it tells nothing that can be read."""
    if sys.stdin is None or is_terminal(sys.stdin):
        return {}
    try:
        found = json.loads(sys.stdin.buffer.read(_MOST))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _in_time(args: Namespace, event: Mapping[str, Any]) -> str:
    """The context for an event, from a server that is warm or else made here; nothing if late."""
    from alaya.server import warm

    config = config_of(args)
    if not (config.home / "alaya.db").exists():
        return ""
    told = warm.ask(config.home, scope_of(args), event=event, within=config.mcp.hook_seconds)
    if told is not None:
        return told
    found = list[str]()
    threading.excepthook = lambda failed: _crashed(config, failed)

    def work() -> None:
        args.set_first = [*(args.set_first or ()), *_BY_WORDS]
        try:
            with open_memory(args) as memory:
                found.append(warm.context_for(memory, event))
        except AlayaError as error:
            logging.getLogger("alaya.cli").warning("hook: %s", type(error).__name__)

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    worker.join(config.mcp.hook_seconds)
    return found[0] if found else ""


def _crashed(config: Config, failed: threading.ExceptHookArgs) -> None:
    if failed.exc_value is not None:
        record_crash(config, failed.exc_value)


def _later(args: Namespace, *command: str) -> None:
    """Run a command of alaya that outlives the hook; what it says goes to the log of hooks."""
    config = config_of(args)
    log = config.home / "logs" / "hooks.log"
    options = [("--home", str(config.home)), ("--user", args.user), ("--agent", args.agent)]
    more = [word for name, value in options if value for word in (name, value)]
    log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "alaya", *command, *more, "--quiet"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=output,
            start_new_session=True,
            close_fds=True,
        )
    finally:
        os.close(output)
    # It lives on; Python would warn that nobody waits for it.
    threading.Thread(target=process.wait, daemon=True).start()
