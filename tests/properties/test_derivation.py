"""What is stale after a correction, over random derivations; cycles end where they close."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from alaya import Memory
from alaya.introspect.rebuild import rebuild
from alaya.model.change import LinkAdded
from alaya.model.graph import Link
from alaya.model.passage import Where
from alaya.model.relations import DERIVED_FROM
from alaya.projection import commit
from alaya.provenance.lineage import derived

NODES = 7
numbers = st.integers(0, NODES - 1)
graphs = st.dictionaries(numbers, st.sets(numbers, max_size=3), max_size=NODES)
SETTINGS = {"embedding.provider": "none", "embedding.background": False}


def reachable(graph: dict[int, set[int]], roots: set[int]) -> set[int]:
    """By the definition: the least set that is closed."""
    found = set(roots)
    while more := {child for one in found for child in graph.get(one, ())} - found:
        found |= more
    return found - roots


@given(graphs, st.sets(numbers, min_size=1, max_size=2))
def test_all_that_follows_and_nothing_else(graph: dict[int, set[int]], roots: set[int]) -> None:
    """Everything that can be reached, each once, nearest first, no root; cycles or not."""
    names = {one: sorted(map(str, children)) for one, children in graph.items()}
    found = derived(
        sorted(map(str, roots)), lambda level: {one: names.get(int(one), []) for one in level}
    )
    assert set(found) == {str(one) for one in reachable(graph, roots)}
    assert len(set(found)) == len(found)


@settings(max_examples=12)
@given(graphs, numbers)
def test_a_correction_makes_exactly_what_follows_stale(
    graph: dict[int, set[int]], corrected: int
) -> None:
    """On a real store, with cycles: what is derived is stale, all else is not; growing the memory
    anew from the journal says the same, event for event."""
    with tempfile.TemporaryDirectory() as home, Memory.open(home, settings=SETTINGS) as memory:
        cards = [memory.remember(f"第 {n} 条 thought number {n}").id for n in range(NODES)]
        links = [
            LinkAdded(
                Link(memory.scope, cards[child], DERIVED_FROM, cards[one], memory.parts.clock())
            )
            for one, children in graph.items()
            for child in children
            if child != one
        ]
        parts = memory.parts
        commit(
            parts.archive, parts.index, decide=lambda: links, actor="", verb="t", clock=parts.clock
        )
        event = memory.correct(cards[corrected], words="it was otherwise 不是这样", reason="wrong")
        follows = {cards[n] for n in reachable(graph, {corrected})}
        assert set(event.stale) == follows
        state = {card.id: its.stale for card, its in parts.index.find_cards(Where(memory.scope))}
        assert {name for name, stale in state.items() if stale} == follows
        before = sorted(parts.index.fingerprint())
        rebuild(
            parts.archive,
            parts.index,
            scope=memory.scope,
            fill=lambda: 0,
            timer=lambda: 0.0,
        )
        assert sorted(parts.index.fingerprint()) == before
        assert memory.why(cards[corrected]).corrections == (event.event,)
        assert Path(home, "alaya.db").exists()
