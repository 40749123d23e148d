"""What was derived from what: the chain up from a source, and the trees both ways."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from alaya.errors import NotFound
from alaya.model.event import turns_of
from alaya.model.graph import Card, CardState, Link
from alaya.model.passage import Where
from alaya.model.raw import Event, EventKind, Span
from alaya.model.relations import CONTRADICTS, DERIVED_FROM, EXTRACTED_FROM, SUPERSEDES, reading
from alaya.model.scope import Scope
from alaya.model.suspicion import doubts
from alaya.model.trace import Chain, Node, Why
from alaya.ports import Archive, Index
from alaya.provenance import events
from alaya.provenance.events import Subject
from alaya.provenance.words import quote_of, trace

Children = Callable[[Sequence[str]], Mapping[str, Sequence[str]]]
_LINKS = 1_000  # of one card that are followed
_NODES = 200  # of one tree
_WORDS = 400  # characters of words in a tree


def derived(roots: Sequence[str], children: Children) -> list[str]:
    """Everything that follows from the roots, nearest first, each once; no root among it.

    `children` tells what follows directly from each of several. A cycle ends where it closes.
    """
    seen, found, level = set(roots), [], list(dict.fromkeys(roots))
    while level:
        told = children(level)
        following = (child for one in level for child in told.get(one, ()))
        level = [child for child in dict.fromkeys(following) if child not in seen]
        seen.update(level)
        found += level
    return found


def concluded(index: Index, where: Where) -> Children:
    """Tells the cards that were concluded from each of several cards."""

    def children(cards: Sequence[str]) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        wanted = set(cards)
        for link in index.links(cards, where, relations=[DERIVED_FROM], limit_per_node=_LINKS):
            if link.target in wanted and link.source.startswith("card-"):
                found.setdefault(link.target, []).append(link.source)
        return {target: sorted(sources) for target, sources in found.items()}

    return children


def citing(index: Index, where: Where, *, subject: Subject) -> list[str]:
    """The cards that came directly from an event or a turn: they name it, or quote its words."""
    named = [subject.id, *([subject.event.id] if subject.event else [])]
    by_event = index.cards_of_events(where, list(dict.fromkeys(named)))
    # What went into an event was said elsewhere: who quotes that, came from there.
    turns = list(_own_turns(subject))
    by_turn = index.cards_of_turns(where, turns) if turns else {}
    found = [card for cards in (*by_event.values(), *by_turn.values()) for card in cards]
    return sorted(dict.fromkeys(found))


def _own_turns(subject: Subject) -> Iterable[tuple[str, str]]:
    event = subject.event
    if event is None or event.id != subject.id:
        return subject.turns
    if event.id.startswith("event-"):
        return turns_of(event)
    return turns_of(replace(event, input=()))


def chain(archive: Archive, index: Index, *, scope: Scope, name: str) -> Chain:
    """The trees both ways from a card, an event or a turn. Raises NotFound."""
    found = events.subject(archive, index, scope=scope, name=name)
    return Chain(
        down=_Tree(archive, index, scope).down(found), up=_Tree(archive, index, scope).up(found)
    )


def why(archive: Archive, index: Index, *, scope: Scope, card: str) -> Why:
    """Everything that speaks for or against a card. Raises NotFound."""
    where = events.everything(scope)
    traced = trace(archive, index, card_id=card, where=where)
    tree = _Tree(archive, index, scope)
    came = tree.events_of(traced.card)
    links = [
        link
        for link in index.links([card], where, limit_per_node=_LINKS)
        if link.retired_at is None
    ]
    again = [k for k in links if k.relation == EXTRACTED_FROM and k.source == card and k.evidence]
    parents = tree.ancestors(traced.card)
    about = index.events(scope, about=list(_grounds([traced.card, *parents], came)))
    said = [event for event in about if event.kind is EventKind.CORRECTION]
    return Why(
        trace=traced,
        events=tuple(came),
        again=tuple(again),
        confirmations=tuple(e for e in about if e not in said and card in e.about),
        corrections=tuple(said),
        replaces=_ends(index, where, links=links, card=card, relation=SUPERSEDES, forward=True),
        replaced_by=_ends(index, where, links=links, card=card, relation=SUPERSEDES),
        contradicts=_ends(index, where, links=links, card=card, relation=CONTRADICTS, both=True),
        derived_from=tuple(parents),
        derived=tuple(derived([card], concluded(index, where))),
        doubts=doubts(traced.card.origin, traced.card.text),
    )


def _grounds(cards: Sequence[Card], came: Sequence[Event]) -> Iterable[str]:
    """The names under which a correction may speak of what these cards stand on."""
    names = [card.id for card in cards]
    names += [event for card in cards for event in card.source_events]
    names += [f"{span.session}#{span.turn}" for card in cards for span in card.evidence]
    names += [event.id for event in came]
    return dict.fromkeys(names)


def _ends(
    index: Index,
    where: Where,
    *,
    links: Sequence[Link],
    card: str,
    relation: str,
    forward: bool = False,
    both: bool = False,
) -> tuple[Card, ...]:
    """The cards at the other ends of a card's links of one relation."""
    ids = [
        reading(link, card)[1]
        for link in links
        if link.relation == relation and (both or (link.source == card) is forward)
    ]
    return tuple(found for found, _ in index.cards(ids, where)) if ids else ()


