"""From arguments or JSON to a Query."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from alaya.cli import parser as cli_parser
from alaya.cli import query as queries
from alaya.cli.language import LANGUAGES, messages, sayer
from alaya.model.graph import CardKind, Tier
from alaya.model.passage import Query
from alaya.model.raw import Origin
from alaya.model.scope import Scope

NOW = datetime(2026, 4, 1, tzinfo=UTC)
SCOPE = Scope(user="ann")


def typed(line: str) -> dict[str, Any]:
    return queries.given(cli_parser.build("en").parse_args(["recall", *line.split()]))


def build(**fields: Any) -> Query:
    return queries.build(fields, SCOPE, now=NOW)


def test_arguments_become_a_query() -> None:
    """Every option of recall reaches its field of the query."""
    query = queries.build(
        typed(
            "Gateway 配置 --concepts a,b --concepts 丙、丁 --rel CAUSED_BY --depth 2 --limit 3 "
            "--from-nodes card-1,card-2 --min-similarity 0.2 --include-sessions --kind gotcha "
            "--tag x --since 2026-03-01 --until 7d --tier WARM --origin owner "
            "--min-confidence 0.4 --as-of 2026-03-31T06:29:00Z --believed-at 1743403740000 "
            "--no-graph --no-cards --no-notes --recipe alice --already-shown card-3、s#1 --again "
            "--session s-1"
        ),
        SCOPE,
        now=NOW,
    )
    assert query.text == "Gateway 配置"
    assert query.concepts == ("a", "b", "丙", "丁")
    assert query.relations == ("CAUSED_BY",)
    assert query.from_nodes == ("card-1", "card-2")
    assert (query.depth, query.limit, query.min_similarity) == (2, 3, 0.2)
    assert query.include_sessions
    assert not any((query.graph_expand, query.include_cards, query.include_notes))
    assert (query.recipe, query.already_shown) == ("alice", ("card-3", "s#1"))
    assert query.show_again
    where = query.where
    assert where.scope == Scope(user="ann", session="s-1")
    assert where.kinds == (CardKind.GOTCHA,)
    assert where.tags == ("x",)
    assert where.tiers == (Tier.WARM,)
    assert where.origins == (Origin.OWNER,)
    assert where.min_confidence == 0.4
    assert where.since == datetime(2026, 3, 1, tzinfo=UTC)
    assert where.until == NOW - timedelta(days=7)
    assert where.as_of == datetime(2026, 3, 31, 6, 29, tzinfo=UTC)
    assert where.believed_at == datetime(2025, 3, 31, 6, 49, tzinfo=UTC)


def test_only_what_was_typed_is_set() -> None:
    """An option that was not given leaves the default to the configuration."""
    assert typed("hello") == {"text": "hello"}
    assert build(text="hello") == Query(text="hello", where=queries.Where(scope=SCOPE))


@pytest.mark.parametrize("what", ["sessions", "cards", "notes"])
def test_what_is_looked_in(what: str) -> None:
    """Each can be asked for and done without, by recall and by context; not both at once."""
    name = f"include_{what}"
    assert getattr(build(text="x"), name) is None
    for command in ("recall", "context"):
        parser = cli_parser.build("en")
        for option, chosen in ((f"--include-{what}", True), (f"--no-{what}", False)):
            found = queries.given(parser.parse_args([command, "x", option]))
            assert found == {"text": "x", name: chosen}
            assert getattr(build(**found), name) is chosen
        with pytest.raises(cli_parser.BadUsage, match=f"--no-{what}"):
            parser.parse_args([command, "x", f"--include-{what}", f"--no-{what}"])


def test_scope_narrows_and_never_widens() -> None:
    """Agent and session come from JSON, too; whose memory it is does not."""
    query = build(text="x", agent="claude", session="会话 1")
    assert query.where.scope == Scope(user="ann", agent="claude", session="会话 1")
    with pytest.raises(queries.Wrong):
        build(text="x", user="bob")


def test_json_names() -> None:
    """`query` is text and `max_results` is limit, as the Alaya design has it."""
    query = build(query="网关", max_results=4, include_sessions=True)
    assert (query.text, query.limit, query.include_sessions) == ("网关", 4, True)
    assert build(concepts="one").concepts == ("one",)
    assert build(text="x", asked_at="1d").asked_at == NOW - timedelta(days=1)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"txt": "x"}, "text, query, concepts, relations, from_nodes, depth"),
        ({"text": 5}, "text"),
        ({"concepts": [1]}, "concepts"),
        ({"text": "x", "depth": -1}, "depth"),
        ({"text": "x", "depth": True}, "depth"),
        ({"text": "x", "limit": "3"}, "limit"),
        ({"text": "x", "min_similarity": 2}, "min_similarity"),
        ({"text": "x", "kinds": ["fact"]}, "concept, pattern"),
        ({"text": "x", "since": "someday"}, "since"),
        ({"text": "x", "graph_expand": "no"}, "graph_expand"),
        ({"text": "x", "recipe": "bob"}, "default, alaya, alice, eywa"),
        ({"text": "x", "recipe": 1}, "recipe"),
        ({"text": "x", "show_again": "yes"}, "show_again"),
        ({"text": "  "}, "empty"),
        ({"relations": ["CAUSES"]}, "empty"),
    ],
)
def test_a_wrong_field_is_named(fields: dict[str, Any], says: str) -> None:
    """Each mistake in a query is Wrong, and its message names the field or what is allowed."""
    with pytest.raises(queries.Wrong) as caught:
        queries.build(fields, SCOPE, now=NOW)
    for language in LANGUAGES:
        text = sayer(messages(language))(caught.value.key, **caught.value.values)
        assert says in text or says == "empty"


@pytest.mark.parametrize("data", [b"{", b"[1]", b"\xff\xfe", b'"text"'])
def test_stdin_that_is_no_json_object_is_refused(data: bytes) -> None:
    """Bad JSON, another type or another encoding is Wrong, not a traceback."""
    with pytest.raises(queries.Wrong):
        queries.read_json(io.BytesIO(data))


def test_stdin_may_be_empty_or_begin_with_a_bom() -> None:
    """Nothing is no query; a byte order mark is no mistake."""
    assert queries.read_json(io.BytesIO(b" \n")) == {}
    assert queries.read_json(io.BytesIO(b'\xef\xbb\xbf{"text":"x"}')) == {"text": "x"}


def test_lone_surrogates_are_replaced() -> None:
    """A text that no encoding can hold does not reach the memory."""
    assert build(text="a\ud800b").text.encode("utf-8")


@pytest.mark.parametrize("data", [b"[" * 99_999, b'{"a":' * 99_999])
def test_nested_too_deeply(data) -> None:
    """JSON that is nested too deeply is not understood, and no fault of alaya."""
    with pytest.raises(queries.Wrong) as caught:
        queries.read_json(io.BytesIO(data))
    assert caught.value.key in ("query.deep", "query.not_json")


def test_long_values_are_cut_in_complaints() -> None:
    """A complaint echoes only the beginning of what was asked."""
    with pytest.raises(queries.Wrong) as caught:
        queries.build({"text": "a", "depth": "x" * 9999}, Scope(), now=NOW)
    assert len(str(caught.value.values["value"])) <= 80
