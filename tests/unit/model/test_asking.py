"""Queries as people write them in Python."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from alaya.errors import InvalidInput
from alaya.model.asking import query_of, several, where_of
from alaya.model.graph import CardKind, Tier
from alaya.model.passage import Query, Where
from alaya.model.raw import Origin
from alaya.model.scope import Scope

ANN = Scope("ann", agent="claude")


def asked(text: str = "端口 port", query: Query | None = None, **given: Any) -> Query:
    return query_of(text, query, scope=ANN, given=given)


def test_keywords() -> None:
    """Fields of the query and of its filter stand side by side; lists and words are understood."""
    found = asked(
        kinds=["gotcha", CardKind.DECISION],
        tiers="hot",
        origins=["Owner"],
        tags="运维",
        relations="CAUSED_BY",
        since="2026-03-01",
        until=datetime(2026, 4, 1),  # noqa: DTZ001 - read as UTC
        min_confidence=0.5,
        include_sessions=True,
        already_shown=["card-1", "s#1"],
    )
    assert found == Query(
        text="端口 port",
        relations=("CAUSED_BY",),
        include_sessions=True,
        already_shown=("card-1", "s#1"),
        where=Where(
            ANN,
            kinds=(CardKind.GOTCHA, CardKind.DECISION),
            tags=("运维",),
            since=datetime(2026, 3, 1, tzinfo=UTC),
            until=datetime(2026, 4, 1, tzinfo=UTC),
            tiers=(Tier.HOT,),
            origins=(Origin.OWNER,),
            min_confidence=0.5,
        ),
    )
    assert hash(found.where) == hash(asked("端口 port", query=None, where=found.where).where)
    assert isinstance(found.where.kinds[0], CardKind)


def test_a_filter_may_come_whole() -> None:
    """A Where, or a Query with one, is made whole too; what is said beside a Where narrows it."""
    loose: Any = {"tags": ["ops"], "kinds": ["skill"]}
    whole = Where(ANN, tags=("ops",), kinds=(CardKind.SKILL,))
    assert asked(where=Where(**loose)).where == whole
    assert asked("", query=Query("x", where=Where(**loose))).where == whole
    assert asked(where=Where(tags=("ops",)), kinds="skill").where == whole
    assert asked().where == Where(ANN)


def test_the_scope_holds() -> None:
    """Whose memory it is cannot be asked for; agent and session hold unless others are named."""
    bob = Where(Scope("bob", session="s"))
    assert where_of(bob, ANN).scope == Scope("ann", "claude", "s")
    assert where_of(Where(Scope("bob", agent="codex")), ANN).scope == Scope("ann", "codex")
    assert where_of(Where(), Scope("ann", session="t")).scope == Scope("ann", session="t")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"kind": ["gotcha"]}, "no 'kind' in a recall: known are .*kinds"),
        ({"user": "bob"}, "no 'user'"),
        ({"kinds": ["gotchas"]}, "kinds 'gotchas' is not among concept, pattern"),
        ({"tiers": "lukewarm"}, "HOT, WARM, COLD"),
        ({"since": "last year"}, "not a time"),
        ({"query": Query("x")}, "say a text in the query itself"),
        ({"query": Query("x"), "text": "", "limit": 3}, "say limit in the query itself"),
    ],
)
def test_what_is_not_understood(given: dict[str, Any], says: str) -> None:
    """A misspelt filter is refused by name, never ignored."""
    with pytest.raises(InvalidInput, match=says):
        asked(**given)


def test_one_text_is_one() -> None:
    """A name is not taken for its letters."""
    assert several("CAUSES") == ("CAUSES",)
    assert several(["a", "b"]) == ("a", "b")
