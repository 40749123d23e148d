"""What a user's journal holds of each thing, all versions of it: where its words came from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from alaya.model import change as ch
from alaya.model.change import Change
from alaya.model.graph import Card, Entity, Link, Summary
from alaya.model.raw import Session, Span
from alaya.model.record import Record

MEMBERS = "members"  # in the metadata of a summary: the summaries that it rolls up


@dataclass(frozen=True)
class Version:
    """One version of a card, as far as its sources go."""

    number: int
    title: str
    evidence: tuple[Span, ...]
    sources: tuple[str, ...]  # cards that it was derived from
    session: str | None = None  # in which it was made


@dataclass
class Known:
    """Everything of one user, by id. `sessions`: the header, and the end of each generation."""

    user: str
    cards: dict[str, list[Version]] = field(default_factory=dict)
    merged: dict[str, set[str]] = field(default_factory=dict)  # into a card: which others
    entities: dict[str, Entity] = field(default_factory=dict)
    links: dict[str, Link] = field(default_factory=dict)
    summaries: dict[str, Summary] = field(default_factory=dict)
    events: dict[str, tuple[str | None, str | None]] = field(default_factory=dict)
    notes: set[str] = field(default_factory=set)
    sessions: dict[str, tuple[Session, dict[int, int]]] = field(default_factory=dict)

    def latest(self, card: str) -> Version | None:
        """The newest version of a card."""
        return max(self.cards.get(card, ()), key=lambda version: version.number, default=None)


def known_of(records: Iterable[Record], user: str) -> Known:
    """Read a journal for what it holds of a user."""
    known = Known(user)
    for record in records:
        for change in record.changes:
            _learn(known, change)
    return known


def _learn(known: Known, change: Change) -> None:
    match change:
        case ch.CardAdded(card=card) | ch.CardRevised(card=card):
            _card(known, card)
        case ch.CardMerged(card=card, merged=merged):
            _card(known, card)
            if card.scope.user == known.user:
                known.merged.setdefault(card.id, set()).update(set(merged) - {card.id})
        case ch.EntityAdded(entity=entity) | ch.EntityRevised(entity=entity):
            if entity.scope.user == known.user:
                known.entities[entity.id] = entity
        case ch.LinkAdded(link=link):
            if link.scope.user == known.user:
                known.links[link.id] = link
        case ch.SummaryAdded(summary=summary):
            if summary.scope.user == known.user:
                known.summaries[summary.id] = summary
        case ch.EventAdded(event=event):
            if event.scope.user == known.user:
                known.events[event.id] = (event.session, event.turn)
        case ch.NoteChanged(note=note):
            if note.scope.user == known.user:
                known.notes.add(note.path)
        case ch.SessionGrew(session=session):
            if session.scope.user == known.user:
                ends = known.sessions.get(session.id, (session, {}))[1]
                ends[change.generation] = max(ends.get(change.generation, 0), change.end)
                known.sessions[session.id] = (session, ends)


def _card(known: Known, card: Card) -> None:
    if card.scope.user == known.user:
        sources, session = card.derived_from, card.scope.session
        version = Version(card.version, card.title, card.evidence, sources, session)
        known.cards.setdefault(card.id, []).append(version)
