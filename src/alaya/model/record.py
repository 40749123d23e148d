"""What the archive keeps besides words: journal records, drafts, recalls, parked input, cursors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from alaya.model.change import Change
from alaya.model.graph import CardKind, EntityKind
from alaya.model.raw import Metadata

GENESIS = "0" * 64


@dataclass(frozen=True)
class Position:
    """How far a follower has come: the last record it applied, and where the next one begins.

    `seq` 0 is before the first record. `chain` is the running hash at `seq`; `file`/`offset` are a
    hint that saves a search.
    """

    seq: int = 0
    chain: str = GENESIS
    file: str = ""
    offset: int = 0


@dataclass(frozen=True)
class Record:
    """One line of the journal: one verb's whole list of changes."""

    seq: int
    time: datetime
    actor: str
    verb: str
    changes: tuple[Change, ...]
    position: Position  # after this record
    erased: bool = False  # its content was blanked by a later erasure


@dataclass(frozen=True)
class DraftCard:
    """A card as a distiller proposes it. `evidence`: (turn id, start, end) in characters."""

    title: str
    content: str
    kind: CardKind
    evidence: tuple[tuple[str, int, int], ...]
    tags: tuple[str, ...] = ()
    importance: float = 0.5
    confidence: float = 0.5
    metadata: Metadata = field(default_factory=dict)


@dataclass(frozen=True)
class DraftLink:
    """A link between two cards of one draft, by position."""

    source: int
    target: int
    relation: str
    reason: str = ""
    weight: float = 1.0


@dataclass(frozen=True)
class DraftEntity:
    """Something that was talked about. `evidence` as in DraftCard.

    `known`: the id of an entity that it is, where the distiller was told of it. `other`: the words
    say that it is another one than who has this name already.
    """

    name: str
    kind: EntityKind
    evidence: tuple[tuple[str, int, int], ...]
    aliases: tuple[str, ...] = ()
    summary: str = ""
    known: str = ""
    other: bool = False


@dataclass(frozen=True)
class DraftFact:
    """A fact between two entities of one draft, by position. `fact`: it as a sentence.

    `valid_at`, `invalid_at`: when it was true in the world; None where the words do not tell.
    `corrects`: what was said before was wrong, `instead_of` (an entity) where that is told.
    """

    subject: int
    relation: str
    object: int
    fact: str
    evidence: tuple[tuple[str, int, int], ...]
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    confidence: float = 0.5
    corrects: bool = False
    instead_of: int | None = None


@dataclass(frozen=True)
class DraftSummary:
    """What a run of turns on one topic says; the turns are ids, both included."""

    topic: str
    content: str
    first: str
    last: str
    evidence: tuple[tuple[str, int, int], ...] = ()


@dataclass(frozen=True)
class Draft:
    """What a distiller returned for the turns `first` to `last` (ordinals, exclusive)."""

    session: str
    distiller: str  # name and version, such as rules-1 or gpt-4o
    content_hash: str  # of the turns that were read
    first: int
    last: int
    cards: tuple[DraftCard, ...] = ()
    links: tuple[DraftLink, ...] = ()
    known: tuple[str, ...] = ()  # cards from before that links may name, by position behind `cards`
    entities: tuple[DraftEntity, ...] = ()
    facts: tuple[DraftFact, ...] = ()
    summaries: tuple[DraftSummary, ...] = ()
    topics: tuple[tuple[str, str, str], ...] = ()  # (topic words, first turn, last turn)
    dropped: int = 0
    unsupported: int = 0  # of the dropped: cards of which the turns that they cite say nothing
    prompt_hash: str | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    raw: str | None = None  # what the model said, word for word


@dataclass(frozen=True)
class Parked:
    """Input that could not be processed, kept with the reason. `times`: how often it was tried."""

    source: str
    reason: str
    at: datetime
    line: int | None = None
    offset: int | None = None
    excerpt: str = ""
    times: int = 1


@dataclass(frozen=True)
class RecallLog:
    """One recall, as the recall log keeps it: Eywa's retrieval event, under `id`.

    `results` are ids with their similarity to the question; None where nothing was asked in words.
    """

    at: datetime
    user: str
    query: Mapping[str, Any]
    results: tuple[tuple[str, float | None], ...]
    tiers: Mapping[str, int]
    latency_ms: float
    arms: tuple[str, ...]
    graph_expanded: bool
    abstained: bool
    session: str | None = None
    agent: str | None = None
    id: str = ""
