"""The scan, what it keeps in memory, and that filters never cost an answer."""

from __future__ import annotations

import random
import sys

import apsw
import numpy as np
import pytest

from alaya.model.change import CardAdded, Cooled, Erased, Forgotten, SessionGrew
from alaya.model.graph import CardKind, Tier
from alaya.model.ids import sha256
from alaya.model.passage import ItemKind, Where
from alaya.model.raw import ArchivedTurn
from alaya.model.record import Position
from alaya.model.scope import Scope
from alaya.stores.sqlite import packing, scan, vectors
from alaya.stores.sqlite.bounded import Bounded
from alaya.testing.invented import ALICE, BOB, START, card, day, session, turn
from alaya.testing.vectors_contract import FIRST_AXIS, MODEL, turned, unit

EVERYTHING = Where(ALICE)


def told(index, *changes):
    seq = index.position().seq + 1
    assert index.apply(Position(seq, f"{seq:064}", "2026-03.jsonl", seq), changes, at=START)


def nearest(index, query=FIRST_AXIS, where=EVERYTHING, *, kind=ItemKind.CARD, limit=20):
    return index.nearest(MODEL, query, kind=kind, where=where, limit=limit)


def filled(index, count: int, **fields) -> dict[str, list[float]]:
    """Cards with random vectors of 8 dimensions, by id."""
    chance = random.Random(count)
    cards = [card(f"{n:04}", said_at=day(n / 100), **fields) for n in range(count)]
    told(index, *(CardAdded(c) for c in cards))
    made = {c.id: unit(chance) for c in cards}
    index.put(MODEL, {sha256(c.text): [made[c.id]] for c in cards})
    return made


@pytest.mark.parametrize("kernel", ["numkong", "numpy"])
@pytest.mark.parametrize("width", [3, 384, 1024])
def test_distances(kernel, width, monkeypatch) -> None:
    """Quantised distances are the exact ones to a hundredth; nothing is 1 from everything."""
    if kernel == "numpy":
        monkeypatch.setitem(sys.modules, "numkong", None)
    rng = np.random.default_rng(width)
    rows = rng.standard_normal((10_000, width)).astype(np.float32)
    query = rng.standard_normal(width).astype(np.float32)
    found = scan.distances(scan.quantised(rows), query)
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(query)
    assert found.dtype == np.float32
    assert np.abs(found - (1 - rows @ query / lengths)).max() < 0.01
    assert scan.distances(np.zeros((2, width), np.int8), query).tolist() == [1, 1]
    assert scan.distances(scan.quantised(rows[:2]), np.zeros(width, np.float32)).tolist() == [1, 1]
    assert scan.distances(np.empty((0, width), np.int8), query).shape == (0,)
    places = rng.choice(10_000, 9_000, replace=False)
    some = scan.distances_at(scan.quantised(rows), query, places=places)
    assert some == pytest.approx(found[places], abs=1e-6)


def test_nearest_first() -> None:
    """The places of the smallest, equal ones in their order, however many are asked for."""
    far = np.array([3, 1, 2, 1, 0], dtype=np.float32)
    assert scan.nearest_first(far, 3).tolist() == [4, 1, 3]
    assert scan.nearest_first(far, 99).tolist() == [4, 1, 3, 2, 0]
    assert scan.nearest_first(far[:0], 3).tolist() == []
    assert [p.tolist() for p in scan.portions(np.arange(8), 2)] == [[0, 1], [2, 3, 4, 5], [6, 7]]


def test_bounded() -> None:
    """What was used last stays, never more bytes than allowed, and never of another revision."""
    kept = Bounded(100)
    for name in "abc":
        kept.keep(name, 1, value=np.zeros(40, np.int8))
    assert (kept.get("a", 1), kept.bytes) == (None, 80)
    assert kept.get("b", 1) is not None
    kept.keep("d", 1, value=np.zeros(40, np.int8))
    assert kept.get("c", 1) is None
    assert kept.get("b", 1) is not None
    assert kept.get("b", 2) is None
    kept.keep("b", 2, value=np.zeros(101, np.int8))
    assert kept.get("b", 2) is None
    assert kept.bytes == 40


