"""Which turns of a session its summaries cover, and which of these no longer stand. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from alaya.distill.summarize_changes import MEMBERS, SESSION, TOPIC, Known, level_of
from alaya.model.graph import Summary
from alaya.model.raw import TurnMark, TurnPlace


def unsettled(known: Known) -> bool:
    """Whether the session's summary is missing, or does not stand over its topics."""
    topics = {s.id for s in known.active(TOPIC)}
    whole = [set(s.metadata[MEMBERS]) for s in known.active(SESSION)]
    return topics not in whole if len(topics) > 1 else bool(whole)


def _ordinals(places: Sequence[TurnPlace]) -> dict[str, int]:
    return {p.id: p.ordinal for p in places}


def covered(known: Known, places: Sequence[TurnPlace]) -> int:
    """The last turn that a topic's summary covers, also one that somebody forgot; -1: none."""
    at = _ordinals(places)
    ends = [
        at.get(s.last_turn, -1)
        for s in known.summaries
        if level_of(s) == TOPIC and (s.id not in known.forgotten or known.dismissed(s.id))
    ]
    return max(ends, default=-1)


def superseded(known: Known, places: Sequence[TurnPlace]) -> set[str]:
    """Summaries whose first and last turn are both no longer part of the session."""
    active = {p.id for p in places if p.mark is TurnMark.ACTIVE}
    return {s.id for s in known.active(TOPIC) if not {s.first_turn, s.last_turn} & active}


def replaced(known: Known, places: Sequence[TurnPlace], *, upto: int) -> set[str]:
    """Summaries of what has been summed up again."""
    at = _ordinals(places)
    return {s.id for s in known.active(TOPIC) if at.get(s.last_turn, upto + 1) <= upto}


def dismissed_run(summary: Summary, known: Known, *, places: Sequence[TurnPlace]) -> bool:
    """Whether most of what it sums up was summed up in a summary that somebody forgot."""
    at = _ordinals(places)

    def run(one: Summary) -> set[int]:
        return set(range(at.get(one.first_turn, 0), at.get(one.last_turn, -1) + 1))

    own = run(summary)
    gone = [s for s in known.summaries if level_of(s) == TOPIC and known.dismissed(s.id)]
    return any(2 * len(own & run(s)) > len(own) for s in gone)
