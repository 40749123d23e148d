"""Source events (Eywa): what turns tell of themselves, and how events are named.

Nothing is written for an event that a turn tells: its id is its place in the archive, so that a
rebuild has the same ones. `event:session#turn` is a message, an answer, a thought; with `!call` at
its end it is one call of a tool with its result; `event:session` is the import of a whole log.
Events that an agent or a correction makes have ids `event-…` and stand in the journal; a recall
has `recall-…` and stands in the recall log.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from alaya.errors import InvalidInput
from alaya.model.ids import digest, sha256
from alaya.model.raw import Event, EventKind, Role, Session, SessionKind, Span, ToolCall, Turn
from alaya.model.scope import Scope
from alaya.model.time import format_time, parse_time

OF_TURN, OWN, RECALL = "event:", "event-", "recall-"
EVENT, REMEMBERED = "event", "remembered"  # in a turn's metadata: which event it belongs to
_CALL = "!"


def event_id(session: str, turn: str, *, call: str = "") -> str:
    """The name of the event that a turn tells, or of one call in it."""
    return f"{OF_TURN}{session}#{turn}" + (f"{_CALL}{call}" if call else "")


def turn_places(name: str) -> list[tuple[str, str]]:
    """The (session, turn) pairs that `session#turn` may mean: either id may hold a `#`."""
    parts = name.split("#")
    return [("#".join(parts[:cut]), "#".join(parts[cut:])) for cut in range(1, len(parts))]


def recall_id(at: datetime, *parts: object) -> str:
    """The name of a recall. It tells when it was, so that it is found in the log."""
    return f"{RECALL}{format_time(at)}-{digest(format_time(at), *parts)[:10]}"


def recalled_at(name: str) -> datetime | None:
    """When a recall of this name was; None where it is not the name of one."""
    time, _, _ = name.removeprefix(RECALL).rpartition("-")
    try:
        return parse_time(time) if name.startswith(RECALL) else None
    except InvalidInput:
        return None


def spoken(session: str, turn: Turn) -> tuple[Span, ...]:
    """A turn's words as spans, without what alaya itself had put there."""
    content, spans, last = turn.content, [], 0
    for start, end in (*sorted(turn.injected), (len(content), len(content))):
        if start > last:
            spans.append(Span(session, turn.id, last, start, sha256(content[last:start])))
        last = max(last, end)
    return tuple(spans)


def events_of(session: Session, turns: Sequence[Turn]) -> list[Event]:
    """The events that these turns of a session tell, in order.

    At meaningful borders only: a message of the user, a call of a tool with its result, a thought
    where the log has it, and the last answer before the user speaks again. What an agent says
    between its calls is a thought, too. Turns that belong to an event of the journal tell none.
    """
    found: list[Event] = []
    results = {turn.tool_call_id: turn for turn in turns if turn.tool_call_id}
    called = {call.id for turn in turns for call in turn.tool_calls}
    asked: tuple[Span, ...] = ()
    for number, turn in enumerate(turns):
        if EVENT in turn.metadata:
            continue
        said = spoken(session.id, turn)
        if turn.role is Role.TOOL and turn.tool_call_id in called:
            continue  # it came out of a call that stands here
        kind = _kind(session, turn, last=_is_last(turns, number))
        if said or turn.metadata.get("reasoning"):
            found.append(_event(session, turn, kind=kind, input=asked, output=said))
        found += [
            _called(session, turn, call=call, result=results.get(call.id))
            for call in turn.tool_calls
        ]
        if turn.role is Role.USER:
            asked = said
    return found


def import_of(session: Session) -> Event:
    """The event of a log being taken in as a whole."""
    told = {"source": session.source, "format": session.format}
    return Event(
        id=f"{OF_TURN}{session.id}",
        scope=Scope(session.scope.user, session.scope.agent, session.id),
        kind=EventKind.IMPORT,
        at=session.started_at,
        session=session.id,
        metadata={name: value for name, value in told.items() if value},
    )


def _kind(session: Session, turn: Turn, *, last: bool) -> EventKind:
    if REMEMBERED in turn.metadata:
        return EventKind.REFLECTION
    if session.kind is SessionKind.DOCUMENTS:
        return EventKind.IMPORT
    if turn.role is Role.TOOL:
        return EventKind.TOOL_CALL
    if turn.role is Role.ASSISTANT:
        return EventKind.FINAL_ANSWER if last and not turn.tool_calls else EventKind.REASONING
    return EventKind.USER_MESSAGE if turn.role is Role.USER else EventKind.IMPORT


def _is_last(turns: Sequence[Turn], number: int) -> bool:
    """Whether nothing of the agent or its tools follows before the user speaks again."""
    rest = (turn.role for turn in turns[number + 1 :] if turn.role is not Role.SYSTEM)
    return next(rest, Role.USER) is Role.USER


def _event(
    session: Session,
    turn: Turn,
    *,
    kind: EventKind,
    input: tuple[Span, ...],
    output: tuple[Span, ...],
    call: str = "",
    metadata: dict[str, str] | None = None,
) -> Event:
    thought = turn.metadata.get("reasoning")
    told = {"reasoning_sha256": sha256(str(thought))} if thought and not call else {}
    own = kind in (EventKind.USER_MESSAGE, EventKind.IMPORT, EventKind.REFLECTION)
    return Event(
        id=event_id(session.id, turn.id, call=call),
        scope=Scope(session.scope.user, session.scope.agent, session.id),
        kind=kind,
        at=turn.said_at or session.started_at,
        input=() if own else input,
        output=output,
        session=session.id,
        turn=turn.id,
        origin=turn.origin,
        metadata={**told, **(metadata or {})},
    )


def _called(session: Session, turn: Turn, *, call: ToolCall, result: Turn | None) -> Event:
    """A call with its result. Its arguments stand in the turn: here is their hash."""
    told = {"tool": call.name, "input_sha256": sha256(call.arguments)}
    output = spoken(session.id, result) if result else ()
    made = _event(
        session,
        turn,
        kind=EventKind.TOOL_CALL,
        input=(),
        output=output,
        call=call.id or call.name,
        metadata=told,
    )
    origin = result.origin if result else turn.origin
    return replace(made, origin=origin)


def turns_of(event: Event) -> Iterator[tuple[str, str]]:
    """The (session, turn) pairs in which an event's words stand, each once."""
    places = [(span.session, span.turn) for span in (*event.input, *event.output)]
    if event.session and event.turn:
        places.append((event.session, event.turn))
    yield from dict.fromkeys(places)
