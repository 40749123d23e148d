"""From a query to a plan: every default filled in, every name normalised, every limit checked."""

from __future__ import annotations

from dataclasses import dataclass

from alaya.errors import InvalidInput
from alaya.model.passage import Query
from alaya.model.relations import relation_name

_LONGEST = 4_000  # characters of a question that are used; a pasted log is no question
MOST_RESULTS = 1_000


@dataclass(frozen=True)
class Settings:
    """The numbers of a recall, from the configuration."""

    top_k: int = 20
    expand_depth: int = 1
    max_depth: int = 2
    min_similarity: float = 0.3
    max_results: int = 10
    alpha: float = 0.5
    beta: float = 0.3
    gamma: float = 0.2


@dataclass(frozen=True)
class Plan:
    """A query that can be carried out."""

    query: Query
    phrases: tuple[str, ...]
    relations: tuple[str, ...]
    depth: int
    limit: int
    floor: float
    top_k: int


def plan(query: Query, settings: Settings) -> Plan:
    """Raises InvalidInput for a query that asks nothing or for more than is allowed."""
    phrases = tuple(phrase.strip()[:_LONGEST] for phrase in query.phrases)
    if not phrases and not query.from_nodes:
        raise InvalidInput("nothing to recall: give a question, --concepts or --from-nodes")
    relations = tuple(dict.fromkeys(relation_name(name) for name in query.relations))
    depth = settings.expand_depth if query.depth is None else query.depth
    if query.depth is None and (relations or query.from_nodes):
        depth = max(1, depth)
    if not 0 <= depth <= settings.max_depth:
        raise InvalidInput(
            f"depth {depth} is not between 0 and {settings.max_depth} (recall.max_depth)"
        )
    limit = settings.max_results if query.limit is None else query.limit
    if not 1 <= limit <= MOST_RESULTS:
        raise InvalidInput(f"limit {limit} is not between 1 and {MOST_RESULTS}")
    floor = settings.min_similarity if query.min_similarity is None else query.min_similarity
    if not 0 <= floor <= 1:
        raise InvalidInput(f"min_similarity {floor} is not between 0 and 1")
    return Plan(
        query=query,
        phrases=phrases,
        relations=relations,
        depth=depth if query.graph_expand else 0,
        limit=limit,
        floor=floor,
        top_k=max(settings.top_k, 2 * limit),
    )
