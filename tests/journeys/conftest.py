"""What the journeys share: how long they are, and work by other processes on a home."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest
import spoken
from others import Contents, Done, Process
from worker import SETTINGS

from alaya import Memory

WORKER = Path(__file__).with_name("worker.py")
SOAK = os.environ.get("ALAYA_SOAK") == "1"


@pytest.fixture
def sized() -> Callable[[int, int], int]:
    """The short count in `make test`, the full one in `make soak`, for the same code."""
    return lambda short, full: full if SOAK else short


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


@pytest.fixture
def alaya_piped() -> Callable[..., Done]:
    """Run the command on a home with something on standard input; by words alone, and with
    nothing left running behind it."""

    def run(
        piped: bytes, home: Path, *argv: str, before: Callable[[], object] | None = None,
        **environ: str,
    ) -> Done:  # fmt: skip
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("ALAYA_", "LC_", "LANG"))}
        quiet = {"ALAYA_EMBEDDING_PROVIDER": "none", "ALAYA_EMBEDDING_BACKGROUND": "false"}
        done = subprocess.run(
            [sys.executable, "-W", "error", "-m", "alaya", *argv],
            env={**kept, "ALAYA_HOME": str(home), **quiet, **environ},
            input=piped,
            capture_output=True,
            check=False,
            timeout=100,
            preexec_fn=before,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def alaya(alaya_piped: Callable[..., Done]) -> Callable[..., Done]:
    """Run the command on a home, with nothing on standard input."""
    return partial(alaya_piped, b"")


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


@pytest.fixture
def contents() -> Callable[[Memory], Contents]:
    """Read everything from a memory, turns word for word from the archive."""
    from alaya.model.passage import Where
    from alaya.model.scope import Scope

    def read(memory: Memory) -> Contents:
        memory.status()
        parts, where = memory.parts, Where(memory.scope)
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
