"""Source events by name: of the journal, of the recall log, or told by the turns themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from alaya.errors import NotFound
from alaya.model.event import (
    EVENT,
    OF_TURN,
    OWN,
    RECALL,
    events_of,
    import_of,
    recalled_at,
    turn_places,
)
from alaya.model.graph import Card, CardState
from alaya.model.passage import Where
from alaya.model.raw import Event, EventKind, Origin, SessionState, Turn, TurnMark, lowest
from alaya.model.record import RecallLog
from alaya.model.scope import Scope
from alaya.ports import Archive, Index
from alaya.provenance.words import read_places

_AROUND = 40  # turns on either side in which a call has its result, and an answer its question


@dataclass(frozen=True)
class Subject:
    """What a name stands for: a card, an event or a turn; and where its words stand."""

    id: str
    card: tuple[Card, CardState] | None = None
    event: Event | None = None
    turns: tuple[tuple[str, str], ...] = ()


def everything(scope: Scope) -> Where:
    """All that the user has, also what left recall."""
    return Where(Scope(scope.user), include_forgotten=True, include_quarantined=True)


def subject(archive: Archive, index: Index, *, scope: Scope, name: str) -> Subject:
    """What a name stands for. Raises NotFound."""
    if name.startswith((OF_TURN, OWN, RECALL)):
        event = event_named(archive, index, scope=scope, name=name)
        return Subject(name, event=event, turns=tuple(_turns(event)))
    found = index.cards([name], everything(scope))
    if found:
        turns = dict.fromkeys((s.session, s.turn) for s in found[0][0].evidence)
        return Subject(name, card=found[0], turns=tuple(turns))
    for session, turn in turn_places(name):
        if index.turns(Scope(scope.user), session, ids=[turn]):
            told = of_turns(archive, index, scope=scope, turns=[(session, turn)])
            return Subject(name, event=told[0] if told else None, turns=((session, turn),))
    raise NotFound(
        f"no card, event or turn {name} (for user {scope.user!r}): give card-…, event-…, "
        "event:SESSION#TURN, recall-… or SESSION#TURN"
    )


def event_named(archive: Archive, index: Index, *, scope: Scope, name: str) -> Event:
    """An event by its name. Raises NotFound."""
    found: Event | None = None
    if name.startswith(OWN):
        found = next(iter(index.events(scope, ids=[name])), None)
    elif name.startswith(RECALL):
        log = recall_named(archive, scope=scope, name=name)
        found = _retrieval(log) if log else None
    elif name.startswith(OF_TURN):
        found = _told(archive, index, scope=scope, name=name)
    if found is None:
        raise NotFound(f"no event {name} (for user {scope.user!r})")
    return found


def recall_named(archive: Archive, *, scope: Scope, name: str) -> RecallLog | None:
    """A recall by its name, which tells when it was."""
    at = recalled_at(name)
    if at is None:
        return None
    return next(
        (log for log in archive.recalls(at) if log.id == name and log.user == scope.user), None
    )


def of_turns(
    archive: Archive, index: Index, *, scope: Scope, turns: Sequence[tuple[str, str]]
) -> list[Event]:
    """The events in which these turns stand, as they were: a result stands in that of its call."""
    by_session: dict[str, list[str]] = {}
    for session, turn in turns:
        by_session.setdefault(session, []).append(turn)
    found: dict[str, Event] = {}
    for session, wanted in by_session.items():
        state = index.session(Scope(scope.user), session)
        if state is None:
            continue
        read = _around(archive, index, state=state, wanted=wanted)
        own = [
            turn.metadata[EVENT] for turn in read if turn.id in wanted and EVENT in turn.metadata
        ]
        told = index.events(scope, ids=[str(one) for one in own]) if own else []
        told += [
            event
            for event in events_of(state.session, read)
            if any(
                place == (session, turn) for place in _turns(event, itself=True) for turn in wanted
            )
        ]
        found |= {event.id: event for event in told}
    return list(found.values())


def of_session(archive: Archive, index: Index, *, scope: Scope, session: str) -> list[Event]:
    """Everything that happened in a session, in order. Raises NotFound."""
    state = index.session(Scope(scope.user), session)
    if state is None:
        raise NotFound(f"no session {session!r}; `alaya status` shows how many there are")
    places = [p for p in index.turns(Scope(scope.user), session) if p.mark is TurnMark.ACTIVE]
    turns = [t.turn for t in read_places(archive, state.session, places=places)]
    own = dict.fromkeys(str(turn.metadata[EVENT]) for turn in turns if EVENT in turn.metadata)
    told = [*events_of(state.session, turns), *index.events(scope, ids=list(own))]
    imported = [import_of(state.session)] if state.session.source else []
    return [*imported, *sorted(told, key=lambda event: event.at)]


def origin_of(archive: Archive, index: Index, *, scope: Scope, event: Event) -> Origin:
    """How far what came of an event can be trusted: for a recall, as the least of what it found."""
    if event.kind is not EventKind.RETRIEVAL or not event.id.startswith(RECALL):
        return event.origin
    names = [str(name) for name in event.metadata.get("results", ())]
    cards = index.cards(names, everything(scope)) if names else []
    known = {card.id for card, _ in cards}
    origins = [card.origin for card, _ in cards]
    summaries = index.summaries(everything(scope), ids=names) if names else []
    origins += [summary.origin for summary in summaries]
    for name in names:
        if name not in known:
            origins += _turn_origins(archive, index, scope=scope, name=name)
    return lowest([event.origin, *origins])


def _turn_origins(archive: Archive, index: Index, *, scope: Scope, name: str) -> list[Origin]:
    for session, turn in turn_places(name):
        state = index.session(Scope(scope.user), session)
        places = index.turns(Scope(scope.user), session, ids=[turn]) if state else []
        if state and places:
            return [t.turn.origin for t in read_places(archive, state.session, places=places)]
    return []


def _retrieval(log: RecallLog) -> Event:
    """A recall as the event that it was; what was asked stands in the recall log."""
    return Event(
        id=log.id,
        scope=Scope(log.user, log.agent, log.session),
        kind=EventKind.RETRIEVAL,
        at=log.at,
        metadata={"query": log.query, "results": [name for name, _ in log.results]},
    )


def _told(archive: Archive, index: Index, *, scope: Scope, name: str) -> Event | None:
    place = name.removeprefix(OF_TURN)
    state = index.session(Scope(scope.user), place)
    if state is not None:
        return import_of(state.session)
    ends = [place]
    while "!" in ends[-1]:  # the id of a call may hold one, too
        ends.append(ends[-1].rpartition("!")[0])
    for end in ends:
        told = of_turns(archive, index, scope=scope, turns=turn_places(end))
        for event in told:
            if event.id == name:
                return event
    return None


def _turns(event: Event, *, itself: bool = False) -> Iterable[tuple[str, str]]:
    """Where an event's words stand; `itself`: what came of it, without what went in."""
    spans = event.output if itself else (*event.input, *event.output)
    places = [(span.session, span.turn) for span in spans]
    if event.session and event.turn:
        places.insert(0, (event.session, event.turn))
    return dict.fromkeys(places)


def _around(
    archive: Archive, index: Index, *, state: SessionState, wanted: Sequence[str]
) -> list[Turn]:
    """These turns of a session, with those around them; those of left branches only if asked."""
    places = index.turns(Scope(state.session.scope.user), state.session.id)
    at = [place.ordinal for place in places if place.id in wanted]
    if not at:
        return []
    low, high = min(at) - _AROUND, max(at) + _AROUND
    near = [
        place
        for place in places
        if low <= place.ordinal <= high and (place.mark is TurnMark.ACTIVE or place.id in wanted)
    ]
    return [t.turn for t in read_places(archive, state.session, places=near)]
