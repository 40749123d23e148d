"""Message content as the tools write it, to words, reasoning, tool calls, results and notes."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from alaya.errors import InvalidInput
from alaya.model.ids import clean
from alaya.model.raw import ToolCall
from alaya.model.time import parse_time

_TEXT = {"text", "input_text", "output_text", "summary_text"}
_REASONING = {"thinking", "reasoning", "reasoning_text"}
_CALLS = {"toolCall", "tool_use", "toolUse", "tool_call", "function_call"}
_RESULTS = {"tool_result", "toolResult"}
_LONGEST = 8_000  # characters of one metadata string
_LARGEST = 32_000  # characters of all metadata of one turn, as JSON
_DEEPEST = 6
_MANY = 100
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{200}")


@dataclass(frozen=True)
class Result:
    """What a tool answered, where it stands among the parts of a message."""

    call_id: str | None
    text: str
    is_error: bool
    attachments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Content:
    """`attachments` are notes such as `[image/png, 1234 bytes]` for what was left out."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    results: tuple[Result, ...] = ()
    attachments: tuple[str, ...] = ()


def read_content(content: Any) -> Content:
    """The parts of a message's content: a text, a part, a list of parts, or None."""
    if isinstance(content, str):
        return Content(clean(content))
    if isinstance(content, Mapping):
        content = [content]
    if not isinstance(content, list):
        return Content("" if content is None else clean(str(content)))
    texts: list[str] = []
    reasoning: list[str] = []
    calls: list[ToolCall] = []
    results: list[Result] = []
    notes: list[str] = []
    for part in content:
        kind = part.get("type") if isinstance(part, Mapping) else None
        if isinstance(part, str):
            texts.append(part)
        elif not isinstance(part, Mapping):
            notes.append(note(part))
        elif kind in _CALLS:
            calls.append(read_call(part))
        elif kind in _RESULTS:
            results.append(_result(part))
        elif kind in _REASONING:
            reasoning.append(str(part.get("thinking") or part.get("text") or ""))
        elif kind in _TEXT or (kind is None and isinstance(part.get("text"), str)):
            texts.append(str(part.get("text") or ""))
        elif kind != "redacted_thinking":
            notes.append(note(part))
    return Content(
        clean("\n".join(text for text in texts if text)),
        clean("\n".join(text for text in reasoning if text)),
        tuple(calls),
        tuple(results),
        tuple(notes),
    )


def read_call(part: Mapping[str, Any]) -> ToolCall:
    """A tool call as Anthropic, OpenAI or OpenClaw write it; arguments become JSON text."""
    inner = part.get("function")
    named: Mapping[str, Any] = inner if isinstance(inner, Mapping) else part
    arguments: Any = None
    for key in ("arguments", "input", "parameters"):
        if named.get(key) is not None:
            arguments = named[key]
            break
    identity = part.get("id") or part.get("call_id") or part.get("tool_call_id") or ""
    return ToolCall(clean(str(identity)), clean(str(named.get("name") or "")), _as_text(arguments))


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return clean(value)
    return clean(json.dumps(value, ensure_ascii=False))


def _result(part: Mapping[str, Any]) -> Result:
    inner = read_content(part.get("content"))
    identity = part.get("tool_use_id") or part.get("toolCallId") or part.get("tool_call_id")
    failed = bool(part.get("is_error") or part.get("isError"))
    call_id = None if identity is None else clean(str(identity))
    return Result(call_id, inner.text, failed, inner.attachments)


def note(part: Any) -> str:
    """What stands for a part that is no text: its type and size, or its address."""
    if not isinstance(part, Mapping):
        return clean(f"[{type(part).__name__} {part!r:.80}]")
    kind = str(part.get("type") or "part")
    inner = part.get("source")
    source: Mapping[str, Any] = inner if isinstance(inner, Mapping) else part
    mime = source.get("mimeType") or source.get("media_type") or source.get("mime_type") or kind
    url = part.get("image_url") or part.get("file") or source.get("url")
    if isinstance(url, Mapping):
        url = url.get("url") or url.get("file_data") or url.get("file_id")
    data = source.get("data")
    if isinstance(url, str) and url.startswith("data:"):
        mime, _, data = url[5:].partition(";base64,")
        mime = mime[:100]
    elif isinstance(url, str):
        return clean(f"[{kind} {url[:500]}]")
    if isinstance(data, str):
        return clean(f"[{mime}, {len(data) * 3 // 4} bytes]")
    name = part.get("name") or part.get("filename") or part.get("title")
    return clean(f"[{mime} {name}]" if name else f"[{mime}]")


def keep(entry: Mapping[str, Any], known: Collection[str] = ()) -> dict[str, Any]:
    """The fields of an entry that alaya has no place for, as modest JSON values.

    Base64 data is replaced by its type and size, long strings are cut, and what would make the
    whole larger than 32,000 characters is replaced by its size. Empty fields are left out.
    """
    kept = {
        clean(str(name)): plain(value)
        for name, value in entry.items()
        if name not in known and value is not None and value != "" and value != [] and value != {}
    }
    if len(json.dumps(kept, ensure_ascii=False)) <= _LARGEST:
        return kept
    for name, value in kept.items():
        size = len(json.dumps(value, ensure_ascii=False))
        if size > _LARGEST // 16:
            kept[name] = f"[{size} characters left out]"
    return dict(list(kept.items())[:_MANY])


def plain(value: Any, depth: int = 0) -> Any:
    """A JSON value made small and safe to keep."""
    if isinstance(value, str):
        return _short(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int):
        return value
    if depth >= _DEEPEST:
        return "[left out: nested too deeply]"
    if isinstance(value, Mapping):
        mime = value.get("mimeType") or value.get("media_type") or value.get("mime_type")
        if isinstance(value.get("data"), str) and isinstance(mime, str):
            return note(value)
        items = list(value.items())[:_MANY]
        return {clean(str(name)): plain(item, depth + 1) for name, item in items}
    if isinstance(value, list | tuple):
        return [plain(item, depth + 1) for item in value[:_MANY]]
    return _short(str(value))


def _short(text: str) -> str:
    if text.startswith("data:") and ";base64," in text[:200]:
        return note({"type": "data", "image_url": text})
    if len(text) > 1000 and _BASE64.match(text):
        return f"[{len(text) * 3 // 4} bytes of base64 left out]"
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}… [{len(text) - _LONGEST} characters left out]"
    return clean(text)


def when(*values: Any) -> datetime | None:
    """The first of these that is a time. A zero, a negative number or nonsense is none."""
    for value in values:
        if value is None or value == "" or (isinstance(value, int | float) and value <= 0):
            continue
        try:
            at = parse_time(value)
        except InvalidInput:
            continue
        if at.year >= 1000:
            return at
    return None


def text_or_none(value: Any) -> str | None:
    """A text that is not empty, cleaned; numbers become text; anything else is None."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return clean(str(value)).strip() or None
