"""What tools answer: remembered things with citations, inside a budget of tokens.

Whatever was remembered stands between alaya's tags and is quoted as data; text from tools and
strangers is fenced. Of what does not fit, the number is told.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from alaya.model.action import FactFound
from alaya.model.context import CLOSE_TAG, OPEN_TAG, ContextItem, Format, Mark, MarkKind, Section
from alaya.model.graph import Summary
from alaya.model.passage import Answer, Hit, ItemKind
from alaya.model.raw import ArchivedTurn, Origin, Turn
from alaya.model.speech import visible
from alaya.model.time import format_time
from alaya.model.told import ToldGraph, ToldRelation
from alaya.model.trace import Trace, Transcript, Why
from alaya.recall.budget import Packed, Room, Writing, pack
from alaya.recall.quoting import cite_card, cite_turn, inert, one_line
from alaya.recall.rendering import Style, entry

Say = Callable[..., str]
LEAST = 200  # tokens that any answer may have
_TITLE, _NAME, _CITED, _NAMED = 120, 40, 2, 10
_OURS = str.maketrans("", "", "();⚠")  # what stands around a name


@dataclass(frozen=True)
class Reply:
    """What a tool answers. `data` is the same as JSON, where a client expects that."""

    text: str
    data: Mapping[str, Any] | None = None
    note: str = ""


@dataclass(frozen=True)
class Desk:
    """With what answers are written: how long they may be, how that is counted, and the words."""

    budget: int
    count: Callable[[str], int]
    counted_by: str
    language: str
    say: Say
    held: Callable[[str], int] = lambda text: 0

    @property
    def style(self) -> Style:
        """As contexts are written."""
        return Style(Format.MARKDOWN, self.language, self.counted_by, brief=True)


def block(
    desk: Desk, items: Sequence[ContextItem], *, head: str = "", tail: Sequence[str] = ()
) -> str:
    """The items that fit, in their order, with what stands above and below them."""
    order = {item.id: number for number, item in enumerate(items)}

    def written(shown: Sequence[ContextItem]) -> str:
        lines = [f'{OPEN_TAG} version="1" tokens="{desk.counted_by}">', desk.style.intro]
        lines += [head] if head else []
        lines += [entry(item, desk.style) for item in sorted(shown, key=lambda i: order[i.id])]
        said = {item.id for item in shown}.union(*(item.sources for item in shown))
        left = sum(item.id not in said for item in items)
        lines += [desk.say("left_out", n=left)] if left else []
        return "\n".join([*lines, *tail, CLOSE_TAG])

    writing = Writing(
        entry=lambda item: entry(item, desk.style), heading=lambda _: "", block=written
    )
    room = Room(desk.budget, desk.count, desk.held)
    packed: Packed = pack(items, room, writing=writing, bare=True)
    return packed.text or desk.say("too_small")


def answer(desk: Desk, found: Answer) -> str:
    """The hits of a recall, the best first, and where the graph leads on."""
    if not found.hits:
        return desk.say("abstained" if found.abstained else "nothing_new")
    ways = ", ".join(f"{one_line(p.rel, _NAME)} ×{p.count}" for p in found.explorable[:8])
    tail = [desk.say("ways", ways=ways)] if ways else []
    return block(desk, [_hit(hit) for hit in found.hits], tail=tail)


def _hit(hit: Hit) -> ContextItem:
    about = f"{hit.score:.2f}" + (f", {hit.matched_rel}" if hit.matched_rel else "")
    marks = (Mark(MarkKind.STALE),) if hit.stale else ()
    turns = list(dict.fromkeys((span.session, span.turn) for span in hit.evidence))
    cited = [cite_turn(*turn) for turn in turns[:_CITED]]
    if hit.kind is ItemKind.CARD and hit.card is not None:
        return ContextItem(
            section=Section.CARDS,
            id=hit.id,
            text=inert(hit.content),
            citations=(cite_card(hit.id), *cited),
            origin=hit.origin,
            title=one_line(hit.title, _TITLE),
            label=f"{hit.card.kind.value}, {about}",
            said_at=hit.said_at,
            marks=marks,
            sources=tuple(f"{session}#{turn}" for session, turn in turns),
        )
    spoken = hit.kind is ItemKind.TURN
    own = spoken and hit.origin in (Origin.OWNER, Origin.AGENT)
    speaker = one_line(hit.speaker, _NAME).translate(_OURS) if own else ""
    return ContextItem(
        section=Section.TURNS if spoken else Section.SUMMARIES,
        id=hit.id,
        text=inert(hit.content),
        citations=tuple([*([] if spoken else [cite_card(hit.id)]), *cited] or [cite_card(hit.id)]),
        origin=hit.origin,
        title="" if spoken else one_line(hit.title, _TITLE),
        label=", ".join(filter(None, [speaker, about])),
        said_at=hit.said_at,
        marks=marks,
    )


def why(desk: Desk, found: Why) -> str:
    """A card and its words, how often it was said, and the cards that bear on it, by id."""
    told = [desk.say("why.said", times=found.times, at=format_time(found.trace.card.said_at)[:10])]
    for key, cards in (
        ("derived_from", [card.id for card in found.derived_from]),
        ("derived", found.derived),
        ("replaces", [card.id for card in found.replaces]),
        ("replaced_by", [card.id for card in found.replaced_by]),
        ("contradicts", [card.id for card in found.contradicts]),
    ):
        if cards:
            told.append(desk.say(f"why.{key}", cards=" ".join(map(cite_card, cards[:_NAMED]))))
    if found.corrections:
        told.append(desk.say("why.corrected", n=len(found.corrections)))
    if found.trace.state.quarantined:
        told.append(desk.say("why.quarantined"))
    return trace(desk, found.trace, told=told)


def trace(desk: Desk, found: Trace, *, told: Sequence[str] = ()) -> str:
    """A card, and the words that carry it; `told` stands below them."""
    card, state = found.card, found.state
    marks = [Mark(MarkKind.STALE)] if state.stale else []
    marks += [Mark(MarkKind.RETIRED, at=state.forgotten_at)] if state.forgotten_at else []
    items = [
        ContextItem(
            section=Section.CARDS,
            id=card.id,
            text=inert(card.content),
            citations=(cite_card(card.id),),
            origin=card.origin,
            title=one_line(card.title, _TITLE),
            label=card.kind.value,
            said_at=card.said_at,
            marks=tuple(marks),
        )
    ]
    for number, quote in enumerate(found.quotes):
        turn = quote.turn.turn
        key = "verified" if quote.verified else "altered"
        items.append(
            replace(
                _spoken(quote.span.session, quote.turn),
                id=f"{number}",
                text=inert(quote.words),
                label=", ".join([_speaker(turn), desk.say(key)]),
            )
        )
    tail = [desk.say("missing", n=len(found.missing))] if found.missing else []
    return block(desk, items, tail=[*tail, *told])


def transcript(desk: Desk, found: Transcript, *, head: str, tail: Sequence[str]) -> str:
    """Turns of a session, word for word."""
    items = [
        replace(
            _spoken(found.session.id, turn),
            id=str(turn.ordinal),
            label=_speaker(turn.turn),
        )
        for turn in found.turns
    ]
    return block(desk, [item for item in items if item.text], head=head, tail=tail)


def summary(desk: Desk, found: Summary) -> str:
    """A summary and what it sums up."""
    ends = dict.fromkeys([found.first_turn, found.last_turn])
    item = ContextItem(
        section=Section.SUMMARIES,
        id=found.id,
        text=inert(found.content),
        citations=tuple(cite_turn(found.session, turn) for turn in ends),
        origin=found.origin,
        title=one_line(found.topic, _TITLE),
        said_at=found.said_at,
    )
    return block(desk, [item])


def facts(desk: Desk, found: Sequence[FactFound]) -> str:
    """Facts with when they began to hold, and those that ended marked as such."""
    if not found:
        return desk.say("no_facts")
    items = []
    for fact in found:
        link = fact.link
        turns = dict.fromkeys(cite_turn(span.session, span.turn) for span in link.evidence)
        ended = not fact.holds and link.invalid_at is not None
        items.append(
            ContextItem(
                section=Section.CARDS,  # so that a long one may be cut
                id=link.id,
                text=inert(fact.fact),
                citations=tuple([*turns][:_CITED] or [cite_card(link.id)]),
                origin=link.origin,
                said_at=link.valid_at,
                marks=(Mark(MarkKind.INVALID, at=link.invalid_at),) if ended else (),
            )
        )
    return block(desk, items)


def graph(desk: Desk, found: ToldGraph, *, shape: Callable[[ToldGraph], Any]) -> Reply:
    """As much of a graph as fits, as the JSON that the reference memory server answers.

    An entity comes with its observations, then the relations that first touch it.
    """
    spare = desk.count(desk.say("graph_cut", shown=99_999, total=99_999))

    def text(graph: ToldGraph) -> str:
        return json.dumps(shape(graph), ensure_ascii=False, indent=2)

    parts = _in_order(found)
    low, high = 0, len(parts)
    while low < high:
        middle = (low + high + 1) // 2
        fits = desk.count(text(_of(found, parts[:middle]))) + spare <= desk.budget
        low, high = (middle, high) if fits else (low, middle - 1)
    kept = _of(found, parts[:low])
    cut = found.left_out or low < len(parts)
    total = len(found.entities) + found.left_out
    note = desk.say("graph_cut", shown=len(kept.entities), total=total) if cut else ""
    return Reply(text(kept), shape(kept), note)


_Part = ToldRelation | tuple[int, str | None]  # an entity by its place, or an observation of it


def _in_order(found: ToldGraph) -> list[_Part]:
    touching: dict[str, list[ToldRelation]] = {}
    for relation in found.relations:
        for name in (relation.source, relation.target):
            touching.setdefault(name, []).append(relation)
    parts: dict[_Part, None] = {}
    for place, entity in enumerate(found.entities):
        parts |= dict.fromkeys([(place, None), *((place, one) for one in entity.observations)])
        parts |= dict.fromkeys(touching.get(entity.name, ()))
    return list(parts | dict.fromkeys(found.relations))


def _of(found: ToldGraph, parts: Sequence[_Part]) -> ToldGraph:
    observed: dict[int, list[str]] = {}
    for part in parts:
        if isinstance(part, tuple):
            words = observed.setdefault(part[0], [])
            words += [] if part[1] is None else [part[1]]
    entities = [
        replace(found.entities[place], observations=tuple(words))
        for place, words in observed.items()
    ]
    relations = [part for part in parts if isinstance(part, ToldRelation)]
    return ToldGraph(tuple(entities), tuple(relations), found.left_out)


def _spoken(session: str, archived: ArchivedTurn) -> ContextItem:
    turn = archived.turn
    return ContextItem(
        section=Section.TURNS,
        id=f"{session}#{turn.id}",
        text=inert(visible(turn)),
        citations=(cite_turn(session, turn.id),),
        origin=turn.origin,
        said_at=turn.said_at,
    )


def _speaker(turn: Turn) -> str:
    """A name that strangers chose is not told: it would stand outside the fence."""
    own = turn.origin in (Origin.OWNER, Origin.AGENT)
    name = turn.name if own and turn.name else turn.role.value
    return one_line(name, _NAME).translate(_OURS)
