"""From what a user named to the sources it stands for: files, folders, patterns, streams."""

from __future__ import annotations

import glob
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from alaya.errors import InvalidInput, NotFound
from alaya.ingest.discover import is_log, logs_in

Named = str | Path | IO[bytes]


@dataclass(frozen=True)
class Source:
    """One thing to read. `found`: a folder or a pattern led to it, nobody named it."""

    name: str
    path: Path | None = None
    stream: IO[bytes] | None = None
    found: bool = False


def expand(named: Sequence[Named]) -> tuple[list[Source], list[str]]:
    """The sources, each once and in order, and the names that stand for nothing.

    `-` is the standard input. Raises NotFound where no name stands for anything, InvalidInput for
    an empty name: it would be the working folder.
    """
    sources: list[Source] = []
    missing: list[str] = []
    seen: set[str] = set()
    for one in named:
        found = list(_expand(one))
        if not found:
            missing.append(str(one))
        for source in found:
            if source.path is None or source.name not in seen:
                seen.add(source.name)
                sources.append(source)
    if missing and not sources:
        raise NotFound(f"no such file or folder, or nothing in it to read: {', '.join(missing)}")
    return sources, missing


def _expand(one: Named) -> Iterator[Source]:
    if not isinstance(one, str | Path):
        yield Source("-", stream=one)
        return
    if str(one) == "-":
        yield Source("-", stream=sys.stdin.buffer)
        return
    if one == "":
        raise InvalidInput("the name of a source is empty; `.` is the working folder")
    path = Path(one).expanduser()
    if path.is_dir():
        yield from (_source(log, found=True) for log in logs_in(path))
    elif path.exists() or path.is_symlink():
        yield _source(path)
    else:
        for name in sorted(glob.glob(str(path), recursive=True)):  # noqa: PTH207
            match = Path(name)
            if match.is_dir():
                yield from (_source(log, found=True) for log in logs_in(match))
            elif is_log(match):
                yield _source(match, found=True)


def _source(path: Path, *, found: bool = False) -> Source:
    try:
        resolved = path.resolve()
    except (OSError, RuntimeError):  # a loop of links: reading it says so
        resolved = path.absolute()
    return Source(str(resolved), resolved, found=found)
