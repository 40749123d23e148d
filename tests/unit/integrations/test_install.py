"""Installing into agents: the entries stand, twice is once, and all of it goes without a trace."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from alaya.cli import commands_serving
from alaya.integrations.agents import AGENTS, edits
from alaya.integrations.install import Touched, install, uninstall

CLAUDE = '{\n    "theme": "暗色",\n    "mcpServers": {"other": {"command": "x"}},\n    "n": 1e3\n}'
HOOKS = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}, "a": [1,2]}\n'
TOML = 'model = "o3"\n\n[mcp_servers.other]\ncommand = "x"'
OPEN = '{\r\n\t"mcp": {"servers": {}},\r\n\t"agents": []\r\n}\r\n'
FILES = {
    ".claude.json": CLAUDE,
    ".claude/settings.json": HOOKS,
    ".codex/config.toml": TOML,
    ".codex/hooks.json": HOOKS,
    ".openclaw/openclaw.json": OPEN,
}


def put(agent: str, home: Path, *, undo: bool = False, **options: Any) -> list[Touched]:
    found = edits(
        agent,
        command=["/opt/alaya"],
        options=["--user", "bob"],
        language=options.pop("language", "en"),
        user_home=home,
        environ={},
    )
    record = home / "memory" / f"{agent}.json"
    return (uninstall if undo else install)(found, record=record, **options)


def tree(folder: Path) -> dict[str, bytes | None]:
    """Every file with its bytes, and every folder but that of the memory."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
        if "memory" not in path.relative_to(folder).parts
    }


@pytest.fixture(params=["new", "used"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The home of somebody new, or of somebody with settings of his own."""
    for name, text in FILES.items() if request.param == "used" else ():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(text.encode())
    return tmp_path


@pytest.mark.parametrize("agent", AGENTS)
def test_all_of_it_goes_again(agent: str, home: Path) -> None:
    """After install and uninstall every byte and folder is as before; so it is after two installs,
    and after a dry run."""
    before = tree(home)
    assert all(one.what in ("created", "changed") for one in put(agent, home, dry_run=True))
    assert tree(home) == before
    put(agent, home)
    once = tree(home)
    assert once != before
    assert {one.what for one in put(agent, home)} == {"unchanged"}
    assert tree(home) == once
    put(agent, home, language="zh")
    assert {one.what for one in put(agent, home, undo=True)} <= {"restored", "removed"}
    assert tree(home) == before
    assert put(agent, home, undo=True) == []


def test_what_stands_there(home: Path) -> None:
    """Each agent finds its entry, with the scope, beside what the user had."""
    for agent in AGENTS:
        put(agent, home)
    claude = json.loads((home / ".claude.json").read_text())
    args = ["mcp", "--user", "bob"]
    entry = {"command": "/opt/alaya", "args": args}
    assert claude["mcpServers"]["alaya"] == {"type": "stdio", **entry}
    codex = tomllib.loads((home / ".codex/config.toml").read_text())
    assert codex["mcp_servers"]["alaya"] == entry
    claw = json.loads((home / ".openclaw/openclaw.json").read_text())
    assert claw["mcp"]["servers"]["alaya"] == entry
    for name, events in (
        (".claude/settings.json", ("SessionStart", "UserPromptSubmit", "PreCompact", "SessionEnd")),
        (".codex/hooks.json", ("SessionStart", "UserPromptSubmit", "PreCompact", "Stop")),
    ):
        hooks = json.loads((home / name).read_text())["hooks"]
        for event in events:
            command = hooks[event][-1]["hooks"][0]["command"]
            assert command.split()[:2] == ["/opt/alaya", "hook"]
            assert command.split()[2] in commands_serving.EVENTS
    for folder in (".claude", ".codex", ".openclaw"):
        assert (home / folder / "skills/alaya/SKILL.md").read_text().startswith("---\nname: alaya")
    assert commands_serving.AGENTS == AGENTS


def test_what_was_changed_since_stays(tmp_path: Path) -> None:
    """Who changes a file after the install keeps his changes; only alaya's entry goes."""
    (tmp_path / ".claude.json").write_text(CLAUDE, encoding="utf-8")
    put("claude-code", tmp_path)
    changed = json.loads((tmp_path / ".claude.json").read_text())
    changed["theme"] = "hell"
    (tmp_path / ".claude.json").write_text(json.dumps(changed), encoding="utf-8")
    put("claude-code", tmp_path, undo=True)
    left = json.loads((tmp_path / ".claude.json").read_text())
    assert left == {**json.loads(CLAUDE), "theme": "hell"}


@pytest.mark.parametrize("text", ["// comment\n{}", "[]", '{"mcp": 3}', "{"])
def test_what_cannot_be_read_is_left_alone(text: str, tmp_path: Path) -> None:
    """A file that is not plain JSON stays as it is; what to put in by hand is told, and the rest
    goes on."""
    path = tmp_path / ".openclaw" / "openclaw.json"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    left, made = put("openclaw", tmp_path)
    assert (left.what, made.what) == ("left", "created")
    assert str(path) in left.why
    assert '"alaya"' in left.entry
    assert path.read_text("utf-8") == text


def test_a_table_of_the_user_is_not_ours(tmp_path: Path) -> None:
    """Codex may have a server of this name already: it is not written over."""
    path = tmp_path / ".codex" / "config.toml"
    path.parent.mkdir()
    path.write_text('[mcp_servers.alaya]\ncommand = "mine"\n', encoding="utf-8")
    assert put("codex", tmp_path)[0].what == "left"
    assert tomllib.loads(path.read_text())["mcp_servers"]["alaya"] == {"command": "mine"}
