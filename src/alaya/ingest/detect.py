"""Which format a source has, judged by what it holds; its name is only a hint."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, BinaryIO

from alaya.errors import InvalidInput
from alaya.ingest.conversation import LISTS
from alaya.ingest.document import Element, End, Key, read_document
from alaya.ingest.found import Row
from alaya.ingest.lines import LineReader, excerpt
from alaya.ingest.readable import LOOKED_AT, check_encoding

FORMATS = ("alaya", "messages", "openclaw", "openclaw-db", "claude-code", "codex")
_ALIASES = {
    "openclaw-jsonl": "openclaw", "openclaw-sqlite": "openclaw-db", "claude": "claude-code",
    "claudecode": "claude-code", "message": "messages", "json": "messages", "jsonl": "messages",
}  # fmt: skip
_CLAUDE_TYPES = {
    "summary", "file-history-snapshot", "queue-operation", "ai-title", "custom-title", "attachment",
    "progress", "last-prompt", "agent-name", "pr-link", "file-history-delta",
}  # fmt: skip
_OPENCLAW_TYPES = {
    "message", "model_change", "thinking_level_change", "custom", "custom_message", "compaction",
    "branch_summary", "label", "session_info", "leaf", "session",
}  # fmt: skip
_CODEX_TYPES = {"session_meta", "response_item", "event_msg", "turn_context", "compacted"}
_LOOKED_AT = 50  # lines
_LIST = re.compile(r'"(turns|messages)"\s*:\s*\[\s*\{')
_SQLITE = b"SQLite format 3\x00"


@dataclass(frozen=True)
class Detected:
    """`document`: the file is one JSON value, to be read as a whole, and not lines."""

    format: str
    document: bool = False


def known_format(name: str) -> str:
    """A format's name as it is written on a command line. Raises InvalidInput."""
    wanted = name.strip().casefold().replace("_", "-")
    wanted = _ALIASES.get(wanted, wanted)
    if wanted not in FORMATS:
        raise InvalidInput(f"unknown format {name!r}; formats are: {', '.join(FORMATS)}")
    return wanted


def detect(file: BinaryIO, name: str, *, wanted: str | None = None) -> Detected | None:
    """The format of an open file; `wanted` overrides. None where the file is empty.

    Raises InvalidInput, naming the formats and what was seen, where it has none of them; NotUtf8
    where its text is in another encoding.
    """
    file.seek(0)
    beginning = file.read(LOOKED_AT)
    head = beginning[:4096]
    if head.startswith(_SQLITE):
        return Detected("openclaw-db")
    if not head.strip().removeprefix(b"\xef\xbb\xbf") and len(head) < 4096:
        return None
    check_encoding(beginning, name)
    if wanted == "openclaw-db":
        raise InvalidInput(f"{name} is not a SQLite database")
    document = _is_document(head)
    if not document:
        for row in _first_rows(file):
            if isinstance(row, Mapping) and "alaya" in row and "generation" in row:
                raise InvalidInput(f"{name} belongs to alaya's own archive, it is not ingested")
            found = _of_object(row)
            if found and (wanted or found) in (found, "alaya", "messages"):
                return Detected(wanted or found)
    found = _of_document(file) or _cut_short(head)
    if found and wanted in (None, "alaya", "messages"):
        return Detected(wanted or found, document=True)
    if wanted:
        return Detected(wanted, document=document and wanted in ("alaya", "messages"))
    raise InvalidInput(
        f"{name} has no format that alaya knows ({', '.join(FORMATS)}); it begins with "
        f"{excerpt(head)[:80]!r}; if it is one of them, name it with --format"
    )


def _is_document(head: bytes) -> bool:
    """A list, or an object that goes on in the next line."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return text.startswith(b"[") or text.split(b"\n", 1)[0].strip() == b"{"


def _first_rows(file: BinaryIO) -> Iterator[Any]:
    for row in islice(LineReader(file), _LOOKED_AT):
        if isinstance(row, Row):
            yield row.data


def _of_object(data: Any) -> str | None:
    """The format that an object of this shape is a line of."""
    if isinstance(data, list):
        return (
            "messages" if any(isinstance(one, Mapping) and "role" in one for one in data) else None
        )
    if not isinstance(data, Mapping):
        return None
    kind = data.get("type")
    if isinstance(data.get("turns"), list):
        return "alaya"
    if isinstance(data.get("messages"), list):
        return "messages"
    if isinstance(data.get("payload"), Mapping) and (kind in _CODEX_TYPES or "timestamp" in data):
        return "codex"
    if kind == "session" and "id" in data:
        return "openclaw"
    if "parentId" in data and kind in _OPENCLAW_TYPES:
        return "openclaw"
    if kind == "message" and isinstance(data.get("message"), Mapping):
        return "openclaw"
    if kind in ("user", "assistant", "system") and ("uuid" in data or "sessionId" in data):
        return "claude-code"
    if kind in _CLAUDE_TYPES and not ("role" in data and "content" in data):
        return "claude-code"
    if ("role" in data or "speaker" in data) and ("content" in data or "text" in data):
        return "messages"
    return None


def _cut_short(head: bytes) -> str | None:
    """A document that ends within its first turn."""
    listed = _LIST.search(head.decode("utf-8", "replace"))
    if listed is None or not head.lstrip().startswith((b"{", b"[")):
        return None
    return "alaya" if listed[1] == "turns" else "messages"


def _of_document(file: BinaryIO) -> str | None:
    """By the names in the first object, however long it is."""
    file.seek(0)
    members: dict[str, Any] = {}
    for piece in read_document(file, LISTS):
        if isinstance(piece, Element):
            if piece.key:
                return "alaya" if piece.key == "turns" else "messages"
            return _of_object(piece.value)
        if isinstance(piece, Key):
            members[piece.name] = piece.value
            if piece.name in LISTS and piece.value == []:
                return "alaya" if piece.name == "turns" else "messages"
        if isinstance(piece, End):
            return _of_object(members)
    return None
