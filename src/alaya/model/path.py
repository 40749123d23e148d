"""A chain of links between two things that are remembered: what is asked, and what is found."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from alaya.model.graph import Card, Link
from alaya.model.passage import Where
from alaya.model.raw import Origin, Span


@dataclass(frozen=True)
class PathQuery:
    """Which chain of links leads from one end to the other.

    An end is a node (`card-…`, `session:…`, `entity-…`, a turn `SESSION#TURN`), or a question: then
    the chain may begin (or end) at any of the cards that answer it best.
    """

    source: str
    target: str
    relations: tuple[str, ...] = ()  # only these, and those that are as good as the same
    max_depth: int | None = None  # links in the chain at most; None: 6
    where: Where = Where()


@dataclass(frozen=True)
class Quote:
    """What was said in a turn, without what alaya itself had put there."""

    content: str
    said_at: datetime
    origin: Origin
    evidence: tuple[Span, ...]


@dataclass(frozen=True)
class Place:
    """A node of a chain. `concept_distance` is from the target, 0..1: 0 for what may stand for the
    target, 1 where nothing tells."""

    id: str
    title: str
    concept_distance: float = 1.0
    card: Card | None = None
    quote: Quote | None = None  # of a turn


@dataclass(frozen=True)
class PathStep:
    """One link of a chain, as it reads in the direction of the chain.

    `against`: the relation has no name of its own in this direction, the link says it the other
    way round. `distance` is what the step adds to the chain's.
    """

    place: Place  # where it leads
    link: Link
    relation: str
    against: bool
    rel_similarity: float
    distance: float


@dataclass(frozen=True)
class Chain:
    """A way through the graph. `distance` sums its steps and its ends: what it costs that the
    first and the last card only answer a question, and are not a node that was named."""

    start: Place
    steps: tuple[PathStep, ...]
    distance: float
    ends: tuple[float, float] = (0.0, 0.0)

    @property
    def places(self) -> tuple[Place, ...]:
        """Every node, in order."""
        return (self.start, *(step.place for step in self.steps))


@dataclass(frozen=True)
class Path:
    """The best chain, or else the closest that any chain from the source came to the target.

    `complete`: the search was not cut off, so there is no better chain of at most `max_depth`
    links. `unmatched`: the ends for which nothing is remembered.
    """

    query: PathQuery
    chain: Chain | None
    closest: Chain | None = None
    unmatched: tuple[str, ...] = ()
    expanded: int = 0  # nodes from which the search went on
    complete: bool = True
    max_depth: int = 0  # in force
    notes: tuple[str, ...] = ()
    latency_ms: float = 0.0
    settings: tuple[tuple[str, float], ...] = ()  # alpha, beta, gamma

    @property
    def found(self) -> bool:
        """Whether there is a chain."""
        return self.chain is not None
