"""Topics by vectors: of L1 as it is, less what each role usually says, and never awaited."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from summing_up import USER, Told

from alaya.distill.summarize_vectors import Usual
from alaya.model.ids import sha256
from alaya.model.passage import Where
from alaya.model.speech import embeddable

MODEL = "model-a"
SAME = "the old mill by the river and its wheel"  # words alone would never end a topic


def chat(name: str, count: int) -> list[tuple[str, str]]:
    """Turns that say the same, each in words of its own."""
    return [("ua"[i % 2], f"{SAME}, number {name}{i}") for i in range(count)]


@pytest.fixture
def embed(told: Told) -> Callable[..., None]:
    """Give the turns of a session vectors, by a function of their place."""

    def put(session: str, vector: Callable[[int], list[float]], *, every: int = 1) -> None:
        index = told.home.index
        state = index.session(USER, session)
        assert state is not None
        for place in index.turns(USER, session)[::every]:
            turn = told.home.archive.turn(
                state.session, place.generation, offset=place.offset, length=place.length
            )
            index.put(MODEL, {sha256(embeddable(turn)): [vector(place.ordinal)]})

    return put


def about(axis: int) -> list[float]:
    """Far along what everybody says, and a little along what it is about."""
    return [1.0, *(0.4 if i == axis else 0.0 for i in range(3))]


@pytest.fixture
def usual(told: Told, embed) -> Callable[[int], None]:
    """An earlier session from which what is usual is known: so many turns, each with a vector."""

    def say(count: int) -> None:
        told.says("earlier", *chat("e", count))
        embed("earlier", lambda ordinal: about(ordinal % 3))

    return say


def runs(told: Told, session: str) -> list[tuple[str, str]]:
    found = told.home.index.summaries(Where(USER), session)
    return [(s.first_turn, s.last_turn) for s in found if s.metadata["level"] == "topic"]


def test_a_topic_ends(told: Told, embed, usual) -> None:
    """Vectors see a change of topic that the words do not; without a model the words decide."""
    usual(170)
    told.says("s1", *chat("s", 12))
    embed("s1", lambda ordinal: about(0 if ordinal < 6 else 1))
    told.sums("s1", close=True)
    assert runs(told, "s1") == [("t0", "t11")]
    told.sums("s1", close=True, redistill=True, model=MODEL)
    assert runs(told, "s1") == [("t0", "t5"), ("t6", "t11")]


def test_too_little_is_known(told: Told, embed, usual) -> None:
    """With few turns of other sessions, or vectors of few turns, words decide."""
    usual(30)
    told.says("s1", *chat("s", 12))
    embed("s1", lambda ordinal: about(0 if ordinal < 6 else 1))
    told.sums("s1", close=True, model=MODEL)
    assert runs(told, "s1") == [("t0", "t11")]
    told.says("later", *chat("l", 170))
    embed("later", lambda ordinal: about(ordinal % 3))
    told.says("s2", *chat("t", 12))
    embed("s2", lambda ordinal: about(0 if ordinal < 6 else 1), every=2)
    told.sums("s2", close=True, model=MODEL)
    assert runs(told, "s2") == [("t0", "t11")]


def test_a_theme_by_vectors(told: Told, embed, usual) -> None:
    """Topics whose vectors agree are one theme, others are not, though all have the same words."""
    usual(170)
    for name, axis in (("s1", 0), ("s2", 1), ("s3", 0)):
        told.says(name, *chat(name, 6))
        embed(name, lambda ordinal, axis=axis: about(axis))
        told.sums(name, close=True, model=MODEL)
    (theme,) = told.kept("theme")
    assert {span.session for span in theme.evidence} == {"s1", "s3"}


def test_nothing_to_compare(told: Told) -> None:
    """Without a model there is no vector of anything."""
    told.says("s1", *chat("s", 6))
    told.sums(close=True)
    usual = Usual(told.home.index, None, user="default")
    assert usual.of_turns(told.home.index.turns(USER, "s1")) == []
    assert usual.of_topic(told.kept()[0]) is None
