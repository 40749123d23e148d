"""A process that is killed anywhere: what it acknowledged is there, and the same verb goes on."""

from __future__ import annotations

import itertools
import random
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import pytest
from others import Contents, Process, Told

from alaya import Memory

Start = Callable[..., Process]
Step = list[str]
VERBS = ("ingest", "distill", "link")


@pytest.fixture
def plan(
    talks: Callable[[int], list[Path]],
    opened: Callable[[Path], Memory],
    contents: Callable[[Memory], Contents],
    tmp_path: Path,
) -> Callable[[int], tuple[list[Step], Contents]]:
    """Steps over so many sessions (ingest, distill, link), and what an undisturbed run leaves."""

    def make(count: int) -> tuple[list[Step], Contents]:
        steps: list[Step] = []
        with opened(tmp_path / "undisturbed") as memory:
            before = ""
            for path in talks(count):
                (taken,) = memory.ingest(path).sessions
                (done,) = memory.distill(taken.session.id).sessions
                steps += [["ingest", str(path)], ["distill", taken.session.id]]
                card = done.cards[0][0]
                if before:
                    memory.link(card, before, relation="RELATES_TO")
                    steps.append(["link", card, before, "RELATES_TO"])
                before = card
            return steps, contents(memory)

    return make


def clean(memory: Memory) -> list[str]:
    return [f"{d.layer} {d.what} {d.where}" for d in memory.verify().differences]


@pytest.mark.soak
def test_killed_at_random_points(
    sized: Callable[[int, int], int],
    plan: Callable[[int], tuple[list[Step], Contents]],
    start: Start,
    opened: Callable[[Path], Memory],
    contents: Callable[[Memory], Contents],
    tmp_path: Path,
) -> None:
    """Killed 12 (soak: 50) times, most times inside a verb, a home stays clean and loses nothing.

    After each kill `verify` is clean and everything acknowledged is there; the same verb run again
    completes the work; at the end the home holds exactly what an undisturbed one holds.
    """
    kills, wanted = sized(12, 50), sized(7, 30)
    steps, expected = plan(kills + 4)
    home, told, rng = tmp_path / "home", Told(), random.Random(4)
    at, inside = 0, dict.fromkeys(VERBS, 0)
    took = {verb: [0.01] for verb in VERBS}
    for _ in range(kills):
        assert at < len(steps)
        entered, done = _killed(start(home, steps[at:]), steps[at:], told, rng, took)
        if entered > done:
            inside[steps[at + entered][0]] += 1
        with opened(home) as memory:
            assert clean(memory) == []
            assert contents(memory).holds(told) == []
        at += done + 1  # the verb that was cut short is run again
    status, complaint = _finished(start(home, steps[at:]), told)
    assert (status, complaint) == (0, "")
    with opened(home) as memory:
        assert clean(memory) == []
        assert contents(memory) == expected
        assert contents(memory).holds(told) == []
    print(f"{kills} kills, {sum(inside.values())} inside a verb: {inside}")
    assert sum(inside.values()) >= wanted


def _killed(
    process: Process,
    steps: Sequence[Step],
    told: Told,
    rng: random.Random,
    took: dict[str, list[float]],
) -> tuple[int, int]:
    """Let a worker enter up to five verbs and kill it; the last it entered and the last it did.

    It is killed within the time that the verb takes as a rule, which `took` collects.
    """
    lines, wait = process.lines(), rng.randint(0, 4)
    entered, done, since = -1, -1, time.monotonic()
    for line in lines:
        if "enter" in line:
            entered, since = line["enter"], time.monotonic()
            if entered >= min(wait, len(steps) - 1):
                time.sleep(rng.uniform(0, 0.8 * median(took[steps[entered][0]])))
                process.popen.kill()
                break
        else:
            done = line["done"]
            took[steps[done][0]].append(time.monotonic() - since)
            told.hear(line)
    for line in lines:  # what it had still said
        entered, done = max(entered, line.get("enter", -1)), max(done, line.get("done", -1))
        told.hear(line)
    process.end()
    return entered, done


def _finished(process: Process, told: Told) -> tuple[int, str]:
    for line in process.lines():
        told.hear(line)
    return process.end()


@pytest.mark.soak
@pytest.mark.parametrize("verb", VERBS)
def test_killed_at_every_step_to_the_disk(
    verb: str,
    sized: Callable[[int, int], int],
    plan: Callable[[int], tuple[list[Step], Contents]],
    start: Start,
    opened: Callable[[Path], Memory],
    contents: Callable[[Memory], Contents],
    tmp_path: Path,
) -> None:
    """Killed at its n-th write, fsync, rename or statement, a verb is whole, undone or healed.

    n runs over 5 points of each verb, in the soak over all; half of a killed write is written.
    """
    steps, expected = plan(2)
    last = max(n for n, step in enumerate(steps) if step[0] == verb)
    template, told = tmp_path / "template", Told()
    _finished(start(template, steps[:last]), told)
    counted = Told()
    shutil.copytree(template, tmp_path / "counted")
    *_, final = start(tmp_path / "counted", [steps[last]], "--count").lines()
    points = range(1, final["count"] + 1)
    chosen = points[:: max(1, len(points) // sized(5, len(points)))]
    for point in chosen:
        home = tmp_path / f"home-{point}"
        shutil.copytree(template, home)
        process = start(home, [steps[last]], "--die-at", str(point))
        seen = Told(dict(told.turns), set(told.cards), set(told.links))
        status, _ = _finished(process, seen)
        assert status == -9, f"point {point} of {len(points)} was not reached"
        with opened(home) as memory:
            assert clean(memory) == [], f"{verb}, point {point}"
            assert contents(memory).holds(seen) == [], f"{verb}, point {point}"
        status, complaint = _finished(start(home, steps[last:]), counted)
        assert (status, complaint) == (0, "")
        with opened(home) as memory:
            assert contents(memory) == expected, f"{verb}, point {point}"
            assert clean(memory) == []
        shutil.rmtree(home)
    print(f"{verb}: killed at {len(chosen)} of {len(points)} points")


def test_the_worker_says_what_it_did(
    talks: Callable[[int], list[Path]], start: Start, tmp_path: Path
) -> None:
    """The tests above rest on this: an acknowledgement follows each verb, with what it made."""
    (path,) = talks(1)
    steps = [["ingest", str(path)], ["distill"], ["recall", "billing"]]
    lines = list(start(tmp_path / "home", steps).lines())
    told = Told()
    for line in lines:
        told.hear(line)
    assert [next(iter(line)) for line in lines] == list(
        itertools.islice(itertools.cycle(("enter", "done")), 6)
    )
    assert lines[-1]["hits"]
    assert list(told.turns.values()) == [6]
    assert told.cards
