"""The words arm: which terms it looks up, and that a filter costs no answer."""

from __future__ import annotations

import pytest

from alaya.model.change import CardAdded, Forgotten
from alaya.model.passage import ItemKind, Where
from alaya.model.record import Position
from alaya.stores.sqlite import words
from alaya.testing.invented import ALICE, BOB, START, card

EVERYTHING = Where(ALICE)


def told(index, *changes):
    seq = index.position().seq + 1
    assert index.apply(Position(seq, f"{seq:064}", "2026-03.jsonl", seq), changes, at=START)


def matched(index, text: str, *, where: Where = EVERYTHING, limit: int = 99) -> list[str]:
    return [s.id for s in index.match(text, ItemKind.CARD, where=where, limit=limit)]


@pytest.fixture
def index(opened):
    """Forty cards: `gateway` is in all, `port` in every second, `k8s` in four, `容器` in two."""
    index = opened()
    told(
        index,
        *(
            CardAdded(
                card(
                    f"{n:02}",
                    "gateway" + " port" * (n % 2) + " k8s" * (n % 10 == 1) + " 容器" * (n < 2),
                    scope=BOB if n == 39 else ALICE,
                )
            )
            for n in range(40)
        ),
    )
    return index


def test_rare_terms_first(index, monkeypatch) -> None:
    """The rarest terms are looked up until so many rows hold them, in English and Chinese."""
    monkeypatch.setattr(words, "_FEWEST", 1)
    k8s = ["card-01", "card-11", "card-21", "card-31"]
    for rows, found in ((3, 2), (5, 2), (6, 5), (25, 5), (26, 20), (66, 39)):
        monkeypatch.setattr(words, "_ROWS", rows)
        assert len(matched(index, "gateway port k8s 容器")) == found, rows
    monkeypatch.setattr(words, "_ROWS", 6)
    assert sorted(matched(index, "gateway port k8s")) == k8s
    assert sorted(matched(index, "gateway 容器")) == ["card-00", "card-01"]


def test_common_terms_where_there_are_no_others(index, monkeypatch) -> None:
    """A question of common words alone is answered by some of them."""
    monkeypatch.setattr(words, "_ROWS", 1)
    assert len(matched(index, "gateway")) == 39
    assert len(matched(index, "gateway port")) == 39
    monkeypatch.setattr(words, "_FEWEST", 1)
    assert len(matched(index, "gateway port")) == 19


@pytest.mark.parametrize("spare", [0, 5, 100])
def test_a_filter_costs_no_answer(index, monkeypatch, spare) -> None:
    """However many of the best do not pass, the best of the others come, in their order."""
    monkeypatch.setattr(words, "_SPARE", spare)
    every = matched(index, "port k8s 容器")
    assert len(every) == 20
    assert set(every[:2]) == {"card-00", "card-01"}
    told(index, Forgotten(ALICE, tuple(every[:15]), ""))
    assert matched(index, "port k8s 容器", limit=3) == every[15:18]
    assert matched(index, "port k8s 容器") == every[15:]
    assert matched(index, "gateway", where=Where(BOB), limit=1) == ["card-39"]
    assert matched(index, "gateway", where=Where(ALICE, tags=("none",))) == []
    assert matched(index, "nothing of that") == []
    assert matched(index, "gateway", limit=0) == []
