"""Claude Code transcripts: rows with a uuid; one answer is spread over several of them.

Rows that share `message.id` are one turn, also where tool results stand between them. A user row
that holds only tool results is no user speaking. Side chains are sessions of their own.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Generator, Iterator, Mapping
from typing import Any

from alaya.ingest.content import Content, Result, keep, plain, read_content, text_or_none, when
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
)
from alaya.ingest.wrappers import without_wrappers
from alaya.model.codec import decode, encode
from alaya.model.raw import Origin, Role, Session, SessionKind, Turn

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_HELD = 200  # rows that wait for more of an answer before it is let go
_SESSION = ("cwd", "gitBranch", "version", "entrypoint", "slug")
_ROW = {
    "type", "uuid", "parentUuid", "timestamp", "sessionId", "cwd", "gitBranch", "version",
    "userType", "isSidechain", "entrypoint", "slug", "message", "toolUseResult", "agentId",
    "sourceToolAssistantUUID", "forkedFrom", "isMeta", "logicalParentUuid", "attachment",
    "origin", "permissionMode", "requestId",
}  # fmt: skip
_MESSAGE = {"id", "type", "role", "content", "stop_sequence"}
_TITLES = {"summary": "summary", "ai-title": "aiTitle", "custom-title": "customTitle"}


@dataclasses.dataclass
class _Answer:
    """An assistant's turn that may still grow, and what was said after its first row."""

    message: str
    said: Said
    after: list[Said] = dataclasses.field(default_factory=list)


def parse(rows: Rows, carry: Carry, *, origin: SourceInfo) -> Iterator[Found]:
    """The rows of a transcript, or of a sub-agent's (`agent-*.jsonl`)."""
    answer: _Answer | None = None
    for row in rows:
        if not isinstance(row, Row):
            yield row
            continue
        if not isinstance(row.data, Mapping):
            yield Broken("not an object", row.number, row.offset)
            continue
        for found in _row(row.data, carry, origin=origin):
            if not isinstance(found, Said):
                yield found
                continue
            grown, held = _grow(answer, found, row=row.data)
            if grown:
                continue
            if answer is not None and not held:
                yield from _let_go(answer)
                answer = None
            message_id = _message_id(row.data)
            if answer is None and found.turn.role is Role.ASSISTANT and message_id:
                answer = _Answer(message_id, found)
            elif answer is None:
                yield found
    if answer is not None:
        yield from _let_go(answer)


def _grow(answer: _Answer | None, found: Said, *, row: Mapping[str, Any]) -> tuple[bool, bool]:
    """Whether the turn became part of the answer, and else whether the answer still waits."""
    if answer is None:
        return False, False
    if found.turn.role is Role.ASSISTANT and _message_id(row) == answer.message:
        answer.said = Said(answer.said.session, _merged(answer.said.turn, found.turn))
        return True, True
    if found.turn.role is Role.TOOL and len(answer.after) < _HELD:
        answer.after.append(found)
        return True, True
    return False, False


def _let_go(answer: _Answer) -> Iterator[Said]:
    yield answer.said
    yield from answer.after


def _merged(turn: Turn, more: Turn) -> Turn:
    """One turn of two rows. Usage counts once: each row repeats it, the last one is complete."""
    metadata = dict(turn.metadata) | dict(more.metadata)
    for name in ("reasoning", "attachments"):
        first, second = turn.metadata.get(name), more.metadata.get(name)
        if first and second:
            both = f"{first}\n{second}" if name == "reasoning" else [*first, *second]
            metadata[name] = both
    return dataclasses.replace(
        turn,
        content="\n".join(text for text in (turn.content, more.content) if text),
        tool_calls=turn.tool_calls + more.tool_calls,
        metadata=metadata,
    )


def _message_id(row: Mapping[str, Any]) -> str | None:
    message = row.get("message")
    return text_or_none(message.get("id")) if isinstance(message, Mapping) else None


def _row(row: Mapping[str, Any], carry: Carry, *, origin: SourceInfo) -> Iterator[Found]:
    kind = str(row.get("type") or "")
    if kind in _TITLES:
        yield from _titled(text_or_none(row.get(_TITLES[kind])), carry)
    elif kind == "attachment" and _queued(row) is not None:
        session = yield from _session(row, carry, origin=origin)
        yield from _spoken(row, read_content(_queued(row)), session=session, carry=carry)
    elif kind not in ("user", "assistant"):
        yield Skipped(f"{kind or 'untyped'} row")
    elif reason := _skip(row):
        yield Skipped(reason)
    else:
        session = yield from _session(row, carry, origin=origin)
        message = row.get("message")
        if not isinstance(message, Mapping):
            yield Broken(f"row {row.get('uuid')!s:.40} has no message")
            return
        content = read_content(message.get("content"))
        if kind == "assistant":
            yield _answered(row, message, content=content, session=session, carry=carry)
            return
        for number, result in enumerate(content.results):
            yield _answer_of_tool(row, result, number=number, session=session, carry=carry)
        if content.text or content.attachments or not content.results:
            yield from _spoken(row, content, session=session, carry=carry)


def _skip(row: Mapping[str, Any]) -> str | None:
    for flag, reason in (
        ("isMeta", "meta row"),
        ("isCompactSummary", "compaction summary"),
        ("isApiErrorMessage", "API error"),
    ):
        if row.get(flag):
            return reason
    return None


