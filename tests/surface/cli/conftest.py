"""Run `alaya` as a process on a real home."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

SESSIONS = Path(__file__).parents[3] / "examples" / "sessions"


@dataclass(frozen=True)
class Done:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def environment_for(home: Path, **more: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ALAYA_", "LC_", "LANG"))}
    return {
        **kept,
        "ALAYA_HOME": str(home),
        "ALAYA_EMBEDDING_PROVIDER": "none",
        "ALAYA_EMBEDDING_BACKGROUND": "false",
        "HOME": str(home.parent),
        **more,
    }


def run_alaya(
    home: Path, *argv: str, stdin: bytes | None = None, env: dict[str, str] | None = None
) -> Done:
    """Run the command with this home; without `stdin` it is closed."""
    done = subprocess.run(
        [sys.executable, "-m", "alaya", *argv],
        stdin=subprocess.DEVNULL if stdin is None else None,
        input=stdin,
        capture_output=True,
        check=False,
        timeout=60,
        env=environment_for(home, **(env or {})),
    )
    return Done(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))


@pytest.fixture(scope="session")
def files() -> list[str]:
    """The example sessions, in several formats."""
    return sorted(str(path) for path in SESSIONS.iterdir())


@pytest.fixture(scope="session")
def alaya() -> Callable[..., Done]:
    """`alaya(home, *argv, stdin=…, env=…)`."""
    return run_alaya


@pytest.fixture(scope="session")
def environment() -> Callable[..., dict[str, str]]:
    """The environment in which the tests run alaya on a home."""
    return environment_for


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, files: list[str]) -> Path:
    """A home in which the example sessions were ingested and distilled."""
    home = tmp_path_factory.mktemp("surface") / "home"
    assert run_alaya(home, "init").status == 0
    assert run_alaya(home, "ingest", *files).status == 0
    assert run_alaya(home, "distill").status == 0
    return home


@pytest.fixture(scope="module")
def cards(home: Path) -> list[dict[str, Any]]:
    """The cards that a question finds."""
    found: list[dict[str, Any]] = run_alaya(home, "recall", "Gateway plugins.allow", "--json").json[
        "nodes"
    ]
    assert found
    return found


@pytest.fixture
def terminal(home: Path) -> Callable[..., str]:
    """Run a command on a pseudo-terminal and return all that it showed."""

    def run(argv: Sequence[str], keys: bytes = b"", **env: str) -> str:
        descriptor, other = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "alaya", *argv],
            stdin=other,
            stdout=other,
            stderr=other,
            start_new_session=True,
            env=environment_for(home, **{"TERM": "xterm", **env}),
        )
        os.close(other)
        if keys:
            os.write(descriptor, keys)
        shown, until = b"", time.monotonic() + 60
        while time.monotonic() < until:
            if select.select([descriptor], [], [], 0.2)[0]:
                try:
                    data = os.read(descriptor, 65536)
                except OSError:  # how Linux says that the other side has closed
                    break
                if not data:
                    break
                shown += data
        else:
            process.kill()
        process.wait(timeout=30)
        os.close(descriptor)
        return shown.decode("utf-8", "replace")

    return run
