"""Databases of an earlier alaya come out complete."""

from __future__ import annotations

import contextlib
from datetime import timedelta

import apsw
import pytest
from older import made_old

from alaya.model import change as ch
from alaya.model.graph import Summary
from alaya.model.ids import sha256
from alaya.model.passage import ItemKind, Where
from alaya.model.record import Position, RecallLog
from alaya.projection import Grow, catch_up, commit, refresh
from alaya.stores.sqlite.schema import L1, MIGRATIONS, TABLES, WORDS
from alaya.testing.invented import ALICE, START, card, link, session, turn
from alaya.testing.vectors_contract import FIRST_AXIS, MODEL, turned

WHERE = Where(ALICE)
_SHAPE = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name"


def live(archive, index) -> None:
    """A talk, cards, a link, a calibration; vectors of all; a recall that was counted."""
    said = tuple(
        turn(str(n), f"met Ada Lovelace yesterday, day {n}", name="Grace") for n in range(3)
    )
    for number, changes in enumerate(
        (
            [Grow(session(), 0, 0, 0, said)],
            [ch.CardAdded(card("a", "Gateway 配置")), ch.CardAdded(card("b"))],
            [ch.LinkAdded(link("a", "CAUSES", target="b"))],
            [ch.Calibrated(MODEL, (("han|latin", 0.5),), 9, START)],
            [ch.Forgotten(ALICE, ("card-b",), "")],
            [ch.SummaryAdded(Summary("summary-a", ALICE, "s", "网关", "Ada", "0", "2", START))],
        )
    ):
        commit(
            archive,
            index,
            decide=lambda changes=changes: changes,
            actor="",
            verb="v",
            clock=lambda n=number: START + timedelta(days=n),
        )
    index.put(MODEL, {p.text_hash: [turned(9)] for p in index.pending(MODEL, 100)})
    log = RecallLog(START, "alice", {}, (("card-a", 0.5),), {}, 1.0, (), False, False)
    assert index.count_recalls(Position(), Position(file="x", offset=1), recalls=[log])


@pytest.mark.parametrize("version", range(1, len(MIGRATIONS)))
def test_older_versions(home, archive, opened, version) -> None:
    """It begins before the first record; the next reader replays the journal, and all is there."""
    index = opened()
    live(archive, index)
    before = sorted(index.fingerprint())
    assert before
    index.close()
    made_old(home / "alaya.db", version)

    index = opened()
    assert index.position() == Position()
    assert refresh(archive, index) == archive.head()
    assert sorted(index.fingerprint()) == before
    assert list(index.check()) == []
    found = index.items(["s#1"], ItemKind.TURN, where=WHERE, reach=1)
    assert sorted(item.id for item in found) == ["s#0", "s#1", "s#2"]
    assert {item.speaker for item in found} == {"grace"}
    assert {item.forms.days for item in found} == {((START.toordinal() - 1,) * 2,)}
    assert set(index.mentioning(["ada lovelace"], ItemKind.TURN, where=WHERE, most=9))
    assert [s.id for s in index.match("网关", ItemKind.SUMMARY, where=WHERE, limit=9)]


def test_vectors_and_counts_are_made_anew(home, archive, opened) -> None:
    """What stands in no journal is asked for again: vectors (which are cached) and recalls."""
    index = opened()
    live(archive, index)
    index.close()
    made_old(home / "alaya.db")

    index = opened()
    catch_up(archive, index)
    assert dict(index.models()) == {}
    assert index.recalls_counted() == Position()
    pending = {p.text for p in index.pending(MODEL, 100)}
    assert {card("a", "Gateway 配置").text, "Grace: met Ada Lovelace yesterday, day 1"} <= pending
    index.put(MODEL, {sha256("Grace: met Ada Lovelace yesterday, day 1"): [turned(3)]})
    found = index.nearest(MODEL, FIRST_AXIS, kind=ItemKind.TURN, where=WHERE, limit=9)
    assert [s.id for s in found] == ["s#1"]
    assert list(index.check()) == []


def test_half_a_migration_is_none(home, archive, opened, monkeypatch) -> None:
    """What fails on the way leaves the database as it was, for the next try."""
    index = opened()
    live(archive, index)
    before = sorted(index.fingerprint())
    index.close()
    made_old(home / "alaya.db")
    with monkeypatch.context() as patched:
        patched.setattr("alaya.stores.sqlite.connection.seed", lambda _: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            opened().position()
    with contextlib.closing(apsw.Connection(str(home / "alaya.db"))) as connection:
        assert connection.pragma("user_version") == 1
        assert list(connection.execute("SELECT count(*) FROM turns")) == [(3,)]
    index = opened()
    catch_up(archive, index)
    assert sorted(index.fingerprint()) == before


def test_open_on_both_sides(home, archive, opened) -> None:
    """Two who open it at the same time migrate it once, and both see everything."""
    index = opened()
    live(archive, index)
    index.close()
    made_old(home / "alaya.db")
    one, other = opened(), opened()
    assert refresh(archive, one) == archive.head()
    assert refresh(archive, other) == archive.head()
    for each in (one, other):
        assert [c.id for c, _ in each.find_cards(WHERE)] == ["card-a"]
        assert len(each.items(["s#0"], ItemKind.TURN, where=WHERE, reach=9)) == 3


def test_every_table_is_emptied() -> None:
    """`TABLES` names each table that the migrations make, but for meta; so does `L1` of its own."""
    with contextlib.closing(apsw.Connection(":memory:")) as connection:
        for migration in MIGRATIONS:
            connection.execute(migration)
        made = {name for kind, name, sql in connection.execute(_SHAPE) if kind == "table"}
    shadows = {name for name in made if any(name.startswith(f"{words}_") for words in WORDS)}
    terms = {"card_terms", "turn_terms", "summary_terms"}
    assert made - shadows - terms - {"meta"} == set(TABLES)
    assert set(L1) <= set(TABLES)
