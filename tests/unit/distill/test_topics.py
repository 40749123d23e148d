"""Where the subject changes."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import timedelta

import pytest

from alaya.distill.topics import topics


def test_covers(say) -> None:
    """Topics follow each other and cover every turn, also of one turn and of none."""
    assert topics([]) == []
    assert [(t.first, t.last) for t in topics(say(("u", "hello")))] == [(0, 0)]
    turns = say(*[("u", f"word{i % 3} thing") for i in range(40)])
    found = topics(turns)
    assert found[0].first == 0
    assert found[-1].last == 39
    assert all(b.first == a.last + 1 for a, b in itertools.pairwise(found))


@pytest.mark.parametrize("words", ["btw, where is the key?", "另外，钥匙在哪？", "对了 钥匙呢"])
def test_said_so(say, words: str) -> None:
    """Words that change the subject open a topic."""
    found = topics(say(("u", "the build fails"), ("a", "let me look"), ("u", words)))
    assert [(t.first, t.explicit) for t in found] == [(0, False), (2, True)]


def test_silence(say) -> None:
    """Hours of silence open a topic."""
    turns = say(("u", "one"), ("a", "two"), ("u", "three"))
    late = turns[2].turn.said_at + timedelta(hours=5)
    turns[2] = replace(turns[2], turn=replace(turns[2].turn, said_at=late))
    assert [t.first for t in topics(turns)] == [0, 2]


def test_cohesion(say) -> None:
    """Where the words change, a topic ends near the change, and is named by its words."""
    bread = [
        "sourdough starter flour oven",
        "flour starter water oven",
        "oven crust sourdough loaf",
    ]
    trains = [
        "railway ticket berlin platform",
        "platform ticket express railway",
        "berlin express seat",
    ]
    turns = say(*[("u", bread[i % 3]) for i in range(9)], *[("u", trains[i % 3]) for i in range(9)])
    found = topics(turns)
    assert len(found) == 2
    assert abs(found[1].first - 9) <= 1
    assert {"sourdough", "starter", "oven", "flour"} & set(found[0].words)
    assert {"railway", "ticket", "berlin", "platform", "express"} & set(found[1].words)
