"""A query as people ask it in Python: by keywords, with lists where tuples stand, in one scope."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from enum import StrEnum
from typing import Any, TypeVar

from alaya.errors import InvalidInput
from alaya.model.graph import CardKind, Tier
from alaya.model.passage import Query, Where
from alaya.model.raw import Origin
from alaya.model.scope import Scope
from alaya.model.time import parse_time

_Asked = TypeVar("_Asked", Query, Where)
_QUERY = tuple(f.name for f in fields(Query) if f.name != "text")
_WHERE = tuple(f.name for f in fields(Where) if f.name != "scope")
_SEVERAL = tuple(f.name for f in (*fields(Query), *fields(Where)) if f.default == ())
_TIMES = ("since", "until", "as_of", "believed_at", "asked_at")
_NARROWING = ("agent", "session")
_MEMBERS: Mapping[str, type[StrEnum]] = {"kinds": CardKind, "tiers": Tier, "origins": Origin}


def words(text: object) -> str:
    """The text itself. Raises InvalidInput for what is none."""
    if not isinstance(text, str):
        raise InvalidInput(f"{text!r:.80} is not a text")
    return text


def query_of(text: str, query: Query | None, *, scope: Scope, given: Mapping[str, Any]) -> Query:
    """The query for a text and keywords of Query and Where, or the one that is given, in a scope.

    `kinds=["gotcha"]`, `relations="CAUSED_BY"` and `since="2026-03-01"` are understood. Raises
    InvalidInput for what is not, and for a query with anything beside it.
    """
    words(text)
    if query is not None:
        if text or given:
            beside = ", ".join((["a text"] if text else []) + sorted(given))
            raise InvalidInput(f"a query stands alone: say {beside} in the query itself")
        return replace(_read(query), where=where_of(query.where, scope))
    for name in given:
        if name not in (*_QUERY, *_WHERE):
            raise InvalidInput(f"no {name!r} in a recall: known are {', '.join(_QUERY + _WHERE)}")
    narrow = {name: value for name, value in given.items() if name in _WHERE}
    asked = {name: value for name, value in given.items() if name in _QUERY}
    where = replace(given.get("where") or Where(), **narrow)
    return _read(Query(text=text, **{**asked, "where": where_of(where, scope)}))


def where_of(where: Where, scope: Scope) -> Where:
    """A filter inside a scope: the user is its own, agent and session hold unless others are named.

    Raises InvalidInput as `query_of` does.
    """
    narrowed = {
        name: getattr(scope, name)
        for name in ("agent", "session")
        if getattr(where.scope, name) is None
    }
    return replace(_read(where), scope=replace(where.scope, user=scope.user, **narrowed))


def filter_of(scope: Scope, given: Mapping[str, Any], *, known: Sequence[str]) -> Where:
    """A filter by these keywords in a scope; `agent` and `session` narrow it.

    Raises InvalidInput for what is not `known`, or not understood.
    """
    for name in given:
        if name not in (*_NARROWING, *known):
            raise InvalidInput(f"no {name!r} here: known are {', '.join((*_NARROWING, *known))}")
    narrow = {name: given[name] for name in _NARROWING if given.get(name) is not None}
    fields = {name: value for name, value in given.items() if name in known}
    return where_of(replace(Where(scope=replace(scope, **narrow)), **fields), scope)


def several(value: str | Iterable[str]) -> tuple[str, ...]:
    """One text is one, not its letters."""
    return (value,) if isinstance(value, str) else tuple(value)


def _read(value: _Asked) -> _Asked:
    """The value with tuples, members and aware times where they belong."""
    names = {f.name for f in fields(value)}
    found: dict[str, Any] = {}
    for name in names.intersection(_TIMES):
        if (time := getattr(value, name)) is not None:
            found[name] = parse_time(time)
    for name in names.intersection(_SEVERAL):
        words = several(getattr(value, name) or ())
        kind = _MEMBERS.get(name)
        found[name] = words if kind is None else tuple(_member(kind, w, name=name) for w in words)
    return replace(value, **found)


def _member(kind: type[StrEnum], word: str, *, name: str) -> StrEnum:
    for member in kind:
        if member.value.lower() == str(word).lower():
            return member
    known = ", ".join(member.value for member in kind)
    raise InvalidInput(f"{name} {str(word)[:80]!r} is not among {known}")