@pytest.mark.parametrize("hidden", [0, 0.5, 0.95, 0.999])
def test_filters_cost_no_answer(opened, hidden) -> None:
    """Whatever share of 3,000 cards is hidden, the best of the others are found, in order."""
    index, other = opened(), opened()
    made = filled(index, 3_000)
    chance = random.Random(5)
    gone = [name for name in made if chance.random() < hidden]
    told(index, Forgotten(ALICE, tuple(gone), ""))
    left = {name: v for name, v in made.items() if name not in set(gone)}
    for reader in (index, other):
        for number in range(4):  # what the first one kept, the next ones use
            query = unit(chance) if number % 2 else FIRST_AXIS
            cosine = {n: sum(a * b for a, b in zip(query, v, strict=True)) for n, v in left.items()}
            expected = sorted(cosine, key=lambda name: -cosine[name])[:20]
            assert [s.id for s in nearest(reader, query)] == expected


def test_every_filter(opened) -> None:
    """Filters that an index answers find what is far from the question, for cards and turns."""
    index = opened()
    filled(index, 2_500)
    far = [-x for x in FIRST_AXIS]
    mine = Scope("alice", session="mine")
    told(index, CardAdded(card("far", said_at=day(99), scope=mine, kind=CardKind.GOTCHA)))
    said = [turn(str(n), f"turn {n}", said_at=day(n)) for n in range(3)]
    archived = tuple(ArchivedTurn(t, n, 0, 10 * n, 10) for n, t in enumerate(said))
    told(index, SessionGrew(session("mine"), 0, 0, 3, 0, 30, "", 9, archived))
    index.put(MODEL, {sha256(t): [far] for t in (card("far").text, "turn 0", "turn 1", "turn 2")})
    found = {
        "session": nearest(index, where=Where(mine), limit=3),
        "time": nearest(index, where=Where(ALICE, since=day(98)), limit=3),
        "both": nearest(index, where=Where(mine, since=day(98)), limit=3),
        "kind": nearest(index, where=Where(ALICE, kinds=(CardKind.GOTCHA,)), limit=3),
    }
    for name, some in found.items():
        assert (name, [s.id for s in some]) == (name, ["card-far"])
    turns = [
        (Where(ALICE), ["mine#0", "mine#1", "mine#2"]),
        (Where(mine), ["mine#0", "mine#1", "mine#2"]),
        (Where(ALICE, since=day(0.5), until=day(1.5)), ["mine#1"]),
        (Where(ALICE, kinds=(CardKind.GOTCHA,)), []),
        (Where(ALICE, kinds=(CardKind.GOTCHA,), since=day(1)), []),
        (Where(BOB), []),
    ]
    for where, expected in turns:
        assert [s.id for s in nearest(index, where=where, kind=ItemKind.TURN)] == expected


def test_storing_more_lists_nothing(opened, monkeypatch) -> None:
    """After each batch of the background worker a question only reads what it needs.

    Which slots pass a filter is not listed again, and the vectors stored before stay mapped.
    """
    index = opened()
    filled(index, 200)
    nearest(index)
    monkeypatch.setattr(vectors.Vectors, "_passing", None)
    for n in range(5):
        told(index, CardAdded(card(f"new{n}")))
        index.put(MODEL, {sha256(card(f"new{n}").text): [turned(n / 10)]})
        assert [s.id for s in nearest(index, limit=n + 1)] == [f"card-new{i}" for i in range(n + 1)]


def test_resident_memory_is_bounded(opened, monkeypatch) -> None:
    """However many questions and filters there are: bytes in memory stay under the bound."""
    monkeypatch.setattr(vectors, "KEPT", 40_000)
    index = opened()
    filled(index, 3_000)
    kept = index._vectors
    chance = random.Random(1)
    sizes = []
    for n in range(12):
        where = Where(ALICE, since=day(1), until=day(1.5 + n))
        assert nearest(index, unit(chance), where)
        sizes.append(kept.resident() - kept._exact.bytes())
    lists = 24 * 3_000  # bytes: which cards have which vectors
    assert 12_000 < max(sizes) <= 40_000 + lists
    assert 0 < kept._exact.bytes() <= 4 * 3_000 * 100
    copies = [rows for _, rows in kept._mapped.values()]
    assert [type(rows) for rows in copies] == [np.memmap]


def test_without_a_sidecar(home, opened, monkeypatch) -> None:
    """Where the copy cannot be written, blobs are read instead, and answers are the same."""
    index = opened()
    made = filled(index, 300)
    expected = [s.id for s in nearest(index)]
    assert len(expected) == 20 < len(made)
    (path,) = home.glob("vectors-*.i8")
    path.unlink()
    monkeypatch.setattr(vectors.Vectors, "grow_missing", lambda _: None)
    found = opened()
    assert [s.id for s in nearest(found)] == expected
    assert [s.id for s in nearest(found, where=Where(ALICE, until=day(1)))]
    assert list(home.glob("vectors-*.i8")) == []


