"""Text files of rows and words beside this module: sections in brackets, `#` begins a comment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

Sections = Mapping[str, tuple[str, ...]]


def sections(name: str) -> Sections:
    """The lines of each section of a file, without comments and empty ones."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and line.endswith("]"):
            lines = found.setdefault(line[1:-1], [])
        elif line.strip() and not line.startswith("# ") and line != "#":
            lines.append(line)
    return {title: tuple(rows) for title, rows in found.items()}


def listed(lines: Iterable[str]) -> tuple[str, ...]:
    """The words of all lines, each once."""
    return tuple(dict.fromkeys(word for line in lines for word in line.split()))


def grouped(lines: Iterable[str]) -> dict[str, str]:
    """For each word behind a colon, in order, what stands before it."""
    pairs = (line.partition(": ") for line in lines)
    return {word: group for group, _, words in pairs for word in words.split()}
