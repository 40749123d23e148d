"""What fits into a budget: whole items by their worth, then parts of long ones."""

from __future__ import annotations

import pytest

from alaya.model.context import ContextItem, Section
from alaya.recall.budget import Packed, Room, Writing, pack

ROOM = {"count": len, "held": lambda text: text.count("port")}
WRITING = Writing(
    entry=lambda item: f"{item.id}: {item.text}",
    heading=lambda section: f"## {section}\n",
    block=lambda items: "<\n" + "\n".join(f"{i.id}: {i.text}" for i in items) + "\n>",
)


def item(id: str, text: str = "short", section: Section = Section.TURNS, **fields) -> ContextItem:
    return ContextItem(section, id, text, (f"[{id}]",), **fields)


def packed(*items: ContextItem, budget: int, bare: bool = False) -> Packed:
    return pack(items, Room(budget, **ROOM), writing=WRITING, bare=bare)


def shown(found: Packed) -> list[str]:
    return [one.id + "…" * one.cut for one in found.items]


LOG = "Nothing to see. " * 60


def test_whole_things_before_parts_of_long_ones() -> None:
    """An endless quote is first cut to its share; what is short stays whole; then the rest of the
    room goes to what was cut."""
    found = packed(item("long", f"{LOG}The port is 8080. {LOG}"), item("a"), item("b"), budget=900)
    assert shown(found) == ["long…", "a", "b"]
    text = found.items[0].text
    assert (text[:2], text[-2:]) == ("… ", " …")
    assert "see. The port is 8080. Nothing" in text
    assert 850 < len(found.text) <= 900
    assert found.left_out == 0


def test_small_things_fit_where_a_big_one_does_not() -> None:
    """A card that does not fit any more waits; the ones after it are not kept back by it."""
    one, two = (item(n, "port " * 14, Section.CARDS) for n in ("one", "two"))
    found = packed(one, two, item("b"), budget=160)
    assert shown(found) == ["one", "b", "two…"]
    small = packed(one, two, item("b"), budget=120)
    assert (shown(small), small.left_out) == (["one", "b"], 1)


def test_a_card_beyond_the_budget_gets_a_share() -> None:
    """What can never be whole is cut at once, and leaves room for the next."""
    found = packed(item("big", "x" * 500, Section.CARDS), item("b"), budget=100)
    assert shown(found) == ["big…", "b"]


def test_a_card_may_take_everything() -> None:
    """Where the best card fits, it is shown whole, whatever its share."""
    found = packed(item("big", "x" * 700, Section.CARDS), item("a"), budget=760)
    assert shown(found) == ["big", "a"]


def test_a_fact_is_whole_or_not_there() -> None:
    """Half a fact can be a wrong one."""
    found = packed(item("fact", "It is not so. " * 30, Section.FACTS), item("a"), budget=300)
    assert shown(found) == ["a"]
    assert found.left_out == 1


def test_notes_leave_half_to_the_rest() -> None:
    """Long notes take half of the budget while something waits, and all of it alone."""
    note = item("note", "Step by step. " * 99, Section.NOTES)
    found = packed(note, item("a", "said " * 50), budget=600)
    assert shown(found) == ["note…", "a"]
    assert len(packed(note, budget=600).text) > 550


def test_the_whole_text_decides() -> None:
    """Where the whole is longer than its parts together, the least important ones go."""
    writing = Writing(
        entry=WRITING.entry,
        heading=WRITING.heading,
        block=lambda items: WRITING.block(items) + "!" * 40 * max(len(items) - 1, 0),
    )
    found = pack([item(n) for n in "abcdef"], Room(130, **ROOM), writing=writing, bare=False)
    assert shown(found) == ["a", "b", "c"]
    assert len(found.text) <= 130
    assert found.left_out == 3


def test_a_turn_gives_way_to_the_card_that_cites_it() -> None:
    """Also when the turn was found first; without room for the card the turn stands."""
    turn, card = item("s#1"), item("card", "words", Section.CARDS, sources=("s#1",))
    assert shown(packed(turn, card, budget=200)) == ["card"]
    assert packed(turn, card, budget=200).left_out == 0
    huge = item("card", "words " * 90, Section.CARDS, sources=("s#1",))
    assert shown(packed(turn, huge, budget=40)) == ["s#1"]


@pytest.mark.parametrize(("budget", "text"), [(10, "<\n\n>"), (3, "")])
def test_nothing_found(budget: int, text: str) -> None:
    """A bare text stands where it fits; where it need not stand, nothing does."""
    assert packed(budget=budget, bare=True) == Packed((), text, 0)
    assert packed(budget=budget) == Packed((), "", 0)
