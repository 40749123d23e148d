"""The tools of the reference memory server of MCP, under its names and in its shapes.

create_entities, create_relations, add_observations, delete_entities, delete_observations,
delete_relations, read_graph, search_nodes, open_nodes. What they write goes into the archive first;
what they delete leaves the graph and recall, and stays in the archive.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from alaya.server.mcp_arguments import Field
from alaya.server.mcp_tools import BUDGET, Tool

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


def _many(name: str, *names: str, items: _Json) -> Field:
    return Field(name, "objects", names, required=True, items=items)


_FOUND = _object(entityName=_TEXT, addedObservations=_TEXTS)
GRAPH_TOOLS: tuple[Tool, ...] = (
    Tool(
        "create_entities",
        (_many("entities", "entity", items=_ENTITY),),
        writes=True,
        answers=_object(entities={"type": "array", "items": _ENTITY}),
    ),
    Tool(
        "create_relations",
        (_many("relations", "relation", items=_RELATION),),
        writes=True,
        answers=_object(relations={"type": "array", "items": _RELATION}),
    ),
    Tool(
        "add_observations",
        (_many("observations", "observation", items=_object(entityName=_TEXT, contents=_TEXTS)),),
        writes=True,
        answers=_object(results={"type": "array", "items": _FOUND}),
    ),
    Tool(
        "delete_entities",
        (Field("entityNames", "texts", ("entity_names", "names", "entities", "name"), True),),
        writes=True,
        destructive=True,
        answers=_DONE,
    ),
    Tool(
        "delete_observations",
        (_many("deletions", "observations", items=_object(entityName=_TEXT, observations=_TEXTS)),),
        writes=True,
        destructive=True,
        answers=_DONE,
    ),
    Tool(
        "delete_relations",
        (_many("relations", "relation", items=_RELATION),),
        writes=True,
        destructive=True,
        answers=_DONE,
    ),
    Tool("read_graph", (BUDGET,), answers=_GRAPH),
    Tool(
        "search_nodes",
        (Field("query", names=("q", "text", "search"), required=True), BUDGET),
        answers=_GRAPH,
    ),
    Tool(
        "open_nodes",
        (Field("names", "texts", ("name", "nodes", "entityNames"), True), BUDGET),
        answers=_GRAPH,
    ),
)
