"""The words of the MCP server in the language of choice."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module


@cache
def say_in(language: str) -> Callable[..., str]:
    """The function that looks words up and fills them in; English where there are none."""
    chosen = language if language == "zh" else "en"
    words: dict[str, str] = import_module(f"alaya.server.mcp_words_{chosen}").WORDS

    def say(key: str, /, **values: object) -> str:
        return words[key].format(**values) if values else words[key]

    return say
