"""What is asked for by one name is found by another that the memory gives."""

from __future__ import annotations

import pytest

from alaya.model.passage import ItemKind, Query, Where
from alaya.recall.answer import recall
from alaya.recall.asked import asked
from alaya.testing.invented import ALICE, BOB, Told, session, turn

WHERE = Where(ALICE)


@pytest.fixture(params=["told", "stored"])
def talk(request: pytest.FixtureRequest) -> Told:
    """Names in two languages, and what their bearers did, in memory and in SQLite."""
    return _told(request.getfixturevalue(request.param))


def _told(stored: Told) -> Told:
    stored.says(
        session("names"),
        turn("1", "Melanie goes by Mel."),
        turn("2", "马超，字孟起，是西凉人。"),
    )
    stored.says(
        session("deeds"),
        turn("1", "yesterday Mel fixed the old lighthouse"),
        turn("2", "马超渡河追到渭水边上。"),
        turn("3", "the weather was fine and everyone went home"),
        turn("4", "大家都回家吃饭了。"),
    )
    return stored


def also(told: Told, text: str, where: Where = WHERE) -> dict[str, frozenset[str]]:
    found = asked(told.index, text, kind=ItemKind.TURN, stem=str, dates=(), where=where)
    return dict(found.also)


def test_both_ways(talk: Told) -> None:
    """From either name to the other, in both languages."""
    assert also(talk, "what did Melanie fix")["melanie"] == {"mel"}
    assert also(talk, "what did mel fix")["mel"] == {"melanie"}
    assert also(talk, "孟起去了哪里")["孟起"] == {"马超"}
    assert also(talk, "马超去了哪里")["马超"] == {"孟起"}


def test_nobody_else(talk: Told) -> None:
    """Names that nothing is said of, and those that another user gave, have no others."""
    assert also(talk, "what did Bob fix") == {}
    assert also(talk, "what did Melanie fix", Where(BOB)) == {}


@pytest.mark.parametrize(
    ("question", "answer"),
    [("who repaired Melanie's lighthouse", "deeds#1"), ("孟起追到渭水了吗", "deeds#2")],
)
def test_found(told: Told, recaller, question: str, answer: str) -> None:
    """The turn that uses the other name comes first."""
    query = Query(question, include_sessions=True, min_similarity=0.0, where=WHERE)
    _told(told)
    found = recall(recaller(), query)
    assert found.hits[0].id == answer
