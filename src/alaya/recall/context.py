"""From an answer to the context for a prompt: what is shown, in which order, with which marks.

Pure: the graph was read before (`surroundings`), tokens are counted by a function that is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from alaya.errors import InvalidInput
from alaya.model.context import Context, ContextItem, Format, Mark, MarkKind, Section
from alaya.model.graph import Entity, Summary
from alaya.model.note import Note, NoteKind
from alaya.model.passage import Answer, Hit, ItemKind
from alaya.model.raw import Origin
from alaya.model.speech import injected_ranges
from alaya.model.suspicion import doubts
from alaya.model.tokens import TokenCounter
from alaya.model.words import Stemmer, holder, query_terms
from alaya.recall import rendering
from alaya.recall.budget import Room, Writing, pack
from alaya.recall.facts import contradicted_by, facts, marks
from alaya.recall.quoting import cite_card, cite_note, cite_turn, inert, one_line
from alaya.recall.rendering import Style
from alaya.recall.surroundings import Surroundings, surroundings

__all__ = ["Wanted", "build", "candidates", "most_hits", "ordered", "surroundings", "wanted"]

_TITLE, _NAME = 120, 40
_OURS = str.maketrans("", "", "();⚠")  # what stands around a name
_FIRST = 3  # hits that come before the facts around all of them
_FACTS = 30
_CITED = 2  # turns of an entity
_SMALL = 60  # tokens of a short item with its citation
_MOST_HITS = 100
_BRIEF = 400  # below this budget the introduction is one short sentence
_SECTIONS = tuple(Section)


@dataclass(frozen=True)
class Wanted:
    """What context is wanted: at most `budget` tokens, written as `format` in a language.

    `notes` are the owner's notes that belong to every prompt: soul first, then procedures.
    """

    budget: int
    format: Format = Format.MARKDOWN
    language: str = "en"
    notes: tuple[Note, ...] = ()


def build(
    answer: Answer,
    around: Surroundings,
    *,
    wish: Wanted,
    counter: TokenCounter,
    stem: Stemmer,
    now: datetime,
) -> Context:
    """The context for an answer: the most relevant of what fits, ordered by section.

    The budget holds for the whole text as `counter` counts it.
    """
    brief = wish.budget < _BRIEF
    style = Style(wish.format, wish.language, counter.name, brief=brief)
    question = " ".join(answer.query.phrases)
    held = _held(question, stem)
    packed = pack(
        candidates(answer, around, notes=wish.notes, held=held, now=now),
        Room(wish.budget, counter.count, held),
        writing=Writing(
            entry=lambda item: rendering.entry(item, style),
            heading=lambda section: rendering.heading(section, style),
            block=lambda items: rendering.block(ordered(items), style, abstained=answer.abstained),
        ),
        bare=answer.abstained,
    )
    text = packed.text
    if not text and wish.format is Format.JSON and counter.count("{}") <= wish.budget:
        text = "{}"
    return Context(
        question=question,
        format=wish.format,
        text=text,
        items=ordered(packed.items),
        budget=wish.budget,
        tokens=counter.count(text),
        counted_by=counter.name,
        left_out=packed.left_out,
        abstained=answer.abstained,
        notes=(*answer.notes, *([counter.why] if counter.why else [])),
    )


def wanted(budget: int, format: str, *, language: str, notes: Sequence[Note]) -> Wanted:
    """The wish as a value. Raises InvalidInput for what nobody can have."""
    if budget < 0:
        raise InvalidInput(f"budget_tokens {budget} is less than 0")
    if format not in tuple(Format):
        raise InvalidInput(f"format {format!r} is not among {', '.join(Format)}")
    return Wanted(budget, Format(format), language, tuple(notes))


def most_hits(budget: int, usual: int) -> int:
    """How many hits to recall: as many as could fit, and at least as many as usual."""
    return min(max(usual, budget // _SMALL), _MOST_HITS)


def candidates(
    answer: Answer,
    around: Surroundings,
    *,
    held: Callable[[str], int],
    now: datetime,
    notes: Iterable[Note] = (),
) -> list[ContextItem]:
    """Everything that could be shown and was not yet, the most important first, each once.

    Notes, then the hits as they are ranked, each contradicted card before what contradicts it;
    what they speak of and the facts around them after the first hits; summaries last.
    """
    hits = frozenset(hit.id for hit in answer.hits)
    at = answer.query.where.as_of or now
    known = facts(around, hits=hits, at=at, held=held)[:_FACTS]
    about = [_entity(entity, origin) for entity, origin in around.entities]
    found = [_note(note) for note in sorted(notes, key=lambda n: n.kind is not NoteKind.SOUL)]
    for rank, hit in enumerate(answer.hits):
        found += [*about, *known] if rank == _FIRST else []
        found += _of_hit(hit, around)
    found += [*about, *known, *(_summary(summary) for summary in around.summaries)]
    once: dict[str, ContextItem] = {}
    for item in found:
        told = (item.text or item.title) and item.id not in answer.query.hidden
        if told and not _withheld(item, answer):
            once.setdefault(item.id, _corrected(item, around))
    return list(once.values())


def _corrected(item: ContextItem, around: Surroundings) -> ContextItem:
    """A quote, a fact or a summary with a mark where the words that it stands on were corrected."""
    found = [around.corrected[name] for name in item.sources if name in around.corrected]
    if not found or item.section not in (Section.FACTS, Section.SUMMARIES, Section.TURNS):
        return item  # a card has a state of its own
    last = found[-1]
    cards = [name for name in last.about if name.startswith("card-")]
    ends = [cite_card(name) for name in cards] + [cite_turn(s.session, s.turn) for s in last.output]
    mark = Mark(MarkKind.CORRECTED, ends[0] if ends else "", last.at)
    return replace(item, marks=(*item.marks, mark))


def _withheld(item: ContextItem, answer: Answer) -> bool:
    """Whether it is a stranger's and speaks to an agent. Cards have their quarantine, and hits of
    turns were looked at by the recall."""
    if item.section in (Section.CARDS, Section.NOTES) or answer.query.where.include_quarantined:
        return False
    return bool(doubts(item.origin, item.title, item.text))


def ordered(items: Iterable[ContextItem]) -> tuple[ContextItem, ...]:
    """By section, as they came; quoted turns as they were said."""

    def place(item: ContextItem) -> tuple[int, float]:
        spoken = item.said_at if item.section is Section.TURNS else None
        return _SECTIONS.index(item.section), spoken.timestamp() if spoken else 0.0

    return tuple(sorted(items, key=place))


def _held(question: str, stem: Stemmer) -> Callable[[str], int]:
    """How many terms of the question a text holds."""
    terms = query_terms(question, stem)
    among = holder((*terms.words, *terms.chars), stem)
    return lambda text: len(among(text))


def _of_hit(hit: Hit, around: Surroundings) -> list[ContextItem]:
    if hit.kind is ItemKind.SUMMARY:
        return [_summary(s) for s in around.summaries if s.id == hit.id] or [_quoted(hit)]
    if hit.kind is ItemKind.TURN:
        return [_quoted(hit)] if hit.content.strip() else []  # a name alone says nothing
    if hit.id not in around.cards:  # forgotten since it was found
        return []
    return [_card(card, around) for card in (hit.id, *contradicted_by(hit.id, around))]


def _card(id: str, around: Surroundings) -> ContextItem:
    card = around.cards[id][0]
    text, title = inert(card.content), one_line(card.title, _TITLE)
    return ContextItem(
        section=Section.CARDS,
        id=id,
        text=text,
        citations=(cite_card(id),),
        origin=card.origin,
        title="" if title == text else title,  # a sentence that was remembered is both
        label=card.kind.value,
        said_at=card.said_at,
        marks=marks(id, around),
        sources=tuple(dict.fromkeys(f"{s.session}#{s.turn}" for s in card.evidence)),
    )


def _quoted(hit: Hit) -> ContextItem:
    """A turn, or a summary that was found, as it was said."""
    turns = list(dict.fromkeys((span.session, span.turn) for span in hit.evidence))
    spoken = hit.kind is ItemKind.TURN
    name = hit.speaker if spoken else hit.title
    ends = [cite_turn(*turn) for turn in dict.fromkeys([*turns[:1], *turns[-1:]])]
    # A name that strangers chose stands with their words, inside the fence.
    own = spoken and hit.origin in (Origin.OWNER, Origin.AGENT)
    return ContextItem(
        section=Section.TURNS if spoken else Section.SUMMARIES,
        id=hit.id,
        text=inert(_remembered(hit.content)),
        citations=tuple(ends or [cite_card(hit.id)]),
        origin=hit.origin,
        title="" if own else one_line(name, _NAME),
        label=one_line(name.translate(_OURS), _NAME) if own else "",
        said_at=hit.said_at,
        sources=tuple(f"{session}#{turn}" for session, turn in turns),
    )


def _summary(summary: Summary) -> ContextItem:
    ends = dict.fromkeys([summary.first_turn, summary.last_turn])
    return ContextItem(
        section=Section.SUMMARIES,
        id=summary.id,
        text=inert(summary.content),
        citations=tuple(cite_turn(summary.session, turn) for turn in ends),
        origin=summary.origin,
        title=one_line(summary.topic, _TITLE),
        said_at=summary.said_at,
        sources=tuple(dict.fromkeys(f"{s.session}#{s.turn}" for s in summary.evidence)),
    )


def _entity(entity: Entity, origin: Origin) -> ContextItem:
    """Who or what it is: its names, and what is said of it in sum."""
    turns = dict.fromkeys((span.session, span.turn) for span in entity.evidence)
    names = " = ".join(dict.fromkeys([entity.name, *entity.aliases]))
    return ContextItem(
        section=Section.ENTITIES,
        id=entity.id,
        text=inert(entity.summary),
        citations=tuple(cite_turn(*turn) for turn in list(turns)[:_CITED])
        or (cite_card(entity.id),),
        origin=origin,
        title=one_line(names, _TITLE),
        label=entity.kind.value,
        sources=tuple(f"{session}#{turn}" for session, turn in turns),
    )


def _note(note: Note) -> ContextItem:
    return ContextItem(
        section=Section.NOTES,
        id=note.path,
        text=inert(note.content),
        citations=(cite_note(note.path),),
        origin=Origin.OWNER,
        title=one_line(note.title, _TITLE),
        label=note.kind.value,
    )


def _remembered(content: str) -> str:
    """What was said, without what alaya itself had put there."""
    kept, last = [], 0
    for start, end in injected_ranges(content):
        kept.append(content[last:start])
        last = end
    return "".join([*kept, content[last:]])
