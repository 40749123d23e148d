"""The SQLite file: opened by many, damaged, replaced, and its sidecars."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import apsw
import pytest

from alaya.errors import Denied, StoreError
from alaya.model.change import CardAdded, Forgotten
from alaya.model.ids import sha256
from alaya.model.passage import ItemKind, Where
from alaya.model.record import Position
from alaya.stores.sqlite import connection as connection_module
from alaya.stores.sqlite.connection import Database
from alaya.testing.invented import ALICE, START, card
from alaya.testing.vectors_contract import FIRST_AXIS, MODEL, turned

WHERE = Where(ALICE)


def told(index, *changes):
    seq = index.position().seq + 1
    assert index.apply(Position(seq, f"{seq:064}", "2026-03.jsonl", seq), changes, at=START)


def embedded(index, count: int = 50) -> None:
    cards = [card(f"{n:02}") for n in range(count)]
    told(index, *(CardAdded(c) for c in cards))
    index.put(MODEL, {sha256(c.text): [turned(n)] for n, c in enumerate(cards)})


def nearest(index, limit: int = 50) -> list[str]:
    found = index.nearest(MODEL, FIRST_AXIS, kind=ItemKind.CARD, where=WHERE, limit=limit)
    return [s.id.removeprefix("card-") for s in found]


def test_locks_survive_a_second_connection(home, opened) -> None:
    """Another thread's connection does not drop the locks of the first one.

    POSIX drops a process's locks of a file when any descriptor of it is closed; then another
    process could take itself for the last one and delete the log that this one writes to.
    """
    index = opened()
    told(index, CardAdded(card("a")))
    thread = threading.Thread(target=lambda: list(index.find_cards(WHERE)))
    thread.start()
    thread.join()
    opened().position()
    code = f"""
import fcntl, os
handle = os.open({str(home / "alaya.db")!r}, os.O_RDWR)
try:
    fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 510, 0x40000002)
except OSError:
    print("locked")
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "locked\n"


def test_not_a_database(home, opened) -> None:
    """A file that is no database is a StoreError that tells what to do."""
    (home / "alaya.db").write_bytes(b"not a database, but long enough to be one " * 100)
    with pytest.raises(StoreError, match="rebuild"):
        opened().position()


def test_newer_schema(home, opened) -> None:
    """A database of a newer alaya is left alone."""
    opened().position()
    connection = apsw.Connection(str(home / "alaya.db"))
    connection.execute("PRAGMA user_version=99")
    connection.close()
    with pytest.raises(StoreError, match="newer alaya"):
        opened().position()


def test_cannot_be_opened(home, opened) -> None:
    """A path that is no file is refused with its name."""
    (home / "alaya.db").mkdir()
    with pytest.raises((Denied, StoreError), match=r"alaya\.db"):
        opened().position()


def test_replaced_file(home, opened) -> None:
    """A file that was replaced is opened anew; a closed index opens again."""
    index = opened()
    told(index, CardAdded(card("a")))
    for path in home.glob("alaya.db*"):
        path.unlink()
    assert index.position() == Position()
    told(opened(), CardAdded(card("b")))
    assert [c.id for c, _ in index.find_cards(WHERE)] == ["card-b"]
    index.close()
    index.close()
    assert index.position().seq == 1


def test_a_snapshot_outlives_its_file(home) -> None:
    """All queries of one transaction are of the file that it began in, also once it is replaced."""
    database = Database(home / "x.db")
    with database.writing() as connection:
        connection.execute("INSERT INTO meta VALUES('k', 1)")
    with database.reading():
        assert database.row("SELECT value FROM meta WHERE key='k'") == (1,)
        for path in home.glob("x.db*"):
            path.unlink()
        assert database.row("SELECT value FROM meta WHERE key='k'") == (1,)
    assert database.row("SELECT value FROM meta WHERE key='k'") is None
    database.close()


def test_two_make_the_database_at_once(home, monkeypatch) -> None:
    """Who waited for another one to make the tables leaves alone what that one has put in them."""
    one, other = Database(home / "x.db"), Database(home / "x.db")
    late = threading.Thread(target=lambda: other.rows("SELECT 1"))
    seed = connection_module.seed

    def seed_and_fill(connection: apsw.Connection) -> None:
        seed(connection)
        connection.execute("INSERT INTO calibrations VALUES('m','p',0.5,1,'')")
        connection.execute("INSERT INTO meta VALUES('k', 1)")
        monkeypatch.setattr(connection_module, "seed", seed)
        late.start()
        time.sleep(0.3)  # it finds no tables, and waits to make them

    monkeypatch.setattr(connection_module, "seed", seed_and_fill)
    one.rows("SELECT 1")
    late.join()
    assert one.rows("SELECT pair FROM calibrations") == [("p",)]
    assert one.rows("SELECT value FROM meta WHERE key='k'") == [(1,)]
    one.close()
    other.close()


