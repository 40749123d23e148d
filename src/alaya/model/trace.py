"""The way back from a card to the words, and forward to what was derived."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from alaya.model.graph import Card, CardState, Link
from alaya.model.raw import ArchivedTurn, Event, Origin, Session, Span


@dataclass(frozen=True)
class Quote:
    """A span with the words it points at. `verified`: their hash is the span's."""

    span: Span
    turn: ArchivedTurn
    words: str
    verified: bool


@dataclass(frozen=True)
class Trace:
    """A card, the sessions it came from, and the words that carry it."""

    card: Card
    state: CardState
    sessions: tuple[tuple[Session, str], ...]  # with the path of the archived file
    quotes: tuple[Quote, ...]
    missing: tuple[Span, ...] = ()  # evidence that no longer stands in the archive


@dataclass(frozen=True)
class Node:
    """A thing in the tree of where something came from, or of what was concluded from it.

    `kind` is `card`, `words`, or that of an event; `text` is a title or the words themselves.
    `marks`: stale, quarantined, forgotten; verified or altered, for words; missing, for what is
    named and not there; again, for what stands elsewhere in the tree with all below it.
    """

    id: str
    kind: str
    text: str = ""
    said_at: datetime | None = None
    origin: Origin | None = None
    marks: tuple[str, ...] = ()
    children: tuple[Node, ...] = ()


@dataclass(frozen=True)
class Chain:
    """Both ways from a card, an event or a turn: `down` to the words, `up` to what is derived."""

    down: Node
    up: Node


@dataclass(frozen=True)
class Why:
    """Why a card says what it says, and how far that holds.

    `events`: those it came from; `again`: the links that say that it was said again; `corrections`
    of it or of what it came from, which explain `state.stale`; `replaces`, `replaced_by` and
    `contradicts` are other cards; `doubts`: cues in its words that made or would make it suspect.
    """

    trace: Trace
    events: tuple[Event, ...] = ()
    again: tuple[Link, ...] = ()
    confirmations: tuple[Event, ...] = ()
    corrections: tuple[Event, ...] = ()
    replaces: tuple[Card, ...] = ()
    replaced_by: tuple[Card, ...] = ()
    contradicts: tuple[Card, ...] = ()
    derived_from: tuple[Card, ...] = ()
    derived: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def times(self) -> int:
        """How often it was said or confirmed, the first time included."""
        return 1 + len(self.again) + len(self.confirmations)


@dataclass(frozen=True)
class Remembered:
    """A card that was put down. `again`: it stood there before, and was said once more.

    `doubts`: why it was put into quarantine, if it was.
    """

    card: Card
    again: bool = False
    doubts: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """That of the card."""
        return self.card.id


@dataclass(frozen=True)
class Corrected:
    """A correction: its event, the card that says what holds now, and what is stale for it.

    `stale` is ordered by how many steps it is away; `retired` are facts that are no longer
    believed.
    """

    event: Event
    card: Card
    stale: tuple[str, ...] = ()
    retired: tuple[str, ...] = ()


@dataclass(frozen=True)
class Transcript:
    """A part of a session as it was said: turns from the `offset`-th on, of `total` in all."""

    session: Session
    turns: tuple[ArchivedTurn, ...]
    offset: int
    total: int
