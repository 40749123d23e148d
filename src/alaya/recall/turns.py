"""Turns as answers: what was said, recalled beside cards (`include_sessions`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache

from alaya.model.event import spoken, turn_places
from alaya.model.passage import Hit, Where
from alaya.model.raw import Session, Span, Turn, TurnPlace
from alaya.model.speech import visible
from alaya.ports import Archive, Index
from alaya.recall import entries
from alaya.recall.entries import Entry
from alaya.recall.plan import Plan

_TITLE = 60


@dataclass(frozen=True)
class Words:
    """A turn as it stands in the archive."""

    session: Session
    place: TurnPlace
    turn: Turn

    @property
    def evidence(self) -> tuple[Span, ...]:
        """Where the words stand that are memory: around what alaya itself had put there."""
        return spoken(self.session.id, self.turn)

    @property
    def speaker(self) -> str:
        """The name of who says it, else the role."""
        return self.turn.name or self.turn.role.value

    @property
    def title(self) -> str:
        """Who speaks, and how it begins."""
        first = visible(self.turn).strip().split("\n", 1)[0]
        return f"{self.speaker}: {first[:_TITLE]}"

    @property
    def said_at(self) -> datetime:
        """When it was said; the start of the session where the turn does not know."""
        return self.turn.said_at or self.session.started_at


class Reader:
    """Reads turns from the archive, each once."""

    def __init__(self, index: Index, archive: Archive, *, where: Where) -> None:
        self._index, self._archive, self._where = index, archive, where
        self._known: dict[str, Words] = {}

    def read(self, ids: Sequence[str]) -> dict[str, Words]:
        """Those of these turns (`session#turn`) that are there."""
        new = [item for item in dict.fromkeys(ids) if item not in self._known]
        if new:
            self._known.update(_read(self._index, self._archive, where=self._where, ids=new))
        return {item: self._known[item] for item in ids if item in self._known}

    def text(self, item: str) -> Callable[[], str]:
        """What a turn says, read when it is asked for."""

        @cache
        def text() -> str:
            found = self.read([item])
            return visible(found[item].turn) if item in found else ""

        return text


def turn_hit(entry: Entry, words: Words, *, todo: Plan) -> Hit:
    """A turn with its words, without what alaya itself had put there."""
    found = entries.hit(
        entry,
        todo,
        title=words.title,
        content=visible(words.turn),
        said_at=words.said_at,
        origin=words.turn.origin,
        evidence=words.evidence,
    )
    return replace(found, speaker=words.speaker)


def _read(index: Index, archive: Archive, *, where: Where, ids: Sequence[str]) -> dict[str, Words]:
    by_session: dict[str, list[str]] = {}
    for item in ids:
        for session, name in turn_places(item):
            by_session.setdefault(session, []).append(name)
    found = {}
    for session, wanted in by_session.items():
        state = index.session(where.scope, session)
        if state is None:
            continue
        for place in index.turns(where.scope, session, ids=wanted):
            turn = archive.turn(
                state.session, place.generation, offset=place.offset, length=place.length
            )
            found[f"{session}#{place.id}"] = Words(state.session, place, turn)
    return found
