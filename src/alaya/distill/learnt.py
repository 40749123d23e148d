"""What was learnt from a session, as the journal tells it: for whoever asks what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from alaya.model import change as ch
from alaya.model.change import Change
from alaya.model.graph import Card, Entity, Link, Summary
from alaya.model.raw import Span
from alaya.model.record import Record


@dataclass(frozen=True)
class Learnt:
    """Cards, entities (new, or known better), facts and summaries, as they were written."""

    cards: tuple[Card, ...] = ()
    entities: tuple[Entity, ...] = ()
    facts: tuple[Link, ...] = ()
    summaries: tuple[Summary, ...] = ()


def learnt(records: Iterable[Record], session: str) -> Learnt:
    """What these records say that rests on words of the session; each once, in its last form."""
    cards: dict[str, Card] = {}
    entities: dict[str, Entity] = {}
    facts: dict[str, Link] = {}
    summaries: dict[str, Summary] = {}
    for change in _changes(records):
        match change:
            case ch.CardAdded(card=card) | ch.CardRevised(card=card):
                if _rests_on(card.evidence, session):
                    cards[card.id] = card
            case ch.EntityAdded(entity=entity) | ch.EntityRevised(entity=entity):
                if _rests_on(entity.evidence, session):
                    entities[entity.id] = entity
            case ch.LinkAdded(link=link):
                if link.fact and _rests_on(link.evidence, session):
                    facts[link.id] = link
            case ch.SummaryAdded(summary=summary):
                if summary.session == session:
                    summaries[summary.id] = summary
    return Learnt(
        tuple(cards.values()),
        tuple(entities.values()),
        tuple(facts.values()),
        tuple(summaries.values()),
    )


def _changes(records: Iterable[Record]) -> Iterable[Change]:
    return (change for record in records for change in record.changes)


def _rests_on(evidence: Iterable[Span], session: str) -> bool:
    return any(span.session == session for span in evidence)
