"""The socket for what a memory held before: part of every default store (`ports.Index`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from alaya.model.graph import Card, CardState
from alaya.model.held import Held, Thing
from alaya.model.record import Position
from alaya.model.scope import Scope


class PastReader(Protocol):
    """What was held, when, and which records of the journal touched it. All within one user.

    Records have times of their own: the journal's never stand still and never go back.
    """

    def versions(
        self, ids: Sequence[str], scope: Scope
    ) -> Mapping[str, Sequence[tuple[Card, CardState]]]:
        """Every version that these cards ever had, the oldest first, whatever became of it."""

    def held(self, things: Iterable[Thing], scope: Scope, *, at: datetime | None = None) -> Held:
        """What the memory held of these things at a time of the journal (None: now).

        Of an AROUND, the links of the node. What was not held is absent.
        """

    def given_up(
        self, ids: Iterable[str], scope: Scope, *, since: datetime
    ) -> Mapping[str, datetime]:
        """When those of these cards and links that were held at `since` were given up after it.

        A read at `believed_at` is as of then: its `retired_at` never tells of what came later,
        this does. A card is given up when another version replaces it, too. What was told again
        since, as it was, stands and is absent.
        """

    def touching(self, things: Iterable[Thing], scope: Scope) -> list[int]:
        """The numbers of the records that touched any of these things, ascending."""

    def touched(self, after: int, scope: Scope) -> list[Thing]:
        """Everything that records behind number `after` touched, each once, in order."""

    def moment(self, seq: int) -> tuple[Position, datetime] | None:
        """Where the journal stood behind this record, and its time; None: it was not applied."""

    def seq_at(self, at: datetime) -> int:
        """The last record of this time or before; 0 where there is none."""
