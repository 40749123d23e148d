"""Several processes on one home at once: the normal state, not an edge case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from others import Contents, Process, Told

from alaya import Memory

Start = Callable[..., Process]
WRITERS, READERS = 4, 2
QUESTIONS = ("billing connection refused", "缓存 决定", "deploy Fridays", "Redis")


def heard(process: Process) -> tuple[Told, int, int, str]:
    """Listen to the end: what was acknowledged, how many verbs returned, status, complaints."""
    told, done = Told(), 0
    for line in process.lines():
        told.hear(line)
        done += "done" in line
        assert not line.get("parked"), line
    return told, done, *process.end()


def together(processes: list[Process]) -> list[tuple[Told, int, int, str]]:
    """Listen to all at once, or a full pipe would hold one of them up."""
    with ThreadPoolExecutor(len(processes)) as pool:
        return list(pool.map(heard, processes))


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_writers_and_readers_at_once(
    sized: Callable[[int, int], int],
    talks: Callable[[int], list[Path]],
    start: Start,
    opened: Callable[[Path], Memory],
    contents: Callable[[Memory], Contents],
    tmp_path: Path,
) -> None:
    """Four processes write 40 (soak: 250) times each while two recall: nothing is lost or locked.

    Every third write is a link, an ingest and the distillation of what was ingested.
    """
    writes, home = sized(40, 250), tmp_path / "home"
    each = writes // 3 + 1
    files = talks(WRITERS * each + 10)
    with opened(home) as memory:
        memory.ingest(*files[-10:])
        memory.distill()
        cards = sorted(contents(memory).cards)
        plain = {path: memory.ingest(path).sessions for path in files[-1:]}
    assert len(cards) >= 20
    assert plain[files[-1]] == ()
    ends = tmp_path / "enough"
    steps = [_writes(files[n * each : (n + 1) * each], cards, n, writes) for n in range(WRITERS)]
    readers = [
        start(home, [["recall", q] for q in QUESTIONS], "--until", str(ends))
        for _ in range(READERS)
    ]
    writers = [start(home, plan) for plan in steps]
    with ThreadPoolExecutor(READERS) as pool:
        reading = [pool.submit(heard, reader) for reader in readers]
        written = together(writers)
        ends.touch()
        read = [one.result() for one in reading]
    assert [(done, status, complaint) for _, done, status, complaint in written] == [
        (writes, 0, "")
    ] * WRITERS
    assert [(status, complaint) for *_, status, complaint in read] == [(0, "")] * READERS
    assert min(done for _, done, *_ in read) >= len(QUESTIONS)
    with opened(home) as memory:
        found = contents(memory)
        for told, *_ in written:
            assert found.holds(told) == []
        assert memory.verify().differences == ()
        assert [len(turns) for turns in found.turns.values()] == [6] * len(found.turns)
    print(f"{WRITERS} x {writes} writes beside {sum(done for _, done, *_ in read)} recalls")


def _writes(files: list[Path], cards: list[str], writer: int, count: int) -> list[list[str]]:
    """Ingest a file, distil all that is new, link two cards; in turn, so many writes."""
    steps: list[list[str]] = []
    for number, path in enumerate(files):
        one, other = cards[number % len(cards)], cards[(number + 1 + writer) % len(cards)]
        steps += [
            ["ingest", str(path)],
            ["distill_last"],
            ["link", one, other, f"OF_WRITER_{writer}_{number}"],
        ]
    return steps[:count]


@pytest.mark.soak
def test_four_processes_on_the_same_sessions(
    sized: Callable[[int, int], int],
    talks: Callable[[int], list[Path]],
    start: Start,
    opened: Callable[[Path], Memory],
    contents: Callable[[Memory], Contents],
    tmp_path: Path,
) -> None:
    """Four processes ingest and distil the same 8 (soak: 60) sessions: no double turns or cards."""
    files, home = talks(sized(8, 60)), tmp_path / "home"
    with opened(tmp_path / "alone") as memory:
        memory.ingest(*files)
        memory.distill()
        expected = contents(memory)
    steps = [step for path in files for step in (["ingest", str(path)], ["distill"])]
    results = together([start(home, steps) for _ in range(4)])
    assert [(status, complaint) for *_, status, complaint in results] == [(0, "")] * 4
    with opened(home) as memory:
        found = contents(memory)
        assert memory.verify().differences == ()
    assert found.turns == expected.turns
    assert Counter(found.cards.values()) == Counter(expected.cards.values())
    acknowledged = Counter(card for told, *_ in results for card in told.cards)
    assert max(acknowledged.values()) == 1, "two processes both said that they made a card"


def test_verify_while_others_write(
    talks: Callable[[int], list[Path]],
    start: Start,
    opened: Callable[[Path], Memory],
    tmp_path: Path,
) -> None:
    """What another process writes during a check is no difference."""
    files, home = talks(20), tmp_path / "home"
    with opened(home) as memory:
        memory.ingest(files[0])
        steps = [["ingest", str(path)] for path in files]
        ends = tmp_path / "enough"
        lines = (writer := start(home, steps, "--until", str(ends))).lines()
        next(lines)
        reports = [memory.verify() for _ in range(5)]
        ends.touch()
        told = [line for line in lines if "done" in line]
        assert writer.end() == (0, "")
    assert [report.differences for report in reports] == [()] * 5
    assert reports[0].records < reports[-1].records, "nothing was written meanwhile"
    assert len(told) >= len(files)
