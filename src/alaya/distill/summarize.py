"""Summaries of what was distilled: of each topic that is over, then of sessions and themes.

It begins behind the last turn that a summary of the session covers. The last run of a session stays
open until its topic changes, nobody has spoken for `silence`, or `close` says that it is over. The
model is asked without the lock; what was decided on a read is checked again when it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from alaya.distill import summarize_prompts as prompts
from alaya.distill.before import CONTEXT_TURNS, read_places
from alaya.distill.reading import Reading, read
from alaya.distill.segments import segments
from alaya.distill.select import content_hash
from alaya.distill.summarize_changes import (
    MEMBERS,
    SESSION,
    TOPIC,
    Known,
    changes,
    level_of,
    summaries_of,
    trust,
)
from alaya.distill.summarize_quotes import quoted
from alaya.distill.summarize_rollup import roll_up
from alaya.distill.summarize_rules import NAME, Summing, is_over, known_of, rarity_of
from alaya.distill.summarize_vectors import Usual
from alaya.model.call import Answered, Unanswered
from alaya.model.change import Change, SummaryAdded
from alaya.model.graph import Summary
from alaya.model.raw import ArchivedTurn, Session, SessionState, TurnMark, TurnPlace, lowest
from alaya.model.record import Draft, DraftSummary
from alaya.model.report import SummariesReport
from alaya.model.scope import Scope
from alaya.model.speech import visible
from alaya.model.words import script
from alaya.ports import Archive, Index, Vector
from alaya.projection import Clock, catch_up, commit

_SAMPLE = 200  # characters of a turn by which the session's language is told


@dataclass(frozen=True)
class _Run:
    """A run of turns that is over, and what it says by rules; None where nothing in it tells."""

    turns: range
    quotes: DraftSummary | None


@dataclass(frozen=True)
class _Done:
    """What was made in a session, why other summaries were not, whether to ask on is futile, and
    whether the summary of the session has to be looked at."""

    made: Sequence[Summary] = ()
    left: Sequence[str] = ()
    stop: bool = False
    unsettled: bool = False


def summarize(
    archive: Archive,
    index: Index,
    *,
    scope: Scope,
    session: str | None = None,
    rules: Summing,
    clock: Clock,
) -> SummariesReport:
    """Sum up what is closed in one session of the scope, or all; then sessions and themes.

    Only what was distilled is summed up. Doing it again changes nothing.
    """
    catch_up(archive, index)
    if session is None:
        states = list(index.sessions(scope))
    else:
        one = index.session(scope, session)
        states = [] if one is None else [one]
    usual = Usual(index, rules.model, user=scope.user)
    made: list[Summary] = []
    left: list[str] = []
    unsettled: list[SessionState] = []
    for state in sorted(states, key=lambda s: (s.session.started_at, s.session.id)):
        work = _Work(archive, index, state, rules=rules, clock=clock)
        done = work.sum_up(usual)
        made += done.made
        left += done.left
        unsettled += [state] if done.unsettled else []
        if done.stop:
            break
    more, why = roll_up(
        archive,
        index,
        user=scope.user,
        states=unsettled,
        how=(rules, usual),
        clock=clock,
        fresh=[s.id for s in made],
    )
    every = [*made, *more]
    return SummariesReport(
        tuple((s.id, level_of(s), s.topic) for s in every), tuple(dict.fromkeys([*left, *why]))
    )


@dataclass(frozen=True)
class _Work:
    """One session that is looked at."""

    archive: Archive
    index: Index
    state: SessionState
    rules: Summing
    clock: Callable[[], datetime]

    @property
    def session(self) -> Session:
        return self.state.session

    def sum_up(self, usual: Usual) -> _Done:
        """Sum up the topics that are over and have no summary yet."""
        known = self._known()
        user = Scope(self.session.scope.user)
        topics = [s for s in known.summaries if level_of(s) == TOPIC]
        named = [turn for s in topics for turn in (s.first_turn, s.last_turn)]
        ends = self.index.turns(user, self.session.id, ids=named) if named else []
        gone = _superseded(known, ends)
        covered = -1 if self.rules.redistill else _covered(known, ends)
        if covered + 1 >= self.state.distilled and not gone:
            return _Done(unsettled=_unsettled(known))
        places = self.index.turns(user, self.session.id)
        active = [
            p for p in places if p.mark is TurnMark.ACTIVE and p.ordinal < self.state.distilled
        ]
        todo = [p for p in active if p.ordinal > covered]
        wanted: list[Summary] = []
        left: list[str] = []
        stop = False
        if todo:
            context = [p for p in active if p.ordinal <= covered][-CONTEXT_TURNS:]
            before = read_places(self.archive, self.session, places=context)
            turns = read_places(self.archive, self.session, places=todo)
            runs = self._runs(turns, usual.of_turns(todo), context=before)
            wanted, left, stop = self._summaries(runs, turns)
            wanted += self._widened(runs, turns, known=known)
            if self.rules.redistill and runs and not left:
                gone |= _replaced(known, places, upto=turns[runs[-1].turns[-1]].ordinal)
        if wanted or gone:
            wanted = self._write(wanted, gone, covered=covered)
        return _Done(wanted, left, stop, unsettled=bool(wanted or gone) or _unsettled(known))

    def _known(self) -> Known:
        return known_of(self.index, self.session.scope.user, session=self.session.id)

    def _runs(
        self,
        turns: Sequence[ArchivedTurn],
        vectors: Sequence[Vector | None],
        *,
        context: Sequence[ArchivedTurn],
    ) -> list[_Run]:
        """The runs that are over; one in which nothing tells is part of the one before it, else of
        the one behind it."""
        found = segments(
            turns,
            cut=self.rules.cut,
            vectors=vectors,
            stem=self.rules.stem,
            over=is_over(self.state, self.rules, now=self.clock()),
        )
        reading = read(turns, context)
        runs: list[_Run] = []
        for one in found:
            if not one.closed:
                break
            first = one.first
            if runs and runs[-1].quotes is None:
                first = runs.pop().turns[0]
            run = self._run(range(first, one.last + 1), reading, shift=len(context))
            if run.quotes is None and runs:
                runs[-1] = replace(runs[-1], turns=range(runs[-1].turns[0], one.last + 1))
            else:
                runs.append(run)
        return runs

    def _run(self, turns: range, reading: Reading, *, shift: int) -> _Run:
        shifted = range(turns.start + shift, turns.stop + shift)
        return _Run(turns, quoted(reading, shifted, rarity=rarity_of(self.index)))

    def _summaries(
        self, runs: Sequence[_Run], turns: Sequence[ArchivedTurn]
    ) -> tuple[list[Summary], list[str], bool]:
        """A summary of each run that tells something, up to the first that could not be asked."""
        telling = [run for run in runs if run.quotes is not None]
        if self.rules.asker is None:
            return [self._kept(run, turns) for run in telling], [], False
        language = self._language(turns)
        shown = [prompts.readable(turns[r.turns.start : r.turns.stop]) for r in telling]
        calls = [prompts.of_turns(s, session=self.session.id, language=language) for s in shown]
        answers = self.rules.asker.ask_all(calls, again=self.rules.redistill)
        found: list[Summary] = []
        for run, answer, lines in zip(telling, answers, shown, strict=True):
            if isinstance(answer, Unanswered) and answer.stop:
                return found, [answer.reason], True
            found.append(self._kept(run, turns, answer=answer, shown=lines))
        return found, [], False

    def _kept(
        self,
        run: _Run,
        turns: Sequence[ArchivedTurn],
        *,
        answer: Answered | Unanswered | None = None,
        shown: Sequence[ArchivedTurn] = (),
    ) -> Summary:
        """The summary of one run, its draft put into the archive: by the model where it could."""
        assert run.quotes is not None
        covered = turns[run.turns.start : run.turns.stop]
        proposed, because = run.quotes, ""
        draft = Draft(
            session=self.session.id,
            distiller=NAME,
            content_hash=content_hash(covered),
            first=covered[0].ordinal,
            last=covered[-1].ordinal + 1,
        )
        if isinstance(answer, Unanswered):
            because = answer.reason
        elif answer is not None:
            told = prompts.checked(answer.value, len(shown))
            if told is None:
                because = "the model named no turn that its summary rests on"
            else:
                evidence = prompts.evidence(told, shown) or proposed.evidence
                proposed = replace(
                    proposed, topic=told.topic, content=told.content, evidence=evidence
                )
            draft = replace(
                draft,
                distiller=answer.model if told else NAME,
                prompt_hash=answer.prompt_hash,
                tokens_in=answer.tokens_in,
                tokens_out=answer.tokens_out,
                raw=answer.raw,
            )
        proposed = replace(proposed, first=covered[0].turn.id, last=covered[-1].turn.id)
        draft = replace(
            draft,
            summaries=(proposed,),
            topics=((proposed.topic, proposed.first, proposed.last),),
        )
        self.archive.put_draft(draft)
        (summary,) = summaries_of(draft, self.session, turns=covered, because=because)
        return summary

    def _widened(
        self, runs: Sequence[_Run], turns: Sequence[ArchivedTurn], *, known: Known
    ) -> list[Summary]:
        """The last summary that the session has, over small talk that followed it and is over."""
        if not runs or runs[0].quotes is not None or self.rules.redistill:
            return []
        ends = {s.last_turn: s for s in known.active(TOPIC)}
        places = self.index.turns(
            Scope(self.session.scope.user), self.session.id, ids=[*ends] or [""]
        )
        if not places:
            return []
        summary = ends[places[-1].id]
        run = turns[runs[0].turns.start : runs[0].turns.stop]
        origin = lowest([summary.origin, trust(run)])
        return [replace(summary, last_turn=run[-1].turn.id, origin=origin)]

    def _language(self, turns: Sequence[ArchivedTurn]) -> str:
        words = " ".join(visible(t.turn)[:_SAMPLE] for t in prompts.readable(turns))
        return "zh" if script(words) == "han" else "en"

    def _write(self, wanted: list[Summary], gone: set[str], *, covered: int) -> list[Summary]:
        """Commit; what another process summed up meanwhile is left as it is."""
        user = self.session.scope.user
        written: list[Change] = []

        def decide() -> Sequence[Change]:
            written.clear()
            now = self._known()
            places = self.index.turns(Scope(user), self.session.id)
            moved = not self.rules.redistill and _covered(now, places) != covered
            if not moved:
                kept = [s for s in wanted if not _dismissed_run(s, now, places=places)]
                written.extend(changes(kept, now, scope=Scope(user), gone=gone))
            return written

        commit(
            self.archive,
            self.index,
            decide=decide,
            actor=self.rules.name,
            verb="summarize",
            clock=self.clock,
        )
        return [c.summary for c in written if isinstance(c, SummaryAdded) and c.summary in wanted]


def _unsettled(known: Known) -> bool:
    """Whether the session's summary is missing, or does not stand over its topics."""
    topics = {s.id for s in known.active(TOPIC)}
    whole = [set(s.metadata[MEMBERS]) for s in known.active(SESSION)]
    return topics not in whole if len(topics) > 1 else bool(whole)


