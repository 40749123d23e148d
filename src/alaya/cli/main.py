"""The entry point: language, arguments, one command, its result or its error, the exit status.

0 done; 1 a mistake of the caller; 2 bad usage; 3 a failure of ours; 130 interrupted.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alaya.cli import language
from alaya.cli.output import Unwritable, out
from alaya.cli.page import Page, is_terminal, make_streams_safe, open_missing_streams, page_for
from alaya.cli.parser import BadUsage, Parser, build, subparsers

if TYPE_CHECKING:
    from alaya.cli.result import Result
    from alaya.config import Config

_WHERE = {
    "init": "writing",
    "ingest": "writing",
    "add": "adding",
    "distill": "writing",
    "link": "writing",
    "revise": "past",
    "history": "past",
    "diff": "past",
    "undo": "past",
    "rollback": "past",
    "export": "writing",
    "rebuild": "writing",
    "rebuild-l1": "writing",
    "embed": "writing",
    "recall": "reading",
    "context": "reading",
    "retrieve": "reading",
    "facts": "knowing",
    "entities": "knowing",
    "summaries": "knowing",
    "remember": "provenance",
    "event": "provenance",
    "events": "provenance",
    "trace": "provenance",
    "why": "provenance",
    "correct": "provenance",
    "confirm": "provenance",
    "quarantine": "provenance",
    "schema": "reading",
    "status": "reading",
    "usage": "reading",
    "introspect": "introspecting",
    "cron": "scheduling",
    "watch": "scheduling",
    "verify": "reading",
    "pin": "forgetting",
    "forget": "forgetting",
    "forgotten": "forgetting",
    "restore": "forgetting",
    "relations": "relating",
    "config": "settings",
    "erase": "erasing",
    "backup": "erasing",
    "mcp": "serving",
    "install": "serving",
    "hook": "hooking",
}
MISTAKE, USAGE, FAILURE, INTERRUPTED = 1, 2, 3, 130


class _Broken(Exception):
    """Something unexpected happened; the message is for the user, the page says how to print."""

    def __init__(self, message: str, page: Page) -> None:
        super().__init__(message)
        self.page = page


def main(argv: Sequence[str] | None = None) -> int:
    """Run `alaya` with these arguments (or the process's) and return the exit status."""
    status = _main(argv)
    try:
        sys.stderr.flush()
    except OSError:  # nobody can be told, but the status still tells
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    return status


def _main(argv: Sequence[str] | None) -> int:
    words = list(sys.argv[1:] if argv is None else argv)
    open_missing_streams()
    make_streams_safe()
    spoken = language.choose(words)
    page = page_for(spoken, quiet=_has(words, "--quiet", "-q"))
    try:
        status = _parsed(words, page)
        sys.stdout.flush()
    except KeyboardInterrupt:
        _complain(page.say("interrupted"), page, as_json=_has(words, "--json"), kind="Interrupted")
        return INTERRUPTED
    except _Broken as error:
        _complain(str(error), error.page, as_json=_has(words, "--json"), kind="Unexpected")
        return FAILURE
    except BrokenPipeError:
        # Whoever read our output has left; what was to be done is done.
        _silence()
        return 0
    except OSError as error:  # of the last flush: all others are caught where they belong
        return _unwritable(error, page, as_json=_has(words, "--json"))
    return status


def _parsed(words: list[str], page: Page) -> int:
    parser, args = build(page.language), None
    try:
        if not words:
            print(parser.format_help(), end="", file=sys.stderr)
            return USAGE
        args = parser.parse_args(words)
        if args.command is None:
            raise BadUsage(page.say("bad.no_command"), parser.format_usage())
        return _run(args, page)
    except BadUsage as error:
        more = error.usage or _usage(parser, args, page=page)
        _complain(str(error), page, as_json=_has(words, "--json"), kind="BadUsage", more=more)
        return USAGE
    except SystemExit as leave:  # --help and --version
        return leave.code if isinstance(leave.code, int) else 0


def _run(args: Namespace, page: Page) -> int:
    """One command inside the log; every error that is meant becomes its exit status."""
    from alaya.cli.log import logging_to
    from alaya.cli.opening import config_of
    from alaya.errors import AlayaError

    config: Config | None = None
    try:
        if args.command == "config":  # it must be able to mend a broken configuration
            return _logged(args, page)
        config = config_of(args)
        if config.language != page.language:
            page = page_for(config.language, quiet=args.quiet)
        with logging_to(config):
            return _logged(args, page)
    except Unwritable as error:
        return _unwritable(error.cause, page, as_json=args.json)
    except AlayaError as error:
        _complain(page.local(str(error)), page, as_json=args.json, kind=type(error).__name__)
        return error.exit_status
    except (BadUsage, BrokenPipeError):
        raise
    except (PermissionError, FileNotFoundError, NotADirectoryError, IsADirectoryError) as error:
        _log_crash(config, error)
        _complain(str(error), page, as_json=args.json, kind=type(error).__name__)
        return MISTAKE
    except Exception as error:
        raise _Broken(_crash_text(error, page, config=config), page) from error


def _logged(args: Namespace, page: Page) -> int:
    import logging
    import time

    started, status, logger = time.monotonic(), FAILURE, logging.getLogger("alaya.cli")
    try:
        result = command(args.command)(args, page)
        _print(result, page, args=args)
        status = result.status
    finally:
        took = round(1000 * (time.monotonic() - started))
        logger.info("%s: status %d, %d ms", args.command, status, took)
    return status


def command(name: str) -> Callable[[Namespace, Page], Result]:
    """The function of a command; its module is imported only now."""
    found: Callable[[Namespace, Page], Result] = getattr(
        import_module(f"alaya.cli.{_WHERE[name]}"), name.replace("-", "_")
    )
    return found


def _print(result: Result, page: Page, *, args: Namespace) -> None:
    if args.json:
        indent = 2 if page.decor else None
        out(json.dumps(result.document, ensure_ascii=False, indent=indent))
    elif not (args.quiet and result.confirms):
        out("\n".join(result.text(page)))


def _unwritable(error: OSError, page: Page, *, as_json: bool) -> int:
    """What was to be done is done, but nobody can read of it: a full disk, a device gone."""
    _silence()
    message = page.say("output.failed", error=error.strerror or error)
    _complain(message, page, as_json=as_json, kind="OutputFailed")
    return FAILURE


def _log_crash(config: Config | None, error: Exception) -> Path | None:
    from alaya.cli.log import record_crash

    return None if config is None else record_crash(config, error)


def _crash_text(error: Exception, page: Page, *, config: Config | None) -> str:
    """What broke, and where the traceback is: in the log file, else here."""
    from alaya.cli.log import places

    what = f"{type(error).__name__}: {error}"
    path = _log_crash(config, error)
    if path:
        return page.say("failure", what=what, path=path)
    return page.say("failure.unlogged", what=what, places=places(error))


def _complain(message: str, page: Page, *, as_json: bool, kind: str, more: str = "") -> None:
    """An error goes to standard error: as a line, or with --json as one JSON object."""
    if as_json:
        found: dict[str, Any] = {"error": {"type": kind, "message": message}}
        text = json.dumps(found, ensure_ascii=False)
    else:
        name = page.styled("alaya:", "red") if is_terminal(sys.stderr) else "alaya:"
        text = f"{name} {message}" + (f"\n{more.rstrip()}" if more else "")
    with contextlib.suppress(OSError):  # nobody is left to complain to
        print(text, file=sys.stderr, flush=True)


def _usage(parser: Parser, args: Namespace | None, *, page: Page) -> str:
    """How the command that was meant is used, and where more is said of it."""
    named = subparsers(parser).get(args.command) if args else None
    command = f"alaya {args.command} --help" if args and named else "alaya --help"
    return (named or parser).format_usage() + page.say("bad.see", command=command)


def _has(words: Sequence[str], *names: str) -> bool:
    before = words[: words.index("--")] if "--" in words else words
    return any(name in before for name in names)


def _silence() -> None:
    """Let the interpreter's own last flush go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
