"""The way back from a card to the words."""

from __future__ import annotations

from dataclasses import dataclass

from alaya.model.graph import Card, CardState
from alaya.model.raw import ArchivedTurn, Session, Span


@dataclass(frozen=True)
class Quote:
    """A span with the words it points at. `verified`: their hash is the span's."""

    span: Span
    turn: ArchivedTurn
    words: str
    verified: bool


@dataclass(frozen=True)
class Trace:
    """A card, the sessions it came from, and the words that carry it."""

    card: Card
    state: CardState
    sessions: tuple[tuple[Session, str], ...]  # with the path of the archived file
    quotes: tuple[Quote, ...]
    missing: tuple[Span, ...] = ()  # evidence that no longer stands in the archive


@dataclass(frozen=True)
class Transcript:
    """A part of a session as it was said: turns from the `offset`-th on, of `total` in all."""

    session: Session
    turns: tuple[ArchivedTurn, ...]
    offset: int
    total: int
