"""The path query: which chain of links leads from one thing that is remembered to another.

The cost of a step is the h-distance of the Alaya design (4.4) for the node it leads to:

    alpha x concept distance from the target + beta x (1 - rel_similarity x weight) + gamma x 0.1

so a chain is good when its links are strong, its relations are those that were asked for (or fit
the target), and it stays near to the target on the way. Nothing is written and no model is called
but the embedder, once, for the target.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from alaya.errors import InvalidInput, NotFound
from alaya.model.graph import Edge, Link
from alaya.model.ids import session_node
from alaya.model.passage import ItemKind, Query, Where
from alaya.model.path import Chain, Path, PathQuery, PathStep, Place, Quote
from alaya.model.relations import EXTRACTED_FROM, INVERSE, SYMMETRIC, reading, relation_name
from alaya.model.similarity import mixed_similarity
from alaya.model.speech import visible
from alaya.model.words import han_share
from alaya.ports import Index, Vector
from alaya.recall.answer import Recaller, recall
from alaya.recall.arms import query_vectors
from alaya.recall.chain import Found, Hop, Label, cheapest, way_to
from alaya.recall.cited import Cited, cuts
from alaya.recall.nodes import entity_names, is_there, turn_of
from alaya.recall.recipes import DEFAULT
from alaya.recall.turns import Reader, Words
from alaya.recall.walk import Kinship, admits, kinship

DEPTH, MOST_DEPTH = 6, 12  # links in a chain: by default, and at most
_MOST_NODES = 2_000  # nodes that a search goes on from
_FANOUT = 200  # links followed from one node, heaviest first
_ANSWERS = 5  # cards that may stand for a question
_MATCHED = 200  # cards that hold words of the target
_TRIES = 3  # others may write while we read

# What is written as an id is one: it is not looked for as words where nothing has it.
_NODE = re.compile(r"(card-|entity-)\S+|session:.+|[^\s#]+#\S+")


def find_path(on: Recaller, query: PathQuery, *, max_nodes: int = _MOST_NODES) -> Path:
    """The best chain from `query.source` to `query.target`, or how close any came.

    Raises InvalidInput for ends that are empty or the same and for a depth that is not allowed,
    NotFound for a node that is not there (for this user, within the filter).
    """
    started = on.timer()
    depth = DEPTH if query.max_depth is None else query.max_depth
    if not 1 <= depth <= MOST_DEPTH:
        raise InvalidInput(f"a path of at most {depth} links: give 1 to {MOST_DEPTH}")
    source, target = query.source.strip(), query.target.strip()
    if not source or not target:
        raise InvalidInput("a path needs two ends: nodes or questions, neither of them empty")
    if source == target:
        raise InvalidInput(f"a path from {source[:80]} to itself: give two different ends")
    relations = tuple(dict.fromkeys(relation_name(name) for name in query.relations))
    asked = replace(query, source=source, target=target, relations=relations, max_depth=depth)
    found = _answer(on, asked, max_nodes=max_nodes)
    return replace(found, latency_ms=round((on.timer() - started) * 1000, 3))


def _answer(on: Recaller, query: PathQuery, *, max_nodes: int) -> Path:
    sources, targets = (_end(on, text, where=query.where) for text in (query.source, query.target))
    ends = ((query.source, sources), (query.target, targets))
    unmatched = tuple(text for text, nodes in ends if not nodes)
    numbers = on.settings
    made = Path(
        query,
        None,
        unmatched=unmatched,
        max_depth=query.max_depth or DEPTH,
        settings=(("alpha", numbers.alpha), ("beta", numbers.beta), ("gamma", numbers.gamma)),
    )
    if unmatched:
        return made
    ground = _ground(on, query, sources=sources, targets=targets)
    for _ in range(_TRIES):
        found = cheapest(
            {node: ground.alpha * distance for node, distance in sources.items()},
            {node: ground.alpha * distance for node, distance in targets.items()},
            around=ground.around,
            max_depth=made.max_depth,
            max_nodes=max_nodes,
        )
        chain = closest = None
        if found.start is not None:
            chain = _chain(ground, found.start, hops=found.hops)
        else:
            label = _closest(ground, found)
            hops = way_to(label)
            closest = _chain(ground, hops[0].start if hops else label.node, hops=hops)
        if chain or closest:
            break
    else:
        found = replace(found, complete=False)  # what was found is no longer there, three times
    return replace(
        made,
        chain=chain,
        closest=closest,
        expanded=found.expanded,
        complete=found.complete and not ground.crowded,
        notes=(ground.why,) if ground.why else (),
    )


def _end(on: Recaller, text: str, *, where: Where) -> dict[str, float]:
    """The nodes that stand for an end of a path, with their concept distances from it."""
    if _NODE.fullmatch(text) and is_there(on.index, text, where=where):
        return {text: 0.0}
    turn = turn_of(on.index, text, where=where) if "#" in text else None
    if turn is not None and on.index.items(["#".join(turn)], ItemKind.TURN, where=where):
        return {"#".join(turn): 0.0}
    if _NODE.fullmatch(text) or any(on.index.session(where.scope, s) for s, _ in cuts(text)):
        raise NotFound(f"no {text} (for this user, within the filter, and not forgotten)")
    asked = Query(
        text=text,
        graph_expand=False,
        limit=_ANSWERS,
        include_cards=True,  # a path leads between cards, whatever a recall usually looks in
        include_sessions=False,
        include_summaries=False,
        include_notes=True,
        recipe=DEFAULT,
        where=where,
    )
    hits = [hit for hit in recall(on, asked).hits if hit.kind is ItemKind.CARD]
    return {hit.id: hit.concept_distance for hit in hits}


@dataclass
class _Ground:
    """The graph as one search sees it, with the distances from the target that were worked out."""

    on: Recaller
    where: Where
    kin: Kinship
    text: str  # the target in words
    vector: Vector | None
    why: str  # why there is no vector
    sessions: bool  # whether links to sessions are followed
    sources: Mapping[str, float]  # the ends, and how far each is from what was asked for
    targets: Mapping[str, float]
    distances: dict[str, float]  # of nodes from the target
    cited: Cited  # the steps from and to turns
    ends: frozenset[str]  # of the ends, the turns
    told: dict[tuple[str, str, str], Link] = field(default_factory=dict)  # links of turns, met
    crowded: bool = False  # a node had more links than are followed

    @property
    def alpha(self) -> float:
        return self.on.settings.alpha

    def around(self, node: str, *, back: bool) -> list[Hop]:
        """The hops out of a node, or those that lead to it."""
        edges = [] if node in self.cited.known else self._edges(node)
        followed = []
        for edge in [*edges, *self._said(node)]:
            other = edge.target if edge.source == node else edge.source
            start, end = (other, node) if back else (node, other)
            relation, _ = reading(edge, start)
            if other != node and admits(self.kin, relation):
                followed.append((start, end, relation, edge))
        self.measure([node] if back else [end for _, end, _, _ in followed])
        numbers, hops = self.on.settings, []
        for start, end, relation, edge in followed:
            near = self.kin.of(relation)
            strength = near * min(1.0, max(0.0, edge.weight))
            cost = self.alpha * self.distances[end] + numbers.beta * (1.0 - strength)
            hops.append(Hop(start, end, relation, edge, near, cost + numbers.gamma * 0.1))
        return hops

    def _edges(self, node: str) -> list[Edge]:
        """The links that are stored; those to sessions only where these are followed."""
        edges = self.on.index.edges(
            [node],
            self.where,
            relations=self.kin.followed or (),
            limit_per_node=_FANOUT + 1,
        )
        self.crowded = self.crowded or len(edges) > _FANOUT
        return [e for e in edges[:_FANOUT] if e.relation != EXTRACTED_FROM or self.sessions]

    def _said(self, node: str) -> list[Edge]:
        """The steps between turns and what was taken from them.

        Between a session and a turn there is one only where the turn is an end: all that was said
        in a session would be neighbours.
        """
        if not admits(self.kin, EXTRACTED_FROM):
            return []
        links = self.cited.links([node])
        self.crowded = self.crowded or len(links) >= _FANOUT
        if self.sessions:
            near = [turn for turn in self.ends if node in (turn, *_sessions(turn))]
            links += _of_sessions(self.on.index, near, where=self.where)
        self.told.update({(e.source, e.relation, e.target): e for e in links})
        return [Edge(e.source, e.relation, e.target, e.weight) for e in links]

    def measure(self, nodes: Sequence[str]) -> None:
        """Learn how far nodes are from the target; 1 where there is nothing to tell by."""
        new = [node for node in dict.fromkeys(nodes) if node not in self.distances]
        self.distances.update(dict.fromkeys(new, 1.0))
        embedder, index = self.on.embedder, self.on.index
        turns = [node for node in new if node in self.cited.known]
        cards = [node for node in new if node.startswith("card-") and node not in turns]
        if embedder is None or self.vector is None or not (cards or turns):
            return
        medians, asking = index.calibration(embedder.name), han_share(self.text)
        for kind, ids in ((ItemKind.CARD, cards), (ItemKind.TURN, turns)):
            cosines = index.similarities(
                embedder.name, self.vector, kind=kind, ids=ids, where=self.where
            )
            for node, han in self._han(list(cosines), kind).items():
                self.distances[node] = 1.0 - mixed_similarity(
                    cosines[node],
                    asking,
                    passage_han=han,
                    medians=medians,
                    baseline=embedder.baseline,
                )

    def _han(self, nodes: Sequence[str], kind: ItemKind) -> dict[str, float]:
        """How much of each card or turn is Chinese."""
        if kind is ItemKind.CARD:
            read = self.on.index.cards(nodes, self.where)
            return {card.id: han_share(card.text) for card, _ in read}
        items = self.on.index.items(nodes, kind, where=self.where) if nodes else []
        return {item.id: item.forms.han for item in items}


def _ground(
    on: Recaller, query: PathQuery, *, sources: Mapping[str, float], targets: Mapping[str, float]
) -> _Ground:
    turns = frozenset(node for node in (*sources, *targets) if _is_turn(node))
    said = Reader(on.index, on.archive, where=query.where).read(sorted(turns))
    text = query.target
    if text.removeprefix("session:") in said:
        text = visible(said[text.removeprefix("session:")].turn) or text
    elif _NODE.fullmatch(text):
        text = _titles(on.index, [text], where=query.where)[text]
    (vector,), why = query_vectors(on.index, on.embedder, phrases=[text])
    kin = kinship(
        on.index,
        query.relations,
        vector=vector,
        where=query.where,
        embedder=None if why else on.embedder,
        text=text,
    )
    cited = Cited(
        on.index,
        query.where,
        turns=query.where,
        known=set(turns),
        most=_FANOUT,
        entities=True,
    )
    alone = [turn for turn in turns if not cited.links([turn])]
    named = [end for end in (*sources, *targets) if end.startswith("session:")]
    return _Ground(
        on=on,
        where=query.where,
        kin=kin,
        text=text,
        vector=vector,
        why=why,
        sessions=bool(EXTRACTED_FROM in query.relations or named or alone),
        cited=cited,
        ends=turns,
        sources=sources,
        targets=targets,
        # How far a target is from the question is counted once, as the cost of ending there.
        distances=dict.fromkeys(targets, 0.0),
    )


def _closest(ground: _Ground, found: Found) -> Label:
    """The label that is nearest to the target: by vectors, else by words, else by the way."""
    ground.measure(list(found.reached))
    matched = ground.on.index.match(ground.text, ItemKind.CARD, where=ground.where, limit=_MATCHED)
    ranks = {item.id: rank for rank, item in enumerate(matched)}

    def far(label: Label) -> tuple[float, int, float, str]:
        rank = ranks.get(label.node, _MATCHED)
        return (ground.distances[label.node], rank, label.cost, label.node)

    return min(found.reached.values(), key=far)


def _chain(ground: _Ground, start: str, *, hops: Sequence[Hop]) -> Chain | None:
    """Hops with everything that is known of them; None where one is no longer there."""
    nodes = [start, *(hop.end for hop in hops)]
    links = _links(ground, nodes, hops=hops)
    if links is None:
        return None
    index, where, distances = ground.on.index, ground.where, ground.distances
    titles = _titles(index, nodes, where=where)
    cards = {card.id: card for card, _ in index.cards(nodes, where)}
    turns = [node for node in nodes if node in ground.cited.known]
    said = Reader(index, ground.on.archive, where=where).read(turns)
    titles.update({node: words.title for node, words in said.items()})
    ground.measure(nodes)

    def place(node: str) -> Place:
        quote = _quote(said[node]) if node in said else None
        return Place(node, titles[node], round(distances[node], 6), cards.get(node), quote=quote)

    steps = tuple(
        PathStep(
            place=place(hop.end),
            link=link,
            relation=hop.relation,
            against=_against(link, hop),
            rel_similarity=round(hop.near, 4),
            distance=round(hop.cost, 6),
        )
        for hop, link in zip(hops, links, strict=True)
    )
    begin = ground.alpha * ground.sources.get(start, 0.0)
    end = ground.alpha * ground.targets.get(nodes[-1], 0.0)
    total = begin + sum(hop.cost for hop in hops) + end
    return Chain(place(start), steps, round(total, 6), (round(begin, 6), round(end, 6)))


def _links(ground: _Ground, nodes: Sequence[str], *, hops: Sequence[Hop]) -> list[Link] | None:
    relations = sorted({hop.edge.relation for hop in hops})
    if not hops:
        return []
    told: dict[tuple[str, str, str], Link] = {}
    for link in ground.on.index.links(
        nodes, ground.where, relations=relations, limit_per_node=_FANOUT
    ):
        told.setdefault((link.source, link.relation, link.target), link)  # heaviest first
    found = [ground.told.get(hop.edge[:3]) or told.get(hop.edge[:3]) for hop in hops]
    return None if None in found else [link for link in found if link is not None]


def _quote(words: Words) -> Quote:
    return Quote(visible(words.turn), words.said_at, words.turn.origin, words.evidence)


def _is_turn(node: str) -> bool:
    return "#" in node and not node.startswith(("card-", "entity-", "session:"))


def _sessions(turn: str) -> list[str]:
    """The nodes of the sessions in which a turn of this id can stand."""
    return [session_node(session) for session, _ in cuts(turn)]


def _of_sessions(index: Index, turns: Sequence[str], *, where: Where) -> list[Link]:
    """The links from these turns to their sessions."""
    found = []
    for turn in turns:
        pair = turn_of(index, turn, where=where)
        state = index.session(where.scope, pair[0]) if pair else None
        if pair is not None and state is not None:
            (place,) = index.turns(where.scope, pair[0], ids=[pair[1]])
            said_at = place.said_at or state.session.started_at
            end = session_node(pair[0])
            found.append(Link(state.session.scope, turn, EXTRACTED_FROM, end, said_at))
    return found


def _against(link: Link, hop: Hop) -> bool:
    named = link.relation in SYMMETRIC or link.relation in INVERSE.values()
    return link.source != hop.start and not named


def _titles(index: Index, nodes: Sequence[str], *, where: Where) -> dict[str, str]:
    """What nodes are called; the id of one that has no name."""
    titles = {node: node for node in nodes}
    titles.update({c.id: c.title or c.content[:80] for c, _ in index.cards(nodes, where)})
    for node in nodes:
        if node.startswith("session:"):
            state = index.session(where.scope, node.removeprefix("session:"))
            titles[node] = (state.session.title if state else "") or node
    if any(node.startswith("entity-") for node in nodes):
        names = entity_names(index, where)
        titles.update({node: names[node] for node in nodes if node in names})
    return titles
