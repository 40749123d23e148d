"""A Memory on the real stores with a clock of its own, into which cards and links are told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from alaya import Memory
from alaya.model.change import CardAdded, Change, LinkAdded
from alaya.model.graph import Card, Link
from alaya.model.passage import Where
from alaya.model.scope import Scope
from alaya.ports import LLM
from alaya.projection import commit
from alaya.testing.embedder import HashingEmbedder
from alaya.testing.invented import ALICE, day

SETTINGS = {"embedding.provider": "none", "embedding.background": False}


class Minding:
    """A home of Alice's, and what tests do with it."""

    def __init__(self, home: Path, settings: dict[str, Any]) -> None:
        self.now = day(1)
        self.home = home
        self.memory = Memory.open(home, ALICE, settings={**SETTINGS, **settings})
        self.memory.parts = replace(self.memory.parts, clock=lambda: self.now)

    def at(self, number: float) -> datetime:
        """Set the clock to so many days after the first of March 2026."""
        self.now = day(number)
        return self.now

    def using(self, *, llm: LLM | None = None, embedder: HashingEmbedder | None = None) -> None:
        """Give it a model, or an embedder whose vectors are made when `embed` is called."""
        parts = self.memory.parts
        if llm is not None:
            parts = replace(parts, llm=lambda: llm)
        if embedder is not None:
            parts = replace(parts, embedder=embedder)
        self.memory.parts = parts

    def embed(self) -> None:
        """Vectors for everything that has none."""
        from alaya.introspect.embed import work

        assert self.memory.parts.embedder is not None
        work(self.memory.parts.index, self.memory.parts.embedder)

    def tell(self, *changes: Change) -> None:
        """One record with these changes."""
        parts = self.memory.parts
        commit(
            parts.archive,
            parts.index,
            decide=lambda: changes,
            actor="test",
            verb="test",
            clock=parts.clock,
        )

    def add(self, *things: Card | Link) -> None:
        """One record that adds these cards and links."""
        self.tell(*(CardAdded(t) if isinstance(t, Card) else LinkAdded(t) for t in things))

    def seen(self) -> set[str]:
        """Short names of the cards that are recalled."""
        found = self.memory.parts.index.find_cards(Where(Scope("alice")))
        return {card.id.removeprefix("card-") for card, _ in found}

    def card(self, name: str, **where: Any) -> Card | None:
        """A card as it is now, or as `where` says."""
        found = self.memory.parts.index.cards([f"card-{name}"], Where(Scope("alice"), **where))
        return found[0][0] if found else None

    def links(self, **where: Any) -> set[tuple[str, str, str]]:
        """(source, relation, target) of all links, in short names."""
        found = self.memory.parts.index.all_links(Where(Scope("alice"), **where))
        return {
            (
                link.source.removeprefix("card-"),
                link.relation,
                link.target.removeprefix("card-"),
            )
            for link in found
        }

    def where(self, **fields: Any) -> Where:
        """A filter for what is Alice's."""
        return Where(Scope("alice"), **fields)

    def records(self) -> int:
        """How many records the journal has."""
        return self.memory.parts.archive.head().seq

    def fingerprint(self) -> set[tuple[str, str, str]]:
        """Every projected row."""
        return set(self.memory.parts.index.fingerprint())


@pytest.fixture
def minding(tmp_path: Path) -> Iterator[Callable[..., Minding]]:
    """Open a home, with settings of dotted keys."""
    opened: list[Minding] = []

    def make(**settings: Any) -> Minding:
        named = {key.replace("__", "."): value for key, value in settings.items()}
        opened.append(Minding(tmp_path / f"home-{len(opened)}", named))
        return opened[-1]

    yield make
    for one in opened:
        one.memory.close()
