"""Alaya session JSON and plain `{"messages": [...]}`: one document, or a conversation a line.

{"id", "timestamp", "channel", "agent", "turns": [{"role", "content", "timestamp", …}], …}
{"messages": [{"role", "content"}]}      [{"role", "content"}, …]      a message a line
{"id", "kind": "documents", "turns": [{"content", …}], …}      texts that each stand alone
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, BinaryIO

from alaya.ingest.content import Result, keep, plain, read_call, read_content, text_or_none
from alaya.ingest.document import Element, End, Key, read_document
from alaya.ingest.found import Broken, Carry, Found, Header, Row, Rows, Said, Skipped, SourceInfo
from alaya.ingest.times import is_written_for_machines, read_time
from alaya.model.raw import Origin, Role, Session, SessionKind, ToolCall, Turn, lowest

LISTS = frozenset({"turns", "messages"})
ROLES = {
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "ai": Role.ASSISTANT,
    "model": Role.ASSISTANT,
    "bot": Role.ASSISTANT,
    "agent": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
    "toolresult": Role.TOOL,
    "tool_result": Role.TOOL,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
}
ORIGINS = {
    Role.USER: Origin.OWNER,
    Role.ASSISTANT: Origin.AGENT,
    Role.TOOL: Origin.TOOL,
    Role.SYSTEM: Origin.SYSTEM,
}
_ID = ("id", "session_id", "sessionId", "conversation_id", "conversationId", "chat_id")
_STARTED = ("timestamp", "started_at", "startedAt", "created_at", "create_time", "date")
_TITLE = ("title", "name")
_HEADER = {*_ID, *_STARTED, *_TITLE, *LISTS, "channel", "agent", "kind", "parent", "metadata"}
SAID_AT = ("timestamp", "said_at", "created_at", "createdAt", "time", "date", "create_time")
TURN_ID = ("id", "uuid", "message_id")
_TURN = {
    *SAID_AT, *TURN_ID, "role", "content", "name", "origin", "tool_calls", "toolCalls",
    "tool_call_id", "toolCallId", "is_error", "isError", "metadata", "parent", "text", "reasoning",
    "reasoning_content", "speaker", "sender", "function_call",
}  # fmt: skip


def parse(rows: Rows, carry: Carry, *, origin: SourceInfo) -> Iterator[Found]:
    """JSON lines: a line is a conversation, or one message of the conversation that is the file."""
    for row in rows:
        if not isinstance(row, Row):
            yield row
        elif isinstance(row.data, Mapping) and (key := _list_key(row.data)):
            yield from _conversation(row.data, row.data[key], carry=carry, origin=origin)
        elif isinstance(row.data, list):
            yield from _conversation({}, row.data, carry=carry, origin=origin)
        elif isinstance(row.data, Mapping) and _is_message(row.data):
            yield from _loose(row.data, carry, origin=origin)
        else:
            yield Broken("neither a conversation nor a message", row.number, row.offset)


def parse_document(file: BinaryIO, carry: Carry, *, origin: SourceInfo) -> Iterator[Found]:
    """One JSON document of any size. It is read twice: the header may stand behind the turns."""
    headers: dict[int, dict[str, Any]] = {}
    members: dict[str, Any] = {}
    holds_list = False
    for piece in read_document(file, LISTS):
        if isinstance(piece, Key):
            members[piece.name] = piece.value
        elif isinstance(piece, Element):
            holds_list = True
        elif isinstance(piece, End):
            if holds_list:
                headers[piece.index] = members
            members, holds_list = {}, False
    if holds_list:  # the document ends within its list
        headers[max(headers, default=-1) + 1] = members
    file.seek(0)
    yield from _second_reading(file, headers, carry=carry, origin=origin)


def _second_reading(
    file: BinaryIO, headers: dict[int, dict[str, Any]], *, carry: Carry, origin: SourceInfo
) -> Iterator[Found]:
    members: dict[str, Any] = {}
    opened: int | None = None
    for piece in read_document(file, LISTS):
        if isinstance(piece, Broken):
            yield piece
        elif isinstance(piece, Key):
            members[piece.name] = piece.value
        elif isinstance(piece, Element) and piece.key:
            if opened != piece.index:
                opened = piece.index
                yield _open(
                    headers.get(piece.index, members), piece.value, carry=carry, origin=origin
                )
            yield from message(piece.value, carry)
        elif isinstance(piece, Element):
            if isinstance(piece.value, list):
                yield from _conversation({}, piece.value, carry=carry, origin=origin)
            else:
                yield Broken("neither a conversation nor a message")
        else:
            if opened != piece.index and _is_message(members):
                yield from _loose(members, carry, origin=origin)
            elif opened != piece.index and any(name in members for name in LISTS):
                yield Skipped("empty conversation")
            elif opened != piece.index:
                yield Broken("neither a conversation nor a message")
            members = {}


def _list_key(data: Mapping[str, Any]) -> str | None:
    return next((key for key in sorted(LISTS) if isinstance(data.get(key), list)), None)


def _is_message(data: Mapping[str, Any]) -> bool:
    return ("role" in data or "speaker" in data or "sender" in data) and (
        _has_words(data) or "tool_calls" in data
    )


def _has_words(data: Mapping[str, Any]) -> bool:
    return "content" in data or "text" in data


def _conversation(
    header: Mapping[str, Any], messages: list[Any], *, carry: Carry, origin: SourceInfo
) -> Iterator[Found]:
    yield _open(header, messages[0] if messages else None, carry=carry, origin=origin)
    for said in messages:
        yield from message(said, carry)


def _open(
    header: Mapping[str, Any], first_message: Any, *, carry: Carry, origin: SourceInfo
) -> Header:
    """The session of the next conversation; the first one without an id is named as the file."""
    given = first_text(header, _ID)
    count = carry["conversations"] = int(carry.get("conversations", 0)) + 1
    fallback = origin.fallback_id if count == 1 else f"{origin.fallback_id}-{count}"
    carry["session"] = given or fallback
    carry["next"] = 0
    carry["calls"] = {}
    kind = str(header.get("kind") or "")
    carry["documents"] = kind == SessionKind.DOCUMENTS
    extra = header.get("metadata")
    agent = text_or_none(header.get("agent"))
    _, as_written = _time(header, _STARTED)
    return Header(
        Session(
            id=carry["session"],
            scope=dataclasses.replace(origin.scope, agent=agent or origin.scope.agent),
            started_at=_started(header, first_message) or origin.changed_at,
            kind=SessionKind(kind) if kind in set(SessionKind) else SessionKind.MAIN,
            channel=text_or_none(header.get("channel")),
            title=first_text(header, _TITLE),
            source=origin.name,
            format=origin.format,
            parent=text_or_none(header.get("parent")),
            metadata=keep(header, _HEADER)
            | as_written
            | (keep(extra) if isinstance(extra, Mapping) else {}),
        )
    )


def _started(header: Mapping[str, Any], first_message: Any) -> datetime | None:
    said = first_message if isinstance(first_message, Mapping) else {}
    return _time(header, _STARTED)[0] or _time(said, SAID_AT)[0]


def _time(
    data: Mapping[str, Any], names: tuple[str, ...]
) -> tuple[datetime | None, dict[str, Any]]:
    """The first time under these names, and as metadata what was written there.

    `2024年3月5日 14:00 家里` says more than the time, `第五回` says no time at all: such a text is
    kept under its name. ISO 8601 and epoch seconds are not.
    """
    given = {name: data[name] for name in names if data.get(name) is not None}
    at = next((at for value in given.values() if (at := read_time(value))), None)
    texts = {
        name: plain(value)
        for name, value in given.items()
        if isinstance(value, str) and value.strip() and not is_written_for_machines(value)
    }
    return at, texts


def _loose(said: Mapping[str, Any], carry: Carry, *, origin: SourceInfo) -> Iterator[Found]:
    """A message that stands alone: in the session it names, else in that of the file."""
    named = first_text(said, _ID[1:])
    current = carry.get("session")
    if current is None or (named is not None and named != current):
        places = carry.setdefault("places", {})
        if current is not None:
            places[current] = carry["next"]
        yield _open({"id": named} if named else {}, said, carry=carry, origin=origin)
        carry["next"] = places.get(carry["session"], 0)
    yield from message(said, carry)


def message(data: Any, carry: Carry) -> Iterator[Found]:
    """The turns of one message: what tools answered in it, and what was said."""
    document = carry.get("documents") and isinstance(data, Mapping) and _has_words(data)
    if not isinstance(data, Mapping) or not (document or _is_message(data)):
        yield Broken(f"not a message: {str(data)[:80]}")
        return
    session: str = carry["session"]
    content = read_content(data.get("content", data.get("text")))
    identity = first_text(data, TURN_ID)
    turns = [_result_turn(result, data, carry=carry) for result in content.results]
    spoken = _spoken(data, carry)
    if spoken.content or spoken.tool_calls or spoken.metadata.get("attachments") or not turns:
        turns.append(spoken)
    for number, turn in enumerate(turns):
        if identity is None:
            own, carry["next"] = str(carry["next"]), carry["next"] + 1
        else:
            own = identity if number == 0 else f"{identity}.{number}"
        if turn.content or turn.tool_calls or turn.metadata:
            at, as_written = _time(data, SAID_AT)
            metadata = as_written | dict(turn.metadata)
            yield Said(session, dataclasses.replace(turn, id=own, said_at=at, metadata=metadata))
        else:
            yield Skipped("empty message")


def _result_turn(result: Result, data: Mapping[str, Any], *, carry: Carry) -> Turn:
    return Turn(
        id="",
        role=Role.TOOL,
        content=result.text,
        name=carry["calls"].get(result.call_id),
        origin=Origin.TOOL,
        tool_call_id=result.call_id,
        is_error=result.is_error,
        metadata={"attachments": list(result.attachments)} if result.attachments else {},
    )


def _spoken(data: Mapping[str, Any], carry: Carry) -> Turn:
    content = read_content(data.get("content", data.get("text")))
    said_by = text_or_none(data.get("role")) or first_text(data, ("speaker", "sender")) or ""
    role = ROLES.get(said_by.casefold())
    calls = content.calls + _listed_calls(data)
    carry["calls"].update({call.id: call.name for call in calls if call.id})
    call_id = first_text(data, ("tool_call_id", "toolCallId"))
    extra = data.get("metadata")
    metadata = keep(data, _TURN) | (keep(extra) if isinstance(extra, Mapping) else {})
    thought = content.reasoning or first_text(data, ("reasoning", "reasoning_content"))
    if thought:
        metadata["reasoning"] = thought
    if content.attachments:
        metadata["attachments"] = list(content.attachments)
    name = first_text(data, ("name", "speaker", "sender"))
    return Turn(
        id="",
        role=role or Role.USER,
        content=content.text,
        name=name
        or (carry["calls"].get(call_id) if call_id else None if role else said_by or None),
        origin=_origin(role, data.get("origin")),
        parent=text_or_none(data.get("parent")),
        tool_calls=calls,
        tool_call_id=call_id,
        is_error=bool(data.get("is_error") or data.get("isError")),
        metadata=metadata,
    )


def _origin(role: Role | None, claimed: Any) -> Origin:
    """By role; a file may only claim less trust than its role has. Unknown roles have none."""
    known = ORIGINS[role] if role else Origin.UNTRUSTED
    return lowest([known, Origin(claimed)]) if claimed in set(Origin) else known


def _listed_calls(data: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    listed = data.get("tool_calls", data.get("toolCalls"))
    if isinstance(data.get("function_call"), Mapping):
        listed = [data["function_call"]]
    if not isinstance(listed, list):
        return ()
    return tuple(read_call(call) for call in listed if isinstance(call, Mapping))


def first_text(data: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    """The first of these fields that is a text (or a number) and not empty."""
    return next((text for name in names if (text := text_or_none(data.get(name)))), None)
