"""Hooks of agents: what is remembered in time or nothing, and the talk is kept behind it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import served
from served import call, over_stdio, run

from alaya import Memory

OFF = {"embedding.provider": "none", "embedding.background": False}
SAID = "We decided to run the gateway under systemd, because Docker restarts lost its tokens."
LOG = Path(__file__).parents[2] / "examples/sessions/claude-code-docker-port.jsonl"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home that knows one decision."""
    with Memory.open(tmp_path / "home", settings=OFF) as memory:
        memory.add(SAID, session="s", distill=True)
    return tmp_path / "home"


def hook(home: Path, event: str, data: object, *argv: str) -> str:
    """What a hook prints; it never fails, and never writes to the agent's standard error."""
    waiting = ["--set", "mcp.hook_seconds=60"]  # the machine may be busy
    command = [sys.executable, "-m", "alaya", "hook", event, "--home", str(home), *waiting, *argv]
    done = subprocess.run(
        command,
        input=data if isinstance(data, bytes) else json.dumps(data).encode(),
        capture_output=True,
        env=served.environ(),
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def test_a_warm_server_answers(home: Path) -> None:
    """A server of the same scope answers a hook, with citations, each thing once a session; another
    user's hook it does not answer."""
    asked = {"prompt": "How does the gateway run?", "session_id": "a"}

    async def talk() -> None:
        async with over_stdio(home) as client:
            await call(client, "recall", query="gateway")  # it is warm now
            told = hook(home, "prompt", asked)
            assert "systemd" in told
            assert "[card-" in told
            again = hook(home, "prompt", asked)
            assert "[card-" not in again
            assert "systemd" in hook(home, "session-start", {"cwd": "/src/gateway"})
            assert hook(home, "prompt", {**asked, "session_id": "b"}, "--user", "bob") == ""
            assert hook(home, "prompt", {"prompt": "Zebras?"}) == ""

    run(talk)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"prompt": 3}', b'{"cwd": null}'])
def test_odd_events(data: bytes, home: Path) -> None:
    """An event that says nothing gets nothing, without an error."""
    assert hook(home, "prompt", data) == ""


def test_rather_nothing_than_late(home: Path) -> None:
    """A hook without time says nothing; with time, and without a server, it looks itself."""
    asked = {"prompt": "How does the gateway run?"}
    assert hook(home, "prompt", asked, "--set", "mcp.hook_seconds=0") == ""
    assert "systemd" in hook(home, "prompt", asked)


def test_a_new_home(tmp_path: Path) -> None:
    """Where nothing is remembered, a hook makes nothing and says nothing."""
    assert hook(tmp_path / "none", "prompt", {"prompt": "gateway"}) == ""
    assert not (tmp_path / "none" / "alaya.db").exists()


def test_the_talk_is_kept(home: Path, tmp_path: Path) -> None:
    """At its end the transcript is taken in and distilled, after the hook has returned."""
    log = tmp_path / LOG.name
    shutil.copy(LOG, log)
    assert hook(home, "session-end", {"transcript_path": str(log)}) == ""
    assert hook(home, "session-end", {"transcript_path": str(tmp_path / "gone.jsonl")}) == ""
    until = time.monotonic() + 60
    with Memory.open(home, settings=OFF) as memory:
        while len(memory.cards()) < 2 and time.monotonic() < until:
            time.sleep(0.2)
        assert len(memory.sessions()) == 2
        assert len(memory.cards()) >= 2
