"""A recall from the query to the answer. No model is called and nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime

from alaya.model.graph import Link
from alaya.model.passage import Answer, Hit, Item, ItemKind, Query, Where
from alaya.model.suspicion import doubts
from alaya.model.time import utc_now
from alaya.model.words import Stemmer
from alaya.ports import Archive, Embedder, Index, Vector
from alaya.recall import arms, diversity, entries, nodes, recipes, summaries, walk
from alaya.recall.arms import NOTHING, Asking, Candidate, Found, Question
from alaya.recall.cited import Cited
from alaya.recall.diversity import Told
from alaya.recall.entries import Cards, Entry
from alaya.recall.plan import Plan, Settings, plan
from alaya.recall.turns import Reader, turn_hit
from alaya.recall.walk import Kinship, Step
from alaya.recall.weights import GRAPH


@dataclass(frozen=True)
class Recaller:
    """What a recall reads. `timer` counts seconds, `clock` tells the time."""

    index: Index
    archive: Archive
    embedder: Embedder | None
    stem: Stemmer
    timer: Callable[[], float]
    settings: Settings = Settings()
    clock: Callable[[], datetime] = utc_now


_WIDER = 10  # times as many candidates, where those that are withheld leave too few
_AGAIN = 5  # times that hits are chosen, while some are withheld
_REACHED = (
    40  # cards (or turns) at the end of a walk that are compared with the question, nearest first
)


@dataclass(frozen=True)
class _Course:
    """One recall on its way: what it reads, what it asks, and the clock beside it."""

    on: Recaller
    todo: Plan
    asking: Asking
    vectors: Sequence[Vector | None]
    kin: Kinship
    given: list[str]  # the nodes from which to go on
    taken: list[Link]  # those that lead from them to the cards of sessions and turns
    reader: Reader
    whole: Cards
    watch: _Watch


def recall(on: Recaller, query: Query) -> Answer:
    """Where the question leads: hits, relations to go on, and the mean h-distance.

    h = alpha x concept distance + beta x relation distance + gamma x 0.1 x depth (Alaya 4.4); the
    recipe orders the hits. Raises InvalidInput for a query that asks nothing or names no known
    recipe, NotFound for unknown `from_nodes`.
    """
    watch = _Watch(on.timer)
    todo = plan(query, on.settings, now=query.asked_at or on.clock())
    vectors, why = arms.query_vectors(on.index, on.embedder, phrases=todo.phrases)
    watch.lap("embed")
    with on.index.snapshot():  # not over the embedding, which may be at the end of a network
        return _answer(on, todo, vectors=vectors, why=why, watch=watch)


def _answer(
    on: Recaller, todo: Plan, *, vectors: Sequence[Vector | None], why: str, watch: _Watch
) -> Answer:
    query = todo.query
    course = _course(on, todo, vectors=vectors, embedder=None if why else on.embedder, watch=watch)
    ranked = _ranked(course)
    hits, shown, withheld = _chosen(course, ranked)
    if withheld and len(hits) < todo.limit:  # it stood in the way of others
        course = replace(course, todo=replace(todo, top_k=todo.top_k * _WIDER))
        ranked = _ranked(course)
        hits, shown, withheld = _chosen(course, ranked)
    watch.lap("rank")
    cards = [hit.id for hit in hits if hit.card]
    starts = cards or [*course.given, *dict.fromkeys(link.source for link in course.taken)]
    starts = starts or [entry.id for entry in shown if entry.kind is ItemKind.CARD]
    ways = walk.explorable(on.index, starts, where=todo.cards or query.where, kin=course.kin)
    watch.lap("explore")
    notes = [why] if why and todo.phrases else []
    if todo.cards is None and not (todo.turns or todo.summaries):
        notes.append("neither cards nor what was said is asked for: nothing can be found")
    if withheld:
        notes.append(f"withheld, they seem to instruct an agent: {withheld} (include_quarantined)")
    if shown:
        notes.append(f"left out, shown before: {len(shown)} (show_again brings them back)")
    return Answer(
        query=query,
        hits=tuple(hits),
        explorable=ways,
        h_distance_avg=sum(h.h_distance for h in hits) / len(hits) if hits else None,
        abstained=not ranked,
        arms=tuple(dict.fromkeys(arm.arm for hit in hits for arm in hit.arms)),
        notes=tuple(notes),
        recipe=todo.recipe,
        latency_ms=watch.total(),
        stages_ms=tuple(watch.laps),
        settings=todo.settings,
    )


def _ranked(course: _Course) -> list[Entry]:
    """Everything that passes, the best first."""
    todo, found = course.todo, _found(course)
    if todo.recipe == recipes.EYWA:
        where = todo.cards or todo.query.where
        found = entries.connected(course.on.index, found, todo=todo, where=where)
    return entries.ranked(found)


def _course(
    on: Recaller,
    todo: Plan,
    *,
    vectors: Sequence[Vector | None],
    embedder: Embedder | None,
    watch: _Watch,
) -> _Course:
    where = todo.query.where
    given = nodes.starts(on.index, todo.query.from_nodes, where=where)
    kin = walk.kinship(
        on.index,
        todo.relations,
        vector=vectors[0] if vectors else None,
        where=where,
        embedder=embedder,
        text=todo.phrases[0] if todo.phrases else "",
    )
    return _Course(
        on=on,
        todo=todo,
        asking=Asking(
            on.index, on.stem, on.embedder, where=where, arms=todo.arms, dates=todo.dates
        ),
        vectors=vectors,
        kin=kin,
        given=given,
        taken=nodes.taken_from(on.index, given, where=todo.cards or where),
        reader=Reader(on.index, on.archive, where=where),
        whole=Cards(on.index, where=todo.cards or where),
        watch=watch,
    )


@dataclass(frozen=True)
class _Sought:
    """What a question finds among cards or turns: all candidates, and the best above the floor."""

    question: Question
    found: Found
    items: Mapping[str, Item]
    best: Sequence[Candidate]


def _sought(course: _Course, kind: ItemKind, *, where: Where) -> _Sought:
    todo = course.todo
    asking = replace(course.asking, where=where)
    question = arms.ask(asking, todo.phrases, vectors=course.vectors, kind=kind)
    # From given nodes, one only moves along links.
    direct = bool(todo.phrases) and not todo.query.from_nodes
    found = arms.find(question, limit=todo.wanted) if direct else NOTHING
    items = entries.items_of(found)
    best = entries.best_of(found, todo, items=items)
    course.watch.lap("search" if kind is ItemKind.CARD else "turns")
    return _Sought(question, found, items, best)


def _found(course: _Course) -> list[Entry]:
    """What the question finds, and what relations lead to from there."""
    todo, where = course.todo, course.todo.query.where
    cards = None if todo.cards is None else _sought(course, ItemKind.CARD, where=todo.cards)
    turns = _sought(course, ItemKind.TURN, where=where) if todo.turns else None
    steps, ways = _walked(course, cards, turns=turns)
    found: list[Entry] = []
    if cards is not None:
        found += _cards(course, cards, steps=steps)
    course.watch.lap("walk")
    if turns is not None:
        found += _said(course, turns, steps=steps, reached=ways.known if ways else frozenset())
        course.watch.lap("quotes")
    if todo.summaries and todo.phrases and not todo.query.from_nodes:
        found += summaries.found(course.asking, todo, vectors=course.vectors, kin=course.kin)
        course.watch.lap("summaries")
    return found


def _walked(
    course: _Course, cards: _Sought | None, *, turns: _Sought | None
) -> tuple[Mapping[str, Step], Cited | None]:
    """Where links lead to from what was found or given; through turns where these are wanted."""
    on, todo = course.on, course.todo
    if cards is None or todo.cards is None:
        return {}, None
    # Where relations were named, the walk is the question; else it starts from what is shown.
    shown = None if todo.relations else todo.limit
    seeds = course.given or [c.id for c in cards.best[:shown]]
    cited = None
    if turns is not None:
        said = [c.id for c in turns.best[:shown]] or nodes.turns_among(seeds)
        cited = Cited(
            on.index,
            todo.cards,
            turns=todo.query.where,
            known=set(said),
            said={item.id: item.said_at for item in turns.items.values()},
        )
        seeds = list(dict.fromkeys([*seeds, *said]))
    depth = todo.depth if GRAPH in todo.arms else 0
    steps = walk.walk(
        on.index,
        seeds,
        where=todo.cards,
        depth=depth,
        kin=course.kin,
        taken=course.taken,
        cited=cited,
    )
    return steps, cited


def _cards(course: _Course, sought: _Sought, *, steps: Mapping[str, Step]) -> list[Entry]:
    """Cards that the question finds, and those that relations lead to from them."""
    on, todo, kin = course.on, course.todo, course.kin
    best = sought.best
    reached = _reached(todo, sought, steps={n: s for n, s in steps.items() if _is_card(n)})
    where = todo.cards or todo.query.where
    found_itself = {candidate.id for candidate in best}
    once = [*best, *(c for c in reached if c.id not in found_itself)]
    standing = on.index.standing([c.id for c in once], where)
    items = _items(course, sought, once=once, where=where)
    return [
        entries.card_entry(
            c,
            standing[c.id],
            told=Told(items[c.id].forms, course.whole.text(c.id)),
            # What the question itself found is no farther for a link that leads there, too.
            step=steps.get(c.id) if kin.asked or c.id not in found_itself else None,
            kin=kin,
            todo=todo,
        )
        for c in once
        if c.id in standing and c.id in items
    ]


def _said(
    course: _Course, sought: _Sought, *, steps: Mapping[str, Step], reached: AbstractSet[str]
) -> list[Entry]:
    """Turns that the question finds, and those that relations lead to."""
    todo, kin = course.todo, course.kin
    found_itself = {candidate.id for candidate in sought.best}
    # Most turns that a card cites were judged with the others, if they fell below the floor.
    judged = {c.id: c for c in sought.found.candidates}
    met = [node for node in steps if node in reached]
    led = [judged[node] for node in met if node in judged]
    led += _reached(todo, sought, steps={n: steps[n] for n in met if n not in judged})
    once = [*sought.best, *(c for c in led if c.id not in found_itself)]
    items = _items(course, sought, once=once, where=todo.query.where)
    return [
        entries.turn_entry(
            c,
            items[c.id],
            step=steps.get(c.id) if kin.asked or c.id not in found_itself else None,
            kin=kin,
            todo=todo,
            text=course.reader.text(c.id),
        )
        for c in once
        if c.id in items
    ]


def _items(
    course: _Course, sought: _Sought, *, once: Sequence[Candidate], where: Where
) -> dict[str, Item]:
    """The items of these candidates that pass, by id."""
    items = {**sought.items, **{c.id: c.item for c in once if c.item is not None}}
    unread = [c.id for c in once if c.id not in items]  # nothing was asked in words
    if unread:
        read = course.on.index.items(unread, sought.question.kind, where=where)
        items |= {item.id: item for item in read}
    return items


def _reached(todo: Plan, sought: _Sought, *, steps: Mapping[str, Step]) -> list[Candidate]:
    """How similar what stands at the end of the walk is to the question; the nearest of it."""
    near = sorted(steps.values(), key=lambda s: (-s.rel_similarity * s.edge.weight, s.node))
    ids = [step.node for step in near[: max(_REACHED, 4 * todo.limit)]]
    if not ids:
        return []
    if not sought.question.phrases:
        return [Candidate(i, 0.0) for i in ids]
    return arms.judge(sought.question, ids, found=sought.found)


def _is_card(node: str) -> bool:
    return node.startswith("card-")


def _chosen(course: _Course, ranked: Sequence[Entry]) -> tuple[list[Hit], list[Entry], int]:
    """The hits to be shown, in order; what was left out as shown before; how many are withheld.

    What is withheld takes no place from what follows: twice as many are looked at each time.
    """
    todo, hidden = course.todo, course.todo.query.hidden
    shown = [entry for entry in ranked if entry.id in hidden]
    fresh = [entry for entry in ranked if entry.id not in hidden]
    withheld = 0
    for more in range(_AGAIN):
        order = diversity.spread(
            [entry.told for entry in fresh],
            [recipes.total(entry.parts) for entry in fresh],
            limit=todo.limit << more,
            diversity=todo.diversity,
            seen=[entry.told for entry in shown],
        )
        hits = _hits(course, [replace(fresh[n], repeats=much) for n, much in order.items()])
        kept = [hit for hit in hits if not _speaks_to_agents(hit, todo)]
        gone = {hit.id for hit in hits} - {hit.id for hit in kept}
        withheld += len(gone)
        if not gone:
            break
        fresh = [entry for entry in fresh if entry.id not in gone]
    return kept[: todo.limit], shown, withheld


def _speaks_to_agents(hit: Hit, todo: Plan) -> bool:
    """Whether a stranger's words are withheld; of cards that was decided when they were made."""
    if hit.kind is ItemKind.CARD or todo.query.where.include_quarantined:
        return False
    return bool(doubts(hit.origin, hit.content, hit.speaker))


def _hits(course: _Course, chosen: Sequence[Entry]) -> list[Hit]:
    """The entries as hits: cards, and the words of turns from the archive, are read only now."""
    todo = course.todo
    words = course.reader.read([e.id for e in chosen if e.kind is ItemKind.TURN])
    cards = course.whole.read([e.id for e in chosen if e.kind is ItemKind.CARD])
    links = walk.links_of(
        course.on.index,
        [entry.step for entry in chosen if entry.step],
        where=todo.cards or todo.query.where,
        kin=course.kin,
    )
    hits = []
    for entry in chosen:
        entry = replace(entry, via=links.get(entry.id))
        if entry.id in cards:
            card, _ = whole = cards[entry.id]
            hits.append(
                entries.hit(
                    replace(entry, card=whole),
                    todo,
                    title=card.title,
                    content=card.content,
                    said_at=card.said_at,
                    origin=card.origin,
                    evidence=card.evidence,
                )
            )
        elif entry.summary is not None:
            hits.append(summaries.summary_hit(entry, entry.summary, todo=todo))
        elif entry.id in words:
            hits.append(turn_hit(entry, words[entry.id], todo=todo))
    return hits


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
