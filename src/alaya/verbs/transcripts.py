"""The verbs that open what an id names: a session as it was said, a summary. Methods of Memory."""

from __future__ import annotations

from alaya.errors import NotFound
from alaya.model.graph import Card, Summary
from alaya.model.passage import Where
from alaya.model.raw import ArchivedTurn, Session, TurnMark
from alaya.model.trace import Transcript
from alaya.parts import Opened
from alaya.verbs.knowing import PAGE, Page


def transcript(memory: Opened, session: str, *, limit: int = PAGE, offset: int = 0) -> Transcript:
    """A session word for word, `limit` turns from the `offset`-th on; without branches that were
    left. Raises NotFound and InvalidInput."""
    parts, page = memory.parts, Page(limit, offset)
    parts.follow()
    state = parts.index.session(memory.scope, session)
    if state is None:
        raise NotFound(f"no session {session!r}; `alaya status` shows how many there are")
    places = [
        place for place in parts.index.turns(memory.scope, session) if place.mark is TurnMark.ACTIVE
    ]
    turns = tuple(
        ArchivedTurn(
            turn=parts.archive.turn(
                state.session, place.generation, offset=place.offset, length=place.length
            ),
            ordinal=place.ordinal,
            generation=place.generation,
            offset=place.offset,
            length=place.length,
        )
        for place in places[page.offset : page.end]
    )
    return Transcript(state.session, turns, offset, len(places))


def summary(memory: Opened, name: str) -> Summary:
    """A summary by its id. Raises NotFound."""
    parts = memory.parts
    parts.follow()
    for found in parts.index.summaries(Where(memory.scope), ids=[name]):
        return found
    raise NotFound(f"no summary {name!r} (for user {memory.scope.user!r})")


def sessions(memory: Opened, *, limit: int = PAGE, offset: int = 0) -> list[Session]:
    """The sessions that are kept, what was said last first. Raises InvalidInput."""
    page = Page(limit, offset)
    memory.parts.follow()
    known = list(memory.parts.index.sessions(memory.scope))
    known.sort(key=lambda s: (s.last_said_at or s.session.started_at, s.session.id), reverse=True)
    return [state.session for state in known[page.offset : page.end]]


def cards(memory: Opened, *, limit: int = PAGE, offset: int = 0) -> list[Card]:
    """The cards that are held, the newest first. Raises InvalidInput."""
    page = Page(limit, offset)
    memory.parts.follow()
    found = memory.parts.index.find_cards(Where(memory.scope), page.end)
    return [card for card, _ in found][page.offset :]
