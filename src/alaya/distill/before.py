"""What a session was before it is distilled: its turns in the archive, its cards, its links."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from alaya.distill.reconcile import Known
from alaya.model.change import Forgotten, Restored
from alaya.model.graph import Link
from alaya.model.ids import sha256
from alaya.model.passage import ItemKind, Where
from alaya.model.raw import ArchivedTurn, Session, SessionState, TurnMark
from alaya.model.record import Draft, Position
from alaya.model.relations import EXTRACTED_FROM
from alaya.model.scope import Scope
from alaya.ports import Archive, Index
from alaya.provenance.words import read_places

CONTEXT_TURNS = 6
_TWINS = 3  # answers of the word index that are compared with a new card
_LINKS = 1000  # of a card that are looked through


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
    return (
        read_places(archive, session, places=before),
        read_places(archive, session, places=new),
    )


def unsaid(
    archive: Archive, index: Index, *, session: Session, turns: Sequence[ArchivedTurn]
) -> bool:
    """Whether words that were read were erased while a model answered; then what was made of them
    goes, too."""
    ids = [one.turn.id for one in turns]
    places = index.turns(Scope(session.scope.user), session.id, ids=ids)
    now = {place.id: place.sha256 for place in places}
    gone = any(now.get(one.turn.id) != sha256(one.turn.content) for one in turns)
    if gone:
        archive.drop_made_of(session)
    return gone


def known_by(index: Index, session: Session) -> tuple[tuple[str, str], ...]:
    """(id, title) of the cards of a session that are in force, oldest first."""
    where = Where(Scope(session.scope.user, session=session.id))
    found = sorted((c for c, _ in index.find_cards(where)), key=lambda c: (c.said_at, c.id))
    return tuple((card.id, card.title) for card in found)


def meets(
    index: Index,
    session: Session,
    *,
    draft: Draft,
    redistilled: Callable[[], frozenset[str]] | None,
) -> Known:
    """What the memory holds that a draft can meet.

    `redistilled` tells which cards redistilling had forgotten, see below; None: it is no
    redistilling, which may replace cards and links.
    """
    known = _known(index, session, draft=draft)
    if redistilled is None:
        return known
    ids = [card.id for card, _ in known.own]
    where = Where(Scope(session.scope.user), include_forgotten=True, include_quarantined=True)
    found: dict[str, Link] = {}
    for link in index.links(ids, where, limit_per_node=_LINKS) if ids else ():
        if link.relation != EXTRACTED_FROM and link.scope.session == session.id:
            found[link.id] = link
    gone = frozenset(card.id for card, state in known.own if state.forgotten_at is not None)
    outdated = gone & redistilled() if gone else gone
    return replace(known, links=tuple(found.values()), outdated=outdated)


def forgotten_by_redistilling(archive: Archive) -> frozenset[str]:
    """The cards that only redistilling had forgotten, as the whole journal says."""
    found: set[str] = set()
    for record in archive.records(Position()):
        for change in record.changes:
            if isinstance(change, Forgotten) and change.reason == "redistilled":
                found.update(change.cards)
            elif isinstance(change, Forgotten | Restored):
                found.difference_update(change.cards)
    return frozenset(found)


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
