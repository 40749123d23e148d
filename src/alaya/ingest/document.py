"""One large JSON document, in pieces: the elements of its long list one by one.

The standard decoder does the work, over a window that grows only to the largest single value; so
numbers, escapes and surrogates mean the same as in JSON lines.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from alaya.ingest.found import Broken
from alaya.ingest.lines import MAX_LINE, decoder, parsed
from alaya.model.ids import clean

_CHUNK = 1 << 20
_EDGE = 16  # characters: no literal or escape is longer
_SPACE = re.compile(r"[ \t\n\r]*")
_STRUCTURE = re.compile(r'["{}\[\]]')
_PLAIN = re.compile(r"[^,\]}\s]*+")  # a number, or a word
_IN_STRING = re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)


class Truncated(Exception):
    """The document ends, or stops being JSON, at `offset` characters."""

    def __init__(self, reason: str, offset: int, *, excerpt: str) -> None:
        super().__init__(reason)
        self.broken = Broken(reason, None, offset, clean(excerpt))


@dataclass(frozen=True)
class Key:
    """A member of the object at the top (or in a list at the top: of its `index`-th element)."""

    index: int
    name: str
    value: Any


@dataclass(frozen=True)
class Element:
    """The next element of the list under `key`; `key` is empty for a list at the top."""

    index: int
    key: str
    value: Any


@dataclass(frozen=True)
class End:
    """The object `index` is complete."""

    index: int


Piece = Key | Element | End | Broken


def read_document(
    file: BinaryIO, lists: frozenset[str], *, limit: int = MAX_LINE
) -> Iterator[Piece]:
    """The pieces of a document: an object, or a list of objects.

    The lists under the names in `lists` are yielded an Element at a time, before or after the
    other members as the file has them. An element of a list at the top that is no object is an
    Element with an empty key. Ends with Broken where the document is truncated or no JSON; a
    value over `limit` characters is passed over as Broken without being held.
    """
    window = _Window(file, limit)
    try:
        first = window.peek()
        if first == "{":
            yield from _object(window, 0, lists=lists)
        elif first == "[":
            window.skip(1)
            for index, _ in enumerate(_items(window, "]")):
                if window.peek() == "{":
                    yield from _object(window, index, lists=lists)
                else:
                    value = window.value()
                    yield value if isinstance(value, Broken) else Element(index, "", value.data)
        elif first:
            raise window.error("not a JSON document")
        if window.peek():
            raise window.error("something follows the end of the JSON document")
    except Truncated as error:
        yield error.broken


def _object(window: _Window, index: int, *, lists: frozenset[str]) -> Iterator[Piece]:
    window.skip(1)
    for _ in _items(window, "}"):
        if window.peek() != '"':
            raise window.error("a name is missing in the JSON document")
        name = window.value()
        if window.peek() != ":":
            raise window.error("a ':' is missing in the JSON document")
        window.skip(1)
        key = "" if isinstance(name, Broken) else str(name.data)
        if key in lists and window.peek() == "[":
            window.skip(1)
            for _ in _items(window, "]"):
                value = window.value()
                yield value if isinstance(value, Broken) else Element(index, key, value.data)
        else:
            value = window.value()
            yield value if isinstance(value, Broken) else Key(index, key, value.data)
    yield End(index)


def _items(window: _Window, end: str) -> Iterator[None]:
    """Once for each item up to `end`; whoever iterates reads the item."""
    if window.peek() == end:
        window.skip(1)
        return
    while True:
        yield
        mark = window.peek()
        if mark not in (",", end):
            raise window.error("truncated JSON document" if not mark else "not a JSON document")
        window.skip(1)
        if mark == end:
            return


@dataclass(frozen=True)
class _Value:
    data: Any


class _Window:
    """The part of the text that is being looked at."""

    def __init__(self, file: BinaryIO, limit: int) -> None:
        self._file = file
        self._limit = limit
        self._decode = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._json = decoder()
        self._text = ""
        self._at = 0
        self._before = 0  # characters that have left the window
        self._ended = False

    def peek(self) -> str:
        """The next character that is no space; empty at the end."""
        while True:
            match = _SPACE.match(self._text, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more(_CHUNK):
                return ""

    def skip(self, count: int) -> None:
        self._at += count

    def value(self) -> _Value | Broken:
        """The value that starts here. Raises Truncated."""
        self.peek()
        grow = _CHUNK
        while True:
            try:
                data, end = parsed(self._decoded)
            except json.JSONDecodeError as error:
                if self._is_wrong(error):
                    raise self.error(f"not a JSON document: {error.msg}") from error
                if len(self._text) - self._at > self._limit:
                    return self._pass_over(f"a value is over the limit of {self._limit} characters")
                if not self._more(grow):
                    raise self.error(f"truncated JSON document: {error.msg}") from error
            except ValueError as error:
                return self._pass_over(str(error))
            else:
                # `12` at the edge of the window may go on as `123`
                if end < len(self._text) or not self._more(grow):
                    self._at = end
                    return _Value(data)
            grow *= 2

    def _decoded(self) -> tuple[Any, int]:
        return self._json.raw_decode(self._text, self._at)

    def error(self, reason: str) -> Truncated:
        return Truncated(
            reason, self._before + self._at, excerpt=self._text[self._at : self._at + 200]
        )

    def _is_wrong(self, error: json.JSONDecodeError) -> bool:
        """Whether more text cannot help: the error is not at the edge of the window."""
        unterminated = error.msg.startswith("Unterminated string")
        return not unterminated and error.pos < len(self._text) - _EDGE

    def _more(self, size: int) -> bool:
        if self._ended:
            return False
        raw = self._file.read(size)
        self._ended = not raw
        self._before += self._at
        self._text = self._text[self._at :] + self._decode.decode(raw, final=not raw)
        self._at = 0
        return True

    def _pass_over(self, reason: str) -> Broken:
        """Leave out a value by counting brackets outside of strings."""
        start, head = self._before + self._at, self._text[self._at : self._at + 200]
        if not head.startswith(('"', "{", "[")):
            self._pass_plain()
            return Broken(reason, None, start, clean(head))
        depth = 0
        while True:
            match = _STRUCTURE.search(self._text, self._at)
            if match is None:
                self._at = len(self._text)
                if not self._more(_CHUNK):
                    raise self.error("truncated JSON document")
                continue
            self._at = match.end()
            if match[0] == '"':
                self._pass_string()
            else:
                depth += 1 if match[0] in "{[" else -1
            if depth <= 0:
                return Broken(reason, None, start, clean(head))

    def _pass_plain(self) -> None:
        """To the end of a value without brackets or quotes."""
        while True:
            match = _PLAIN.match(self._text, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._text) or not self._more(_CHUNK):
                return

    def _pass_string(self) -> None:
        """Behind the end of a string, each character looked at once."""
        while True:
            match = _IN_STRING.match(self._text, self._at)
            self._at = match.end() if match else self._at
            if self._text.startswith('"', self._at):
                self._at += 1
                return
            if not self._more(_CHUNK):  # at the end of the window, or at a backslash before it
                raise self.error("truncated JSON document")
