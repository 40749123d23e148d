"""What the tests of ingest share: a parser on lines in memory, and a home with the real stores."""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from alaya.ingest.detect import detect
from alaya.ingest.formats import read
from alaya.ingest.found import Found, Header, Said, Skipped, SourceInfo
from alaya.ingest.lines import LineReader
from alaya.ingest.take import take
from alaya.model.raw import ArchivedTurn, Session, Turn
from alaya.model.record import Position
from alaya.model.report import IngestReport
from alaya.model.scope import Scope
from alaya.ports import Archive, Index
from alaya.projection import catch_up
from alaya.stores.files.archive import FileArchive
from alaya.stores.sqlite.index import SqliteIndex

NOW = datetime(2026, 7, 1, tzinfo=UTC)


@dataclass
class Parsed:
    """What a parser found, and its carry."""

    found: list[Found]
    carry: dict[str, Any]

    @property
    def turns(self) -> list[Turn]:
        return [one.turn for one in self.found if isinstance(one, Said)]

    @property
    def session(self) -> Session:
        return [one.session for one in self.found if isinstance(one, Header)][-1]

    @property
    def skipped(self) -> list[str]:
        return [one.reason for one in self.found if isinstance(one, Skipped)]


Parse = Callable[..., Parsed]


@pytest.fixture
def parse() -> Parse:
    """Parse rows (objects, or lines as text) as the file `name`."""

    def run(
        *rows: Any,
        name: str = "session.jsonl",
        carry: dict[str, Any] | None = None,
        hints: dict[str, str] | None = None,
        format: str | None = None,
    ) -> Parsed:
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        file = io.BytesIO("".join(line + "\n" for line in lines).encode())
        detected = detect(file, name, wanted=format)
        assert detected is not None
        carry = {} if carry is None else json.loads(json.dumps(carry))
        origin = SourceInfo(
            f"/logs/{name}", detected.format, Scope(), NOW, "fallback-id", hints or {}
        )
        file.seek(0)
        return Parsed(
            list(read(detected, file, rows=LineReader(file), carry=carry, origin=origin)), carry
        )

    return run


class Home:
    """A home with the real stores in a temporary folder."""

    def __init__(self, path: Path) -> None:
        self.archive: Archive = FileArchive(path)
        self.archive.create()
        self.index: Index = SqliteIndex(
            path / "alaya.db", stem=lambda word: word, read_turn=self.archive.turn
        )
        self.scope = Scope()

    def take(self, *sources: Any, **options: Any) -> IngestReport:
        return take(
            self.archive,
            self.index,
            sources=sources,
            scope=self.scope,
            clock=lambda: NOW,
            **options,
        )

    def sessions(self) -> dict[str, Session]:
        return {state.session.id: state.session for state in self.index.sessions(self.scope)}

    def turns(self, session: str | None = None) -> list[ArchivedTurn]:
        """All turns of a session (else of the only one), with their marks, by ordinal."""
        catch_up(self.archive, self.index)
        name = session or next(iter(self.sessions()))
        found = []
        for place in self.index.turns(self.scope, name):
            turn = self.archive.turn(
                self.sessions()[name], place.generation, offset=place.offset, length=place.length
            )
            found.append(
                ArchivedTurn(
                    turn, place.ordinal, place.generation, place.offset, place.length, place.mark
                )
            )
        return found

    def active(self, session: str | None = None) -> list[str]:
        """The contents of the turns that stand today."""
        return [t.turn.content for t in self.turns(session) if t.mark.value == "active"]

    def head(self) -> Position:
        return self.archive.head()


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    """An empty home."""
    made = Home(tmp_path / "home")
    yield made
    made.index.close()


@pytest.fixture
def home_factory() -> Iterator[Callable[[], tuple[Home, Path]]]:
    """Makes homes in folders that every user may enter; returns the home and its folder."""
    with contextlib.ExitStack() as stack:

        def make() -> tuple[Home, Path]:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            folder.chmod(0o755)
            return Home(folder / "home"), folder

        yield make
