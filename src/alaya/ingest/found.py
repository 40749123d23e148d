"""What a parser yields, in the order of its source.

A parser is a function, one per format, in a file of its own:

    parse(rows, carry, origin) -> Iterator[Found]

`rows` are the parsed lines (or the parts of a document) with what could not be read among them;
`carry` is its small JSON-able state, changed in place and kept in the source's cursor, so that an
appended file goes on where it ended; `origin` says what is known about the source besides its
bytes. A parser never raises for bad input: it yields Skipped or Broken and goes on. When `rows`
ends it yields all that it still held back, so that nothing but `carry` is left.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePath
from typing import Any

from alaya.model.ids import clean
from alaya.model.raw import Session, Turn
from alaya.model.scope import Scope

Carry = dict[str, Any]


@dataclass(frozen=True)
class Row:
    """One JSON value with its place: `number` from 1, byte range [`offset`, `end`)."""

    number: int
    offset: int
    end: int
    data: Any


@dataclass(frozen=True)
class Header:
    """A session begins, or more is known of it. What follows may belong to it."""

    session: Session


@dataclass(frozen=True)
class Said:
    """A turn of the session `session`, whose Header came before."""

    session: str
    turn: Turn


@dataclass(frozen=True)
class Skipped:
    """Something that is not speech was left out; counted by `reason`."""

    reason: str
    count: int = 1


@dataclass(frozen=True)
class Broken:
    """Something could not be read and is to be parked."""

    reason: str
    line: int | None = None
    offset: int | None = None
    excerpt: str = ""


@dataclass(frozen=True)
class Reread:
    """The source rewrote this session: all that it still holds of it follows."""

    session: str


@dataclass(frozen=True)
class Tip:
    """At the end of a tree: the turn in which the active branch ends. None: nothing is active.

    `alone` is false where another source may hold turns of the same session.
    """

    session: str
    turn: str | None
    alone: bool = True


@dataclass(frozen=True)
class Dropped:
    """The source took these turns back. They stay in the archive, on a side branch."""

    session: str
    turns: tuple[str, ...]


Found = Header | Said | Skipped | Broken | Reread | Tip | Dropped
Rows = Iterable[Row | Broken | Skipped]


@dataclass(frozen=True)
class SourceInfo:
    """What is known of a source without reading it.

    `name` is the path as clean text (for a stream `-`), `fallback_id` the session id for a source
    that has none of its own, `changed_at` when it was last written, or now.
    """

    name: str
    format: str
    scope: Scope
    changed_at: datetime
    fallback_id: str
    hints: Mapping[str, str] = field(default_factory=dict)  # agent, kind, channel, key

    @property
    def stem(self) -> str:
        """The file name without its last suffix."""
        return PurePath(self.name).stem


Parser = Callable[..., Iterator[Found]]


def fallback_id(path: str) -> str:
    """A session id for a file without ids: `<stem>-<8 hex>`, the same as long as it stays there.

    `path` is as the system has it: bytes that are no text tell files apart, but are in no id.
    """
    mark = hashlib.sha256(path.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{clean(PurePath(path).stem)}-{mark}"
