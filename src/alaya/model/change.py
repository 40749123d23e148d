"""Every way in which a memory can change, as values. The union `Change` is closed.

Distillation, introspection and the verbs of `Memory` return changes; the journal keeps them; a
store applies them. Applying one twice equals applying it once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from alaya.model.graph import Card, Entity, Horizon, Link, Relation, Summary, Tier
from alaya.model.note import Note
from alaya.model.raw import ArchivedTurn, Event, Session, TurnMark
from alaya.model.scope import Scope

# --- L3: what was said ------------------------------------------------------------------------


@dataclass(frozen=True)
class SessionGrew:
    """Turns `first` to `first + count - 1` were archived in the session file of `generation`.

    `start`/`end` is their byte range in that file and `sha256` the hash of these bytes. The turns
    themselves are not journaled; projection reads them back from the archive into `turns`.
    """

    session: Session
    generation: int
    first: int
    count: int
    start: int
    end: int
    sha256: str
    tokens: int = 0
    turns: tuple[ArchivedTurn, ...] = field(default=(), metadata={"journal": False})


@dataclass(frozen=True)
class TurnsMarked:
    """These turns moved to or from a side branch, or were dropped by their source."""

    scope: Scope
    session: str
    turns: tuple[str, ...]
    mark: TurnMark


@dataclass(frozen=True)
class SessionDistilled:
    """Turns up to ordinal `turns` (exclusive) were distilled into `cards` cards by `distiller`."""

    scope: Scope
    session: str
    draft: str
    distiller: str
    turns: int
    content_hash: str
    cards: int
    dropped: int = 0  # what the importance gate left in L3


@dataclass(frozen=True)
class SessionUndistilled:
    """What was distilled of a session under these content hashes was not: it is new again."""

    scope: Scope
    session: str
    content_hashes: tuple[str, ...]


@dataclass(frozen=True)
class EventAdded:
    event: Event


# --- L2: cards --------------------------------------------------------------------------------


@dataclass(frozen=True)
class CardAdded:
    card: Card


@dataclass(frozen=True)
class CardRevised:
    """`card` is the new version; the version before it is retired, not overwritten."""

    card: Card
    reason: str = ""


@dataclass(frozen=True)
class CardMerged:
    """`merged` cards are retired in favour of `card`, which takes over their links."""

    card: Card
    merged: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True)
class Cooled:
    """One introspection's changes of tier: (card, new tier)."""

    scope: Scope
    tiers: tuple[tuple[str, Tier], ...]


@dataclass(frozen=True)
class Forgotten:
    """The cards (or summaries) leave recall; they can be restored until they are erased."""

    scope: Scope
    cards: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Restored:
    scope: Scope
    cards: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True)
class Pinned:
    scope: Scope
    cards: tuple[str, ...]
    pinned: bool


@dataclass(frozen=True)
class Quarantined:
    scope: Scope
    cards: tuple[str, ...]
    quarantined: bool
    reason: str = ""


@dataclass(frozen=True)
class MarkedStale:
    """Their source was corrected, or (`stale` false) they were confirmed or re-derived."""

    scope: Scope
    cards: tuple[str, ...]
    stale: bool
    because: str = ""


@dataclass(frozen=True)
class Promoted:
    scope: Scope
    cards: tuple[str, ...]
    horizon: Horizon


@dataclass(frozen=True)
class Withdrawn:
    """Cards, entities, summaries and events that are not held any more, as if never said.

    Nothing is lost: what they were is what was held before, and can be held again.
    """

    scope: Scope
    ids: tuple[str, ...]
    reason: str = ""


# --- L2: graph --------------------------------------------------------------------------------


@dataclass(frozen=True)
class LinkAdded:
    link: Link


@dataclass(frozen=True)
class LinkRetired:
    """No longer believed from the journal's time on; with `invalid_at`, no longer true either."""

    scope: Scope
    link: str
    reason: str = ""
    invalid_at: datetime | None = None


@dataclass(frozen=True)
class FactRetired:
    """As LinkRetired, for a link between entities: the world changed or we were wrong."""

    scope: Scope
    link: str
    reason: str = ""
    invalid_at: datetime | None = None


@dataclass(frozen=True)
class EntityAdded:
    entity: Entity


@dataclass(frozen=True)
class EntityRevised:
    entity: Entity
    reason: str = ""


@dataclass(frozen=True)
class EntityMerged:
    """`merged` turned out to be `entity`: names and links move over."""

    scope: Scope
    entity: str
    merged: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True)
class EntityHeld:
    """An entity is from now on exactly this, under these name keys; its links stay where they are.

    What undoing says: `EntityRevised` only adds names, and `EntityMerged` moves them.
    """

    entity: Entity
    names: tuple[str, ...]
    merged_into: str | None = None


@dataclass(frozen=True)
class RelationAdded:
    relation: Relation


@dataclass(frozen=True)
class RelationRevised:
    """An alias was set, or the relation was promoted to a core one."""

    relation: Relation


@dataclass(frozen=True)
class SummaryAdded:
    summary: Summary


# --- memory people edit, and memory minding itself ---------------------------------------------


@dataclass(frozen=True)
class NoteChanged:
    note: Note


@dataclass(frozen=True)
class NoteRemoved:
    scope: Scope
    path: str


@dataclass(frozen=True)
class Calibrated:
    """Median cosine of unrelated texts for `model`, by script pair such as `han|latin`."""

    model: str
    medians: tuple[tuple[str, float], ...]
    pairs: int
    at: datetime


@dataclass(frozen=True)
class Undone:
    """Record `seq` was reversed by the changes that stand beside this one."""

    seq: int


@dataclass(frozen=True)
class Erased:
    """The words behind these ids are gone for good; records `seqs` were blanked in the journal.

    `lines` are the SHA-256 of these records as lines, now that they are blanked: what is left of
    them can still not be altered unseen. A store that applied any of them as it was before begins
    anew. `receipt` names what is kept in `state/receipts`.
    """

    scope: Scope
    ids: tuple[str, ...]
    seqs: tuple[int, ...]
    reason: str = ""
    lines: tuple[str, ...] = ()
    receipt: str = ""


Change = (
    SessionGrew
    | TurnsMarked
    | SessionDistilled
    | SessionUndistilled
    | EventAdded
    | CardAdded
    | CardRevised
    | CardMerged
    | Cooled
    | Forgotten
    | Restored
    | Pinned
    | Quarantined
    | MarkedStale
    | Promoted
    | Withdrawn
    | LinkAdded
    | LinkRetired
    | FactRetired
    | EntityAdded
    | EntityRevised
    | EntityMerged
    | EntityHeld
    | RelationAdded
    | RelationRevised
    | SummaryAdded
    | NoteChanged
    | NoteRemoved
    | Calibrated
    | Undone
    | Erased
)
