"""Counts of terms: kept in memory, yet those of the database; and the index in one piece."""

from __future__ import annotations

import apsw

from alaya.model.change import CardAdded, Erased
from alaya.model.passage import ItemKind, Where
from alaya.model.record import Position
from alaya.stores.sqlite import frequencies, words
from alaya.testing.invented import ALICE, START, card


def told(index, *changes):
    seq = index.position().seq + 1
    assert index.apply(Position(seq, f"{seq:064}", "2026-03.jsonl", seq), changes, at=START)


def added(index, first: int, count: int) -> None:
    """Cards of which every second one says `gateway`, and each a word of its own."""
    told(
        index,
        *(
            CardAdded(card(f"{n}", "网关 gateway" if n % 2 else "note", content=f"word{n}"))
            for n in range(first, first + count)
        ),
    )


def counted(index, *terms: str):
    return index.frequencies(terms, ItemKind.CARD)


def test_counts_follow_the_store(opened) -> None:
    """What was counted before is counted anew once much was added, or anything was erased."""
    index, other = opened(), opened()
    added(index, 0, 10)
    asked = ("gateway", "网关", "word3", "nothing", "\ud83d", "gateway")
    for reader in (index, other, other):
        assert counted(reader, *asked) == (10, {"gateway": 5, "网关": 5, "word3": 1})
    added(index, 10, 10)
    for reader in (other, index):
        assert counted(reader, *asked) == (20, {"gateway": 10, "网关": 10, "word3": 1})
    told(index, Erased(ALICE, ("card-3",), (1,)))
    for reader in (other, index):
        assert counted(reader, *asked)[1] == {"gateway": 9, "网关": 9}
    with index.reset():
        assert counted(index, *asked) == (0, {})
    assert counted(other, *asked) == (0, {})


def test_a_little_more_is_not_counted_anew(opened, monkeypatch) -> None:
    """A store that grows by less than a sixty-fourth keeps its counts, new words or not."""
    index = opened()
    added(index, 0, 200)
    assert counted(index, "gateway", "word201")[1] == {"gateway": 100}
    added(index, 200, 3)
    assert counted(index, "gateway", "word202") == (203, {"gateway": 100, "word202": 1})
    assert counted(opened(), "gateway")[1] == {"gateway": 101}
    added(index, 203, 3)
    assert counted(index, "gateway", "word201")[1] == {"gateway": 103, "word201": 1}


def test_counts_are_bounded(opened, monkeypatch) -> None:
    """However many terms are asked for, so many are kept, and all are answered."""
    monkeypatch.setattr(frequencies, "_MOST", 10)
    index = opened()
    added(index, 0, 50)
    names = [f"word{n}" for n in range(50)]
    for _ in range(2):
        assert counted(index, *names) == (50, dict.fromkeys(names, 1))
    assert len(index._words.frequencies._counted[ItemKind.CARD].rows) == 10


def test_many_look_ups_read_the_whole_list(opened, monkeypatch) -> None:
    """Who asked for much reads the list of all terms, and gets the same answers from it: long and
    short words, Chinese, emoji, none at all, and words that came after it was read."""
    monkeypatch.setattr(frequencies, "_FEW", 0)
    index, plain = opened(), opened()
    added(index, 0, 300)
    told(index, CardAdded(card("long", "Donaudampfschifffahrtsgesellschaft 🎉🎉 数据库配置")))
    words = [f"word{n}" for n in range(300)]
    words += [
        "gateway",
        "网关",
        "donaudampfschifffahrtsgesellschaft",
        "🎉",
        "配置",
        "数据",
        "none",
        "\ud83d",
    ]
    expected = plain.frequencies(words, ItemKind.CARD)
    for _ in range(3):
        assert counted(index, *words) == expected
    assert counted(index) == (301, {})
    kept = index._words.frequencies._counted[ItemKind.CARD]
    assert kept.listed is not None
    assert {term: rows for term, rows in kept.listed.get(words).items() if rows} == expected[1]
    told(index, CardAdded(card("new", "zymurgy")))
    assert index._words.frequencies._counted[ItemKind.CARD] is kept
    assert counted(index, "zymurgy", "word7")[1] == {"zymurgy": 1, "word7": 1}


def test_the_index_is_settled(home, opened, monkeypatch) -> None:
    """Each time cards have grown by a quarter, and after a rebuild, words stand in one piece."""
    monkeypatch.setattr(words, "_SETTLED", 20)
    connection = apsw.Connection(str(home / "alaya.db"))

    def pieces() -> int:
        found = connection.execute("SELECT count(DISTINCT segid) FROM card_words_idx").fetchone()
        return int(found[0])

    index = opened()
    seen = []
    for n in range(45):
        added(index, n, 1)
        seen.append(pieces())
    assert [n for n in range(20, 46) if seen[n - 1] == 1] == [20, 25, 32, 40]
    assert max(seen) > 5
    index.reset_l1()
    assert pieces() == 1
    found = index.match("gateway", ItemKind.CARD, where=Where(ALICE), limit=99)
    assert len(found) == 22
    connection.close()