@dataclass
class _Tree:
    """One tree as it grows: what stands in it already is not told again."""

    archive: Archive
    index: Index
    scope: Scope
    seen: set[str] = field(default_factory=set)

    @property
    def where(self) -> Where:
        return events.everything(self.scope)

    def down(self, found: Subject) -> Node:
        """From a thing to the words it stands on."""
        if found.card is not None:
            return self._card_down(*found.card)
        if found.event is not None:
            return self._event_down(found.event)
        return Node(found.id, "turn")

    def up(self, found: Subject) -> Node:
        """From a thing to all that was concluded from it."""
        if found.card is not None:
            return self._card_up(*found.card)
        self.seen.add(found.id)
        cards = self.index.cards(citing(self.index, self.where, subject=found), self.where)
        kind = found.event.kind.value if found.event else "turn"
        children = tuple(self._card_up(card, state) for card, state in cards)
        return Node(found.id, kind, children=children)

    def events_of(self, card: Card) -> list[Event]:
        """What a card came from: events it names, and those of the turns it quotes."""
        named, found = [], dict[str, Event]()
        for name in card.source_events:
            try:
                named.append(
                    events.event_named(self.archive, self.index, scope=self.scope, name=name)
                )
            except NotFound:
                continue  # erased, or a recall whose log is gone: the card still names it
        turns = list(dict.fromkeys((span.session, span.turn) for span in card.evidence))
        told = events.of_turns(self.archive, self.index, scope=self.scope, turns=turns)
        found |= {event.id: event for event in (*named, *told)}
        return list(found.values())

    def ancestors(self, card: Card) -> list[Card]:
        """The cards that a card was concluded from, nearest first."""
        known: dict[str, Card] = {}

        def parents(ids: Sequence[str]) -> Mapping[str, Sequence[str]]:
            missing = [name for name in ids if name not in known and name != card.id]
            cards = self.index.cards(missing, self.where) if missing else []
            known.update({one.id: one for one, _ in cards})
            mine = {**known, card.id: card}
            return {name: mine[name].derived_from for name in ids if name in mine}

        return [known[name] for name in derived([card.id], parents) if name in known]

    def _card_down(self, card: Card, state: CardState) -> Node:
        if self._again(card.id):
            return _node(card, state, marks=("again",))
        children = [self._event_down(event) for event in self.events_of(card)]
        cards = {one.id: (one, its) for one, its in self.index.cards(card.derived_from, self.where)}
        for name in card.derived_from:
            known = cards.get(name)
            children.append(
                self._card_down(*known) if known else Node(name, "card", marks=("missing",))
            )
        return _node(card, state, children=children)

    def _event_down(self, event: Event) -> Node:
        node = Node(event.id, event.kind.value, _told(event), event.at, event.origin)
        if self._again(event.id):
            return replace(node, marks=("again",))
        words = [self._words(span) for span in (*event.input, *event.output)]
        return replace(node, children=tuple(words))

    def _words(self, span: Span) -> Node:
        name = f"{span.session}#{span.turn}"
        state = self.index.session(Scope(self.scope.user), span.session)
        quote = state and quote_of(self.archive, self.index, session=state, span=span)
        if not quote:
            return Node(name, "words", marks=("missing",))
        return Node(
            name,
            "words",
            quote.words[:_WORDS],
            quote.turn.turn.said_at,
            quote.turn.turn.origin,
            ("verified" if quote.verified else "altered",),
        )

    def _card_up(self, card: Card, state: CardState) -> Node:
        if self._again(card.id):
            return _node(card, state, marks=("again",))
        following = concluded(self.index, self.where)([card.id]).get(card.id, ())
        cards = self.index.cards(list(following), self.where) if following else []
        return _node(card, state, children=[self._card_up(*one) for one in cards])

    def _again(self, name: str) -> bool:
        """Whether it stands in the tree, or the tree is too large to say more."""
        known = name in self.seen or len(self.seen) >= _NODES
        self.seen.add(name)
        return known


def _node(
    card: Card, state: CardState, *, marks: tuple[str, ...] = (), children: Sequence[Node] = ()
) -> Node:
    flags = {
        "stale": state.stale,
        "quarantined": state.quarantined,
        "forgotten": state.forgotten_at is not None,
    }
    own = tuple(name for name, on in flags.items() if on)
    return Node(
        card.id, "card", card.title, card.said_at, card.origin, (*own, *marks), tuple(children)
    )


def _told(event: Event) -> str:
    """What is known of an event beside its words."""
    query = event.metadata.get("query")
    if isinstance(query, Mapping):
        return " ".join(str(query.get(name, "")) for name in ("text",)).strip()
    return str(event.metadata.get("tool") or event.metadata.get("source") or "")
