"""What a process keeps between questions never shows: it answers as one that was just opened."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from alaya.model.change import (
    CardAdded,
    CardRevised,
    Erased,
    Forgotten,
    Restored,
    SessionGrew,
    SummaryAdded,
    TurnsMarked,
)
from alaya.model.graph import Summary
from alaya.model.ids import sha256
from alaya.model.passage import ItemKind, Where
from alaya.model.raw import ArchivedTurn, SessionKind, TurnMark
from alaya.model.record import Position
from alaya.stores.sqlite import forms, passed, vectors
from alaya.testing.invented import ALICE, BOB, START, card, day, revised, session, turn
from alaya.testing.vectors_contract import MODEL, unit

WHERES = (Where(ALICE), Where(ALICE, since=day(2)), Where(BOB), Where(ALICE, believed_at=day(400)))


class Life:
    """A memory to which chance does something. Few texts, so that several items share one."""

    def __init__(self, index, seed: int) -> None:
        self.index, self.chance = index, random.Random(seed)
        self.cards: dict[str, object] = {}
        self.turns = self.summaries = 0
        # A card's or a summary's text ends with its title's line, a turn's does not.
        self.vectors = {
            f"text {n}{end}": unit(self.chance) for n in range(12) for end in ("\n", "")
        }

    def told(self, *changes) -> None:
        seq = self.index.position().seq + 1
        place = Position(seq, f"{seq:064}", "2026-03.jsonl", seq)
        assert self.index.apply(place, changes, at=START)

    def step(self) -> None:
        acts = (*(self.adds,) * 4, self.says, self.says, self.sums, self.embeds, self.embeds)
        some = (self.revises, self.erases, self.forgets, self.restores, self.marks)
        self.chance.choice((*acts, *some))()

    def text(self) -> str:
        return self.chance.choice(list(self.vectors)).strip()

    def any(self) -> str | None:
        return self.chance.choice(list(self.cards)) if self.cards else None

    def adds(self) -> None:
        name = f"{self.index.position().seq}"
        scope = self.chance.choice((ALICE, ALICE, BOB))
        made = card(name, self.text(), said_at=day(self.chance.randrange(4)), scope=scope)
        self.cards[made.id] = made
        self.told(CardAdded(made))

    def says(self) -> None:
        said = []
        for _ in range(self.chance.randrange(1, 5)):
            made = turn(f"{self.turns}", self.text(), said_at=day(self.chance.randrange(4)))
            said.append(ArchivedTurn(made, self.turns, 0, self.turns * 10, 10))
            self.turns += 1
        first, grown = said[0].ordinal, tuple(said)
        self.told(SessionGrew(session("s"), 0, first, len(said), 0, 10 * self.turns, "", 9, grown))

    def sums(self) -> None:
        """A new one, or one that is said anew: then perhaps in the same row."""
        number = self.chance.randrange(self.summaries + 1)
        self.summaries = max(self.summaries, number + 1)
        when = day(self.chance.randrange(4))
        name, text = f"summary-{number}", self.text()
        self.told(SummaryAdded(Summary(name, ALICE, "s", text, "", "0", "1", when)))

    def embeds(self) -> None:
        some = self.chance.sample(list(self.vectors), 6)
        self.index.put(MODEL, {sha256(t): [self.vectors[t]] for t in some})

    def revises(self) -> None:
        if name := self.any():
            self.cards[name] = revised(self.cards[name], title=self.text())
            self.told(CardRevised(self.cards[name]))

    def erases(self) -> None:
        if name := self.any():
            gone = self.cards.pop(name)
            self.told(Erased(gone.scope, (name,), tuple(range(1, gone.version + 1))))

    def forgets(self) -> None:
        if name := self.any():
            self.told(Forgotten(self.cards[name].scope, (name,), ""))

    def restores(self) -> None:
        if name := self.any():
            self.told(Restored(self.cards[name].scope, (name,)))

    def marks(self) -> None:
        if self.turns:
            mark = self.chance.choice((TurnMark.SIDE, TurnMark.ACTIVE))
            some = tuple(str(n) for n in range(self.turns) if self.chance.random() < 0.3)
            self.told(TurnsMarked(ALICE, "s", some, mark))


def seen(index, query, where: Where, *, kind: ItemKind, ids: list[str]) -> object:
    """Everything that a recall asks of an index, by one filter."""
    near = index.nearest(MODEL, query, kind=kind, where=where, limit=5)
    match = index.match("text 3 text 7", kind, where=where, limit=5)
    items = {i.id: i for i in index.items([s.id for s in near], kind, where=where, reach=1)}
    cosines = index.similarities(MODEL, query, kind=kind, ids=ids, where=where)
    every = sorted(item.id for item in index.items(ids, kind, where=where))
    scores = [(s.id, round(s.score, 9)) for s in (*near, *match)]
    alike = sorted((name, round(cosine, 9)) for name, cosine in cosines.items())
    return scores, sorted(items.items()), alike, every


@pytest.mark.parametrize("seed", range(6))
def test_what_is_kept_never_shows(opened, monkeypatch, seed) -> None:
    """After any changes, by this process or another one, for any filter and every kind."""
    monkeypatch.setattr(vectors, "_FIRST", 1)
    monkeypatch.setattr(passed, "_FILTERS", 99)
    writer, reader = opened(), opened()
    life = Life(writer, seed)
    queries = [unit(life.chance) for _ in range(2)]
    most: Counter[ItemKind] = Counter()
    for _ in range(40):
        for _ in range(life.chance.randrange(1, 4)):
            life.step()
        fresh = opened()
        query, where = life.chance.choice(queries), life.chance.choice(WHERES)
        for kind, ids in (
            (ItemKind.CARD, list(life.cards)),
            (ItemKind.TURN, [f"s#{n}" for n in range(25)]),
            (ItemKind.SUMMARY, [f"summary-{n}" for n in range(9)]),
        ):
            expected = seen(fresh, query, where, kind=kind, ids=ids)
            for index in (reader, writer):
                assert seen(index, query, where, kind=kind, ids=ids) == expected
                only = replace(where, since=day(3))
                assert seen(index, query, only, kind=kind, ids=ids[:3])
        fresh.close()
        for (_, kind), kept in reader._vectors._places._listed.items():
            most[kind] += kept.table.columns.shape[1]
    assert (most[ItemKind.CARD] > 9, most[ItemKind.TURN] > 9) == (True, True)


def test_few_filters_and_ids_are_kept(opened, monkeypatch) -> None:
    """However many filters and ids are asked for, so many are kept."""
    monkeypatch.setattr(passed, "_IDS", 50)
    index = opened()
    life = Life(index, 1)
    for _ in range(60):
        life.adds()
    ids = list(life.cards)
    for n in range(10):
        where = Where(ALICE, since=day(-n))
        for start in range(0, 60, 20):
            index.items(ids[start : start + 20], ItemKind.CARD, where=where)
    kept = index._passed._kept
    assert len(kept) == passed._FILTERS
    assert all(0 < len(known.rows) <= 50 for known in kept.values())
    assert all(0 < len(known.ids) <= 50 for known in kept.values())


def test_few_items_are_kept(opened, monkeypatch) -> None:
    """However many items are asked for, so many are kept, and all are answered."""
    monkeypatch.setattr(forms, "_ITEMS", 10)
    monkeypatch.setattr(forms, "_SPARE", 0)
    index = opened()
    life = Life(index, 1)
    for _ in range(30):
        life.adds()
        life.says()
    for kind, ids in ((ItemKind.CARD, life.cards), (ItemKind.TURN, [f"s#{n}" for n in range(30)])):
        found = [i for user in (ALICE, BOB) for i in index.items([*ids], kind, where=Where(user))]
        assert {item.id for item in found} == set(ids)
        assert len(index._read._kept[kind][1]) == 10


def test_a_session_that_becomes_documents(opened) -> None:
    """Its turns stand alone from then on, also for who has read them before."""
    writer, reader = opened(), opened()
    life = Life(writer, 1)
    said = tuple(ArchivedTurn(turn(f"{n}", f"text {n}"), n, 0, n * 10, 10) for n in range(3))
    life.told(SessionGrew(session("s"), 0, 0, 3, 0, 30, "", 9, said))
    for index in (writer, reader):
        found = index.items(["s#1"], ItemKind.TURN, where=Where(ALICE), reach=1)
        assert {item.session for item in found} == {"s"}
        assert len(found) == 3
    documents = session("s", kind=SessionKind.DOCUMENTS)
    life.told(SessionGrew(documents, 0, 3, 0, 30, 30, "", 0, ()))
    for index in (writer, reader):
        found = index.items(["s#1"], ItemKind.TURN, where=Where(ALICE), reach=1)
        assert [(item.id, item.session, item.ordinal) for item in found] == [("s#1", "", 0)]


@pytest.mark.parametrize("by", ["items", "similarities"])
def test_what_passed_is_asked_again(opened, by) -> None:
    """A card that passed a filter a moment ago does not when it was forgotten meanwhile."""
    writer, reader = opened(), opened()
    life = Life(writer, 1)
    life.told(*(CardAdded(card(name, "text 1")) for name in "ab"))
    life.index.put(MODEL, {sha256("text 1\n"): [unit(life.chance)]})
    query, ids = unit(life.chance), ["card-a", "card-b"]

    def found() -> list[str]:
        if by == "items":
            return [i.id for i in reader.items(ids, ItemKind.CARD, where=WHERES[0])]
        return [*reader.similarities(MODEL, query, kind=ItemKind.CARD, ids=ids, where=WHERES[0])]

    for _ in range(vectors._FIRST + 1):
        reader.nearest(MODEL, query, kind=ItemKind.CARD, where=WHERES[0], limit=2)
    assert sorted(found()) == ids
    life.told(Forgotten(ALICE, ("card-a",), ""))
    assert found() == ["card-b"]
    life.told(Restored(ALICE, ("card-a",)))
    assert sorted(found()) == ids


def test_rows_that_are_used_again(opened, monkeypatch) -> None:
    """A new card in the row, the slot and the vector's row of an erased one is itself."""
    monkeypatch.setattr(vectors, "_FIRST", 0)
    writer, reader = opened(), opened()
    life, query = Life(writer, 1), [1.0, 0.0]
    angles = {"a": [1.0, 0.0], "b": [0.6, 0.8]}
    for number in range(4):
        made = {name: card(f"{name}{number}", f"{name} {number}") for name in "ab"}
        life.told(*(CardAdded(one) for one in made.values()))
        for name in "ab" if number % 2 else "ba":
            writer.put("flat", {sha256(made[name].text): [angles[name]]})
        expected = {made[name].id: pytest.approx(angles[name][0]) for name in "ab"}
        for index in (reader, writer):
            near = index.nearest("flat", query, kind=ItemKind.CARD, where=WHERES[0], limit=9)
            assert {s.id: s.score for s in near} == expected
            alike = index.similarities(
                "flat", query, kind=ItemKind.CARD, ids=[*expected], where=WHERES[0]
            )
            assert alike == expected
        life.told(*(Erased(ALICE, (one.id,), (1,)) for one in made.values()))
