"""OpenClaw session entries, as JSON lines or as rows of its database: a tree of entries.

The active branch ends at the target of the last `leaf` entry, or at the last entry after it that
is not `appendMode: side`. A turn's parent is the nearest entry above it that is a turn too.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

from alaya.ingest.content import Content, keep, read_content, text_or_none, when
from alaya.ingest.found import (
    Broken,
    Carry,
    Found,
    Header,
    Row,
    Rows,
    Said,
    Skipped,
    SourceInfo,
    Tip,
)
from alaya.model.codec import decode, encode
from alaya.model.raw import Origin, Role, Session, SessionKind, Turn

_SESSION_FILE = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:-topic-.*)?", re.I)
# Entries that move the tip of the active branch. Entries of other types hang on the tree only.
_IN_TREE = {
    "message", "thinking_level_change", "model_change", "compaction", "branch_summary", "custom",
    "custom_message", "label", "session_info",
}  # fmt: skip
_ROLES = {
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "toolResult": Role.TOOL,
    "bashExecution": Role.TOOL,
}
_ORIGINS = {Role.USER: Origin.OWNER, Role.ASSISTANT: Origin.AGENT, Role.TOOL: Origin.TOOL}
_ENTRY = {"type", "id", "parentId", "timestamp", "message"}
_MESSAGE = {
    "role", "content", "timestamp", "toolCallId", "toolName", "isError", "command", "output",
}  # fmt: skip
_HEADER = {"type", "id", "timestamp", "parentSession"}


def parse(rows: Rows, carry: Carry, *, origin: SourceInfo) -> Iterator[Found]:
    """Sessions of any version: v1 has no ids and so no tree; a broken header is recovered."""
    for row in rows:
        if not isinstance(row, Row):
            yield row
        elif not isinstance(row.data, Mapping):
            yield Broken("not an object", row.number, row.offset)
        else:
            yield from _entry(row.data, carry, origin=origin)
    if carry.get("branched"):
        yield Tip(carry["session"], _turn_above(carry.get("tip"), carry))


def kind_of_key(key: str) -> SessionKind:
    """What a session key says of its session: `cron:<job>`, `hook:<uuid>`, `agent:main:main` …"""
    parts = key.split(":")
    if "cron" in parts[:3]:
        return SessionKind.CRON
    if "hook" in parts[:3]:
        return SessionKind.HOOK
    return SessionKind.SUBAGENT if "subagent" in parts else SessionKind.MAIN


def channel_of_key(key: str) -> str | None:
    """The channel in a key such as `agent:main:telegram:group:12`; None where there is none."""
    parts = key.split(":")
    spoken = len(parts) > 3 and parts[0] == "agent" and parts[2] not in ("cron", "hook", "subagent")
    return parts[2] if spoken else None


def _entry(entry: Mapping[str, Any], carry: Carry, *, origin: SourceInfo) -> Iterator[Found]:
    kind = str(entry.get("type") or "")
    if kind == "session":
        yield _header(entry, carry, origin=origin)
        return
    if "session" not in carry:
        yield _header({"timestamp": entry.get("timestamp")}, carry, origin=origin)
    said = list(_message(entry, carry)) if kind == "message" else []
    if kind == "session_info" and (title := text_or_none(entry.get("name"))):
        session = dataclasses.replace(decode(Session, carry["header"]), title=title)
        carry["header"] = encode(session)
        yield Header(session)
    if kind != "message":
        said = [Skipped(f"{kind or 'untyped'} entry")]
    _grow_tree(entry, kind, carry=carry, is_turn=any(isinstance(one, Said) for one in said))
    yield from said


def _header(entry: Mapping[str, Any], carry: Carry, *, origin: SourceInfo) -> Header:
    """The session of the file; a second header in a file only adds to it."""
    named = _SESSION_FILE.fullmatch(origin.stem)
    known = named[1] if named else origin.fallback_id
    identity = carry.get("session") or origin.hints.get("session") or text_or_none(entry.get("id"))
    parent = text_or_none(entry.get("parentSession"))
    hints = origin.hints
    key = hints.get("key", "")
    metadata = keep(entry, _HEADER)
    if key:
        metadata["session_key"] = key
    session = Session(
        id=identity or known,
        scope=dataclasses.replace(origin.scope, agent=hints.get("agent") or origin.scope.agent),
        started_at=when(entry.get("timestamp"), hints.get("started_at")) or origin.changed_at,
        kind=kind_of_key(key),
        channel=hints.get("channel") or channel_of_key(key),
        title=hints.get("title"),
        source=origin.name,
        format=origin.format,
        parent=PurePath(parent).stem if parent else hints.get("parent"),
        metadata=metadata,
    )
    carry.setdefault("next", 0)
    carry.setdefault("calls", {})
    carry.setdefault("above", {})
    carry["session"] = session.id
    carry["header"] = encode(session)
    return Header(session)


def _grow_tree(entry: Mapping[str, Any], kind: str, *, carry: Carry, is_turn: bool) -> None:
    identity = text_or_none(entry.get("id"))
    if identity is None or "parentId" not in entry:
        return
    above = _turn_above(text_or_none(entry.get("parentId")), carry)
    # as long as each entry hangs on the one before it, every turn is on the active branch
    moved = kind == "leaf" or entry.get("appendMode") == "side"
    if moved or above != _turn_above(carry.get("tip"), carry):
        carry["branched"] = True
    if kind == "leaf":
        target = text_or_none(entry.get("targetId"))
        carry["tip"] = target
        carry["above"][identity] = _turn_above(target, carry)
        return
    if not is_turn:
        carry["above"][identity] = above
    if kind in _IN_TREE and entry.get("appendMode") != "side":
        carry["tip"] = identity


def _turn_above(identity: str | None, carry: Carry) -> str | None:
    """The turn that stands for an entry: itself, or the nearest one above it."""
    above: dict[str, str | None] = carry["above"]
    return above.get(identity, identity) if identity is not None else None


def _message(entry: Mapping[str, Any], carry: Carry) -> Iterator[Found]:
    message = entry.get("message")
    if not isinstance(message, Mapping):
        yield Broken(f"message entry {entry.get('id')!s:.40} has no message")
        return
    said_as = str(message.get("role") or "")
    role = _ROLES.get(said_as)
    if role is None:
        yield Skipped(f"{said_as or 'nameless'} message")
        return
    content = read_content(message.get("content"))
    identity = text_or_none(entry.get("id"))
    if identity is None:
        identity, carry["next"] = str(carry["next"]), carry["next"] + 1
    turn = Turn(
        id=identity,
        role=role,
        content=content.text,
        said_at=when(message.get("timestamp"), entry.get("timestamp")),
        origin=_ORIGINS[role],
        parent=_turn_above(text_or_none(entry.get("parentId")), carry),
        tool_calls=content.calls,
        metadata=_metadata(entry, message, content=content),
    )
    carry["calls"].update({call.id: call.name for call in content.calls if call.id})
    if said_as == "toolResult":
        call_id = text_or_none(message.get("toolCallId"))
        name = carry["calls"].pop(call_id, None)
        turn = dataclasses.replace(
            turn,
            name=text_or_none(message.get("toolName")) or name,
            tool_call_id=call_id,
            is_error=bool(message.get("isError")),
        )
    elif said_as == "bashExecution":
        turn = _shell(turn, message)
    if turn.content or turn.tool_calls or content.attachments or role is Role.TOOL:
        yield Said(carry["session"], turn)
    else:
        yield Skipped("empty message")


def _shell(turn: Turn, message: Mapping[str, Any]) -> Turn:
    """A command that the user ran in the tool: the command line and what it printed."""
    command, output = message.get("command"), message.get("output")
    lines = [f"$ {command}"] if command else []
    words = read_content("\n".join([*lines, str(output or "")])).text
    failed = message.get("exitCode") not in (None, 0)
    return dataclasses.replace(turn, content=words, name="bash", is_error=failed)


def _metadata(
    entry: Mapping[str, Any], message: Mapping[str, Any], *, content: Content
) -> dict[str, Any]:
    metadata = keep(message, _MESSAGE) | keep(entry, _ENTRY)
    if content.reasoning:
        metadata["reasoning"] = content.reasoning
    if content.attachments:
        metadata["attachments"] = list(content.attachments)
    return metadata
