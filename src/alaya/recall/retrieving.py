"""`retrieve`: from a recall to the four kinds of the action design, and what of them goes into a
prompt. A recall finds turns, summaries and cards; the graph tells what they speak of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from alaya.errors import InvalidInput
from alaya.model.action import EntityFound, FactFound, Wish
from alaya.model.graph import Entity, Summary
from alaya.model.passage import Answer, Hit, ItemKind, Query
from alaya.model.raw import Origin, lowest
from alaya.recall.answer import Recaller
from alaya.recall.knowledge import Known, share_held
from alaya.recall.plan import MOST_RESULTS
from alaya.recall.surroundings import Surroundings, surroundings
from alaya.recall.turns import Reader

MOST_HOPS = 6
_CITED = 3  # turns of an entity that are read to tell how far it can be trusted
_HITS = ((ItemKind.TURN, "episodes"), (ItemKind.SUMMARY, "summaries"))


@dataclass(frozen=True)
class Found:
    """The answer with what was wished for, the graph around it, and entities and facts."""

    answer: Answer
    around: Surroundings
    entities: tuple[EntityFound, ...]
    edges: tuple[FactFound, ...]
    summaries: tuple[Hit, ...]

    def hits(self, kind: ItemKind) -> tuple[Hit, ...]:
        """The hits of one kind."""
        return tuple(hit for hit in self.answer.hits if hit.kind is kind)


def query_for(query: Query, wish: Wish) -> Query:
    """What is to be recalled: turns and summaries also where only what they speak of is wanted.

    Raises InvalidInput for hops or a limit that nobody can have, and for a question without words.
    """
    for name, value in (("max_hops", wish.max_hops), ("limit", wish.limit)):
        if not isinstance(value, int):
            raise InvalidInput(f"{name} {value!r} is not a whole number")
    if not 0 <= wish.max_hops <= MOST_HOPS:
        raise InvalidInput(f"max_hops {wish.max_hops} is not between 0 and {MOST_HOPS}")
    if not 1 <= wish.limit <= MOST_RESULTS:
        raise InvalidInput(f"limit {wish.limit} is not between 1 and {MOST_RESULTS}")
    if not query.phrases:
        raise InvalidInput("nothing to retrieve: give a question")
    leads = wish.entities or wish.edges
    return replace(
        query,
        limit=min(MOST_RESULTS, 3 * wish.limit),  # of each of three kinds of hits
        include_sessions=wish.episodes or leads,
        include_summaries=wish.summaries or leads,
    )


def retrieve(on: Recaller, answer: Answer, *, wish: Wish) -> Found:
    """Entities that the question names or the hits were taken from, and facts around them."""
    query = answer.query
    at = query.where.as_of or query.asked_at or on.clock()
    known = Known(on.index, query.where, at)
    entities, edges = _knowledge(on, known, answer=answer, wish=wish)
    kept = replace(answer, hits=_wished(answer.hits, wish))
    kept = replace(kept, abstained=not (kept.hits or entities or edges))
    around = surroundings(on.index, answer)
    summaries = _summaries(answer.hits, around.summaries)[: wish.limit] if wish.summaries else []
    told = {hit.id for hit in summaries}
    links = [link for link in around.links if not link.fact]
    shown = Surroundings(
        around.cards,
        (*(edge.link for edge in edges), *links),
        tuple(summary for summary in around.summaries if summary.id in told),
        tuple((found.entity, _origin(on, found.entity, query=query)) for found in entities),
        around.corrected,
    )
    return Found(kept, shown, tuple(entities), tuple(edges), tuple(summaries))


def _summaries(hits: Sequence[Hit], around: Sequence[Summary]) -> list[Hit]:
    """Those that were found; then those of runs that hold a turn which was, half as near as it."""
    found = [hit for hit in hits if hit.kind is ItemKind.SUMMARY]
    known = {hit.id for hit in found}
    sessions: dict[str, float] = {}
    for hit in hits:
        for span in hit.evidence:
            sessions[span.session] = max(sessions.get(span.session, 0.0), hit.score)
    led = [
        Hit(
            id=one.id,
            kind=ItemKind.SUMMARY,
            title=one.topic,
            content=one.content,
            score=sessions.get(one.session, 0.0) / 2,
            h_distance=1.0,
            said_at=one.said_at,
            origin=one.origin,
            evidence=one.evidence,
            arms=(),
            depth=1,
        )
        for one in around
        if one.id not in known
    ]
    return [*found, *sorted(led, key=lambda hit: (-hit.score, hit.id))]


def _knowledge(
    on: Recaller, known: Known, *, answer: Answer, wish: Wish
) -> tuple[list[EntityFound], list[FactFound]]:
    if not (wish.entities or wish.edges):
        return [], []
    question = " ".join(answer.query.phrases)
    near = dict[str, tuple[Entity, float]]()
    for entity, score in known.met(answer.hits):
        near[entity.id] = entity, score
    for entity in known.named(question):
        near[entity.id] = entity, 1.0
    scores = {name: score for name, (_, score) in near.items()}
    edges, reached = known.around(scores, wish.max_hops, held=share_held(question, on.stem))
    edges = edges[: wish.limit] if wish.edges else []
    entities: list[EntityFound] = []
    if wish.entities:
        others = known.read(name for name in reached if name not in near)
        all_of_them = [entity for entity, _ in near.values()] + others
        found = [(entity, *reached[entity.id]) for entity in all_of_them]
        found.sort(key=lambda one: (-one[1], one[0].name, one[0].id))
        entities = known.counted(found[: wish.limit])
    return entities, edges


def _wished(hits: Sequence[Hit], wish: Wish) -> tuple[Hit, ...]:
    """In their order, at most `limit` of each kind, and none of a kind that is not wanted."""
    unwanted = {kind for kind, name in _HITS if not getattr(wish, name)}
    taken: dict[ItemKind, int] = {}
    kept = []
    for hit in hits:
        taken[hit.kind] = taken.get(hit.kind, 0) + 1
        if hit.kind not in unwanted and taken[hit.kind] <= wish.limit:
            kept.append(hit)
    return tuple(kept)


def _origin(on: Recaller, entity: Entity, *, query: Query) -> Origin:
    """The least trusted of the first turns that it was taken from."""
    reader = Reader(on.index, on.archive, where=replace(query.where, kinds=(), tags=(), tiers=()))
    turns = dict.fromkeys(f"{span.session}#{span.turn}" for span in entity.evidence)
    return lowest([words.turn.origin for words in reader.read(list(turns)[:_CITED]).values()])
