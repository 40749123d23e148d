"""L2 and L1 lost, replaced or grown anew, while others have them open: the same memory again."""

from __future__ import annotations

import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alaya.introspect.rebuild import rebuild, rebuild_l1
from alaya.model import change as ch
from alaya.projection import catch_up, commit
from alaya.stores.files.archive import FileArchive
from alaya.stores.sqlite.index import SqliteIndex
from alaya.testing.invented import ALICE, START, card, day
from alaya.testing.oracle import OracleIndex

from . import histories as h


def opened(archive: FileArchive) -> SqliteIndex:
    return SqliteIndex(archive.home / "alaya.db", stem=lambda word: word, read_turn=archive.turn)


def fill(index) -> int:
    """Vectors that follow from the text, as the cache's do from the model."""
    found = index.pending(h.MODEL, 10_000)
    index.put(h.MODEL, {p.text_hash: [h.direction(p.text)] for p in found})
    return len(found)


def delete(home: Path, also_wal: bool = True) -> None:
    for path in home.glob("alaya.db*" if also_wal else "alaya.db"):
        path.unlink()
    for path in home.glob("vectors-*"):
        path.unlink()


steps = st.lists(
    st.tuples(
        st.lists(h.changes, max_size=3),
        st.lists(h.turns, max_size=2),
        st.sampled_from(h.SCOPES),
    ),
    min_size=1,
    max_size=6,
)


def live(archive: FileArchive, index, history) -> None:
    """Carry out a history."""
    for number, (changes, said, scope) in enumerate(history):

        def decide(changes=changes, said=said, scope=scope):
            return [*(h.grow(index, scope, said, 0) if said else ()), *changes]

        commit(archive, index, decide=decide, actor="", verb="v", clock=lambda n=number: day(n))


@settings(max_examples=settings().max_examples // 2)
@given(steps, st.sampled_from(["in place", "lost", "lost but its log", "l1"]))
def test_grown_back(tmp_path_factory, history, how) -> None:
    """After any history, what is grown back is what was lost, to every row and every answer."""
    archive = FileArchive(tmp_path_factory.mktemp("rebuild"))
    archive.create()
    index, other, before = opened(archive), opened(archive), OracleIndex()
    live(archive, index, history)
    catch_up(archive, before)
    fill(index)
    fill(before)
    h.same_answers(index, before, day(2))
    rows, position = sorted(index.fingerprint()), index.position()
    if how == "in place":
        report = rebuild(archive, index, scope=ALICE, fill=lambda: fill(index), timer=lambda: 0.0)
        assert report.records == position.seq
    elif how == "l1":
        rebuild_l1(index, ALICE, fill=lambda: fill(index), timer=lambda: 0.0)
    else:
        delete(archive.home, also_wal=how == "lost")
        catch_up(archive, index)
        fill(index)
    for one in (index, other):  # the other connection was open all the time
        assert sorted(one.fingerprint()) == rows
        assert one.position() == position
        h.same_answers(one, before, day(2))
        assert list(one.check()) == [] or {d.what for d in one.check()} == {
            "link leads to a card that is not there"
        }
    index.close()
    other.close()
    shutil.rmtree(archive.home)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    archive = FileArchive(tmp_path / "home")
    archive.create()
    index = opened(archive)
    commit(
        archive,
        index,
        decide=lambda: [ch.CardAdded(card(f"{n:03}", "gateway")) for n in range(200)],
        actor="",
        verb="distill",
        clock=lambda: START,
    )
    fill(index)
    index.close()
    return archive.home


READER = """
    import sys
    from pathlib import Path
    from alaya.model.passage import ItemKind, Where
    from alaya.projection import catch_up
    from alaya.stores.files.archive import FileArchive
    from alaya.stores.sqlite.index import SqliteIndex
    from alaya.testing.invented import ALICE
    from tests.properties import histories as h

    home = Path(sys.argv[1])
    archive = FileArchive(home)
    index = SqliteIndex(home / "alaya.db", stem=lambda w: w, read_turn=archive.turn)
    print("ready", flush=True)
    seen = set()
    for line in sys.stdin:
        catch_up(archive, index)
        found = len(list(index.find_cards(Where(ALICE))))
        asked = {"where": Where(ALICE), "limit": 1000}
        near = len(index.nearest(h.MODEL, h.direction("q"), kind=ItemKind.CARD, **asked))
        words = len(index.match("gateway", ItemKind.CARD, **asked))
        print(found, near, words, flush=True)
    index.close()
"""


@pytest.mark.parametrize("how", ["in place", "lost", "lost but its log"])
def test_while_another_process_reads(home: Path, how: str) -> None:
    """Another process that has the database open sees the old memory or the new one, whole."""
    archive = FileArchive(home)
    code = textwrap.dedent(READER)
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", code, str(home)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=root,
    ) as reader:

        def ask() -> list[int]:
            print(file=reader.stdin, flush=True)
            return [int(n) for n in reader.stdout.readline().split()]

        assert reader.stdout.readline() == "ready\n"
        assert ask() == [200, 200, 200]
        index = opened(archive)
        if how == "in place":
            with index.reset():
                catch_up(archive, index)
                fill(index)
                assert ask() == [200, 200, 200]  # the old one, while the new one grows
        else:
            delete(home, also_wal=how == "lost")
            catch_up(archive, index)
            fill(index)
        assert ask() == [200, 200, 200]
        commit(
            archive,
            index,
            decide=lambda: [ch.Forgotten(ALICE, ("card-000",), "")],
            actor="",
            verb="forget",
            clock=lambda: START,
        )
        assert ask() == [199, 199, 199]
        index.close()
        reader.stdin.close()
        assert reader.wait(30) == 0
    index = opened(archive)
    assert list(index.check()) == []
    assert index.position() == archive.head()
    index.close()
