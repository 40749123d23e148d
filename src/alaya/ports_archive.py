"""The socket for L3, the archive: part of `alaya.ports`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Protocol

from alaya.model.call import KeptReply, Usage
from alaya.model.change import Change
from alaya.model.raw import ArchivedTurn, Session, Turn
from alaya.model.record import Draft, Parked, Position, RecallLog, Record
from alaya.model.report import Difference
from alaya.ports_erasing import Unmade


class ReadTurn(Protocol):
    """Reads one turn from L3, by its place in a session file."""

    def __call__(self, session: Session, generation: int, *, offset: int, length: int) -> Turn: ...


class Writer(Protocol):
    """The archive while its lock is held. Everything written through it is on disk at exit."""

    def head(self) -> Position:
        """The end of the journal now."""

    def append_turns(
        self, session: Session, generation: int, *, at: int, turns: Sequence[Turn]
    ) -> tuple[int, int, str]:
        """Write turns at byte `at` of the generation's file, cutting off what a crash left there.

        Returns (start, end, sha256) of the bytes written. `at` 0 starts the file with its header.
        """

    def append(self, actor: str, verb: str, *, changes: Sequence[Change], at: datetime) -> Position:
        """Add one record to the journal and return the position after it."""


class Archive(Unmade, Protocol):
    """L3, the only truth."""

    def lock(self) -> AbstractContextManager[Writer]:
        """Hold the home's one lock. Never across a model call, an embedding or a transaction."""

    def head(self) -> Position:
        """The end of the journal as it stands, without the lock."""

    def records(self, after: Position) -> Iterator[Record]:
        """Complete records after a position. Raises ArchiveError where the journal is shorter."""

    def turns(
        self, session: Session, generation: int, *, start: int, end: int
    ) -> Iterator[ArchivedTurn]:
        """The turns in a byte range of a session file, with ordinals counted from 0 at `start`."""

    def turn(self, session: Session, generation: int, *, offset: int, length: int) -> Turn:
        """One turn by its place."""

    def session_path(self, session: Session, generation: int = 0) -> str:
        """Where the session file stands."""

    def put_draft(self, draft: Draft) -> str:
        """Keep a draft; returns its hash, which is the same for the same draft."""

    def draft(self, session: str, name: str) -> Draft | None: ...

    def put_context(self, card: str, value: Mapping[str, Any]) -> str:
        """Write the turns a card came from; returns the path."""

    def log_recalls(self, recalls: Sequence[RecallLog]) -> None: ...

    def recalls(self, since: datetime | None = None) -> Iterator[RecallLog]: ...

    def recalls_after(self, after: Position) -> Iterator[tuple[RecallLog, Position]]:
        """What the recall log holds behind a place in it, with the place behind each."""

    def park(self, parked: Parked) -> None: ...

    def unpark(self, source: str) -> None:
        """What was parked of this source is read anew."""

    def parked(self) -> Iterator[Parked]: ...

    def begin_usage(self, usage: Usage, *, limit: int) -> int | None:
        """Write down a call that begins, and return None.

        Where it would take its day (UTC) beyond `limit` tokens (0: no limit), of all processes
        together, nothing is written and the tokens of the day so far are returned.
        """

    def end_usage(self, usage: Usage) -> None:
        """Write down what became of a call that began."""

    def usages(self, since: datetime | None = None) -> Iterator[Usage]:
        """The last word on each call since then, in the order in which they began."""

    def claim(self, *name: str) -> AbstractContextManager[bool]:
        """Within it nobody else, in any process, has a claim of this name; false: somebody has.

        It waits for nobody, and ends with the process, however that ends.
        """

    def keep_reply(self, key: str, reply: KeptReply) -> None: ...

    def kept_reply(self, key: str) -> KeptReply | None: ...

    def state(self, name: str) -> Mapping[str, Any] | None:
        """A small JSON document under `state/`, such as a cursor."""

    def set_state(self, name: str, value: Mapping[str, Any] | None) -> None: ...

    def create(self) -> list[str]:
        """Make what is missing of the folders; returns what was made."""

    def size(self) -> int:
        """Bytes in the archive."""

    def recalls_size(self) -> int:
        """Bytes in the recall log: a cheap sign that it grew."""

    def verify(self) -> Iterator[Difference]:
        """Each way in which the journal or a session file is not what it was."""
