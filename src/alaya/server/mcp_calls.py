"""What each tool of the MCP server does: one verb of Memory, and its answer.

Imported by the first call: what the verbs' values need is not loaded for a handshake.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from alaya.errors import InvalidInput
from alaya.model.passage import Where
from alaya.model.relations import RELATES_TO
from alaya.model.time import format_time
from alaya.model.told import ToldEntity, ToldGraph, ToldRelation
from alaya.server import mcp_results as results
from alaya.server.mcp_arguments import Given
from alaya.server.mcp_results import Desk, Reply

if TYPE_CHECKING:
    from alaya.memory import Memory

_Json = Mapping[str, Any]


def recall(memory: Memory, given: Given, *, desk: Desk) -> Reply:
    """What is remembered of a question."""
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


def explore(memory: Memory, given: Given, *, desk: Desk) -> Reply:
    """One step from nodes that were seen."""
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
    session = given.values["session"].removeprefix("session:")
    return {"where": Where(replace(memory.scope, session=session))}


def context(memory: Memory, given: Given, *, desk: Desk) -> Reply:
    """A block for a task."""
    asked = given.some("already_shown", "since", "until", "kinds")
    found = memory.context(given.values["query"], budget_tokens=desk.budget, **asked)
    return Reply(found.text or desk.say("abstained" if found.abstained else "nothing_new"))


def trace(memory: Memory, given: Given, *, desk: Desk) -> Reply:
    """A card and the words that it rests on."""
    return Reply(results.trace(desk, memory.trace(given.values["card"])))


def why(memory: Memory, given: Given, *, desk: Desk) -> Reply:
    """Why a card says what it says, and what speaks against it."""
    return Reply(results.why(desk, memory.why(given.values["card"])))


def facts(memory: Memory, given: Given, *, desk: Desk) -> Reply:
    """Facts that hold."""
    asked = given.some("as_of", "believed_at", "limit")
    about = given.values.get("query", "")
    found = memory.facts(about, always=given.values.get("include_ended", False), **asked)
    return Reply(results.facts(desk, found))


def link(memory: Memory, given: Given, *, desk: Desk) -> Reply:
    """Link two cards."""
    made = memory.link(
        given.values["source"],
        given.values["target"],
        relation=given.values.get("relation", RELATES_TO),
        **given.some("reason", "weight"),
    )
    ends = {"source": made.source, "relation": made.relation, "target": made.target}
    return Reply(desk.say("linked", **ends, id=made.id))


def remember(memory: Memory, given: Given, *, desk: Desk) -> Reply:
    """Put a statement down as a card, trusted as an agent's: a model does not choose its trust."""
    made = memory.remember(
        given.values["content"], **given.some("kind", "derived_from", "importance")
    )
    if made.again:
        return Reply(desk.say("known_already"))
    turns = dict.fromkeys(f"[session {s.session}#{s.turn}]" for s in made.card.evidence)
    said = desk.say("remembered", turns=", ".join(turns), cards=f"[{made.id}]")
    return Reply(f"{said} {desk.say('held_back')}" if made.doubts else said)


def forget(memory: Memory, given: Given, *, desk: Desk) -> Reply:
    """Hide cards; they can be restored."""
    found = memory.forget(*given.values["cards"], **given.some("reason"))
    told = {
        "forgotten": [card for card, _ in found.cards],
        "forgotten_before": [card for card, _ in found.unchanged],
        "needed_by": [by for _, by in found.needed_by],
    }
    lines = [desk.say(key, cards=_cited(cards)) for key, cards in told.items() if cards]
    return Reply("\n".join(lines))


def _cited(ids: Iterable[str]) -> str:
    return " ".join(f"[{one}]" for one in dict.fromkeys(ids))


