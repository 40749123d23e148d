"""A home with an archive and an index, without anything else of a Memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from alaya.model.change import Calibrated
from alaya.model.raw import Origin, Role, Session, Turn
from alaya.model.scope import Scope
from alaya.projection import Grow, commit
from alaya.stores.files.archive import FileArchive
from alaya.stores.sqlite.index import SqliteIndex

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Home:
    """An archive and its index in a folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.archive = FileArchive(path)
        self.archive.create()
        self.index = SqliteIndex(
            path / "alaya.db", stem=lambda word: word, read_turn=self.archive.turn
        )

    def say(self, texts: Sequence[str], session: str = "s1") -> None:
        """Archive a session of these turns, a minute apart."""
        header = Session(session, Scope(), NOW)
        turns = tuple(
            Turn(f"t{i}", Role.USER, text, NOW + timedelta(minutes=i), origin=Origin.OWNER)
            for i, text in enumerate(texts)
        )
        commit(
            self.archive,
            self.index,
            decide=lambda: [Grow(header, 0, 0, 0, turns)],
            actor="test",
            verb="ingest",
            clock=lambda: NOW,
        )

    def keep(self, change: Calibrated) -> None:
        commit(
            self.archive,
            self.index,
            decide=lambda: [change],
            actor="t",
            verb="c",
            clock=lambda: NOW,
        )


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path / "home")
    yield home
    home.index.close()


@pytest.fixture
def another(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path / "another")
    yield home
    home.index.close()
