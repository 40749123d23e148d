"""What every index must know of its past beside what it held: what was given up since."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from alaya.model import change as ch
from alaya.model.graph import Horizon, Link, Tier
from alaya.model.passage import ItemKind, Where
from alaya.testing.index_contract import IndexContract
from alaya.testing.invented import ALICE, BOB, Told, card, day, link, revised


class PastContract(IndexContract):
    """A read at a time is as of then; what came of it since is asked apart."""

    def test_what_was_given_up_since(self, told: Told) -> None:
        """Cards and links that stood at a time and stand no longer, with when that was; as read
        at that time they do not know it."""
        told.cards(card("a"), card("b"), card("住址"))
        fact, kept = link("a", "R", target="b", fact="端口是 8080"), link("b", "R", target="a")
        told.links(fact, kept)
        then = told.tell(ch.Cooled(ALICE, ()))
        first = told.tell(ch.FactRetired(ALICE, fact.id, "it moved"))
        second = told.tell(ch.CardRevised(revised(card("住址"), content="新地址")))
        third = told.tell(ch.CardMerged(revised(card("b"), content="both"), ("card-a",)))
        ids = ["card-a", "card-b", "card-住址", fact.id, "card-none", "' OR 1"]
        expected = {fact.id: first, "card-住址": second, "card-a": third, "card-b": third}
        assert told.index.given_up(ids, ALICE, since=then) == expected
        assert told.index.given_up(ids, BOB, since=then) == {}
        tick = timedelta(microseconds=1)
        later = told.index.given_up(ids, ALICE, since=third - tick)
        assert later == {"card-a": third, "card-b": third}
        assert told.index.given_up(ids, ALICE, since=third) == {}
        asked = Where(ALICE, believed_at=then)
        assert {k.retired_at for k in told.index.all_links(asked)} == {None}
        assert {s.retired_at for _, s in told.index.cards(ids, asked)} == {None}

    def test_what_was_told_again_stands(self, told: Told) -> None:
        """Given up and told again as it was, before or after a time: it is not given up since."""
        told.cards(card("a"), card("b"))
        given: Link = link("a", "R", target="b")
        told.links(given)
        then = told.tell(ch.Cooled(ALICE, ()))
        told.tell(ch.LinkRetired(ALICE, given.id, "a slip"))
        between = told.tell(ch.CardRevised(revised(card("a"), content="别的")))
        assert set(told.index.given_up([given.id, "card-a"], ALICE, since=then)) == {
            given.id,
            "card-a",
        }
        told.tell(ch.LinkAdded(given), ch.CardRevised(replace(card("a"), version=3)))
        assert told.index.given_up([given.id, "card-a"], ALICE, since=then) == {}
        last = told.tell(ch.LinkRetired(ALICE, given.id, "again", day(3)))
        assert told.index.given_up([given.id], ALICE, since=then) == {given.id: last}
        # It did not stand between, so that it was not given up since then.
        assert told.index.given_up([given.id], ALICE, since=between) == {}

    def test_relations_are_looked_for_as_they_are_now(self, told: Told) -> None:
        """What a relation meant before has no vector any more: at any time its own of now counts,
        of all relations that are in use now."""
        told.cards(card("a"), card("b"))
        told.links(link("a", "受启发于", target="b"))
        found = told.index.pending("model", 1_000)
        told.index.put("model", {one.text_hash: [[1.0, 0.0]] for one in found})
        near = [
            told.index.nearest("model", [1.0, 0.0], kind=ItemKind.RELATION, where=where, limit=99)
            for where in (Where(ALICE), Where(ALICE, believed_at=day(-9)))
        ]
        assert near[0] == near[1]
        assert "受启发于" in {one.id for one in near[1]}

    def test_where_a_card_was_kept(self, told: Told) -> None:
        """Tier and horizon of before are known, also where they were what a card begins with."""
        told.cards(card("a"))
        then = told.tell(ch.Cooled(ALICE, ()))
        told.tell(ch.Promoted(ALICE, ("card-a",), Horizon.LONG))
        told.tell(ch.Cooled(ALICE, (("card-a", Tier.COLD),)))
        now, before = told.one("a"), told.one("a", Where(ALICE, believed_at=then))
        assert (now[0].horizon, now[1].tier) == (Horizon.LONG, Tier.COLD)
        assert (before[0].horizon, before[1].tier) == (Horizon.SHORT, Tier.HOT)
