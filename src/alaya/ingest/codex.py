"""Codex CLI rollouts: `{timestamp, type, payload}`, where most words stand twice.

`response_item` is what the model saw and said; `event_msg` repeats it for display, before or
after. Items are taken, and an event only where no item near it says the same. Entries have no
ids, so turns are numbered as they are let go.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping
from typing import Any

from alaya.ingest.content import keep, plain, read_call, read_content, text_or_none, when
from alaya.ingest.found import (
    Carry,
    Dropped,
    Found,
    Header,
    Row,
    Rows,
    Said,
    Skipped,
    SourceInfo,
)
from alaya.ingest.lines import parse_json
from alaya.model.ids import clean, digest
from alaya.model.raw import Origin, Role, Session, SessionKind, Turn

_SCAFFOLDING = (
    "<environment_context>", "<permissions instructions>", "<user_instructions>", "# AGENTS.md",
    "<INSTRUCTIONS>", "<turn_aborted>", "<subagent_notification>", "<skill>",
    "<user_shell_command>", "<collaboration_mode>", "<apps_instructions>",
    "<plugins_instructions>", "<skills_instructions>",
)  # fmt: skip
_CALLS = {
    "function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call",
    "image_generation_call",
}  # fmt: skip
_OUTPUTS = {"function_call_output", "custom_tool_call_output", "tool_search_output"}
_META = ("cwd", "originator", "cli_version", "model_provider", "agent_nickname", "agent_role")
_NEAR = 50  # turns between an event and the item that says the same
_REMEMBERED = 1000  # calls without an answer, and rounds that can be rolled back
_REMEMBERED_WORDS = 20  # messages that may still be repeated by their other form
_REPEATS = "event that repeats an item"
_MESSAGES = {"user_message": Role.USER, "agent_message": Role.ASSISTANT}


@dataclasses.dataclass(frozen=True)
class _Waiting:
    """A turn that is not numbered yet. An event waits for the item that may repeat it."""

    turn: Turn
    is_event: bool = False


def parse(rows: Rows, carry: Carry, *, origin: SourceInfo) -> Iterator[Found]:
    """The lines of a rollout. A resumed one goes on without a new session_meta."""
    queue: list[_Waiting] = []
    for row in rows:
        if not isinstance(row, Row):
            yield row
            continue
        for found in _line(row.data, carry, origin=origin):
            if isinstance(found, _Waiting):
                yield from _queued(found, queue, carry=carry)
            elif isinstance(found, _RolledBack):
                yield from _let_go(queue, carry, down_to=0)
                yield from _rolled_back(found.rounds, carry)
            else:
                yield found
    yield from _let_go(queue, carry, down_to=0)


@dataclasses.dataclass(frozen=True)
class _RolledBack:
    rounds: int


def _line(
    data: Any, carry: Carry, *, origin: SourceInfo
) -> Iterator[Found | _Waiting | _RolledBack]:
    payload = data.get("payload") if isinstance(data, Mapping) else None
    kind = _type(data)
    if not isinstance(payload, Mapping):
        yield Skipped(f"{kind} line")
        return
    if kind == "session_meta":
        yield from _header(payload, data, carry=carry, origin=origin)
        return
    if "session" not in carry:
        yield from _header({}, data, carry=carry, origin=origin)
    if kind == "response_item":
        yield from _item(payload, data, carry=carry)
    elif kind == "event_msg":
        yield from _event(payload, data, carry=carry)
    else:
        yield Skipped(f"{kind} line")


def _queued(new: _Waiting, queue: list[_Waiting], *, carry: Carry) -> Iterator[Found]:
    """Put a turn in line, unless it says what another one near it said."""
    words = _says(new.turn)
    speaks = bool(new.turn.content) and new.turn.role is not Role.TOOL
    if speaks and new.is_event and words in carry["items"]:
        carry["items"].remove(words)
        yield Skipped(_REPEATS)
        return
    if speaks and not new.is_event:
        if words in carry["shown"]:
            carry["shown"].remove(words)
            yield Skipped(_REPEATS)
            return
        for waiting in queue:
            if waiting.is_event and _says(waiting.turn) == words:
                queue.remove(waiting)
                yield Skipped(_REPEATS)
                break
        else:
            carry["items"] = [*carry["items"][-_REMEMBERED_WORDS:], words]
    queue.append(new)
    yield from _let_go(queue, carry, down_to=_NEAR)


def _says(turn: Turn) -> str:
    """Who says what, whatever the spaces; hashed, since it is kept in the cursor."""
    return digest(turn.role.value, turn.content.split())


def _let_go(queue: list[_Waiting], carry: Carry, *, down_to: int) -> Iterator[Found]:
    """Number and yield what waits: up to the first event, or while more than `down_to` wait."""
    while queue and (not queue[0].is_event or len(queue) > down_to):
        waiting = queue.pop(0)
        number = carry["next"]
        carry["next"] = number + 1
        if waiting.turn.role is Role.USER:
            carry["rounds"] = [*carry["rounds"][-_REMEMBERED:], number]
        if waiting.is_event:
            carry["shown"] = [*carry["shown"][-_REMEMBERED_WORDS:], _says(waiting.turn)]
        yield Said(carry["session"], dataclasses.replace(waiting.turn, id=str(number)))


def _type(data: Any) -> str:
    kind = data.get("type") if isinstance(data, Mapping) else None
    return clean(str(kind))[:60] if kind else "untyped"


def _header(
    meta: Mapping[str, Any], line: Mapping[str, Any], *, carry: Carry, origin: SourceInfo
) -> Iterator[Found]:
    """The session of the file. A fork repeats the header of its parent, which is passed over."""
    if "session" in carry:
        yield Skipped("second session_meta line")
        return
    spawned = _spawned(meta.get("source"))
    parent = (
        text_or_none(meta.get("forked_from_id"))
        or text_or_none(meta.get("parent_thread_id"))
        or (text_or_none(spawned.get("parent_thread_id")) if spawned is not None else None)
    )
    is_agent = spawned is not None or bool(text_or_none(meta.get("parent_thread_id")))
    metadata = {name: plain(meta[name]) for name in _META if meta.get(name)}
    if isinstance(meta.get("git"), Mapping):
        metadata["git"] = plain(meta["git"])
    source = meta.get("source")
    session = Session(
        id=text_or_none(meta.get("id")) or text_or_none(meta.get("session_id"))
        or origin.fallback_id,
        scope=origin.scope,
        started_at=when(meta.get("timestamp"), line.get("timestamp")) or origin.changed_at,
        kind=SessionKind.SUBAGENT if is_agent else SessionKind.MAIN,
        channel=text_or_none(source),
        source=origin.name,
        format=origin.format,
        parent=parent,
        metadata=metadata,
    )  # fmt: skip
    carry |= {"session": session.id, "next": 0, "calls": {}, "rounds": [], "agent": is_agent}
    carry |= {"items": [], "shown": []}
    yield Header(session)


def _spawned(source: Any) -> Mapping[str, Any] | None:
    """What a sub-agent's `source` says of its parent: {"subagent": {"thread_spawn": {…}}}."""
    if not isinstance(source, Mapping) or "subagent" not in source:
        return None
    inner = source["subagent"]
    spawn = inner.get("thread_spawn") if isinstance(inner, Mapping) else None
    return spawn if isinstance(spawn, Mapping) else {}


