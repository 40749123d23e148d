"""The search for the cheapest chain, on graphs small enough to work out by hand."""

from __future__ import annotations

import pytest

from alaya.model.graph import Edge
from alaya.recall.chain import Hop, cheapest, way_to

Costs = dict[tuple[str, str], float]


def around(costs: Costs):
    """The hops of a directed graph, and a list of the nodes that were asked for."""
    asked: list[str] = []

    def hops(node: str, *, back: bool) -> list[Hop]:
        asked.append(node)
        return [
            Hop(a, b, "R", Edge(a, "R", b, 1.0), 1.0, cost)
            for (a, b), cost in sorted(costs.items())
            if (b if back else a) == node
        ]

    return hops, asked


def search(costs: Costs, one="a", other="z", *, depth: int = 6, nodes: int = 1000):
    hops, _ = around(costs)
    sources, targets = (e if isinstance(e, dict) else {e: 0.0} for e in (one, other))
    return cheapest(sources, targets, around=hops, max_depth=depth, max_nodes=nodes)


def names(found) -> str:
    """The nodes of a chain, one after the other."""
    if found.start is None:
        return ""
    return "".join([found.start, *(hop.end for hop in found.hops)])


# a-b-c-d-z costs 4, a-x-z costs 5, a-z costs 7; y leads nowhere.
LADDER = {
    ("a", "b"): 1.0,
    ("b", "c"): 1.0,
    ("c", "d"): 1.0,
    ("d", "z"): 1.0,
    ("a", "x"): 2.0,
    ("x", "z"): 3.0,
    ("a", "z"): 7.0,
    ("a", "y"): 0.5,
}


@pytest.mark.parametrize(
    ("depth", "chain"),
    [(6, "abcdz"), (4, "abcdz"), (3, "axz"), (2, "axz"), (1, "az")],
)
def test_cheapest_within_depth(depth, chain) -> None:
    """The cheapest chain that is not too long: a cheap long one does not hide a short one."""
    found = search(LADDER, depth=depth)
    assert names(found) == chain
    assert found.complete


def test_depth_counts_where_cheap_and_dear_meet() -> None:
    """A node that is reached cheaply by many hops is still reached by few, where only few fit."""
    costs = {
        ("a", "p"): 0.1,
        ("p", "q"): 0.1,
        ("q", "m"): 0.1,
        ("a", "m"): 5.0,
        ("m", "n"): 1.0,
        ("n", "z"): 1.0,
    }
    assert names(search(costs, depth=5)) == "apqmnz"
    assert names(search(costs, depth=4)) == "amnz"
    assert names(search(costs, depth=3)) == "amnz"
    assert names(search(costs, depth=2)) == ""


def test_against_the_arrow() -> None:
    """Hops are followed in their direction alone, from either end."""
    assert names(search({("z", "a"): 1.0})) == ""
    assert names(search({("b", "a"): 1.0, ("b", "z"): 1.0})) == ""


def test_ends_cost() -> None:
    """Where several ends may do, what it costs to begin and to end there counts."""
    costs = {("a", "z"): 1.0, ("b", "z"): 1.0, ("a", "y"): 1.0}
    found = search(costs, {"a": 0.5, "b": 0.2}, {"z": 0.4, "y": 0.0})
    assert names(found) == "ay"  # 0.5 + 1 + 0, before b-z: 0.2 + 1 + 0.4
    assert names(search(costs, {"a": 0.5, "b": 0.05}, {"z": 0.4, "y": 0.0})) == "bz"


def test_one_node_may_be_both_ends() -> None:
    """A node that answers both is a chain of no hops, unless another chain is cheaper."""
    costs = {("a", "z"): 0.1}
    assert names(search(costs, {"a": 0.0, "m": 0.2}, {"z": 0.0, "m": 0.3})) == "az"
    found = search(costs, {"a": 0.5, "m": 0.2}, {"z": 0.5, "m": 0.3})
    assert (names(found), found.hops, found.expanded) == ("m", (), 0)


def test_nothing_reached_is_all_reached() -> None:
    """Without a chain everything that the source reaches is told, with the way to it."""
    found = search({**LADDER, ("p", "q"): 1.0}, other="p")
    assert (found.start, found.hops, found.complete) == (None, (), True)
    assert set(found.reached) == set("abcdxyz")
    assert [h.end for h in way_to(found.reached["z"])] == ["b", "c", "d", "z"]
    assert found.reached["z"].cost == 4
    alone = search({}, other="p")
    assert (set(alone.reached), alone.expanded) == ({"a"}, 1)


def test_cut_off() -> None:
    """At most so many nodes are gone on from; then nobody can say that it is the best."""
    costs = {(f"{i:03}", f"{i + 1:03}"): 1.0 for i in range(50)}
    found = search(costs, "000", "050", depth=60, nodes=20)
    assert (found.start, found.expanded, found.complete) == (None, 20, False)
    found = search(costs, "000", "050", depth=60)
    assert (len(found.hops), found.complete) == (50, True)


def test_certain_though_cut_off() -> None:
    """Where all that leads to the target is known, it is certain that there is no chain."""
    costs = {(f"{i:03}", f"{i + 1:03}"): 1.0 for i in range(50)}
    found = search(costs, "000", "zz", depth=60, nodes=20)
    assert (found.start, found.expanded, found.complete) == (None, 20, True)


def test_from_both_ends() -> None:
    """Both ends are gone on from in turn: few nodes of a wide tree are looked at."""
    costs = {}
    for side, ways in (("l", lambda x, y: (x, y)), ("r", lambda x, y: (y, x))):
        for number in range(1, 3**6):
            costs[ways(f"{side}{(number - 1) // 3}", f"{side}{number}")] = 1.0
    costs["l200", "r200"] = 1.0
    hops, asked = around(costs)
    found = cheapest({"l0": 0}, {"r0": 0}, around=hops, max_depth=12, max_nodes=10_000)
    assert (found.start, found.hops[-1].end, len(found.hops)) == ("l0", "r0", 11)
    assert found.expanded == len(asked) < 800 < len(costs)


def test_no_circles_for_nothing() -> None:
    """Hops that cost nothing make no circle in a chain, and of equal chains the shortest wins."""
    free = {(a, b): 0.0 for a in "abcdz" for b in "abcdz" if a != b}
    assert names(search(free)) == "az"
    ring = {("a", "b"): 0.0, ("b", "a"): 0.0, ("b", "c"): 0.0, ("c", "b"): 0.0, ("c", "z"): 0.0}
    assert names(search(ring, depth=9)) == "abcz"


def test_same_every_time() -> None:
    """Equally good chains: the same one whatever order the ends are named in."""
    costs = {("a", m): 1.0 for m in "pqrs"} | {(m, "z"): 1.0 for m in "pqrs"}
    costs |= {("b", m): 1.0 for m in "pqrs"}
    first = names(search(costs, {"a": 0.0, "b": 0.0}, {"z": 0.0}))
    assert first == names(search(dict(reversed(costs.items())), {"b": 0.0, "a": 0.0}, {"z": 0.0}))
