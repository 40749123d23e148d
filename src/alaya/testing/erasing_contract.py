"""What every index and every archive must do for an erasure. A test module derives the classes.

class TestMine(ErasingContract):
    @pytest.fixture
    def make_index(self): ...

class TestFiles(EraserContract):
    @pytest.fixture
    def make_home(self, tmp_path):
        return lambda: (MyArchive(tmp_path), MyEraser(tmp_path))
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from alaya.model import change as ch
from alaya.model.change import Change
from alaya.model.ids import sha256
from alaya.model.passage import ItemKind, Where
from alaya.model.raw import Session, Turn
from alaya.model.record import Position
from alaya.model.scope import Scope
from alaya.ports import Archive
from alaya.ports_erasing import Eraser
from alaya.projection import Grow, catch_up, commit
from alaya.testing.index_contract import IndexContract
from alaya.testing.invented import ALICE, BOB, START, Told, card, session, turn
from alaya.testing.oracle import OracleIndex

MODEL = "model"
MakeHome = Callable[[], tuple[Archive, Eraser]]


class ErasingContract(IndexContract):
    """Of an index. Needs a fixture `make_index`."""

    def test_vectors_outlive_a_reset(self, told: Told) -> None:
        """Those of texts that are there again stay where that is wanted; others go."""
        told.cards(card("a"), card("b"))
        hashes = {name: sha256(card(name).text) for name in "ab"}
        told.index.put(MODEL, {hashes["a"]: [[1.0, 0.0]], hashes["b"]: [[0.0, 1.0]]})
        place, _, at = told.records[0]
        with told.index.reset(keep_vectors=True):
            told.index.apply(place, [ch.CardAdded(card("b"))], at=at)
        found = told.index.nearest(
            MODEL, [1.0, 0.0], kind=ItemKind.CARD, where=Where(ALICE), limit=9
        )
        assert [one.id for one in found] == ["card-b"]
        assert dict(told.index.models()) == {MODEL: 1}
        told.cards(card("a"))
        assert hashes["a"] in {one.text_hash for one in told.index.pending(MODEL, 100)}
        told.index.compact()
        assert sorted(told.seen()) == ["a", "b"]

    def test_own_words(self, told: Told) -> None:
        """What a store calls its own holds nothing that was told it."""
        told.cards(card("a", "Quibblestone 翡翠"))
        own = " ".join(told.index.own_words())
        assert "Quibblestone" not in own
        assert "翡翠" not in own


class EraserContract:
    """Of an archive with its eraser. Needs a fixture `make_home`."""

    @pytest.fixture
    def home(self, make_home: MakeHome) -> tuple[Archive, Eraser]:
        archive, eraser = make_home()
        archive.create()
        index = OracleIndex()
        for one in (session(), session("other"), session(scope=BOB)):
            said = (turn("1", "Zanzibar 绿孔雀 🦚"), turn("2", "kept"))
            grow = Grow(one, 0, 0, 0, said)
            _tell(archive, index, change=grow)
        _tell(archive, index, change=ch.CardAdded(card("a", "Zanzibar", importance=1)))
        _tell(archive, index, change=ch.CardAdded(card("b", "kept")))
        return archive, eraser

    def test_lines_stay_where_they_are(self, home: tuple[Archive, Eraser]) -> None:
        """What is rewritten is as long as it was: positions and places hold, the chain verifies."""
        archive, eraser = home
        before = [record.position for record in archive.records(Position())]
        index = OracleIndex()
        catch_up(archive, index)
        places = index.turns(ALICE, "s")
        with archive.lock() as writer, eraser.rewriting() as rewriting:
            rewriting.session(session(), 0, header=_same, turn=_blanked)
            lines = rewriting.journal(_without_a(rewriting.grown), salt="x", anonymous=None)
            rewriting.commit()
            erased = ch.Erased(ALICE, ("card-a",), tuple(lines), lines=tuple(lines.values()))
            writer.append("a", "erase", changes=[erased], at=START)
        assert set(lines) == {1, 4}
        assert list(archive.verify()) == []
        records = list(archive.records(Position()))
        assert [record.position for record in records[:-1]] == before
        assert [record.erased for record in records] == [True, False, False, True, False, False]
        said = [
            archive.turn(session(), 0, offset=p.offset, length=p.length).content for p in places
        ]
        assert said == ["________ ___ _", "kept"]
        other = archive.turns(session(scope=BOB), 0, start=0, end=index_end(index))
        assert [one.turn.content for one in other] == ["Zanzibar 绿孔雀 🦚", "kept"]

    def test_nothing_changes_without_a_commit(self, home: tuple[Archive, Eraser]) -> None:
        """What was not committed is thrown away."""
        archive, eraser = home
        before = list(archive.records(Position()))
        with archive.lock(), eraser.rewriting() as rewriting:
            rewriting.session(session(), 0, header=_same, turn=_blanked)
            rewriting.drop_session(session("other"), 0)
            rewriting.journal(_without_a(rewriting.grown), salt="x", anonymous=None)
        assert list(archive.records(Position())) == before
        assert list(archive.verify()) == []

    def test_intents_and_receipts(self, make_home: MakeHome) -> None:
        """An intent is there for everybody until it is ended; the receipt stays."""
        archive, eraser = make_home()
        archive.create()
        assert eraser.begun() is None
        eraser.begin({"id": "x"})
        assert make_home()[1].begun() == {"id": "x"}
        path = eraser.end({"done": True}, name="erasure-x")
        assert eraser.begun() is None
        with open(path, encoding="utf-8") as file:  # noqa: PTH123
            assert json.load(file) == {"done": True}

    def test_one_at_a_time(self, make_home: MakeHome) -> None:
        """Who is not alone is told so."""
        (archive, one), (_, other) = make_home(), make_home()
        archive.create()
        with one.alone(1.0) as first, other.alone(0.05) as second:
            assert (first, second) == (True, False)
        with other.alone(0.05) as again:
            assert again

    @pytest.mark.parametrize("word", ["zanzibar", "绿孔", "🦚"])
    def test_search(self, home: tuple[Archive, Eraser], word: str) -> None:
        """Every file in which a word stands is named, and no other."""
        archive, eraser = home
        found = {name for name, stands in eraser.search(lambda one: one == word) if stands}
        for scope in (ALICE, BOB):
            assert any(archive.session_path(session(scope=scope)).endswith(n) for n in found)
        assert not [name for name, stands in eraser.search(lambda one: one == "none") if stands]


def index_end(index: OracleIndex) -> int:
    """Where Bob's session ends."""
    state = index.session(BOB, "s")
    assert state is not None
    return state.end


def _tell(archive: Archive, index: OracleIndex, *, change: Change | Grow) -> None:
    commit(archive, index, decide=lambda: [change], actor="a", verb="v", clock=lambda: START)


def _same(one: Session) -> Session:
    return one


def _blanked(one: Turn) -> Turn:
    if one.id != "1":
        return one
    return replace(one, content="".join(" " if c == " " else "_" for c in one.content))


def _without_a(grown: Callable[[ch.SessionGrew], str]) -> Callable[[Change], Change | None]:
    def blank(change: Change) -> Change | None:
        match change:
            case ch.CardAdded(card=one) if one.id == "card-a":
                return None
            case ch.SessionGrew(session=Session(id="s", scope=Scope(user="alice"))):
                return replace(change, sha256=grown(change))
        return change

    return blank
