"""`alaya add`: a text, or messages as JSON, into a session."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from typing import Any

from alaya.cli import query as queries
from alaya.cli import show_knowledge as show
from alaya.cli.opening import open_memory
from alaya.cli.page import Page, is_terminal
from alaya.cli.parser import BadUsage
from alaya.cli.result import Result, document
from alaya.cli.writing import configured_llm, distil_status
from alaya.errors import InvalidInput
from alaya.model.time import utc_now

_MOST = 64 * 1024 * 1024  # bytes of standard input; more is a file to be ingested
_OF_TEXT = ("role", "name", "at")


def add(args: Namespace, page: Page) -> Result:
    """Append to a session, and distil it where that is wanted."""
    if args.messages and (beside := [f"--{n}" for n in _OF_TEXT if getattr(args, n)]):
        raise BadUsage(page.say("bad.add_messages", what=", ".join(beside)), "")
    text = " ".join(args.text) if args.text else stdin_text(page)
    messages = _messages(text, page) if args.messages else [_message(text, args, page=page)]
    with open_memory(args) as memory:
        found = memory.add(messages, session=args.session, distill=args.distill)
        llm = configured_llm(memory)
    status = 0 if found.distilled is None else distil_status(found.distilled)
    return Result(
        document(found),
        lambda page: show.added_lines(found, page, llm=llm),
        status=status,
        confirms=not status,
    )


def _message(text: str, args: Namespace, *, page: Page) -> dict[str, Any]:
    said: dict[str, Any] = {"role": args.role or "user", "content": text}
    if args.name:
        said["name"] = args.name
    if args.at:
        try:
            said["timestamp"] = queries.time_of("--at", args.at, now=utc_now())
        except queries.Wrong as wrong:
            raise InvalidInput(page.say(wrong.key, **wrong.values)) from wrong
    return said


def _messages(text: str, page: Page) -> Any:
    """A list, an object with one, one message, or a message a line."""
    try:
        found = json.loads(text)
    except RecursionError as error:
        raise InvalidInput(page.say("add.deep")) from error
    except ValueError as error:
        found = _lines(text)
        if found is None:
            raise InvalidInput(page.say("add.not_json", error=error)) from error
    listed = found.get("messages") if isinstance(found, dict) else None
    return found if listed is None else listed


def _lines(text: str) -> list[Any] | None:
    """A message a line; None where a line is none."""
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError):
        return None


def stdin_text(page: Page, *, missing: str = "bad.no_text") -> str:
    """What comes through standard input, where the arguments hold no text; `missing` is said where
    nothing can come."""
    if sys.stdin is None or is_terminal(sys.stdin):
        raise BadUsage(page.say(missing), "")
    data = sys.stdin.buffer.read(_MOST + 1)
    if len(data) > _MOST:
        raise InvalidInput(page.say("add.long"))
    try:
        return data.decode("utf-8-sig").removesuffix("\n")
    except UnicodeDecodeError as error:
        raise InvalidInput(page.say("add.not_utf8")) from error
