"""Short sessions, a home for them, and the labelled ones, for the tests of distill."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType

import pytest
from summing_up import Told

from alaya.distill.rules import RuleDistiller
from alaya.model.raw import ArchivedTurn, Origin, Role, Session, Turn
from alaya.model.record import Draft
from alaya.model.scope import Scope
from alaya.projection import Grow, commit
from alaya.stores.files.archive import FileArchive
from alaya.stores.sqlite.index import SqliteIndex

START = datetime(2026, 3, 31, 9, tzinfo=UTC)
NOW = datetime(2026, 4, 1, 12, tzinfo=UTC)
_ROLES = {"u": Role.USER, "a": Role.ASSISTANT, "t": Role.TOOL, "s": Role.SYSTEM}
_ORIGINS = {
    Role.USER: Origin.OWNER,
    Role.ASSISTANT: Origin.AGENT,
    Role.TOOL: Origin.TOOL,
    Role.SYSTEM: Origin.SYSTEM,
}
Said = tuple[str, str]
Say = Callable[..., list[ArchivedTurn]]


class Home:
    """An archive and its index in a folder."""

    def __init__(self, path: Path) -> None:
        self.archive = FileArchive(path)
        self.archive.create()
        self.index = SqliteIndex(
            path / "alaya.db", stem=lambda word: word, read_turn=self.archive.turn
        )

    def tell(self, session: Session, turns: list[ArchivedTurn], *, at: datetime = NOW) -> None:
        """Append turns to a session; the journal's time only goes forward from `at`."""
        state = self.index.session(Scope(session.scope.user), session.id)
        end, first = (state.end, state.turns) if state else (0, 0)
        grow = Grow(session, 0, end, first, tuple(t.turn for t in turns))
        commit(
            self.archive,
            self.index,
            decide=lambda: [grow],
            actor="test",
            verb="ingest",
            clock=lambda: at,
        )


def make_session(id: str = "s1", user: str = "default") -> Session:
    """A session of the agent `main` that began at START."""
    return Session(id, Scope(user, "main"), START)


def make_turns(
    *said: Said, names: dict[str, str] | None = None, first: int = 0
) -> list[ArchivedTurn]:
    """Turns from (`u`ser, `a`ssistant, `t`ool or `s`ystem, words), half a minute apart."""
    found = []
    for i, (who, words) in enumerate(said, first):
        role = _ROLES[who]
        at = START + timedelta(seconds=30 * i)
        turn = Turn(f"t{i}", role, words, at, (names or {}).get(who), _ORIGINS[role])
        found.append(ArchivedTurn(turn, i, 0, i * 100, 100))
    return found


@pytest.fixture
def say() -> Say:
    """Make turns."""
    return make_turns


@pytest.fixture
def session() -> Callable[..., Session]:
    """Make a session header."""
    return make_session


@pytest.fixture
def distil() -> Callable[..., Draft]:
    """Distil turns by rules."""

    def run(*said: Said, names: dict[str, str] | None = None, max_cards: int = 10) -> Draft:
        distiller = RuleDistiller(max_cards=max_cards)
        return distiller(make_session(), make_turns(*said, names=names), context=())

    return run


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    """An empty home."""
    made = Home(tmp_path)
    yield made
    made.index.close()


@pytest.fixture
def told(home: Home, say: Say, session: Callable[..., Session]) -> Told:
    """A home in which sessions are said and summed up."""
    return Told(home, say, session)


@pytest.fixture(scope="session")
def benchmark() -> Callable[[str], ModuleType]:
    """A benchmark as a module, by its name."""

    def load(name: str) -> ModuleType:
        path = Path(__file__).parents[3] / "benchmarks" / f"{name}.py"
        spec = importlib.util.spec_from_file_location(f"alaya_benchmark_{name}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return module

    return load


@pytest.fixture(scope="session")
def bench(benchmark: Callable[[str], ModuleType]) -> ModuleType:
    """benchmarks/rules.py as a module."""
    return benchmark("rules")
