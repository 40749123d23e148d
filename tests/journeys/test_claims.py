"""Two processes that distil at once: a model is asked once, and a crash frees what was claimed."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import modelled
import pytest
import spoken
from others import Process

from alaya import Memory
from alaya.cli.language import messages, sayer
from alaya.cli.page import Page
from alaya.cli.show_distill import distill_lines
from alaya.model.report import Outcome
from alaya.testing.http_server import Answer

LONG = 30.0  # seconds that the model thinks; nobody waits for them


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_session_is_asked_about_by_one_process(
    lang: str, start: Callable[..., Process], tmp_path: Path
) -> None:
    """While one waits for the model another one leaves the session to it, and says so; once the
    first was killed, the second takes it."""
    home, asked = tmp_path / "home", threading.Event()

    def script(number: int, request: dict[str, Any]) -> Answer:
        asked.set()
        return Answer(wait=LONG) if number == 1 else Answer()

    with modelled.echoing(script) as server:
        settings = modelled.settings(server)
        with Memory.open(home, settings=settings) as memory:
            memory.ingest(spoken.write_session(tmp_path, 0))
            first = start(home, [["distill"]], "--settings", json.dumps(settings))
            assert asked.wait(60)
            report = memory.distill()
            assert [one.outcome for one in report.sessions] == [Outcome.CLAIMED]
            assert (len(server.requests), report.failed) == (1, False)
            page = Page(sayer(messages(lang)), lang)
            words = {"en": "Left to another process", "zh": "另一个进程"}
            assert words[lang] in "\n".join(distill_lines(report, page))
            assert memory.distill(rules=True, dry_run=True).count(Outcome.WAITING) == 1

            first.popen.kill()
            first.end()
            again = memory.distill()
            assert again.cards
            assert len(server.requests) == 2
            assert memory.distill().count(Outcome.UNCHANGED) == 1
    assert list((home / "state" / "claims").iterdir()) == []


def test_two_that_begin_together_share_the_work(
    start: Callable[..., Process], tmp_path: Path
) -> None:
    """Each session is asked about once, whoever does it, and all are distilled in the end."""
    home, talks = tmp_path / "home", [spoken.write_session(tmp_path, n) for n in range(4)]
    with modelled.echoing(lambda number, request: Answer(wait=0.3)) as server:
        settings = modelled.settings(server, window_tokens=400, max_concurrency=1)
        with Memory.open(home, settings=settings) as memory:
            memory.ingest(*talks)
            calls = memory.distill(dry_run=True).estimate
            options = ("--settings", json.dumps(settings))
            both = [start(home, [["distill"]], *options) for _ in range(2)]
            assert [process.end() for process in both] == [(0, "")] * 2
            assert calls is not None
            assert len(server.requests) == calls.calls
            assert memory.distill(dry_run=True).count(Outcome.WAITING) == 0
