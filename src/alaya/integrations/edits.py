"""Entries in the configuration of others: put in and taken out, as text to text. Pure.

Nothing but the entry changes; what cannot be read is left alone.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alaya.errors import InvalidInput

_BEGIN, _END = "# alaya: begin", "# alaya: end"
_BLOCK = re.compile(rf"\n?{_BEGIN}\n.*?{_END}\n", re.DOTALL)
_INDENT = re.compile(r"^[{\[]\s*\n([ \t]+)")


@dataclass(frozen=True)
class Edit:
    """One file: `put` makes its text with the entry from its text (None: no file), `take` without.

    `take` returns None where nothing would be left, and the text as it is where there is no entry.
    Both raise InvalidInput for what they cannot read. `entry` is what a person would put in.
    """

    path: Path
    put: Callable[[str | None], str]
    take: Callable[[str], str | None]
    entry: str


def whole(path: Path, text: str) -> Edit:
    """A file of our own."""
    return Edit(path, lambda before: text, lambda now: None if now == text else now, text)


def json_entry(path: Path, keys: Sequence[str], *, value: Any) -> Edit:
    """`value` under these keys of a JSON object."""

    def put(before: str | None) -> str:
        data = _object(path, before)
        inner = data
        for key in keys[:-1]:
            inner = inner.setdefault(key, {})
            if not isinstance(inner, dict):
                raise InvalidInput(f"{path}: {key} is not an object")
        inner[keys[-1]] = value
        return _dumped(data, before)

    def take(now: str) -> str | None:
        data = _object(path, now)
        if not _without(data, keys):
            return now
        return _dumped(data, now) if data else None

    entry: Any = value
    for key in reversed(keys):
        entry = {key: entry}
    return Edit(path, put, take, json.dumps(entry, ensure_ascii=False, indent=2))


def json_hooks(path: Path, hooks: Mapping[str, Mapping[str, Any]]) -> Edit:
    """A hook for each event, in the form that Claude Code and Codex share."""
    groups = {event: {"hooks": [dict(hook)]} for event, hook in hooks.items()}

    def put(before: str | None) -> str:
        data = _object(path, before)
        listed = data.setdefault("hooks", {})
        if not isinstance(listed, dict):
            raise InvalidInput(f"{path}: hooks is not an object")
        for event, group in groups.items():
            found = listed.setdefault(event, [])
            if not isinstance(found, list):
                raise InvalidInput(f"{path}: hooks.{event} is not a list")
            if group not in found:
                found.append(group)
        return _dumped(data, before)

    def take(now: str) -> str | None:
        data = _object(path, now)
        listed = data.get("hooks")
        if not isinstance(listed, dict):
            return now
        ours = [e for e, group in groups.items() if group in (listed.get(e) or ())]
        if not ours:
            return now
        for event in ours:
            listed[event].remove(groups[event])
            if not listed[event]:
                del listed[event]
        if not listed:
            del data["hooks"]
        return _dumped(data, now) if data else None

    return Edit(path, put, take, json.dumps({"hooks": groups}, ensure_ascii=False, indent=2))


def toml_block(path: Path, table: str, *, lines: Sequence[str]) -> Edit:
    """A table at the end of a TOML file, between marks."""
    block = "\n".join([_BEGIN, f"[{table}]", *lines, _END]) + "\n"

    def put(before: str | None) -> str:
        bare = _BLOCK.sub("", before or "")
        found: Any = _toml(path, bare)
        for key in table.split("."):
            found = found.get(key) if isinstance(found, dict) else None
        if found is not None:
            raise InvalidInput(f"{path} has a table [{table}] already, which is not alaya's own")
        ended = bare if not bare or bare.endswith("\n") else bare + "\n"
        return f"{ended}\n{block}" if ended else block

    def take(now: str) -> str | None:
        return _BLOCK.sub("", now) or None

    return Edit(path, put, take, block)


def _object(path: Path, text: str | None) -> dict[str, Any]:
    try:
        data = json.loads(text) if text and text.strip() else {}
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{path} is not plain JSON ({error})") from error
    if not isinstance(data, dict):
        raise InvalidInput(f"{path} does not hold a JSON object")
    return data


def _toml(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"{path} is not TOML ({error})") from error


def _without(data: dict[str, Any], keys: Sequence[str]) -> bool:
    """Take what stands under the keys, and what is empty then; whether there was anything."""
    inner = data.get(keys[0])
    if len(keys) == 1:
        return data.pop(keys[0], None) is not None
    if not isinstance(inner, dict) or not _without(inner, keys[1:]):
        return False
    if not inner:
        del data[keys[0]]
    return True


def _dumped(data: dict[str, Any], before: str | None) -> str:
    """As the file was written: its indent, its last line end."""
    found = _INDENT.match(before or "")
    indent: str | int = found[1] if found else 2
    end = "" if before and not before.endswith("\n") else "\n"
    return json.dumps(data, ensure_ascii=False, indent=indent) + end
