"""Codex CLI rollouts: `{timestamp, type, payload}`, where most words stand twice.

`response_item` is what the model saw and said; `event_msg` repeats it for display. Items are
taken; events only where a rollout has no items. Entries have no ids, so turns are numbered.
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
from alaya.model.ids import clean
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
_HELD = 500  # events that wait for the first item
_REMEMBERED = 1000  # calls without an answer, and rounds that can be rolled back
_MESSAGES = {"user_message": Role.USER, "agent_message": Role.ASSISTANT}


def parse(rows: Rows, carry: Carry, origin: SourceInfo) -> Iterator[Found]:
    """The lines of a rollout. A resumed one goes on without a new session_meta."""
    for row in rows:
        if not isinstance(row, Row):
            yield row
            continue
        data = row.data
        payload = data.get("payload") if isinstance(data, Mapping) else None
        if not isinstance(payload, Mapping):
            yield Skipped(f"{_type(data)} line")
            continue
        kind = _type(data)
        if kind == "session_meta":
            yield from _header(payload, data, carry, origin)
            continue
        if "session" not in carry:
            yield from _header({}, data, carry, origin)
        if kind == "response_item":
            yield from _item(payload, data, carry)
        elif kind == "event_msg":
            yield from _event(payload, data, carry)
        else:
            yield Skipped(f"{kind} line")
    yield from _held_events(carry)


def _type(data: Any) -> str:
    kind = data.get("type") if isinstance(data, Mapping) else None
    return clean(str(kind))[:60] if kind else "untyped"


def _header(
    meta: Mapping[str, Any], line: Mapping[str, Any], carry: Carry, origin: SourceInfo
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
    yield Header(session)


def _spawned(source: Any) -> Mapping[str, Any] | None:
    """What a sub-agent's `source` says of its parent: {"subagent": {"thread_spawn": {…}}}."""
    if not isinstance(source, Mapping) or "subagent" not in source:
        return None
    inner = source["subagent"]
    spawn = inner.get("thread_spawn") if isinstance(inner, Mapping) else None
    return spawn if isinstance(spawn, Mapping) else {}


def _item(item: Mapping[str, Any], line: Mapping[str, Any], carry: Carry) -> Iterator[Found]:
    kind = _type(item)
    if kind == "message":
        yield from _message(item, line, carry)
    elif kind == "reasoning":
        parts = [read_content(item.get(key)) for key in ("summary", "content")]
        words = [carry.get("thought"), *(part.text or part.reasoning for part in parts)]
        carry["thought"] = "\n".join(word for word in words if word)
    elif kind in _CALLS:
        yield _call(item, kind, line, carry)
    elif kind in _OUTPUTS:
        yield _output(item, line, carry)
    else:
        yield Skipped(f"{kind} item")


def _message(item: Mapping[str, Any], line: Mapping[str, Any], carry: Carry) -> Iterator[Found]:
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
    carry["items"] = True
    dropped = len(carry.pop("held", ()))
    if dropped:
        yield Skipped("event that repeats an item", dropped)
    if [spoken.value, content.text] in (shown := carry.get("shown", [])):
        shown.remove([spoken.value, content.text])
        yield Skipped("item that repeats an event")
        return
    yield _said(spoken, content.text, line, carry, metadata=metadata)


def _is_scaffolding(part: Any) -> bool:
    text = part.get("text") if isinstance(part, Mapping) else part
    return isinstance(text, str) and text.lstrip().startswith(_SCAFFOLDING)


