"""JSON lines from a binary file, in constant memory, with what cannot be read among them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from alaya.ingest.found import Broken, Row, Skipped
from alaya.model.ids import clean

MAX_LINE = 16 * 1024 * 1024
TOO_DEEP = "nested too deeply"
UNFINISHED = "unfinished last line"
_EXCERPT = 200
_BOM = b"\xef\xbb\xbf"
_DEEPEST = 200  # whoever walks through a value calls himself a few times a level


def parse_json(text: str | bytes) -> Any:
    """A JSON value; NaN and infinities become None.

    Raises JSONDecodeError for what is no JSON (yet), and a plain ValueError for what no more text
    can make readable: nested too deeply, or a number of too many digits. Bytes are read as UTF-8
    with what is not UTF-8 replaced.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    return parsed(lambda: json.loads(text, parse_constant=_no_number, parse_float=_finite))


def parsed(parse: Callable[[], Any]) -> Any:
    """What `parse` returns, a JSON value or a tuple with one. Raises as `parse_json` does."""
    try:
        value = parse()
    except json.JSONDecodeError:
        raise
    except ValueError as error:  # Python converts no more than some thousand digits
        raise ValueError("a number of too many digits") from error
    except RecursionError as error:
        raise ValueError(TOO_DEEP) from error
    _check_depth(value)
    return value


def _check_depth(value: Any) -> None:
    """Raises ValueError for what is nested so deeply that walking through it might not end well."""
    level = [value] if isinstance(value, dict | list | tuple) else []
    for _ in range(_DEEPEST):
        level = [
            inner
            for one in level
            for inner in (one.values() if isinstance(one, dict) else one)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return
    raise ValueError(TOO_DEEP)


def decoder() -> json.JSONDecoder:
    """A decoder that reads values as `parse_json` does."""
    return json.JSONDecoder(parse_constant=_no_number, parse_float=_finite)


def excerpt(raw: bytes) -> str:
    """The first characters of a line, safe to print and to keep."""
    return clean(raw[: _EXCERPT * 4].decode("utf-8", "replace"))[:_EXCERPT].strip()


class LineReader:
    """Reads a file from a byte offset on. `position` and `number` tell how far it has come.

    A last line without a newline that is no JSON value is left for next time: it yields a
    Skipped, and `position` stays before it. A line over `limit` bytes is yielded as Broken
    without ever being held; where it has no end yet, `in_line` says that the next read starts
    inside it.
    """

    def __init__(
        self,
        file: BinaryIO,
        *,
        offset: int = 0,
        number: int = 0,
        in_line: bool = False,
        limit: int = MAX_LINE,
    ) -> None:
        self._file = file
        self._limit = limit
        self.position = offset
        self.number = number  # of the last line that was read
        self.in_line = in_line

    def __iter__(self) -> Iterator[Row | Broken | Skipped]:
        self._file.seek(self.position)
        if self.in_line:
            length, self.in_line = self._pass_over()
            self.position += length
        while raw := self._file.readline(self._limit + 1):
            start, whole = self.position, raw.endswith(b"\n")
            if len(raw) > self._limit and not (whole and len(raw) == self._limit + 1):
                yield self._too_long(raw, start)
                continue
            body = raw.removeprefix(_BOM) if start == 0 else raw
            body = body.strip()
            try:
                data = parse_json(body) if body else None
            except ValueError as error:
                if not whole and isinstance(error, json.JSONDecodeError):
                    yield Skipped(UNFINISHED)
                    return
                self.in_line = not whole
                self._advance(len(raw))
                yield Broken(f"not JSON: {_message(error)}", self.number, start, excerpt(body))
                continue
            self._advance(len(raw))
            if body:
                yield Row(self.number, start, self.position, data)

    def _advance(self, length: int) -> None:
        self.position += length
        self.number += 1

    def _too_long(self, head: bytes, start: int) -> Broken:
        length, self.in_line = (0, False) if head.endswith(b"\n") else self._pass_over()
        self._advance(len(head) + length)
        return Broken(
            f"line of {len(head) + length} bytes is over the limit of {self._limit}",
            self.number,
            start,
            excerpt(head[: _EXCERPT * 4]),
        )

    def _pass_over(self) -> tuple[int, bool]:
        """Skip to the end of the line: how many bytes, and whether the file ended before it."""
        length = 0
        while raw := self._file.readline(1 << 20):
            length += len(raw)
            if raw.endswith(b"\n"):
                return length, False
        return length, True


def _no_number(name: str) -> None:
    return None


def _finite(text: str) -> float | None:
    value = float(text)
    return value if math.isfinite(value) else None


def _message(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at character {error.pos}"
    return str(error)
