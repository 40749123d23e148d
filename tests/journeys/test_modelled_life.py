"""Distilling with a model in a whole life: killed and resumed, rebuilt, out of budget, and real."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import modelled
import pytest
import spoken
from others import Contents, Done, Process

from alaya import Memory
from alaya.testing.http_server import Answer, Server

QUOTES = '"'
TALKS = 5
SMALL = {"window_tokens": 400}  # about a talk in a call
Start = Callable[..., Process]
Read = Callable[[Memory], Contents]


def held(found: Contents) -> tuple[Any, ...]:
    """What a home holds, without ids: they come from the model's address, which changes."""
    relations = Counter(relation for _, relation, _ in found.links)
    return found.turns, sorted(found.cards.values()), relations


def undisturbed(folder: Path, contents: Read) -> tuple[Any, int]:
    """What a home holds that nobody kills, and how many calls that takes."""
    with modelled.echoing() as server:
        settings = modelled.settings(server, **SMALL)
        with Memory.open(folder / "undisturbed", settings=settings) as memory:
            memory.ingest(*talks(folder))
            assert not memory.distill().failed
            return held(contents(memory)), len(server.requests)


def talks(folder: Path) -> list[Path]:
    found = []
    for number in range(TALKS):
        path = folder / f"talk-{number:04d}.jsonl"
        found.append(path if path.exists() else spoken.write_session(folder, number))
    return found


def again(server: Server) -> Counter[str]:
    """How often each question was asked beyond once."""
    asked = Counter(modelled.asked(request) for request in server.requests)
    return Counter({question: times - 1 for question, times in asked.items() if times > 1})


def test_killed_while_a_model_writes(
    start: Start, contents: Read, opened: Any, tmp_path: Path
) -> None:
    """Killed at its third question, and resumed: only that one is asked a second time."""
    expected, calls = undisturbed(tmp_path, contents)
    assert calls > 3
    home, running = tmp_path / "home", []

    def script(number: int, request: dict[str, Any]) -> Answer:
        if number == 3:
            os.kill(running[0].popen.pid, signal.SIGKILL)
        return Answer()

    with modelled.echoing(script) as server:
        options = ("--settings", json.dumps(modelled.settings(server, max_concurrency=1, **SMALL)))
        steps = [["ingest", str(path)] for path in talks(tmp_path)]
        for step in (steps, [["distill"]], [["distill"]]):
            process = start(home, step, *options)
            running[:] = [process]
            list(process.lines())
            process.end()
        assert len(server.requests) == calls + 1
        assert again(server).total() == 1
    with opened(home) as memory:
        assert held(contents(memory)) == expected
        assert memory.verify().differences == ()


@pytest.mark.soak
def test_killed_at_steps_to_the_disk(
    sized: Callable[[int, int], int], start: Start, contents: Read, opened: Any, tmp_path: Path
) -> None:
    """Killed at its n-th write, fsync, rename or statement and resumed: nothing is paid twice.

    But for one answer that had come and was not yet written. n runs over 3 points, in the soak 40.
    """
    expected, calls = undisturbed(tmp_path, contents)
    with modelled.echoing() as server:
        more = modelled.settings(server, max_concurrency=1, **SMALL)
        options = ("--settings", json.dumps(more))
        steps = [["ingest", str(path)] for path in talks(tmp_path)]
        start(tmp_path / "ingested", steps, *options).end()
        shutil.copytree(tmp_path / "ingested", tmp_path / "counted")
        *_, last = start(tmp_path / "counted", [["distill"]], *options, "--count").lines()
        points = range(5, last["count"], max(1, last["count"] // sized(3, 40)))
        for point in points:
            home = tmp_path / f"home-{point}"
            shutil.copytree(tmp_path / "ingested", home)
            server.requests.clear()
            assert start(home, [["distill"]], *options, "--die-at", str(point)).end()[0] == -9
            assert start(home, [["distill"]], *options).end() == (0, "")
            assert again(server).total() <= 1, point
            assert len(server.requests) <= calls + 1, point
            with opened(home) as memory:
                assert held(contents(memory)) == expected, point
                assert memory.verify().differences == ()


def test_rebuilt_without_a_call(contents: Read, tmp_path: Path) -> None:
    """The journal gives the same L2 row by row, after new versions too, and no model is asked."""
    with modelled.echoing() as server:
        settings = modelled.settings(server)
        with Memory.open(tmp_path / "home", settings=settings) as memory:
            memory.ingest(*talks(tmp_path))
            first = memory.distill()
            prompt = tmp_path / "home" / "prompts" / "distill.zh.txt"
            other = prompt if prompt.exists() else prompt.with_name("distill.txt")
            other.write_text(other.read_text("utf-8") + "\n只写一句。", "utf-8")
        with Memory.open(tmp_path / "home", settings=settings) as memory:
            asked = len(server.requests)
            report = memory.distill(redistill=True)
            assert len(server.requests) > asked  # another prompt is another question
            assert (report.cards, report.revised) == (0, 0)  # the same words
            before, asked = contents(memory), len(server.requests)
            index = memory.parts.index
            rows = list(index.fingerprint())
            memory.rebuild()
            assert list(index.fingerprint()) == rows
            assert contents(memory) == before
            assert len(before.cards) == first.cards
            assert len(server.requests) == asked


def test_the_command_says_what_happened(alaya: Callable[..., Done], tmp_path: Path) -> None:
    """Dry run, budget, outage, a bad answer and the rest: what is said, and the exit status."""
    home = tmp_path / "home"

    def script(number: int, request: dict[str, Any]) -> Answer:
        return Answer(body=b"{}") if broken else Answer()

    with modelled.echoing(script) as server:
        more = {**modelled.settings(server, **SMALL), "distill.tries": 1}
        texts = {name: json.dumps(value).strip(QUOTES) for name, value in more.items()}
        options = [word for item in texts.items() for word in ("--set", "=".join(item))]
        alaya(home, "ingest", *map(str, talks(tmp_path)))
        dry = alaya(home, "distill", "--dry-run", *options)
        assert (dry.status, server.requests) == (0, [])
        assert f"To distil: {TALKS} sessions" in dry.out
        assert "At most" in dry.out
        poor = alaya(home, "distill", *options, "--set", "distill.max_tokens_per_day=100")
        assert (poor.status, server.requests) == (1, [])
        assert "Stopped: distill.max_tokens_per_day is 100" in poor.out
        broken = True
        down = alaya(home, "distill", *options)
        assert down.status == 3
        assert "Distillation complete" not in down.out
        assert f"{TALKS} sessions left" in down.out
        broken = False
        done = alaya(home, "distill", *options, "--lang", "zh")
        assert done.status == 0, done.err
        assert "提炼完成" in done.out
        assert "/echo 提炼" in done.out
        assert "Parked" not in alaya(home, "status").out
        rules = alaya(home, "distill", "--rules", *options)
        assert "by rules, as was asked" in rules.out
        path = home / "prompts" / "distill.zh.txt"
        path.write_text("{{nonsense}}", "utf-8")
        wrong = alaya(home, "distill", "--redistill", *options, "--lang", "zh")
        assert wrong.status == 1
        assert str(path) in wrong.err
        assert "{{nonsense}}" in wrong.err
