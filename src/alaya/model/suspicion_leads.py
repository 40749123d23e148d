"""Which pieces of text every match of a pattern holds one of: looking for these first is quick."""

from __future__ import annotations

from collections.abc import Iterable
from re import _parser  # type: ignore[attr-defined]  # how `re` itself reads a pattern
from typing import Any


def leads(pattern: str) -> frozenset[str]:
    """Lower-case texts of which every match holds at least one, in some case; empty: none known."""
    return _of(_parser.parse(pattern))


def _of(parts: Iterable[tuple[Any, Any]]) -> frozenset[str]:
    """Of parts that follow each other, any will do: that whose shortest text is the longest."""
    best, run = frozenset[str](), ""
    for kind, value in parts:
        if str(kind) == "LITERAL":
            run += chr(value).lower()
            continue
        best, run = _better(best, frozenset({run})), ""
        found = frozenset[str]()
        if str(kind) == "SUBPATTERN":
            found = _of(value[3])
        elif str(kind) == "BRANCH":
            ways = [_of(way) for way in value[1]]
            found = frozenset().union(*ways) if all(ways) else found
        elif str(kind) in ("MAX_REPEAT", "MIN_REPEAT") and value[0]:
            found = _of(value[2])
        best = _better(best, found)
    return _better(best, frozenset({run}))


def _better(one: frozenset[str], other: frozenset[str]) -> frozenset[str]:
    shortest = [min(map(len, texts), default=0) for texts in (one, other)]
    return one if shortest[0] >= shortest[1] else other if shortest[1] else frozenset()
