"""Noise is not answered, and what has no vector yet is not passed over."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from alaya.model.passage import ItemKind, Query, Where
from alaya.model.time import EPOCH
from alaya.recall import ranking
from alaya.recall.answer import recall
from alaya.recall.asked import Asked
from alaya.recall.asked import asked as prepared
from alaya.recall.features import Column
from alaya.recall.weights import evidence
from alaya.testing.invented import ALICE, Told, session, turn

WHERE = Where(ALICE)


def columns(**values: float) -> dict[str, Column]:
    names = ("dense", "close", "session_dense", "known")
    return {name: np.array([values.get(name, 0.0)]) for name in names}


def asked(told: Told, text: str) -> Asked:
    found = prepared(told.index, text, kind=ItemKind.TURN, stem=str, dates=(), where=WHERE)
    return replace(found, vector=np.ones(3))


def test_noise(told: Told) -> None:
    """Where no word is known, vectors must stand out from the rest to be believed."""
    near = columns(dense=0.6)
    question = asked(told, "asdkjh qwpoeiu")
    assert evidence(near, question=question, apart=0.1) == 0.0
    assert evidence(near, question=question, apart=0.3) > 0.5
    assert evidence(columns(dense=0.6, known=0.2), question=question, apart=0.1) > 0.5


@pytest.mark.parametrize("text", ["what is it", "的", "这是什么呢", "a"])
def test_grammar_alone(told: Told, text: str) -> None:
    """A question about nothing has no answer, however near vectors seem."""
    assert evidence(columns(dense=0.9), question=asked(told, text), apart=0.9) == 0.0


def test_a_date_is_no_name(told: Told) -> None:
    """`May 2026` is a time, not somebody whom nobody knows."""
    told.says(session(), turn("1", "I sprained my ankle, said Maria"))
    text = "did they see Maria's ankle in May 2026"
    for dates, strange in (((), True), (ranking_dates(text), False)):
        found = prepared(told.index, text, kind=ItemKind.TURN, stem=str, dates=dates, where=WHERE)
        assert bool(found.strange) is strange


def ranking_dates(text: str):
    from alaya.recall.dates import spans

    return tuple(spans(text, EPOCH))


def test_without_a_vector_yet(told: Told, recaller) -> None:
    """While embedding runs, the turn that holds the words comes before those with vectors."""
    told.says(session("old"), *(turn(str(n), f"the page number {n} is white") for n in range(9)))
    ready = recaller(vectors=True)
    told.says(session("new"), turn("1", "I am allergic to shellfish, always"))
    query = Query("allergic to shellfish", include_sessions=True, where=WHERE)
    assert recall(ready, query).hits[0].id == "new#1"


def test_order_without_a_floor(told: Told, recaller) -> None:
    """Who asks for noise without a floor gets the best first, not whatever comes first by name."""
    told.says(session(), turn("1", "the tea was fine"), turn("2", "what is it about?"))
    found = recall(
        recaller(vectors=True),
        Query("what is it about?", include_sessions=True, min_similarity=0.0, where=WHERE),
    )
    assert found.hits[0].id.endswith("#2")
    assert found.hits[0].score > found.hits[1].score


def test_guess() -> None:
    """It is taken to be as near as its words are: the median without any, the best with all."""
    similarity = np.array([0.1, 0.3, 0.5, np.nan])
    for share, guess in ((0.0, 0.3), (1.0, 0.5), (0.5, 0.4)):
        found = ranking._guessed(similarity, np.array([0.0, 0.0, 0.0, share]))
        assert found[3] == pytest.approx(guess)
    nothing = np.full(4, np.nan)
    assert ranking._guessed(nothing, np.ones(4)) is nothing