def _item(
    item: Mapping[str, Any], line: Mapping[str, Any], *, carry: Carry
) -> Iterator[Found | _Waiting]:
    kind = _type(item)
    if kind == "message":
        yield from _message(item, line, carry=carry)
    elif kind == "reasoning":
        parts = [read_content(item.get(key)) for key in ("summary", "content")]
        words = [carry.get("thought"), *(part.text or part.reasoning for part in parts)]
        carry["thought"] = "\n".join(word for word in words if word)
    elif kind in _CALLS:
        yield _call(item, kind, line=line, carry=carry)
    elif kind in _OUTPUTS:
        yield _output(item, line, carry=carry)
    else:
        yield Skipped(f"{kind} item")


def _message(
    item: Mapping[str, Any], line: Mapping[str, Any], *, carry: Carry
) -> Iterator[Found | _Waiting]:
    role = item.get("role")
    if role not in ("user", "assistant"):
        yield Skipped(f"{role!s:.20} message")
        return
    parts = item.get("content")
    if role == "user" and isinstance(parts, list):
        parts = [part for part in parts if not _is_scaffolding(part)]
    content = read_content(parts)
    if role == "user" and content.text.lstrip().startswith(_SCAFFOLDING):
        content = dataclasses.replace(content, text="")
    if not content.text and not content.attachments:
        yield Skipped("scaffolding" if role == "user" else "empty message")
        return
    metadata: dict[str, Any] = keep(item, {"type", "role", "content", "id"})
    if content.attachments:
        metadata["attachments"] = list(content.attachments)
    spoken = Role.USER if role == "user" else Role.ASSISTANT
    if spoken is Role.ASSISTANT:
        metadata |= _thought(carry)
    yield _Waiting(_turn(spoken, content.text, line=line, carry=carry, metadata=metadata))


