"""A recall from the query to the answer. No model is called and nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from alaya.errors import NotFound
from alaya.model.graph import Card, CardState
from alaya.model.passage import Answer, ArmScore, Hit, ItemKind, Query, Where
from alaya.model.words import Stemmer
from alaya.ports import Archive, Embedder, Index, Vector
from alaya.recall import arms, walk
from alaya.recall.arms import GRAPH, Candidate, Question
from alaya.recall.plan import Plan, Settings, plan
from alaya.recall.turns import turn_hits
from alaya.recall.walk import Kinship, Step


@dataclass(frozen=True)
class Recaller:
    """What a recall reads. `timer` counts seconds."""

    index: Index
    archive: Archive
    embedder: Embedder | None
    stem: Stemmer
    timer: Callable[[], float]
    settings: Settings = Settings()


_REACHED = 40  # cards at the end of a walk that are compared with the question, nearest first

Known = dict[str, tuple[Card, CardState]]


def recall(on: Recaller, query: Query) -> Answer:
    """Where the question leads: hits by h-distance, relations to go on, and the mean distance.

    h = alpha x concept distance + beta x relation distance + gamma x 0.1 x depth (Alaya 4.4).
    Raises InvalidInput for a query that asks nothing, NotFound for unknown `from_nodes`.
    """
    watch = _Watch(on.timer)
    todo = plan(query, on.settings)
    where = query.where
    vectors, why = arms.query_vectors(on.index, on.embedder, phrases=todo.phrases)
    watch.lap("embed")
    cards: Known = {}
    question = _question(on, todo, vectors=vectors, kind=ItemKind.CARD, where=where)
    found = _direct(on, todo, question=question, cards=cards) if query.include_cards else []
    watch.lap("search")
    seeds = _seeds(on, todo, found=found, where=where)
    kin = walk.kinship(
        on.index,
        todo.relations,
        vector=vectors[0] if vectors else None,
        where=where,
        embedder=None if why else on.embedder,
        text=todo.phrases[0] if todo.phrases else "",
    )
    steps = walk.walk(on.index, seeds, where=where, depth=todo.depth, kin=kin) if todo.depth else {}
    reached = _reached(on, todo, question=question, steps=steps, cards=cards)
    watch.lap("walk")
    hits = [_hit(on.settings, c, cards=cards, step=None, kin=kin) for c in found]
    hits += [_hit(on.settings, c, cards=cards, step=steps[c.id], kin=kin) for c in reached]
    if query.include_sessions and todo.phrases:
        turns = _question(on, todo, vectors=vectors, kind=ItemKind.TURN, where=where)
        hits += turn_hits(
            on.index, on.archive, question=turns, todo=todo, stem=on.stem, alpha=on.settings.alpha
        )
        watch.lap("turns")
    hits = sorted(hits, key=lambda hit: (hit.h_distance, hit.id))[: todo.limit]
    ways = walk.explorable(
        on.index, [h.id for h in hits if h.card] or list(query.from_nodes), where=where, kin=kin
    )
    watch.lap("explore")
    spoke = dict.fromkeys(arm.arm for hit in hits for arm in hit.arms)
    return Answer(
        query=query,
        hits=tuple(hits),
        explorable=ways,
        h_distance_avg=sum(h.h_distance for h in hits) / len(hits) if hits else None,
        abstained=not hits,
        arms=tuple(spoke),
        notes=(why,) if why and todo.phrases else (),
        latency_ms=watch.total(),
        stages_ms=tuple(watch.laps),
        settings=(
            ("alpha", on.settings.alpha),
            ("beta", on.settings.beta),
            ("gamma", on.settings.gamma),
            ("min_similarity", todo.floor),
        ),
    )


def _question(
    on: Recaller, todo: Plan, *, vectors: Sequence[Vector | None], kind: ItemKind, where: Where
) -> Question:
    return arms.ask(
        on.index,
        todo.phrases,
        vectors=vectors,
        kind=kind,
        where=where,
        embedder=on.embedder,
        stem=on.stem,
    )


def _direct(on: Recaller, todo: Plan, *, question: Question, cards: Known) -> list[Candidate]:
    """Cards that the question itself finds. From given nodes, one only moves along links."""
    if todo.query.from_nodes or not todo.phrases:
        return []
    found = arms.candidates(
        on.index,
        question,
        top_k=todo.top_k,
        stem=on.stem,
        text_of=_texts(on.index, question, cards=cards),
    )
    return [c for c in found if c.similarity >= todo.floor][: todo.top_k]


def _seeds(on: Recaller, todo: Plan, *, found: Sequence[Candidate], where: Where) -> list[str]:
    if not todo.query.from_nodes:
        # Where relations were named, the walk is the question; else it starts from what is shown.
        starts = found if todo.relations else found[: todo.limit]
        return [candidate.id for candidate in starts]
    wanted = list(dict.fromkeys(todo.query.from_nodes))
    known = {card.id for card, _ in on.index.cards(wanted, where)}
    for node in wanted:
        if node.startswith("card-") and node not in known:
            raise NotFound(f"no card {node} (for this user, and not forgotten)")
    return wanted


def _reached(
    on: Recaller, todo: Plan, *, question: Question, steps: Mapping[str, Step], cards: Known
) -> list[Candidate]:
    """How similar the cards at the end of the walk are to the question; the nearest of them."""
    near = sorted(steps.values(), key=lambda s: (-s.rel_similarity * s.link.weight, s.node))
    ids = [step.node for step in near if step.node.startswith("card-")]
    ids = ids[: max(_REACHED, 4 * todo.limit)]
    if not ids:
        return []
    text_of = _texts(on.index, question, cards=cards)
    if not question.asked:
        text_of(ids)
        return [Candidate(i, 0.0, ()) for i in ids if i in cards]
    return arms.judged(on.index, question, ids=ids, stem=on.stem, text_of=text_of)


def _texts(
    index: Index, question: Question, *, cards: Known
) -> Callable[[Sequence[str]], Mapping[str, str]]:
    """Fetches cards once, and gives their texts."""

    def text_of(ids: Sequence[str]) -> Mapping[str, str]:
        missing = [i for i in ids if i not in cards]
        cards.update({c.id: (c, state) for c, state in index.cards(missing, question.where)})
        return {i: f"{cards[i][0].text}\n{' '.join(cards[i][0].tags)}" for i in ids if i in cards}

    return text_of


def _hit(
    settings: Settings, candidate: Candidate, *, cards: Known, step: Step | None, kin: Kinship
) -> Hit:
    card, state = cards[candidate.id]
    concept = 1.0 - candidate.similarity
    relation, depth, scores = 0.0, 0, candidate.arms
    if step is not None:
        relation, depth = 1.0 - step.rel_similarity, step.depth
        vote = step.rel_similarity * step.link.weight
        scores = (*scores, ArmScore(GRAPH, step.link.weight, vote, depth))
    elif kin.asked:
        relation = 1.0  # relations were asked for, and none led here
    h = settings.alpha * concept + settings.beta * relation + settings.gamma * 0.1 * depth
    share = settings.alpha + (settings.beta if step or kin.asked else 0.0)
    return Hit(
        id=card.id,
        kind=ItemKind.CARD,
        title=card.title,
        content=card.content,
        score=round(max(0.0, 1.0 - h / share), 6) if share else 0.0,
        h_distance=round(h, 6),
        said_at=card.said_at,
        origin=card.origin,
        evidence=card.evidence,
        arms=scores,
        concept_distance=round(concept, 6),
        relation_distance=round(relation, 6),
        depth=depth,
        matched_rel=step.relation if step else None,
        rel_similarity=round(step.rel_similarity, 4) if step else None,
        via=step.link if step else None,
        tier=state.tier,
        card=card,
        stale=state.stale,
    )


class _Watch:
    """Milliseconds by stage."""

    def __init__(self, timer: Callable[[], float]) -> None:
        self._timer = timer
        self._start = self._last = timer()
        self.laps: list[tuple[str, float]] = []

    def lap(self, name: str) -> None:
        now = self._timer()
        self.laps.append((name, round((now - self._last) * 1000, 3)))
        self._last = now

    def total(self) -> float:
        return round((self._timer() - self._start) * 1000, 3)
