"""Other processes on a home: what they say, what they leave, and what a home then holds."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Told:
    """What workers acknowledged."""

    turns: dict[str, int] = field(default_factory=dict)
    cards: set[str] = field(default_factory=set)
    links: set[tuple[str, ...]] = field(default_factory=set)

    def hear(self, line: dict[str, Any]) -> None:
        for session, count in line.get("turns", {}).items():
            self.turns[session] = max(count, self.turns.get(session, 0))
        self.cards.update(line.get("cards", ()))
        self.links.update(tuple(link) for link in line.get("links", ()))


@dataclass(frozen=True)
class Process:
    """A worker that is at it."""

    popen: subprocess.Popen[bytes]

    def lines(self) -> Iterator[dict[str, Any]]:
        assert self.popen.stdout is not None
        for line in self.popen.stdout:
            if line.endswith(b"\n"):  # half a line was not said
                yield json.loads(line)

    def end(self) -> tuple[int, str]:
        """Wait for it; its status, and what it complained of."""
        assert self.popen.stderr is not None
        assert self.popen.stdout is not None
        complaint = "" if self.popen.stderr.closed else self.popen.stderr.read().decode()
        status = self.popen.wait()
        self.popen.stdout.close()
        self.popen.stderr.close()
        return status, complaint


@dataclass(frozen=True)
class Done:
    """What a command printed, and how it ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True)
class Contents:
    """Everything that a home holds, by name."""

    turns: dict[str, list[str]]
    cards: dict[str, str]
    links: list[tuple[str, str, str]]

    def holds(self, told: Told) -> list[str]:
        """What was acknowledged and is missing."""
        missing = [
            f"turns of {session}: {len(self.turns.get(session, ()))} of {count}"
            for session, count in told.turns.items()
            if len(self.turns.get(session, ())) < count
        ]
        missing += sorted(told.cards - set(self.cards))
        return missing + [str(link) for link in sorted(told.links) if not self._has(link)]

    def _has(self, link: tuple[str, ...]) -> bool:
        source, relation, target = link
        return (source, relation, target) in self.links or (
            (target, relation, source) in self.links and relation in ("SIMILAR_TO", "CONTRADICTS")
        )