def _is_scaffolding(part: Any) -> bool:
    text = part.get("text") if isinstance(part, Mapping) else part
    return isinstance(text, str) and text.lstrip().startswith(_SCAFFOLDING)


def _thought(carry: Carry) -> dict[str, Any]:
    """The reasoning that came before this item."""
    thought = carry.pop("thought", None)
    return {"reasoning": thought} if thought else {}


def _turn(
    role: Role, text: str, *, line: Mapping[str, Any], carry: Carry, metadata: dict[str, Any]
) -> Turn:
    origins = {Role.USER: Origin.OWNER, Role.ASSISTANT: Origin.AGENT, Role.TOOL: Origin.TOOL}
    return Turn(
        id="",
        role=role,
        content=text,
        said_at=when(line.get("timestamp")),
        # a sub-agent's prompt was written by an agent
        origin=Origin.AGENT if role is Role.USER and carry.get("agent") else origins[role],
        metadata=metadata,
    )


def _call(item: Mapping[str, Any], kind: str, *, line: Mapping[str, Any], carry: Carry) -> _Waiting:
    call_id = text_or_none(item.get("call_id")) or text_or_none(item.get("id")) or ""
    call = read_call({**item, "id": call_id})
    action = item.get("action")
    name = call.name or kind.removesuffix("_call")
    if not call.arguments and action is not None:
        call = dataclasses.replace(call, arguments=clean(json.dumps(action, ensure_ascii=False)))
    call = dataclasses.replace(call, name=name)
    if call_id:
        carry["calls"] = dict([*carry["calls"].items()][-_REMEMBERED:]) | {call_id: name}
    turn = _turn(Role.ASSISTANT, "", line=line, carry=carry, metadata=_thought(carry))
    return _Waiting(dataclasses.replace(turn, tool_calls=(call,)))


def _output(item: Mapping[str, Any], line: Mapping[str, Any], *, carry: Carry) -> _Waiting:
    call_id = text_or_none(item.get("call_id"))
    text, failed, attachments = _answer(item.get("output", item.get("tools")))
    metadata: dict[str, Any] = {"attachments": attachments} if attachments else {}
    turn = dataclasses.replace(
        _turn(Role.TOOL, text, line=line, carry=carry, metadata=metadata),
        name=carry["calls"].pop(call_id, None),
        tool_call_id=call_id,
        is_error=failed,
    )
    return _Waiting(turn)


def _answer(output: Any) -> tuple[str, bool, list[str]]:
    """Text, whether it failed, and notes; from text, `{"output", "metadata"}` or parts."""
    failed = False
    if isinstance(output, str) and output.startswith('{"output":'):
        try:
            output = parse_json(output)
        except ValueError:
            return clean(output), False, []
    if isinstance(output, Mapping):
        metadata = output.get("metadata")
        code = metadata.get("exit_code") if isinstance(metadata, Mapping) else None
        failed = code not in (None, 0) or output.get("success") is False
        output = output.get("output", output.get("content", output))
    if isinstance(output, Mapping):
        return clean(json.dumps(output, ensure_ascii=False)), failed, []
    content = read_content(output)
    return content.text, failed, list(content.attachments)


def _event(
    event: Mapping[str, Any], line: Mapping[str, Any], *, carry: Carry
) -> Iterator[Found | _Waiting | _RolledBack]:
    kind = _type(event)
    count = event.get("num_turns")
    if kind == "thread_rolled_back" and isinstance(count, int) and count > 0:
        yield _RolledBack(count)
    elif kind not in _MESSAGES or not isinstance(event.get("message"), str):
        yield Skipped(f"{kind} event")
    else:
        text = clean(event["message"])
        if kind == "user_message" and text.lstrip().startswith(_SCAFFOLDING):
            yield Skipped("scaffolding")
        elif text:
            turn = _turn(_MESSAGES[kind], text, line=line, carry=carry, metadata={})
            yield _Waiting(turn, is_event=True)


def _rolled_back(count: int, carry: Carry) -> Iterator[Found]:
    """The last `count` rounds, each a user's message and what followed it, were taken back."""
    rounds: list[int] = carry["rounds"]
    carry.pop("thought", None)
    if rounds:
        carry["rounds"] = rounds[:-count]
        taken_back = range(rounds[-count:][0], carry["next"])
        yield Dropped(carry["session"], tuple(map(str, taken_back)))
