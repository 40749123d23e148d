"""What was said: sessions, turns, and the spans that point into them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from alaya.model.scope import Scope

Metadata = Mapping[str, Any]  # JSON values only


class Role(StrEnum):
    """Who speaks."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


class Origin(StrEnum):
    """How far the words can be trusted. Derived things have the lowest class of their sources."""

    OWNER = "owner"
    AGENT = "agent"
    TOOL = "tool"
    UNTRUSTED = "untrusted"
    SYSTEM = "system"


# From most to least trusted. `system` is alaya's own and host scaffolding: nothing to believe.
_TRUST = (Origin.OWNER, Origin.AGENT, Origin.TOOL, Origin.UNTRUSTED, Origin.SYSTEM)


def lowest(origins: list[Origin]) -> Origin:
    """The least trusted of the given classes; `untrusted` when there are none."""
    return max(origins, key=_TRUST.index, default=Origin.UNTRUSTED)


class SessionKind(StrEnum):
    """Only `main` sessions are distilled by default: memory must not mine its own runs."""

    MAIN = "main"
    SUBAGENT = "subagent"
    CRON = "cron"
    HOOK = "hook"
    DOCUMENTS = "documents"  # no talk: each turn stands alone, it has no neighbours


class TurnMark(StrEnum):
    """Where a turn stands in its session today. The turn itself is never changed."""

    ACTIVE = "active"
    SIDE = "side"  # on a branch that was left
    SUPERSEDED = "superseded"  # the source was rewritten without it


@dataclass(frozen=True)
class ToolCall:
    """A call that an assistant made; `arguments` is JSON text or whatever the source had."""

    id: str
    name: str
    arguments: str = ""


@dataclass(frozen=True)
class Turn:
    """One utterance, word for word. `id` is unique in its session over all generations.

    `injected` holds character ranges of `content` that alaya itself had put into the prompt:
    they stay in the archive, and are neither indexed nor distilled.
    """

    id: str
    role: Role
    content: str
    said_at: datetime | None = None
    name: str | None = None
    origin: Origin = Origin.AGENT
    parent: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    is_error: bool = False
    injected: tuple[tuple[int, int], ...] = ()
    redacted: int = 0
    metadata: Metadata = field(default_factory=dict)


@dataclass(frozen=True)
class Session:
    """The header of a session. `started_at` decides the month folder and never changes."""

    id: str
    scope: Scope
    started_at: datetime
    kind: SessionKind = SessionKind.MAIN
    channel: str | None = None
    title: str | None = None
    source: str | None = None  # where it was read from, as a path or address
    format: str | None = None
    parent: str | None = None  # the session that spawned or was forked into this one
    metadata: Metadata = field(default_factory=dict)


@dataclass(frozen=True)
class ArchivedTurn:
    """A turn with its place: `ordinal` over the whole session, byte range in its file."""

    turn: Turn
    ordinal: int
    generation: int
    offset: int
    length: int
    mark: TurnMark = TurnMark.ACTIVE


@dataclass(frozen=True)
class TurnPlace:
    """Where a turn stands in the archive, and what is known of it without reading it."""

    session: str
    id: str
    ordinal: int
    generation: int
    offset: int
    length: int
    role: Role
    sha256: str  # of its content
    tokens: int
    said_at: datetime | None = None
    mark: TurnMark = TurnMark.ACTIVE
    parent: str | None = None


@dataclass(frozen=True)
class SessionState:
    """A session and how far it has come. `end` is the byte length of the generation's file."""

    session: Session
    generation: int
    turns: int  # over all generations: the next ordinal
    end: int
    tokens: int
    distilled: int = 0  # ordinals below this were distilled
    last_said_at: datetime | None = None


@dataclass(frozen=True)
class Span:
    """Evidence: characters `start` to `end` of a turn, with the SHA-256 of exactly these words."""

    session: str
    turn: str
    start: int
    end: int
    sha256: str


class EventKind(StrEnum):
    """Eywa's source events."""

    USER_MESSAGE = "user_message"
    TOOL_CALL = "tool_call"
    REASONING = "reasoning"
    FINAL_ANSWER = "final_answer"
    RETRIEVAL = "retrieval"
    REFLECTION = "reflection"
    CORRECTION = "correction"
    IMPORT = "import"


@dataclass(frozen=True)
class Event:
    """What a memory came from: one act, and the words that went in and came out of it.

    The words stand in the archive: `input` and `output` are spans with hashes. Events that turns
    tell by themselves are read from them (`model/event.py`); others stand in the journal. `about`:
    the cards, events and turns that a correction corrects or a confirmation confirms.
    """

    id: str
    scope: Scope
    kind: EventKind
    at: datetime
    input: tuple[Span, ...] = ()
    output: tuple[Span, ...] = ()
    session: str | None = None
    turn: str | None = None
    origin: Origin = Origin.AGENT
    about: tuple[str, ...] = ()
    metadata: Metadata = field(default_factory=dict)
