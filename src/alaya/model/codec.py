"""Model values to JSON objects and back, by their type hints. Unknown fields are ignored on read,
fields at their default are left out on write."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Mapping
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from alaya.errors import InvalidInput
from alaya.model import change
from alaya.model.time import format_time, parse_time

_CHANGES = {cls.__name__: cls for cls in get_args(change.Change)}


def encode(value: Any) -> Any:
    """A JSON value for any model value."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            name: encode(item)
            for name, default in _writable(type(value))
            if (item := getattr(value, name)) != default
        }
    if isinstance(value, datetime):
        return format_time(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, list | tuple):
        return [encode(item) for item in value]
    if isinstance(value, Mapping):
        return {key: encode(item) for key, item in value.items()}
    return value


def decode(cls: Any, data: Any) -> Any:
    """A value of the model class `cls` from what `encode` made. Raises InvalidInput."""
    try:
        return _reader(cls)(data)
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        raise InvalidInput(f"not a {cls.__name__}: {error}") from error


def encode_change(value: change.Change) -> dict[str, Any]:
    """A change as a JSON object whose first field `type` names its class."""
    return {"type": type(value).__name__, **encode(value)}


def decode_change(data: Mapping[str, Any]) -> change.Change:
    """The change that `encode_change` wrote. An unknown type is an error: it cannot be skipped."""
    cls = _CHANGES.get(str(data.get("type")))
    if cls is None:
        raise InvalidInput(
            f"unknown change {data.get('type')!r}: this memory was written by a newer alaya; "
            "upgrade alaya to read it"
        )
    value: change.Change = decode(cls, data)
    return value


def words_of(*classes: Any) -> frozenset[str]:
    """The names of the fields of these classes, and of all that they hold, and values that stand
    for themselves: what JSON of them says whatever they hold."""
    found: set[str] = set()
    waiting, seen = list(classes), set[Any]()
    while waiting:
        hint = waiting.pop()
        if hint in seen:
            continue
        seen.add(hint)
        waiting.extend(get_args(hint))
        if isinstance(hint, type) and dataclasses.is_dataclass(hint):
            hints = get_type_hints(hint)
            found.update({hint.__name__, *hints})
            waiting.extend(hints.values())
        elif isinstance(hint, type) and issubclass(hint, Enum):
            found.update(str(item.value) for item in hint)
    return frozenset(found)


_MISSING = object()


@cache
def _writable(cls: Any) -> tuple[tuple[str, Any], ...]:
    """The journaled fields of a class with the defaults that need not be written."""
    found = []
    for item in dataclasses.fields(cls):
        if not item.metadata.get("journal", True):
            continue
        if item.default is not dataclasses.MISSING:
            default = item.default
        elif item.default_factory is not dataclasses.MISSING:
            default = item.default_factory()
        else:
            default = _MISSING
        found.append((item.name, default))
    return tuple(found)


@cache
def _reader(hint: Any) -> Callable[[Any], Any]:
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        (inner,) = (_reader(arg) for arg in args if arg is not type(None))
        return lambda data: None if data is None else inner(data)
    if origin is tuple:
        if len(args) == 2 and args[1] is Ellipsis:
            item = _reader(args[0])
            return lambda data: tuple(item(one) for one in data)
        readers = tuple(_reader(arg) for arg in args)
        return lambda data: tuple(r(one) for r, one in zip(readers, data, strict=True))
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _dataclass_reader(hint)
    if isinstance(hint, type) and issubclass(hint, datetime):
        return parse_time
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint
    if hint is float:
        return float
    return _as_it_is


def _dataclass_reader(cls: type[Any]) -> Callable[[Any], Any]:
    hints = get_type_hints(cls)
    names = frozenset(f.name for f in dataclasses.fields(cls))
    readers: list[tuple[str, Callable[[Any], Any]]] = []

    def read(data: Any) -> Any:
        if not readers:
            found = ((name, _reader(hints[name])) for name in sorted(names))
            readers.extend((name, reader) for name, reader in found if reader is not _as_it_is)
        values = {name: item for name, item in data.items() if name in names}
        for name, reader in readers:
            if name in values:
                values[name] = reader(values[name])
        return cls(**values)

    return read


def _as_it_is(data: Any) -> Any:
    return data
