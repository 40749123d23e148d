"""What was found, before it is ranked: the facts that a recipe needs, and what becomes a hit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from alaya.model.graph import Card, CardState, Link, Standing, Summary
from alaya.model.passage import ArmScore, Hit, Item, ItemKind, Where
from alaya.model.raw import Origin, Span
from alaya.model.relations import EXTRACTED_FROM
from alaya.ports import GraphReader
from alaya.recall import recipes
from alaya.recall.arms import Candidate, Found
from alaya.recall.diversity import Told, enough
from alaya.recall.plan import Plan
from alaya.recall.recipes import Facts, Parts
from alaya.recall.walk import Kinship, Step
from alaya.recall.weights import GRAPH

_LINKS = 60  # of one card that are counted, as many as any recipe tells apart and a few more
_DAY = 86_400


@dataclass(frozen=True)
class Entry:
    """A candidate with what is known of it, and its score by the parts of the recipe."""

    candidate: Candidate
    kind: ItemKind
    facts: Facts
    told: Told
    parts: Parts
    card: tuple[Card, CardState] | None = None  # read when it is shown
    summary: Summary | None = None
    step: Step | None = None
    via: Link | None = None  # of the step's edge; read when it is shown
    repeats: float = 0.0  # how much of it stands before

    @property
    def id(self) -> str:
        return self.candidate.id


def items_of(found: Found) -> dict[str, Item]:
    """Every item that was looked at, by id."""
    return {item.id: item for ranked in found.ranked for item in ranked.items}


def best_of(found: Found, todo: Plan, *, items: Mapping[str, Item]) -> list[Candidate]:
    """The candidates above the floor, until `top_k` of them tell different things.

    What was shown before takes no place, nor does what says the same as another one, unless the
    recipe takes things as they come.
    """
    hidden, diverse = todo.query.hidden, recipes.is_diverse(todo.recipe)
    above = [c for c in found.candidates if c.similarity >= todo.floor]

    def told(candidate: Candidate) -> tuple[object, ...]:
        if candidate.id in hidden:
            return ()
        item = items[candidate.id]
        return (item.forms.line, item.forms.asks, item.speaker) if diverse else (candidate.id,)

    wanted = todo.top_k + any(candidate.id in hidden for candidate in above)
    return above[: enough(map(told, above), wanted)]


class Cards:
    """Reads whole cards, each once."""

    def __init__(self, index: GraphReader, *, where: Where) -> None:
        self._index, self._where = index, where
        self._known: dict[str, tuple[Card, CardState]] = {}

    def read(self, ids: Sequence[str]) -> dict[str, tuple[Card, CardState]]:
        """Those of these cards that pass."""
        new = [name for name in ids if name not in self._known]
        if new:
            self._known.update((c.id, (c, s)) for c, s in self._index.cards(new, self._where))
        return {name: self._known[name] for name in ids if name in self._known}

    def text(self, name: str) -> Callable[[], str]:
        """What a card says, read when it is asked for."""

        def text() -> str:
            found = self.read([name])
            return found[name][0].text if found else ""

        return text


def card_entry(
    candidate: Candidate,
    standing: Standing,
    *,
    told: Told,
    step: Step | None,
    kin: Kinship,
    todo: Plan,
) -> Entry:
    """A card that was found, or that a walk led to: it is read when it is shown."""
    candidate = _led(candidate, step)
    facts = Facts(
        similarity=candidate.similarity,
        relation_distance=_relation(step, kin),
        depth=step.depth if step else 0,
        age_days=age(standing.said_at, todo.now),
        importance=standing.importance,
        accesses=standing.accesses,
        stale=standing.stale,
    )
    return entry_of(candidate, ItemKind.CARD, todo=todo, facts=facts, told=told, step=step)


def turn_entry(
    candidate: Candidate,
    item: Item,
    *,
    step: Step | None,
    kin: Kinship,
    todo: Plan,
    text: Callable[[], str],
) -> Entry:
    """A turn that was found, or that a walk led to: its words stay in the archive until shown."""
    candidate = _led(candidate, step)
    facts = spoken(candidate, item.said_at, step=step, kin=kin, todo=todo)
    told = Told(item.forms, text, item.speaker)
    return entry_of(candidate, ItemKind.TURN, todo=todo, facts=facts, told=told, step=step)


def entry_of(
    candidate: Candidate,
    kind: ItemKind,
    *,
    todo: Plan,
    facts: Facts,
    told: Told,
    step: Step | None = None,
    summary: Summary | None = None,
) -> Entry:
    """An entry with what each part of the recipe adds to its score."""
    parts = recipes.parts(todo.recipe, facts, numbers=todo.numbers)
    return Entry(candidate, kind, facts, told, parts, step=step, summary=summary)


def spoken(
    candidate: Candidate, said_at: datetime, *, step: Step | None, kin: Kinship, todo: Plan
) -> Facts:
    """The facts of what is neither rated nor counted: a turn, a summary."""
    return Facts(
        similarity=candidate.similarity,
        relation_distance=_relation(step, kin),
        depth=step.depth if step else 0,
        age_days=age(said_at, todo.now),
    )


def _led(candidate: Candidate, step: Step | None) -> Candidate:
    """With what the graph says of it, where a walk led to it."""
    if step is None:
        return candidate
    vote = step.rel_similarity * step.edge.weight
    graph = ArmScore(GRAPH, step.edge.weight, vote, step.depth)
    said = (*candidate.said, graph)
    return Candidate(candidate.id, candidate.similarity, candidate.ranked, candidate.place, said)


def _relation(step: Step | None, kin: Kinship) -> float:
    """How far the relation that led here is from those that were asked for."""
    return 1.0 - step.rel_similarity if step else 1.0 if kin.asked else 0.0


def connected(
    index: GraphReader, entries: Sequence[Entry], *, todo: Plan, where: Where
) -> list[Entry]:
    """The entries, judged by how many links each card has to other cards and entities, too."""
    cards = [entry.id for entry in entries if entry.kind is ItemKind.CARD]
    counts: Counter[str] = Counter()
    for edge in index.edges(cards, where, limit_per_node=_LINKS) if cards else ():
        if edge.relation != EXTRACTED_FROM:  # every card has that one
            counts.update((edge.source, edge.target))
    linked = [(entry, entry.facts._replace(links=counts[entry.id])) for entry in entries]
    return [
        replace(entry, facts=facts, parts=recipes.parts(todo.recipe, facts, numbers=todo.numbers))
        for entry, facts in linked
    ]


def ranked(entries: Iterable[Entry]) -> list[Entry]:
    """By the recipe, best first; equals as they came."""
    return sorted(entries, key=lambda entry: -recipes.total(entry.parts))


def hit(
    entry: Entry,
    todo: Plan,
    *,
    title: str,
    content: str,
    said_at: datetime,
    origin: Origin,
    evidence: tuple[Span, ...],
) -> Hit:
    """A hit of any kind, with its numbers and its reasons."""
    facts, step, card = entry.facts, entry.step, entry.card
    return Hit(
        id=entry.id,
        kind=entry.kind,
        title=title,
        content=content,
        score=round(min(1.0, max(0.0, recipes.total(entry.parts))), 6),
        h_distance=round(recipes.h_distance(facts, todo.numbers), 6),
        said_at=said_at,
        origin=origin,
        evidence=evidence,
        arms=entry.candidate.arms,
        concept_distance=round(1.0 - facts.similarity, 6),
        relation_distance=round(facts.relation_distance, 6),
        depth=facts.depth,
        matched_rel=step.relation if step else None,
        rel_similarity=round(step.rel_similarity, 4) if step else None,
        via=entry.via,
        tier=card[1].tier if card else None,
        card=card[0] if card else None,
        stale=facts.stale,
        parts=tuple((name, round(value, 6)) for name, value in entry.parts),
        repeats=round(entry.repeats, 4),
    )


def age(said_at: datetime, now: datetime) -> float:
    """Days since then; 0 for what is said to come."""
    return max(0.0, (now - said_at).total_seconds() / _DAY)
