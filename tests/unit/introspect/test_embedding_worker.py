"""The one background worker of a home."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from alaya.introspect import embed_worker
from alaya.introspect.embed_worker import (
    LOCK,
    LOG,
    Pace,
    WorkerReport,
    only_worker,
    run_worker,
    start_detached,
    worker_pid,
    worker_status,
)
from alaya.testing.embedder import HashingEmbedder

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
TEXTS = [f"Number {i} is about {word}." for i in range(15) for word in ("cats", "trains", "rain")]


def run(home: Any, embedder: HashingEmbedder, pace: Pace | None = None) -> WorkerReport:
    return run_worker(
        home.path,
        home.archive,
        index=home.index,
        embedder=embedder,
        clock=lambda: NOW,
        pace=pace or Pace(),
    )


def test_works_and_calibrates(home: Any) -> None:
    """A worker embeds all there is, writes the calibration to the journal, and is idle then."""
    home.say(TEXTS)
    embedder = HashingEmbedder()
    backlog = home.index.pending_count(embedder.name)
    report = run(home, embedder)
    assert report == WorkerReport(done=backlog, left=0, calibrated=True)
    assert "latin|latin" in home.index.calibration(embedder.name)
    assert worker_status(home.path) == "idle"
    again = run(home, embedder)
    assert again == WorkerReport()
    assert (home.path / LOCK).stat().st_mode & 0o777 == 0o600


def test_limit(home: Any) -> None:
    """With a limit it leaves the rest and says how much."""
    home.say(TEXTS)
    embedder = HashingEmbedder()
    backlog = home.index.pending_count(embedder.name)
    report = run(home, embedder, Pace(batch=4, limit=10))
    assert (report.done, report.left) == (10, backlog - 10)


def test_second_leaves(home: Any) -> None:
    """While one works a second one leaves at once, says who is at it, and does nothing."""
    home.say(TEXTS[:5])
    embedder = HashingEmbedder()
    with only_worker(home.path) as alone:
        assert alone
        assert worker_pid(home.path) == os.getpid()
        assert worker_status(home.path) == f"running ({os.getpid()})"
        report = run(home, embedder)
        assert report.other == os.getpid()
        assert report.done == 0
        assert report.left > 0
        assert start_detached(home.path) == f"running ({os.getpid()})"
    assert embedder.calls == (0, 0)
    assert run(home, embedder).other is None


def test_comes_back_for_what_came_late(home: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What came after its last look, from one who saw the lock still held, is embedded too."""
    held: list[int] = []

    @contextlib.contextmanager
    def leaving(path: Path) -> Iterator[bool]:
        with only_worker(path) as alone:
            yield alone
            held.append(1)
            if len(held) == 1:
                home.say(TEXTS[5:9], "late")
                assert start_detached(home.path).startswith("running")

    monkeypatch.setattr(embed_worker, "only_worker", leaving)
    home.say(TEXTS[:5])
    report = run(home, HashingEmbedder())
    assert len(held) == 2
    assert report.left == 0
    assert home.index.pending_count("hashing/256") == 0


def test_stop(home: Any) -> None:
    """A worker that is told to stop does, and leaves no lock behind."""
    home.say(TEXTS)
    report = run(home, HashingEmbedder(), Pace(stop=lambda: True))
    assert report.done == 0
    assert report.left > 0
    assert worker_status(home.path) == "idle"


def test_crash_frees_the_lock(home: Any) -> None:
    """The lock of a killed worker is gone with it."""
    code = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from alaya.introspect.embed_worker import only_worker\n"
        "with only_worker(Path(sys.argv[1])) as alone:\n"
        "    print(alone, flush=True)\n"
        "    time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(home.path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "True"
        assert worker_pid(home.path) == process.pid
        process.kill()
    assert worker_status(home.path) == "idle"
    with only_worker(home.path) as alone:
        assert alone


def test_a_look_does_not_keep_a_worker_out(home: Any) -> None:
    """Asking for the status, however often, never makes a starting worker leave."""
    done = threading.Event()
    (home.path / "state").mkdir(exist_ok=True)
    (home.path / LOCK).touch()

    def look() -> None:
        while not done.is_set():
            worker_status(home.path)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        for _ in range(20):
            with only_worker(home.path) as alone:
                assert alone
    finally:
        done.set()
        thread.join()


def test_detached(home: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A detached worker is a session of its own, writes to the log, and is reaped at its end."""
    code = "import os; print(os.getpid() == os.getsid(0), os.environ['OMP_NUM_THREADS'])"
    started: list[subprocess.Popen[bytes]] = []
    real = subprocess.Popen

    def popen(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
        assert command[1:] == ["-m", "alaya", "embed", "--worker", "--home", str(home.path), "-q"]
        started.append(real([sys.executable, "-c", code], **options))
        return started[0]

    monkeypatch.setattr(embed_worker.subprocess, "Popen", popen)
    assert start_detached(home.path, ["-q"]) == "started"
    log = home.path / LOG
    for _ in range(200):
        if started[0].returncode is not None and log.stat().st_size:
            break
        time.sleep(0.05)
    assert started[0].returncode == 0
    assert log.read_text() == "True 1\n"
    assert log.stat().st_mode & 0o777 == 0o600


def test_log_is_bounded(home: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that has grown too long is begun anew."""
    log = home.path / LOG
    log.parent.mkdir(exist_ok=True)
    log.write_bytes(b"x" * 1_000_001)
    real = subprocess.Popen
    monkeypatch.setattr(
        embed_worker.subprocess,
        "Popen",
        lambda command, **options: real([sys.executable, "-c", "pass"], **options),
    )
    assert start_detached(home.path) == "started"
    assert log.stat().st_size == 0


def test_cannot_start(tmp_path: Path) -> None:
    """Where no process or log can be made, that is said and nothing fails."""
    (tmp_path / "home").write_text("a file")
    assert start_detached(tmp_path / "home").startswith("not started: ")
