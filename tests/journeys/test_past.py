"""Undo and rollback by real processes: killed anywhere, and two at once."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from others import Process

from alaya import Memory
from alaya.model.held import Held

Start = Callable[..., Process]


@pytest.fixture
def lived(
    talks: Callable[[int], list[Path]], opened: Callable[[Path], Memory], tmp_path: Path
) -> Path:
    """A home in which two sessions were ingested and distilled."""
    with opened(tmp_path / "lived") as memory:
        for path in talks(2):
            memory.ingest(path)
            memory.distill()
    return tmp_path / "lived"


def held(memory: Memory) -> Held:
    """All that is held of what was ever touched."""
    index, scope = memory.parts.index, memory.scope
    memory.parts.follow()
    return index.held(index.touched(0, scope), scope)


def clean(memory: Memory) -> list[str]:
    return [f"{d.layer} {d.what} {d.where}" for d in memory.verify().differences]


@pytest.mark.parametrize("step", [["rollback", "#1"], ["undo"]])
def test_killed(
    sized: Callable[[int, int], int],
    lived: Path,
    start: Start,
    opened: Callable[[Path], Memory],
    tmp_path: Path,
    step: list[str],
) -> None:
    """Killed at a write, the memory holds what it held before or after, whole, and verifies."""
    with opened(lived) as memory:
        before = held(memory)
    done = tmp_path / "done"
    shutil.copytree(lived, done)
    *_, final = start(done, [step], "--count").lines()
    with opened(done) as memory:
        after = held(memory)
        assert after != before
    points = range(1, final["count"] + 1)
    chosen = points[:: max(1, len(points) // sized(6, len(points)))]
    found = set()
    for point in chosen:
        home = tmp_path / f"home-{point}"
        shutil.copytree(lived, home)
        process = start(home, [step], "--die-at", str(point))
        list(process.lines())
        assert process.end()[0] == -9, f"point {point} of {len(points)} was not reached"
        with opened(home) as memory:
            now = held(memory)
            assert now in (before, after), f"{step}, point {point}"
            assert clean(memory) == [], f"{step}, point {point}"
            found.add(now == after)
            if now == before:
                memory.rollback("#1") if step[0] == "rollback" else memory.undo()
                assert held(memory) == after
        shutil.rmtree(home)
    assert False in found


def test_two_at_once(lived: Path, start: Start, opened: Callable[[Path], Memory]) -> None:
    """Two processes that undo undo each record once; of one record, one of them is told so."""
    with opened(lived) as memory:
        records = {one.seq for one in memory.changes(100)}
        before = held(memory)
    processes = [start(lived, [["undo"]] * 3) for _ in range(2)]
    told = [line for process in processes for line in process.lines()]
    ended = [process.end() for process in processes]
    undone = [seq for line in told for seq in line.get("undone", ())]
    assert len(undone) == len(set(undone)) == min(6, len(records))
    assert all(status == 0 or "nothing to undo" in why for status, why in ended)
    with opened(lived) as memory:
        again = [one.seq for one in memory.changes(100) if one.undoes]
        for seq in again:
            memory.undo(seq=seq)
        assert held(memory) == before
        last = max(records)
    processes = [start(lived, [["undo", str(last)]]) for _ in range(2)]
    told = [line for process in processes for line in process.lines()]
    ended = [process.end() for process in processes]
    assert [line["undone"] for line in told if "undone" in line] == [[last]]
    assert sum("was undone by" in why for _, why in ended) == 1
    with opened(lived) as memory:
        assert clean(memory) == []