def _ordinals(places: Sequence[TurnPlace]) -> dict[str, int]:
    return {p.id: p.ordinal for p in places}


def _covered(known: Known, places: Sequence[TurnPlace]) -> int:
    """The last turn that a topic's summary covers, also one that somebody forgot; -1: none."""
    at = _ordinals(places)
    ends = [
        at.get(s.last_turn, -1)
        for s in known.summaries
        if level_of(s) == TOPIC and (s.id not in known.forgotten or known.dismissed(s.id))
    ]
    return max(ends, default=-1)


def _superseded(known: Known, places: Sequence[TurnPlace]) -> set[str]:
    """Summaries whose first and last turn are both no longer part of the session."""
    active = {p.id for p in places if p.mark is TurnMark.ACTIVE}
    return {s.id for s in known.active(TOPIC) if not {s.first_turn, s.last_turn} & active}


def _replaced(known: Known, places: Sequence[TurnPlace], *, upto: int) -> set[str]:
    """Summaries of what has been summed up again."""
    at = _ordinals(places)
    return {s.id for s in known.active(TOPIC) if at.get(s.last_turn, upto + 1) <= upto}


def _dismissed_run(summary: Summary, known: Known, *, places: Sequence[TurnPlace]) -> bool:
    """Whether most of what it sums up was summed up in a summary that somebody forgot."""
    at = _ordinals(places)

    def run(one: Summary) -> set[int]:
        return set(range(at.get(one.first_turn, 0), at.get(one.last_turn, -1) + 1))

    own = run(summary)
    gone = [s for s in known.summaries if level_of(s) == TOPIC and known.dismissed(s.id)]
    return any(2 * len(own & run(s)) > len(own) for s in gone)
