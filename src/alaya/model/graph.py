"""What was understood: cards, entities, the links between them, and summaries."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from alaya.model.ids import link_id
from alaya.model.raw import Metadata, Origin, Span
from alaya.model.scope import Scope
from alaya.model.time import format_time


class CardKind(StrEnum):
    """Alaya's four, Eywa's four and Qiming's five."""

    CONCEPT = "concept"
    PATTERN = "pattern"
    GOTCHA = "gotcha"
    DECISION = "decision"
    OBSERVATION = "observation"
    REASONING = "reasoning"
    ACTION = "action"
    RESULT = "result"
    SUCCESS = "success"
    FAILURE = "failure"
    INSIGHT = "insight"
    PRINCIPLE = "principle"
    SKILL = "skill"


class Horizon(StrEnum):
    """Alice's short-term and long-term memory."""

    SHORT = "short"
    LONG = "long"


class Tier(StrEnum):
    """Alaya's tiers."""

    HOT = "HOT"
    WARM = "WARM"
    COLD = "COLD"


@dataclass(frozen=True)
class Card:
    """The unit of memory. `importance` and `confidence` are in 0..1.

    `said_at` is when the words were said (the first time axis); when alaya came to believe it
    (the second) is the journal's and stands in CardState.
    """

    id: str
    scope: Scope
    title: str
    content: str
    kind: CardKind
    created_at: datetime
    said_at: datetime
    updated_at: datetime
    tags: tuple[str, ...] = ()
    importance: float = 0.5
    confidence: float = 0.5
    evidence: tuple[Span, ...] = ()
    source_events: tuple[str, ...] = ()
    derived_from: tuple[str, ...] = ()
    version: int = 1
    supersedes: str | None = None
    origin: Origin = Origin.AGENT
    horizon: Horizon = Horizon.SHORT
    draft: str | None = None
    metadata: Metadata = field(default_factory=dict)

    @property
    def text(self) -> str:
        """What is embedded and indexed for this card."""
        return f"{self.title}\n{self.content}"


@dataclass(frozen=True)
class CardState:
    """What changes by itself or by decision, apart from the card.

    Access counts and similarities come from the recall log; temperature and tier follow from
    them and the clock; the flags come from journaled changes.
    """

    recorded_at: datetime
    retired_at: datetime | None = None
    forgotten_at: datetime | None = None
    pinned: bool = False
    stale: bool = False
    quarantined: bool = False
    access_count: int = 0
    last_access: datetime | None = None
    relevance: float | None = None  # mean similarity in recent recalls; None where none had words
    temperature: float = 1.0
    tier: Tier = Tier.HOT


class Standing(NamedTuple):  # of dozens a recall shows a few: the others are not read whole
    """What ranks a card beside its words."""

    said_at: datetime
    importance: float
    accesses: int
    stale: bool


class EntityKind(StrEnum):
    """What an entity is (action's six, plus organization and tool)."""

    PERSON = "person"
    PLACE = "place"
    THING = "thing"
    EVENT = "event"
    EMOTION = "emotion"
    ACTIVITY = "activity"
    ORGANIZATION = "organization"
    TOOL = "tool"


@dataclass(frozen=True)
class Entity:
    """Something that is talked about, by name and aliases."""

    id: str
    scope: Scope
    name: str
    kind: EntityKind
    aliases: tuple[str, ...] = ()
    summary: str = ""
    evidence: tuple[Span, ...] = ()
    metadata: Metadata = field(default_factory=dict)


@dataclass(frozen=True)
class Link:
    """A typed, weighted edge between cards, sessions or entities, on two time axes.

    A link between entities that carries a `fact` sentence is what the action design calls an
    edge and this project a fact. `valid_at`/`invalid_at` is the world; `recorded_at`/`retired_at`
    is what was believed, and is set by the journal.
    """

    scope: Scope
    source: str
    relation: str
    target: str
    valid_at: datetime
    weight: float = 1.0
    reason: str = ""
    fact: str = ""
    evidence: tuple[Span, ...] = ()
    invalid_at: datetime | None = None
    recorded_at: datetime | None = None
    retired_at: datetime | None = None
    origin: Origin = Origin.AGENT
    metadata: Metadata = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The hash of the stored edge's key: (user, source, relation, target, valid_at).

        CAUSED_BY and CAUSES, and a symmetric link either way round, are one edge with one id.
        """
        from alaya.model.relations import canonical  # which speaks of links itself

        key = canonical(self)
        return link_id(
            key.scope.user,
            key.source,
            relation=key.relation,
            target=key.target,
            valid_at=format_time(key.valid_at),
        )


class Edge(NamedTuple):  # thousands are read for one walk: a dataclass takes three times as long
    """A link without what is said about it: what a search through the graph needs to know."""

    source: str
    relation: str
    target: str
    weight: float


@dataclass(frozen=True)
class Relation:
    """A kind of link, core or free, and how it is used."""

    name: str
    frequency: int = 0
    is_core: bool = False
    examples: tuple[str, ...] = ()
    alias_of: str | None = None
    definition: str = ""

    @property
    def text(self) -> str:
        """What is embedded for this relation: its name in words, then what it means."""
        words = self.name.replace("_", " ").lower()
        return f"{words}: {self.definition or '; '.join(self.examples[:3])}".rstrip(": ")


@dataclass(frozen=True)
class Summary:
    """A run of turns on one topic, closed when the topic changes."""

    id: str
    scope: Scope
    session: str
    topic: str
    content: str
    first_turn: str
    last_turn: str
    said_at: datetime
    evidence: tuple[Span, ...] = ()
    origin: Origin = Origin.AGENT
    metadata: Metadata = field(default_factory=dict)

    @property
    def text(self) -> str:
        """What is embedded and indexed for this summary."""
        return f"{self.topic}\n{self.content}"
