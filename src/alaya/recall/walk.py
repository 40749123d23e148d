"""The graph arm: from where we are along relations, hop by hop, and where one could go on.

Nodes are cards, sessions and entities; turns, too, where these are asked for (`cited`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict, TypeVar

from alaya.model.graph import Edge, Link, Relation
from alaya.model.passage import Explorable, ItemKind, Where
from alaya.model.relations import CORE_NAMES, EXTRACTED_FROM, INVERSE, reading
from alaya.model.similarity import mixed_similarity, scaled
from alaya.model.words import han_share
from alaya.ports import Embedder, Index, Vector
from alaya.recall.cited import Cited

_FANOUT = 30  # edges followed from one node
_FRONTIER = 100  # nodes that a hop starts from
_KIN = 0.5  # calibrated similarity from which another relation counts as the one asked for
_E = TypeVar("_E", Edge, Link)
_NEUTRAL = 0.5  # similarity of a relation to a question that names none, when nothing tells more


class _Followed(TypedDict):
    """How the links of a node are asked for."""

    relations: Sequence[str]
    limit_per_node: int


@dataclass(frozen=True)
class Step:
    """How a node was reached: over which edge, read how, at what depth."""

    node: str
    depth: int
    edge: Edge | Link
    relation: str  # as read from where we came
    rel_similarity: float


@dataclass(frozen=True)
class Kinship:
    """How near each relation is to what was asked for, 0..1. `asked`: relations were named."""

    asked: tuple[str, ...]
    similarity: Mapping[str, float]

    def of(self, relation: str) -> float:
        return self.similarity.get(relation, 0.0 if self.asked else _NEUTRAL)

    @property
    def followed(self) -> list[str] | None:
        """Stored names of the relations to follow; None: all but the link to the session."""
        if not self.asked:
            return None
        names = {name for name, near in self.similarity.items() if near >= _KIN}
        return sorted({INVERSE.get(name, name) for name in names} | set(self.asked))


def kinship(
    index: Index,
    asked: Sequence[str],
    *,
    vector: Vector | None,
    where: Where,
    embedder: Embedder | None,
    text: str,
) -> Kinship:
    """Compare every relation in use with the named ones, else with the question itself."""
    # The other reading of an edge that was asked for leads the wrong way, however near its name.
    opposite = {b for pair in INVERSE.items() for a, b in (pair, pair[::-1]) if a in asked}
    known = [r for r in index.relations(where.scope) if r.name not in opposite - set(asked)]
    near: dict[str, float] = {}
    meant = {*asked, *(r.alias_of for r in known if r.name in asked)}
    for relation in known:
        if relation.name in meant or relation.alias_of in meant - {None}:
            near[relation.name] = 1.0
    if embedder is None or not index.models().get(embedder.name):
        return Kinship(tuple(asked), near)
    medians, han = index.calibration(embedder.name), han_share(text)
    goals = _goals(known, asked, embedder=embedder) if asked else [] if vector is None else [vector]
    for goal in goals:
        found = index.similarities(
            embedder.name, goal, kind=ItemKind.RELATION, ids=[r.name for r in known], where=where
        )
        middle = _middle(found, asked) if asked else None
        for relation in known:
            if relation.name not in found or near.get(relation.name, 0.0) == 1.0:
                continue
            if middle is None:
                value = mixed_similarity(
                    found[relation.name],
                    han,
                    passage_han=han_share(relation.text),
                    medians=medians,
                    baseline=embedder.baseline,
                )
            else:
                value = scaled(found[relation.name], middle)
                if relation.is_core:  # each is distinct by definition, however alike they sound
                    value = min(value, _KIN - 0.01)
            near[relation.name] = max(near.get(relation.name, 0.0), value)
    return Kinship(tuple(asked), near)


def admits(kin: Kinship, relation: str) -> bool:
    """Whether a relation, as read, may be followed: any, or one that is near to those asked for."""
    return not kin.asked or kin.of(relation) >= _KIN


def walk(
    index: Index,
    seeds: Sequence[str],
    *,
    where: Where,
    depth: int,
    kin: Kinship,
    taken: Sequence[Link] = (),
    cited: Cited | None = None,
) -> dict[str, Step]:
    """The nodes within `depth` hops of the seeds, each by the best edge that reaches it first.

    Sessions are not walked through, unless EXTRACTED_FROM was asked for: every card of a session
    would be a neighbour of every other. `taken` leads from sessions and turns among the seeds to
    their cards; where other relations were asked for, these are followed from the cards. With
    `cited` it goes from what rests on turns to these, and back to whatever else rests on them.
    """
    seen, frontier = set(seeds), list(seeds)
    steps: dict[str, Step] = {}
    reached: dict[str, Step] = {}
    if not admits(kin, EXTRACTED_FROM):
        frontier += dict.fromkeys(link.source for link in taken if link.source not in seen)
    elif depth:
        near = kin.of(EXTRACTED_FROM)
        cards = {link.source: link for link in reversed(taken) if link.source not in seen}
        reached = {card: Step(card, 1, link, EXTRACTED_FROM, near) for card, link in cards.items()}
    for hop in range(1, depth + 1):
        for link in _around(index, frontier, where=where, kin=kin, cited=cited):
            for end in (link.source, link.target):
                if end not in frontier:
                    continue
                relation, other = reading(link, end)
                near = kin.of(relation)
                if other in seen or not admits(kin, relation):
                    continue
                best = reached.get(other)
                if best is None or near * link.weight > best.rel_similarity * best.edge.weight:
                    reached[other] = Step(other, hop, link, relation, near)
        steps.update(reached)
        seen.update(reached)
        order = sorted(reached.values(), key=lambda s: (-s.rel_similarity * s.edge.weight, s.node))
        frontier = [step.node for step in order[:_FRONTIER]]
        reached = {}
        if not frontier:
            break
    return steps


def _around(
    index: Index, nodes: Sequence[str], *, where: Where, kin: Kinship, cited: Cited | None
) -> Sequence[Edge | Link]:
    """The edges that may be followed from or to these nodes; whole links where turns are walked
    through, which are their evidence."""
    if cited is None:
        return _wanted(index.edges(nodes, where, **_followed(kin)), kin)
    whole = index.links(
        [node for node in nodes if node not in cited.known], where, **_followed(kin)
    )
    found = _wanted(whole, kin)
    if admits(kin, EXTRACTED_FROM):
        found += cited.links(nodes, [link for link in found if link.evidence])
    return found


def links_of(
    index: Index, steps: Iterable[Step], *, where: Where, kin: Kinship
) -> Mapping[str, Link]:
    """What is said of the edge of each of these steps, by the node that it leads to."""
    edges = {step.node: step.edge for step in steps}
    bare = [node for node, edge in edges.items() if not isinstance(edge, Link)]
    ends = dict.fromkeys(
        edges[node].source if edges[node].target == node else edges[node].target for node in bare
    )
    told: dict[tuple[str, str, str], Link] = {}
    # The same question as in the walk: so the first of several between two nodes is the same.
    for link in index.links(list(ends), where, **_followed(kin)) if bare else ():
        told.setdefault((link.source, link.relation, link.target), link)
    keyed = {node: (edge.source, edge.relation, edge.target) for node, edge in edges.items()}
    read = {node: told[keyed[node]] for node in bare if keyed[node] in told}
    return read | {node: edge for node, edge in edges.items() if isinstance(edge, Link)}


def _followed(kin: Kinship) -> _Followed:
    return {"relations": kin.followed or (), "limit_per_node": _FANOUT}


def _wanted(edges: Sequence[_E], kin: Kinship) -> list[_E]:
    asked = EXTRACTED_FROM in kin.asked
    return [edge for edge in edges if asked or edge.relation != EXTRACTED_FROM]


def explorable(
    index: Index, nodes: Sequence[str], *, where: Where, kin: Kinship
) -> tuple[Explorable, ...]:
    """Relations that lead from these nodes to others, with how many they lead to.

    Not the one that leads to a session, unless it was asked for: that is what trace is for.
    """
    ways = {
        relation: count
        for relation, count in index.ways(nodes, where).items()
        if relation != EXTRACTED_FROM or EXTRACTED_FROM in kin.asked
    }
    ordered = sorted(ways.items(), key=lambda way: (-kin.of(way[0]), -way[1], way[0]))
    return tuple(Explorable(name, count, round(kin.of(name), 4)) for name, count in ordered)


def _goals(known: Sequence[Relation], asked: Sequence[str], *, embedder: Embedder) -> list[Vector]:
    """The vectors of the named relations, also of ones that nobody has used yet."""
    texts = {r.name: r.text for r in known}
    return [embedder.query(texts.get(n, n.replace("_", " ").lower())) for n in asked]


def _middle(found: Mapping[str, float], asked: Sequence[str]) -> float:
    """The cosine at which relations stand that have nothing to do with each other.

    Names of relations are short and alike, so they need a scale of their own: its zero is the
    median of the core relations that were not asked for.
    """
    others = sorted(found[n] for n in CORE_NAMES if n in found and n not in asked)
    return min(0.99, max(0.0, others[len(others) // 2])) if others else 0.0