def status(memory: Memory, given: Given, *, desk: Desk) -> Reply:
    """How much there is."""
    found = memory.status()
    counts = found.counts
    times = [format_time(at)[:10] if at else "-" for at in (found.oldest, found.newest)]
    embedding = found.embedding
    return Reply(
        desk.say(
            "status.said",
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


# --- as the reference memory server ------------------------------------------------------------


def create_entities(memory: Memory, given: Given, *, desk: Desk) -> Reply:
    """Those that are new, as a list."""
    wanted = [_entity(one) for one in given.values["entities"]]
    made = memory.tell(entities=wanted)
    return _listed(results.graph(desk, made, shape=lambda g: _entities(g)), "entities")


def create_relations(memory: Memory, given: Given, *, desk: Desk) -> Reply:
    """Those that are new, as a list."""
    made = memory.tell(relations=[_relation(one) for one in given.values["relations"]])
    return _listed(results.graph(desk, made, shape=lambda g: _relations(g)), "relations")


def add_observations(memory: Memory, given: Given, *, desk: Desk) -> Reply:
    """What is new of each entity."""
    wanted = [_observed(one, "contents") for one in given.values["observations"]]
    made = memory.tell(observations=wanted)
    return _listed(results.graph(desk, made, shape=lambda g: _added(g)), "results")


def delete_entities(memory: Memory, given: Given, *, desk: Desk) -> Reply:
    """Take entities out of the graph."""
    names = list(dict.fromkeys(given.values["entityNames"]))
    gone = len(memory.retract(entities=names).entities)
    return _done(desk, "entities_gone", n=gone, asked=len(names))


def delete_observations(memory: Memory, given: Given, *, desk: Desk) -> Reply:
    """Take observations out of the graph."""
    wanted = [_observed(one, "observations") for one in given.values["deletions"]]
    gone = memory.retract(observations=wanted)
    number = sum(len(one.observations) for one in gone.entities)
    asked = sum(len(one.observations) for one in wanted)
    return _done(desk, "observations_gone", n=number, asked=asked)


def delete_relations(memory: Memory, given: Given, *, desk: Desk) -> Reply:
    """Take relations out of the graph."""
    wanted = [_relation(one) for one in given.values["relations"]]
    gone = memory.retract(relations=wanted)
    return _done(desk, "relations_gone", n=len(gone.relations), asked=len(wanted))


def read_graph(memory: Memory, given: Given, *, desk: Desk) -> Reply:
    """As much of the graph as fits."""
    return results.graph(desk, memory.told(), shape=_shape)


def search_nodes(memory: Memory, given: Given, *, desk: Desk) -> Reply:
    """What a text finds."""
    return results.graph(desk, memory.told(given.values["query"]), shape=_shape)


def open_nodes(memory: Memory, given: Given, *, desk: Desk) -> Reply:
    """Entities by name."""
    return results.graph(desk, memory.told(names=given.values["names"]), shape=_shape)


def _entity(one: _Json) -> ToldEntity:
    kind = _word(one, "entityType", "entity_type", "type", "kind", may_miss=True)
    return ToldEntity(_word(one, "name", "entityName"), kind, _words(one, "observations"))


def _observed(one: _Json, name: str) -> ToldEntity:
    words = _words(one, name, "contents", "observations", "content", "observation")
    if not words:
        raise InvalidInput(f"{name} is missing: give a list of texts for each entityName")
    return ToldEntity(_word(one, "entityName", "entity_name", "name"), "", words)


def _relation(one: _Json) -> ToldRelation:
    return ToldRelation(
        _word(one, "from", "source"),
        _word(one, "relationType", "relation_type", "relation", "type"),
        _word(one, "to", "target"),
    )


def _word(one: _Json, *names: str, may_miss: bool = False) -> str:
    for name in names:
        value = one.get(name)
        if isinstance(value, str | int | float) and str(value).strip():
            return str(value)
    if may_miss:
        return ""
    raise InvalidInput(f"{names[0]} is missing in {', '.join(one) or 'an empty object'}")


def _words(one: _Json, *names: str) -> tuple[str, ...]:
    for name in names:
        value = one.get(name)
        if isinstance(value, str):
            value = [value]
        if isinstance(value, Sequence):
            return tuple(str(word) for word in value if str(word).strip())
    return ()


def _shape(graph: ToldGraph) -> dict[str, Any]:
    return {"entities": _entities(graph), "relations": _relations(graph)}


def _entities(graph: ToldGraph) -> list[dict[str, Any]]:
    return [
        {"name": one.name, "entityType": one.kind, "observations": list(one.observations)}
        for one in graph.entities
    ]


def _relations(graph: ToldGraph) -> list[dict[str, Any]]:
    return [
        {"from": one.source, "to": one.target, "relationType": one.relation}
        for one in graph.relations
    ]


def _added(graph: ToldGraph) -> list[dict[str, Any]]:
    return [
        {"entityName": one.name, "addedObservations": list(one.observations)}
        for one in graph.entities
    ]


def _listed(reply: Reply, name: str) -> Reply:
    """The reference server's text is the list itself, its data an object that holds it."""
    return Reply(reply.text, {name: reply.data}, reply.note)


def _done(desk: Desk, key: str, *, n: int, asked: int) -> Reply:
    message = desk.say(key if n == asked else f"{key}_some", n=n, asked=asked)
    return Reply(message, {"success": True, "message": message})
