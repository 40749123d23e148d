"""The arguments of a tool as models give them: other names, numbers as text, one thing for a list.

What cannot be understood is told with what would be; what nobody asked for is left out with a word.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any
from urllib.parse import unquote

from alaya.errors import InvalidInput
from alaya.model.ids import clean

Value = Any  # a JSON value
_SHOWN = 60  # characters of a value in a complaint
# Whose memory this is was said when the server was started; no model may choose it.
SCOPE = frozenset(
    "user user_id userid username agent agent_id agentid scope tenant tenant_id home".split()  # noqa: SIM905
)
_TRUE = frozenset("true yes on 1 y 是".split())  # noqa: SIM905
_FALSE = frozenset("false no off 0 n 否".split())  # noqa: SIM905
_CITED = re.compile(r"^[\[［]?\s*(?:session\s+)?(?P<id>.*?)\s*[\]］]?$", re.DOTALL)
_RESOURCE = re.compile(r"^alaya://(?:cards|sessions|summaries)/")


@dataclass(frozen=True)
class Field:
    """One argument: its kind says how it is read and what JSON schema it has.

    `names`: under which other names it is understood. `least` and `most` bound a number; a bigger
    one than `most` becomes that.
    """

    name: str
    kind: str = "text"
    names: tuple[str, ...] = ()
    required: bool = False
    options: tuple[str, ...] = ()
    least: float = 0
    most: float = 1_000
    items: Mapping[str, Value] | None = None  # the schema of what a list holds
    words: str = ""  # under which key it is described, where many tools take it


@dataclass(frozen=True)
class Given:
    """What was understood, by the names of the fields, and what is to be said about the rest."""

    values: Mapping[str, Value]
    ignored: tuple[str, ...] = ()
    scoped: tuple[str, ...] = ()

    def some(self, *names: str) -> dict[str, Value]:
        """Those of these that were given."""
        return {name: self.values[name] for name in names if name in self.values}


def read(fields: Sequence[Field], given: Mapping[str, Value] | None) -> Given:
    """The arguments by the names of their fields. Raises InvalidInput, naming what to change."""
    known = {_plain(name): field for field in fields for name in (field.name, *field.names)}
    found: dict[str, Value] = {}
    ignored: list[str] = []
    scoped: list[str] = []
    for name, value in (given or {}).items():
        field = known.get(_plain(name))
        if field is None:
            (scoped if _plain(name) in SCOPE else ignored).append(clean(name)[:_SHOWN])
        elif value is not None and value != "" and (field.name not in found or name == field.name):
            found[field.name] = _READERS[field.kind](field, value)
    missing = [field.name for field in fields if field.required and field.name not in found]
    if missing:
        near = {name: get_close_matches(name, ignored, n=1, cutoff=0.5) for name in missing}
        hint = "".join(f"; {n[0]!r} is not known here" for n in near.values() if n)
        takes = ", ".join(field.name for field in fields)
        raise InvalidInput(f"{', '.join(missing)} is missing{hint}: arguments are {takes}")
    return Given(found, tuple(ignored), tuple(scoped))


def schema(fields: Iterable[Field], describe: Callable[[Field], str]) -> dict[str, Value]:
    """The JSON schema of these arguments."""
    listed = list(fields)
    found: dict[str, Value] = {
        "type": "object",
        "properties": {
            field.name: {**_schema(field), "description": describe(field)} for field in listed
        },
    }
    if required := [field.name for field in listed if field.required]:
        found["required"] = required
    return found


def node(text: str) -> str:
    """An id as it is, also where it was copied as a citation or as the address of a resource."""
    found = _CITED.match(text.strip())
    bare = found["id"] if found else text
    if _RESOURCE.match(bare):
        kind, _, name = bare.removeprefix("alaya://").partition("/")
        return unquote(name) if kind != "sessions" else f"session:{unquote(name)}"
    cited = bare != text.strip()
    return unquote(bare) if cited else bare


def _schema(field: Field) -> dict[str, Value]:
    match field.kind:
        case "whole":
            return {"type": "integer", "minimum": int(field.least), "maximum": int(field.most)}
        case "share":
            return {"type": "number", "minimum": 0, "maximum": 1}
        case "flag":
            return {"type": "boolean"}
        case "texts" | "nodes":
            items = {"type": "string", **({"enum": [*field.options]} if field.options else {})}
            return {"type": "array", "items": items}
        case "objects":
            return {"type": "array", "items": dict(field.items or {"type": "object"})}
        case _:
            return {"type": "string", **({"enum": [*field.options]} if field.options else {})}


def _plain(name: str) -> str:
    """`maxTokens`, `max-tokens` and `MAX_TOKENS` are one name."""
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", str(name))
    return re.sub(r"[\s\-]+", "_", parts.strip()).casefold()


def _text(field: Field, value: Value) -> str:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        value = " ".join(value)
    if isinstance(value, bool | dict | list):
        raise InvalidInput(f"{field.name} must be a text, not {_shown(value)}")
    text = clean(str(value))
    return _option(field, text.strip()) if field.options else text


def _node(field: Field, value: Value) -> str:
    return node(_text(field, value))


def _texts(field: Field, value: Value) -> list[str]:
    listed = _listed(value, commas=field.kind == "nodes" or bool(field.options))
    if not all(isinstance(one, str | int | float) for one in listed):
        raise InvalidInput(f"{field.name} must be a list of texts, not {_shown(value)}")
    texts = [clean(str(one)) for one in listed]
    texts = [text for text in texts if text.strip()]
    if field.kind == "nodes":
        return [node(text) for text in texts]
    return [_option(field, text.strip()) for text in texts] if field.options else texts


def _objects(field: Field, value: Value) -> list[Mapping[str, Value]]:
    listed = [value] if isinstance(value, dict) else _listed(value, commas=False)
    if not all(isinstance(one, dict) for one in listed):
        raise InvalidInput(f"{field.name} must be a list of objects, not {_shown(value)}")
    return listed


def _listed(value: Value, *, commas: bool) -> list[Value]:
    """One thing is a list of one; a text may be a list written as JSON, or with commas."""
    if isinstance(value, str):
        if value.lstrip().startswith(("[", "{")):
            try:
                read = json.loads(value)
            except (ValueError, RecursionError):
                read = None
            if isinstance(read, list | dict):
                return read if isinstance(read, list) else [read]
        return re.split(r"[,，;；]\s*", value) if commas else [value]
    return list(value) if isinstance(value, list | tuple) else [value]


def _number(field: Field, value: Value) -> float:
    try:
        number = float(str(value).strip().replace("_", ""))
    except ValueError:
        number = math.nan
    if isinstance(value, bool) or not math.isfinite(number):
        such = "0.5" if field.kind == "share" else "10"
        raise InvalidInput(f"{field.name} must be a number such as {such}, not {_shown(value)}")
    if number < field.least:
        raise InvalidInput(f"{field.name} must be at least {field.least:g}, not {_shown(value)}")
    return min(number, field.most)


def _whole(field: Field, value: Value) -> int:
    number = _number(field, value)
    if number != int(number):
        raise InvalidInput(f"{field.name} must be a whole number, not {_shown(value)}")
    return int(number)


def _flag(field: Field, value: Value) -> bool:
    word = str(value).strip().casefold()
    if word not in _TRUE | _FALSE:
        raise InvalidInput(f"{field.name} must be true or false, not {_shown(value)}")
    return word in _TRUE


def _option(field: Field, word: str) -> str:
    for option in field.options:
        if option.casefold() == word.casefold():
            return option
    near = get_close_matches(word.casefold(), field.options, n=1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    known = ", ".join(field.options)
    raise InvalidInput(f"{field.name} {_shown(word)} is not among {known}{hint}")


def _shown(value: Value) -> str:
    text = clean(json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


_READERS: Mapping[str, Callable[[Field, Value], Value]] = {
    "text": _text,
    "node": _node,
    "texts": _texts,
    "nodes": _texts,
    "objects": _objects,
    "whole": _whole,
    "share": _number,
    "flag": _flag,
}
