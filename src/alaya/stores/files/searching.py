"""Whether words stand anywhere in a file: as text, escaped, in a database, or compressed."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, cast

from alaya.model.erased_words import holds
from alaya.ports_erasing import Has
from alaya.stores.files.disk import named_errors

_BLOCK = 1 << 22
_OVERLAP = 1 << 10  # bytes of the block before: no word is longer
_OPEN: tuple[tuple[bytes, Callable[[Path], Any]], ...] = (
    (b"\x1f\x8b", gzip.open),
    (b"BZh", bz2.open),
    (b"\xfd7zXZ", lzma.open),
)


def searched(path: Path, has: Has) -> bool:
    """Whether any of the words stands in a file. What cannot be unpacked is searched as it is."""
    with named_errors(path, "searching"):
        try:
            with path.open("rb") as file:
                head = file.read(8)
            opener = next((way for magic, way in _OPEN if head.startswith(magic)), None)
            if opener is not None:
                try:
                    with opener(path) as unpacked:
                        return _any(cast(IO[bytes], unpacked), has)
                except (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile):
                    pass  # cut short or no such file: its bytes are looked at below
            with path.open("rb") as file:
                return _any(file, has)
        except FileNotFoundError:
            return False  # it went away meanwhile


def _any(file: IO[bytes], has: Has) -> bool:
    return any(_held(block, has) for block in _blocks(file))


def _blocks(file: IO[bytes]) -> Iterator[bytes]:
    before = b""
    while block := file.read(_BLOCK):
        yield before + block
        before = block[-_OVERLAP:]


def _held(data: bytes, has: Has) -> bool:
    binary = b"\0" in data
    return holds(data.decode("utf-8", "ignore"), has, binary=binary)
