"""What every index must do with tiers: a COLD card has no vector; all else still finds it."""

from __future__ import annotations

from alaya.model import change as ch
from alaya.model.graph import Horizon, Tier
from alaya.model.ids import sha256
from alaya.model.life import Life
from alaya.model.passage import ItemKind, Where
from alaya.model.raw import Origin
from alaya.model.record import Position, RecallLog
from alaya.testing.index_contract import IndexContract
from alaya.testing.invented import ALICE, BOB, Told, card, day, link, revised, session, span, turn
from alaya.testing.vectors_contract import FIRST_AXIS, MODEL, VectorsContract, turned

near, by_card = VectorsContract.near, VectorsContract.by_card


def cooled(*names: str, tier: Tier = Tier.COLD) -> ch.Cooled:
    """These cards' new tier."""
    return ch.Cooled(ALICE, tuple((f"card-{name}", tier) for name in names))


class TiersContract(IndexContract):
    """Needs a fixture `make_index`."""

    def test_lives(self, told: Told) -> None:
        """Of every card that passes, newest first, what decides where it is kept."""
        told.cards(
            card("a", importance=0.9, confidence=0.7, said_at=day(1), origin=Origin.TOOL),
            card("b", evidence=(span("s", "1"), span("s", "2"), span("t", "1"))),
            card("c", horizon=Horizon.LONG, said_at=day(-1)),
            card("d"),
            card("e", scope=BOB),
        )
        told.tell(ch.Forgotten(ALICE, ("card-d",), ""), ch.Pinned(ALICE, ("card-a",), True))
        told.tell(ch.Promoted(ALICE, ("card-b",), Horizon.LONG))
        log = RecallLog(day(2), "alice", {}, (("card-b", 0.5),), {}, 1.0, (), False, False)
        told.index.count_recalls(
            told.index.recalls_counted(), Position(file="2026-03.jsonl", offset=1), recalls=[log]
        )
        found = told.index.lives(Where(ALICE))
        assert [(one.id, one.state) for one in found] == [
            (known.id, state) for known, state in told.index.find_cards(Where(ALICE))
        ]
        assert [one[:7] for one in found] == [
            ("card-a", day(1), 0.9, 0.7, Origin.TOOL, Horizon.SHORT, 0),
            ("card-b", day(0), 0.5, 0.5, Origin.AGENT, Horizon.LONG, 2),
            ("card-c", day(-1), 0.5, 0.5, Origin.AGENT, Horizon.LONG, 0),
        ]
        assert found[0].state.pinned
        assert found[1].state.access_count == 1
        assert all(isinstance(one, Life) for one in found)

    def test_cold_has_no_vector(self, told: Told) -> None:
        """A card that goes COLD loses its vector and wants none; words and links still find it."""
        told.cards(card("a", "red apple"), card("b"))
        told.links(link("a", "DEPENDS_ON", target="b"))
        told.index.put(MODEL, {sha256(card("a", "red apple").text): [FIRST_AXIS]})
        told.index.put(MODEL, by_card(b=[turned(60)]))
        before = told.index.pending_count(MODEL)
        told.tell(cooled("a"))
        assert list(near(told)) == ["card-b"]
        assert dict(told.index.models()) == {MODEL: 1}
        assert told.index.pending_count(MODEL) == before
        assert told.seen(Where(ALICE, tiers=(Tier.COLD,))) == ["a"]
        where = Where(ALICE)
        words = told.index.match("apple", ItemKind.CARD, where=where, limit=9)
        assert [s.id for s in words] == ["card-a"]
        assert [e.target for e in told.index.links(["card-a"], where)] == ["card-b"]
        assert list(told.index.check()) == []

    def test_a_late_vector(self, told: Told) -> None:
        """A vector that comes when its card has gone COLD is passed over."""
        told.cards(card("a"))
        told.tell(cooled("a"))
        told.index.put(MODEL, by_card(a=[FIRST_AXIS]))
        assert near(told) == {}
        assert dict(told.index.models()) == {}

    def test_back_again(self, told: Told) -> None:
        """A card that leaves COLD is first in the backlog and takes a vector."""
        told.cards(card("a"))
        told.index.put(MODEL, by_card(a=[FIRST_AXIS]))
        told.tell(cooled("a"))
        before = told.index.pending_count(MODEL)
        told.tell(cooled("a", tier=Tier.WARM))
        assert told.index.pending_count(MODEL) == before + 1
        assert card("a").text in {p.text for p in told.index.pending(MODEL, 100)}
        told.index.put(MODEL, by_card(a=[FIRST_AXIS]))
        assert list(near(told)) == ["card-a"]

    def test_shared_words(self, told: Told) -> None:
        """A vector stays while anything else that is not COLD has the same words."""
        same = {"title": "same words", "content": "here"}
        told.cards(card("a", **same), card("b", **same))
        told.says(session(), turn("1", "same words\nhere"))
        told.index.put(MODEL, {sha256("same words\nhere"): [FIRST_AXIS]})
        told.tell(cooled("a"))
        assert set(near(told)) == {"card-a", "card-b"}  # b's vector is a's: it says the same
        told.tell(cooled("b"))
        assert dict(told.index.models()) == {MODEL: 1}  # of the turn
        assert list(told.index.check()) == []

    def test_versions(self, told: Told) -> None:
        """A new version of a COLD card is COLD, and so are the vectors of those before it gone."""
        told.cards(card("a"))
        told.index.put(MODEL, by_card(a=[FIRST_AXIS]))
        told.tell(ch.CardRevised(revised(card("a"), title="newer")))
        told.tell(cooled("a"))
        assert dict(told.index.models()) == {}
        told.tell(ch.CardRevised(revised(revised(card("a"), title="newer"), title="newest")))
        assert told.one("a")[1].tier is Tier.COLD
        assert list(told.index.check()) == []

    def test_bytes(self, told: Told) -> None:
        """What vectors take is told by tier, of the cards that pass."""
        told.cards(card("a"), card("b"), card("bare"), card("bob", scope=BOB))
        told.index.put(MODEL, by_card(a=[FIRST_AXIS, turned(9)], b=[turned(60)], bob=[turned(5)]))
        told.tell(cooled("b", tier=Tier.WARM))
        assert told.index.vector_bytes(Where(ALICE)) == {Tier.HOT: (16, 80), Tier.WARM: (8, 40)}
        told.tell(cooled("b"))
        assert set(told.index.vector_bytes(Where(ALICE))) == {Tier.HOT}
