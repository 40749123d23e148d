"""The usage log: a line when a call begins, and another when it ended. The last line counts.

What a process read of a month it need not read again, so that a budget costs little to check.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from alaya.errors import InvalidInput
from alaya.model.call import Usage
from alaya.model.codec import decode, encode
from alaya.stores.files.disk import append, named_errors


@dataclass
class _Month:
    """What was read of a file so far: tokens by call and day, and where reading goes on."""

    offset: int = 0
    tokens: dict[str, tuple[str, int]] = field(default_factory=dict)


class UsageLog:
    """`raw/usage/2026-03.jsonl`. Writing is for who holds the home's lock."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._months: dict[str, _Month] = {}
        self._lock = threading.Lock()

    def append(self, usage: Usage) -> None:
        """Add a line and sync it. A half line that a crash left is cut off first."""
        path = self._path(usage.at)
        line = json.dumps(encode(usage), ensure_ascii=False, separators=(",", ":")) + "\n"
        append(path, line.encode("utf-8", "replace"), at=_whole(path))

    def tokens_on(self, at: datetime) -> int:
        """The tokens of a day, counting what is under way with the most that it may take."""
        with self._lock:
            month = self._months.setdefault(f"{at:%Y-%m}", _Month())
            for usage, end in _lines(self._path(at), month.offset):
                month.offset = end
                if usage is not None:
                    month.tokens[usage.id] = (f"{usage.at:%Y-%m-%d}", usage.tokens)
            day = f"{at:%Y-%m-%d}"
            return sum(tokens for on, tokens in month.tokens.values() if on == day)

    def since(self, at: datetime | None) -> Iterator[Usage]:
        """The last word on each call since then, in the order in which they began."""
        for path in sorted(self._folder.glob("????-??.jsonl")):
            if at is not None and path.stem < f"{at:%Y-%m}":
                continue
            found: dict[str, Usage] = {}
            for usage, _ in _lines(path, 0):
                if usage is not None and (at is None or usage.at >= at):
                    found[usage.id] = usage
            yield from found.values()

    def _path(self, at: datetime) -> Path:
        return self._folder / f"{at:%Y-%m}.jsonl"


def _lines(path: Path, offset: int) -> Iterator[tuple[Usage | None, int]]:
    """(usage, end) for each whole line behind an offset; None for one that cannot be read."""
    if not path.exists():
        return
    with named_errors(path, "reading"), path.open("rb") as file:
        file.seek(offset)
        for line in file:
            if not line.endswith(b"\n"):
                return
            offset += len(line)
            yield _usage(line), offset


def _usage(line: bytes) -> Usage | None:
    try:
        usage: Usage = decode(Usage, json.loads(line))
    except (ValueError, RecursionError, InvalidInput):
        return None
    return usage


def _whole(path: Path) -> int | None:
    """The end of the last whole line."""
    if not path.exists():
        return None
    with named_errors(path, "reading"), path.open("rb") as file:
        size = file.seek(0, 2)
        at = size
        while at > 0:
            step = min(at, 4096)
            file.seek(at - step)
            found = file.read(step).rfind(b"\n")
            if found >= 0:
                return at - step + found + 1
            at -= step
        return 0
