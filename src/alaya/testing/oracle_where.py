"""What a Where lets through, said as plainly as possible."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from alaya.errors import Unsupported
from alaya.model.graph import Link
from alaya.model.passage import Where
from alaya.model.raw import SessionState, TurnMark
from alaya.model.scope import Scope
from alaya.testing.oracle_state import CardRow, EntityRow, LinkRow, State, SummaryRow, TurnRow


def card_passes(row: CardRow, where: Where) -> bool:
    card = row.card
    tags = {tag.casefold() for tag in card.tags}
    return (
        where.scope.sees(card.scope)
        and (not where.kinds or card.kind in where.kinds)
        and all(tag.casefold() in tags for tag in where.tags)
        and (not where.tiers or row.tier in where.tiers)
        and (not where.origins or card.origin in where.origins)
        and card.confidence >= where.min_confidence
        and _said(card.said_at, where)
        and _believed(row.recorded_at, row.retired_at, at=where.believed_at)
        and (where.include_forgotten or not _forgotten(row.forgotten_at, where))
        and (where.include_stale or not row.stale)
        and (where.include_quarantined or not row.quarantined)
    )


def turn_passes(row: TurnRow, where: Where) -> bool:
    session = row.session
    return (
        where.scope.sees(Scope(session.scope.user, session.scope.agent, session.id))
        and not _of_cards_alone(where)
        and (not where.origins or row.archived.turn.origin in where.origins)
        and _said(row.said_at, where)
        and _recorded(row.recorded_at, where)
        and row.mark is TurnMark.ACTIVE
    )


def summary_passes(row: SummaryRow, where: Where) -> bool:
    summary = row.summary
    return (
        where.scope.sees(Scope(summary.scope.user, summary.scope.agent, summary.session))
        and not _of_cards_alone(where)
        and (not where.origins or summary.origin in where.origins)
        and _said(summary.said_at, where)
        and _recorded(row.recorded_at, where)
        and (where.include_forgotten or not _forgotten(row.forgotten_at, where))
    )


def session_passes(state: SessionState, scope: Scope) -> bool:
    session = state.session
    return scope.sees(Scope(session.scope.user, session.scope.agent, session.id))


def entity_passes(row: EntityRow, where: Where) -> bool:
    return (
        where.scope.sees(row.entity.scope)
        and row.merged_into is None
        and _recorded(row.recorded_at, where)
    )


def link_passes(row: LinkRow, where: Where) -> bool:
    """The edge itself; its ends are looked at apart."""
    link, at = row.link, where.believed_at
    known = row.retired_at is not None and (at is None or row.retired_at <= at)
    end = link.invalid_at if known or row.retired_at is None else row.told_end
    valid = where.as_of is None or (
        link.valid_at <= where.as_of and (end is None or end > where.as_of)
    )
    ended = row.retired_at is not None and link.invalid_at != row.told_end
    history = ended and (where.as_of is not None or where.include_ended)
    return (
        link.scope.user == where.scope.user
        and valid
        and _recorded(row.recorded_at, where)
        and (history or _believed(row.recorded_at, row.retired_at, at=at))
    )


def node_passes(state: State, node: str, *, where: Where) -> bool:
    """Whether a card, session or entity is seen."""
    user = where.scope.user
    if node.startswith("card-"):
        return any(row.card.id == node and card_passes(row, where) for row in state.cards)
    if node.startswith("session:"):
        session = state.sessions.get((user, node.removeprefix("session:")))
        return session is not None and session_passes(session, where.scope)
    entity = state.entities.get((user, node))
    return node.startswith("entity-") and entity is not None and entity_passes(entity, where)


def asks_of_entities(where: Where) -> None:
    """Raises Unsupported for what an entity does not have."""
    if _of_cards_alone(where) or where.origins or where.since or where.until or where.as_of:
        raise Unsupported("entities are told apart by scope, name and belief alone")


def _of_cards_alone(where: Where) -> bool:
    return bool(where.kinds or where.tags or where.tiers or where.min_confidence > 0)


def _said(at: datetime, where: Where) -> bool:
    return (
        (where.since is None or at >= where.since)
        and (where.until is None or at < where.until)
        and (where.as_of is None or at <= where.as_of)
    )


def _forgotten(at: datetime | None, where: Where) -> bool:
    return at is not None and (where.believed_at is None or at <= where.believed_at)


def _recorded(at: datetime, where: Where) -> bool:
    return where.believed_at is None or at <= where.believed_at


def _believed(recorded: datetime, retired: datetime | None, *, at: datetime | None) -> bool:
    if at is None:
        return retired is None
    return recorded <= at and (retired is None or retired > at)


def facts_of(links: Iterable[Link]) -> list[Link]:
    """Those between entities that tell a fact, the newest valid first."""
    told = [link for link in links if link.fact]
    told = [k for k in told if all(end.startswith("entity-") for end in (k.source, k.target))]
    return sorted(told, key=lambda link: (-link.valid_at.timestamp(), link.id))
