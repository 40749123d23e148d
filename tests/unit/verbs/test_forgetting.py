"""Pin, forget, restore, forgotten, and the step of an introspection that forgets."""

from __future__ import annotations

from datetime import timedelta

import pytest

from alaya import Where
from alaya.errors import InvalidInput, NotFound
from alaya.introspect.forgetting import forget as step
from alaya.model.scope import Scope
from alaya.testing.invented import ALICE, BOB, card, day, link


def introspect(home, *, dry_run: bool = False):
    return step(home.memory, dry_run=dry_run, progress=None)


def test_forgotten_is_hidden_and_restorable(minding) -> None:
    """A forgotten card leaves recall and its neighbours, is listed with the reason, and returns."""
    home = minding()
    home.add(card("a", "网关端口", content="8080"), card("b"), link("a", "SIMILAR_TO", target="b"))
    assert home.memory.recall("网关端口").hits
    told = home.memory.forget("card-a", reason="搬走了")
    assert told.cards == (("card-a", "网关端口"),)
    assert home.seen() == {"b"}
    assert home.links() == set()
    assert not home.memory.recall("网关端口").hits
    [listed] = home.memory.forgotten()
    assert (listed.card.id, listed.reason) == ("card-a", "搬走了")
    # The journal's clock never stands still.
    assert timedelta(0) <= listed.forgotten_at - home.now < timedelta(seconds=1)
    assert home.memory.restore("card-a").cards == (("card-a", "网关端口"),)
    assert home.memory.recall("网关端口").hits[0].id == "card-a"
    assert home.links() == {("a", "SIMILAR_TO", "b")}
    assert home.memory.forgotten() == []


def test_saying_it_twice_changes_nothing(minding) -> None:
    """What is so already is reported as such, and the journal does not grow."""
    home = minding()
    home.add(card("a"), card("b"))
    for verb in ("pin", "unpin", "forget", "restore"):
        getattr(home.memory, verb)("card-a")
        before = home.records()
        told = getattr(home.memory, verb)("card-a", "card-a")
        assert told.cards == ()
        assert told.unchanged == (("card-a", "title a"),)
        assert home.records() == before


@pytest.mark.parametrize("verb", ["pin", "unpin", "forget", "restore"])
def test_one_unknown_card_and_nothing_is_done(minding, verb) -> None:
    """All of the named or none; another user's card is unknown."""
    home = minding()
    home.add(card("a"), card("theirs", scope=BOB))
    before = home.records()
    for unknown in ("card-x", "card-theirs"):
        with pytest.raises(NotFound, match=f"no card {unknown} "):
            getattr(home.memory, verb)("card-a", unknown)
    with pytest.raises(InvalidInput):
        getattr(home.memory, verb)()
    assert home.records() == before


def test_a_pinned_card_is_not_forgotten_by_name_or_query(minding) -> None:
    """By name it is refused with what to do; a query passes it over."""
    home = minding()
    home.add(card("a", "gateway port"), card("b", "gateway port too"))
    home.memory.pin("card-a")
    with pytest.raises(InvalidInput, match="card-a is pinned; unpin it first"):
        home.memory.forget("card-a", "card-b")
    told = home.memory.forget(query="gateway port", dry_run=True)
    assert [name for name, _ in told.cards] == ["card-b"]
    assert told.dry_run
    assert home.seen() == {"a", "b"}
    home.memory.forget(query="gateway port")
    assert home.seen() == {"a"}
    home.memory.unpin("card-a")
    home.memory.forget("card-a")
    assert home.seen() == set()


def test_a_query_that_finds_nothing_forgets_nothing(minding) -> None:
    """It is no mistake; cards and a query together are."""
    home = minding()
    home.add(card("a", "gateway"))
    assert home.memory.forget(query="量子色动力学").cards == ()
    with pytest.raises(InvalidInput, match="one of both"):
        home.memory.forget("card-a", query="gateway")


