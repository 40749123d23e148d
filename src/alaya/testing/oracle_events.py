"""What the oracle says of turns and events, and of the cards that cite them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from alaya.model.raw import Event, TurnPlace
from alaya.model.scope import Scope
from alaya.testing.oracle_state import CardRow, State


def places(
    state: State, scope: Scope, *, session: str, ids: Sequence[str] | None
) -> list[TurnPlace]:
    found = [
        row.place
        for row in state.turns
        if row.session.id == session
        and scope.sees(Scope(row.session.scope.user, row.session.scope.agent, session))
        and (ids is None or row.archived.turn.id in ids)
    ]
    return sorted(found, key=lambda place: place.ordinal)


def events(state: State, scope: Scope, *, ids: Sequence[str], about: Sequence[str]) -> list[Event]:
    found = [
        event
        for (user, name), event in state.events.items()
        if user == scope.user and (name in ids or set(event.about) & set(about))
    ]
    return sorted(found, key=lambda event: (event.at, event.id))


def cards_of_turns(
    rows: Iterable[CardRow], turns: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        for place in dict.fromkeys((s.session, s.turn) for s in row.card.evidence):
            if place in turns:
                found.setdefault(place, []).append(row.card.id)
    return found


def cards_of_events(rows: Iterable[CardRow], events: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in sorted(rows, key=lambda row: row.card.id):
        for event in dict.fromkeys(row.card.source_events):
            if event in events:
                found.setdefault(event, []).append(row.card.id)
    return found
