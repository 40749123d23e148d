"""One session, from the archive to committed cards.

The model or the rules run without the lock. What was decided on a read is checked again inside
`decide`: when another process distilled the session meanwhile, nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from alaya.distill.learning import learn
from alaya.distill.reconcile import Known, reconcile
from alaya.distill.select import content_hash, refusal, same_content
from alaya.errors import NotFound
from alaya.model.change import CardAdded, Change
from alaya.model.graph import Card
from alaya.model.ids import card_id, session_node
from alaya.model.passage import ItemKind, Where
from alaya.model.raw import ArchivedTurn, Session, SessionState, TurnMark, TurnPlace
from alaya.model.record import Draft
from alaya.model.report import DistillReport, Outcome, SessionDistil
from alaya.model.scope import Scope
from alaya.ports import Archive, Distiller, Index, Progress
from alaya.projection import catch_up, commit

CONTEXT_TURNS = 6
_TWINS = 3  # answers of the word index that are compared with a new card


@dataclass(frozen=True)
class Rules:
    """What distils, and what is left alone.

    `min_tokens`: shorter sessions are skipped. `all_kinds`: sub-agents, cron, hooks, documents.
    `redistill`: sessions that were distilled before are read again from their first turn.
    """

    distiller: Distiller
    min_tokens: int = 200
    all_kinds: bool = False
    redistill: bool = False


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
    unknown `session`.
    """
    catch_up(archive, index)
    if session is not None:
        one = index.session(scope, session)
        if one is None:
            raise NotFound(f"no session {session!r}; `alaya status` shows how many there are")
        states = [one]
    else:
        found = index.sessions(scope)
        states = sorted(found, key=lambda s: (s.session.started_at, s.session.id))
    done = []
    for number, state in enumerate(states):
        if progress is not None:
            progress(state.session.id, number, total=len(states))
        done.append(distill_session(archive, index, state=state, rules=rules, clock=clock))
    if progress is not None and states:
        progress(states[-1].session.id, len(states), total=len(states))
    return DistillReport(rules.distiller.name, None, tuple(done))


def distill_session(
    archive: Archive,
    index: Index,
    *,
    state: SessionState,
    rules: Rules,
    clock: Callable[[], datetime],
) -> SessionDistil:
    """Distil what is new in one session (or all of it with `redistill`) and commit the cards."""
    session = state.session
    refused = refusal(
        state, min_tokens=rules.min_tokens, all_kinds=rules.all_kinds, redistill=rules.redistill
    )
    if refused is not None:
        return SessionDistil(session.id, refused)
    context, turns = read_turns(archive, index, state=state, whole=rules.redistill)
    if not turns:
        return SessionDistil(session.id, Outcome.UNCHANGED)
    user = Scope(session.scope.user)
    twin = index.distilled(user, content_hash(turns))
    if same_content(twin, session.id, redistill=rules.redistill):
        return SessionDistil(session.id, Outcome.SAME_CONTENT, because=f"as session {twin}")
    draft = rules.distiller(session, turns, context=context)
    # Side branches have no place in the draft, but they are dealt with.
    draft = replace(draft, last=max(draft.last, state.turns))
    draft_hash = archive.put_draft(draft)
    by_id = {t.turn.id: t for t in (*context, *turns)}
    written: list[Change] = []

    def decide() -> Sequence[Change]:
        written.clear()
        if _overtaken(index, session, draft=draft, redistill=rules.redistill):
            return []
        known = _known(index, session, draft=draft)
        *changes, done = reconcile(
            draft,
            session,
            draft_hash=draft_hash,
            known=known,
            now=clock(),
            turn=by_id.get,
            redistill=rules.redistill,
        )
        world = learn(
            index, session, draft=draft, turn=by_id.get, changes=changes, anew=rules.redistill
        )
        written.extend((*changes, *world.changes, done))
        return written

    names = {session_node(session.id)} | ({"entities"} if draft.entities else set())
    commit(
        archive,
        index,
        decide=decide,
        actor=draft.distiller,
        verb="distill",
        clock=clock,
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


def read_turns(
    archive: Archive, index: Index, *, state: SessionState, whole: bool
) -> tuple[list[ArchivedTurn], list[ArchivedTurn]]:
    """(context, turns): the active turns to be distilled and at most six before them."""
    places = [
        p
        for p in index.turns(Scope(state.session.scope.user), state.session.id)
        if p.mark is TurnMark.ACTIVE
    ]
    first = 0 if whole else state.distilled
    new = [p for p in places if p.ordinal >= first]
    before = [p for p in places if p.ordinal < first][-CONTEXT_TURNS:]
    session = state.session
    return _read(archive, session, places=before), _read(archive, session, places=new)


def _read(archive: Archive, session: Session, *, places: Sequence[TurnPlace]) -> list[ArchivedTurn]:
    """The turns at these places; one pass over the file for each run of one generation."""
    found: list[ArchivedTurn] = []
    for generation, group in groupby(places, key=lambda p: p.generation):
        wanted = {p.offset: p for p in group}
        start = min(wanted)
        end = max(p.offset + p.length for p in wanted.values())
        for archived in archive.turns(session, generation, start=start, end=end):
            place = wanted.get(archived.offset)
            if place is not None:
                found.append(replace(archived, ordinal=place.ordinal, mark=place.mark))
    return sorted(found, key=lambda t: t.ordinal)


def _known(index: Index, session: Session, *, draft: Draft) -> Known:
    everything = Where(
        Scope(session.scope.user, session=session.id),
        include_forgotten=True,
        include_quarantined=True,
    )
    own = tuple(index.find_cards(everything))
    user = Where(Scope(session.scope.user), include_forgotten=True, include_quarantined=True)
    ids: dict[str, None] = {}
    for card in draft.cards:
        for scored in index.match(
            f"{card.title}\n{card.content}", ItemKind.CARD, where=user, limit=_TWINS
        ):
            ids[scored.id] = None
    mine = {card.id for card, _ in own}
    others = index.cards([i for i in ids if i not in mine], user) if ids else []
    return Known(own, tuple(others))


def _report(
    session: Session, draft: Draft, *, draft_hash: str, written: Sequence[Change]
) -> SessionDistil:
    if not written:
        return SessionDistil(
            session.id, Outcome.UNCHANGED, because="another process distilled it meanwhile"
        )
    added: list[Card] = [c.card for c in written if isinstance(c, CardAdded)]
    titles = {i: c.title for i, c in enumerate(draft.cards)}
    known = {c.id for c in added}
    fresh = {i for i in titles if card_id(draft_hash, i) in known}
    outcome = Outcome.DISTILLED if added else Outcome.NOTHING
    if draft.cards and not added:
        outcome = Outcome.UNCHANGED
    return SessionDistil(
        session=session.id,
        outcome=outcome,
        cards=tuple((c.id, c.title, c.kind.value) for c in added),
        links=tuple(
            (titles[k.source], k.relation, titles[k.target])
            for k in draft.links
            if {k.source, k.target} & fresh
        ),
        dropped=draft.dropped,
        because="its cards stand already" if outcome is Outcome.UNCHANGED else "",
    )
