"""alaya among other processes: pipes, terminals, signals, locales."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def test_recall_does_not_wait_for_a_silent_pipe(home: Path, environment: Any) -> None:
    """With a typed query an open standard input is not read, so nothing hangs."""
    process = subprocess.Popen(
        [sys.executable, "-m", "alaya", "recall", "Gateway", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(home),
    )
    assert process.stdout is not None
    assert process.stdin is not None
    out = process.stdout.read()
    assert process.wait(timeout=30) == 0
    process.stdin.close()
    process.stdout.close()
    assert json.loads(out)["nodes"]


@pytest.mark.parametrize(
    "locale",
    [
        {"LANG": "C"},
        {"LC_ALL": "C"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
)
def test_output_is_utf8_in_any_locale(home: Path, locale: dict[str, str], alaya: Run) -> None:
    """Chinese and ✓ are printed as UTF-8 though the locale knows only ASCII."""
    done = alaya(home, "status", "--lang", "zh", env=locale)
    assert done.status == 0
    assert "沉淀层" in done.out


def test_a_reader_that_leaves_is_no_error(home: Path, environment: Any) -> None:
    """`alaya … | head -1` ends quietly."""
    process = subprocess.Popen(
        [sys.executable, "-m", "alaya", "config", "list"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(home),
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=30) == 0
    process.stderr.close()


def test_a_terminal_gets_the_design_s_output(terminal: Callable[..., str]) -> None:
    """Emoji headings, colour and hints on a terminal; NO_COLOR takes only the colour."""
    shown = terminal(["recall", "Gateway plugins.allow"])
    assert "🔍" in shown
    assert "\x1b[1m" in shown
    assert "alaya trace card-" in shown
    plain = terminal(["status"], NO_COLOR="1")
    assert "📊" in plain
    assert "\x1b[" not in plain


def test_a_terminal_without_a_query_does_not_wait(terminal: Callable[..., str]) -> None:
    """recall with nothing to ask says so instead of waiting for the keyboard."""
    assert "--help" in terminal(["recall"])


def test_an_interruption_ends_with_130(tmp_path: Path, environment: Any) -> None:
    """Control-C while it reads from a pipe: one sentence, status 130, no traceback."""
    process = subprocess.Popen(
        [sys.executable, "-m", "alaya", "ingest", "-"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path / "home"),
    )
    assert process.stdin is not None
    assert process.stderr is not None
    until = time.monotonic() + 30
    while not (tmp_path / "home" / "alaya.db").exists() and time.monotonic() < until:
        time.sleep(0.02)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130
    assert process.stderr.read() == b"alaya: interrupted; nothing acknowledged is lost\n"
    process.stdin.close()
    process.stderr.close()


def test_a_terminal_is_asked_before_logs_are_taken(
    tmp_path: Path, files: list[str], terminal: Run, alaya: Run
) -> None:
    """--discover without --yes asks on a terminal; `n` takes nothing, `y` takes what was listed."""
    folder = tmp_path / ".claude" / "projects" / "-work-demo"
    folder.mkdir(parents=True)
    source = next(path for path in files if "claude-code" in path)
    (folder / "9b0e6a52-0000-4000-8000-000000000001.jsonl").write_bytes(Path(source).read_bytes())
    home = tmp_path / "home"
    env = {"ALAYA_HOME": str(home), "HOME": str(tmp_path)}
    assert "Nothing was taken" in terminal(["ingest", "--discover"], b"n\n", **env)
    assert alaya(home, "status", "--json").json["counts"].get("sessions", 0) == 0
    assert "Ingested" in terminal(["ingest", "--discover"], b"y\n", **env)
    assert alaya(home, "status", "--json").json["counts"]["sessions"] == 1
