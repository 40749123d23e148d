"""The cheapest chain between two sets of nodes: best first from both ends at once.

Pure: the graph is a function. Dijkstra's algorithm in both directions, on labels of cost and
depth, because a chain that is cheap may be too long: a label is kept unless another one of its
node is neither dearer nor deeper. When the cheapest labels of both sides together cost as much as
the best chain, none that is still to come can be cheaper: any such chain has a link whose first
end one side has settled and whose second end the other has, and that link has joined them.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from math import inf
from typing import Protocol

from alaya.model.graph import Edge

_SAME = 1e-12  # costs this near are equal: both sides sum in different orders


@dataclass(frozen=True)
class Hop:
    """One edge in the direction in which the chain is read. `cost` is not negative."""

    start: str
    end: str
    relation: str  # as read from `start`
    edge: Edge
    near: float  # similarity of the relation
    cost: float


class Around(Protocol):
    """The hops out of a node, or with `back` those that lead to it, always in one order."""

    def __call__(self, node: str, *, back: bool) -> Sequence[Hop]: ...


@dataclass(frozen=True, eq=False)
class Label:
    """A way to a node (from the targets: a way on from it), with what it costs."""

    node: str
    cost: float
    depth: int
    before: Label | None = None
    hop: Hop | None = None


@dataclass(frozen=True)
class Found:
    """`start` and `hops` are the chain (no start: there is none). `reached`: the cheapest label
    of every node that was seen from the sources. `complete`: nothing was cut off."""

    start: str | None
    hops: tuple[Hop, ...]
    reached: Mapping[str, Label]
    expanded: int
    complete: bool


def cheapest(
    sources: Mapping[str, float],
    targets: Mapping[str, float],
    *,
    around: Around,
    max_depth: int,
    max_nodes: int,
) -> Found:
    """The cheapest chain of at most `max_depth` hops from any source to any target.

    What the ends are mapped to is the cost of beginning and of ending there. At most `max_nodes`
    nodes are gone on from. Where there is no chain, the search goes on from the sources alone, so
    that `reached` tells all that can be reached.
    """
    ahead, behind, best = _Side(sources), _Side(targets), _Best(max_depth)
    for node in sources:
        best.meet(ahead.labels[node], behind.labels.get(node, ()))
    expanded, complete = 0, True
    while True:
        near, far = ahead.least(), behind.least()
        if near == inf or (best.ways and near + far >= best.cost - _SAME):
            break
        if expanded == max_nodes:
            complete = far == inf and not best.ways  # then it is certain that there is no chain
            break
        back = far < near
        label = (behind if back else ahead).take()
        if label is None or label.depth == max_depth:
            continue
        expanded += 1
        for hop in around(label.node, back=back):
            node = hop.start if back else hop.end
            new = Label(node, label.cost + hop.cost, label.depth + 1, label, hop)
            if back and behind.add(new):
                best.meet(ahead.labels.get(node, ()), [new])
            elif not back and ahead.add(new):
                best.meet([new], behind.labels.get(node, ()))
    start, hops = best.chain()
    reached = {n: min(ls, key=lambda w: (w.cost, w.depth)) for n, ls in ahead.labels.items()}
    return Found(start, hops, reached, expanded, complete)


def way_to(label: Label) -> tuple[Hop, ...]:
    """The hops from a source to a label of the sources' side."""
    hops: list[Hop] = []
    while label.hop is not None and label.before is not None:
        hops.append(label.hop)
        label = label.before
    return tuple(reversed(hops))


def _way_on(label: Label) -> Iterator[Hop]:
    """The hops from a label of the targets' side to its target."""
    while label.hop is not None and label.before is not None:
        yield label.hop
        label = label.before


class _Side:
    """What is known from one end: labels by node, and those still to be gone on from."""

    def __init__(self, ends: Mapping[str, float]) -> None:
        self.labels: dict[str, list[Label]] = {}
        self._heap: list[tuple[float, int, str, int, Label]] = []
        self._number = count()
        for node in sorted(ends):
            self.add(Label(node, ends[node], 0))

    def add(self, label: Label) -> bool:
        """Keep a label, unless one of its node is neither dearer nor deeper."""
        known = self.labels.get(label.node, [])
        if any(w.cost <= label.cost + _SAME and w.depth <= label.depth for w in known):
            return False
        kept = [w for w in known if w.cost < label.cost or w.depth < label.depth]
        self.labels[label.node] = [*kept, label]
        entry = (label.cost, label.depth, label.node, next(self._number), label)
        heapq.heappush(self._heap, entry)
        return True

    def least(self) -> float:
        """What the cheapest label that is still open costs."""
        return self._heap[0][0] if self._heap else inf

    def take(self) -> Label | None:
        """That label, no longer open; None where a better one has taken its place."""
        label = heapq.heappop(self._heap)[-1]
        return label if any(w is label for w in self.labels[label.node]) else None


class _Best:
    """The cheapest meeting of a label from each side; of equally cheap ones the shortest."""

    def __init__(self, max_depth: int) -> None:
        self._most = max_depth
        self.cost, self.depth = inf, 0
        self.ways: tuple[Label, Label] | None = None

    def meet(self, ahead: Sequence[Label], behind: Sequence[Label]) -> None:
        for one in ahead:
            for other in behind:
                self._offer(one, other)

    def _offer(self, one: Label, other: Label) -> None:
        cost, depth = one.cost + other.cost, one.depth + other.depth
        cheaper = cost < self.cost - _SAME
        if depth <= self._most and (cheaper or (cost <= self.cost + _SAME and depth < self.depth)):
            self.cost, self.depth, self.ways = min(cost, self.cost), depth, (one, other)

    def chain(self) -> tuple[str | None, tuple[Hop, ...]]:
        """Where the chain begins, and its hops."""
        if self.ways is None:
            return None, ()
        one, other = self.ways
        hops = [*way_to(one), *_way_on(other)]
        return (hops[0].start if hops else one.node), tuple(_straight(hops))


def _straight(hops: Sequence[Hop]) -> list[Hop]:
    """The chain without the circles that hops which cost nothing can make of it."""
    kept: list[Hop] = []
    for hop in hops:
        kept.append(hop)
        starts = [one.start for one in kept]
        if hop.end in starts:
            del kept[starts.index(hop.end) :]
    return kept
