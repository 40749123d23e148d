"""From a source and its format to what it holds: the one place that names every parser."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from alaya.ingest import claude_code, codex, conversation, openclaw
from alaya.ingest.content import text_or_none
from alaya.ingest.detect import Detected
from alaya.ingest.found import Carry, Found, Parser, Rows, SourceInfo
from alaya.ingest.lines import parse_json
from alaya.model.ids import clean

_LARGEST_INDEX = 64 * 1024 * 1024


def parser(format: str) -> Parser:
    """The parser of a format that is read by lines."""
    parsers: dict[str, Parser] = {
        "alaya": conversation.parse,
        "messages": conversation.parse,
        "openclaw": openclaw.parse,
        "claude-code": claude_code.parse,
        "codex": codex.parse,
    }
    return parsers[format]


def read(
    detected: Detected, file: BinaryIO, *, rows: Rows, carry: Carry, origin: SourceInfo
) -> Iterator[Found]:
    """What is in an open file: `rows` where it has lines, else the whole of it."""
    if detected.document:
        return conversation.parse_document(file, carry, origin=origin)
    return parser(detected.format)(rows, carry, origin=origin)


def hints(path: Path, format: str) -> dict[str, str]:
    """What the place of a file says of its sessions: OpenClaw keeps an index beside them."""
    if format not in ("openclaw", "openclaw-db"):
        return {}
    found: dict[str, str] = {}
    parts = path.parts
    if "agents" in parts[:-2]:
        found["agent"] = parts[len(parts) - 1 - parts[::-1].index("agents") + 1]
    if format == "openclaw":
        found |= _indexed(path)
    return {name: clean(value) for name, value in found.items()}


def _indexed(path: Path) -> dict[str, str]:
    """The entry of a session file in `sessions.json`. An index that cannot be read says nothing."""
    index = path.with_name("sessions.json")
    try:
        status = index.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST_INDEX:
            return {}
        entries: Any = parse_json(index.read_bytes())
    except (OSError, ValueError):
        return {}
    if not isinstance(entries, Mapping):
        return {}
    for key, entry in entries.items():
        if not isinstance(entry, Mapping):
            continue
        file = text_or_none(entry.get("sessionFile")) or ""
        session = text_or_none(entry.get("sessionId"))
        if Path(file).name == path.name or (session and path.stem.split("-topic-")[0] == session):
            found = {
                "key": str(key),
                "channel": text_or_none(entry.get("channel") or entry.get("provider")),
                "started_at": text_or_none(entry.get("sessionStartedAt")),
                "title": text_or_none(entry.get("displayName") or entry.get("label")),
            }
            return {name: value for name, value in found.items() if value}
    return {}
