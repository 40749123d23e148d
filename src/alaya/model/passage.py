"""Asking and being answered: the filter, the query, the hit and its reasons."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from alaya.model.forms import Forms
from alaya.model.graph import Card, CardKind, Link, Tier
from alaya.model.raw import Origin, Span
from alaya.model.scope import Scope


@dataclass(frozen=True)
class Where:
    """The only filter. An adapter honours every field that is set or raises Unsupported.

    Empty tuples and None do not narrow. `since`/`until` bound the time the words were said
    (inclusive, exclusive). `as_of`: only what had been said or was valid in the world by then.
    `believed_at`: what the memory held then. Without it, what it holds now. Stale cards come
    along by default (ranked down by recipes); forgotten and quarantined ones do not.

    Everything is as it stood at `believed_at`, tiers and flags, too, but for access counts and for
    which agent and kind a session turned out to be of. A link that was retired because the world
    changed is still believed of the time before: `as_of` finds it, and `include_ended` without
    one. Turns and summaries have no
    kind, tag, tier or confidence: a filter by these lets none pass. Sessions and entities, as ends
    of edges, are told apart by scope alone.
    """

    scope: Scope = Scope()
    kinds: tuple[CardKind, ...] = ()
    tags: tuple[str, ...] = ()  # all of them
    since: datetime | None = None
    until: datetime | None = None
    tiers: tuple[Tier, ...] = ()
    origins: tuple[Origin, ...] = ()
    min_confidence: float = 0.0
    as_of: datetime | None = None
    believed_at: datetime | None = None
    include_stale: bool = True
    include_forgotten: bool = False
    include_quarantined: bool = False
    include_ended: bool = False


class ItemKind(StrEnum):
    """What an index entry stands for."""

    CARD = "card"
    TURN = "turn"
    RELATION = "relation"
    ENTITY = "entity"
    SUMMARY = "summary"


@dataclass(frozen=True)
class Scored:
    """One answer of one index: the item's id and the index's own score, higher is better.

    For vectors the score is the cosine; for words it is BM25. A turn's id is `session#turn`.
    """

    id: str
    score: float


class Item(NamedTuple):  # hundreds are read for a recall: a dataclass takes three times as long
    """A card, turn or summary as ranking sees it: where it stands, who said it, and its forms.

    `session` is empty for what stands alone: a card, a summary, a turn of a collection of
    documents.
    """

    id: str
    kind: ItemKind
    said_at: datetime
    forms: Forms
    session: str = ""
    ordinal: int = 0
    speaker: str = ""  # the terms of the speaker's name, joined by spaces


@dataclass(frozen=True)
class Mention:
    """An item that holds a name; `leads`: the name is its heading."""

    id: str
    leads: bool = False


@dataclass(frozen=True)
class Pending:
    """A text that has no vector of the current model yet."""

    kind: ItemKind
    text_hash: str
    text: str


@dataclass(frozen=True)
class Query:
    """A recall. At least one of `text`, `concepts` and `from_nodes` is given."""

    text: str = ""
    concepts: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    from_nodes: tuple[str, ...] = ()
    depth: int | None = None  # None: recall.graph_expand_depth, or 1 when relations are named
    limit: int | None = None  # None: recall.max_results
    min_similarity: float | None = None  # None: recall.min_similarity
    graph_expand: bool = True
    # Cards; turns; summaries of turns; cards that are notes. None: recall.include_… of the
    # configuration (unless it is changed: cards and notes, no turns and no summaries).
    include_cards: bool | None = None
    include_sessions: bool | None = None
    include_summaries: bool | None = None
    include_notes: bool | None = None
    recipe: str = ""  # default, alaya, alice or eywa; empty: recall.recipe of the configuration
    asked_at: datetime | None = None  # what "yesterday" counts from; None: now
    already_shown: tuple[str, ...] = ()  # ids of hits that the caller has seen: left out
    show_again: bool = False  # unless this is set
    where: Where = Where()

    @property
    def phrases(self) -> tuple[str, ...]:
        """What is looked for, as separate texts."""
        return tuple(p for p in (self.text, *self.concepts) if p.strip())

    @property
    def hidden(self) -> frozenset[str]:
        """Ids that are not to be returned."""
        return frozenset() if self.show_again else frozenset(self.already_shown)


@dataclass(frozen=True)
class ArmScore:
    """What one arm said of a hit: its own raw score, and its calibrated vote in 0..1."""

    arm: str  # dense | words | graph
    raw: float
    vote: float
    rank: int


@dataclass(frozen=True)
class Hit:
    """One recalled card, turn or summary, with its evidence and its reasons."""

    id: str
    kind: ItemKind
    title: str
    content: str
    score: float  # 0..1
    h_distance: float  # 0..1, 0 is at the goal
    said_at: datetime
    origin: Origin
    evidence: tuple[Span, ...]
    arms: tuple[ArmScore, ...]
    concept_distance: float = 1.0
    relation_distance: float = 1.0
    depth: int = 0
    matched_rel: str | None = None
    rel_similarity: float | None = None
    via: Link | None = None
    tier: Tier | None = None
    card: Card | None = None
    stale: bool = False
    parts: tuple[tuple[str, float], ...] = ()  # what the recipe adds up to the score, by name
    repeats: float = 0.0  # 0..1, how much of it stands before: more goes behind (`diversity`)
    speaker: str = ""  # of a turn: the name, else the role
    topic: str = ""  # of a turn that `retrieve` found: what the talk was about there


@dataclass(frozen=True)
class Explorable:
    """A relation that leads on from the returned nodes to ones not returned."""

    rel: str
    count: int
    rel_sim_to_query: float


@dataclass(frozen=True)
class Answer:
    """What a recall returns: where we are, where we could go, and how far the goal is."""

    query: Query
    hits: tuple[Hit, ...]
    explorable: tuple[Explorable, ...]
    h_distance_avg: float | None
    abstained: bool
    arms: tuple[str, ...]  # which arms had something to say
    notes: tuple[str, ...] = ()  # such as "no vectors yet: words and graph only"
    recipe: str = "default"
    latency_ms: float = 0.0
    stages_ms: tuple[tuple[str, float], ...] = field(default=())
    settings: tuple[tuple[str, float], ...] = field(default=())  # alpha, beta, gamma …
    id: str = ""  # of the retrieval, as the recall log has it: what is concluded may cite it
