"""The query of a recall, from arguments or from JSON on standard input."""

from __future__ import annotations

import json
import re
from argparse import Namespace
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, BinaryIO

from alaya.config_values import RECIPES, shown
from alaya.errors import InvalidInput
from alaya.model.graph import CardKind, Tier
from alaya.model.passage import Query, Where
from alaya.model.path import PathQuery
from alaya.model.raw import Origin
from alaya.model.scope import Scope
from alaya.model.time import parse_time

_AGO = re.compile(r"(\d{1,6})\s*([smhdw])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_MAX_STDIN = 1 << 20


class Wrong(Exception):
    """Something about a query is not understood: the key of a message, and what fills it in."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.key, self.values = key, values


def given(args: Namespace) -> dict[str, Any]:
    """What the arguments ask, in the words of the JSON query; only what was typed.

    A command need not have every option.
    """
    typed = vars(args).get
    found = {
        "text": " ".join(typed("text") or ()) if typed("text") else None,
        "concepts": _flat(typed("concepts")),
        "relations": _flat(typed("relations")),
        "from_nodes": _flat(typed("from_nodes")),
        "from": typed("source"),
        "to": typed("target"),
        "depth": typed("depth"),
        "limit": typed("limit"),
        "min_similarity": typed("min_similarity"),
        "include_sessions": typed("include_sessions"),
        "include_summaries": typed("include_summaries"),
        "include_cards": typed("include_cards"),
        "include_notes": typed("include_notes"),
        "graph_expand": False if typed("no_graph") else None,
        "include_quarantined": typed("include_quarantined") or None,
        "recipe": typed("recipe"),
        "agent": typed("agent"),
        "session": typed("session"),
        "kinds": [k for several in typed("kinds") or () for k in several] or None,
        "tags": _flat(typed("tags")),
        "since": typed("since"),
        "until": typed("until"),
        "tiers": [t for several in typed("tiers") or () for t in several] or None,
        "origins": [o for several in typed("origins") or () for o in several] or None,
        "min_confidence": typed("min_confidence"),
        "as_of": typed("as_of"),
        "believed_at": typed("believed_at"),
        "already_shown": _flat(typed("already_shown")),
        "show_again": typed("again") or None,
    }
    return {key: value for key, value in found.items() if value is not None}


def asks(fields: Mapping[str, Any]) -> bool:
    """Whether these fields hold a query, not only its conditions."""
    return any(key in fields for key in ("text", "query", "concepts", "from_nodes", *ENDS))


def read_json(stream: BinaryIO) -> dict[str, Any]:
    """The JSON query on a stream; empty when the stream is. Raises Wrong."""
    data = stream.read(_MAX_STDIN + 1)
    if len(data) > _MAX_STDIN:
        raise Wrong("query.long")
    try:
        text = data.decode("utf-8-sig")
        fields = json.loads(text) if text.strip() else {}
    except RecursionError as error:
        raise Wrong("query.deep") from error
    except ValueError as error:
        raise Wrong("query.not_json", error=error) from error
    if not isinstance(fields, dict):
        raise Wrong("query.no_object")
    return fields


def build(fields: Mapping[str, Any], scope: Scope, *, now: datetime) -> Query:
    """The Query for these fields. Raises Wrong."""
    for name in fields:
        if name not in _FIELDS:
            raise Wrong("query.key", name=shown(name), allowed=", ".join(_FIELDS))
    read, where = _read(fields, scope, now=now)
    query = Query(**read, where=where)
    if not query.phrases and not query.from_nodes:
        raise Wrong("query.empty")
    return query


def build_path(fields: Mapping[str, Any], scope: Scope, *, now: datetime) -> PathQuery:
    """The path that these fields ask for. Raises Wrong, also for what says nothing to a path."""
    for name in fields:
        if name not in (*ENDS, *OF_PATHS):
            allowed = ", ".join((*ENDS, *OF_PATHS))
            raise Wrong("query.path_key", name=shown(name), allowed=allowed)
    for name in ENDS:
        if fields.get(name) is None:
            raise Wrong("query.path_end", name=name)
    read, where = _read({k: v for k, v in fields.items() if k not in ENDS}, scope, now=now)
    return PathQuery(
        source=_text("from", fields["from"]),
        target=_text("to", fields["to"]),
        relations=read.get("relations", ()),
        max_depth=read.get("depth"),
        where=where,
    )


def _read(
    fields: Mapping[str, Any], scope: Scope, *, now: datetime
) -> tuple[dict[str, Any], Where]:
    """Fields as the values of a query, and the filter that the rest of them make."""
    values = {_ALIASES.get(k, k): (k, v) for k, v in fields.items() if v is not None}
    read = {k: _FIELDS[name](name, value) for k, (name, value) in values.items()}
    times = ("since", "until", "as_of", "believed_at", "asked_at")
    for name in times:
        if name in read:
            read[name] = time_of(name, read[name], now=now)
    scope = replace(scope, **{k: read.pop(k) for k in _SCOPE if k in read})
    return read, Where(scope=scope, **{k: read.pop(k) for k in _WHERE if k in read})


def time_of(name: str, value: Any, *, now: datetime) -> datetime:
    """A time: ISO 8601, epoch, how long ago, such as 7d, 12h or 2w, or a day such as yesterday,
    of which it is the first moment (UTC)."""
    if isinstance(value, str) and (ago := _AGO.fullmatch(value.strip())):
        return now - timedelta(seconds=int(ago[1]) * _SECONDS[ago[2]])
    try:
        return parse_time(value)
    except InvalidInput as error:
        if isinstance(value, str) and (day := _day(value, now)) is not None:
            return day
        raise Wrong("query.time", name=name, value=shown(value)) from error


def _day(text: str, now: datetime) -> datetime | None:
    """The first moment of the days that a text names, looking back, such as 上周五."""
    from alaya.model.named import named  # only here: few times are written so

    today = now.date()
    number = today.toordinal()
    found = [run[0] for one in named(text, today) for run in one.runs(number, number)]
    past = [day for day in found if day <= number]
    return datetime.combine(date.fromordinal(max(past)), time(), UTC) if past else None


def _flat(several: list[str] | None) -> list[str] | None:
    if several is None:
        return None
    return [part.strip() for text in several for part in re.split("[,，、]", text) if part.strip()]


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise Wrong("query.text", name=name, value=shown(value))
    return value.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def _texts(name: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return (_text(name, value),)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise Wrong("query.texts", name=name, value=shown(value))
    return tuple(_text(name, item) for item in value)


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise Wrong("query.flag", name=name, value=shown(value))
    return value


def _whole(low: int) -> Callable[[str, Any], int]:
    def whole(name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < low:
            raise Wrong("query.whole", name=name, low=low, value=shown(value))
        return value

    return whole


def _share(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise Wrong("query.share", name=name, value=shown(value))
    return float(value)


def _recipe(name: str, value: Any) -> str:
    text = _text(name, value).strip().lower()
    if text not in RECIPES:
        raise Wrong("query.among", name=name, allowed=", ".join(RECIPES), value=shown(value))
    return text


def _time(name: str, value: Any) -> Any:
    return value


def _members(kind: type[CardKind] | type[Tier] | type[Origin]) -> Callable[[str, Any], Any]:
    def members(name: str, value: Any) -> Any:
        known = {member.value.lower(): member for member in kind}
        texts = _texts(name, value)
        for text in texts:
            if text.lower() not in known:
                names = ", ".join(member.value for member in kind)
                raise Wrong("query.among", name=name, allowed=names, value=shown(text))
        return tuple(known[text.lower()] for text in texts)

    return members


_FIELDS: dict[str, Callable[[str, Any], Any]] = {
    "text": _text,
    "query": _text,
    "concepts": _texts,
    "relations": _texts,
    "from_nodes": _texts,
    "depth": _whole(0),
    "limit": _whole(1),
    "max_results": _whole(1),
    "min_similarity": _share,
    "graph_expand": _flag,
    "include_cards": _flag,
    "include_sessions": _flag,
    "include_summaries": _flag,
    "include_notes": _flag,
    "recipe": _recipe,
    "asked_at": _time,
    "already_shown": _texts,
    "show_again": _flag,
    "agent": _text,
    "session": _text,
    "kinds": _members(CardKind),
    "tags": _texts,
    "since": _time,
    "until": _time,
    "tiers": _members(Tier),
    "origins": _members(Origin),
    "min_confidence": _share,
    "as_of": _time,
    "believed_at": _time,
    "include_stale": _flag,
    "include_forgotten": _flag,
    "include_quarantined": _flag,
    "include_ended": _flag,
}
_ALIASES = {"query": "text", "max_results": "limit"}
_SCOPE = ("agent", "session")  # whose user is the home's: that wall is not asked for
_WHERE = (
    "kinds",
    "tags",
    "since",
    "until",
    "tiers",
    "origins",
    "min_confidence",
    "as_of",
    "believed_at",
    "include_stale",
    "include_forgotten",
    "include_quarantined",
    "include_ended",
)
ENDS = ("from", "to")  # of a path
OF_PATHS = ("relations", "depth", *_SCOPE, *_WHERE)
