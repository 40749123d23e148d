"""How far a source was read, and whether it is still the source that was read."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, BinaryIO

from alaya.errors import InvalidInput
from alaya.ingest.found import Carry
from alaya.ingest.redact import redact_value
from alaya.model.codec import decode, encode
from alaya.model.ids import digest

_EDGE = 4096
_BLOCK = 1 << 20


class Since(StrEnum):
    """What became of a source since it was read."""

    NEW = "new"
    UNCHANGED = "unchanged"
    TOUCHED = "touched"  # another time, the same bytes
    APPENDED = "appended"
    REWRITTEN = "rewritten"


@dataclass(frozen=True)
class Cursor:
    """`offset` bytes were read and their hash is `sha256`; `edges` hashes their ends only."""

    path: str
    format: str
    document: bool = False
    size: int = 0
    mtime_ns: int = 0
    offset: int = 0
    number: int = 0  # lines that were read
    in_line: bool = False
    sha256: str = ""
    edges: str = ""
    asked: tuple[str, ...] = ()  # calls of alaya whose results have not come yet
    carry: Carry = field(default_factory=dict)


def cursor_name(user: str, path: str) -> str:
    """Under which name the cursor of a source stands in `state/`."""
    exact = path.encode("utf-8", "surrogatepass").decode("utf-8", "backslashreplace")
    return f"cursors/{digest('cursor', user, exact)}"


def load(state: Mapping[str, Any] | None) -> Cursor | None:
    """The cursor in a state document; None where there is none.

    One that cannot be understood counts as none: reading anew is always safe.
    """
    try:
        return None if state is None else decode(Cursor, state)
    except InvalidInput:
        return None


def dump(cursor: Cursor) -> dict[str, Any]:
    """The cursor as a state document. What a parser carries may quote the source: no secrets."""
    document: dict[str, Any] = encode(cursor)
    return {**document, "carry": redact_value(cursor.carry)}


def compare(cursor: Cursor | None, file: BinaryIO, *, size: int, mtime_ns: int) -> Since:
    """What became of an open file since `cursor` was written."""
    if cursor is None:
        return Since.NEW
    if size < cursor.offset:
        return Since.REWRITTEN
    if (size, mtime_ns) == (cursor.size, cursor.mtime_ns):
        same = edges(file, cursor.offset) == cursor.edges
        return Since.UNCHANGED if same else Since.REWRITTEN
    if prefix_hash(file, cursor.offset) != cursor.sha256:
        return Since.REWRITTEN
    if size == cursor.size:
        return Since.TOUCHED
    return Since.REWRITTEN if cursor.document else Since.APPENDED


def sealed(cursor: Cursor, file: BinaryIO) -> Cursor:
    """The cursor with the hashes of what was read."""
    return dataclasses.replace(
        cursor,
        sha256=prefix_hash(file, cursor.offset),
        edges=edges(file, cursor.offset),
    )


def prefix_hash(file: BinaryIO, length: int) -> str:
    """The hash of the first `length` bytes."""
    found = hashlib.sha256()
    file.seek(0)
    left = length
    while left and (block := file.read(min(left, _BLOCK))):
        found.update(block)
        left -= len(block)
    return found.hexdigest()


def edges(file: BinaryIO, length: int) -> str:
    """The hash of the first and the last bytes of the first `length`."""
    file.seek(0)
    found = hashlib.sha256(file.read(min(length, _EDGE)))
    file.seek(max(0, length - _EDGE))
    found.update(file.read(min(length, _EDGE)))
    return found.hexdigest()
