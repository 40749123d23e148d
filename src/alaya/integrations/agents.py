"""Where each agent keeps its configuration, and what alaya puts there."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from alaya.integrations.edits import Edit, json_entry, json_hooks, toml_block, whole
from alaya.integrations.skill import skill

AGENTS = ("claude-code", "codex", "openclaw")
# Which of their events runs which of ours. A hook that is late is stopped by the agent.
_CLAUDE = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "prompt",
    "PreCompact": "compact",
    "SessionEnd": "session-end",
}
_CODEX = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "prompt",
    "PreCompact": "compact",
    "Stop": "compact",  # after each turn: taken in, and distilled when the next session begins
}
_SECONDS = 5


def edits(
    agent: str,
    *,
    command: Sequence[str],
    options: Sequence[str],
    language: str,
    user_home: Path,
    environ: Mapping[str, str],
    hooks: bool = True,
) -> list[Edit]:
    """What is put where for this agent: the MCP entry, the skill, the hooks.

    `command` starts alaya; `options` say whose memory it is (`--home`, `--user` …).
    """
    program, *rest = command
    mcp = {"command": program, "args": [*rest, "mcp", *options]}
    if agent == "claude-code":
        own = environ.get("CLAUDE_CONFIG_DIR")
        folder = Path(own).expanduser() if own else user_home / ".claude"
        main = (folder if own else user_home) / ".claude.json"
        found = [json_entry(main, ("mcpServers", "alaya"), value={"type": "stdio", **mcp})]
        events, place = _CLAUDE, folder / "settings.json"
    elif agent == "codex":
        own = environ.get("CODEX_HOME")
        folder = Path(own).expanduser() if own else user_home / ".codex"
        lines = [f"{name} = {json.dumps(value)}" for name, value in mcp.items()]
        found = [toml_block(folder / "config.toml", "mcp_servers.alaya", lines=lines)]
        events, place = _CODEX, folder / "hooks.json"
    else:
        own = environ.get("OPENCLAW_STATE_DIR")
        folder = Path(own).expanduser() if own else user_home / ".openclaw"
        found = [json_entry(folder / "openclaw.json", ("mcp", "servers", "alaya"), value=mcp)]
        events, place = {}, folder
    found.append(whole(folder / "skills" / "alaya" / "SKILL.md", skill(language)))
    if hooks and events:
        found.append(json_hooks(place, _hooks(events, command=command, options=options)))
    return found


def _hooks(
    events: Mapping[str, str], *, command: Sequence[str], options: Sequence[str]
) -> dict[str, dict[str, object]]:
    import shlex

    return {
        event: {
            "type": "command",
            "command": shlex.join([*command, "hook", ours, *options]),
            "timeout": _SECONDS,
        }
        for event, ours in events.items()
    }
