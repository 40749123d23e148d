"""Turns as nodes of the graph: the steps between them and what rests on their words.

These edges stand in no table of links: a card, an entity and a fact keep the turns they were taken
from as evidence. Each is read as a link EXTRACTED_FROM a turn, of weight 1, valid since the turn
was said. What the filter hides has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from alaya.model.graph import Card, Entity, Link
from alaya.model.passage import ItemKind, Where
from alaya.model.raw import Origin, Span
from alaya.model.relations import EXTRACTED_FROM
from alaya.ports import Index

MOST = 6  # turns that are followed from one card, entity or fact
_UNTOLD = datetime.fromtimestamp(0, UTC)  # until the turn says when
_TURNS = 60  # turns that one step leads to, and from which it leads on


@dataclass(frozen=True)
class Cited:
    """Reads the steps. `cards` filters cards; `turns` (no card's kinds or tags) what was said.

    `known` are the ids of turns that were met or begun at: a node among them is a turn.
    """

    index: Index
    cards: Where
    turns: Where
    known: set[str] = field(default_factory=set)

    def links(self, nodes: Sequence[str], facts: Iterable[Link] = ()) -> list[Link]:
        """The links from these nodes to turns and from turns among them, and from these facts."""
        turns = [node for node in nodes if node in self.known]
        rest = [node for node in nodes if node not in self.known]
        found = [*self._of_cards(rest), *self._of_entities(rest)]
        found += [link for fact in facts for link in _of_fact(fact, among=nodes)]
        found = self._seen(found[:_TURNS])
        self.known.update(link.target for link in found)
        return [*found, *self._seen(self._to_cards(turns[:_TURNS]))]

    def _of_cards(self, nodes: Sequence[str]) -> list[Link]:
        cards = [node for node in nodes if node.startswith("card-")]
        read = self.index.cards(cards, self.cards) if cards else []
        return [link for card, _ in read for link in of_card(card)]

    def _of_entities(self, nodes: Sequence[str]) -> list[Link]:
        wanted = [node for node in nodes if node.startswith("entity-")]
        if not wanted:
            return []
        # An entity has no kind, tag or time of its own: only the scope and belief tell it apart.
        narrow = Where(scope=self.turns.scope, believed_at=self.turns.believed_at)
        read = self.index.entities(narrow, ids=wanted)
        return [link for entity in read for link in of_entity(entity)]

    def _to_cards(self, turns: Sequence[str]) -> list[Link]:
        """From cards that cite these turns to them."""
        if not turns:
            return []
        pairs = [cut for turn in turns for cut in cuts(turn)]
        cited = self.index.cards_of_turns(self.cards, pairs)
        names = dict.fromkeys(card for cards in cited.values() for card in cards)
        wanted = {"#".join(pair) for pair in cited}
        read = self.index.cards(list(names), self.cards) if names else []
        return [link for card, _ in read for link in of_card(card, among=wanted)]

    def _seen(self, links: Sequence[Link]) -> list[Link]:
        """Those that lead to turns which pass, each valid since its turn was said."""
        if not links:
            return []
        turns = list(dict.fromkeys(link.target for link in links))
        items = self.index.items(turns, ItemKind.TURN, where=self.turns)
        said = {item.id: item.said_at for item in items}
        return [replace(e, valid_at=said[e.target]) for e in links if e.target in said]


def of_card(card: Card, among: Iterable[str] | None = None) -> Iterator[Link]:
    """The links from a card to the turns it cites; or to all of `among`."""
    spans = by_turn(card.evidence)
    turns = list(spans)[:MOST] if among is None else [turn for turn in spans if turn in among]
    for turn in turns:
        yield Link(
            scope=card.scope,
            source=card.id,
            relation=EXTRACTED_FROM,
            target=turn,
            valid_at=card.said_at,
            evidence=tuple(spans[turn]),
            origin=card.origin,
        )


def of_entity(entity: Entity) -> Iterator[Link]:
    """The links from an entity to the turns it was first taken from."""
    for turn, spans in list(by_turn(entity.evidence).items())[:MOST]:
        yield Link(
            scope=entity.scope,
            source=entity.id,
            relation=EXTRACTED_FROM,
            target=turn,
            valid_at=_UNTOLD,
            evidence=tuple(spans),
            origin=Origin.AGENT,
        )


def by_turn(spans: Iterable[Span]) -> Mapping[str, list[Span]]:
    """Evidence by the id of the turn, in its order."""
    found: dict[str, list[Span]] = {}
    for span in spans:
        found.setdefault(f"{span.session}#{span.turn}", []).append(span)
    return found


def cuts(item: str) -> list[tuple[str, str]]:
    """A turn's session and its own id, in every way that can be meant: either may hold a `#`."""
    parts = item.split("#")
    return [("#".join(parts[:n]), "#".join(parts[n:])) for n in range(1, len(parts))]


def _of_fact(fact: Link, among: Sequence[str]) -> Iterator[Link]:
    """From one of these nodes, of which a fact is told, to the turns that tell it."""
    node = fact.source if fact.source in among else fact.target
    for turn, spans in list(by_turn(fact.evidence).items())[:MOST]:
        yield replace(
            fact,
            source=node,
            relation=EXTRACTED_FROM,
            target=turn,
            weight=1.0,
            evidence=tuple(spans),
            invalid_at=None,
        )
