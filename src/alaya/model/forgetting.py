"""What the verbs that pin, forget and bring back answer with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from alaya.model.graph import Card


@dataclass(frozen=True)
class Changed:
    """What became of the cards that were named: those that changed, and those that were so before.

    (id, title) each. `needed_by`: of forgotten ones, (id, another card that depends on it).
    `dry_run`: nothing was written.
    """

    cards: tuple[tuple[str, str], ...] = ()
    unchanged: tuple[tuple[str, str], ...] = ()
    needed_by: tuple[tuple[str, str], ...] = ()
    dry_run: bool = False


@dataclass(frozen=True)
class ForgottenCard:
    """A card that is hidden until it is restored or erased."""

    card: Card
    forgotten_at: datetime
    reason: str = ""
