"""What is told by name, as it stands in the graph: read, and taken back. Methods of Memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from alaya.model.change import (
    Change,
    EntityRevised,
    FactRetired,
    Forgotten,
    LinkRetired,
)
from alaya.model.graph import Card, Entity, Link
from alaya.model.passage import ItemKind, Query, Where
from alaya.model.raw import Origin
from alaya.model.relations import MENTIONS, relation_name
from alaya.model.scope import Scope
from alaya.model.time import format_time
from alaya.model.told import RETRACTED, ToldEntity, ToldGraph, ToldRelation
from alaya.model.words import normal
from alaya.parts import Opened, Parts
from alaya.projection import commit

if TYPE_CHECKING:
    from alaya.recall.knowledge import Known as Knowledge

OBSERVED, RELATION = "observation_of", "relation"  # in the metadata of a card, and of a link
PLACE = "place"  # of a card among those that were told at once
LIMIT = 200  # entities that are read, unless it is said
# Words of tools and strangers are quoted by recall, as data: a graph has no place for a fence.
_OWN = (Origin.OWNER, Origin.AGENT)
_EVERY = 1_000  # links of one entity that are read
_NEAR = 20  # hits of a recall that lead to entities


@dataclass(frozen=True)
class Known:
    """Reads what is known by name, as a scope has it now."""

    parts: Parts
    scope: Scope

    @property
    def knowledge(self) -> Knowledge:
        """Entities and facts as they hold now."""
        from alaya.recall.knowledge import Known as Knowledge

        return Knowledge(self.parts.index, self.where, self.parts.clock())

    @property
    def where(self) -> Where:
        """The filter of all that is read."""
        return Where(self.scope)

    def entity(self, name: str) -> Entity | None:
        """That of this name or alias; width, case, spaces and underscores do not count."""
        found = [one for one in self.knowledge.named_so(name) if _is(one, name)]
        return min(found, key=lambda one: (one.name != name, -len(one.evidence)), default=None)

    def observations(self, *entities: Entity) -> list[tuple[str, Card, str]]:
        """(entity, card, its words as an observation) of these entities, as they were said."""
        ids = [entity.id for entity in entities]
        links = self._links(ids, relations=[MENTIONS])
        cards = list(dict.fromkeys(link.source for link in links))
        own = replace(self.where, origins=_OWN)
        read = self.parts.index.cards(cards, own) if cards else []
        held = {card.id: card for card, _ in read}
        found = [(link.target, held[link.source]) for link in links if link.source in held]
        found.sort(key=lambda one: (one[1].said_at, one[1].metadata.get(PLACE, 0), one[1].id))
        return [(entity, card, _words(card)) for entity, card in found if entity in set(ids)]

    def relations(self, *entities: Entity) -> list[Link]:
        """The facts of these entities that hold now, as they came to hold."""
        links = self._links([entity.id for entity in entities])
        facts = [
            link
            for link in links
            if link.fact and link.target.startswith("entity-") and link.origin in _OWN
        ]
        return sorted(facts, key=lambda link: (link.valid_at, link.id))

    def links(self, entity: Entity) -> list[Link]:
        """All links of an entity that are believed."""
        return self.parts.index.links([entity.id], self.where, limit_per_node=_EVERY)

    def related(self, source: Entity, target: Entity, *, relation: str) -> list[Link]:
        """The facts that say this already."""
        wanted = relation_name(relation)
        return [
            link
            for link in self.relations(source)
            if said_from(link, source.id) == (wanted, target.id)
        ]

    def _links(self, ids: Sequence[str], relations: Sequence[str] = ()) -> list[Link]:
        if not ids:
            return []
        now = replace(self.where, as_of=self.parts.clock())
        links = self.parts.index.links(ids, now, relations=relations, limit_per_node=_EVERY)
        return list({link.id: link for link in links}.values())


def known_of(memory: Opened) -> Known:
    """What is known in the scope of a memory."""
    return Known(memory.parts, memory.scope)


def said_from(link: Link, entity: str) -> tuple[str, str] | None:
    """The relation as it was told and its other end, where it was told of this entity."""
    told = link.metadata.get(RELATION)
    source = link.metadata.get("from", link.source)
    if source != entity:
        return None
    other = link.target if link.source == source else link.source
    return relation_name(str(told or link.relation)), other


def told(
    memory: Opened, text: str = "", *, names: Iterable[str] | None = None, limit: int = LIMIT
) -> ToldGraph:
    """Entities with what is observed of them, and the relations that touch them.

    All, those that most is said of first; or those of these `names`; or those that a text names,
    or that what it recalls speaks of. Unknown names are passed over.
    """
    memory.parts.follow()
    known = known_of(memory)
    if names is not None:
        entities = [one for name in names if (one := known.entity(name)) is not None]
    elif text.strip():
        entities = list(_near(memory, text, known=known))
    else:
        entities = known.knowledge.told_of()
    unique = list({one.id: one for one in entities}.values())
    shown = unique[:limit]
    return replace(_graph(known, shown), left_out=len(unique) - len(shown))


def retract(
    memory: Opened,
    *,
    entities: Iterable[str] = (),
    observations: Iterable[ToldEntity] = (),
    relations: Iterable[ToldRelation] = (),
) -> ToldGraph:
    """Take back what was told by name; returns what was. It leaves recall and is never erased.

    An entity goes with its relations and what was observed of it alone. Unknown ones are passed
    over.
    """
    memory.parts.follow()
    gone: list[ToldGraph] = []
    wish = list(entities), list(observations), list(relations)

    def decide() -> list[Change]:
        known = known_of(memory)
        whole = [one for name in wish[0] if (one := known.entity(name)) is not None]
        cards = _observed(known, wish[1])
        links = list(_related(known, wish[2]))
        gone[:] = [_taken(known, whole, cards=cards, links=links)]
        scope = Scope(memory.scope.user)
        found: list[Change] = [change for one in whole for change in _without(known, one)]
        forgotten = tuple(dict.fromkeys(card.id for _, card, _ in cards))
        found += [Forgotten(scope, forgotten, "retracted")] if forgotten else []
        found += [FactRetired(scope, link.id, "retracted") for link in links]
        return found

    commit(
        memory.parts.archive,
        memory.parts.index,
        decide=decide,
        actor=memory.scope.agent or memory.scope.user,
        verb="retract",
        clock=memory.parts.clock,
    )
    return gone[0]


def _near(memory: Opened, text: str, *, known: Known) -> Iterator[Entity]:
    """Those that a text names or stands in the name of; then those that it recalls."""
    from alaya.verbs import asking  # only here: it loads NumPy

    key = _key(text)
    yield from known.knowledge.named(text)
    for one in known.knowledge.told_of():
        told_kind = str(one.metadata.get("kind", one.kind.value))
        if any(key in _key(name) for name in (one.name, *one.aliases, told_kind)):
            yield one
    query = Query(text, where=known.where, include_cards=True, include_sessions=True, limit=_NEAR)
    hits = asking.recall(memory.parts, query).hits
    cards = [hit.id for hit in hits if hit.kind is ItemKind.CARD]
    met = {link.target for link in known._links(cards, relations=[MENTIONS])}
    yield from known.knowledge.read(sorted(met))
    yield from (entity for entity, _ in known.knowledge.met(hits))


def _graph(known: Known, entities: Sequence[Entity]) -> ToldGraph:
    observed: dict[str, list[str]] = {entity.id: [] for entity in entities}
    for entity, _, words in known.observations(*entities):
        observed[entity].append(words)
    return ToldGraph(
        tuple(
            ToldEntity(one.name, _kind(one), tuple(dict.fromkeys(observed[one.id])))
            for one in entities
        ),
        _named(known, known.relations(*entities)),
    )


def _named(known: Known, links: Sequence[Link]) -> tuple[ToldRelation, ...]:
    """The links with the names of their ends."""
    ends = dict.fromkeys(end for link in links for end in (link.source, link.target))
    names = {one.id: one.name for one in known.knowledge.read(ends)}
    found: dict[ToldRelation, None] = {}
    for link in links:
        source = str(link.metadata.get("from", link.source))
        target = link.target if link.source == source else link.source
        if names.get(source) and names.get(target) and names[source] != names[target]:
            relation = str(link.metadata.get(RELATION, link.relation))
            found[ToldRelation(names[source], relation, names[target])] = None
    return tuple(found)


def _observed(known: Known, wanted: Sequence[ToldEntity]) -> list[tuple[str, Card, str]]:
    found = []
    for told in wanted:
        entity = known.entity(told.name)
        held = known.observations(entity) if entity is not None else []
        found += [one for one in held if one[2] in told.observations]
    return found


def _related(known: Known, wanted: Sequence[ToldRelation]) -> Iterator[Link]:
    for told in wanted:
        source, target = known.entity(told.source), known.entity(told.target)
        if source is not None and target is not None:
            yield from known.related(source, target, relation=told.relation)


def _without(known: Known, entity: Entity) -> Iterator[Change]:
    """An entity leaves the graph: its links, and the cards that say only what it is."""
    scope = Scope(known.scope.user)
    for link in known.links(entity):
        made = FactRetired if link.fact else LinkRetired
        yield made(scope, link.id, f"{entity.name} was retracted")
    own = {c.id: c for _, c, _ in known.observations(entity) if c.metadata.get(OBSERVED)}
    alone = tuple(name for name, card in own.items() if card.metadata[OBSERVED] == entity.id)
    if alone:
        yield Forgotten(scope, alone, f"{entity.name} was retracted")
    at = format_time(known.parts.clock())
    gone = replace(entity, metadata={**entity.metadata, RETRACTED: at})
    yield EntityRevised(gone, "retracted")


def _taken(
    known: Known,
    whole: Sequence[Entity],
    *,
    cards: Sequence[tuple[str, Card, str]],
    links: Sequence[Link],
) -> ToldGraph:
    """What goes: whole entities as they were, observations by their entity, relations."""
    before = _graph(known, whole)
    words: dict[str, list[str]] = {}
    for entity, _, shown in cards:
        words.setdefault(entity, []).append(shown)
    named = known.knowledge.read(words)
    parts = [ToldEntity(one.name, _kind(one), tuple(words[one.id])) for one in named]
    return ToldGraph((*before.entities, *parts), (*before.relations, *_named(known, links)))


def _words(card: Card) -> str:
    """A card as an observation: what was told, or all that was learnt."""
    return card.content if card.metadata.get(OBSERVED) else card.text


def _kind(entity: Entity) -> str:
    return str(entity.metadata.get("kind") or entity.kind.value)


def _is(entity: Entity, name: str) -> bool:
    return _key(name) in map(_key, (entity.name, *entity.aliases))


def _key(name: str) -> str:
    return " ".join(normal(name).replace("_", " ").casefold().split())
