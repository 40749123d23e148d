"""A home with the default stores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from alaya.stores.files.archive import FileArchive
from alaya.stores.sqlite.index import SqliteIndex


@pytest.fixture
def home(tmp_path: Path) -> Path:
    FileArchive(tmp_path / "home").create()
    return tmp_path / "home"


@pytest.fixture
def archive(home: Path) -> FileArchive:
    return FileArchive(home)


@pytest.fixture
def opened(home: Path, archive: FileArchive) -> Iterator[Callable[[], SqliteIndex]]:
    """Opens the home's index, again and again."""
    made = []

    def make() -> SqliteIndex:
        index = SqliteIndex(home / "alaya.db", stem=lambda w: w, read_turn=archive.turn)
        made.append(index)
        return index

    yield make
    for index in made:
        index.close()
