"""What a Where lets through of a state, said as plainly as possible. Which state: `OracleIndex`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
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
        and row.retired_at is None
        and (where.include_forgotten or row.forgotten_at is None)
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
        and row.mark is TurnMark.ACTIVE
    )


def summary_passes(row: SummaryRow, where: Where) -> bool:
    summary = row.summary
    return (
        where.scope.sees(Scope(summary.scope.user, summary.scope.agent, summary.session))
        and not _of_cards_alone(where)
        and (not where.origins or summary.origin in where.origins)
        and _said(summary.said_at, where)
        and row.retired_at is None
        and (where.include_forgotten or row.forgotten_at is None)
    )


def session_passes(state: SessionState, scope: Scope) -> bool:
    session = state.session
    return scope.sees(Scope(session.scope.user, session.scope.agent, session.id))


def entity_passes(row: EntityRow, where: Where) -> bool:
    return where.scope.sees(row.entity.scope) and row.merged_into is None


def link_passes(row: LinkRow, where: Where) -> bool:
    """The edge itself; its ends are looked at apart."""
    link = row.link
    ended = row.retired_at is not None and link.invalid_at != row.told_end
    history = ended and (where.as_of is not None or where.include_ended)
    valid = where.as_of is None or (
        link.valid_at <= where.as_of and (link.invalid_at is None or link.invalid_at > where.as_of)
    )
    return link.scope.user == where.scope.user and valid and (history or row.retired_at is None)


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


def facts_of(links: Iterable[Link]) -> list[Link]:
    """Those between entities that tell a fact, the newest valid first."""
    told = [link for link in links if link.fact]
    told = [k for k in told if all(end.startswith("entity-") for end in (k.source, k.target))]
    return sorted(told, key=lambda link: (-link.valid_at.timestamp(), link.id))


def counts_of(state: State, scope: Scope) -> Mapping[str, int]:
    """How many of each kind there are in a scope."""
    where = Where(scope)
    cards = [row for row in state.cards if card_passes(row, where)]
    links = [r.link for r in state.links.values() if link_passes(r, where)]
    found = Counter({"cards": len(cards), "links": len(links)})
    found.update(f"cards.{row.card.kind}" for row in cards)
    found.update(f"tiers.{row.tier}" for row in cards)
    found.update(f"links.{link.relation}" for link in links)
    return {
        **found,
        "turns": sum(turn_passes(row, where) for row in state.turns),
        "sessions": sum(session_passes(s, scope) for s in state.sessions.values()),
        "entities": sum(entity_passes(row, where) for row in state.entities.values()),
        "summaries": sum(summary_passes(row, where) for row in state.summaries),
        "notes": sum(user == scope.user for user, _ in state.notes),
    }
