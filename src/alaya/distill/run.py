"""Sessions, from the archive to committed cards.

The model or the rules run without the lock. What was decided on a read is checked again inside
`decide`: when another process distilled the session meanwhile, nothing is written. A session whose
question was not answered stays to be distilled; what was answered before it is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property

from alaya.distill.aside import set_aside
from alaya.distill.before import forgotten_by_redistilling, known_by, meets, read_turns, unsaid
from alaya.distill.calls import Asker
from alaya.distill.echoes import without_echoes
from alaya.distill.knowing import KnowingDistiller
from alaya.distill.learning import learn
from alaya.distill.llm import ModelDistiller
from alaya.distill.parking import clear
from alaya.distill.reconcile import reconcile
from alaya.distill.select import content_hash, refusal, same_content
from alaya.distill.settling import Similar, settle
from alaya.distill.windows import spoken
from alaya.distill.work import Drafted, Drafter, OneByOne, Work
from alaya.errors import NotFound
from alaya.model.call import Problem, Unanswered
from alaya.model.change import CardAdded, CardRevised, Change
from alaya.model.graph import Card
from alaya.model.ids import card_id, session_node
from alaya.model.raw import Role, Session, SessionState
from alaya.model.record import Draft
from alaya.model.report import DistillReport, Outcome, SessionDistil
from alaya.model.scope import Scope
from alaya.model.words import Stemmer
from alaya.ports import Archive, Distiller, Index, Progress
from alaya.projection import catch_up, commit

BY_MODEL = (ModelDistiller, KnowingDistiller)


@dataclass(frozen=True)
class Rules:
    """What distils, and what is left alone.

    `min_tokens`: shorter sessions are skipped, unless tools answered `min_tool_calls` times in them
    (0: that does not count). `all_kinds`: sub-agents, cron, hooks, documents. `redistill`: sessions
    that were distilled before are read again from their first turn. `similar`: by which a model
    need not be asked who is meant; None: without an embedder at hand.
    """

    distiller: Distiller | ModelDistiller | KnowingDistiller
    min_tokens: int = 200
    min_tool_calls: int = 0
    all_kinds: bool = False
    redistill: bool = False
    stem: Stemmer | None = None
    similar: Similar | None = None

    @property
    def drafter(self) -> Drafter:
        one = self.distiller
        return one if isinstance(one, BY_MODEL) else OneByOne(one)

    @property
    def asker(self) -> Asker | None:
        """What asks a model, where one distils."""
        return self.distiller.asker if isinstance(self.distiller, BY_MODEL) else None


@dataclass
class _Run:
    """One run over sessions, and what became of them so far.

    `reading`: contents that are being distilled, by hash, each with its session.
    """

    archive: Archive
    index: Index
    rules: Rules
    clock: Callable[[], datetime]
    claiming: bool = False  # a session, before a model is asked about it
    done: dict[str, SessionDistil] = field(default_factory=dict)
    states: dict[str, SessionState] = field(default_factory=dict)
    reading: dict[str, str] = field(default_factory=dict)
    stopped: Unanswered | None = None
    claims: dict[str, ExitStack] = field(default_factory=dict)

    def claim(self, session: Session) -> bool:
        """Whether no other process asks a model about the session, from now until `free`."""
        claim = self.claims.setdefault(session.id, ExitStack())
        return claim.enter_context(self.archive.claim(session.scope.user, session.id))

    def free(self, *names: str) -> None:
        """Let others have these sessions."""
        for name in names:
            if (claim := self.claims.pop(name, None)) is not None:
                claim.close()

    @cached_property
    def redistilled(self) -> frozenset[str]:
        """What redistilling had forgotten when the run began to ask: one look at the journal."""
        return forgotten_by_redistilling(self.archive)


def distill(
    archive: Archive,
    index: Index,
    *,
    scope: Scope,
    session: str | None = None,
    rules: Rules,
    clock: Callable[[], datetime],
    progress: Progress | None = None,
) -> DistillReport:
    """Distil one session of the scope, or all, oldest first.

    `progress` is told (session id, how many are done, how many there are). Raises NotFound for an
    unknown `session`, and ConfigError for a model that cannot be asked as it is configured.
    """
    states = _states(archive, index, scope=scope, session=session)
    claiming = rules.asker is not None  # rules cost nothing, and cards are not written twice
    run = _Run(archive, index, rules, clock, claiming)
    drafter, started = rules.drafter, clock()
    try:
        for drafted in drafter.drafts(_works(run, states, progress=progress)):
            name = drafted.work.session.id
            run.done[name] = _settled(run, drafted, started=started)
            run.free(name)
            if (failed := drafted.failed) is not None and failed.stop:
                # Those that were not asked any more repeat the reason.
                run.stopped = min(run.stopped or failed, failed, key=lambda one: len(one.reason))
    finally:
        run.free(*list(run.claims))
    for state in states:
        if state.session.id not in run.done:
            because = run.stopped.reason if run.stopped else ""
            run.done[state.session.id] = SessionDistil(
                state.session.id, Outcome.WAITING, because=because
            )
    if progress is not None and states:
        progress(states[-1].session.id, len(states), total=len(states))
    return DistillReport(
        drafter.name,
        drafter.model,
        tuple(run.done[state.session.id] for state in states),
        stopped=run.stopped.reason if run.stopped else "",
        stopped_by=run.stopped.problem.value if run.stopped else "",
    )


def forecast(
    archive: Archive,
    index: Index,
    *,
    scope: Scope,
    session: str | None = None,
    rules: Rules,
    clock: Callable[[], datetime],
) -> DistillReport:
    """What `distill` would read and, with a model, what that would take; nothing is written."""
    states = _states(archive, index, scope=scope, session=session)
    run, drafter = _Run(archive, index, rules, clock), rules.drafter
    works, total = _works(run, states, progress=None), None
    if isinstance(drafter, BY_MODEL):
        total = drafter.asker.estimate([])
        for some, estimate in drafter.estimate(works):
            total = total.plus(estimate)
            for work in some:
                run.done[work.session.id] = SessionDistil(work.session.id, Outcome.WAITING)
    else:
        for work in works:
            run.done[work.session.id] = SessionDistil(work.session.id, Outcome.WAITING)
    sessions = tuple(run.done[state.session.id] for state in states)
    return DistillReport(drafter.name, drafter.model, sessions, estimate=total, dry_run=True)


def distill_session(
    archive: Archive,
    index: Index,
    *,
    state: SessionState,
    rules: Rules,
    clock: Callable[[], datetime],
) -> SessionDistil:
    """Distil what is new in one session (or all of it with `redistill`) and commit the cards."""
    scope, name = Scope(state.session.scope.user), state.session.id
    found = distill(archive, index, scope=scope, session=name, rules=rules, clock=clock)
    return found.sessions[0]


def _states(
    archive: Archive, index: Index, *, scope: Scope, session: str | None
) -> list[SessionState]:
    catch_up(archive, index)
    if session is None:
        return sorted(index.sessions(scope), key=lambda s: (s.session.started_at, s.session.id))
    one = index.session(scope, session)
    if one is None:
        raise NotFound(f"no session {session!r}; `alaya status` shows how many there are")
    return [one]


def _works(
    run: _Run, states: Sequence[SessionState], *, progress: Progress | None
) -> Iterator[Work]:
    """What is to be read, one session after the other; what is not is reported in `run`."""
    for number, state in enumerate(states):
        if progress is not None:
            progress(state.session.id, number, total=len(states))
        now, found = state, _work(run, state)
        if isinstance(found, Work) and run.claiming:
            now, found = _claimed(run, state)
        if isinstance(found, Work):
            run.states[state.session.id] = now
            yield found
        else:
            run.done[state.session.id] = found


def _claimed(run: _Run, state: SessionState) -> tuple[SessionState, Work | SessionDistil]:
    """The session as it is once no other process asks about it, and what is to be read of it."""
    name = state.session.id
    if not run.claim(state.session):
        run.free(name)
        because = "another process is distilling it"
        return state, SessionDistil(name, Outcome.CLAIMED, because=because)
    catch_up(run.archive, run.index)
    now = run.index.session(Scope(state.session.scope.user), name) or state
    found = _work(run, now)
    if isinstance(found, SessionDistil):
        run.free(name)
    return now, found


def _work(run: _Run, state: SessionState) -> Work | SessionDistil:
    session, rules = state.session, run.rules
    user = Scope(session.scope.user)

    def tool_calls() -> int:
        return sum(place.role is Role.TOOL for place in run.index.turns(user, session.id))

    refused = refusal(
        state,
        min_tokens=rules.min_tokens,
        all_kinds=rules.all_kinds,
        redistill=rules.redistill,
        enough_calls=lambda: 0 < rules.min_tool_calls <= tool_calls(),
    )
    if refused is not None:
        return SessionDistil(session.id, refused)
    context, turns = read_turns(run.archive, run.index, state=state, whole=rules.redistill)
    if not turns:
        return SessionDistil(session.id, Outcome.UNCHANGED)
    content = content_hash(turns)
    twin = run.index.distilled(user, content) or run.reading.get(content)
    if same_content(twin, session.id, redistill=rules.redistill):
        return SessionDistil(session.id, Outcome.SAME_CONTENT, because=f"as session {twin}")
    run.reading[content] = session.id
    grown = state.distilled and not rules.redistill
    known = known_by(run.index, session) if grown else ()
    return Work(session, tuple(context), tuple(turns), known)


def _settled(run: _Run, drafted: Drafted, *, started: datetime) -> SessionDistil:
    """Commit a draft, as far as there is one; what failed is said, and stays to be done."""
    work, failed = drafted.work, drafted.failed
    name = work.session.id
    waiting = failed is not None and failed.stop
    outcome = Outcome.WAITING if waiting else Outcome.FAILED
    because = _why(failed) if failed else ""
    # Half a session cannot replace the cards of a whole one.
    if drafted.draft is None or (failed is not None and run.rules.redistill):
        return SessionDistil(name, outcome, because=because)
    draft = drafted.draft
    if failed is None:
        # Side branches have no place in the draft, but they are dealt with.
        draft = replace(draft, last=max(draft.last, run.states[name].turns))
    draft = without_echoes(draft, (*work.context, *work.turns), stem=run.rules.stem)
    report = _committed(run, work, draft=draft)
    if failed is not None:
        return replace(report, outcome=outcome, because=because)
    clear(run.archive, name, before=started)
    return report


def _why(failed: Unanswered) -> str:
    if failed.problem is Problem.TOO_LONG:
        return f"{failed.reason}; lower distill.window_tokens"
    return failed.reason


def _committed(run: _Run, work: Work, *, draft: Draft) -> SessionDistil:
    session, index = work.session, run.index
    read = (*work.context, *work.turns)
    draft_hash = run.archive.put_draft(draft)
    by_id = {t.turn.id: t for t in (*work.context, *work.turns)}
    written: list[Change] = []
    redistill = run.rules.redistill
    gone = (lambda: run.redistilled) if redistill else None
    hints: Mapping[int, str] = {}
    if run.rules.asker is not None:  # before anything is decided: no lock waits for a model
        hints = settle(
            index,
            session,
            draft=draft,
            turn=by_id.get,
            similar=run.rules.similar,
            asker=run.rules.asker,
            language=spoken(work.turns),
        )

    def decide() -> Sequence[Change]:
        written.clear()
        if unsaid(run.archive, index, session=session, turns=read):
            return []
        if _overtaken(index, session, draft=draft, redistill=redistill):
            return []
        known = meets(index, session, draft=draft, redistilled=gone)
        *changes, done = reconcile(
            draft,
            session,
            draft_hash=draft_hash,
            known=known,
            now=run.clock(),
            turn=by_id.get,
            redistill=redistill,
        )
        world = learn(
            index,
            session,
            draft=draft,
            turn=by_id.get,
            changes=changes,
            hints=hints,
            anew=redistill,
        )
        aside = set_aside(changes, turn=by_id.get)
        written.extend((*changes, *aside, *world.changes, done))
        return written

    names = {session_node(session.id)} | ({"entities"} if draft.entities else set())
    commit(
        run.archive,
        index,
        decide=decide,
        actor=draft.distiller,
        verb="distill",
        clock=run.clock,
        touches=names,
    )
    return _report(session, draft, draft_hash=draft_hash, written=written)


def _overtaken(index: Index, session: Session, *, draft: Draft, redistill: bool) -> bool:
    """Whether another process distilled the session, or another one with its words, meanwhile."""
    user = Scope(session.scope.user)
    current = index.session(user, session.id)
    if not redistill and current is not None and current.distilled >= draft.last:
        return True
    return same_content(index.distilled(user, draft.content_hash), session.id, redistill=redistill)


def _report(
    session: Session, draft: Draft, *, draft_hash: str, written: Sequence[Change]
) -> SessionDistil:
    if not written:
        return SessionDistil(
            session.id, Outcome.UNCHANGED, because="another process distilled it meanwhile"
        )
    added: list[Card] = [c.card for c in written if isinstance(c, CardAdded)]
    revised: list[Card] = [c.card for c in written if isinstance(c, CardRevised)]
    titles = {i: c.title for i, c in enumerate(draft.cards)}
    known = {c.id for c in added}
    fresh = {i for i in titles if card_id(draft_hash, i) in known}
    outcome = Outcome.DISTILLED if added or revised else Outcome.NOTHING
    if draft.cards and not added and not revised:
        outcome = Outcome.UNCHANGED
    return SessionDistil(
        session=session.id,
        outcome=outcome,
        cards=tuple((c.id, c.title, c.kind.value) for c in added),
        links=tuple(
            (titles[k.source], k.relation, titles[k.target])
            for k in draft.links
            if {k.source, k.target} & fresh and {k.source, k.target} <= set(titles)
        ),
        revised=tuple((c.id, c.title, c.version) for c in revised),
        tokens_in=draft.tokens_in,
        tokens_out=draft.tokens_out,
        dropped=draft.dropped,
        unsupported=draft.unsupported,
        because="its cards stand already" if outcome is Outcome.UNCHANGED else "",
    )
