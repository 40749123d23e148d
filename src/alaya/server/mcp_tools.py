"""The tools of the MCP server, in a table: what each takes, and which verb of Memory it calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from alaya.errors import InvalidInput
from alaya.server.mcp_arguments import Field

# Named here so that a handshake need not import the model; a test keeps them equal to it.
KINDS = (
    "concept", "pattern", "gotcha", "decision", "observation", "reasoning", "action", "result",
    "success", "failure", "insight", "principle", "skill",
)  # fmt: skip


@dataclass(frozen=True)
class Tool:
    """`writes`: it is absent from a server that only reads. `answers`: the schema of its data."""

    name: str
    fields: tuple[Field, ...]
    writes: bool = False
    destructive: bool = False
    answers: Mapping[str, Any] | None = None

    @property
    def run(self) -> Callable[..., Any]:
        """(memory, given, desk=…) to a Reply; it stands in `mcp_calls` under the tool's name."""
        found: Callable[..., Any] = getattr(import_module("alaya.server.mcp_calls"), self.name)
        return found


def _q(required: bool = True) -> Field:
    names = ("q", "text", "question", "search", "search_query", "input", "prompt", "topic")
    return Field("query", names=names, required=required)


BUDGET = Field(
    "max_tokens",
    "whole",
    ("budget", "budget_tokens", "token_budget", "tokens", "maxtokens"),
    least=1,
    most=100_000,
    words="max_tokens",
)
_LIMIT = Field(
    "limit",
    "whole",
    ("k", "n", "top_k", "topk", "max_results", "count", "num_results"),
    least=1,
    most=100,
    words="limit",
)
_SHOWN = Field(
    "already_shown", "nodes", ("seen", "exclude", "shown", "exclude_ids"), words="already_shown"
)
_SINCE = Field("since", names=("after", "from_date", "start", "start_date"), words="since")
_UNTIL = Field("until", names=("before", "to_date", "end", "end_date"), words="until")
_KINDS = Field("kinds", "texts", ("kind", "type", "types"), options=KINDS, words="kinds")
_SESSION = Field("session", "node", ("session_id",), words="session")
_RELATIONS = Field("relations", "texts", ("relation", "rel", "rels", "edge", "edges"))
_CARD = Field("card", "node", ("id", "card_id", "node", "node_id", "memory_id"), required=True)


TOOLS: tuple[Tool, ...] = (
    Tool(
        "recall",
        (
            _q(),
            _LIMIT,
            _KINDS,
            _SINCE,
            _UNTIL,
            _SESSION,
            _RELATIONS,
            Field("include_turns", "flag", ("include_sessions", "turns")),
            Field("include_summaries", "flag", ("summaries",)),
            _SHOWN,
            BUDGET,
        ),
    ),
    Tool("context", (_q(), _KINDS, _SINCE, _UNTIL, _SHOWN, BUDGET)),
    Tool(
        "explore",
        (
            Field("from_nodes", "nodes", ("nodes", "from", "node", "ids", "id", "start"), True),
            _q(required=False),
            _RELATIONS,
            Field("depth", "whole", ("hops", "max_hops"), least=0, most=2),
            _LIMIT,
            _SHOWN,
            BUDGET,
        ),
    ),
    Tool("trace", (_CARD, BUDGET)),
    Tool("why", (_CARD, BUDGET)),
    Tool(
        "facts",
        (
            Field("query", names=("about", "entity", "name", "q", "text", "question")),
            Field("as_of", names=("at", "date", "when")),
            Field("believed_at", names=("known_at",)),
            Field("include_ended", "flag", ("always", "all", "history")),
            _LIMIT,
            BUDGET,
        ),
    ),
    Tool(
        "remember",
        (
            Field("content", names=("text", "memory", "fact", "note", "message"), required=True),
            Field("kind", names=("type",), options=KINDS),
            Field("derived_from", "nodes", ("sources", "source", "from_cards")),
            Field("importance", "share", ("weight", "priority"), most=1),
        ),
        writes=True,
    ),
    Tool(
        "forget",
        (
            Field("cards", "nodes", ("card", "ids", "id", "memory_id", "nodes"), required=True),
            Field("reason", names=("why", "because")),
        ),
        writes=True,
        destructive=True,
    ),
    Tool(
        "link",
        (
            Field("source", "node", ("from", "a", "source_id", "card"), required=True),
            Field("target", "node", ("to", "b", "target_id"), required=True),
            Field("relation", names=("rel", "type", "relation_type", "relationType")),
            Field("reason", names=("why", "because")),
            Field("weight", "share", ("strength",), most=1),
        ),
        writes=True,
    ),
    Tool("status", ()),
)


def table(*, read_only: bool) -> dict[str, Tool]:
    """The tools by name, those of the reference memory server among them."""
    from alaya.server.mcp_graph import GRAPH_TOOLS

    return {tool.name: tool for tool in (*TOOLS, *GRAPH_TOOLS) if not (read_only and tool.writes)}


def unknown(name: str, tools: Mapping[str, Tool], *, read_only: bool) -> InvalidInput:
    """What to say of a tool that is not there."""
    from difflib import get_close_matches

    if read_only and name in table(read_only=False):
        return InvalidInput(f"{name} writes, and this server was started with --read-only")
    near = get_close_matches(name, tools, n=1, cutoff=0.5)
    hint = f" (did you mean {near[0]}?)" if near else ""
    return InvalidInput(f"no tool {name[:60]!r}{hint}; tools are: {', '.join(tools)}")
