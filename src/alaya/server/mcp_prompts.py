"""The prompts of the MCP server: how a session begins with memory, and how it ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import mcp_types as types

from alaya.errors import NotFound
from alaya.server.mcp import Home
from alaya.server.mcp_words import say_in

START, END = "session_start", "session_end"
_TASK = 500


def listed(say: Callable[..., str]) -> list[types.Prompt]:
    """Both prompts, as they are described."""
    task = types.PromptArgument(name="task", description=say("prompt.start.task"), required=False)
    return [
        types.Prompt(name=START, description=say("prompt.start"), arguments=[task]),
        types.Prompt(name=END, description=say("prompt.end"), arguments=[]),
    ]


def prompt(home: Home, name: str, *, arguments: Mapping[str, str]) -> types.GetPromptResult:
    """The text of a prompt; at the start with what is remembered. Raises NotFound."""
    say = say_in(home.language)
    if name == END:
        return _said(say("end"), say("prompt.end"))
    if name != START:
        raise NotFound(f"no prompt {name[:60]!r}: prompts are {START} and {END}")
    from alaya.recall.quoting import one_line  # only here: a handshake needs none of it

    task = one_line(arguments.get("task") or "", _TASK)
    found = home.memory().context(task or say("start.usual"), budget_tokens=home.budget)
    text = say("start", task=task or say("start.usual"), context=found.text or say("abstained"))
    return _said(text, say("prompt.start"))


def _said(text: str, description: str) -> types.GetPromptResult:
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
    return types.GetPromptResult(description=description, messages=[message])
