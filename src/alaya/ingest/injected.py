"""What alaya itself had put into a prompt. It stays in the archive and is never learnt again."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from alaya.ingest.lines import parse_json
from alaya.model.raw import Role, ToolCall, Turn
from alaya.model.speech import injected_ranges

_TOOL = re.compile(r"(?:mcp__)?alaya(?:[_.:/-].*)?", re.IGNORECASE)
_SHELLS = {
    "bash", "exec", "exec_command", "shell", "sh", "zsh", "local_shell", "run_command",
    "run_terminal_cmd", "execute_command", "terminal", "container.exec", "process", "unified_exec",
}  # fmt: skip
# Commands that print memories; `alaya ingest` or `alaya init` print nothing that was remembered.
_COMMAND = re.compile(
    r"(?:^|[\s;&|(\"'/`=])alaya(?:\.exe)?\s+(?:-{1,2}[\w-]+(?:[= ]\S+)?\s+){0,6}"
    r"(?:recall|context|trace|show|status|export|search|distill|introspect|link|notes?|add|facts"
    r"|entities|summaries)\b"
)


def calls_of_alaya(calls: Iterable[ToolCall]) -> list[str]:
    """The ids of those calls whose results are alaya's own words."""
    return [call.id for call in calls if call.id and is_alaya(call.name, call.arguments)]


def is_alaya(name: str | None, arguments: str = "") -> bool:
    """Whether a tool call asked alaya: an MCP tool of its server, or its command in a shell."""
    tool = (name or "").strip()
    if _TOOL.fullmatch(tool):
        return True
    if tool.casefold().rsplit(".", 1)[-1] not in _SHELLS and tool.casefold() not in _SHELLS:
        return False
    return "alaya" in arguments and _COMMAND.search(_words(arguments)) is not None


def _words(arguments: str) -> str:
    """The command line in a call's arguments, also where it is given as a list of words."""
    try:
        value = parse_json(arguments)
    except ValueError:
        return arguments
    if isinstance(value, dict):
        value = next((value[k] for k in ("command", "cmd", "script", "input") if k in value), "")
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def mark(turn: Turn, asked: Collection[str]) -> tuple[tuple[int, int], ...]:
    """The injected ranges of a turn. `asked` are the ids of calls that asked alaya."""
    answer = turn.role is Role.TOOL and (turn.tool_call_id in asked or is_alaya(turn.name))
    if answer and turn.content:
        return ((0, len(turn.content)),)
    return injected_ranges(turn.content)
