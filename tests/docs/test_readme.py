"""The README is true: its commands and code run, its links lead somewhere, its tree is ours."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README, re.DOTALL)


@pytest.fixture
def surroundings(tmp_path: Path) -> dict[str, str]:
    """An environment with a home of its own and `alaya` on the PATH, and a session to read."""
    (tmp_path / ".claude" / "projects" / "shop").mkdir(parents=True)
    sessions = ROOT / "examples" / "sessions"
    log = sessions / "claude-code-docker-port.jsonl"
    shutil.copy(log, tmp_path / ".claude" / "projects" / "shop" / log.name)
    shutil.copy(log, tmp_path / "session.jsonl")
    return {
        **os.environ,
        "HOME": str(tmp_path),
        "ALAYA_HOME": str(tmp_path / "home"),
        "ALAYA_EMBEDDING_BACKGROUND": "false",
        "ALAYA_EMBEDDING_PROVIDER": "none",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }


def commands() -> list[str]:
    """Each `alaya` line of the shell blocks, without its comment."""
    lines = [line for kind, text in BLOCKS if kind == "bash" for line in text.splitlines()]
    found = [re.split(r"\s{2,}#", line)[0].strip() for line in lines]
    return [line for line in found if re.match(r"(?:[A-Z_]+=\S+ |echo .*\| )?alaya ", line)]


def test_shell_blocks(surroundings: dict[str, str], tmp_path: Path) -> None:
    """Every `alaya` command in the README succeeds, one after the other."""
    assert len(commands()) >= 6
    for command in commands():
        done = subprocess.run(
            ["bash", "-c", command], env=surroundings, cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}"


def test_python_block(surroundings: dict[str, str], tmp_path: Path) -> None:
    """The Python example runs as it stands and finds the card it asks for."""
    (code,) = [text for kind, text in BLOCKS if kind == "python"]
    done = subprocess.run(
        [sys.executable, "-c", code], env=surroundings, cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "Span(session=" in done.stdout


def test_first_screen() -> None:
    """The first screen has exactly the two commands, four shell lines and eight of Python."""
    first, second, third = BLOCKS[:3]
    assert [shlex.split(line)[:2] for line in first[1].splitlines()] == [
        ["make", "demo"],
        ["make", "test"],
    ]
    assert len(second[1].strip().splitlines()) == 4
    assert third[0] == "python"
    assert len([line for line in third[1].splitlines() if line.strip()]) <= 8


def test_links_lead_somewhere() -> None:
    """Every relative link of README and docs points at a file that exists."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    missing = [
        f"{page.name}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert missing == []


def test_tree_is_ours() -> None:
    """The annotated tree names every package and module at the top of src/alaya, and no other."""
    (tree,) = [text for _, text in BLOCKS if text.startswith("src/alaya/")]
    named = set(re.findall(r"^[├└]── (\S+)", tree, re.MULTILINE))
    package = ROOT / "src" / "alaya"
    there = {f"{p.name}/" for p in package.iterdir() if (p / "__init__.py").exists()}
    there |= {p.name for p in package.glob("*.py") if not p.name.startswith("__")}
    assert named == there


def test_decisions_are_short() -> None:
    """A decision record has ten to forty lines and says context, choice and when to revisit."""
    for page in (ROOT / "docs" / "decisions").glob("*.md"):
        text = page.read_text("utf-8")
        assert 10 <= len(text.splitlines()) <= 40, page.name
        for part in ("**Context.**", "**Choice.**", "**Revisit**"):
            assert part in text or page.name.startswith("0006"), f"{page.name}: {part}"


def test_both_commands_are_the_makefile_s() -> None:
    """`make demo` and `make test` exist, and CI calls `make test` alone."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert re.search(r"^demo:", makefile, re.MULTILINE)
    assert re.search(r"^test:", makefile, re.MULTILINE)
    lines = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    assert [line for line in lines if "make" in line and not line.startswith("#")] == [
        "exec make test"
    ]
