"""What is told of the past: what happened to a thing, what changed between two times, what was
undone. Titles are the words by which a person knows a thing: of a card its title, of a fact its
sentence, of a session its id."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from alaya.model.graph import Card
from alaya.model.held import Thing


class Way(StrEnum):
    """How what is held of a thing differs between two times."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True)
class Difference:
    """A thing that is held otherwise at the second time. `fields`: which parts of it, if both."""

    thing: Thing
    way: Way
    before: str = ""  # its title at the first time
    after: str = ""
    fields: tuple[str, ...] = ()


@dataclass(frozen=True)
class Moment:
    """A place in the journal: behind record `seq`, which was written at `at`."""

    seq: int
    at: datetime


@dataclass(frozen=True)
class Diff:
    """What the memory came to hold, gave up or holds otherwise between two moments."""

    start: Moment
    end: Moment
    differences: tuple[Difference, ...]


@dataclass(frozen=True)
class Happened:
    """One change to one thing: what it was (such as CardRevised), by which record, and why."""

    what: str
    seq: int
    at: datetime
    actor: str
    verb: str
    reason: str = ""
    detail: str = ""  # such as the new tier, or the card it was merged into
    version: int | None = None
    undone_by: int | None = None


@dataclass(frozen=True)
class Version:
    """A version of a card, from when it was held until when (None: still)."""

    card: Card
    recorded_at: datetime
    retired_at: datetime | None = None


@dataclass(frozen=True)
class ThingHistory:
    """A thing's life: its versions, where it has any, and all that happened to it."""

    thing: Thing
    title: str
    held: bool
    happened: tuple[Happened, ...]
    versions: tuple[Version, ...] = ()


@dataclass(frozen=True)
class Recorded:
    """A record of the journal in words: what its changes were, by kind, and to what."""

    seq: int
    at: datetime
    actor: str
    verb: str
    changes: tuple[tuple[str, int], ...]
    titles: tuple[str, ...] = ()  # of the first things it touched
    undone_by: int | None = None
    undoes: tuple[int, ...] = ()
    refusal: str = ""  # why it cannot be undone; empty: it can


@dataclass(frozen=True)
class UndoReport:
    """Which records were undone, by which new record, and what that changed."""

    undone: tuple[Recorded, ...]
    seq: int | None  # of the new record; None: nothing had to be changed
    changes: tuple[tuple[str, int], ...] = ()
    dry_run: bool = False


@dataclass(frozen=True)
class RollbackReport:
    """How far back, over how many records, and what that changed; `seq` as in UndoReport."""

    to: Moment
    records: int
    seq: int | None
    changes: tuple[tuple[str, int], ...] = ()
    differences: tuple[tuple[str, int], ...] = field(default=())  # by kind and way
    dry_run: bool = False
