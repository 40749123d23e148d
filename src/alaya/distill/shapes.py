"""From whatever JSON a model wrote to what a schema asks for, where the meaning is plain.

Only the part of JSON Schema that prompts use is followed: type, properties, items, enum. What does
not come out right is left to the validator (`fastjsonschema`), which has the last word.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from alaya.model.ids import clean

Schema = Mapping[str, Any]
_NUMBER_INSIDE = re.compile(r"\D{0,8}(\d{1,9})\D{0,3}")  # [3], T3, turn 3
_PLAIN = re.compile(r"[\s_-]+")
_SHOWN = 300


@dataclass(frozen=True)
class Fitted:
    """`value` matches the schema, or is None and `complaint` says why.

    `lost`: what was left out, and why.
    """

    value: dict[str, Any] | None
    complaint: str = ""
    lost: tuple[str, ...] = ()


def fit(value: Any, schema: Schema, *, salvage: bool = False) -> Fitted:
    """The value as an object of the schema.

    A list becomes the first array of the schema, one item stands for a list of one, an envelope is
    opened, names are matched without case, numbers and texts are turned into each other, arrays
    that are missing are empty. What has nothing of the schema in it is not taken for nothing
    found. With `salvage`, items that cannot be used are left out, as long as others can.
    """
    shaped = _object(value, schema)
    if shaped is None:
        known = ", ".join(schema.get("properties", {}))
        return Fitted(None, f"it has none of the fields that were asked for ({known})")
    lost: list[str] = []
    if salvage:
        for name, part in schema.get("properties", {}).items():
            if isinstance(shaped.get(name), list) and "items" in part:
                shaped[name] = _usable(shaped[name], part["items"], name=name, lost=lost)
    complaint = _complaint(shaped, schema)
    if complaint or (lost and not any(v for v in shaped.values() if isinstance(v, list))):
        return Fitted(None, complaint or lost[0])
    return Fitted(shaped, lost=tuple(lost))


def empty(value: Mapping[str, Any]) -> bool:
    """Whether there is nothing in an object but empty arrays."""
    return not any(value.values())


def complete(value: Any, schema: Schema) -> bool:
    """Whether an object names all that it must have."""
    written = {_key(name) for name in value} if isinstance(value, Mapping) else set()
    return {_key(name) for name in schema.get("required", ())} <= written


def without_last(value: Any, schema: Schema) -> Any:
    """The value without the item at which a reply was cut off: the last of its last array."""
    shaped = _object(value, schema) or {}
    arrays = [name for name in shaped if shaped[name] and isinstance(shaped[name], list)]
    if not arrays:
        return value
    written = list(value) if isinstance(value, Mapping) else []
    last = next((k for k in reversed(written) if _key(k) in {_key(a) for a in arrays}), arrays[-1])
    name = next(a for a in arrays if _key(a) == _key(last))
    return {**shaped, name: shaped[name][:-1]}


def _usable(items: Sequence[Any], schema: Schema, *, name: str, lost: list[str]) -> list[Any]:
    kept = []
    for number, item in enumerate(items):
        complaint = _complaint(item, schema)
        if complaint:
            lost.append(f"{name}[{number}]: {complaint}")
        else:
            kept.append(item)
    return kept


def _complaint(value: Any, schema: Schema) -> str:
    """What the validator says against a value; empty where it says nothing."""
    import fastjsonschema

    try:
        _validator(json.dumps(schema, sort_keys=True))(value)
    except fastjsonschema.JsonSchemaValueException as error:
        return str(error.message)[:_SHOWN]
    return ""


@lru_cache(maxsize=64)
def _validator(schema: str) -> Callable[[Any], Any]:
    import fastjsonschema

    made: Callable[[Any], Any] = fastjsonschema.compile(json.loads(schema), use_default=False)
    return made


def _object(value: Any, schema: Schema) -> dict[str, Any] | None:
    """The value as an object with properties of the schema; None where it has nothing of it."""
    properties: Mapping[str, Schema] = schema.get("properties", {})
    if isinstance(value, str):
        return _object(_inner(value), schema) if _inner(value) is not None else None
    if isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], Mapping) and _known(value[0], properties):
            return _object(value[0], schema)
        main = _main(properties)
        return None if main is None else _properties({main: value}, properties)
    if not isinstance(value, Mapping):
        return None
    if not value or _known(value, properties):
        return _properties(value, properties)
    main = _main(properties)
    if main is not None and _item_like(value, properties[main]):
        return _properties({main: [value]}, properties)
    if len(value) == 1:  # an envelope such as {"result": {…}}
        (inside,) = value.values()
        if isinstance(inside, Mapping) and inside:
            return _object(inside, schema)
        if isinstance(inside, list) and main is not None:
            of = properties[main].get("items", {})
            if inside and all(
                isinstance(i, Mapping) and _known(i, of.get("properties", {})) for i in inside
            ):
                return _properties({main: inside}, properties)
    return None


def _properties(value: Mapping[str, Any], properties: Mapping[str, Schema]) -> dict[str, Any]:
    """The known properties, each in its type; arrays that are missing are empty."""
    by_key = {_key(name): item for name, item in value.items()}
    found: dict[str, Any] = {}
    for name, part in properties.items():
        item = value[name] if name in value else by_key.get(_key(name))
        types = _types(part)
        if item is None and "array" in types:
            found[name] = []
        elif item is not None or ("null" in types and name in value):
            found[name] = _typed(item, part)
    return found


def _typed(value: Any, schema: Schema) -> Any:
    """The value in the type that the schema names, where that is plain; else as it is."""
    types = _types(schema)
    if "enum" in schema:
        return _listed(value, schema["enum"])
    if "array" in types:
        return _array(value, schema.get("items", {}))
    if "object" in types and isinstance(value, Mapping) and "properties" in schema:
        return _properties(value, schema["properties"])
    if "string" in types and not ({"number", "integer"} & types):
        return _text(value)
    if {"number", "integer"} & types:
        return _number(value, whole="number" not in types)
    if "boolean" in types and isinstance(value, str):
        return {"true": True, "false": False}.get(value.strip().lower(), value)
    return value


def _array(value: Any, items: Schema) -> list[Any]:
    if isinstance(value, str):
        inner = _inner(value)
        value = inner if isinstance(inner, list) else [value] if value.strip() else []
    if isinstance(value, Mapping):
        nested = list(value.values())
        keyed = nested and all(isinstance(v, Mapping) for v in nested)
        value = nested if keyed and not _known(value, items.get("properties", {})) else [value]
    if not isinstance(value, list):
        value = [value]
    return [_typed(item, items) for item in value if item is not None]


def _text(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, list) and value and all(isinstance(v, str) for v in value):
        return clean("\n".join(value))
    return value


def _number(value: Any, *, whole: bool) -> Any:
    if isinstance(value, str):
        found = _NUMBER_INSIDE.fullmatch(value.strip()) if whole else None
        if found:
            return int(found[1])
        try:
            value = float(value)
        except ValueError:
            return value
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        if whole and value == int(value):
            return int(value)
    return value


def _listed(value: Any, allowed: Sequence[Any]) -> Any:
    """The allowed value that is meant, whatever its case."""
    if value in allowed or not isinstance(value, str):
        return value
    return next((a for a in allowed if isinstance(a, str) and _key(a) == _key(value)), value)


def _inner(text: str) -> Any:
    """JSON that was put into a text once more."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _types(schema: Schema) -> set[str]:
    named = schema.get("type", [])
    found = {named} if isinstance(named, str) else set(named)
    return found or ({"array"} if "items" in schema else set())


def _main(properties: Mapping[str, Schema]) -> str | None:
    return next((name for name, part in properties.items() if "array" in _types(part)), None)


def _known(value: Mapping[str, Any], properties: Mapping[str, Schema]) -> bool:
    names = {_key(name) for name in properties}
    return any(_key(name) in names for name in value)


def _item_like(value: Mapping[str, Any], array: Schema) -> bool:
    """Whether this is one item of the array: it has all that an item must have."""
    items = array.get("items", {})
    wanted = {_key(name) for name in items.get("required", items.get("properties", {}))}
    return bool(wanted) and wanted <= {_key(name) for name in value}


def _key(name: Any) -> str:
    return _PLAIN.sub("", str(name)).casefold()
