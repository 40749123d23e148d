"""`verify` names each row of L2 and L1 that was tampered with, and a rebuild mends it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from alaya.introspect.audit import verify
from alaya.introspect.rebuild import rebuild, rebuild_l1
from alaya.introspect.status import count_recalls
from alaya.model import change as ch
from alaya.model.graph import Entity, EntityKind, Summary
from alaya.model.ids import sha256
from alaya.model.note import Note, NoteKind
from alaya.model.passage import Where
from alaya.model.raw import Event, EventKind, Span
from alaya.model.relations import EXTRACTED_FROM
from alaya.projection import Grow, commit
from alaya.stores.files.archive import FileArchive
from alaya.stores.sqlite.index import SqliteIndex
from alaya.testing.archive_contract import recall
from alaya.testing.invented import ALICE, BOB, START, card, link, revised, session, turn

MODEL = "m"


class Home:
    """A small memory with a row in every table."""

    def __init__(self, path: Path) -> None:
        self.archive = FileArchive(path)
        self.archive.create()
        self.index = self.opened(path / "alaya.db")
        self.write(Grow(session(), 0, 0, 0, (turn("1", "hello gateway"), turn("2", "there"))))
        cited = Span("s", "1", 0, 5, sha256("hello"))
        first = card("a", "one", tags=("t",), evidence=(cited,))
        self.write(ch.CardAdded(first), ch.CardAdded(card("b")))
        self.write(ch.CardRevised(revised(first, title="two")))
        self.write(
            ch.LinkAdded(link("a", "DEPENDS_ON", target="b")),
            ch.LinkAdded(link("a", EXTRACTED_FROM, target="session:s")),
            ch.EntityAdded(Entity("entity-x", ALICE, "x", EntityKind.TOOL, ("y",))),
            ch.SummaryAdded(Summary("sum", ALICE, "s", "t", "c", "1", "2", START)),
            ch.EventAdded(Event("ev", ALICE, EventKind.CORRECTION, START)),
            ch.NoteChanged(Note(ALICE, "soul/me.md", NoteKind.SOUL, "me", "x", "", START)),
            ch.Calibrated(MODEL, (("han|latin", 0.5),), 9, START),
            ch.SessionDistilled(ALICE, "s", "d", "rules", 2, "hash", 2),
        )
        self.fill()

    def opened(self, path: Path) -> SqliteIndex:
        return SqliteIndex(path, stem=lambda w: w, read_turn=self.archive.turn)

    def write(self, *items) -> None:
        commit(
            self.archive, self.index, decide=lambda: items, actor="", verb="v", clock=lambda: START
        )

    def fill(self) -> int:
        found = self.index.pending(MODEL, 100)
        self.index.put(MODEL, {p.text_hash: [[1.0, 0.0]] for p in found})
        return len(found)

    @contextlib.contextmanager
    def scratch(self) -> Iterator[SqliteIndex]:
        other = self.opened(self.archive.home / "scratch.db")
        try:
            yield other
        finally:
            other.close()
            for path in self.archive.home.glob("scratch.db*"):
                path.unlink()

    def verified(self) -> list[tuple[str, str, str]]:
        found = verify(self.archive, self.index, scratch=self.scratch, scope=ALICE)
        return [(d.layer, d.what, d.where) for d in found.differences]

    def tamper(self, sql: str) -> None:
        connection = apsw.Connection(str(self.archive.home / "alaya.db"))
        connection.execute(sql)
        assert connection.changes() > 0
        connection.close()


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path / "home")
    yield home
    home.index.close()


def test_clean(memory) -> None:
    """A memory that nobody tampered with has no differences, and every kind of row."""
    assert memory.verified() == []
    for scope, counts in ((ALICE, (2, 2)), (BOB, (0, 0))):
        report = verify(memory.archive, memory.index, scratch=memory.scratch, scope=scope)
        assert (report.cards, report.turns) == counts
        assert report.records == 4
    names = {name.split(" ")[0] for _, name, _ in memory.index.fingerprint()}
    assert names >= {"session", "turn", "card", "tag", "evidence", "link", "entity", "summary"}
    assert names >= {"event", "note", "relation", "calibration", "word", "distilled"}


_TAMPERED = (
    ("UPDATE cards SET json=replace(json,'two','2') WHERE version=2", "L2", "card-a v2"),
    ("UPDATE cards SET json=replace(json,'one','1') WHERE version=1 AND id='card-a'", "L2", "a v1"),
    ("UPDATE cards SET confidence=0.9 WHERE id='card-b'", "L2", "card-b"),
    ("UPDATE cards SET user='bob' WHERE id='card-b'", "L2", "card-b"),
    ("UPDATE cards SET agent='x' WHERE id='card-b'", "L2", "card-b"),
    ("UPDATE cards SET retired_at=NULL WHERE id='card-a'", "L2", "card-a"),
    ("UPDATE cards SET forgotten_at='2026' WHERE id='card-b'", "L2", "card-b"),
    ("UPDATE cards SET quarantined=1 WHERE id='card-b'", "L2", "card-b"),
    ("UPDATE cards SET tier='COLD' WHERE id='card-b'", "L2", "card-b"),
    ("DELETE FROM cards WHERE id='card-b'", "L2", "card-b"),
    ("DELETE FROM card_tags", "L2", "card-a v2 t"),
    ("INSERT INTO card_tags VALUES('new', (SELECT rowid FROM cards WHERE id='card-b'))", "L2", "n"),
    ("UPDATE spans SET turn='9'", "L2", "s#9"),
    ("UPDATE spans SET sha256='x'", "L2", "s#1"),
    ("UPDATE links SET weight=0.1 WHERE relation='DEPENDS_ON'", "L2", "DEPENDS_ON"),
    ("UPDATE links SET retired_at='2026'", "L2", "DEPENDS_ON"),
    ("UPDATE links SET id='x' WHERE relation='DEPENDS_ON'", "L2", "DEPENDS_ON"),
    ("DELETE FROM links WHERE relation='DEPENDS_ON'", "L2", "DEPENDS_ON"),
    ("UPDATE links SET target='card-zz' WHERE relation='DEPENDS_ON'", "L2", "card-zz"),
    ("UPDATE sessions SET tokens=1", "L2", "alice s"),
    ("UPDATE sessions SET distilled=0", "L2", "alice s"),
    ("UPDATE turns SET offset=offset+1 WHERE id='1'", "L2", "s#1"),
    ("UPDATE turns SET role='tool' WHERE id='1'", "L2", "s#1"),
    ("UPDATE turns SET mark='side' WHERE id='2'", "L2", "s#2"),
    ("DELETE FROM turns WHERE id='1'", "L2", "s#1"),
    ("UPDATE entities SET merged_into='entity-y'", "L2", "entity-x"),
    ("DELETE FROM entity_names WHERE name='y'", "L2", "alice y"),
    ("UPDATE summaries SET json=replace(json,'\"c\"','\"d\"')", "L2", "sum"),
    ("DELETE FROM events", "L2", "ev"),
    ("DELETE FROM notes", "L2", "soul/me.md"),
    ("UPDATE relations SET json='{}' WHERE name='CAUSES'", "L2", "CAUSES"),
    ("UPDATE calibrations SET median=0.1", "L2", "han|latin"),
    ("DELETE FROM distilled", "L2", "hash"),
    ("DELETE FROM card_words WHERE rowid=1", "L1", "card-a"),
    ("DELETE FROM turn_words", "L1", "s#1"),
    ("INSERT INTO card_words(rowid,title,body,chars) VALUES(99,'x','y','')", "L1", "99"),
    ("UPDATE vectors SET vector=x'0000803f0000803f' WHERE slot=0", "L1", "alaya.db"),
    ("UPDATE vectors SET hash='of nothing' WHERE slot=0", "L1", "of nothing"),
)


@pytest.mark.parametrize(("sql", "layer", "named"), _TAMPERED, ids=[t[0] for t in _TAMPERED])
def test_tampered(memory, sql, layer, named) -> None:
    """Each kind of tampering is reported by layer and name, and a rebuild mends it."""
    memory.tamper(sql)
    found = memory.verified()
    assert [where for at, _, where in found if at == layer and named in where], found
    rebuild(memory.archive, memory.index, scope=ALICE, fill=memory.fill, timer=lambda: 0.0)
    assert memory.verified() == []
    assert len(list(memory.index.find_cards(Where(ALICE)))) == 2


def test_words_are_mended_alone(memory) -> None:
    """What is wrong in L1 alone is mended without touching L2."""
    memory.tamper("DELETE FROM card_words")
    memory.tamper("UPDATE vectors SET vector=x'00000000' WHERE slot=0")
    assert {layer for layer, _, _ in memory.verified()} == {"L1"}
    report = rebuild_l1(memory.index, ALICE, fill=memory.fill, timer=lambda: 0.0)
    assert report.vectors > 0
    assert memory.verified() == []


@pytest.mark.parametrize("damaged", ["id>100", "id=10"])
def test_damaged_words_are_mended(memory, damaged) -> None:
    """Words whose blobs are gone are told as damage, not raised, and a repair mends them."""
    memory.tamper(f"DELETE FROM turn_words_data WHERE {damaged}")
    ((layer, what, where),) = memory.verified()
    assert (layer, where) == ("L2", str(memory.archive.home / "alaya.db"))
    assert "the database is damaged" in what
    report = verify(
        memory.archive,
        memory.index,
        scratch=memory.scratch,
        scope=ALICE,
        mend=lambda: rebuild(
            memory.archive, memory.index, scope=ALICE, fill=memory.fill, timer=lambda: 0.0
        ),
    )
    assert (report.differences, report.repaired, len(report.mended)) == ((), True, 1)


def test_damaged_archive_comes_first(memory) -> None:
    """L2 and L1 are not compared with an L3 that was altered; that is what is told."""
    path = Path(memory.archive.session_path(session()))
    path.write_bytes(path.read_bytes().replace(b"hello", b"hullo"))
    found = memory.verified()
    assert [(layer, what) for layer, what, _ in found] == [("L3", "turns were altered")]
    assert str(path) in found[0][2]


def test_many_differences_are_cut(memory) -> None:
    """Thousands of wrong rows are told by the first of them."""
    memory.write(*(ch.CardAdded(card(f"{n:03}")) for n in range(300)))
    memory.tamper("UPDATE cards SET tier='COLD'")
    assert 20 < len(memory.verified()) < 200


def test_recalls_are_counted_once_by_two(memory) -> None:
    """Two processes that count the recall log at once count each recall once."""
    memory.archive.log_recalls([recall(0), recall(1)])
    other = memory.opened(memory.archive.home / "alaya.db")
    start = other.recalls_counted()
    log = list(memory.archive.recalls_after(start))
    count_recalls(memory.archive, memory.index)
    assert not other.count_recalls(start, log[-1][1], recalls=[found for found, _ in log])
    count_recalls(memory.archive, other)
    (_, state), *_ = other.cards(["card-a"], Where(ALICE))
    assert state.access_count == 2
    other.close()
