"""Changes to the oracle's rows: what each kind of change means, said as plainly as possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from alaya.model import change as ch
from alaya.model.graph import Card
from alaya.model.raw import SessionState
from alaya.model.record import RecallLog
from alaya.testing import oracle_graph as graph
from alaya.testing.oracle_state import (
    Access,
    CardRow,
    State,
    SummaryRow,
    TurnRow,
)


def apply_change(state: State, change: ch.Change, *, at: datetime) -> None:
    """Apply one change, recorded at `at`."""
    _APPLY[type(change)](state, change, at=at)


def count(state: State, recall: RecallLog) -> None:
    """Accesses of what one recall returned."""
    for card, score in recall.results:
        known = state.accesses.get((recall.user, card))
        found = Access(1, recall.at, score) if known is None else known.again(recall.at, score)
        state.accesses[recall.user, card] = found


def apply_to_past(state: State, change: ch.Change, *, at: datetime) -> None:
    """What holds of the time before, too: erasure, and what a session turns out to be."""
    match change:
        case ch.Erased():
            _erased(state, change, at=at)
        case ch.SessionGrew(session=session):
            key = session.scope.user, session.id
            state.turns = [
                replace(row, session=session)
                if (row.session.scope.user, row.session.id) == key
                else row
                for row in state.turns
            ]


def _session_grew(state: State, change: ch.SessionGrew, *, at: datetime) -> None:
    session = change.session
    key = session.scope.user, session.id
    known = state.sessions.get(key)
    said = [t.turn.said_at for t in change.turns if t.turn.said_at]
    if known and known.last_said_at:
        said.append(known.last_said_at)
    state.sessions[key] = SessionState(
        session=session,
        generation=change.generation,
        turns=change.first + change.count,
        end=change.end,
        tokens=change.tokens + (known.tokens if known else 0),
        distilled=known.distilled if known else 0,
        last_said_at=max(said, default=None),
    )
    mine = [(row.session.scope.user, row.session.id) == key for row in state.turns]
    state.turns = [
        replace(row, session=session) if own else row
        for row, own in zip(state.turns, mine, strict=True)
    ]
    known_turns = {row.archived.turn.id for row, own in zip(state.turns, mine, strict=True) if own}
    for archived in change.turns:
        if archived.turn.id not in known_turns:
            known_turns.add(archived.turn.id)
            said_at = archived.turn.said_at or session.started_at
            state.turns.append(TurnRow(session, archived, said_at, at, archived.mark))


def _turns_marked(state: State, change: ch.TurnsMarked, *, at: datetime) -> None:
    def is_meant(row: TurnRow) -> bool:
        return (
            row.session.scope.user == change.scope.user
            and row.session.id == change.session
            and row.archived.turn.id in change.turns
        )

    state.turns = [replace(r, mark=change.mark) if is_meant(r) else r for r in state.turns]


def _session_distilled(state: State, change: ch.SessionDistilled, *, at: datetime) -> None:
    user = change.scope.user
    known = state.sessions.get((user, change.session))
    if known:
        upto = max(known.distilled, change.turns)
        state.sessions[user, change.session] = replace(known, distilled=upto)
    state.distilled.setdefault((user, repr(change)), change)


def _session_undistilled(state: State, change: ch.SessionUndistilled, *, at: datetime) -> None:
    def is_meant(one: ch.SessionDistilled) -> bool:
        same = (one.scope.user, one.session) == (change.scope.user, change.session)
        return same and one.content_hash in change.content_hashes

    state.distilled = {k: one for k, one in state.distilled.items() if not is_meant(one)}
    key = change.scope.user, change.session
    left = [d.turns for d in state.distilled.values() if (d.scope.user, d.session) == key]
    if key in state.sessions:
        state.sessions[key] = replace(state.sessions[key], distilled=max(left, default=0))


def _event_added(state: State, change: ch.EventAdded, *, at: datetime) -> None:
    state.events[change.event.scope.user, change.event.id] = change.event


def _card(state: State, change: ch.CardAdded | ch.CardRevised, *, at: datetime) -> None:
    _new_version(state, change.card, at=at)


def _new_version(state: State, card: Card, *, at: datetime) -> None:
    versions = [r for r in state.cards if _is(r, card.scope.user, cards=[card.id])]
    highest = max((row.card.version for row in versions), default=0)
    anew = any(row.withdrawn for row in versions if row.card.version == highest)
    if anew:
        card = replace(card, version=max(card.version, highest + 1))
    elif highest >= card.version:
        return
    current = [row for row in versions if row.retired_at is None]
    _retire(state, card.scope.user, card=card.id, at=at)
    order = max((row.order for row in state.cards), default=0) + 1
    new = CardRow(card, order, at)
    if current:
        last = current[0]
        new = replace(
            new,
            pinned=last.pinned,
            quarantined=last.quarantined,
            forgotten_at=last.forgotten_at,
            tier=last.tier,
        )
    state.cards.append(new)


def _card_merged(state: State, change: ch.CardMerged, *, at: datetime) -> None:
    _new_version(state, change.card, at=at)
    user = change.card.scope.user
    for name in change.merged:
        if name != change.card.id:
            _retire(state, user, card=name, at=at)
            graph.move_links(state, user, old=name, new=change.card.id, at=at)


def _retire(state: State, user: str, *, card: str, at: datetime) -> None:
    _each(
        state,
        user,
        cards=[card],
        become=lambda r: r if r.retired_at is not None else replace(r, retired_at=at),
    )


def _is(row: CardRow, user: str, *, cards: Iterable[str]) -> bool:
    return row.card.scope.user == user and row.card.id in cards


def _each(
    state: State, user: str, *, cards: Iterable[str], become: Callable[[CardRow], CardRow]
) -> None:
    wanted = set(cards)
    state.cards = [become(row) if _is(row, user, cards=wanted) else row for row in state.cards]


def _cooled(state: State, change: ch.Cooled, *, at: datetime) -> None:
    for card, tier in change.tiers:
        _flag(state, change.scope.user, cards=[card], tier=tier)
    _drop_orphans(state)


def _forgotten(state: State, change: ch.Forgotten, *, at: datetime) -> None:
    _each_summary(
        state,
        change.scope.user,
        ids=change.cards,
        become=lambda r: replace(r, forgotten_at=r.forgotten_at or at),
    )
    _each(
        state,
        change.scope.user,
        cards=change.cards,
        become=lambda r: r if r.forgotten_at is not None else replace(r, forgotten_at=at),
    )


def _flag(state: State, user: str, *, cards: Iterable[str], **values: Any) -> None:
    _each(state, user, cards=cards, become=lambda row: replace(row, **values))


def _each_summary(
    state: State, user: str, *, ids: Iterable[str], become: Callable[[SummaryRow], SummaryRow]
) -> None:
    wanted = {(user, name) for name in ids}
    state.summaries = [
        become(row) if (row.summary.scope.user, row.summary.id) in wanted else row
        for row in state.summaries
    ]


def _restored(state: State, change: ch.Restored, *, at: datetime) -> None:
    _each_summary(
        state,
        change.scope.user,
        ids=change.cards,
        become=lambda r: replace(r, forgotten_at=None),
    )
    _flag(state, change.scope.user, cards=change.cards, forgotten_at=None)


def _pinned(state: State, change: ch.Pinned, *, at: datetime) -> None:
    _flag(state, change.scope.user, cards=change.cards, pinned=change.pinned)


def _quarantined(state: State, change: ch.Quarantined, *, at: datetime) -> None:
    _flag(state, change.scope.user, cards=change.cards, quarantined=change.quarantined)


def _marked_stale(state: State, change: ch.MarkedStale, *, at: datetime) -> None:
    _flag(state, change.scope.user, cards=change.cards, stale=change.stale)


def _promoted(state: State, change: ch.Promoted, *, at: datetime) -> None:
    _each(
        state,
        change.scope.user,
        cards=change.cards,
        become=lambda r: (
            r
            if r.retired_at is not None
            else replace(r, card=replace(r.card, horizon=change.horizon))
        ),
    )


def _relation_added(state: State, change: ch.RelationAdded, *, at: datetime) -> None:
    state.relations.setdefault(change.relation.name, change.relation)


def _relation_revised(state: State, change: ch.RelationRevised, *, at: datetime) -> None:
    state.relations[change.relation.name] = change.relation
    _drop_orphans(state)


def _summary_added(state: State, change: ch.SummaryAdded, *, at: datetime) -> None:
    summary = change.summary
    key = summary.scope.user, summary.id
    before = [r for r in state.summaries if (r.summary.scope.user, r.summary.id) == key]
    current = [row for row in before if row.retired_at is None]
    _retire_summaries(state, summary.scope.user, ids=[summary.id], at=at)
    forgotten = current[0].forgotten_at if current else None
    state.summaries.append(SummaryRow(summary, at, forgotten_at=forgotten))


def _retire_summaries(state: State, user: str, *, ids: Iterable[str], at: datetime) -> None:
    _each_summary(state, user, ids=ids, become=lambda r: replace(r, retired_at=r.retired_at or at))


def _withdrawn(state: State, change: ch.Withdrawn, *, at: datetime) -> None:
    user = change.scope.user
    _retire_summaries(state, user, ids=change.ids, at=at)
    _each(
        state,
        user,
        cards=change.ids,
        become=lambda r: replace(r, retired_at=r.retired_at or at, withdrawn=True),
    )
    for name in change.ids:
        state.entities.pop((user, name), None)
        state.events.pop((user, name), None)
    state.names = {n for n in state.names if n[0] != user or n[2] not in change.ids}


def _note_changed(state: State, change: ch.NoteChanged, *, at: datetime) -> None:
    state.notes[change.note.scope.user, change.note.path] = change.note


def _note_removed(state: State, change: ch.NoteRemoved, *, at: datetime) -> None:
    state.notes.pop((change.scope.user, change.path), None)


def _calibrated(state: State, change: ch.Calibrated, *, at: datetime) -> None:
    for pair, median in change.medians:
        state.calibrations[change.model, pair] = median


def _undone(state: State, change: ch.Undone, *, at: datetime) -> None:
    """The changes beside it do the reversing."""


def _erased(state: State, change: ch.Erased, *, at: datetime) -> None:
    user = change.scope.user
    state.cards = [row for row in state.cards if not _is(row, user, cards=change.ids)]
    state.links = {
        key: row
        for key, row in state.links.items()
        if key[0] != user or not {row.link.source, row.link.target} & set(change.ids)
    }
    for name in change.ids:
        state.accesses.pop((user, name), None)
    state.summaries = [
        row
        for row in state.summaries
        if row.summary.scope.user != user or row.summary.id not in change.ids
    ]
    _drop_orphans(state)


def _drop_orphans(state: State) -> None:
    texts = state.texts()
    state.vectors = {key: v for key, v in state.vectors.items() if key[1] in texts}


_APPLY: dict[type[Any], Callable[..., None]] = {
    ch.SessionGrew: _session_grew,
    ch.TurnsMarked: _turns_marked,
    ch.SessionDistilled: _session_distilled,
    ch.SessionUndistilled: _session_undistilled,
    ch.EventAdded: _event_added,
    ch.CardAdded: _card,
    ch.CardRevised: _card,
    ch.CardMerged: _card_merged,
    ch.Cooled: _cooled,
    ch.Forgotten: _forgotten,
    ch.Restored: _restored,
    ch.Pinned: _pinned,
    ch.Quarantined: _quarantined,
    ch.MarkedStale: _marked_stale,
    ch.Promoted: _promoted,
    ch.Withdrawn: _withdrawn,
    ch.LinkAdded: graph.link_added,
    ch.LinkRetired: graph.link_retired,
    ch.FactRetired: graph.link_retired,
    ch.EntityAdded: graph.entity_added,
    ch.EntityRevised: graph.entity_added,
    ch.EntityMerged: graph.entity_merged,
    ch.EntityHeld: graph.entity_held,
    ch.RelationAdded: _relation_added,
    ch.RelationRevised: _relation_revised,
    ch.SummaryAdded: _summary_added,
    ch.NoteChanged: _note_changed,
    ch.NoteRemoved: _note_removed,
    ch.Calibrated: _calibrated,
    ch.Undone: _undone,
    ch.Erased: _erased,
}
