"""What an erasure needs of L3 beyond `ports.Archive`: to write anew what else is only added to.

Apart, because nothing but an erasure may hold an `Eraser`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

from alaya.model.change import Change, SessionGrew
from alaya.model.raw import Session, Turn

Has = Callable[[str], bool]
Scrub = Callable[[str], str]


class Unmade(Protocol):
    """Of an archive: what is removed without being an erasure."""

    def drop_made_of(self, session: Session) -> None:
        """Remove the drafts and replies about a session of which words were erased meanwhile."""


class Compacted(Protocol):
    """Of an index: that what was removed is gone from the disk."""

    def compact(self) -> None:
        """Let no byte of what was removed stand in any file of the store. Raises Busy."""

    def own_words(self) -> Iterator[str]:
        """Texts of alaya's own that stand in its files."""


class Rewriting(Protocol):
    """Files of the archive, written anew beside the old ones until `commit`.

    Only while the archive's lock is held. Each line stays as long as it was, so every place that
    anybody remembers stays what it is.
    """

    def session(
        self,
        session: Session,
        generation: int,
        *,
        header: Callable[[Session], Session],
        turn: Callable[[Turn], Turn],
    ) -> None:
        """Write a session file anew, and its readable copy."""

    def drop_session(self, session: Session, generation: int) -> None:
        """Remove a session file, and its readable copy."""

    def grown(self, change: SessionGrew) -> str:
        """The hash of the bytes that a change speaks of, as they will be."""

    def journal(
        self, blank: Callable[[Change], Change | None], *, salt: str, anonymous: str | None
    ) -> Mapping[int, str]:
        """Write the journal anew: for each record that was blanked the hash of its line.

        Those that an interrupted run with this `salt` had blanked are among them. `anonymous` is
        an actor whose name goes.
        """

    def commit(self) -> None:
        """Put everything in its place: the journal first, the newest month before the others."""


class Eraser(Protocol):
    """The files of a home, as an erasure sees them."""

    def alone(self, wait: float) -> AbstractContextManager[bool]:
        """Be the only process that erases, backs up or restores; False where another one is."""

    def begun(self) -> Mapping[str, Any] | None:
        """The erasure that was begun and is not ended."""

    def begin(self, intent: Mapping[str, Any]) -> None: ...

    def end(self, receipt: Mapping[str, Any], *, name: str) -> str:
        """Keep the receipt, forget the intent; returns where the receipt is."""

    def rewriting(self) -> AbstractContextManager[Rewriting]:
        """What was not committed at exit is thrown away."""

    def sweep(self, wanted: Sweep) -> Mapping[str, int]:
        """Drafts, replies, contexts, parked input, logs, notes, exports, backups: by place, how
        many files or lines were removed or blanked."""

    def own_words(self) -> Iterator[str]:
        """Texts of alaya's own that stand in files of the home: no search tells them from words."""

    def search(self, has: Has, *, within: str = "") -> Iterator[tuple[str, bool]]:
        """(file, whether any of the words stands in it), compressed files and databases too."""


class Sweep(Protocol):
    """Whose files are to be swept of which words."""

    @property
    def user(self) -> str: ...

    @property
    def everything(self) -> bool: ...

    @property
    def sessions(self) -> tuple[str, ...]: ...

    @property
    def cards(self) -> tuple[str, ...]: ...

    @property
    def notes(self) -> tuple[str, ...]: ...

    @property
    def scrub(self) -> Scrub: ...