def _queued(row: Mapping[str, Any]) -> Any:
    """What the user typed while the agent was busy; it stands nowhere else."""
    attachment = row.get("attachment")
    if isinstance(attachment, Mapping) and attachment.get("type") == "queued_command":
        return attachment.get("prompt")
    return None


def _session(
    row: Mapping[str, Any], carry: Carry, *, origin: SourceInfo
) -> Generator[Found, None, str]:
    """Announce the session of a row where it is new; the id of that session is returned."""
    main = carry.get("main") or _main_id(row, origin)
    carry["main"] = main
    is_file_of_agent = origin.stem.startswith("agent-")
    agent = text_or_none(row.get("agentId"))
    parent: str | None = None
    if is_file_of_agent:
        parent = text_or_none(row.get("sessionId"))
        name = f"{parent or main}-{origin.stem}"
    elif row.get("isSidechain"):
        parent, name = main, f"{main}-agent-{agent or 'side'}"
    else:
        name = main
    known: dict[str, Any] = carry.setdefault("sessions", {})
    if name not in known:
        forked = row.get("forkedFrom")
        if parent is None and isinstance(forked, Mapping):
            parent = text_or_none(forked.get("sessionId"))
        session = Session(
            id=name,
            scope=origin.scope,
            started_at=when(row.get("timestamp")) or origin.changed_at,
            kind=SessionKind.MAIN
            if name == main and not is_file_of_agent
            else SessionKind.SUBAGENT,
            title=carry.pop("title", None) if name == main else None,
            source=origin.name,
            format=origin.format,
            parent=parent,
            metadata={name: plain(row[name]) for name in _SESSION if row.get(name)},
        )
        known[name] = encode(session)
        yield Header(session)
    return name


def _main_id(row: Mapping[str, Any], origin: SourceInfo) -> str:
    """A transcript is named after its session; copied rows may carry the name of another one."""
    if _UUID.fullmatch(origin.stem):
        return origin.stem
    return text_or_none(row.get("sessionId")) or origin.fallback_id


def _titled(title: str | None, carry: Carry) -> Iterator[Found]:
    main = carry.get("main")
    if title and main in carry.get("sessions", {}):
        session = dataclasses.replace(decode(Session, carry["sessions"][main]), title=title)
        carry["sessions"][main] = encode(session)
        yield Header(session)
    elif title:
        carry["title"] = title


def _identity(row: Mapping[str, Any], carry: Carry) -> str:
    """The row's uuid; of a row that was copied by a fork, the uuid it was copied from."""
    forked = row.get("forkedFrom")
    copied = text_or_none(forked.get("messageUuid")) if isinstance(forked, Mapping) else None
    identity = copied or text_or_none(row.get("uuid"))
    if identity is None:
        number = carry["next"] = int(carry.get("next", 0)) + 1
        identity = str(number - 1)
    return identity


def _answered(
    row: Mapping[str, Any],
    message: Mapping[str, Any],
    *,
    content: Content,
    session: str,
    carry: Carry,
) -> Said:
    calls: dict[str, str] = carry.setdefault("calls", {})
    calls.update({call.id: call.name for call in content.calls if call.id})
    metadata = keep(message, _MESSAGE) | keep(row, _ROW)
    if content.reasoning:
        metadata["reasoning"] = content.reasoning
    if content.attachments:
        metadata["attachments"] = list(content.attachments)
    turn = Turn(
        id=_identity(row, carry),
        role=Role.ASSISTANT,
        content=content.text,
        said_at=when(row.get("timestamp")),
        origin=Origin.AGENT,
        parent=text_or_none(row.get("parentUuid")),
        tool_calls=content.calls,
        metadata=metadata,
    )
    return Said(session, turn)


def _answer_of_tool(
    row: Mapping[str, Any], result: Result, *, number: int, session: str, carry: Carry
) -> Said:
    metadata = keep(row, _ROW)
    full = row.get("toolUseResult")
    if isinstance(full, Mapping) and (path := text_or_none(full.get("persistedOutputPath"))):
        metadata["persistedOutputPath"] = path
    if result.attachments:
        metadata["attachments"] = list(result.attachments)
    identity = _identity(row, carry)
    turn = Turn(
        id=identity if number == 0 else f"{identity}.{number}",
        role=Role.TOOL,
        content=without_wrappers(result.text, reminders_only=True),
        said_at=when(row.get("timestamp")),
        name=carry.get("calls", {}).pop(result.call_id, None),
        origin=Origin.TOOL,
        parent=text_or_none(row.get("parentUuid")),
        tool_call_id=result.call_id,
        is_error=result.is_error,
        metadata=metadata,
    )
    return Said(session, turn)


def _spoken(
    row: Mapping[str, Any], content: Content, *, session: str, carry: Carry
) -> Iterator[Found]:
    words = without_wrappers(content.text)
    if not words and not content.attachments:
        yield Skipped("only wrapper tags" if content.text else "empty message")
        return
    metadata = keep(row, _ROW)
    if content.attachments:
        metadata["attachments"] = list(content.attachments)
    is_prompt_of_agent = session != carry["main"] or carry["sessions"][session].get("kind")
    identity = _identity(row, carry)
    turn = Turn(
        id=f"{identity}.{len(content.results)}" if content.results else identity,
        role=Role.USER,
        content=words,
        said_at=when(row.get("timestamp")),
        origin=Origin.AGENT if is_prompt_of_agent else Origin.OWNER,
        parent=text_or_none(row.get("parentUuid")),
        metadata=metadata,
    )
    yield Said(session, turn)
