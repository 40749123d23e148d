"""The tools of the MCP server, in a table: what each takes, and which verb of Memory it calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from alaya.errors import InvalidInput
from alaya.model.graph import CardKind
from alaya.model.relations import RELATES_TO
from alaya.model.time import format_time
from alaya.server import mcp_results as results
from alaya.server.mcp_arguments import Field, Given
from alaya.server.mcp_results import Desk, Reply

if TYPE_CHECKING:
    from alaya.memory import Memory

KINDS = tuple(kind.value for kind in CardKind)
Run = Callable[["Memory", Given, Desk], Reply]


@dataclass(frozen=True)
class Tool:
    """`writes`: it is absent from a server that only reads. `answers`: the schema of its data."""

    name: str
    fields: tuple[Field, ...]
    run: Run
    writes: bool = False
    destructive: bool = False
    answers: Mapping[str, Any] | None = None


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


def _recall(memory: Memory, given: Given, desk: Desk) -> Reply:
    asked = given.some("limit", "since", "until", "kinds", "already_shown", "relations")
    where = _narrowed(memory, given)
    found = memory.recall(
        given.values["query"],
        include_sessions=given.values.get("include_turns", True) and "kinds" not in asked,
        include_summaries=given.values.get("include_summaries", "kinds" not in asked),
        **asked,
        **where,
    )
    return Reply(results.answer(desk, found))


def _explore(memory: Memory, given: Given, desk: Desk) -> Reply:
    asked = given.some("relations", "depth", "limit", "already_shown")
    nodes = [_named(memory, node) for node in given.values["from_nodes"]]
    found = memory.recall(
        given.values.get("query", ""), from_nodes=nodes, include_sessions=True, **asked
    )
    return Reply(results.answer(desk, found))


def _named(memory: Memory, node: str) -> str:
    """A node's id; of an entity a model knows the name only."""
    if "#" in node or node.startswith(("card-", "session:", "entity-")):
        return node
    found = memory.entities(node, limit=1)
    return found[0].entity.id if found else node


def _narrowed(memory: Memory, given: Given) -> dict[str, Any]:
    """A session narrows what this user may see anyway."""
    if "session" not in given.values:
        return {}
    from dataclasses import replace

    from alaya.model.passage import Where

    session = given.values["session"].removeprefix("session:")
    return {"where": Where(replace(memory.scope, session=session))}


def _context(memory: Memory, given: Given, desk: Desk) -> Reply:
    asked = given.some("already_shown", "since", "until", "kinds")
    found = memory.context(given.values["query"], budget_tokens=desk.budget, **asked)
    return Reply(found.text or desk.say("abstained" if found.abstained else "nothing_new"))


def _trace(memory: Memory, given: Given, desk: Desk) -> Reply:
    return Reply(results.trace(desk, memory.trace(given.values["card"])))


def _facts(memory: Memory, given: Given, desk: Desk) -> Reply:
    asked = given.some("as_of", "believed_at", "limit")
    about = given.values.get("query", "")
    found = memory.facts(about, always=given.values.get("include_ended", False), **asked)
    return Reply(results.facts(desk, found))


def _link(memory: Memory, given: Given, desk: Desk) -> Reply:
    made = memory.link(
        given.values["source"],
        given.values["target"],
        relation=given.values.get("relation", RELATES_TO),
        **given.some("reason", "weight"),
    )
    ends = {"source": made.source, "relation": made.relation, "target": made.target}
    return Reply(desk.say("linked", **ends, id=made.id))


def _remember(memory: Memory, given: Given, desk: Desk) -> Reply:
    said = {"role": given.values.get("said_by", "assistant"), "content": given.values["content"]}
    made = memory.add([said], distill=True)
    ids = [card.id for card in made.cards]
    if made.known and not made.episodes:
        return Reply(desk.say("known_already"))
    turns = ", ".join(f"[session {made.session}#{turn.id}]" for turn in made.episodes)
    cards = " ".join(f"[{one}]" for one in ids)
    return Reply(desk.say("remembered", turns=turns, cards=cards or "-"))


def _status(memory: Memory, given: Given, desk: Desk) -> Reply:
    found = memory.status()
    counts = found.counts
    times = [format_time(at)[:10] if at else "-" for at in (found.oldest, found.newest)]
    embedding = found.embedding
    return Reply(
        desk.say(
            "status",
            sessions=counts.get("sessions", 0),
            turns=counts.get("turns", 0),
            cards=counts.get("cards", 0),
            entities=counts.get("entities", 0),
            links=counts.get("links", 0),
            oldest=times[0],
            newest=times[1],
            undistilled=found.undistilled,
            embedder=embedding.model or embedding.provider,
            pending=embedding.pending,
            parked=len(found.parked),
        )
    )


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
        _recall,
    ),
    Tool("context", (_q(), _KINDS, _SINCE, _UNTIL, _SHOWN, BUDGET), _context),
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
        _explore,
    ),
    Tool("trace", (_CARD, BUDGET), _trace),
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
        _facts,
    ),
    Tool(
        "remember",
        (
            Field("content", names=("text", "memory", "fact", "note", "message"), required=True),
            Field("said_by", names=("role",), options=("user", "assistant")),
        ),
        _remember,
        writes=True,
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
        _link,
        writes=True,
    ),
    Tool("status", (), _status),
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
