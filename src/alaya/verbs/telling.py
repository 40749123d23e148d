"""The verbs that keep what is told by name: tell, told, retract. Methods of Memory.

What is told goes into the archive first, a turn a statement; entities, cards and facts cite it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from alaya.errors import InvalidInput, NotFound
from alaya.model.change import CardAdded, Change, EntityAdded, LinkAdded
from alaya.model.graph import Card, CardKind, Entity, Link
from alaya.model.ids import clean, digest, entity_id, session_node, sha256
from alaya.model.raw import Origin, Session, Span, Turn
from alaya.model.relations import EXTRACTED_FROM, MENTIONS, canonical, relation_name
from alaya.model.scope import Scope
from alaya.model.speech import injected_ranges
from alaya.model.told import ToldEntity, ToldGraph, ToldRelation, kind_of
from alaya.parts import Opened
from alaya.verbs.told import OBSERVED, PLACE, RELATION, Known, known_of

_TITLE, _NAME = 80, 200
_TELLS = "observation"  # in the metadata of a turn: it was told by name


@dataclass(frozen=True)
class _Statement:
    """One thing that is told, as a sentence for the archive."""

    text: str
    entity: ToldEntity | None = None
    observed: tuple[str, str] = ("", "")  # of whom, and what
    relation: ToldRelation | None = None


def tell(
    memory: Opened,
    *,
    entities: Iterable[ToldEntity] = (),
    observations: Iterable[ToldEntity] = (),
    relations: Iterable[ToldRelation] = (),
) -> ToldGraph:
    """Keep entities with what is observed of them, and relations, by name; returns what is new.

    An entity of a known name changes nothing: `observations` add to it. What is known already is
    not added again. Raises NotFound for an observation or a relation of an unknown entity, and
    InvalidInput; then nothing is kept.
    """
    from alaya.ingest import putting  # only here: what archives words takes time to load
    from alaya.ingest.intake import Into

    parts = memory.parts
    parts.follow()
    wish = [*map(_clean, entities)], [*map(_clean, observations)], [*map(_plain, relations)]
    planned = _planned(known_of(memory), wish)
    if planned:
        into = Into(parts.archive, parts.index, memory.scope.user, parts.clock)
        session = putting.session_for(into, memory.scope)
        turns_of: dict[str, Turn] = {}

        def changes(turns: Sequence[Turn]) -> list[Change]:
            turns_of.update(zip((one.text for one in planned), turns, strict=True))
            known = known_of(memory)
            again = [one for one in _planned(known, wish) if one.text in turns_of]
            return _changes(memory.scope, session, statements=again, known=known, turns=turns_of)

        words = [putting.Words(one.text, Origin.AGENT, {"remembered": _TELLS}) for one in planned]
        putting.put(into, session, said=words, verb="tell", changes=changes)
        parts.embed_later()
    return _new(planned, wish)


def _clean(told: ToldEntity) -> ToldEntity:
    """Without secrets and what has no place in a text; each observation once."""
    observations = dict.fromkeys(_safe(one) for one in told.observations)
    if "" in observations:
        raise InvalidInput(f"an observation of {told.name[:_NAME]} is empty: give it words")
    return ToldEntity(_name(told.name), _safe(told.kind)[:_NAME], tuple(observations))


def _plain(told: ToldRelation) -> ToldRelation:
    relation_name(told.relation)  # raises for what is none
    if told.source == told.target:
        raise InvalidInput(f"{told.source[:_NAME]} cannot be related to itself")
    return ToldRelation(_name(told.source), _safe(told.relation), _name(told.target))


def _name(text: str) -> str:
    name = _safe(text)
    if not name or len(name) > _NAME:
        raise InvalidInput(f"the name of an entity has 1 to {_NAME} characters, not {len(name)}")
    return name


def _safe(text: str) -> str:
    """Without what alaya itself had said, which is never learnt again."""
    from alaya.ingest.redact import redact

    kept, last = [], 0
    for start, end in injected_ranges(text):
        kept.append(text[last:start])
        last = end
    return redact(clean("".join([*kept, text[last:]])).strip())[0]


_Wish = tuple[list[ToldEntity], list[ToldEntity], list[ToldRelation]]


def _planned(known: Known, wish: _Wish) -> list[_Statement]:
    """What of it is new, in order. Raises NotFound."""
    entities, observations, relations = wish
    found: dict[str, _Statement] = {}
    new: set[str] = set()
    for told in entities:
        if told.name in new or known.entity(told.name) is not None:
            continue
        new.add(told.name)
        kind = f" ({told.kind})" if told.kind else ""
        found.setdefault(f"{told.name}{kind}", _Statement(f"{told.name}{kind}", entity=told))
        for words in told.observations:
            text = f"{told.name}: {words}"
            found.setdefault(text, _Statement(text, observed=(told.name, words)))
    for told in observations:
        entity = _found(known, told.name)
        before = {shown for _, _, shown in known.observations(entity)}
        for words in told.observations:
            text = f"{told.name}: {words}"
            if words not in before:
                found.setdefault(text, _Statement(text, observed=(told.name, words)))
    for relation in relations:
        ends = [_found(known, name) for name in (relation.source, relation.target)]
        text = sentence(relation)
        if not known.related(ends[0], ends[1], relation=relation.relation):
            found.setdefault(text, _Statement(text, relation=relation))
    return list(found.values())


def sentence(told: ToldRelation) -> str:
    """`John_Smith works at Anthropic`."""
    return f"{told.source} {told.relation.replace('_', ' ').strip()} {told.target}"


def _found(known: Known, name: str) -> Entity:
    entity = known.entity(name)
    if entity is None:
        raise NotFound(f"Entity with name {name} not found; create it with create_entities first")
    return entity


def _changes(
    scope: Scope,
    session: Session,
    *,
    statements: Sequence[_Statement],
    known: Known,
    turns: Mapping[str, Turn],
) -> list[Change]:
    found: list[Change] = []
    whose, made = Scope(scope.user, scope.agent, session.id), dict[str, Entity]()
    for place, one in enumerate(statements):
        turn = turns[one.text]
        spans = _spans(session.id, turn)
        if one.entity is not None:
            entity = Entity(
                id=entity_id(scope.user, one.entity.name, evidence=f"{session.id}#{turn.id}"),
                scope=whose,
                name=one.entity.name,
                kind=kind_of(one.entity.kind),
                evidence=spans,
                metadata={"kind": one.entity.kind} if one.entity.kind else {},
            )
            made[entity.name] = entity
            found.append(EntityAdded(entity))
            continue
        if one.relation is not None:
            ends = [known.entity(n) for n in (one.relation.source, one.relation.target)]
            found += [
                LinkAdded(_fact(scope, one.relation, ends=(e.id, t.id), turn=turn, spans=spans))
                for e, t in [ends]
                if e is not None and t is not None
            ]
            continue
        about = made.get(one.observed[0]) or known.entity(one.observed[0])
        if about is not None:
            card = _card(whose, about, words=one.observed[1], turn=turn, spans=spans)
            card = replace(card, metadata={OBSERVED: about.id, PLACE: place})
            found += [CardAdded(card), *map(LinkAdded, _linked(card, about))]
    return found


def _card(scope: Scope, about: Entity, *, words: str, turn: Turn, spans: tuple[Span, ...]) -> Card:
    """A card that says what was observed."""
    assert turn.said_at is not None  # what is put down is said now
    first = words.split("\n", 1)[0].strip()
    short = first if len(first) <= _TITLE else first[: _TITLE - 1].rstrip() + "…"
    return Card(
        id=f"card-{digest('told', scope.user, scope.session, turn.id)}",
        scope=scope,
        title=f"{about.name}: {short}",
        content=words,
        kind=CardKind.OBSERVATION,
        created_at=turn.said_at,
        said_at=turn.said_at,
        updated_at=turn.said_at,
        evidence=spans,
    )


def _linked(card: Card, about: Entity) -> list[Link]:
    """A card to what it mentions, and to where it was said."""
    whose, session = Scope(card.scope.user), session_node(card.scope.session or "")
    return [
        Link(whose, card.id, MENTIONS, about.id, card.said_at, 0.5, origin=card.origin),
        Link(whose, card.id, EXTRACTED_FROM, session, card.said_at, origin=card.origin),
    ]


def _fact(
    scope: Scope,
    told: ToldRelation,
    *,
    ends: tuple[str, str],
    turn: Turn,
    spans: tuple[Span, ...],
) -> Link:
    assert turn.said_at is not None  # what is put down is said now
    return canonical(
        Link(
            scope=Scope(scope.user),
            source=ends[0],
            relation=relation_name(told.relation),
            target=ends[1],
            valid_at=turn.said_at,
            fact=sentence(told),
            evidence=spans,
            metadata={RELATION: told.relation, "from": ends[0]},
        )
    )


def _spans(session: str, turn: Turn) -> tuple[Span, ...]:
    content = turn.content
    return (Span(session, turn.id, 0, len(content), sha256(content)),)


def _new(planned: Sequence[_Statement], wish: _Wish) -> ToldGraph:
    """What was new, in the words and the order of the wish."""
    texts = {one.text for one in planned}
    made = {one.entity.name: one.entity for one in planned if one.entity is not None}
    added = [
        replace(
            told,
            observations=tuple(o for o in told.observations if f"{told.name}: {o}" in texts),
        )
        for told in wish[1]
    ]
    relations = dict.fromkeys(told for told in wish[2] if sentence(told) in texts)
    return ToldGraph((*made.values(), *added), tuple(relations))
