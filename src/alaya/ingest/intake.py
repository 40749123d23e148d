"""One reading of one source: from what its parser finds to commits, batch by batch."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from alaya import tombstones
from alaya.ingest.branches import branch_marks, dropped_marks, missing_marks
from alaya.ingest.found import (
    Broken,
    Dropped,
    Found,
    Header,
    Reread,
    Said,
    Skipped,
    Tip,
)
from alaya.ingest.injected import calls_of_alaya, mark
from alaya.ingest.redact import redact_session, redact_turn
from alaya.ingest.settle import Arrival, Arrived, Settled, settle
from alaya.model.change import Change
from alaya.model.ids import session_node
from alaya.model.raw import Session, SessionKind, Turn
from alaya.model.scope import Scope
from alaya.ports import Archive, Index
from alaya.projection import Clock, Decide, Grow, commit

_FAMILY = 50  # sessions that are searched for what a session was copied from
MAX_TURNS = 500
MAX_CHARACTERS = 4_000_000
_ASKED = 200
_GLOBAL_IDS = 16  # an id this long is no ordinal and no short hash: it means the same everywhere


@dataclass(frozen=True)
class Into:
    """Where turns go."""

    archive: Archive
    index: Index
    user: str
    clock: Clock

    @property
    def scope(self) -> Scope:
        """The user's, wide enough to find every session."""
        return Scope(self.user)


@dataclass
class Tally:
    """What an ingest has taken so far."""

    new: Counter[str] = field(default_factory=Counter)  # turns by session
    created: set[str] = field(default_factory=set)
    skipped: Counter[str] = field(default_factory=Counter)
    redacted: Counter[str] = field(default_factory=Counter)
    # by the folder of their source: sessions, and which session each was copied from
    folders: dict[str, dict[str, str | None]] = field(default_factory=dict)


@dataclass
class _Reading:
    """One session as this reading of the source sees it."""

    session: Session
    base: int
    ours: bool = True  # it came from this source first, and no other may hold turns of it
    leading: bool = True  # nothing but copies of the session it was forked from so far
    reread: bool = False  # it is in the archive, and all of it is read again
    waiting: list[tuple[Arrived, dict[str, int]]] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)
    kept: set[int] = field(default_factory=set)
    dropped: list[str] = field(default_factory=list)
    numbered: int = 0  # turns with the ids 0, 1, 2 … need no place in `seen`

    @property
    def counts_kept(self) -> bool:
        """Whether it will be asked which turns this source holds."""
        return self.reread or not self.ours or self.session.format == "openclaw-db"

    def hear(self, name: str) -> bool:
        """Remember an id; whether it came before."""
        if name == str(self.numbered):
            self.numbered += 1
            return hash(name) in self.seen
        again = hash(name) in self.seen or (
            len(name) < 10 and name.isdecimal() and int(name) < self.numbered
        )
        self.seen.add(hash(name))
        return again


def heard(turn: Turn, asked: list[str]) -> tuple[Turn, dict[str, int]]:
    """The turn without secrets and with what alaya said in it marked; which secrets it had.

    `asked` are the calls of alaya whose results have not come yet; those of the turn are added.
    """
    turn, counts = redact_turn(turn)
    injected = mark(turn, asked)
    if injected:
        turn = dataclasses.replace(turn, injected=injected)
    asked[:] = [*asked, *calls_of_alaya(turn.tool_calls)][-_ASKED:]
    return turn, counts


