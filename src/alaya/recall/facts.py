"""What links say in a context: facts with their marks, and which card contradicts which."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

from alaya.model.context import ContextItem, Mark, MarkKind, Section
from alaya.model.graph import Link
from alaya.model.raw import lowest
from alaya.model.relations import (
    CONTRADICTS,
    EXTRACTED_FROM,
    RELATES_TO,
    SIMILAR_TO,
    SUPERSEDES,
    SYMMETRIC,
    TEMPORAL_NEXT,
    reading,
)
from alaya.recall.quoting import cite_card, cite_turn, inert, one_line
from alaya.recall.surroundings import Surroundings

_SAYS_LITTLE = (SIMILAR_TO, TEMPORAL_NEXT)
_TITLE, _CITED = 80, 2


def facts(
    around: Surroundings, *, hits: frozenset[str], at: datetime, held: Callable[[str], int]
) -> list[ContextItem]:
    """One item for each link that says something, the most telling first.

    A contradiction comes first, then facts by how much of the question they hold, links between
    hits, links that lead on from a hit, and at last those that only say that two are alike.
    """
    ranked: list[tuple[int, int, ContextItem]] = []
    for link in around.links:
        item = _item(link, around, at=at)
        if item is not None:
            ranked.append((_rank(link, hits), -held(item.text), item))
    return [item for _, _, item in sorted(ranked, key=lambda r: r[:2])]


def marks(card: str, around: Surroundings) -> tuple[Mark, ...]:
    """What warns of a card: contradictions, newer versions, its own state."""
    found: list[Mark] = []
    for other in contradicting(card, around):
        if _is_later(other, card, around=around):
            said = around.cards[other][0].said_at
            found.append(Mark(MarkKind.CONTRADICTED, cite_card(other), said))
        else:
            found.append(Mark(MarkKind.CONTRADICTS, cite_card(other)))
    found += [
        Mark(MarkKind.REPLACED, cite_card(link.source))
        for link in around.links
        if link.relation == SUPERSEDES and link.target == card and link.source in around.cards
    ]
    state = around.cards[card][1]
    if state.retired_at:
        found.append(Mark(MarkKind.RETIRED, at=state.retired_at))
    if state.stale:
        found.append(Mark(MarkKind.STALE))
    if state.quarantined:
        found.append(Mark(MarkKind.QUARANTINED))
    return tuple(found)


def contradicted_by(card: str, around: Surroundings) -> list[str]:
    """The cards that were said later and contradict this one, the latest first."""
    others = contradicting(card, around)
    later = [other for other in others if _is_later(other, card, around=around)]
    return sorted(later, key=lambda other: around.cards[other][0].said_at, reverse=True)


def contradicting(card: str, around: Surroundings) -> Iterator[str]:
    """The known cards that cannot hold together with this one, each once."""
    seen = set()
    for link in around.links:
        if link.relation == CONTRADICTS and card in (link.source, link.target):
            other = reading(link, card)[1]
            if other in around.cards and other not in seen and link.retired_at is None:
                seen.add(other)
                yield other


def _is_later(one: str, other: str, *, around: Surroundings) -> bool:
    """Whether one card was said after another; if at the same time, learnt after it."""
    (first, known), (second, before) = around.cards[one], around.cards[other]
    return (first.said_at, known.recorded_at) > (second.said_at, before.recorded_at)


def _rank(link: Link, hits: frozenset[str]) -> int:
    if link.relation == CONTRADICTS:
        return 0
    if link.fact:
        return 1
    if link.relation in _SAYS_LITTLE or (link.relation == RELATES_TO and not link.reason):
        return 4
    return 2 if {link.source, link.target} <= hits else 3


def _item(link: Link, around: Surroundings, *, at: datetime) -> ContextItem | None:
    """None for what says nothing here: where a card was taken from, ends without a name."""
    ends = [around.cards[end][0] for end in (link.source, link.target) if end in around.cards]
    if link.relation == EXTRACTED_FROM or not (link.fact or len(ends) == 2):
        return None
    text = inert(link.fact)
    if not text:
        arrow = "—{}—" if link.relation in SYMMETRIC else "—{}→"
        one, other = (one_line(card.title or card.content, _TITLE) for card in ends)
        text = f"{one} {arrow.format(link.relation)} {other}"
        text += f": {one_line(link.reason, 4 * _TITLE)}" if link.reason else ""
    turns = dict.fromkeys(cite_turn(span.session, span.turn) for span in link.evidence)
    cited = [*list(turns)[:_CITED], *(cite_card(card.id) for card in ends)]
    gone = link.invalid_at is not None and link.invalid_at <= at
    return ContextItem(
        section=Section.FACTS,
        id=link.id,
        text=text,
        citations=tuple(cited or [cite_card(link.id)]),
        origin=lowest([link.origin, *(card.origin for card in ends)]),
        said_at=link.valid_at,
        marks=(
            *([Mark(MarkKind.INVALID, at=link.invalid_at)] if gone else []),
            *([Mark(MarkKind.RETIRED, at=link.retired_at)] if link.retired_at else []),
        ),
        sources=tuple(f"{span.session}#{span.turn}" for span in link.evidence),
    )
