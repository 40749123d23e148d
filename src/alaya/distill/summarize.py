"""Summaries of what was distilled: of each topic that is over, then of sessions and themes.

It begins behind the last turn that a summary of the session covers. The last run of a session stays
open until its topic changes, nobody has spoken for `silence`, or `close` says that it is over. The
model is asked without the lock; what was decided on a read is checked again when it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from alaya.distill import summarize_prompts as prompts
from alaya.distill.before import CONTEXT_TURNS, unsaid
from alaya.distill.reading import Reading, read
from alaya.distill.segments import segments
from alaya.distill.select import content_hash
from alaya.distill.summarize_changes import (
    SESSION,
    TOPIC,
    Known,
    changes,
    level_of,
    summaries_of,
    trust,
)
from alaya.distill.summarize_covered import covered, dismissed_run, replaced, superseded, unsettled
from alaya.distill.summarize_quotes import quoted
from alaya.distill.summarize_rollup import roll_up
from alaya.distill.summarize_rules import NAME, Summing, is_over, known_of, rarity_of
from alaya.distill.summarize_vectors import Usual
from alaya.model.call import Answered, Call, Unanswered
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
from alaya.provenance.words import read_places

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
    """Sum up what is closed in one session, or all; then sessions and themes. Only what
    was distilled is summed up. Doing it again changes nothing."""
    catch_up(archive, index)
    states = _states(index, scope, session=session)
    usual = Usual(index, rules.model, user=scope.user)
    made: list[Summary] = []
    left: list[str] = []
    unsettled: list[SessionState] = []
    for state in states:
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


def forecast(
    archive: Archive,
    index: Index,
    *,
    scope: Scope,
    session: str | None = None,
    distilled: Collection[str] = (),
    rules: Summing,
    clock: Clock,
) -> list[Call]:
    """What a model would be asked once the sessions `distilled` are; nothing is written or asked.

    Themes across sessions are not among it: they follow from what the summaries say.
    """
    usual = Usual(index, rules.model, user=scope.user)
    calls: list[Call] = []
    for state in _states(index, scope, session=session):
        if state.session.id in distilled:
            state = replace(state, distilled=state.turns)
        calls += _Work(archive, index, state, rules=rules, clock=clock).calls(usual)
    return calls


def _states(index: Index, scope: Scope, *, session: str | None) -> list[SessionState]:
    one = None if session is None else index.session(scope, session)
    found = index.sessions(scope) if session is None else filter(None, [one])
    return sorted(found, key=lambda s: (s.session.started_at, s.session.id))


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
        """Sum up the topics that are over and have no summary yet, unless another process does."""
        with self.archive.claim(self._user.user, self.session.id) as mine:
            return self._sum_up(usual) if mine else _Done()

    def _sum_up(self, usual: Usual) -> _Done:
        catch_up(self.archive, self.index)
        known = self._known()
        topics = [s for s in known.summaries if level_of(s) == TOPIC]
        named = [turn for s in topics for turn in (s.first_turn, s.last_turn)]
        ends = self.index.turns(self._user, self.session.id, ids=named) if named else []
        gone = superseded(known, ends)
        upto = -1 if self.rules.redistill else covered(known, ends)
        if upto + 1 >= self.state.distilled and not gone:
            return _Done(unsettled=unsettled(known))
        places = self.index.turns(self._user, self.session.id)
        context, todo = self._open(places, upto)
        wanted: list[Summary] = []
        turns: list[ArchivedTurn] = []
        left, stop = list[str](), False
        if todo:
            turns, runs = self._read(todo, context, usual=usual)
            wanted, left, stop = self._summaries(runs, turns)
            wanted += self._widened(runs, turns, known=known)
            if self.rules.redistill and runs and not left:
                gone |= replaced(known, places, upto=turns[runs[-1].turns[-1]].ordinal)
        if wanted or gone:
            wanted = self._write(wanted, gone, upto=upto, read=turns)
        return _Done(wanted, left, stop, unsettled=bool(wanted or gone) or unsettled(known))

    def calls(self, usual: Usual) -> list[Call]:
        """What a model would be asked about the topics that are over, and about the whole session,
        whose question is made of what rules say of the topics."""
        if self.rules.asker is None:
            return []
        known, places = self._known(), self.index.turns(self._user, self.session.id)
        before = [] if self.rules.redistill else known.active(TOPIC)
        upto = -1 if self.rules.redistill else covered(known, places)
        context, todo = self._open(places, upto)
        turns, runs = self._read(todo, context, usual=usual)
        telling = [run for run in runs if run.quotes is not None]
        if not telling:
            return []
        language = self._language(turns)
        found = [self._call(self._shown(run, turns), language) for run in telling]
        quotes = [self._summary(self._draft(run, turns)[0], run, turns=turns) for run in telling]
        members, about = [*before, *quotes], [self.session.id]
        if len(members) > 1 and is_over(self.state, self.rules, now=self.clock()):
            words = self.rules.words
            found.append(
                prompts.of_members(SESSION, members, about=about, language=language, words=words)
            )
        return found

    @property
    def _user(self) -> Scope:
        return Scope(self.session.scope.user)

    def _open(
        self, places: Sequence[TurnPlace], upto: int
    ) -> tuple[list[TurnPlace], list[TurnPlace]]:
        """The turns that are still to be summed up, behind the last few that are."""
        last = self.state.distilled
        active = [p for p in places if p.mark is TurnMark.ACTIVE and p.ordinal < last]
        before = [p for p in active if p.ordinal <= upto]
        return before[-CONTEXT_TURNS:], active[len(before) :]

    def _read(
        self, todo: Sequence[TurnPlace], context: Sequence[TurnPlace], *, usual: Usual
    ) -> tuple[list[ArchivedTurn], list[_Run]]:
        before = read_places(self.archive, self.session, places=context)
        turns = read_places(self.archive, self.session, places=todo)
        return turns, self._runs(turns, usual.of_turns(todo), context=before)

    def _shown(self, run: _Run, turns: Sequence[ArchivedTurn]) -> list[ArchivedTurn]:
        return prompts.readable(turns[run.turns.start : run.turns.stop])

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
        shown = [self._shown(run, turns) for run in telling]
        calls = [self._call(lines, language) for lines in shown]
        answers = self.rules.asker.ask_all(calls, again=self.rules.redistill)
        found: list[Summary] = []
        for run, answer, lines in zip(telling, answers, shown, strict=True):
            if isinstance(answer, Unanswered) and answer.stop:
                return found, [answer.reason], True
            found.append(self._kept(run, turns, answer=answer, shown=lines))
        return found, [], False

    def _call(self, shown: Sequence[ArchivedTurn], language: str) -> Call:
        name, words = self.session.id, self.rules.words
        return prompts.of_turns(shown, session=name, language=language, words=words)

    def _kept(
        self,
        run: _Run,
        turns: Sequence[ArchivedTurn],
        *,
        answer: Answered | Unanswered | None = None,
        shown: Sequence[ArchivedTurn] = (),
    ) -> Summary:
        """The summary of one run, its draft put into the archive: by the model where it could."""
        draft, because = self._draft(run, turns, answer=answer, shown=shown)
        self.archive.put_draft(draft)
        return self._summary(draft, run, turns=turns, because=because)

    def _summary(
        self, draft: Draft, run: _Run, *, turns: Sequence[ArchivedTurn], because: str = ""
    ) -> Summary:
        part = turns[run.turns.start : run.turns.stop]
        (summary,) = summaries_of(draft, self.session, turns=part, because=because)
        return summary

    def _draft(
        self,
        run: _Run,
        turns: Sequence[ArchivedTurn],
        *,
        answer: Answered | Unanswered | None = None,
        shown: Sequence[ArchivedTurn] = (),
    ) -> tuple[Draft, str]:
        """What is proposed for a run, and why it is not the model's."""
        assert run.quotes is not None
        part = turns[run.turns.start : run.turns.stop]
        proposed, because = run.quotes, ""
        draft = Draft(
            session=self.session.id,
            distiller=NAME,
            content_hash=content_hash(part),
            first=part[0].ordinal,
            last=part[-1].ordinal + 1,
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
        proposed = replace(proposed, first=part[0].turn.id, last=part[-1].turn.id)
        draft = replace(
            draft,
            summaries=(proposed,),
            topics=((proposed.topic, proposed.first, proposed.last),),
        )
        return draft, because

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

    def _write(
        self, wanted: list[Summary], gone: set[str], *, upto: int, read: list[ArchivedTurn]
    ) -> list[Summary]:
        """Commit; what another process summed up meanwhile is left as it is."""
        written: list[Change] = []

        def decide() -> Sequence[Change]:
            written.clear()
            now = self._known()
            places = self.index.turns(self._user, self.session.id)
            erased = unsaid(self.archive, self.index, session=self.session, turns=read)
            if not erased and (self.rules.redistill or covered(now, places) == upto):
                kept = [s for s in wanted if not dismissed_run(s, now, places=places)]
                written.extend(changes(kept, now, scope=self._user, gone=gone))
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