def test_a_snapshot_is_of_one_moment(opened) -> None:
    """Whatever another handle writes, who reads in a snapshot goes on reading the same."""
    reader, writer = opened(), opened()
    filled(writer, 5)
    with reader.snapshot():
        before = nearest(reader), reader.counts(ALICE), reader.position()
        told(writer, CardAdded(card("more")))
        with reader.snapshot():
            assert (nearest(reader), reader.counts(ALICE), reader.position()) == before
    assert reader.position().seq == before[2].seq + 1


def test_a_missing_sidecar_in_a_snapshot(home, opened) -> None:
    """A question in a snapshot is answered from the blobs, and the copy is made afterwards."""
    index = opened()
    filled(index, 50)
    expected = nearest(index)
    (path,) = home.glob("vectors-*.i8")
    copy = path.read_bytes()
    path.unlink()
    index = opened()
    with index.snapshot():
        assert nearest(index) == expected
        assert not path.exists()
    assert path.read_bytes() == copy


def test_a_sidecar_with_holes(home, opened) -> None:
    """Grown anew, the copy keeps each vector's place also where others were erased between."""
    index = opened()
    made = filled(index, 40)
    gone = [f"card-{n:04}" for n in (0, 7, 8, 20, 39)]
    told(index, Erased(ALICE, tuple(gone), (1,)))
    expected = [s.id for s in nearest(index, limit=99)]
    assert set(expected) == set(made) - set(gone)
    (path,) = home.glob("vectors-*.i8")
    path.unlink()
    assert [s.id for s in nearest(opened(), limit=99)] == expected
    assert list(index.check()) == []
    told(index, CardAdded(card("new")))
    index.put(MODEL, {sha256(card("new").text): [FIRST_AXIS]})
    assert [s.id for s in nearest(opened(), limit=2)] == ["card-new", expected[0]]
    assert list(index.check()) == []


def test_texts_are_counted_as_they_come_and_go(home, opened) -> None:
    """The count is right after every change, in a store of an older alaya, too."""
    index = opened()
    assert dict(index.models()) == {}
    filled(index, 30)
    told(index, Erased(ALICE, ("card-0001", "card-0002"), (1,)))
    assert dict(index.models()) == {MODEL: 28}
    index.put(MODEL, {sha256(card("0003").text): [FIRST_AXIS]})
    assert dict(index.models()) == {MODEL: 28}
    connection = apsw.Connection(str(home / "alaya.db"))
    connection.execute("DELETE FROM meta WHERE key LIKE 'texts.%'")
    assert dict(opened().models()) == {MODEL: 28}
    told(index, CardAdded(card("new")), CardAdded(card("none")))
    index.put("other", {sha256(card("new").text): [[1.0]], sha256(card("none").text): []})
    assert dict(opened().models()) == {MODEL: 28, "other": 1}
    index.put(MODEL, {sha256(card("new").text): [turned(1), turned(2)]})
    assert dict(opened().models()) == {MODEL: 29, "other": 1}
    assert list(index.check()) == []
    connection.execute("UPDATE meta SET value=7 WHERE key LIKE 'texts.other'")
    assert [d.what for d in index.check()] == ["texts with a vector are counted wrongly"]
    connection.close()
    index.reset_l1()
    assert dict(index.models()) == {}


def test_holes_are_closed(home, opened, monkeypatch) -> None:
    """When most cards went COLD, the next vector stored packs the copy; no answer changes, not of
    a process that has asked before either."""
    monkeypatch.setattr(packing, "FEWEST", 10)
    index, other = opened(), opened()
    made = filled(index, 200)
    for _ in range(5):
        assert len(nearest(other, limit=300)) == 200
    (before,) = home.glob("vectors-*.i8")
    size = before.stat().st_size
    told(index, Cooled(ALICE, tuple((name, Tier.COLD) for name in sorted(made)[:150])))
    rest = nearest(index, limit=300)
    assert {found.id for found in rest} == set(sorted(made)[150:])
    told(index, CardAdded(card("new")))
    index.put(MODEL, {sha256(card("new").text): [FIRST_AXIS]})
    (after,) = home.glob("vectors-*.i8")
    assert after != before
    assert after.stat().st_size < size // 2
    for one in (index, other, opened()):
        found = nearest(one, limit=300)
        assert found[0].id == "card-new"
        assert found[1:] == rest
        assert list(one.check()) == []
    told(index, Cooled(ALICE, (("card-new", Tier.COLD),)))
    index.put(MODEL, {})
    assert nearest(other, limit=300) == rest
