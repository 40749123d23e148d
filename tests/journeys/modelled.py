"""A model server that answers at once: a card of every turn that it is shown."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from alaya.testing.http_server import Answer, Script, Server, completion, serving

_TURN = re.compile(r"^\[(\d+)\] [^\n]*\n((?:\| [^\n]*\n?)+)", re.MULTILINE)


def settings(server: Server, **more: Any) -> dict[str, Any]:
    """What makes a memory ask this server."""
    return {
        "distill.llm_provider": "llama.cpp",
        "distill.base_url": server.url,
        "distill.model": "echo",
        "distill.min_session_tokens": 0,
        "distill.facts": False,  # one question a session, so that they can be counted
        "summary.enabled": False,
        "embedding.provider": "none",
        "embedding.background": False,
        **{f"distill.{name}": value for name, value in more.items()},
    }


def asked(request: dict[str, Any]) -> str:
    """The words of a request, by which it is told from others."""
    return str(request["messages"][-1]["content"])


def echo(request: dict[str, Any]) -> bytes:
    """A card of every turn, its words as its content; each is linked to the one before."""
    turns = [
        (int(number), "\n".join(line[2:] for line in said.splitlines()))
        for number, said in _TURN.findall(asked(request))
    ]
    cards = [
        {"title": words[:70], "content": words, "type": "concept", "turns": [n], "importance": 0.9}
        for n, words in turns
    ]
    links = [
        {"from": str(n), "to": str(n - 1), "relation": "follows on", "reason": "it came next"}
        for n in range(2, len(cards) + 1)
    ]
    return completion(json.dumps({"cards": cards, "links": links}, ensure_ascii=False))


@contextmanager
def echoing(script: Script = lambda number, request: Answer()) -> Iterator[Server]:
    """The server; `script` may answer otherwise."""
    with serving(script, right=echo) as server:
        yield server


Opened = Callable[..., Any]
