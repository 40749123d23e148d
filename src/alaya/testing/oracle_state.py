"""What the oracle knows, as plain lists and dictionaries of frozen rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from copy import copy
from dataclasses import dataclass, field, fields, replace
from datetime import datetime

from alaya.model.change import SessionDistilled
from alaya.model.graph import Card, CardState, Entity, Link, Relation, Summary, Tier
from alaya.model.ids import sha256
from alaya.model.life import Life
from alaya.model.note import Note
from alaya.model.raw import ArchivedTurn, Event, Session, SessionState, TurnMark, TurnPlace
from alaya.model.record import Position
from alaya.model.relations import CORE, CORE_NAMES
from alaya.model.speech import embeddable
from alaya.model.words import tokens
from alaya.ports import Vector


@dataclass(frozen=True)
class CardRow:
    """One version of a card. `order` counts versions as they came."""

    card: Card
    order: int
    recorded_at: datetime
    retired_at: datetime | None = None
    forgotten_at: datetime | None = None
    pinned: bool = False
    stale: bool = False
    quarantined: bool = False
    tier: Tier = Tier.HOT
    withdrawn: bool = False


@dataclass(frozen=True)
class TurnRow:
    """A turn of a session; `said_at` is the session's start where the turn does not know."""

    session: Session
    archived: ArchivedTurn
    said_at: datetime
    recorded_at: datetime
    mark: TurnMark

    @property
    def item(self) -> str:
        return f"{self.session.id}#{self.archived.turn.id}"

    @property
    def text(self) -> str:
        return embeddable(self.archived.turn)

    @property
    def place(self) -> TurnPlace:
        archived, turn = self.archived, self.archived.turn
        return TurnPlace(
            session=self.session.id,
            id=turn.id,
            ordinal=archived.ordinal,
            generation=archived.generation,
            offset=archived.offset,
            length=archived.length,
            role=turn.role,
            sha256=sha256(turn.content),
            tokens=tokens(turn.content),
            said_at=self.said_at,
            mark=self.mark,
            parent=turn.parent,
        )


@dataclass(frozen=True)
class LinkRow:
    """An edge in the form in which it is stored."""

    link: Link
    recorded_at: datetime
    retired_at: datetime | None = None
    told_end: datetime | None = None  # its end before retiring told another one

    @property
    def value(self) -> Link:
        """The edge as a reader sees it: the second axis is the journal's."""
        return replace(self.link, recorded_at=self.recorded_at, retired_at=self.retired_at)


@dataclass(frozen=True)
class EntityRow:
    entity: Entity
    recorded_at: datetime
    merged_into: str | None = None


@dataclass(frozen=True)
class SummaryRow:
    """One saying of a summary."""

    summary: Summary
    recorded_at: datetime
    retired_at: datetime | None = None
    forgotten_at: datetime | None = None


@dataclass(frozen=True)
class Access:
    """What the recall log says of a card."""

    count: int
    last_at: datetime
    relevance: float | None

    def again(self, at: datetime, score: float | None) -> Access:
        """With one recall more: the mean similarity follows the latest ones."""
        mean = score if self.relevance is None else self.relevance
        if mean is not None and score is not None:
            mean += 0.2 * (score - mean)
        return Access(self.count + 1, max(self.last_at, at), mean)


@dataclass
class State:
    """Everything; a copy of it is a transaction. Keys begin with the user where there is one."""

    position: Position = Position()
    counted: Position = Position()
    cards: list[CardRow] = field(default_factory=list)
    turns: list[TurnRow] = field(default_factory=list)
    sessions: dict[tuple[str, str], SessionState] = field(default_factory=dict)
    distilled: dict[tuple[str, str], SessionDistilled] = field(default_factory=dict)
    links: dict[tuple[str, str], LinkRow] = field(default_factory=dict)
    entities: dict[tuple[str, str], EntityRow] = field(default_factory=dict)
    names: set[tuple[str, str, str]] = field(default_factory=set)  # user, name key, entity
    relations: dict[str, Relation] = field(default_factory=lambda: {r.name: r for r in CORE})
    summaries: list[SummaryRow] = field(default_factory=list)
    events: dict[tuple[str, str], Event] = field(default_factory=dict)
    notes: dict[tuple[str, str], Note] = field(default_factory=dict)
    calibrations: dict[tuple[str, str], float] = field(default_factory=dict)
    accesses: dict[tuple[str, str], Access] = field(default_factory=dict)
    vectors: dict[tuple[str, str], tuple[Vector, ...]] = field(default_factory=dict)

    def copy(self) -> State:
        """Containers anew; the rows in them never change."""
        made = State()
        for item in fields(self):
            value = getattr(self, item.name)
            setattr(made, item.name, copy(value))
        return made

    def seen(self, row: CardRow) -> CardState:
        """A card's state, with what the recall log says of it."""
        access = self.accesses.get((row.card.scope.user, row.card.id))
        return CardState(
            recorded_at=row.recorded_at,
            retired_at=row.retired_at,
            forgotten_at=row.forgotten_at,
            pinned=row.pinned,
            stale=row.stale,
            quarantined=row.quarantined,
            access_count=access.count if access else 0,
            last_access=access.last_at if access else None,
            relevance=access.relevance if access else None,
            tier=row.tier,
        )

    def texts(self) -> set[str]:
        """The hashes of all texts that something has which is to have a vector."""
        found = {sha256(row.card.text) for row in self.cards if row.tier is not Tier.COLD}
        found |= {sha256(row.text) for row in self.turns if row.text}
        found |= {sha256(row.summary.text) for row in self.summaries}
        return found | {sha256(relation.text) for relation in self.relations.values()}

    def vectors_of(self, texts: Collection[str]) -> dict[tuple[str, str], tuple[Vector, ...]]:
        """The vectors of texts by hash."""
        return {key: windows for key, windows in self.vectors.items() if key[1] in texts}


def life(card: Card, state: CardState) -> Life:
    """What decides where a card is kept."""
    return Life(
        card.id,
        card.said_at,
        card.importance,
        card.confidence,
        card.origin,
        card.horizon,
        len({span.session for span in card.evidence}),
        state,
    )


def rows_of(state: State) -> Iterator[tuple[str, str, str]]:
    """Everything that follows from the journal, as a fingerprint."""
    skipped = {"position", "counted", "accesses", "vectors"}
    for item in fields(State):
        if item.name not in skipped:
            rows = getattr(state, item.name)
            listed = rows.items() if isinstance(rows, dict) else enumerate(sorted(rows, key=repr))
            for key, row in listed:
                yield "L2", f"{item.name} {key}", sha256(repr(row))


def relations_of(state: State, user: str) -> list[Relation]:
    """Core relations first, then those that this user's links have, or had by a name that is an
    alias now; each by use."""
    mine = [r for (owner, _), r in state.links.items() if owner == user]
    used = Counter(r.link.relation for r in mine if not r.retired_at)
    ever = {r.link.relation for r in mine}
    known = [replace(r, frequency=used[r.name]) for r in state.relations.values()]
    aliases = {r.name for r in known if r.alias_of and r.name in ever}
    known = [r for r in known if r.name in CORE_NAMES or r.frequency or r.name in aliases]
    return sorted(known, key=lambda r: (not r.is_core, -r.frequency, r.name))
