"""What a batch of turns means for what the archive already holds. Pure: it only reads the index.

One rule: a known id with the same words is already there; a known id with other words means that
the source was rewritten. Then the new words go under `<id>@<generation>` into a new generation,
and what stood there before is marked, never changed.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from alaya.model.change import Change, TurnsMarked
from alaya.model.ids import sha256
from alaya.model.raw import Session, SessionKind, SessionState, Turn, TurnMark, TurnPlace
from alaya.model.scope import Scope
from alaya.ports import GraphReader
from alaya.projection import Grow


@dataclass(frozen=True)
class Arrived:
    """A turn as it came. `again`: its id came before in this reading of the source."""

    turn: Turn
    again: bool = False


@dataclass(frozen=True)
class Arrival:
    """Turns of one session, in order.

    `base` is the generation the session had when this reading began; `appending`: the source goes
    on where it was read to, so that a known id is another turn and not a rewritten one;
    `relatives`: sessions that this one may begin with a copy of, as a fork or a resumed one does;
    `erased`: whether a turn was erased, and is to be passed over.
    """

    session: Session
    turns: tuple[Arrived, ...]
    base: int = 0
    appending: bool = False
    relatives: tuple[str, ...] = ()
    erased: Callable[[str, Turn], bool] = lambda session, turn: False


@dataclass(frozen=True)
class Settled:
    """`kept`: for each turn the id under which it stands, or None where it is a fork's copy;
    `new`: which of them (by position) were not there before."""

    changes: tuple[Change | Grow, ...]
    session: Session
    kept: tuple[str | None, ...]
    new: tuple[int, ...]
    created: bool


def settle(index: GraphReader, arrival: Arrival) -> Settled:
    """The changes that bring a batch into the archive."""
    scope = Scope(arrival.session.scope.user)
    state = index.session(scope, arrival.session.id)
    known = _Known(index, scope, arrival=arrival, state=state)
    copies = _copies(index, scope, arrival=arrival, known=known)
    generation = state.generation if state else 0
    grows: dict[int, list[Turn]] = {}
    kept: list[str | None] = []
    new: list[int] = []
    for number, arrived in enumerate(arrival.turns):
        if number < copies:
            kept.append(None)
            continue
        if arrival.erased(arrival.session.id, arrived.turn):
            kept.append(arrived.turn.id)
            continue
        name, rewrites = known.place(arrived, max(generation, arrival.base + 1))
        kept.append(name)
        if name not in known.added:
            continue
        new.append(number)
        if rewrites:
            generation = max(generation, arrival.base + 1)
        turn = dataclasses.replace(arrived.turn, id=name)
        grows.setdefault(generation, []).append(turn)
        known.added.discard(name)
    session = merged(state, arrival.session)
    changes: list[Change | Grow] = list(_grow(session, state, grows=grows))
    changes += known.marks(session)
    return Settled(tuple(changes), session, tuple(kept), tuple(new), state is None)


def merged(state: SessionState | None, session: Session) -> Session:
    """What is known of a session with what a source now says of it. Its place stays."""
    if state is None:
        return session
    old = state.session
    return dataclasses.replace(
        old,
        kind=session.kind if old.kind is SessionKind.MAIN else old.kind,
        channel=old.channel or session.channel,
        title=session.title or old.title,
        parent=old.parent or session.parent,
        scope=old.scope if old.scope.agent else session.scope,
        metadata={**session.metadata, **old.metadata},
    )


def _grow(
    session: Session, state: SessionState | None, *, grows: dict[int, list[Turn]]
) -> Iterable[Grow]:
    first = state.turns if state else 0
    for generation, turns in sorted(grows.items()):
        at = state.end if state and generation == state.generation else 0
        yield Grow(session, generation, at, first, tuple(turns))
        first += len(turns)


def _copies(index: GraphReader, scope: Scope, *, arrival: Arrival, known: _Known) -> int:
    """How many turns at the beginning are copies of what stands in a relative."""
    ids = [arrived.turn.id for arrived in arrival.turns]
    there = {
        (place.id, place.sha256)
        for name in arrival.relatives
        for place in index.turns(scope, name, ids=ids)
    }
    count = 0
    for arrived in arrival.turns:
        if (arrived.turn.id, sha256(arrived.turn.content)) not in there:
            break
        if known.has(arrived.turn.id):
            break  # it came into the archive as this session's own
        count += 1
    return count


class _Known:
    """The turns of the session that the archive has under the ids of a batch."""

    def __init__(
        self, index: GraphReader, scope: Scope, *, arrival: Arrival, state: SessionState | None
    ) -> None:
        self._appending = arrival.appending
        self._hashes: dict[str, str] = {}
        self._marks: dict[str, TurnMark] = {}
        self._superseded: dict[str, None] = {}
        self._revived: dict[str, None] = {}
        self._generations = (state.generation if state else 0) + 1
        self.added: set[str] = set()
        if state is not None:
            for place in index.turns(
                scope, arrival.session.id, ids=self._candidates(arrival.turns)
            ):
                self._hashes[place.id] = place.sha256
                self._marks[place.id] = place.mark

    def has(self, name: str) -> bool:
        """Whether the archive has a turn of this id in the session."""
        return name in self._hashes

    def place(self, arrived: Arrived, generation: int) -> tuple[str, bool]:
        """Under which id the turn stands or is to stand, and whether that rewrites another.

        An id that is to be added is in `added`.
        """
        turn, words = arrived.turn, sha256(arrived.turn.content)
        variants = [name for name in self._variants(turn.id) if name in self._hashes]
        standing = any(self._marks[name] is not TurnMark.SUPERSEDED for name in variants)
        another = standing and (arrived.again or self._appending)
        for name in variants:
            if self._hashes[name] == words:
                if self._marks[name] is TurnMark.SUPERSEDED:
                    if not another:
                        self._supersede(variants)
                    self._revive(name)
                return name, False
        if not variants:
            return self._add(turn.id, words), False
        if another:
            # the source gave one id to two turns: the second is known by its words
            name = _by_words(turn.id, words)
            if name not in self._hashes:
                return self._add(name, words), False
            if self._marks[name] is TurnMark.SUPERSEDED:
                self._revive(name)
            return name, False
        while f"{turn.id}@{generation}" in self._hashes:
            generation += 1
        self._supersede(variants)
        return self._add(f"{turn.id}@{generation}", words), True

    def marks(self, session: Session) -> Iterable[TurnsMarked]:
        """The changes of mark that go with what was placed."""
        for names, mark in (
            (self._superseded, TurnMark.SUPERSEDED),
            (self._revived, TurnMark.ACTIVE),
        ):
            if names:
                yield TurnsMarked(session.scope, session.id, tuple(names), mark)

    def _add(self, name: str, words: str) -> str:
        self._hashes[name] = words
        self._marks[name] = TurnMark.ACTIVE
        self.added.add(name)
        return name

    def _supersede(self, names: Sequence[str]) -> None:
        for name in names:
            if self._marks[name] is not TurnMark.SUPERSEDED:
                self._marks[name] = TurnMark.SUPERSEDED
                self._superseded[name] = None
                self._revived.pop(name, None)

    def _revive(self, name: str) -> None:
        self._marks[name] = TurnMark.ACTIVE
        self._revived[name] = None
        self._superseded.pop(name, None)

    def _variants(self, name: str) -> list[str]:
        return [name, *(f"{name}@{number}" for number in range(1, self._generations + 1))]

    def _candidates(self, turns: Sequence[Arrived]) -> list[str]:
        names: dict[str, None] = {}
        for arrived in turns:
            names.update(dict.fromkeys(self._variants(arrived.turn.id)))
            if arrived.again or self._appending:
                words = sha256(arrived.turn.content)
                names[_by_words(arrived.turn.id, words)] = None
        return list(names)


def _by_words(name: str, words: str) -> str:
    return f"{name}~{words[:8]}"


def source_id(name: str, known: dict[str, TurnPlace]) -> str:
    """The id that the source uses: without the generation of a rewritten turn."""
    plain, mark, number = name.rpartition("@")
    return plain if mark and number.isdigit() and plain in known else name
