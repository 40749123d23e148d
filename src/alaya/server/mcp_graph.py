"""The tools of the reference memory server of MCP, under its names and in its shapes.

create_entities, create_relations, add_observations, delete_entities, delete_observations,
delete_relations, read_graph, search_nodes, open_nodes. What they write goes into the archive first;
what they delete leaves the graph and recall, and stays in the archive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from alaya.errors import InvalidInput
from alaya.model.told import ToldEntity, ToldGraph, ToldRelation
from alaya.server import mcp_results as results
from alaya.server.mcp_arguments import Field, Given
from alaya.server.mcp_results import Desk, Reply
from alaya.server.mcp_tools import BUDGET, Tool

if TYPE_CHECKING:
    from alaya.memory import Memory

_Json = Mapping[str, Any]
_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


_ENTITY = _object(name=_TEXT, entityType=_TEXT, observations=_TEXTS)
_RELATION = _object(**{"from": _TEXT, "to": _TEXT, "relationType": _TEXT})
_GRAPH = _object(
    entities={"type": "array", "items": _ENTITY}, relations={"type": "array", "items": _RELATION}
)
_DONE = _object(success={"type": "boolean"}, message=_TEXT)


def _create_entities(memory: Memory, given: Given, desk: Desk) -> Reply:
    wanted = [_entity(one) for one in given.values["entities"]]
    made = memory.tell(entities=wanted)
    return _listed(results.graph(desk, made, shape=lambda g: _entities(g)), "entities")


def _create_relations(memory: Memory, given: Given, desk: Desk) -> Reply:
    made = memory.tell(relations=[_relation(one) for one in given.values["relations"]])
    return _listed(results.graph(desk, made, shape=lambda g: _relations(g)), "relations")


def _add_observations(memory: Memory, given: Given, desk: Desk) -> Reply:
    wanted = [_observed(one, "contents") for one in given.values["observations"]]
    made = memory.tell(observations=wanted)
    return _listed(results.graph(desk, made, shape=lambda g: _added(g)), "results")


def _delete_entities(memory: Memory, given: Given, desk: Desk) -> Reply:
    names = list(dict.fromkeys(given.values["entityNames"]))
    gone = len(memory.retract(entities=names).entities)
    return _done(desk, "entities_gone", n=gone, asked=len(names))


def _delete_observations(memory: Memory, given: Given, desk: Desk) -> Reply:
    wanted = [_observed(one, "observations") for one in given.values["deletions"]]
    gone = memory.retract(observations=wanted)
    number = sum(len(one.observations) for one in gone.entities)
    asked = sum(len(one.observations) for one in wanted)
    return _done(desk, "observations_gone", n=number, asked=asked)


def _delete_relations(memory: Memory, given: Given, desk: Desk) -> Reply:
    wanted = [_relation(one) for one in given.values["relations"]]
    gone = memory.retract(relations=wanted)
    return _done(desk, "relations_gone", n=len(gone.relations), asked=len(wanted))


def _read_graph(memory: Memory, given: Given, desk: Desk) -> Reply:
    return results.graph(desk, memory.told(), shape=_shape)


def _search_nodes(memory: Memory, given: Given, desk: Desk) -> Reply:
    return results.graph(desk, memory.told(given.values["query"]), shape=_shape)


def _open_nodes(memory: Memory, given: Given, desk: Desk) -> Reply:
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


def _many(name: str, *names: str, items: _Json) -> Field:
    return Field(name, "objects", names, required=True, items=items)


_FOUND = _object(entityName=_TEXT, addedObservations=_TEXTS)
GRAPH_TOOLS: tuple[Tool, ...] = (
    Tool(
        "create_entities",
        (_many("entities", "entity", items=_ENTITY),),
        _create_entities,
        writes=True,
        answers=_object(entities={"type": "array", "items": _ENTITY}),
    ),
    Tool(
        "create_relations",
        (_many("relations", "relation", items=_RELATION),),
        _create_relations,
        writes=True,
        answers=_object(relations={"type": "array", "items": _RELATION}),
    ),
    Tool(
        "add_observations",
        (_many("observations", "observation", items=_object(entityName=_TEXT, contents=_TEXTS)),),
        _add_observations,
        writes=True,
        answers=_object(results={"type": "array", "items": _FOUND}),
    ),
    Tool(
        "delete_entities",
        (Field("entityNames", "texts", ("entity_names", "names", "entities", "name"), True),),
        _delete_entities,
        writes=True,
        destructive=True,
        answers=_DONE,
    ),
    Tool(
        "delete_observations",
        (_many("deletions", "observations", items=_object(entityName=_TEXT, observations=_TEXTS)),),
        _delete_observations,
        writes=True,
        destructive=True,
        answers=_DONE,
    ),
    Tool(
        "delete_relations",
        (_many("relations", "relation", items=_RELATION),),
        _delete_relations,
        writes=True,
        destructive=True,
        answers=_DONE,
    ),
    Tool("read_graph", (BUDGET,), _read_graph, answers=_GRAPH),
    Tool(
        "search_nodes",
        (Field("query", names=("q", "text", "search"), required=True), BUDGET),
        _search_nodes,
        answers=_GRAPH,
    ),
    Tool(
        "open_nodes",
        (Field("names", "texts", ("name", "nodes", "entityNames"), True), BUDGET),
        _open_nodes,
        answers=_GRAPH,
    ),
)