def test_threads_share_an_index(opened) -> None:
    """Threads read and write through one index, each record once."""
    index = opened()
    index.position()
    applied = []

    def work() -> None:
        for seq in range(1, 41):
            place = Position(seq, "", "", seq)
            if index.apply(place, [CardAdded(card(f"{seq:02}"))], at=START):
                applied.append(seq)
            list(index.find_cards(WHERE))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(applied) == list(range(1, 41))
    assert index.counts(ALICE)["cards"] == 40


def test_error_in_a_transaction(home) -> None:
    """SQLite's errors are alaya's, and a transaction that failed is rolled back."""
    database = Database(home / "x.db")
    with pytest.raises(StoreError), database.writing() as connection:
        connection.execute("INSERT INTO meta VALUES('k', 1); SELECT nonsense")
    assert database.rows("SELECT * FROM meta WHERE key='k'") == []
    database.close()


@pytest.mark.parametrize("damage", ["lost", "short", "other header", "unlinked while mapped"])
def test_sidecar_is_grown_anew(home, opened, damage) -> None:
    """A sidecar that is lost, short or another one's is made again from the database."""
    index = opened()
    embedded(index)
    before = nearest(index)
    assert before == [f"{n:02}" for n in range(50)]
    (path,) = home.glob("vectors-*.i8")
    if damage == "short":
        os.truncate(path, path.stat().st_size - 1)
    elif damage == "other header":
        path.write_bytes(b"\0" * path.stat().st_size)
    else:
        path.unlink()
    reader = index if damage == "unlinked while mapped" else opened()
    assert nearest(reader) == before
    assert list(opened().check()) == []
    told(index, CardAdded(card("new")))
    index.put(MODEL, {sha256(card("new").text): [FIRST_AXIS]})
    assert nearest(opened(), 2) == ["00", "new"]


def test_altered_sidecar(home, opened) -> None:
    """Quantised values only choose: altered ones are reported, and no cosine is wrong."""
    index = opened()
    embedded(index)
    (path,) = home.glob("vectors-*.i8")
    with path.open("r+b") as file:
        file.seek(64)
        file.write(b"\x81" * 40)
    (found,) = index.check()
    assert (found.layer, "5 vectors" in found.what) == ("L1", True)
    assert nearest(opened()) == [f"{n:02}" for n in range(50)]


def test_a_transaction_that_failed_leaves_a_usable_sidecar(opened, monkeypatch) -> None:
    """Rows that were written for vectors which were then not committed are written over."""
    index = opened()
    embedded(index, 3)
    told(index, CardAdded(card("x")), CardAdded(card("y")))
    both = {sha256(card("x").text): [turned(1)], sha256(card("y").text): [[1.0]]}
    with pytest.raises(StoreError):
        index.put(MODEL, both)
    index.put(MODEL, {sha256(card("y").text): [turned(0.5)]})
    assert nearest(index) == ["00", "y", "01", "02"]
    assert list(index.check()) == []


def test_resident_rows_follow_every_change(opened) -> None:
    """What another connection changed is seen at once by one that holds rows in memory."""
    index, other = opened(), opened()
    embedded(index)
    assert nearest(other, 2) == ["00", "01"]
    told(index, Forgotten(ALICE, ("card-00",), ""))
    assert nearest(other, 2) == ["01", "02"]
    index.reset_l1()
    assert nearest(other) == []
    index.put(MODEL, {sha256(card("07").text): [turned(3)]})
    assert nearest(other) == ["07"]


def test_check_of_words_that_another_connection_merged(opened) -> None:
    """Blobs of the words that another connection has merged since the last check are not missed."""
    writer, reader = opened(), opened()
    for seq in range(60):
        told(writer, *(CardAdded(card(f"{seq}-{n}", content=f"w{seq} w{n}")) for n in range(4)))
        if not seq % 3:
            assert list(reader.check()) == [], f"after {seq} writes"


@pytest.mark.parametrize("warm", [True, False], ids=["after a check", "in a new process"])
@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM card_words_data WHERE id>100",
        "UPDATE card_words_data SET block=x'ff' WHERE id>100",
        "DELETE FROM card_words_data WHERE id=10",  # which blobs there are
    ],
)
def test_damaged_words(home, opened, *, damage, warm) -> None:
    """Words whose blobs are gone or garbage are damage, also to one who read them before."""
    index = opened()
    told(index, CardAdded(card("a")))
    if warm:
        assert list(index.check()) == []
    connection = apsw.Connection(str(home / "alaya.db"))
    connection.execute(damage)
    assert connection.changes()
    connection.close()
    (found,) = (index if warm else opened()).check()
    assert "the database is damaged" in found.what
    assert found.where == str(home / "alaya.db")


def test_size(opened) -> None:
    """The size is that of the database with its log."""
    index = opened()
    index.position()
    before = index.size()
    told(index, CardAdded(card("a", content="word " * 10_000)))
    assert index.size() > before > 0
