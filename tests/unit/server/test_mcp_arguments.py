"""Arguments as models give them: understood where they can be, else told what would be."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alaya.errors import InvalidInput
from alaya.model.graph import CardKind
from alaya.server.mcp_arguments import SCOPE, Field, node, read, schema
from alaya.server.mcp_tools import KINDS, TOOLS, table
from alaya.server.mcp_words import say_in

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
FIELDS = tuple(field for tool in table(read_only=False).values() for field in tool.fields)


@pytest.mark.parametrize(
    ("field", "value", "meant"),
    [
        (Field("limit", "whole"), "5", 5),
        (Field("limit", "whole", most=100), 5000.0, 100),
        (Field("weight", "share", most=1), "0.5", 0.5),
        (Field("deep", "flag"), "True", True),
        (Field("deep", "flag"), 0, False),
        (Field("names", "texts"), "John Smith, Jr.", ["John Smith, Jr."]),
        (Field("names", "texts"), '["a", "b"]', ["a", "b"]),
        (Field("kinds", "texts", options=KINDS), "Gotcha，decision", ["gotcha", "decision"]),
        (Field("nodes", "nodes"), "[card-1], [session s%201#t]", ["card-1", "s 1#t"]),
        (Field("query"), ["gateway", "配置"], "gateway 配置"),
        (Field("query"), 42, "42"),
        (Field("entities", "objects"), {"name": "x"}, [{"name": "x"}]),
        (Field("entities", "objects"), '[{"name": "x"}]', [{"name": "x"}]),
    ],
)
def test_what_is_meant(field: Field, value: Any, meant: Any) -> None:
    """Numbers as text, one thing for a list, JSON in a text and citations are understood."""
    assert read([field], {field.name: value}).values == {field.name: meant}


def test_names_are_forgiven() -> None:
    """Other names and spellings mean the same; the own name wins; the rest is told of."""
    field = Field("max_tokens", "whole", ("budget",))
    for name in ("maxTokens", "MAX-TOKENS", "budget", "Budget"):
        assert read([field], {name: 9}).values == {"max_tokens": 9}
    assert read([field], {"budget": 1, "max_tokens": 2}).values == {"max_tokens": 2}
    found = read([field], {"userId": "x", "Agent": "y", "colour": 1, "budget": None})
    assert (found.values, found.ignored, found.scoped) == ({}, ("colour",), ("userId", "Agent"))


def test_no_tool_takes_a_user() -> None:
    """Whose memory it is, no argument says."""
    assert not {name for field in FIELDS for name in (field.name, *field.names)} & SCOPE


@given(st.dictionaries(st.sampled_from([f.name for f in FIELDS]) | st.text(max_size=9), JSON))
def test_anything_is_understood_or_told(arguments: dict[str, Any]) -> None:
    """Whatever is given, each tool understands it or says what is wrong, shortly."""
    for tool in table(read_only=False).values():
        try:
            known = set(read(tool.fields, arguments).values)
            told = "understood"
        except InvalidInput as error:
            known, told = set(), str(error)
        assert known <= {field.name for field in tool.fields}
        assert 0 < len(told) < 600


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("card-1", "card-1"),
        ("[card-1]", "card-1"),
        ("[session 会话#t%5D]", "会话#t]"),
        ("alaya://cards/card-1", "card-1"),
        ("alaya://sessions/a%20b", "session:a b"),
        ("100%", "100%"),
    ],
)
def test_nodes_as_they_were_shown(text: str, meant: str) -> None:
    """An id may be given as the citation or the address under which it was shown."""
    assert node(text) == meant


@pytest.mark.parametrize("language", ["en", "zh"])
def test_everything_is_described(language: str) -> None:
    """Each tool and argument has a description in either language, with the same slots."""
    from alaya.server import mcp_words_en, mcp_words_zh

    assert list(mcp_words_en.WORDS) == list(mcp_words_zh.WORDS)
    say = say_in(language)
    for tool in table(read_only=False).values():
        assert len(say(tool.name)) >= 10
        keys = [f"arg.{f.words}" if f.words else f"{tool.name}.{f.name}" for f in tool.fields]
        made = schema(tool.fields, lambda field: field.name)
        assert len(made["properties"]) == len(keys)
        assert all(say(key) for key in keys)


def test_kinds_are_those_of_cards() -> None:
    """The kinds that the schema names are those that cards have; every tool has its function."""
    assert tuple(CardKind) == KINDS
    assert all(callable(tool.run) for tool in table(read_only=False).values())
    assert len(table(read_only=True)) < len(table(read_only=False)) == len(TOOLS) + 9
