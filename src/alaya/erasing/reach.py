"""How far an erasure reaches: from what was named to everything that rests on it alone. Pure.

What was named takes its own words along: the spans that a card cites, the turns of a session.
What rests on those words goes too, unless it has other evidence: then it only loses that which
was erased, and what of it could hold the words is blanked by `blanking`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from alaya.erasing.known import MEMBERS, Known, Version
from alaya.model.erasure import Ranges, Reach
from alaya.model.graph import Entity, Link, Summary
from alaya.model.ids import session_node
from alaya.model.raw import Span

Order = Callable[[str], Mapping[str, int]]  # of a session the turns, with their ordinals


@dataclass
class Taken:
    """What is erased so far. An empty tuple of ranges stands for the whole turn."""

    user: str
    everything: bool = False
    sessions: set[str] = field(default_factory=set)
    turns: dict[tuple[str, str], Ranges] = field(default_factory=dict)
    cards: set[str] = field(default_factory=set)
    entities: set[str] = field(default_factory=set)
    links: set[str] = field(default_factory=set)
    summaries: set[str] = field(default_factory=set)
    notes: set[str] = field(default_factory=set)
    cut: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, reach: Reach) -> Taken:
        """As a reach says."""
        return cls(
            reach.user,
            reach.everything,
            set(reach.sessions),
            {(session, turn): ranges for session, turn, ranges in reach.turns},
            set(reach.cards),
            set(reach.entities),
            set(reach.links),
            set(reach.summaries),
            set(reach.notes),
            set(reach.cut),
            set(reach.named),
        )

    def take(self, session: str, turn: str, *, ranges: Ranges = ()) -> None:
        """A turn, or ranges of it in addition to those that are taken."""
        before = self.turns.get((session, turn))
        whole = before == () or not ranges
        self.turns[session, turn] = () if whole else _joined((*(before or ()), *ranges))

    def touches(self, session: str, turn: str) -> bool:
        """Whether any of a turn is erased."""
        return self.everything or session in self.sessions or (session, turn) in self.turns

    def takes(self, span: Span) -> bool:
        """Whether any of the words of a span are erased."""
        if self.everything or span.session in self.sessions:
            return True
        ranges = self.turns.get((span.session, span.turn))
        if ranges is None:
            return False
        return not ranges or any(start < span.end and span.start < end for start, end in ranges)

    def whole(self, session: str | None, turn: str | None) -> bool:
        """Whether nothing of a turn stays."""
        if self.everything or session in self.sessions:
            return True
        return self.turns.get((session or "", turn or "")) == ()

    def left(self, evidence: Iterable[Span]) -> tuple[Span, ...]:
        """The evidence that stays."""
        return tuple(span for span in evidence if not self.takes(span))

    def falls(self, evidence: tuple[Span, ...]) -> bool:
        """Whether all of some evidence is erased. What never had any does not rest on it."""
        return bool(evidence) and not self.left(evidence)

    def version_falls(self, version: Version) -> bool:
        """Whether nothing is left that a version of a card rests on."""
        if not version.evidence and not version.sources:
            return False
        others = set(version.sources) - self.cards
        return not self.left(version.evidence) and not others

    def link_falls(self, link: Link) -> bool:
        """Whether a link has lost an end or all of its evidence."""
        gone = {*self.cards, *self.entities, *map(session_node, self.sessions)}
        return link.source in gone or link.target in gone or self.falls(link.evidence)


def closed(start: Taken, known: Known, *, order: Order) -> Reach:
    """Everything that goes with what was taken, until nothing more does."""
    if start.everything:
        return _everything(start, known)
    taken = start
    for card in _with_merged(taken.cards, known):
        taken.cards.add(card)
        for version in known.cards.get(card, ()):
            for span in version.evidence:
                taken.take(span.session, span.turn, ranges=((span.start, span.end),))
    while True:
        size = _size(taken)
        for name in known.cards.keys() - taken.cards:
            newest = known.latest(name)
            if newest is not None and taken.version_falls(newest):
                taken.cards.add(name)
        for name, entity in known.entities.items():
            if taken.falls(entity.evidence):
                taken.entities.add(name)
        for name, link in known.links.items():
            if taken.link_falls(link):
                taken.links.add(name)
        for name, summary in known.summaries.items():
            if _summary_falls(taken, summary, order=order):
                taken.summaries.add(name)
        if _size(taken) == size:
            return _reach(taken, known)


def rest_on(known: Known, entity: Entity) -> Iterable[Span]:
    """The words that tell of an entity: its own evidence, and that of its facts."""
    yield from entity.evidence
    for link in known.links.values():
        if entity.id in (link.source, link.target):
            yield from link.evidence


def _with_merged(cards: set[str], known: Known) -> set[str]:
    found, waiting = set[str](), list(cards)
    while waiting:
        card = waiting.pop()
        if card not in found:
            found.add(card)
            waiting.extend(known.merged.get(card, ()))
    return found


def _summary_falls(taken: Taken, summary: Summary, *, order: Order) -> bool:
    """A summary tells of all the turns that it covers, whichever it cites."""
    if summary.session in taken.sessions or any(taken.takes(s) for s in summary.evidence):
        return True
    members = summary.metadata.get(MEMBERS, ())
    if isinstance(members, list | tuple) and not taken.summaries.isdisjoint(map(str, members)):
        return True
    if not any(session == summary.session for session, _ in taken.turns):
        return False
    places = order(summary.session)
    first, last = places.get(summary.first_turn), places.get(summary.last_turn)
    return any(
        session == summary.session
        and turn in places
        and first is not None
        and last is not None
        and first <= places[turn] <= last
        for session, turn in taken.turns
    )


def _reach(taken: Taken, known: Known) -> Reach:
    cut = taken.cut - taken.cards | {
        card
        for card, versions in known.cards.items()
        if card not in taken.cards
        and any(
            len(taken.left(v.evidence)) < len(v.evidence)
            or not taken.cards.isdisjoint({*v.sources, *known.merged.get(card, ())})
            for v in versions
        )
    }
    events = {name for name, (session, turn) in known.events.items() if taken.whole(session, turn)}
    return Reach(
        user=taken.user,
        sessions=tuple(sorted(taken.sessions)),
        turns=tuple(
            (session, turn, ranges)
            for (session, turn), ranges in sorted(taken.turns.items())
            if session not in taken.sessions
        ),
        cards=tuple(sorted(taken.cards)),
        entities=tuple(sorted(taken.entities)),
        links=tuple(sorted(taken.links)),
        summaries=tuple(sorted(taken.summaries)),
        events=tuple(sorted(events)),
        notes=tuple(sorted(taken.notes)),
        cut=tuple(sorted(cut)),
        named=tuple(sorted(taken.named)),
    )


def _everything(taken: Taken, known: Known) -> Reach:
    return Reach(
        user=taken.user,
        everything=True,
        sessions=tuple(sorted(known.sessions)),
        cards=tuple(sorted(known.cards)),
        entities=tuple(sorted(known.entities)),
        links=tuple(sorted(known.links)),
        summaries=tuple(sorted(known.summaries)),
        events=tuple(sorted(known.events)),
        notes=tuple(sorted(known.notes)),
    )


def _size(taken: Taken) -> int:
    return sum(map(len, (taken.cards, taken.entities, taken.links, taken.summaries)))


def _joined(ranges: Ranges) -> Ranges:
    """Ranges in order, those that meet as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)
