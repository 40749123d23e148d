"""Changes to the oracle's rows: what each kind of change means, said as plainly as possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from alaya.model import change as ch
from alaya.model.graph import Card, Link, Relation
from alaya.model.naming import name_key
from alaya.model.raw import SessionState
from alaya.model.relations import canonical
from alaya.testing.oracle_state import (
    CardRow,
    EntityRow,
    LinkRow,
    State,
    SummaryRow,
    TurnRow,
)


def apply_change(state: State, change: ch.Change, *, at: datetime) -> None:
    """Apply one change, recorded at `at`."""
    _APPLY[type(change)](state, change, at=at)


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
    state.distilled.setdefault((user, change.content_hash), change.session)


def _event_added(state: State, change: ch.EventAdded, *, at: datetime) -> None:
    state.events[change.event.scope.user, change.event.id] = change.event


def _card(state: State, change: ch.CardAdded | ch.CardRevised, *, at: datetime) -> None:
    _new_version(state, change.card, at=at)


def _new_version(state: State, card: Card, *, at: datetime) -> None:
    versions = [r for r in state.cards if _is(r, card.scope.user, cards=[card.id])]
    if any(row.card.version >= card.version for row in versions):
        return
    _retire(state, card.scope.user, card=card.id, at=at)
    order = max((row.order for row in state.cards), default=0) + 1
    new = CardRow(card, order, at)
    if versions:
        last = max(versions, key=lambda row: row.card.version)
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
            _move_links(state, user, old=name, new=change.card.id, at=at)


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
    for key in _summed(state, change.scope.user, ids=change.cards):
        row = state.summaries[key]
        state.summaries[key] = replace(row, forgotten_at=row.forgotten_at or at)
    _each(
        state,
        change.scope.user,
        cards=change.cards,
        become=lambda r: r if r.forgotten_at is not None else replace(r, forgotten_at=at),
    )


def _flag(state: State, user: str, *, cards: Iterable[str], **values: Any) -> None:
    _each(state, user, cards=cards, become=lambda row: replace(row, **values))


def _summed(state: State, user: str, *, ids: Iterable[str]) -> list[tuple[str, str]]:
    return [(user, name) for name in ids if (user, name) in state.summaries]


def _restored(state: State, change: ch.Restored, *, at: datetime) -> None:
    for key in _summed(state, change.scope.user, ids=change.cards):
        state.summaries[key] = replace(state.summaries[key], forgotten_at=None)
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


def _link_added(state: State, change: ch.LinkAdded, *, at: datetime) -> None:
    link = canonical(change.link)
    known = state.links.get((link.scope.user, link.id))
    since = min(known.recorded_at, at) if known else at
    state.links[link.scope.user, link.id] = LinkRow(link, since, told_end=link.invalid_at)
    state.relations.setdefault(link.relation, Relation(link.relation))


def _link_retired(state: State, change: ch.LinkRetired | ch.FactRetired, *, at: datetime) -> None:
    key = change.scope.user, change.link
    if key in state.links:
        row = state.links[key]
        link = replace(row.link, invalid_at=change.invalid_at or row.link.invalid_at)
        state.links[key] = replace(row, link=link, retired_at=row.retired_at or at)


def _move_links(state: State, user: str, *, old: str, new: str, at: datetime) -> None:
    mine = [
        (key, row)
        for key, row in sorted(state.links.items())
        if key[0] == user and old in (row.link.source, row.link.target) and row.retired_at is None
    ]
    ended = [
        row
        for key, row in sorted(state.links.items())
        if key[0] == user
        and old in (row.link.source, row.link.target)
        and row.retired_at is not None
        and row.link.invalid_at != row.told_end
    ]
    for key, row in mine:
        state.links[key] = replace(row, retired_at=at)
    for _, row in mine:
        source = new if row.link.source == old else row.link.source
        target = new if row.link.target == old else row.link.target
        moved: Link = canonical(replace(row.link, source=source, target=target))
        known = state.links.get((user, moved.id))
        if source != target and (known is None or known.retired_at is not None):
            since = min(known.recorded_at, at) if known else at
            state.links[user, moved.id] = LinkRow(moved, since, told_end=moved.invalid_at)
    for row in ended:
        source = new if row.link.source == old else row.link.source
        target = new if row.link.target == old else row.link.target
        moved = canonical(replace(row.link, source=source, target=target))
        if source != target and (user, moved.id) not in state.links:
            state.links[user, moved.id] = replace(row, link=moved)


def _entity(state: State, change: ch.EntityAdded | ch.EntityRevised, *, at: datetime) -> None:
    entity = change.entity
    key = entity.scope.user, entity.id
    row = state.entities.get(key, EntityRow(entity, at))
    state.entities[key] = replace(row, entity=entity)
    for name in (entity.name, *entity.aliases):
        state.names.add((entity.scope.user, name_key(name), entity.id))


def _entity_merged(state: State, change: ch.EntityMerged, *, at: datetime) -> None:
    user = change.scope.user
    for old in change.merged:
        if old == change.entity:
            continue
        if (user, old) in state.entities:
            row = state.entities[user, old]
            state.entities[user, old] = replace(row, merged_into=change.entity)
        state.names = {
            (u, name, change.entity if (u, e) == (user, old) else e) for u, name, e in state.names
        }
        _move_links(state, user, old=old, new=change.entity, at=at)


def _relation_added(state: State, change: ch.RelationAdded, *, at: datetime) -> None:
    state.relations.setdefault(change.relation.name, change.relation)


def _relation_revised(state: State, change: ch.RelationRevised, *, at: datetime) -> None:
    state.relations[change.relation.name] = change.relation
    _drop_orphans(state)


def _summary_added(state: State, change: ch.SummaryAdded, *, at: datetime) -> None:
    summary = change.summary
    key = summary.scope.user, summary.id
    before = state.summaries.get(key)
    state.summaries[key] = SummaryRow(summary, at, before.forgotten_at if before else None)
    _drop_orphans(state)


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
        state.summaries.pop((user, name), None)
    _drop_orphans(state)


def _drop_orphans(state: State) -> None:
    texts = state.texts()
    state.vectors = {key: v for key, v in state.vectors.items() if key[1] in texts}


_APPLY: dict[type[Any], Callable[..., None]] = {
    ch.SessionGrew: _session_grew,
    ch.TurnsMarked: _turns_marked,
    ch.SessionDistilled: _session_distilled,
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
    ch.LinkAdded: _link_added,
    ch.LinkRetired: _link_retired,
    ch.FactRetired: _link_retired,
    ch.EntityAdded: _entity,
    ch.EntityRevised: _entity,
    ch.EntityMerged: _entity_merged,
    ch.RelationAdded: _relation_added,
    ch.RelationRevised: _relation_revised,
    ch.SummaryAdded: _summary_added,
    ch.NoteChanged: _note_changed,
    ch.NoteRemoved: _note_removed,
    ch.Calibrated: _calibrated,
    ch.Undone: _undone,
    ch.Erased: _erased,
}
