"""The action design's two verbs: what `add` has taken and learnt, and what `retrieve` brings back.

Its words here: an episode is a turn, an edge is a fact (a link between entities, as a sentence).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from alaya.model.context import Context
from alaya.model.graph import Card, Entity, Link, Summary
from alaya.model.passage import Hit
from alaya.model.raw import Span, Turn
from alaya.model.report import DistillReport


@dataclass(frozen=True)
class Added:
    """What was added to a session. `episodes` are its new turns, as they stand in the archive.

    `known` messages stood there before; `skipped` counts by reason, `redacted` secrets by type.
    Without distilling `distilled` is None and nothing was learnt: no cards, entities, facts or
    summaries.
    """

    session: str
    created: bool
    episodes: tuple[Turn, ...] = ()
    known: int = 0
    cards: tuple[Card, ...] = ()
    entities: tuple[Entity, ...] = ()
    facts: tuple[Link, ...] = ()
    summaries: tuple[Summary, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    redacted: Mapping[str, int] = field(default_factory=dict)
    distilled: DistillReport | None = None
    embedding: str = ""  # as in IngestReport


@dataclass(frozen=True)
class EntityFound:
    """An entity, how near it is to what was asked (0..1), and in how many facts it stands.

    `hops`: how many facts lead to it from an entity that was named or spoken of; 0 for that one.
    """

    entity: Entity
    score: float = 1.0
    hops: int = 0
    facts: int = 0

    @property
    def evidence(self) -> tuple[Span, ...]:
        """The words it was taken from."""
        return self.entity.evidence


@dataclass(frozen=True)
class FactFound:
    """A fact with the names of its ends and how near it is to what was asked (0..1).

    `hops` as of an entity, 1 for a fact of one that was asked for. `holds`: it is true at the time
    asked; one that is not was true before, or becomes true.
    """

    link: Link
    subject: str = ""
    object: str = ""
    score: float = 1.0
    hops: int = 1
    holds: bool = True

    @property
    def fact(self) -> str:
        """It as a sentence."""
        return self.link.fact

    @property
    def evidence(self) -> tuple[Span, ...]:
        """The words that tell it."""
        return self.link.evidence


@dataclass(frozen=True)
class Wish:
    """Which kinds `retrieve` brings back, how far along facts, and at most how many of each."""

    episodes: bool = True
    entities: bool = True
    edges: bool = True
    summaries: bool = True
    max_hops: int = 2
    limit: int = 10


@dataclass(frozen=True)
class Retrieved:
    """What is remembered of a question: the four kinds, cards besides, and all as one block.

    Episodes are turns with their words; edges are facts. Each item has its evidence and a score.
    """

    episodes: tuple[Hit, ...]
    entities: tuple[EntityFound, ...]
    edges: tuple[FactFound, ...]
    summaries: tuple[Hit, ...]
    cards: tuple[Hit, ...]
    context: Context

    @property
    def abstained(self) -> bool:
        """Whether nothing relevant is remembered."""
        kinds = (self.episodes, self.entities, self.edges, self.summaries, self.cards)
        return not any(kinds)
