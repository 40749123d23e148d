"""What is to be distilled, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from alaya.model.call import Unanswered
from alaya.model.raw import ArchivedTurn, Session
from alaya.model.record import Draft
from alaya.ports import Distiller


@dataclass(frozen=True)
class Work:
    """A session with the turns to be distilled.

    `context` are turns before them, which alone carry no card; `known` are (id, title) of the cards
    that the session has already.
    """

    session: Session
    context: tuple[ArchivedTurn, ...]
    turns: tuple[ArchivedTurn, ...]
    known: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Drafted:
    """The draft of a work, None where not even a part of it could be had; `failed` says why.

    With both, the draft covers the turns before the failure.
    """

    work: Work
    draft: Draft | None
    failed: Unanswered | None = None


class Drafter(Protocol):
    """Works to drafts, in any order; it may read some ahead. It stores no card.

    `model`: None where it needs none. After a failure that says `stop` the rest is not drafted.
    """

    @property
    def name(self) -> str: ...

    @property
    def model(self) -> str | None: ...

    def drafts(self, works: Iterable[Work]) -> Iterator[Drafted]: ...


@dataclass(frozen=True)
class OneByOne:
    """A distiller that needs no model, one session after the other."""

    distiller: Distiller
    model: None = None

    @property
    def name(self) -> str:
        return self.distiller.name

    def drafts(self, works: Iterable[Work]) -> Iterator[Drafted]:
        """A draft for each work, before the next one is read."""
        for work in works:
            yield Drafted(work, self.distiller(work.session, work.turns, context=work.context))
