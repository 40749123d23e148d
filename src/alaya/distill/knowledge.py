"""What was told about the world, against what is held already: changes on both time axes. Pure.

    she lives in York (2020)   +   she moved to Leeds (2024)    York ended in 2024, Leeds holds
    she lives in York (2020)   +   from 2015 in Rome, told now  Rome from 2015 until 2020
    she lives in York          +   no, in Leeds                 York was never so, Leeds is
    born on 3 May              +   born on 4 May                both stand, and CONTRADICT

A fact ends another one only where subject and relation are the same, somebody has only one of the
kind (`single`), and it is valid later. What ended is retired with its end (the world changed), what
was wrong without one (we were). See docs/decisions/0013.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from alaya.distill.single import FOR_LIFE, is_over, single
from alaya.distill.timeline import (
    FACTS,
    PLANNED,
    SAID,
    UNTIL,
    Stated,
    Timeline,
    in_place_of,
)
from alaya.model.change import Change
from alaya.model.graph import Link
from alaya.model.raw import Origin
from alaya.model.relations import CONTRADICTS, canonical
from alaya.model.scope import Scope

_LEAST = timedelta(days=1)  # of what is only known to be over, the day that is surely known


def reconciled(
    facts: Iterable[Stated], held: Sequence[Link], *, scope: Scope, anew: bool = False
) -> list[Change]:
    """The changes that these facts, in the order in which they were said, amount to.

    `held`: the links of their subjects and objects that are believed, also of what ended. Facts
    that are held already change nothing. `anew`: a whole session was read again; what its words
    alone had told and do not tell now is retired.
    """
    plan = Timeline(scope, {link.id: link for link in held})
    for stated in facts:
        _learn(stated, plan)
    for link in sorted(plan.held.values(), key=lambda one: one.id) if anew else ():
        told = link.fact and link.retired_at is None and link.id not in plan.met
        if told and all(span.session == scope.session for span in link.evidence):
            plan.drop(link, "redistilled")
    return plan.changes


def _learn(stated: Stated, plan: Timeline) -> None:
    if stated.subject == stated.object:
        return
    stated = replace(stated, key=stated.hash)
    if stated.valid_at is not None and (stated.invalid_at or stated.valid_at) <= stated.valid_at:
        stated = replace(stated, invalid_at=None)  # no time at all: the end was misread
    if is_over(stated.relation) and stated.invalid_at is None:
        stated = replace(stated, invalid_at=stated.said_at)
    over = stated.invalid_at is not None and stated.invalid_at <= stated.said_at
    if plan.heard(stated) or (stated.corrects and _corrected(stated, plan)):
        return
    if over and stated.valid_at is None:
        _ended(stated, plan)
    elif not _known(stated, plan):
        _add(stated, plan)


# --- what is known ----------------------------------------------------------------------------


def _ended(stated: Stated, plan: Timeline) -> None:
    """Only its end is told: of what is held, else of something whose beginning nobody told."""
    end = stated.invalid_at or stated.said_at
    same = [link for link in plan.about(stated) if link.target == stated.object]
    for link in reversed(same):
        if link.valid_at < end and (link.invalid_at is None or link.invalid_at >= end):
            plan.end(plan.hear(link, stated), end, stated=stated)
            return
        if link.invalid_at is not None and is_over(stated.relation):
            return  # that it once was so is known
    before = replace(stated, invalid_at=end)
    plan.add(before.link(plan.scope, end - _LEAST, assumed=True))


def _known(stated: Stated, plan: Timeline) -> bool:
    """Whether it is held already; what more is told of its time is taken over."""
    start = stated.valid_at or stated.said_at
    for link in plan.about(stated):
        if link.target != stated.object:
            continue
        plan.met.add(link.id)
        if link.metadata.get(PLANNED) and start <= stated.said_at >= link.valid_at:
            _instead(replace(stated, valid_at=stated.valid_at or link.valid_at), link, plan=plan)
            return True
        if link.metadata.get(PLANNED) and start > stated.said_at and start != link.valid_at:
            _instead(stated, link, plan=plan)
            return True
        lasts = link.invalid_at is None or start < link.invalid_at or start == link.valid_at
        if link.valid_at <= start and lasts:
            link = plan.hear(link, stated)
            if stated.invalid_at is not None:
                plan.end(link, stated.invalid_at, stated=stated)
            return True
        if _begins_earlier(stated, link, plan=plan):
            _instead(stated, link, plan=plan)
            return True
    return False


def _begins_earlier(stated: Stated, link: Link, *, plan: Timeline) -> bool:
    """Whether it tells when that began of which it was only known when it was said.

    Not where something else of the kind was so between the two.
    """
    begins = stated.valid_at
    if not link.metadata.get(SAID) or begins is None or begins >= link.valid_at:
        return False
    return stated.invalid_at is None and not any(
        single(stated.relation) and begins < other.valid_at < link.valid_at
        for other in plan.about(stated)
        if other.target != stated.object
    )


def _instead(stated: Stated, link: Link, *, plan: Timeline) -> None:
    """The same fact with another beginning: it was told, came true, or is planned anew."""
    if stated.valid_at == link.valid_at:  # one edge, which is written anew
        plan.held.pop(link.id)
    else:
        plan.drop(link, f"since another day: {stated.fact}")
    _add(stated, plan, until=link.invalid_at, gone=(link,))


# --- what is new ------------------------------------------------------------------------------


def _corrected(stated: Stated, plan: Timeline) -> bool:
    """Take back what was wrong; the right one has its time where none is told."""
    about = plan.about(stated)
    if stated.instead_of is not None:
        wrong = [link for link in about if link.target == stated.instead_of]
    elif single(stated.relation):
        last = [link for link in about if _holds(link, stated.said_at)]
        wrong = [link for link in last if link.target != stated.object][-1:]
    else:
        wrong = []
    told = stated.valid_at, stated.invalid_at
    if not wrong and any(told):  # the time was wrong
        wrong = [link for link in about if link.target == stated.object and _differs(link, told)]
    if not wrong:
        return False
    start = stated.valid_at or min(link.valid_at for link in wrong)
    end = stated.invalid_at or wrong[-1].invalid_at
    for link in wrong:
        plan.drop(link, f"corrected: {stated.fact}")
        for other in about if start != link.valid_at else ():
            if other.invalid_at == link.valid_at and other.valid_at < start:
                other = replace(other, invalid_at=None)
                plan.end(other, start, stated=stated)
    assumed = stated.valid_at is None and any(link.metadata.get(SAID) for link in wrong)
    right = replace(stated, valid_at=start, invalid_at=None)
    about = [link for link in plan.about(stated) if link.target == stated.object]
    held = next((link for link in about if _holds(link, start)), None)
    if held is None:
        _add(right, plan, until=end, gone=wrong, assumed=assumed)
    else:
        if held.invalid_at in [link.valid_at for link in wrong]:  # what was wrong had ended it
            held = replace(held, invalid_at=end, retired_at=None)
        if held.retired_at is None:
            plan.hear(in_place_of(held, wrong), stated)
    return True


def _differs(link: Link, told: tuple[datetime | None, datetime | None]) -> bool:
    start, end = told
    return (start is not None and link.valid_at != start) or (
        end is not None and link.invalid_at != end
    )


def _holds(link: Link, at: datetime) -> bool:
    return link.valid_at <= at and (link.invalid_at is None or at < link.invalid_at)


def _add(
    stated: Stated,
    plan: Timeline,
    *,
    until: datetime | None = None,
    gone: Sequence[Link] = (),
    assumed: bool = False,
) -> None:
    """Add it in its place in time.

    `until`: its end where the words tell none; `gone`: what was wrong.
    """
    start = stated.valid_at or stated.said_at
    end = stated.invalid_at or until
    if end is not None and end <= start:
        end = None
    planned = start > stated.said_at
    against: list[Link] = []
    if single(stated.relation) and not planned:
        gone = (*gone, *_never_came(stated, plan))
        end, against = _placed(stated, plan, start=start, end=end)
    untold = end is not None and end != stated.invalid_at
    link = stated.link(plan.scope, start, assumed=assumed or stated.valid_at is None)
    more = {PLANNED: planned, UNTIL: untold}
    more = {name: True for name, so in more.items() if so}
    link = replace(link, invalid_at=end, metadata={**link.metadata, **more})
    plan.add(in_place_of(link, gone))
    for other in against:
        _contradict(other, plan.held[link.id], plan=plan)


def _placed(
    stated: Stated, plan: Timeline, *, start: datetime, end: datetime | None
) -> tuple[datetime | None, list[Link]]:
    """Where it ends among the others of its kind, and which of these it contradicts.

    Ends those that it follows.
    """
    told, until, against = stated.invalid_at is not None, end, list[Link]()
    for link in plan.about(stated):
        vague = bool(link.metadata.get(SAID))
        if link.metadata.get(PLANNED):
            continue
        if (link.invalid_at is not None and link.invalid_at <= start) or (
            end is not None and end <= link.valid_at
        ):
            continue
        if single(stated.relation) in FOR_LIFE:
            against += [link] if link.target != stated.object else []
        elif link.valid_at > start:
            if not told:
                until = min(until or link.valid_at, link.valid_at)
            elif not vague and link.target != stated.object:
                against.append(link)
        elif link.target == stated.object:
            continue
        elif link.valid_at < start and not (told and end is not None and end <= stated.said_at):
            plan.end(link, start, stated=stated)
        elif link.valid_at == start and vague and stated.valid_at is None:
            if not _same_breath(link, stated):  # no clock, but one was said after the other
                plan.end(link, start, stated=stated)
        elif not vague:
            against.append(link)
    return until, [link for link in against if not _same_breath(link, stated)]


def _never_came(stated: Stated, plan: Timeline) -> Iterator[Link]:
    """Plans that were to be true by now: each is dropped."""
    for link in plan.about(stated):
        due = link.metadata.get(PLANNED) and link.valid_at <= stated.said_at
        if due and link.target != stated.object:
            plan.drop(link, f"it came otherwise: {stated.fact}")
            yield link


def _same_breath(link: Link, stated: Stated) -> bool:
    """Whether one turn tells both: then they go together, as two jobs do."""
    turns = {(span.session, span.turn) for span in link.evidence}
    return any((span.session, span.turn) in turns for span in stated.evidence)


def _contradict(one: Link, other: Link, *, plan: Timeline) -> None:
    """Between what was told of the two: the ends in which they differ."""
    found = canonical(
        Link(
            scope=plan.scope,
            source=one.target,
            relation=CONTRADICTS,
            target=other.target,
            valid_at=max(one.valid_at, other.valid_at),
            fact=f"{one.fact} ≠ {other.fact}",
            evidence=(*one.evidence, *other.evidence),
            origin=max(one.origin, other.origin, key=list(Origin).index),
            metadata={FACTS: [one.id, other.id]},
        )
    )
    known = plan.held.get(found.id)
    if known is not None:  # of two people the same two things are told
        if set(found.metadata[FACTS]) <= set(known.metadata.get(FACTS, ())):
            return
        found = replace(
            found,
            fact=f"{known.fact}; {found.fact}",
            evidence=tuple(dict.fromkeys((*known.evidence, *found.evidence))),
            metadata={FACTS: sorted({*known.metadata.get(FACTS, ()), *found.metadata[FACTS]})},
        )
    plan.add(found)