def test_who_depends_on_what_is_forgotten_is_named(minding) -> None:
    """Forgetting by hand is obeyed, and says what still builds on it."""
    home = minding()
    home.add(card("a"), card("b"), card("c"), link("b", "CAUSED_BY", target="a"))
    assert home.memory.forget("card-a").needed_by == (("card-a", "card-b"),)
    assert home.memory.forget("card-c").needed_by == ()


def test_pages_of_what_was_forgotten(minding) -> None:
    """What was forgotten last stands first, page by page."""
    home = minding()
    home.add(*(card(f"{n:02}") for n in range(5)))
    for n in range(5):
        home.at(2 + n)
        home.memory.forget(f"card-{n:02}")
    pages = [home.memory.forgotten(limit=2, offset=offset) for offset in (0, 2, 4, 6)]
    names = [[one.card.id[-2:] for one in page] for page in pages]
    assert names == [["04", "03"], ["02", "01"], ["00"], []]
    with pytest.raises(InvalidInput):
        home.memory.forgotten(limit=0)


def test_the_step_forgets_once_and_a_dry_run_not_at_all(minding) -> None:
    """One change for all; a second run commits nothing."""
    home = minding()
    home.at(1)
    home.add(card("old"), card("needed"), card("pinned"))
    home.memory.pin("card-pinned")
    home.at(200)
    home.add(card("new", said_at=day(200)), link("new", "DEPENDS_ON", target="needed"))
    before = home.records()
    assert introspect(home, dry_run=True).counts["forgotten"] == 1
    assert home.records() == before
    report = introspect(home)
    assert report.counts == {"forgotten": 1, "faded": 1}
    assert home.seen() == {"needed", "pinned", "new"}
    assert home.records() == before + 1
    assert introspect(home).counts == {"forgotten": 0}
    assert home.records() == before + 1
    assert home.memory.forgotten()[0].reason == "alaya: faded 1"


def test_what_was_restored_stays_for_a_while(minding) -> None:
    """The next introspection does not take it again; one after forget_days may."""
    home = minding()
    home.at(1)
    home.add(card("old"))
    home.at(200)
    introspect(home)
    home.memory.restore("card-old")
    assert introspect(home).counts["forgotten"] == 0
    home.at(291)
    assert introspect(home).counts["forgotten"] == 1


def test_recalls_count_before_anything_is_forgotten(minding) -> None:
    """What was recalled three times is not forgotten, though nobody had counted yet."""
    home = minding()
    home.at(1)
    home.add(card("a", "gateway port"), card("b", "月球的背面"))
    for _ in range(3):
        assert home.memory.recall("gateway port").hits
    home.memory.status()
    home.at(200)
    introspect(home)
    assert home.seen() == {"a"}


def test_another_users_cards_are_not_looked_at(minding) -> None:
    """Introspection stays within the wall; an agent's view forgets for the whole user."""
    home = minding()
    home.at(1)
    home.add(card("mine"), card("theirs", scope=BOB), card("agents", scope=Scope("alice", "x")))
    home.at(200)
    assert introspect(home).counts["forgotten"] == 2
    found = home.memory.parts.index.cards(["card-theirs"], Where(BOB))
    assert found
    assert ALICE.user == "alice"


def test_no_policy_forgets_nothing(minding) -> None:
    """introspect.forget_policy none."""
    home = minding(introspect__forget_policy="none")
    home.at(1)
    home.add(card("old"))
    home.at(900)
    assert introspect(home).told[0].key == "off"
    assert home.seen() == {"old"}


def test_what_was_restored_does_not_fade_either(minding) -> None:
    """Cooling lets short-term cards of little weight fade: not one that was brought back."""
    home = minding()
    home.at(1)
    home.add(card("small", importance=0.1))
    home.at(40)
    assert home.memory.introspect(only="cool").steps[0].counts["faded"] == 1
    home.memory.restore("card-small")
    assert home.memory.introspect(only="cool").steps[0].counts["faded"] == 0
    home.at(131)
    assert home.memory.introspect(only="cool").steps[0].counts["faded"] == 1
