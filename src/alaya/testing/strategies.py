"""Hypothesis strategies for model values, made from their type hints."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import Enum
from functools import lru_cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from alaya.model.scope import Scope

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
USERS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12).filter(str.strip)
# Any text that may stand in a log, with what borders and indexes stumble over.
WILD = st.text(max_size=30) | st.lists(
    st.sampled_from(
        [
            "网关配置",
            "配",
            "gen-itgc监控",
            "ＡＢＣ１２３",
            "カタカナ",
            "ｶﾞ",
            "한국어",
            "\u1100\u200d\u1161",
            "👨‍👩‍👧",
            "👍🏽",
            "❤️",
            "C++",
            "C#",
            "plugins.allow",
            "it's",
            "HTTPServer_port",
            "e\u0301\u200d\u0301",
            "ﬃ",
            "İ",
            "ΐ",
            "\ud83d",
            "\x00",
            "\u2028",
            '"',
            "NEAR(",
            " ",
            "\n",
            "a",
            "…",
        ]
    ),
    max_size=6,
).map("".join)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
TIMES = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31), timezones=st.just(UTC))  # noqa: DTZ001
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | FLOATS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)


@lru_cache  # a class that holds values of itself has one strategy, which holds itself
def values(cls: Any) -> st.SearchStrategy[Any]:
    """Values of a model class: every journaled field anything that its type allows."""
    hints = get_type_hints(cls)
    fields = {
        item.name: of(hints[item.name])
        for item in dataclasses.fields(cls)
        if item.metadata.get("journal", True)
    }
    if cls is Scope:
        fields["user"] = USERS
    return st.builds(cls, **fields)


def of(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a type hint as the model uses them."""
    plain: dict[Any, st.SearchStrategy[Any]] = {
        str: TEXTS,
        int: st.integers(),
        float: FLOATS,
        bool: st.booleans(),
        datetime: TIMES,
        Any: JSON,
        type(None): st.none(),
    }
    if hint in plain:
        return plain[hint]
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return st.one_of(*(of(arg) for arg in args))
    if origin is tuple and args[-1] is Ellipsis:
        return st.lists(of(args[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*(of(arg) for arg in args))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return st.dictionaries(of(args[0]), of(args[1]), max_size=2)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return st.sampled_from(hint)
    return st.deferred(lambda: values(hint))