def _said(
    role: Role, text: str, line: Mapping[str, Any], carry: Carry, *, metadata: dict[str, Any]
) -> Said:
    number = carry["next"]
    carry["next"] = number + 1
    if role is Role.USER:
        carry["rounds"] = [*carry["rounds"][-_REMEMBERED:], number]
    elif role is Role.ASSISTANT and (thought := carry.pop("thought", None)):
        metadata["reasoning"] = thought
    origins = {Role.USER: Origin.OWNER, Role.ASSISTANT: Origin.AGENT, Role.TOOL: Origin.TOOL}
    turn = Turn(
        id=str(number),
        role=role,
        content=text,
        said_at=when(line.get("timestamp")),
        # a sub-agent's prompt was written by an agent
        origin=Origin.AGENT if role is Role.USER and carry.get("agent") else origins[role],
        metadata=metadata,
    )
    return Said(carry["session"], turn)


def _call(item: Mapping[str, Any], kind: str, line: Mapping[str, Any], carry: Carry) -> Said:
    call_id = text_or_none(item.get("call_id")) or text_or_none(item.get("id")) or ""
    call = read_call({**item, "id": call_id})
    action = item.get("action")
    name = call.name or kind.removesuffix("_call")
    if not call.arguments and action is not None:
        call = dataclasses.replace(call, arguments=clean(json.dumps(action, ensure_ascii=False)))
    call = dataclasses.replace(call, name=name)
    if call_id:
        carry["calls"] = dict([*carry["calls"].items()][-_REMEMBERED:]) | {call_id: name}
    said = _said(Role.ASSISTANT, "", line, carry, metadata={})
    return Said(said.session, dataclasses.replace(said.turn, tool_calls=(call,)))


def _output(item: Mapping[str, Any], line: Mapping[str, Any], carry: Carry) -> Said:
    call_id = text_or_none(item.get("call_id"))
    text, failed, attachments = _answer(item.get("output", item.get("tools")))
    metadata: dict[str, Any] = {"attachments": attachments} if attachments else {}
    said = _said(Role.TOOL, text, line, carry, metadata=metadata)
    turn = dataclasses.replace(
        said.turn,
        name=carry["calls"].pop(call_id, None),
        tool_call_id=call_id,
        is_error=failed,
    )
    return Said(said.session, turn)


def _answer(output: Any) -> tuple[str, bool, list[str]]:
    """Text, whether it failed, and notes; from text, `{"output", "metadata"}` or parts."""
    failed = False
    if isinstance(output, str) and output.startswith('{"output":'):
        try:
            output = json.loads(output)
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


def _event(event: Mapping[str, Any], line: Mapping[str, Any], carry: Carry) -> Iterator[Found]:
    kind = _type(event)
    if kind == "thread_rolled_back":
        yield from _rolled_back(event.get("num_turns"), carry)
    elif kind not in _MESSAGES or not isinstance(event.get("message"), str):
        yield Skipped(f"{kind} event")
    elif carry.get("items"):
        yield Skipped("event that repeats an item")
    else:
        text = clean(event["message"])
        if kind == "user_message" and text.lstrip().startswith(_SCAFFOLDING):
            yield Skipped("scaffolding")
            return
        held = carry.setdefault("held", [])
        held.append([_MESSAGES[kind].value, text, line.get("timestamp")])
        if len(held) >= _HELD:
            yield from _held_events(carry)


def _held_events(carry: Carry) -> Iterator[Found]:
    """No item came: the events are all there is. What is shown now is not taken again as item."""
    for role, text, at in carry.pop("held", ()):
        carry["shown"] = [*carry.get("shown", [])[-20:], [role, text]]
        yield _said(Role(role), text, {"timestamp": at}, carry, metadata={})


def _rolled_back(count: Any, carry: Carry) -> Iterator[Found]:
    """The last `count` rounds, each a user's message and what followed it, were taken back."""
    yield from _held_events(carry)
    rounds: list[int] = carry.get("rounds", [])
    if not isinstance(count, int) or isinstance(count, bool) or count <= 0 or not rounds:
        yield Skipped("thread_rolled_back event")
        return
    first = rounds[-count:][0]
    carry["rounds"] = rounds[:-count]
    carry.pop("thought", None)
    taken_back = tuple(str(number) for number in range(first, carry["next"]))
    yield Dropped(carry["session"], taken_back)
