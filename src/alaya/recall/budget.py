"""Choosing what fits: whole items in the order of their worth, then parts of long ones.

What a single item costs only guides the choice; the length of the whole text decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from alaya.model.context import ContextItem, Section
from alaya.recall.quoting import excerpt

_SHARE, _ALWAYS = 3, 200  # a third of the budget, or so many tokens, is the most for one item
_NOTES = 2  # half of the budget is the most for notes while others want it
_LEAST = 16  # tokens of a part that are worth showing
_TRIES = 3
_PARTS = 5  # of what waits, so many are looked at for a part that fits
_WIDEST = 16  # characters that a token has at most, on average: what is longer is not counted


@dataclass(frozen=True)
class Room:
    """A budget in tokens, how they are counted, and how much of the question a text holds."""

    budget: int
    count: Callable[[str], int]
    held: Callable[[str], int]


@dataclass(frozen=True)
class Writing:
    """How an item, the heading of a section and a whole text are written."""

    entry: Callable[[ContextItem], str]
    heading: Callable[[Section], str]
    block: Callable[[Sequence[ContextItem]], str]


@dataclass(frozen=True)
class Packed:
    """What fits, and as what text; empty where not even one item does. `left_out` counts."""

    items: tuple[ContextItem, ...]
    text: str
    left_out: int


def pack(found: Sequence[ContextItem], room: Room, *, writing: Writing, bare: bool) -> Packed:
    """The best of what was found, most important first, that is written within the budget.

    A turn that a card in the text cites is not shown again, and is not left out either. `bare`:
    a text with nothing in it says something, and stands where nothing fits.
    """
    bag = _Bag(room, writing)
    if found:
        bag.open(found[0])
    waiting = []
    for item in found:
        for card in _citing(item, found):  # it says it shorter
            bag.take_whole(card, bag.left)
        if not bag.take(item):
            waiting.append(item)
    rest = [item for item in waiting if not bag.take_whole(item, bag.left)]
    for item in rest[:_PARTS]:
        bag.take_part(item, bag.left)
    bag.lengthen(found)
    items = [item for item in bag.items if not _quoted(item, bag.items)]
    while items or bare:
        text = writing.block(items)
        if room.count(text) <= room.budget:
            shown = {item.id for item in items}
            left = [i for i in found if i.id not in shown and not _quoted(i, items)]
            return Packed(tuple(items), text, len(left))
        if not items:
            break
        items.pop()
    return Packed((), "", len(found))


def _citing(item: ContextItem, found: Sequence[ContextItem]) -> Iterator[ContextItem]:
    """The cards that cite this turn."""
    for other in found if item.section is Section.TURNS else ():
        if other.section is Section.CARDS and item.id in other.sources:
            yield other


def _quoted(item: ContextItem, among: Sequence[ContextItem]) -> bool:
    """Whether this is a turn that a card among these cites."""
    return item.section is Section.TURNS and any(
        item.id in other.sources for other in among if other.section is Section.CARDS
    )


class _Bag:
    """What was taken so far, and about what it costs."""

    def __init__(self, room: Room, writing: Writing) -> None:
        self._room, self._writing = room, writing
        self._notes = 0
        self._costs: dict[ContextItem, int] = {}
        self.items: list[ContextItem] = []
        self.left = room.budget

    def open(self, first: ContextItem) -> None:
        """Pay for what stands around the items."""
        whole = self._room.count(self._writing.block([first]))
        self.left -= max(whole - self.cost(first), 0)

    def cost(self, item: ContextItem) -> int:
        """What it would add to the text."""
        new = all(taken.section is not item.section for taken in self.items)
        head = self._room.count(self._writing.heading(item.section)) if new else 0
        if item not in self._costs:
            self._costs[item] = self._room.count(self._writing.entry(item)) + 1
        return head + self._costs[item]

    def take(self, item: ContextItem) -> bool:
        """Take it whole, or in part where it is longer than one item may be while others wait.

        A card is short and may take everything; what was said can be endless.
        """
        budget = self._room.budget
        share = max(budget // _SHARE, min(_ALWAYS, budget * 2 // _SHARE))
        longest = budget if item.section is Section.CARDS else share
        if item.section is Section.NOTES:
            longest = min(longest, budget // _NOTES - self._notes)
        if self.take_whole(item, min(longest, self.left)):
            return True
        room = min(share, longest, self.left)
        return room > _LEAST and self._is_beyond(item, longest) and self.take_part(item, room)

    def take_whole(self, item: ContextItem, most: int) -> bool:
        """Take it if it costs no more; what is there already need not be taken."""
        if item.id in (taken.id for taken in self.items) or _quoted(item, self.items):
            return True
        if self._is_beyond(item, most):
            return False
        self._add(item, self.cost(item))
        return True

    def take_part(self, item: ContextItem, most: int) -> bool:
        """Take the part of its text that says most. A fact is whole or not there.

        Part of a card is worth less than the turn that it cites.
        """
        turns = {taken.id for taken in self.items if taken.section is Section.TURNS}
        there = item.section is Section.CARDS and turns.intersection(item.sources)
        if item.section is Section.FACTS or there:
            return False
        room = most - self.cost(replace(item, text="", cut=True))
        for _ in range(_TRIES):
            if room < _LEAST:
                return False
            text = excerpt(item.text, room, count=self._room.count, held=self._room.held)
            if text is None:
                return False
            part = replace(item, text=text, cut=True)
            cost = self.cost(part)
            if cost <= most:
                self._add(part, cost)
                return True
            room -= max(cost - most, 1)  # written, a text may be longer: escapes, indents
        return False

    def lengthen(self, found: Sequence[ContextItem]) -> None:
        """Give what is left to those of which only a part was taken, the shortest ones first."""
        wholes = {item.id: item for item in found}
        parts = [wholes[part.id] for part in self.items if part.cut]
        for item in sorted(parts, key=self.cost):
            self._again(item)

    def _again(self, item: ContextItem) -> None:
        place = next(i for i, taken in enumerate(self.items) if taken.id == item.id)
        part = self.items.pop(place)
        before = self.cost(part)
        self.left += before
        if not (self.take_whole(item, self.left) or self.take_part(item, self.left)):
            self._add(part, before)
        self.items.insert(place, self.items.pop())

    def _is_beyond(self, item: ContextItem, most: int) -> bool:
        return len(item.text) > most * _WIDEST or self.cost(item) > most

    def _add(self, item: ContextItem, cost: int) -> None:
        self.items.append(item)
        self.left -= cost
        self._notes += cost if item.section is Section.NOTES else 0
