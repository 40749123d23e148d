"""What the journeys share: how long they are, and work by other processes on a home."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import spoken
from worker import SETTINGS

from alaya import Memory

WORKER = Path(__file__).with_name("worker.py")
SOAK = os.environ.get("ALAYA_SOAK") == "1"


@pytest.fixture
def sized() -> Callable[[int, int], int]:
    """The short count in `make test`, the full one in `make soak`, for the same code."""
    return lambda short, full: full if SOAK else short


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


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """Start a worker on a home with steps."""
    begun: list[Process] = []

    def run(home: Path, steps: Sequence[Sequence[str]], *options: str) -> Process:
        plan = tmp_path / f"steps-{len(begun)}.json"
        plan.write_text(json.dumps(steps), encoding="utf-8")
        popen = subprocess.Popen(
            [sys.executable, "-W", "error", str(WORKER), str(home), str(plan), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        begun.append(Process(popen))
        return begun[-1]

    yield run
    for process in begun:
        process.popen.kill()
        process.end()


@dataclass(frozen=True)
class Done:
    """What a command printed, and how it ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def alaya() -> Callable[..., Done]:
    """Run the command on a home; by words alone, and with nothing left running behind it."""

    def run(
        home: Path, *argv: str, before: Callable[[], object] | None = None, **environ: str
    ) -> Done:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("ALAYA_", "LC_", "LANG"))}
        quiet = {"ALAYA_EMBEDDING_PROVIDER": "none", "ALAYA_EMBEDDING_BACKGROUND": "false"}
        done = subprocess.run(
            [sys.executable, "-W", "error", "-m", "alaya", *argv],
            env={**kept, "ALAYA_HOME": str(home), **quiet, **environ},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=100,
            preexec_fn=before,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def talks(tmp_path: Path) -> Callable[[int], list[Path]]:
    """So many session files."""
    folder = tmp_path / "talks"
    folder.mkdir()
    return lambda count: [spoken.write_session(folder, number) for number in range(count)]


@pytest.fixture
def opened() -> Callable[[Path], Memory]:
    """The memory of a home, by words alone, as the workers open it."""
    return lambda home: Memory.open(home, settings=SETTINGS)


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


@pytest.fixture
def contents() -> Callable[[Memory], Contents]:
    """Read everything from a memory, turns word for word from the archive."""
    from alaya.model.passage import Where
    from alaya.model.scope import Scope

    def read(memory: Memory) -> Contents:
        memory.status()
        parts, where = memory._parts, Where(memory.scope)
        turns = {}
        for state in parts.index.sessions(Scope(memory.scope.user)):
            places = parts.index.turns(memory.scope, state.session.id)
            turns[state.session.id] = [
                parts.archive.turn(
                    state.session, p.generation, offset=p.offset, length=p.length
                ).content
                for p in places
            ]
        found = [(link.source, link.relation, link.target) for link in parts.index.all_links(where)]
        cards = {card.id: card.text for card, _ in parts.index.find_cards(where)}
        return Contents(turns, cards, sorted(found))

    return read
