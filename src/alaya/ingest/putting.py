"""Words that an agent or a person puts down: into the archive first, then what is made of them.

They stand in sessions of their own, a day and an agent each, as turns that stand alone: nothing
distils them again, and what was made of them cites them as it would any other words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from alaya.errors import InvalidInput
from alaya.ingest.intake import Into, heard
from alaya.ingest.settle import Arrival, Arrived, settle
from alaya.model.change import Change
from alaya.model.ids import clean, digest
from alaya.model.raw import Origin, Role, Session, SessionKind, Turn
from alaya.model.scope import Scope
from alaya.model.speech import visible
from alaya.model.time import format_time
from alaya.projection import Grow, commit

FORMAT = "remembered"
_ROLES = {Origin.OWNER: Role.USER, Origin.AGENT: Role.ASSISTANT}
MOST = 1_000_000  # characters of one thing that is put down


@dataclass(frozen=True)
class Words:
    """A text, who it is from, and what is to be known of its turn."""

    text: str
    origin: Origin
    metadata: Mapping[str, Any] = field(default_factory=dict)


def session_for(into: Into, scope: Scope) -> Session:
    """Where the words of this scope go now: with a session's name, or one for the day."""
    now = into.clock()
    own = scope.session or "-".join(p for p in (scope.agent, format_time(now)[:10]) if p)
    return Session(
        id=f"remembered-{own}",
        scope=Scope(into.user, scope.agent),
        started_at=now,
        kind=SessionKind.DOCUMENTS,
        format=FORMAT,
        parent=scope.session,
    )


def words(what: str, text: str) -> str:
    """A text that says something. Raises InvalidInput."""
    if not isinstance(text, str):
        raise InvalidInput(f"{what} must be a text, not {type(text).__name__}")
    if not (cleaned := clean(text)).strip():
        raise InvalidInput(f"{what} says nothing: give some words")
    if len(cleaned) > MOST:
        raise InvalidInput(f"{what} is longer than {MOST:,} characters: add it as a file")
    return cleaned


def put(
    into: Into,
    session: Session,
    *,
    said: Sequence[Words],
    verb: str,
    changes: Callable[[Sequence[Turn]], Sequence[Change]],
) -> None:
    """Archive these words and, in the same record, the changes that are made of their turns.

    `changes` may be called again. Raises InvalidInput where nothing is left but what alaya itself
    had said.
    """
    now = into.clock()
    arrived = []
    for number, one in enumerate(said):
        turn = Turn(
            id=f"put-{digest(format_time(now), number, one.origin.value, one.text)}",
            role=_ROLES.get(one.origin, Role.TOOL),
            content=one.text,
            said_at=now,
            origin=one.origin,
            metadata=one.metadata,
        )
        turn, _ = heard(turn, [])
        if not visible(turn).strip():
            raise InvalidInput("nothing is left to keep: it is only what alaya itself had said")
        arrived.append(Arrived(turn))

    def decide() -> Sequence[Change | Grow]:
        if not arrived:
            return changes(())
        settled = settle(into.index, Arrival(session, tuple(arrived), appending=True))
        turns = [
            replace(one.turn, id=name or one.turn.id)
            for one, name in zip(arrived, settled.kept, strict=True)
        ]
        return [*settled.changes, *changes(turns)]

    commit(
        into.archive,
        into.index,
        decide=decide,
        actor=session.scope.agent or into.user,
        verb=verb,
        clock=into.clock,
    )
