"""What a draft tells of the world, as changes: entities, facts, and which cards speak of whom.

changes = learn(index, session, draft=draft, turn=by_id.get).changes
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from alaya.distill.entities import Familiar, Resolved, Unclear, resolved
from alaya.distill.knowledge import reconciled
from alaya.distill.reconcile import TurnOf, spans
from alaya.distill.timeline import Stated
from alaya.errors import InvalidInput
from alaya.model.aliases import aliases
from alaya.model.change import CardAdded, CardRevised, Change, EntityAdded, EntityRevised, LinkAdded
from alaya.model.graph import Card, Entity, Link
from alaya.model.naming import forms_of, name_key
from alaya.model.passage import Where
from alaya.model.raw import ArchivedTurn, Session, lowest
from alaya.model.record import Draft
from alaya.model.relations import MENTIONS, relation_name
from alaya.model.scope import Scope
from alaya.model.speech import speaker, visible
from alaya.ports import GraphReader

_EVERY = 100_000  # links of one entity: what it is known to be has to be known whole
_MENTIONED = 8  # entities that one card is linked to


@dataclass(frozen=True)
class Learned:
    """`unfounded`: entities and facts that cite no words, or whose relation is none."""

    changes: tuple[Change, ...]
    unclear: tuple[Unclear, ...] = ()
    unfounded: int = 0


def learn(
    index: GraphReader,
    session: Session,
    *,
    draft: Draft,
    turn: TurnOf,
    changes: Sequence[Change] = (),
    hints: Mapping[int, str] | None = None,
    anew: bool = False,
) -> Learned:
    """What a draft tells of the world against what the index holds now; nothing is written.

    `changes`: those that its cards make, which are linked to the entities that they speak of.
    `anew`: the draft is of the whole session, which was distilled before.
    """
    known = familiar(index, session, draft=draft, turn=turn, whole=anew)
    cards = [change.card for change in changes if isinstance(change, CardAdded | CardRevised)]
    return learned(draft, session, familiar=known, turn=turn, hints=hints, cards=cards, anew=anew)


def familiar(
    index: GraphReader, session: Session, *, draft: Draft, turn: TurnOf, whole: bool = False
) -> Familiar:
    """What the memory of the session's user holds of the names in a draft.

    `whole`: and of everything that was taken from the session before.
    """
    if not draft.entities and not whole:
        return Familiar()
    where = Where(Scope(session.scope.user), include_ended=True)
    names: dict[str, None] = {}
    for entity in draft.entities:
        for name in (entity.name, *entity.aliases):
            names |= dict.fromkeys(forms_of(name))
    cited = {name for entity in draft.entities for name, _, _ in entity.evidence}
    for archived in filter(None, map(turn, sorted(cited))):
        for pair in aliases(archived.turn.content, speaker(archived.turn)):
            names |= dict.fromkeys(pair)
    plain = Where(where.scope)
    by_name = index.entities(plain, sorted(names)) if names else []
    found = {entity.id: entity for entity in by_name}
    known = [entity.known for entity in draft.entities if entity.known not in found]
    if whole:
        turns = [(session.id, place.id) for place in index.turns(plain.scope, session.id)]
        taken = index.entities_of_turns(plain, turns)
        known += [name for names in taken.values() for name in names]
    found |= {entity.id: entity for entity in index.entities(plain, ids=known)}
    links = index.links(list(found), where, limit_per_node=_EVERY) if found else []
    ends = {end for link in links for end in (link.source, link.target)} - set(found)
    around = index.entities(plain, ids=sorted(ends)) if ends else []
    entities = sorted(found.values(), key=lambda e: e.id)
    return Familiar(tuple(entities), tuple(links), tuple(around))


def spoken_of(
    index: GraphReader, session: Session, *, turns: Sequence[ArchivedTurn], most: int = 60
) -> tuple[Entity, ...]:
    """The known entities of which these turns may speak, by name: for a model to be shown."""
    text = " ".join(visible(archived.turn) for archived in turns).casefold()
    found = [
        entity
        for entity in index.entities(Where(Scope(session.scope.user)))
        if any(name.casefold() in text for name in (entity.name, *entity.aliases))
    ]
    return tuple(sorted(found, key=lambda one: (-len(one.evidence), one.id))[:most])


def learned(
    draft: Draft,
    session: Session,
    *,
    familiar: Familiar,
    turn: TurnOf,
    hints: Mapping[int, str] | None = None,
    cards: Iterable[Card] = (),
    anew: bool = False,
) -> Learned:
    """The changes that a draft's entities and facts amount to. Told twice, it changes nothing.

    `cards`: those that the draft yields; each is linked to the entities that it speaks of. `hints`:
    see `entities.resolved`.
    """
    scope = Scope(session.scope.user, session.scope.agent, session.id)
    who = resolved(draft, scope=scope, familiar=familiar, turn=turn, hints=hints)
    facts, unfounded = _stated(draft, session, who=who, turn=turn)
    held = [_moved(link, who) for link in familiar.links]
    changes = [*who.changes, *reconciled(facts, held, scope=scope, anew=anew)]
    changes += _mentions(cards, who, draft=draft, turn=turn, scope=scope)
    return Learned(tuple(changes), tuple(who.unclear), who.unfounded + unfounded)


def _stated(
    draft: Draft, session: Session, *, who: Resolved, turn: TurnOf
) -> tuple[list[Stated], int]:
    """The facts in the order in which they were said, and how many cannot be used."""
    found: list[tuple[int, int, Stated]] = []
    unfounded = 0
    for position, fact in enumerate(draft.facts):
        evidence = spans(fact, session.id, turn=turn)
        cited = [one for span in evidence if (one := turn(span.turn)) is not None]
        try:
            relation = relation_name(fact.relation)
        except InvalidInput:
            relation = ""
        if not cited or not relation or not {fact.subject, fact.object} <= set(who.ids):
            unfounded += 1
            continue
        times = [one.turn.said_at for one in cited if one.turn.said_at is not None]
        stated = Stated(
            subject=who.ids[fact.subject],
            relation=relation,
            object=who.ids[fact.object],
            fact=fact.fact,
            evidence=evidence,
            said_at=max(times, default=session.started_at),
            valid_at=fact.valid_at,
            invalid_at=fact.invalid_at,
            corrects=fact.corrects,
            instead_of=None if fact.instead_of is None else who.ids.get(fact.instead_of),
            confidence=fact.confidence,
            origin=lowest([one.turn.origin for one in cited]),
        )
        found.append((max(one.ordinal for one in cited), position, stated))
    found.sort(key=lambda one: (one[2].said_at, one[0], one[1]))
    return [stated for _, _, stated in found], unfounded


def _moved(link: Link, who: Resolved) -> Link:
    """The link as it stands once entities were merged."""
    source, target = (who.merged.get(end, end) for end in (link.source, link.target))
    if (source, target) == (link.source, link.target):
        return link
    return replace(link, source=source, target=target)


def _mentions(
    cards: Iterable[Card], who: Resolved, *, draft: Draft, turn: TurnOf, scope: Scope
) -> Iterable[Change]:
    """A link from each card to the entities whose names stand in the words that it cites.

    Not to those who speak themselves: they would make neighbours of all cards of a talk.
    """
    names = {name for entity in draft.entities for name, _, _ in entity.evidence}
    speak = {name_key(speaker(one.turn)) for name in names if (one := turn(name)) is not None}
    entities = [
        c.entity
        for c in who.changes
        if isinstance(c, EntityAdded | EntityRevised)
        and not speak & {name_key(name) for name in (c.entity.name, *c.entity.aliases)}
    ]
    for card in cards:
        spoken = [entity for entity in entities if _named_in(entity, card)]
        for entity in spoken[:_MENTIONED]:
            yield LinkAdded(
                Link(scope, card.id, MENTIONS, entity.id, card.said_at, 0.5, origin=card.origin)
            )


def _named_in(entity: Entity, card: Card) -> bool:
    return any(
        one.session == span.session
        and one.turn == span.turn
        and one.start < span.end
        and span.start < one.end
        for one in card.evidence
        for span in entity.evidence
    )
