"""`add`: messages as a program holds them, in OpenAI's or the action design's style, to turns.

A session that is added to grows. A message is known by its `id`; one without an id by its words,
its speaker, its time where it tells one, and how often the same stood before it in the same call:
so the whole talk may be given again, and only what is new is taken. All of a call is one commit.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from alaya import tombstones
from alaya.errors import InvalidInput
from alaya.ingest import conversation
from alaya.ingest.found import Carry, Said, Skipped
from alaya.ingest.intake import Into, heard
from alaya.ingest.lines import MAX_LINE
from alaya.ingest.messages import check, shown
from alaya.ingest.settle import Arrival, Arrived, Settled, settle
from alaya.model.change import Change
from alaya.model.ids import clean, digest, session_node
from alaya.model.raw import Session, Turn
from alaya.model.scope import Scope
from alaya.model.time import format_time
from alaya.projection import Grow, catch_up, commit

Messages = str | Mapping[str, Any] | Sequence[Any]
FORMAT = "messages"
_STREAM = "-"  # what came through a pipe is not read again


@dataclass(frozen=True)
class Taken:
    """`turns` are new, as they stand in the archive; `known` ones stood there."""

    session: str
    created: bool
    turns: tuple[Turn, ...]
    known: int
    skipped: Mapping[str, int]
    redacted: Mapping[str, int]


def add(
    into: Into, messages: Messages, *, session: str | None = None, agent: str | None = None
) -> Taken:
    """Append messages to a session; without a name, to that of the day (UTC) and the agent.

    Raises InvalidInput for what is no message, before anything is written, and for a session
    that belongs to another agent or follows a file.
    """
    now = into.clock()
    name = _named("session", session) or _session_of_the_day(agent, now)
    agent = _named("agent", agent)
    skipped: Counter[str] = Counter()
    listed = _listed(messages)
    check(listed, now=now)
    given = list(_turns(listed, skipped))
    if not given:
        raise InvalidInput("nothing to add: every message is empty")
    before = _asked(into, name)
    asked = list(before)
    redacted: Counter[str] = Counter()
    arrived, counts = _arrived(given, asked, now=now)
    header = Session(
        id=name,
        scope=Scope(into.user, agent=agent),
        started_at=min(a.turn.said_at or now for a in arrived),
        format=FORMAT,
    )
    catch_up(into.archive, into.index)
    settled = _committed(into, Arrival(header, tuple(arrived), appending=True))
    for number in settled.new:
        redacted.update(counts[number])
    if asked != before:
        into.archive.set_state(_state_name(into, name), {"asked": asked})
    new = tuple(
        replace(arrived[number].turn, id=settled.kept[number] or "") for number in settled.new
    )
    known = len(arrived) - len(new)
    return Taken(name, settled.created, new, known, dict(skipped), dict(redacted))


def _committed(into: Into, arrival: Arrival) -> Settled:
    """One record of the journal, decided anew where another process adds to the session."""
    found: list[Settled] = []

    def decide() -> Sequence[Change | Grow]:
        state = into.index.session(into.scope, arrival.session.id)
        if state is not None:
            _check_place(state.session, arrival.session)
        gone = tombstones.erased(into.archive, into.user, elsewhere=False)
        found[:] = [settle(into.index, replace(arrival, erased=gone))]
        return found[0].changes

    commit(
        into.archive,
        into.index,
        decide=decide,
        actor=arrival.session.scope.agent or into.user,
        verb="add",
        clock=into.clock,
        touches={session_node(arrival.session.id)},
    )
    return found[0]


def _check_place(there: Session, wanted: Session) -> None:
    if there.source not in (None, _STREAM):
        raise InvalidInput(
            f"session {there.id} follows {there.source}: its turns are those of that source; "
            "add to a session of another name"
        )
    owner, agent = there.scope.agent, wanted.scope.agent
    if owner is not None and agent is not None and owner != agent:
        raise InvalidInput(f"session {there.id} belongs to agent {owner}, not to {agent}")


def _arrived(
    given: Sequence[tuple[Turn, bool]], asked: list[str], *, now: datetime
) -> tuple[list[Arrived], list[dict[str, int]]]:
    """The turns as they go into the archive, and the secrets that each had."""
    ids: Counter[str] = Counter()
    arrived: list[Arrived] = []
    counts: list[dict[str, int]] = []
    for said, named in given:
        turn, secrets = heard(said, asked)
        own = turn.id if named else _by_words(turn)
        ids[own] += 1
        if not named and ids[own] > 1:
            own = f"{own}.{ids[own]}"
        arrived.append(
            Arrived(replace(turn, id=own, said_at=turn.said_at or now), named and ids[own] > 1)
        )
        counts.append(secrets)
    return arrived, counts


def _by_words(turn: Turn) -> str:
    """The id of a message that has none: the same for the same words of the same speaker."""
    calls = [(call.id, call.name, call.arguments) for call in turn.tool_calls]
    at = format_time(turn.said_at) if turn.said_at else None
    who = (turn.role.value, turn.name, turn.tool_call_id, at)
    return f"said-{digest(who, turn.content, calls, turn.metadata.get('attachments'))}"


def _listed(messages: Messages) -> list[Mapping[str, Any]]:
    """Messages as plain JSON objects. Raises InvalidInput, with the number of the message."""
    if isinstance(messages, str):
        messages = [{"role": "user", "content": messages}]
    elif isinstance(messages, Mapping):
        messages = [messages]
    if not isinstance(messages, Sequence) or isinstance(messages, bytes | bytearray):
        kind = type(messages).__name__
        raise InvalidInput(f"messages must be a text or a list of {{role, content}}, not {kind}")
    if not messages:
        raise InvalidInput("nothing to add: give a text or a list of {role, content}")
    return [_plain(one, number) for number, one in enumerate(messages, 1)]


def _plain(one: Any, number: int) -> Mapping[str, Any]:
    """One message as JSON, so that nothing else reaches the archive."""
    if hasattr(one, "model_dump"):  # a message of the openai client
        one = one.model_dump(mode="json", exclude_none=True)
    if not isinstance(one, Mapping):
        raise InvalidInput(
            f"message {number} is {type(one).__name__}, not an object with role and content"
        )
    try:
        text = json.dumps(one, ensure_ascii=False, default=_time_text)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"message {number} is not JSON: {clean(str(error))[:200]}") from error
    if len(text.encode("utf-8", "surrogatepass")) > MAX_LINE:
        raise InvalidInput(
            f"message {number} is longer than {MAX_LINE >> 20} MiB: add it in parts, or as a file"
        )
    found: Mapping[str, Any] = json.loads(text)
    return found


def _time_text(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no place in JSON")


def _turns(
    messages: Sequence[Mapping[str, Any]], skipped: Counter[str]
) -> Iterator[tuple[Turn, bool]]:
    """Each turn, and whether its message has an id."""
    carry: Carry = {"session": "", "next": 0, "calls": {}}
    for one in messages:
        named = conversation.first_text(one, conversation.TURN_ID) is not None
        for found in conversation.message(one, carry):
            if isinstance(found, Said) and _says_something(found.turn):
                yield found.turn, named
            elif isinstance(found, Said):
                skipped["empty message"] += 1
            elif isinstance(found, Skipped):
                skipped[found.reason] += found.count


def _says_something(turn: Turn) -> bool:
    return bool(turn.content.strip() or turn.tool_calls or turn.metadata)


def _named(what: str, value: str | None) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not (name := clean(value).strip()):
        raise InvalidInput(f"{what} must be a name that is not blank, not {shown(value)}")
    return name


def _session_of_the_day(agent: str | None, now: datetime) -> str:
    day = format_time(now)[:10]
    return f"added-{agent}-{day}" if agent else f"added-{day}"


def _asked(into: Into, session: str) -> list[str]:
    """Calls of alaya that were added before, whose results may come now."""
    state = into.archive.state(_state_name(into, session)) or {}
    asked = state.get("asked")
    return [one for one in asked if isinstance(one, str)] if isinstance(asked, list) else []


def _state_name(into: Into, session: str) -> str:
    return f"added/{digest('added', into.user, session)}"