class Intake:
    """Takes what one source holds. Nothing is committed before `flush`; `finish` ends it."""

    def __init__(
        self,
        into: Into,
        tally: Tally,
        *,
        appending: bool = False,
        alone: bool = True,
        asked: Sequence[str] = (),
    ) -> None:
        self._into = into
        self._tally = tally
        self._appending = appending
        self._alone = alone
        self._sessions: dict[str, _Reading] = {}
        self._tips: dict[str, Tip] = {}
        self._rereads: set[str] = set()
        self._waiting = 0
        self._characters = 0
        self.asked = list(asked)
        self.broken: list[Broken] = []
        self.turns = 0  # that came, known or not

    def take(self, found: Iterable[Found]) -> Iterable[Found]:
        """Take everything; yields each thing again once it is taken, so that it can be counted."""
        for one in found:
            match one:
                case Header(session=session):
                    self._open(session)
                case Said(session=name, turn=turn):
                    self._hear(name, turn)
                case Skipped(reason=reason, count=count):
                    self._tally.skipped[reason] += count
                case Broken():
                    self.broken.append(one)
                case Reread(session=name):
                    self._rereads.add(name)
                case Tip(session=name):
                    self._tips[name] = one
                case Dropped(session=name, turns=turns):
                    if name in self._sessions or self._reopen(name):
                        self._sessions[name].dropped.extend(turns)
            if self._waiting >= MAX_TURNS or self._characters >= MAX_CHARACTERS:
                self.flush()
            yield one

    def flush(self) -> None:
        """Commit what waits, of all sessions in one record."""
        due = [reading for reading in self._sessions.values() if reading.waiting]
        self._waiting = self._characters = 0
        if not due:
            return
        settled: list[Settled] = []

        def decide() -> list[Change | Grow]:
            settled[:] = [settle(self._into.index, self._arrival(reading)) for reading in due]
            return [change for one in settled for change in one.changes]

        self._commit(decide, [reading.session.id for reading in due])
        for reading, one in zip(due, settled, strict=True):
            self._note(reading, one)

    def finish(self) -> None:
        """Commit what waits and say which turns stand on the active branch."""
        self.flush()
        index, scope = self._into.index, self._into.scope

        def decide() -> list[Change | Grow]:
            marks: list[Change | Grow] = []
            for name, reading in self._sessions.items():
                if reading.reread:
                    marks += missing_marks(index, scope, session=name, kept=reading.kept)
                if reading.dropped:
                    marks += dropped_marks(index, scope, session=name, dropped=reading.dropped)
            for name, tip in self._tips.items():
                found = self._sessions.get(name)
                kept = found.kept if found and not (found.ours and tip.alone) else None
                marks += branch_marks(index, scope, session=name, tip=tip.turn, speaks_for=kept)
            return marks

        needed = bool(self._tips) or any(
            reading.dropped or reading.reread for reading in self._sessions.values()
        )
        if needed:
            self._commit(decide, [*self._sessions, *self._tips])

    def _commit(self, decide: Decide, names: Sequence[str]) -> None:
        commit(
            self._into.archive,
            self._into.index,
            decide=decide,
            actor="ingest",
            verb="ingest",
            clock=self._into.clock,
            touches={session_node(name) for name in names},
        )

    def _open(self, session: Session) -> None:
        session, counts = redact_session(session)
        if session.id in self._sessions:
            reading = self._sessions[session.id]
            reading.session = dataclasses.replace(
                session, started_at=reading.session.started_at, source=reading.session.source
            )
            return
        state = self._into.index.session(self._into.scope, session.id)
        if state is None:
            self._tally.redacted.update(counts)
        ours = self._alone and (state is None or state.session.source == session.source)
        # A full reading of what the session came from holds all of it: what is not there is gone.
        # A database is read on, but for the sessions that it says it rewrote.
        whole = not self._appending and session.format != "openclaw-db"
        self._sessions[session.id] = _Reading(
            session,
            base=state.generation if state else 0,
            ours=ours,
            reread=ours and state is not None and (whole or session.id in self._rereads),
        )

    def _reopen(self, name: str) -> bool:
        """A source that goes on does not repeat its header: what the archive has stands."""
        state = self._into.index.session(self._into.scope, name)
        if state is None:
            return False
        self._sessions[name] = _Reading(state.session, state.generation)
        return True

    def _hear(self, name: str, turn: Turn) -> None:
        if name not in self._sessions and not self._reopen(name):
            self.broken.append(Broken(f"turn {turn.id} belongs to no session"))
            return
        reading = self._sessions[name]
        turn, counts = heard(turn, self.asked)
        again = reading.hear(turn.id)
        reading.waiting.append((Arrived(turn, again), counts))
        self.turns += 1
        self._waiting += 1
        self._characters += len(turn.content) + sum(len(c.arguments) for c in turn.tool_calls)

    def _arrival(self, reading: _Reading) -> Arrival:
        relatives: tuple[str, ...] = ()
        if reading.leading and not self._appending and reading.session.source is not None:
            relatives = self._relatives(reading)
        return Arrival(
            reading.session,
            tuple(arrived for arrived, _ in reading.waiting),
            base=reading.base,
            appending=self._appending,
            relatives=relatives,
            erased=tombstones.erased(self._into.archive, self._into.user, elsewhere=True),
        )

    def _relatives(self, reading: _Reading) -> tuple[str, ...]:
        """The sessions that this one may begin with a copy of: what it was forked from, or one of
        its folder that begins alike; what that was copied from; and their other copies."""
        session, index, scope = reading.session, self._into.index, self._into.scope
        if session.kind is SessionKind.DOCUMENTS:
            return ()  # two collections may hold the same document; neither is a fork of the other
        first = reading.waiting[0][0].turn.id
        origin = session.parent if session.kind is SessionKind.MAIN else None
        if origin is None and len(first) < _GLOBAL_IDS:
            return ()
        siblings = self._siblings(session)
        if origin is None:
            if index.turns(scope, session.id, ids=[first]):
                return ()  # it begins with a turn of its own
            others = (name for name in siblings if name != session.id)
            origin = next((name for name in others if index.turns(scope, name, ids=[first])), None)
            if origin is not None:
                reading.session = dataclasses.replace(session, parent=origin)
        family: dict[str, None] = {}
        while origin is not None and origin not in family and len(family) < _FAMILY:
            family[origin] = None
            state = index.session(scope, origin)
            origin = state.session.parent if state else None
        family.update(dict.fromkeys(name for name, of in siblings.items() if of in family))
        family.pop(session.id, None)
        return tuple(family)[:_FAMILY]

    def _siblings(self, session: Session) -> dict[str, str | None]:
        """Sessions of the same folder, each with the session it was copied from."""
        folders = self._tally.folders
        if not folders:
            for state in self._into.index.sessions(self._into.scope):
                if state.session.kind is SessionKind.MAIN:
                    known = folders.setdefault(_folder(state.session), {})
                    known[state.session.id] = state.session.parent
        return folders.setdefault(_folder(session), {})

    def _note(self, reading: _Reading, settled: Settled) -> None:
        """Remember what became of a batch that is committed."""
        name = reading.session.id
        new = set(settled.new)
        for number, (_, counts) in enumerate(reading.waiting):
            stored = settled.kept[number]
            if stored is None:
                self._tally.skipped["copied from another session"] += 1
                continue
            reading.leading = False
            if reading.counts_kept:
                reading.kept.add(hash(stored))
            if number in new:
                self._tally.redacted.update(counts)
            else:
                self._tally.skipped["already archived"] += 1
        self._tally.new[name] += len(new)
        if settled.created and new:
            self._tally.created.add(name)
            if self._tally.folders and settled.session.kind is SessionKind.MAIN:
                self._siblings(settled.session)[name] = settled.session.parent
        reading.session = settled.session
        reading.waiting.clear()


def _folder(session: Session) -> str:
    return str(PurePath(session.source).parent) if session.source else ""
