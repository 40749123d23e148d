"""What every VectorIndex must do: exact cosines, by model, of what passes."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence

import pytest

from alaya.errors import StoreError, Unsupported
from alaya.model import change as ch
from alaya.model.graph import Relation
from alaya.model.ids import sha256
from alaya.model.passage import ItemKind, Where
from alaya.model.raw import Role, TurnMark
from alaya.model.relations import CORE
from alaya.ports import Vector
from alaya.testing.index_contract import IndexContract
from alaya.testing.invented import ALICE, BOB, Told, card, day, link, revised, session, turn

MODEL = "model-a"


def unit(chance: random.Random, width: int = 8) -> list[float]:
    """A random direction."""
    found = [chance.gauss(0, 1) for _ in range(width)]
    return [x / math.hypot(*found) for x in found]


def turned(degrees: float, width: int = 8) -> list[float]:
    """A vector at an angle to the first axis, so that its cosine with it is known."""
    angle = math.radians(degrees)
    return [math.cos(angle), math.sin(angle), *[0.0] * (width - 2)]


FIRST_AXIS = turned(0)


class VectorsContract(IndexContract):
    """Needs a fixture `make_index`."""

    def test_vectors(self, told: Told) -> None:
        """The vectors of items come back as they were put, window by window, of what passes."""
        told.cards(card("a"), card("b"), card("bob", scope=BOB), card("bare"))
        told.says(session(), turn("1", "first"), turn("2", "second"))
        told.tell(ch.TurnsMarked(ALICE, "s", ("2",), TurnMark.SIDE))
        windows = [turned(0), turned(90)]
        told.index.put(MODEL, self.by_card(a=windows, b=[turned(60)], bob=[turned(30)]))
        told.index.put(MODEL, {sha256("first"): [turned(10)], sha256("second"): [turned(20)]})

        def asked(*ids: str, kind: ItemKind = ItemKind.CARD, model: str = MODEL) -> object:
            found = told.index.vectors(model, ids, kind=kind, where=Where(ALICE))
            return {
                name: [pytest.approx([float(x) for x in v]) for v in vectors]
                for name, vectors in found.items()
            }

        assert asked("card-a", "card-a", "card-bob", "card-bare") == {"card-a": windows}
        assert asked("s#1", "s#2", "s#3", kind=ItemKind.TURN) == {"s#1": [turned(10)]}
        assert asked("card-a", model="model-b") == {}
        assert asked() == {}

    def test_pending(self, told: Told) -> None:
        """Relations first, then cards, then speech, newest first, each text once."""
        told.cards(card("old", said_at=day(1)), card("new", said_at=day(2)))
        told.says(
            session(),
            turn("1", "first", said_at=day(1)),
            turn("2", "second", said_at=day(2)),
            turn("3", "first", said_at=day(3)),
            turn("4", "output", role=Role.TOOL),
            turn("5", "  \n"),
            turn("6", "<memory>", injected=((0, 8),)),
        )
        found = told.index.pending(MODEL, 100)
        core = {r.text for r in CORE}
        assert {p.text for p in found[: len(core)]} == core
        rest = [(p.kind, p.text) for p in found[len(core) :]]
        assert rest == [
            (ItemKind.CARD, card("new").text),
            (ItemKind.CARD, card("old").text),
            (ItemKind.TURN, "first"),
            (ItemKind.TURN, "second"),
        ]
        assert all(p.text_hash == sha256(p.text) for p in found)
        assert told.index.pending_count(MODEL) == len(found)
        assert told.index.pending(MODEL, 3) == found[:3]

    def test_no_longer_pending(self, told: Told) -> None:
        """What has vectors, or was found to give none, is not pending for this model."""
        told.cards(card("a"), card("b"))
        before = told.index.pending_count(MODEL)
        told.index.put(MODEL, {sha256(card("a").text): [FIRST_AXIS]})
        told.index.put(MODEL, {sha256(card("b").text): []})
        assert told.index.pending_count(MODEL) == before - 2
        assert told.index.pending_count("model-b") == before
        assert ItemKind.CARD not in {p.kind for p in told.index.pending(MODEL, 100)}
        assert dict(told.index.models()) == {MODEL: 1}
        assert self.near(told) == {"card-a": pytest.approx(1, abs=1e-5)}

    def test_hidden_is_not_pending(self, told: Told) -> None:
        """Retired versions, forgotten cards and turns on side branches are not embedded."""
        told.cards(card("a"), card("b"))
        told.says(session(), turn("1", "aside"), turn("2", "main"))
        told.tell(ch.CardRevised(revised(card("a"), title="newer")))
        told.tell(ch.Forgotten(ALICE, ("card-b",), ""))
        told.tell(ch.TurnsMarked(ALICE, "s", ("1",), TurnMark.SIDE))
        found = [p.text for p in told.index.pending(MODEL, 100) if p.kind is not ItemKind.RELATION]
        assert found == ["newer\n", "main"]
        told.tell(ch.TurnsMarked(ALICE, "s", ("1",), TurnMark.ACTIVE))
        assert "aside" in [p.text for p in told.index.pending(MODEL, 100)]

    def test_exact_order(self, told: Told) -> None:
        """The order and the cosines are those of brute force."""
        chance = random.Random(7)
        cards = [card(f"{i:03}") for i in range(150)]
        told.cards(*cards)
        vectors = {one.id: unit(chance) for one in cards}
        told.index.put(MODEL, {sha256(c.text): [vectors[c.id]] for c in cards})
        for _ in range(5):
            query = unit(chance)
            cosines = {
                name: sum(a * b for a, b in zip(query, v, strict=True))
                for name, v in vectors.items()
            }
            expected = sorted(cosines, key=lambda name: -cosines[name])
            for limit in (1, 10, 150, 1000):
                found = told.index.nearest(
                    MODEL, query, kind=ItemKind.CARD, where=Where(ALICE), limit=limit
                )
                assert [s.id for s in found] == expected[:limit]
                assert [s.score for s in found] == pytest.approx(
                    [cosines[s.id] for s in found], abs=1e-5
                )
            ids = [*expected[:3], "card-nothing"]
            alone = told.index.similarities(
                MODEL, query, kind=ItemKind.CARD, ids=ids, where=Where(ALICE)
            )
            assert alone == pytest.approx({i: cosines[i] for i in ids[:3]}, abs=1e-5)

    def test_best_window(self, told: Told) -> None:
        """A text with several windows stands by its best one, once, and crowds nobody out."""
        told.cards(card("long"), *(card(f"n{i}") for i in range(5)))
        angles = [1 + i / 1000 for i in range(300)]
        told.index.put(MODEL, {sha256(card("long").text): [turned(a) for a in angles]})
        others = {sha256(card(f"n{i}").text): [turned(40 + i)] for i in range(5)}
        told.index.put(MODEL, others)
        found = told.index.nearest(
            MODEL, FIRST_AXIS, kind=ItemKind.CARD, where=Where(ALICE), limit=6
        )
        assert [s.id for s in found] == ["card-long", *(f"card-n{i}" for i in range(5))]
        assert found[0].score == pytest.approx(math.cos(math.radians(1)), abs=1e-5)
        assert self.alike(told, "card-long") == pytest.approx(found[0].score, abs=1e-6)

    def test_models_side_by_side(self, told: Told) -> None:
        """A vector is only compared within its model, whatever the dimensions of others."""
        told.cards(card("a"), card("b"))
        told.index.put(MODEL, self.by_card(a=[turned(0)], b=[turned(60)]))
        told.index.put("模型/b", self.by_card(a=[turned(90, 3)], b=[turned(0, 3)]))
        assert self.near(told) == pytest.approx({"card-a": 1, "card-b": 0.5}, abs=1e-5)
        other = told.index.nearest(
            "模型/b", turned(0, 3), kind=ItemKind.CARD, where=Where(ALICE), limit=9
        )
        assert [s.id for s in other] == ["card-b", "card-a"]
        assert (
            told.index.nearest(
                "model-c", FIRST_AXIS, kind=ItemKind.CARD, where=Where(ALICE), limit=9
            )
            == []
        )
        assert dict(told.index.models()) == {MODEL: 2, "模型/b": 2}

    def test_idempotent(self, told: Told) -> None:
        """The first vectors of a text stay; nothing is put twice."""
        told.cards(card("a"), card("b"))
        told.index.put(MODEL, self.by_card(a=[turned(60)]))
        told.index.put(MODEL, self.by_card(a=[turned(0)], b=[turned(30)]))
        assert self.near(told) == pytest.approx({"card-a": 0.5, "card-b": 0.866}, abs=1e-3)

    def test_no_orphans(self, told: Told) -> None:
        """A vector of a text that nothing has (any more) is not kept."""
        told.cards(card("a"), card("b"))
        told.index.put(MODEL, {sha256("of nobody"): [FIRST_AXIS], "": [FIRST_AXIS]})
        assert dict(told.index.models()) == {}
        told.index.put(MODEL, self.by_card(a=[turned(0)], b=[turned(60)]))
        told.tell(ch.Erased(ALICE, ("card-a",), (1,)))
        told.index.put(MODEL, self.by_card(a=[turned(0)]))
        assert dict(told.index.models()) == {MODEL: 1}
        assert list(self.near(told)) == ["card-b"]
        assert list(told.index.check()) == []

    def test_other_dimensions(self, told: Told) -> None:
        """Vectors of other dimensions than the model's are refused, and nothing is torn."""
        told.cards(card("a"), card("b"))
        told.index.put(MODEL, self.by_card(a=[FIRST_AXIS]))
        for wrong in ([turned(0, 3)], [FIRST_AXIS, turned(0, 3)]):
            with pytest.raises(StoreError):
                told.index.put(MODEL, self.by_card(b=wrong))
        with pytest.raises(StoreError):
            told.index.nearest(MODEL, turned(0, 3), kind=ItemKind.CARD, where=Where(ALICE), limit=9)
        with pytest.raises(StoreError):
            told.index.similarities(
                MODEL, turned(0, 3), kind=ItemKind.CARD, ids=["card-a"], where=Where(ALICE)
            )
        assert list(self.near(told)) == ["card-a"]

    def test_any_length(self, told: Told) -> None:
        """A cosine is a cosine, also of vectors that are not of length 1."""
        told.cards(card("a"), card("b"))
        told.index.put(
            MODEL, self.by_card(a=[[10 * x for x in turned(60)]], b=[[x / 10 for x in turned(30)]])
        )
        query = [x * 7 for x in FIRST_AXIS]
        found = told.index.nearest(MODEL, query, kind=ItemKind.CARD, where=Where(ALICE), limit=9)
        assert [s.id for s in found] == ["card-b", "card-a"]
        assert found[1].score == pytest.approx(0.5, abs=1e-5)

    def test_filters_come_first(self, told: Told) -> None:
        """The best of what passes, however many nearer ones are hidden, retired or another's."""
        names = [f"n{i:03}" for i in range(200)]
        told.cards(*(card(n, said_at=day(i / 100)) for i, n in enumerate(names)))
        told.cards(card("bob", scope=BOB))
        told.index.put(MODEL, self.by_card(**{n: [turned(i / 4)] for i, n in enumerate(names)}))
        told.index.put(MODEL, self.by_card(bob=[FIRST_AXIS]))
        told.tell(ch.Forgotten(ALICE, tuple(f"card-{n}" for n in names[:150]), ""))
        found = told.index.nearest(
            MODEL, FIRST_AXIS, kind=ItemKind.CARD, where=Where(ALICE), limit=2
        )
        assert [s.id for s in found] == ["card-n150", "card-n151"]
        late = Where(ALICE, since=day(1.9))
        found = told.index.nearest(MODEL, FIRST_AXIS, kind=ItemKind.CARD, where=late, limit=2)
        assert [s.id for s in found] == ["card-n190", "card-n191"]
        assert self.alike(told, "card-n000") is None
        assert self.alike(told, "card-bob") is None
        told.tell(ch.Restored(ALICE, ("card-n000",)))
        assert list(self.near(told, limit=1)) == ["card-n000"]

    def test_turns(self, told: Told) -> None:
        """Turns are near by their text, whatever characters their ids hold."""
        told.says(session("a#b"), turn("1", "one"), turn("2#x", "two"))
        told.index.put(MODEL, {sha256("one"): [turned(60)], sha256("two"): [turned(0)]})
        found = told.index.nearest(
            MODEL, FIRST_AXIS, kind=ItemKind.TURN, where=Where(ALICE), limit=9
        )
        assert [s.id for s in found] == ["a#b#2#x", "a#b#1"]
        ids = ["a#b#2#x", "a#b#1", "nothing", "a#c", ""]
        alone = told.index.similarities(
            MODEL, FIRST_AXIS, kind=ItemKind.TURN, ids=ids, where=Where(ALICE)
        )
        assert alone == pytest.approx({"a#b#2#x": 1, "a#b#1": 0.5}, abs=1e-5)

    def test_relations(self, told: Told) -> None:
        """Relations are near by their text: core ones, and those that the user's links have."""
        told.cards(card("a"), card("b"), card("a", scope=BOB), card("b", scope=BOB))
        told.links(link("a", "OWN", target="b"), link("a", "BOBS", target="b", scope=BOB))
        texts = {"OWN": "own", "BOBS": "bobs", "CAUSES": CORE[0].text}
        told.index.put(MODEL, {sha256(t): [turned(10 * i)] for i, t in enumerate(texts.values())})
        near = told.index.nearest(
            MODEL, FIRST_AXIS, kind=ItemKind.RELATION, where=Where(ALICE), limit=9
        )
        assert [s.id for s in near] == ["OWN", "CAUSES"]
        told.tell(ch.RelationRevised(Relation("OWN", definition="to have")))
        near = told.index.nearest(
            MODEL, FIRST_AXIS, kind=ItemKind.RELATION, where=Where(ALICE), limit=9
        )
        assert [s.id for s in near] == ["CAUSES"]
        assert "own: to have" in [p.text for p in told.index.pending(MODEL, 99)]
        assert list(told.index.check()) == []

    def test_after_a_change(self, told: Told) -> None:
        """What was revised has the vector of its new text, once that is there."""
        told.cards(card("a"), card("b"))
        told.index.put(MODEL, self.by_card(a=[turned(0)], b=[turned(60)]))
        assert list(self.near(told)) == ["card-a", "card-b"]
        told.tell(ch.CardRevised(revised(card("a"), title="newer")))
        assert list(self.near(told)) == ["card-b"]
        told.index.put(MODEL, {sha256("newer\n"): [turned(80)]})
        assert list(self.near(told)) == ["card-b", "card-a"]
        old = told.index.nearest(
            MODEL, FIRST_AXIS, kind=ItemKind.CARD, where=Where(ALICE, believed_at=day(1)), limit=1
        )
        assert [s.id for s in old] == ["card-a"]

    def test_dropped(self, told: Told) -> None:
        """After `reset` and `reset_l1` there are no vectors, and new ones are the ones found."""
        told.cards(card("a"), card("b"), card("c"))

        def rebuilt() -> None:
            with told.index.reset():
                told.replay(told.index)

        for drop in (told.index.reset_l1, rebuilt):
            told.index.put(MODEL, self.by_card(a=[turned(0)], b=[turned(60)]))
            assert list(self.near(told)) == ["card-a", "card-b"]
            drop()
            assert dict(told.index.models()) == {}
            assert self.near(told) == {}
            told.index.put(MODEL, self.by_card(c=[turned(10)], b=[turned(0)], a=[turned(20)]))
            assert list(self.near(told)) == ["card-b", "card-c", "card-a"]
            assert list(told.index.check()) == []
            drop()

    def test_same_words(self, told: Told) -> None:
        """A text has one vector, for everything that says it, whenever it comes."""
        same = card("a", content="words")
        text = same.text
        told.says(session(), turn("1", text), turn("2", text), turn("3", "else"))
        told.index.put(MODEL, {sha256(text): [turned(10)], sha256("else"): [turned(20)]})
        turns = ["s#1", "s#2", "s#3"]
        for number in range(3):
            found = told.index.nearest(
                MODEL, FIRST_AXIS, kind=ItemKind.TURN, where=Where(ALICE), limit=9
            )
            assert [s.id for s in found] == turns
            if number == 0:
                assert self.near(told) == {}
                told.cards(same)
            assert list(self.near(told)) == ["card-a"]
            told.says(session("t"), turn(f"{number}", text))
            turns.insert(2 + number, f"t#{number}")

    def test_places_are_used_again(self, told: Told) -> None:
        """What comes after something was erased is found, wherever a store puts it."""
        told.says(session(), turn("1", "said"))
        told.cards(card("a"), card("z"))
        told.index.put(MODEL, {sha256("said"): [turned(50)], **self.by_card(a=[turned(10)])})
        told.index.put(MODEL, self.by_card(z=[turned(20)]))
        for number in range(3):
            assert list(self.near(told)) == ["card-a", "card-z"]
            told.tell(ch.Erased(ALICE, ("card-z",), (1,)))
            assert list(self.near(told)) == ["card-a"] or number % 2
            told.says(session(), turn(f"n{number}", f"new {number}"))
            told.index.put(MODEL, {sha256(f"new {number}"): [turned(number)]})
            told.cards(card("z"))
            told.index.put(MODEL, self.by_card(z=[turned(20)]))
        found = told.index.nearest(
            MODEL, FIRST_AXIS, kind=ItemKind.TURN, where=Where(ALICE), limit=9
        )
        assert [s.id for s in found] == ["s#n0", "s#n1", "s#n2", "s#1"]

    def test_sample(self, told: Told) -> None:
        """Random cards and turns with their vectors, for calibration; empty ones never."""
        told.cards(card("a"), card("b"))
        told.says(session(), turn("1", "said"))
        told.index.put(
            MODEL, {**self.by_card(a=[turned(0), turned(9)], b=[]), sha256("said"): [turned(5)]}
        )
        found = dict(told.index.sample(MODEL, 10))
        assert {text: len(v) for text, v in found.items()} == {card("a").text: 2, "said": 1}
        assert list(map(float, found["said"][0])) == pytest.approx(turned(5), abs=1e-6)
        assert told.index.sample("other", 10) == []

    def test_unsupported(self, told: Told) -> None:
        """What has no vectors is refused."""
        for kind in (ItemKind.ENTITY,):
            with pytest.raises(Unsupported):
                told.index.nearest(MODEL, FIRST_AXIS, kind=kind, where=Where(ALICE), limit=9)

    # --- for short ------------------------------------------------------------------------------

    @staticmethod
    def by_card(**windows: Sequence[Vector]) -> Mapping[str, Sequence[Vector]]:
        """Vectors of cards by short name."""
        return {sha256(card(name).text): vectors for name, vectors in windows.items()}

    @staticmethod
    def near(told: Told, limit: int = 9) -> dict[str, float]:
        """Cards by cosine with the first axis, nearest first."""
        found = told.index.nearest(
            MODEL, FIRST_AXIS, kind=ItemKind.CARD, where=Where(ALICE), limit=limit
        )
        return {s.id: s.score for s in found}

    @staticmethod
    def alike(told: Told, name: str) -> float | None:
        """A card's cosine with the first axis."""
        where = Where(ALICE)
        return told.index.similarities(
            MODEL, FIRST_AXIS, kind=ItemKind.CARD, ids=[name], where=where
        ).get(name)
