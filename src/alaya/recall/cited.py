"""Turns as nodes of the graph: the steps between them and what rests on their words.

These edges stand in no table of links: a card, an entity and a fact keep the turns they were taken
from as evidence. Each is read as a link EXTRACTED_FROM a turn, of weight 1, valid since the turn
was said. What the filter hides has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from alaya.model.graph import Card, Entity, Link
from alaya.model.passage import ItemKind, Where
from alaya.model.raw import Origin, Span
from alaya.model.relations import EXTRACTED_FROM
from alaya.ports import Index

MOST = 6  # turns that are followed from one card, entity or fact
_UNTOLD = datetime.fromtimestamp(0, UTC)  # until the turn says when
_TURNS = 60  # turns that one step leads to, and from which it leads on, at least


@dataclass(frozen=True)
class Cited:
    """Reads the steps. `cards` filters cards; `turns` (no card's kinds or tags) what was said.

    `known` are the ids of turns that were met or begun at: a node among them is a turn. `said`
    tells of turns that pass when they were said, so that these are not looked up again. From a
    turn to the entities taken from it only with `entities`: none of them is an answer. At most
    `most` turns are followed from one card or entity.
    """

    index: Index
    cards: Where
    turns: Where
    known: set[str] = field(default_factory=set)
    said: dict[str, datetime] = field(default_factory=dict)
    most: int = MOST
    entities: bool = False

    def links(self, nodes: Sequence[str], facts: Iterable[Link] = ()) -> list[Link]:
        """The links from these nodes to turns and from turns among them, and from these facts."""
        turns = [node for node in nodes if node in self.known]
        rest = [node for node in nodes if node not in self.known]
        found = [*self._of_cards(rest), *self._of_entities(rest)]
        found += [link for fact in facts for link in _of_fact(fact, among=nodes)]
        found = self._seen(found[: max(_TURNS, self.most)])
        self.known.update(link.target for link in found)
        return [*found, *self._seen(self._to_cards(turns[:_TURNS]))]

    def _of_cards(self, nodes: Sequence[str]) -> list[Link]:
        cards = [node for node in nodes if node.startswith("card-")]
        read = self.index.cards(cards, self.cards) if cards else []
        return [link for card, _ in read for link in of_card(card, self.most)]

    def _of_entities(self, nodes: Sequence[str]) -> list[Link]:
        wanted = [node for node in nodes if node.startswith("entity-")]
        if not wanted:
            return []
        read = self.index.entities(self._narrow, ids=wanted)
        return [link for entity in read for link in of_entity(entity, self.most)]

    def _to_cards(self, turns: Sequence[str]) -> list[Link]:
        """From cards that cite these turns, and entities, to them."""
        if not turns:
            return []
        pairs = [cut for turn in turns for cut in cuts(turn)]
        cited = self.index.cards_of_turns(self.cards, pairs)
        names = dict.fromkeys(card for cards in cited.values() for card in cards)
        wanted = {"#".join(pair) for pair in cited}
        read = self.index.cards(list(names), self.cards) if names else []
        links = [link for card, _ in read for link in of_card(card, among=wanted)]
        return [*links, *(self._to_entities(pairs) if self.entities else ())]

    def _to_entities(self, turns: Sequence[tuple[str, str]]) -> list[Link]:
        taken = self.index.entities_of_turns(self._narrow, turns)
        names = dict.fromkeys(entity for entities in taken.values() for entity in entities)
        wanted = {"#".join(pair) for pair in taken}
        read = self.index.entities(self._narrow, ids=list(names)) if names else []
        return [link for entity in read for link in of_entity(entity, among=wanted)]

    @property
    def _narrow(self) -> Where:
        """An entity has no kind, tag or time of its own: only scope and belief tell it apart."""
        return Where(scope=self.turns.scope, believed_at=self.turns.believed_at)

    def _seen(self, links: Sequence[Link]) -> list[Link]:
        """Those that lead to turns which pass, each valid since its turn was said."""
        if not links:
            return []
        said, turns = self.said, dict.fromkeys(link.target for link in links)
        new = [turn for turn in turns if turn not in said]
        items = self.index.items(new, ItemKind.TURN, where=self.turns) if new else []
        said.update((item.id, item.said_at) for item in items)
        return [replace(e, valid_at=said[e.target]) for e in links if e.target in said]


def of_card(card: Card, most: int = MOST, *, among: Iterable[str] | None = None) -> Iterator[Link]:
    """The links from a card to the turns it cites; or to all of `among`."""
    for turn, spans in _by_turn(card.evidence, most, among=among):
        yield Link(
            scope=card.scope,
            source=card.id,
            relation=EXTRACTED_FROM,
            target=turn,
            valid_at=card.said_at,
            evidence=spans,
            origin=card.origin,
        )


def of_entity(
    entity: Entity, most: int = MOST, *, among: Iterable[str] | None = None
) -> Iterator[Link]:
    """The links from an entity to the turns it was taken from; or to all of `among`."""
    for turn, spans in _by_turn(entity.evidence, most, among=among):
        yield Link(
            scope=entity.scope,
            source=entity.id,
            relation=EXTRACTED_FROM,
            target=turn,
            valid_at=_UNTOLD,
            evidence=spans,
            origin=Origin.AGENT,
        )


def cuts(item: str) -> list[tuple[str, str]]:
    """A turn's session and its own id, in every way that can be meant: either may hold a `#`."""
    parts = item.split("#")
    return [("#".join(parts[:n]), "#".join(parts[n:])) for n in range(1, len(parts))]


def _of_fact(fact: Link, among: Sequence[str]) -> Iterator[Link]:
    """From one of these nodes, of which a fact is told, to the turns that tell it."""
    node = fact.source if fact.source in among else fact.target
    for turn, spans in _by_turn(fact.evidence, MOST):
        yield replace(
            fact,
            source=node,
            relation=EXTRACTED_FROM,
            target=turn,
            weight=1.0,
            evidence=spans,
            invalid_at=None,
        )


def _by_turn(
    evidence: Iterable[Span], most: int, *, among: Iterable[str] | None = None
) -> list[tuple[str, tuple[Span, ...]]]:
    """Evidence by the id of the turn, in its order: the first turns, or all of `among`."""
    found: dict[str, list[Span]] = {}
    for span in evidence:
        found.setdefault(f"{span.session}#{span.turn}", []).append(span)
    turns = list(found)[:most] if among is None else [turn for turn in found if turn in among]
    return [(turn, tuple(found[turn])) for turn in turns]
