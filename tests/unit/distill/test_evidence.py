"""benchmarks/evidence.py counts what it says it counts."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def evidence(benchmark: Callable[[str], ModuleType]) -> ModuleType:
    """The benchmark as a module."""
    return benchmark("evidence")


def test_first_turns(evidence: ModuleType) -> None:
    """Cards are walked in order, a turn counts once, and the walk may stop within a card."""
    cards = [["a", "b", "a"], ["b"], ["c", "d"], ["e"]]
    assert evidence.first_turns(cards, 3) == {"a", "b", "c"}
    assert evidence.first_turns(cards, 20) == {"a", "b", "c", "d", "e"}
    assert evidence.first_turns([], 3) == set()


def test_perfect(evidence: ModuleType) -> None:
    """The oracle takes the cards that cite gold, those with the largest share of it first."""
    cards = [["x"], ["g1", "x", "y"], ["g2"], ["g1", "g3"]]
    assert evidence.perfect(cards, frozenset({"g1", "g2", "g3"})) == [
        ["g1", "g3"],
        ["g2"],
        ["g1", "x", "y"],
    ]


def test_measure(evidence: ModuleType) -> None:
    """A talk goes in and out through the public API, and its gold turns are found and counted."""
    said = [
        ("a", "u1", "Which instrument does your brother play these days?"),
        ("b", "u2", "My brother Tom plays the cello in the city orchestra."),
        ("a", "u3", "I moved to Ghent with two cats last month."),
        ("b", "u4", "Bye!"),
    ]
    turns = [
        {
            "id": name,
            "role": "user" if who == "a" else "assistant",
            "name": {"a": "Dana", "b": "Luis"}[who],
            "content": text,
            "timestamp": 1_700_000_000_000 + 30_000 * i,
        }
        for i, (who, name, text) in enumerate(said)
    ]
    session = {"id": "talk-1", "timestamp": 1_700_000_000_000, "turns": turns}
    questions = (
        ("What does Tom play, a cello?", frozenset({"u2"})),
        ("Who said goodbye?", frozenset({"u4", "gone"})),
    )
    talk = evidence.Talk("talk", (session,), questions)
    counts = evidence.measure([talk], max_cards=10, vectors=False)
    assert (counts.gold, counts.absent) == (2, 1)
    assert (counts.cited, counts.top, counts.first, counts.oracle) == (1, 1, 1, 1)
    assert counts.turns == 4
    assert 1 <= counts.cards <= 2
    assert "first 20 0.500" in evidence.line("talk", 10, counts)
