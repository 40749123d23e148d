"""What a memory holds of a thing at one time, as a value: what is compared, undone and rolled back.

A thing is what a change can be about. `Held` maps things to what is held of them; what is not held
(never said, retired, withdrawn) is absent. The second time axis and version numbers are no part of
a value: a card that was revised and revised back is held as it was before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from alaya.model import change as ch
from alaya.model.change import Change
from alaya.model.graph import Card, Entity, Horizon, Link, Relation, Summary, Tier
from alaya.model.note import Note
from alaya.model.raw import Event, TurnMark


class ThingKind(StrEnum):
    """What a change can be about. `AROUND` stands for all links of a node."""

    CARD = "card"
    LINK = "link"
    ENTITY = "entity"
    SUMMARY = "summary"
    SESSION = "session"
    EVENT = "event"
    NOTE = "note"
    RELATION = "relation"
    AROUND = "around"


@dataclass(frozen=True, order=True)
class Thing:
    """The name of a card, a link …; relations belong to nobody, all others to a user."""

    kind: ThingKind
    name: str


@dataclass(frozen=True)
class HeldCard:
    """The current version of a card; `card` has version 0 and horizon SHORT."""

    card: Card
    horizon: Horizon = Horizon.SHORT
    forgotten: bool = False
    pinned: bool = False
    stale: bool = False
    quarantined: bool = False
    tier: Tier = Tier.HOT


@dataclass(frozen=True)
class HeldLink:
    """A link as it was told; `ended`: when it was true no longer, where that was learnt later."""

    link: Link
    ended: datetime | None = None


@dataclass(frozen=True)
class HeldEntity:
    """An entity, the keys of all names by which it is found, and what it turned out to be."""

    entity: Entity
    names: tuple[str, ...] = ()  # sorted
    merged_into: str | None = None


@dataclass(frozen=True)
class HeldSummary:
    summary: Summary
    forgotten: bool = False


@dataclass(frozen=True)
class HeldSession:
    """Which turns of a session stand (the superseded do not), and what was distilled of it.

    Both sorted: make it with `session_of`.
    """

    turns: tuple[tuple[str, TurnMark], ...] = ()
    distilled: tuple[ch.SessionDistilled, ...] = ()


def session_of(
    turns: Iterable[tuple[str, TurnMark]], distilled: Iterable[ch.SessionDistilled]
) -> HeldSession:
    standing = sorted(pair for pair in turns if pair[1] is not TurnMark.SUPERSEDED)
    return HeldSession(tuple(standing), tuple(sorted(set(distilled), key=repr)))


Value = HeldCard | HeldLink | HeldEntity | HeldSummary | HeldSession | Event | Note | Relation
Held = Mapping[Thing, Value]


def key_of(thing: Thing) -> str:
    """A thing as one text, as stores keep it."""
    return f"{thing.kind} {thing.name}"


def of_key(key: str) -> Thing:
    """The thing that `key_of` wrote."""
    kind, _, name = key.partition(" ")
    return Thing(ThingKind(kind), name)


_BY_PREFIX = {"card": ThingKind.CARD, "entity": ThingKind.ENTITY, "summary": ThingKind.SUMMARY}


def thing_of(name: str) -> Thing:
    """The thing that has this id: `card-…`, `entity-…`, `summary-…`; any other is an event's."""
    return Thing(_BY_PREFIX.get(name.partition("-")[0], ThingKind.EVENT), name)


def things_of(change: Change) -> set[Thing]:
    """What a change is about. Those that alter nothing that is held are about nothing."""
    match change:
        case ch.SessionGrew(session=session):
            return {Thing(ThingKind.SESSION, session.id)}
        case (
            ch.TurnsMarked(session=name)
            | ch.SessionDistilled(session=name)
            | ch.SessionUndistilled(session=name)
        ):
            return {Thing(ThingKind.SESSION, name)}
        case ch.CardAdded(card=card) | ch.CardRevised(card=card):
            return {Thing(ThingKind.CARD, card.id)}
        case ch.CardMerged(card=card, merged=merged):
            return _merged(ThingKind.CARD, {card.id, *merged})
        case ch.EntityMerged(entity=into, merged=merged):
            return _merged(ThingKind.ENTITY, {into, *merged})
        case ch.LinkAdded(link=link):
            # The relation, too: an unknown one is known from then on.
            return {Thing(ThingKind.LINK, link.id)}
        case ch.LinkRetired(link=name) | ch.FactRetired(link=name):
            return {Thing(ThingKind.LINK, name)}
        case (
            ch.EntityAdded(entity=entity)
            | ch.EntityRevised(entity=entity)
            | ch.EntityHeld(entity=entity)
        ):
            return {Thing(ThingKind.ENTITY, entity.id)}
        case ch.RelationAdded(relation=relation) | ch.RelationRevised(relation=relation):
            return {Thing(ThingKind.RELATION, relation.name)}
        case ch.SummaryAdded(summary=summary):
            return {Thing(ThingKind.SUMMARY, summary.id)}
        case ch.NoteChanged(note=note):
            return {Thing(ThingKind.NOTE, note.path)}
        case ch.NoteRemoved(path=path):
            return {Thing(ThingKind.NOTE, path)}
        case ch.EventAdded(event=event):
            return {Thing(ThingKind.EVENT, event.id)}
        case ch.Cooled(tiers=tiers):
            return {Thing(ThingKind.CARD, card) for card, _ in tiers}
        case ch.Withdrawn(ids=ids):
            return {thing_of(name) for name in ids}
        case (
            ch.Forgotten(cards=cards)
            | ch.Restored(cards=cards)
            | ch.Pinned(cards=cards)
            | ch.Quarantined(cards=cards)
            | ch.MarkedStale(cards=cards)
            | ch.Promoted(cards=cards)
        ):
            return {thing_of(name) for name in cards}
        case ch.Calibrated() | ch.Undone() | ch.Erased():
            return set()


def user_of(change: Change) -> str | None:
    """Whose a change is; None for what belongs to nobody: relations, calibration, `Undone`."""
    for name in ("scope", "session", "event", "card", "link", "entity", "summary", "note"):
        found = getattr(change, name, None)
        scope = found if name == "scope" else getattr(found, "scope", None)
        if scope is not None:
            user: str = scope.user
            return user
    return None


def _merged(kind: ThingKind, names: set[str]) -> set[Thing]:
    return {Thing(kind, n) for n in names} | {Thing(ThingKind.AROUND, n) for n in names}
