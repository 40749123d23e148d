"""From drafts of summaries to changes: ids, spans, trust, and what is already known. Pure.

A run's summary is named by its session and its first turn, so that distilling twice, in two
processes or after growth makes no second one; one that was forgotten stays so. What a redistilling
cuts otherwise is marked `outdated` and forgotten, and comes back when it is cut so again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from alaya.distill.reconcile import spans
from alaya.model.change import Change, Forgotten, Restored, SummaryAdded
from alaya.model.graph import Summary
from alaya.model.ids import sha256, summary_id
from alaya.model.raw import ArchivedTurn, Origin, Session, Span, TurnMark, lowest
from alaya.model.record import Draft
from alaya.model.scope import Scope

LEVEL, BY, OUTDATED = "level", "by", "outdated"
MEMBERS, WORDS, NAME = "members", "words", "name"
TOPIC, SESSION, THEME = "topic", "session", "theme"


@dataclass(frozen=True)
class Known:
    """The summaries that the memory holds, also forgotten ones, and the ids of those."""

    summaries: tuple[Summary, ...] = ()
    forgotten: frozenset[str] = frozenset()

    def by_id(self) -> Mapping[str, Summary]:
        return {summary.id: summary for summary in self.summaries}

    def active(self, level: str) -> list[Summary]:
        """Those of a level that are not forgotten."""
        return [s for s in self.summaries if s.id not in self.forgotten and level_of(s) == level]

    def dismissed(self, summary: str) -> bool:
        """Whether somebody forgot it; what a redistilling put away can come back."""
        kept = self.by_id().get(summary)
        return summary in self.forgotten and not (kept and kept.metadata.get(OUTDATED))


def level_of(summary: Summary) -> str:
    """`topic`, `session` or `theme`; a summary that does not say is of a topic."""
    return str(summary.metadata.get(LEVEL, TOPIC))


def summaries_of(
    draft: Draft, session: Session, *, turns: Sequence[ArchivedTurn], because: str = ""
) -> list[Summary]:
    """The summaries that a draft proposes for the runs of these turns, as the memory keeps them.

    One whose ends or evidence are not among the turns is left out. Trust is the lowest of all the
    turns from first to last that are anybody's words.
    """
    at = {one.turn.id: i for i, one in enumerate(turns)}
    by_id = {one.turn.id: one for one in turns}
    found = []
    for proposed in draft.summaries:
        first, last = at.get(proposed.first), at.get(proposed.last)
        cited = spans(proposed, session.id, turn=by_id.get)
        if first is None or last is None or last < first or not cited:
            continue
        covered = turns[first : last + 1]
        times = [t.turn.said_at for t in covered if t.turn.said_at is not None]
        metadata = {LEVEL: TOPIC, BY: draft.distiller}
        found.append(
            Summary(
                id=summary_id(session.scope.user, TOPIC, name=(session.id, proposed.first)),
                scope=Scope(session.scope.user, session.scope.agent, session.id),
                session=session.id,
                topic=proposed.topic,
                content=proposed.content,
                first_turn=proposed.first,
                last_turn=proposed.last,
                said_at=min(times, default=session.started_at),
                evidence=cited,
                origin=trust(covered),
                metadata=metadata | ({"because": because} if because else {}),
            )
        )
    return found


def trust(covered: Sequence[ArchivedTurn]) -> Origin:
    """The lowest class of these turns; those of the system are nobody's words."""
    return lowest(
        [
            t.turn.origin
            for t in covered
            if t.turn.origin is not Origin.SYSTEM and t.mark is TurnMark.ACTIVE
        ]
    )


def changes(
    wanted: Sequence[Summary], known: Known, *, scope: Scope, gone: Collection[str] = ()
) -> list[Change]:
    """What makes the memory hold these summaries, and no longer those that are `gone`."""
    before = known.by_id()
    found: list[Change] = []
    for summary in wanted:
        if known.dismissed(summary.id) or before.get(summary.id) == summary:
            continue
        found.append(SummaryAdded(summary))
        if summary.id in known.forgotten:
            found.append(Restored(scope, (summary.id,), "summed up again"))
    kept = {summary.id for summary in wanted}
    old = sorted(i for i in gone if i in before and i not in kept and i not in known.forgotten)
    for name in old:
        metadata = {**before[name].metadata, OUTDATED: True}
        found.append(SummaryAdded(replace(before[name], metadata=metadata)))
    if old:
        found.append(Forgotten(scope, tuple(old), "summed up otherwise"))
    return found


def rolled(
    level: str,
    members: Sequence[Summary],
    *,
    told: tuple[str, str, Sequence[int]],
    name: Sequence[str],
    by: str,
) -> Summary:
    """A summary over summaries, in order. `told`: topic, content and which members carry it.

    `name` identifies it among those of its level. Evidence is carried up, from every member that
    carries it alike, and is bounded; so is trust.
    """
    first, last = members[0], members[-1]
    scope = first.scope if level == SESSION else Scope(first.scope.user, first.scope.agent)
    topic, content, carrying = told
    across = level == THEME
    return Summary(
        id=summary_id(scope.user, level, name=name),
        scope=scope,
        session="" if across else first.session,
        topic=topic,
        content=content,
        first_turn=f"{first.session}#{first.first_turn}" if across else first.first_turn,
        last_turn=f"{last.session}#{last.last_turn}" if across else last.last_turn,
        said_at=last.said_at if across else first.said_at,
        evidence=_carried([members[i] for i in carrying]),
        origin=lowest([m.origin for m in members]),
        metadata={
            LEVEL: level,
            BY: by,
            NAME: [*name],
            MEMBERS: [m.id for m in members],
            WORDS: fingerprint(members),
        },
    )


def fingerprint(members: Sequence[Summary]) -> str:
    """The same as long as the members say the same."""
    return sha256("\x00".join(f"{m.id}\x00{m.last_turn}\x00{m.text}" for m in members))


_SPANS = 24  # of a summary over summaries


def _carried(members: Sequence[Summary]) -> tuple[Span, ...]:
    """First one span of each member, then a second of each, until there are enough."""
    found: dict[Span, None] = {}
    longest = max((len(m.evidence) for m in members), default=0)
    for rank in range(longest):
        for member in members:
            if rank < len(member.evidence) and len(found) < _SPANS:
                found.setdefault(member.evidence[rank])
    order = {span: i for i, span in enumerate(s for m in members for s in m.evidence)}
    return tuple(sorted(found, key=order.__getitem__))
