"""Paths on random graphs: real, live, never dearer than the best of all chains there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from alaya.model import change as ch
from alaya.model.graph import Link
from alaya.model.passage import ItemKind, Where
from alaya.model.path import PathQuery
from alaya.model.relations import reading
from alaya.model.similarity import mixed_similarity
from alaya.model.words import han_share
from alaya.recall.answer import Recaller
from alaya.recall.navigate import find_path
from alaya.recall.plan import Settings
from alaya.recall.walk import kinship
from alaya.testing.embedder import HashingEmbedder
from alaya.testing.invented import ALICE, BOB, Told, card, day, link, session, span, turn
from alaya.testing.oracle import OracleIndex

NAMES = "abcdefg"
TITLES = ("gateway port", "网关端口", "gateway restart", "sourdough", "网关 重启")
WEIGHTS = (0.0, 0.1, 0.5, 0.9, 1.0)

edges = st.lists(
    st.tuples(
        st.sampled_from(NAMES),
        st.sampled_from(("CAUSES", "SIMILAR_TO", "DEPENDS_ON", "受启发于")),
        st.sampled_from(NAMES),
        st.sampled_from(WEIGHTS),
        st.integers(0, 3),
    ),
    min_size=2,
    max_size=16,
)
settings = st.builds(
    Settings,
    alpha=st.sampled_from((0.0, 0.5, 1.0)),
    beta=st.sampled_from((0.0, 0.3, 1.0)),
    gamma=st.sampled_from((0.0, 0.2, 1.0)),
)
wheres = st.builds(
    Where,
    st.just(ALICE),
    tags=st.sampled_from(((), (), ("t",))),
    as_of=st.sampled_from((None, None, day(2))),
    include_forgotten=st.booleans(),
    include_quarantined=st.booleans(),
)


def memory(titles: Sequence[str], links: Sequence[tuple], hidden: Sequence[int]) -> Told:
    """Alice's graph, and Bob's: the same cards, all of them linked to each other."""
    told = Told(lambda read_turn: OracleIndex())
    told.cards(
        *(
            card(n, title, tags=("t",) if n in "abcde" else ())
            for n, title in zip(NAMES, titles, strict=True)
        ),
        *(card(n, scope=BOB) for n in NAMES),
    )
    made = [
        link(a, relation, target=b, weight=weight, valid_at=day(at))
        for a, relation, b, weight, at in links
        if a != b
    ]
    told.links(*made)
    told.links(*(link(a, "WALL", target=b, scope=BOB) for a in NAMES for b in NAMES if a != b))
    first, second, third = (NAMES[number] for number in hidden)
    told.tell(
        ch.Forgotten(ALICE, (f"card-{first}",), ""),
        ch.Quarantined(ALICE, (f"card-{second}",), True),
        *(ch.LinkRetired(ALICE, one.id, "") for one in made if third in one.source),
    )
    return told


def recaller(told: Told, numbers: Settings, *, vectors: bool) -> Recaller:
    embedder = HashingEmbedder()
    if vectors:
        found = told.index.pending(embedder.name, 1000)
        windows = embedder.passages([p.text for p in found])
        made = {p.text_hash: w for p, w in zip(found, windows, strict=True)}
        told.index.put(embedder.name, made)
    return Recaller(
        index=told.index,
        archive=None,
        embedder=embedder if vectors else None,
        stem=lambda word: word,
        timer=lambda: 0.0,
        settings=numbers,
    )


def distances(on: Recaller, target: str, where: Where) -> Callable[[str], float]:
    """How far each card is from the target, worked out anew."""
    if on.embedder is None:
        return lambda node: float(node != target)
    known = {c.id: c for c, _ in on.index.cards([f"card-{n}" for n in NAMES], where)}
    title = known[target].title
    cosines = on.index.similarities(
        on.embedder.name,
        on.embedder.query(title),
        kind=ItemKind.CARD,
        ids=list(known),
        where=where,
    )

    def far(node: str) -> float:
        if node == target:
            return 0.0
        if node not in cosines:  # forgotten before it was embedded: nothing tells
            return 1.0
        return 1 - mixed_similarity(
            cosines[node],
            han_share(title),
            passage_han=han_share(known[node].text),
            medians=on.index.calibration(on.embedder.name),
            baseline=on.embedder.baseline,
        )

    return far


def chains(links: Sequence[Link], at: str, *, seen: tuple[str, ...], left: int) -> Iterator[list]:
    """Every chain of different nodes from here, of at most so many links."""
    yield []
    if left:
        for one in links:
            if at in (one.source, one.target):
                relation, other = reading(one, at)
                if other not in seen:
                    rest = chains(links, other, seen=(*seen, other), left=left - 1)
                    yield from ([(one, relation, other), *more] for more in rest)


@given(
    titles=st.lists(st.sampled_from(TITLES), min_size=7, max_size=7),
    links=edges,
    hidden=st.lists(st.integers(0, 6), min_size=3, max_size=3),
    ends=st.permutations(NAMES),
    asked=st.sampled_from(((), (), ("CAUSES",), ("CAUSED_BY", "受启发于"))),
    depth=st.integers(1, 6),
    where=wheres,
    numbers=settings,
    vectors=st.booleans(),
)
def test_best_of_all_chains(
    titles, links, hidden, ends, asked, depth, where, numbers, vectors
) -> None:
    """A chain of live links that pass the filter, and no chain of the same graph is nearer.

    Where none is found there is none, and no node that can be reached is nearer to the target
    than the one that is named.
    """
    told = memory(titles, links, hidden)
    on = recaller(told, numbers, vectors=vectors)
    source, target = (f"card-{name}" for name in ends[:2])
    assume(len(told.index.cards([source, target], where)) == 2)
    query = PathQuery(source, target, asked, depth, where)
    found = find_path(on, query)
    far, live = distances(on, target, where), list(told.index.all_links(where))
    title = next(c.title for c, _ in told.index.cards([target], where))
    vector = on.embedder.query(title) if on.embedder else None
    kin = kinship(told.index, asked, vector=vector, where=where, embedder=on.embedder, text=title)

    def cost(chain: list) -> float:
        return sum(
            numbers.alpha * far(node)
            + numbers.beta * (1 - kin.of(relation) * one.weight)
            + numbers.gamma * 0.1
            for one, relation, node in chain
        )

    allowed = [
        chain
        for chain in chains(live, source, seen=(source,), left=depth)
        if all(not asked or kin.of(relation) >= 0.5 for _, relation, _ in chain)
    ]
    there = [chain for chain in allowed if chain and chain[-1][2] == target]
    assert found.complete
    assert found.found is bool(there)
    shown = found.chain or found.closest
    at = source
    for step in shown.steps:
        assert step.link in live
        relation, other = reading(step.link, at)
        assert (relation, other) == (step.relation, step.place.id)
        at = other
    assert len(shown.steps) <= depth
    assert shown.distance == pytest.approx(
        cost([(s.link, s.relation, s.place.id) for s in shown.steps]), abs=1e-5
    )
    if there:
        assert at == target
        assert shown.distance == pytest.approx(min(map(cost, there)), abs=1e-5)
        assert len({p.id for p in shown.places}) == len(shown.places)
    else:
        reached = {source, *(chain[-1][2] for chain in allowed if chain)}
        assert at in reached
        assert far(at) == pytest.approx(min(map(far, reached)), abs=1e-5)
    assert replace(find_path(on, query), latency_ms=0) == replace(found, latency_ms=0)


@given(
    cited=st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 5)), min_size=3, max_size=14),
    ends=st.lists(
        st.sampled_from([*(f"card-{n}" for n in NAMES), *(f"s#{n}" for n in range(6))]),
        min_size=2,
        max_size=2,
        unique=True,
    ),
)
def test_through_turns(cited: Sequence[tuple[str, int]], ends: Sequence[str]) -> None:
    """Between cards and the turns they cite there is a path exactly where some chain leads, and it
    is the shortest one; read backwards it is as long."""
    told = Told(lambda read_turn: OracleIndex())
    told.says(session(), *(turn(str(n), f"turn {n}") for n in range(6)))
    spans = {n: [span("s", str(t)) for name, t in cited if name == n] for n in NAMES}
    told.cards(*(card(n, evidence=tuple(dict.fromkeys(spans[n]))) for n in NAMES))
    near: dict[str, set[str]] = {}
    for name, number in cited:
        near.setdefault(f"card-{name}", set()).add(f"s#{number}")
        near.setdefault(f"s#{number}", set()).add(f"card-{name}")
    said = [end for end in ends if end.startswith("s#")]
    if any(end not in near for end in said):  # one that nothing cites is led to by its session
        for end in said:
            near.setdefault(end, set()).add("session:s")
        near["session:s"] = set(said)
    far, frontier = {ends[0]: 0}, [ends[0]]
    while frontier:
        node = frontier.pop(0)
        for other in near.get(node, set()) - far.keys():
            far[other] = far[node] + 1
            frontier.append(other)
    on = replace(recaller(told, Settings(), vectors=False), archive=_Archive(told))
    for source, target in (ends, ends[::-1]):
        found = find_path(on, PathQuery(source, target, max_depth=12, where=Where(ALICE)))
        assert found.complete
        if ends[1] in far and far[ends[1]] <= 12:
            assert found.chain is not None
            assert len(found.chain.steps) == far[ends[1]]
        else:
            assert found.chain is None


class _Archive:
    """Only what a path reads: turns by place."""

    def __init__(self, told: Told) -> None:
        self.turn = told.read_turn
