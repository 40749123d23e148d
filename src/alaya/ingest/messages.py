"""What a message of a program must be: what a file is forgiven, a program is told.

Every complaint names the message by its number, the field, what stands there, and what to do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from alaya.errors import InvalidInput
from alaya.ingest import conversation
from alaya.ingest.times import read_time
from alaya.model.ids import clean
from alaya.model.time import format_time

_SKEW = timedelta(days=1)  # by which a clock may be ahead, or a local time be taken for UTC
_SHOWN = 80
_NAMES = ("name", "speaker", "sender", "tool_call_id", "toolCallId", "parent", "origin")
_CALLS = ("tool_calls", "toolCalls")
_SAME = ("role", "content", "text", "name", "tool_calls", "tool_call_id")  # of one message


def check(messages: Sequence[Mapping[str, Any]], *, now: datetime) -> None:
    """Raises InvalidInput for the first message that is none, or that claims another one's id."""
    ids: dict[str, int] = {}
    for number, one in enumerate(messages, 1):
        _check_words(one, number)
        _check_names(one, number)
        _check_times(one, number, now=now)
        name = conversation.first_text(one, conversation.TURN_ID)
        if name is None:
            continue
        first = ids.setdefault(name, number)
        if _told(one) != _told(messages[first - 1]):
            raise InvalidInput(
                f"messages {first} and {number} have the same id, {shown(name)}, but are not the "
                "same: give each an id of its own, or none"
            )


def shown(value: Any) -> str:
    """A value as a complaint quotes it."""
    return clean(repr(value))[:_SHOWN]


def _told(one: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(one.get(name) for name in _SAME)


def _check_words(one: Mapping[str, Any], number: int) -> None:
    """Who speaks, and what."""
    role = one.get("role")
    if not isinstance(role, str) or role.casefold() not in conversation.ROLES:
        known = "user, assistant, tool or system"
        raise InvalidInput(f"message {number}: role must be {known}, not {shown(role)}")
    for name in ("content", "text"):
        content = one.get(name)
        if not isinstance(content, str | list | Mapping | None):
            raise _wrong(number, name, must="a text or a list of parts", found=content)
        for part in content if isinstance(content, list) else ():
            if not isinstance(part, str | Mapping):
                must = "a text or a list of parts, each a text or an object with a type"
                raise _wrong(number, name, must=must, found=part)
            _check_part(part, number, name=name)
        if isinstance(content, Mapping):
            _check_part(content, number, name=name)
    if not {"content", "tool_calls", "text"} & set(one):
        raise InvalidInput(f"message {number} has no content")
    for name in _CALLS:
        calls = one.get(name)
        if calls is None:
            continue
        if not isinstance(calls, list) or not all(isinstance(call, Mapping) for call in calls):
            raise _wrong(number, name, must="a list of objects", found=calls)


def _check_part(part: str | Mapping[str, Any], number: int, *, name: str) -> None:
    if isinstance(part, Mapping) and not isinstance(part.get("type", part.get("text")), str):
        must = 'a text or a list of parts such as {"type": "text", "text": "…"}'
        raise _wrong(number, name, must=must, found=part)


def _check_names(one: Mapping[str, Any], number: int) -> None:
    """Names are texts; an id may be a number, too."""
    for name in _NAMES:
        if not isinstance(one.get(name), str | None):
            raise _wrong(number, name, must="a text", found=one[name])
    for name in conversation.TURN_ID:
        value = one.get(name)
        if isinstance(value, bool) or not isinstance(value, str | int | None):
            raise _wrong(number, name, must="a text or a whole number", found=value)
    if not isinstance(one.get("metadata"), Mapping | None):
        raise _wrong(number, "metadata", must="an object", found=one["metadata"])


def _check_times(one: Mapping[str, Any], number: int, *, now: datetime) -> None:
    """What is a time, and not one that is still to come."""
    for name in conversation.SAID_AT:
        value = one.get(name)
        if value is None or value == "":
            continue
        at = read_time(value)
        if at is None:
            raise InvalidInput(
                f"message {number}: {name} is not a time: {shown(value)} (use ISO 8601)"
            )
        if at > now + _SKEW:
            raise InvalidInput(
                f"message {number}: {name} {shown(value)} is still to come (it is "
                f"{format_time(now)[:16]}Z): give the time when it was said, or none"
            )


def _wrong(number: int, name: str, *, must: str, found: Any) -> InvalidInput:
    return InvalidInput(f"message {number}: {name} must be {must}, not {shown(found)}")
