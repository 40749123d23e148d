"""Streams that are closed or full, and words that cannot be understood, as a process meets them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def shell(tmp_path, environment):
    """Run `alaya` through a shell, for its redirections; returns the finished process."""

    def run(line: str, **env: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            ["sh", "-c", f'"$PYTHON" -m alaya {line}'],
            capture_output=True,
            check=False,
            timeout=60,
            cwd=tmp_path,
            env=environment(tmp_path / "home", PYTHON=sys.executable, **env),
        )

    return run


def said(done: subprocess.CompletedProcess[bytes]) -> str:
    text = done.stderr.decode()
    assert "Traceback" not in text
    assert "fault" not in text
    return text


@pytest.mark.parametrize(
    "line",
    ["status", "status --json", "--help", "--version", "init", "ingest s.json", "config list"],
)
@pytest.mark.parametrize("closed", [">&-", "<&- >&-", "<&- >&- 2>&-"])
def test_closed_output(shell, tmp_path, line, closed) -> None:
    """A closed standard output is like a reader that has left: the work is done, quietly."""
    (tmp_path / "s.json").write_text('{"id":"s","turns":[{"role":"user","content":"hello"}]}')
    done = shell(f"{line} {closed}")
    assert (done.returncode, said(done)) == (0, "")
    if line.startswith("ingest"):
        found = shell("verify")
        assert found.returncode == 0, "nothing was printed into the database"
        assert b"1" in shell("status").stdout


def test_closed_input(shell) -> None:
    """A closed standard input holds nothing, and that is said."""
    done = shell("ingest - <&-")
    assert (done.returncode, done.stdout) == (1, b"")
    assert "standard input is closed" in said(done)
    done = shell("recall <&-")
    assert done.returncode == 2
    assert "needs a query" in said(done)
    assert shell("status <&-").returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("line", ["status", "status --json", "--help", "--version", "config list"])
def test_full_output(shell, line) -> None:
    """An output that takes nothing is named as such, and is no fault of alaya."""
    done = shell(f"{line} >/dev/full")
    assert done.returncode == 3
    assert "cannot write to standard output" in said(done)
    assert "Exception ignored" not in said(done)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_full_errors(shell) -> None:
    """Where not even a complaint can be written, the exit status still tells."""
    assert shell("trace card-none 2>/dev/full").returncode == 1


@pytest.mark.parametrize(
    "text", ["[" * 99_999, '{"text":' * 99_999, '{"text": ' + "[" * 900 + "]" * 900 + "}"]
)
def test_nested_queries(shell, tmp_path, text) -> None:
    """A query that is nested too deeply is a mistake of who asked."""
    (tmp_path / "query").write_text(text)
    done = shell("recall < query")
    assert done.returncode == 1
    assert len(said(done)) < 400


def test_a_home_that_is_no_text(alaya, tmp_path) -> None:
    """A path of bytes that are no UTF-8 is refused as a home, and is printed as well as can be."""
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/h\xff"))
    for argv in (["init"], ["status"], ["status", "--json"], ["config", "path"], ["export"]):
        done = alaya(odd, *argv)
        assert done.status == 1
        assert "not UTF-8" in done.err
        assert "fault" not in done.err
    for more in ((), ("--json",)):
        done = alaya(tmp_path / "home", "export", "--output", str(odd), *more)
        assert (done.status, done.err) == (0, "")
        assert "/h" in done.out
    assert (odd / "index.md").is_file()


@pytest.mark.parametrize("command", ["recall", "status", "export", "config"])
def test_usage_of_the_command(alaya, tmp_path, command) -> None:
    """A complaint about a command shows how that command is used."""
    done = alaya(tmp_path / "home", command, "--no-such-option")
    assert done.status == 2
    assert f"alaya {command}" in done.err.split("\n", 1)[1]
    assert f"usage: alaya {command}" in " ".join(done.err.split())


def test_usage_that_a_command_finds(alaya, tmp_path) -> None:
    """So does one that only the command itself can make."""
    done = alaya(tmp_path / "home", "ingest")
    assert done.status == 2
    assert "usage: alaya ingest" in " ".join(done.err.split())
    assert "see: alaya ingest --help" in done.err


@pytest.mark.parametrize("name", ["", "  ", "a\nb"])
def test_no_user(alaya, tmp_path, name) -> None:
    """An empty name is a mistake, not the default user."""
    done = alaya(tmp_path / "home", "status", "--user", name)
    assert done.status == 1
    assert "user must be" in done.err


def test_link_twice(alaya, home, cards, tmp_path) -> None:
    """A link that is there is said to be there."""
    first, second = (c["card_id"] for c in [n for n in cards if n["card_id"]][:2])
    argv = ("link", first, second, "--rel", "TWICE_SAID")
    assert "Created link" in alaya(home, *argv).out
    assert "Already linked" in alaya(home, *argv).out


def test_export_of_two_users(alaya, home) -> None:
    """The default folder of a user holds nothing of another's."""
    assert alaya(home, "export").status == 0
    before = set((home / "export").rglob("*.md"))
    assert alaya(home, "export", "--user", "bob").status == 0
    assert [p.name for p in (home / "export/bob").rglob("*.md")] == ["index.md"]
    assert before <= set((home / "export").rglob("*.md"))
    done = alaya(home, "export", "--output", str(home / "raw/x"))
    assert done.status == 1
    assert "holds the memory" in done.err


def test_language_of_a_locale(alaya, tmp_path) -> None:
    """ALAYA_LANG may be a locale's name."""
    done = alaya(tmp_path / "home", "status", env={"ALAYA_LANG": "zh_CN.UTF-8"})
    assert (done.status, "状态" in done.out) == (0, True)
    done = alaya(tmp_path / "home", "status", env={"ALAYA_LANG": "fr"})
    assert done.status == 1
    assert "en, zh" in done.err
