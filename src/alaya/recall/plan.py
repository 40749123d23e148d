"""From a query to a plan: every default filled in, every name normalised, every limit checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from alaya.errors import InvalidInput
from alaya.model.graph import CardKind
from alaya.model.passage import Query, Where
from alaya.model.relations import relation_name
from alaya.recall.dates import Named, spans
from alaya.recall.recipes import (
    ALICE,
    ALICE_BLEND,
    DEFAULT,
    EYWA,
    EYWA_BLEND,
    RECIPES,
    STALE,
    Blend,
    Numbers,
    is_diverse,
)
from alaya.recall.weights import ARMS

_LONGEST = 4_000  # characters of a question that are used; a pasted log is no question
MOST_RESULTS = 1_000
_CAPS = {ALICE: "frequency_cap", EYWA: "connections_cap"}  # named as in the configuration
# Qiming's kinds, which are notes until there are notes as files (`include_notes`).
NOTES = frozenset(
    (CardKind.SUCCESS, CardKind.FAILURE, CardKind.INSIGHT, CardKind.PRINCIPLE, CardKind.SKILL)
)


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
    arms: tuple[str, ...] = ()  # the arms that may vote; empty: all
    recipe: str = DEFAULT
    diversity: float = 0.5  # what new counts beside relevant: 1 - lambda of MMR
    stale: float = STALE  # of its score that a stale hit loses
    include_cards: bool = True
    include_sessions: bool = False
    include_summaries: bool = False
    include_notes: bool = True
    alice: Blend = ALICE_BLEND
    eywa: Blend = EYWA_BLEND


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
    arms: frozenset[str]
    dates: tuple[Named, ...]
    now: datetime
    recipe: str
    numbers: Numbers
    cards: Where | None  # which cards are asked for; None: none
    turns: bool  # whether turns are asked for
    summaries: bool  # whether summaries of them are
    diversity: float

    @property
    def wanted(self) -> int:
        """How many candidates are looked for: what was shown before takes no place."""
        return self.top_k + len(self.query.hidden)

    @property
    def settings(self) -> tuple[tuple[str, float], ...]:
        """The numbers that decided, named as in the configuration."""
        alpha, beta, gamma = self.numbers.shared
        found = [("alpha", alpha), ("beta", beta), ("gamma", gamma), ("min_similarity", self.floor)]
        if (blend := self.numbers.blend) is not None:
            found += [(f"{self.recipe}_{name}", weight) for name, weight in blend.weights]
            found.append((f"{self.recipe}_half_life_days", blend.half_life))
            found.append((f"{self.recipe}_{_CAPS[self.recipe]}", blend.enough))
        if is_diverse(self.recipe):  # in `alaya` neither counts
            found += [("diversity", self.diversity), ("stale_penalty", self.numbers.stale)]
        return tuple(found)


def plan(query: Query, settings: Settings, *, now: datetime) -> Plan:
    """Raises InvalidInput for a query that asks nothing or for more than is allowed."""
    _typed(query)
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
    recipe, blend = _recipe(query, settings)
    return Plan(
        query=query,
        phrases=phrases,
        relations=relations,
        depth=depth if query.graph_expand else 0,
        limit=limit,
        floor=floor,
        top_k=max(settings.top_k, 2 * limit),
        arms=frozenset(settings.arms or ARMS),
        dates=tuple(named for phrase in phrases for named in spans(phrase, now)),
        now=now,
        recipe=recipe,
        numbers=Numbers(
            alpha=settings.alpha,
            beta=settings.beta,
            gamma=settings.gamma,
            worded=bool(phrases),
            named=bool(relations),
            blend=blend,
            stale=settings.stale,
        ),
        cards=_cards(query, settings),
        turns=_chosen(query.include_sessions, settings.include_sessions),
        summaries=_chosen(query.include_summaries, settings.include_summaries),
        diversity=settings.diversity if is_diverse(recipe) else 0.0,
    )


def _typed(query: Query) -> None:
    """Raises InvalidInput for what is of another type than it says: Python does not look."""
    texts = {"text": (query.text,), "recipe": (query.recipe,)}
    texts |= {n: getattr(query, n) for n in ("concepts", "relations", "from_nodes")}
    for name, given in texts.items():
        for value in given:
            if not isinstance(value, str):
                raise InvalidInput(f"{name} must be text, not {value!r:.80}")
    for name in ("depth", "limit", "min_similarity"):
        value = getattr(query, name)
        kinds = (int, float) if name == "min_similarity" else int
        if value is not None and (isinstance(value, bool) or not isinstance(value, kinds)):
            kind = "a number" if name == "min_similarity" else "a whole number"
            raise InvalidInput(f"{name} must be {kind}, not {value!r:.80}")


def _recipe(query: Query, settings: Settings) -> tuple[str, Blend | None]:
    """The recipe by name, and what it adds up where it is not h."""
    name = query.recipe.strip().lower() or settings.recipe
    if name not in RECIPES:
        raise InvalidInput(f"no recipe {query.recipe[:80]!r}: known are {', '.join(RECIPES)}")
    blends: Mapping[str, Blend] = {ALICE: settings.alice, EYWA: settings.eywa}
    blend = blends.get(name)
    if blend is not None and not any(weight for _, weight in blend.weights):
        raise InvalidInput(f"recipe {name} weighs nothing: every recall.{name}_* weight is 0")
    return name, blend


def _cards(query: Query, settings: Settings) -> Where | None:
    """The filter for cards: that of the query, without notes where none are wanted."""
    if not _chosen(query.include_cards, settings.include_cards):
        return None
    if _chosen(query.include_notes, settings.include_notes):
        return query.where
    kinds = tuple(kind for kind in query.where.kinds or CardKind if kind not in NOTES)
    return replace(query.where, kinds=kinds) if kinds else None


def _chosen(asked: bool | None, usual: bool) -> bool:
    return usual if asked is None else asked
