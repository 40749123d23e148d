"""A reply about several sessions cut into one for each, as if asked about alone. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from alaya.distill.prompts.cards import Asked
from alaya.distill.proposals import reference, title_key

Value = Mapping[str, Any]


def shares(value: Value, asked: Sequence[Asked]) -> list[dict[str, Any]]:
    """Cards go to the session that most of their turns belong to, with its own numbers.

    A card that cites none goes to the first, where it is dropped and counted. A link stays where
    both its ends are of one session.
    """
    if len(asked) == 1:
        return [dict(value)]
    turns = [0, *accumulate(len(one.window.lines) for one in asked)]
    known = [0, *accumulate(len(one.known) for one in asked)]
    parts: list[dict[str, Any]] = [{"cards": [], "links": []} for _ in asked]
    places: list[tuple[int, int]] = []  # by number of the card: its session, its number there
    for card in value.get("cards", ()):
        homes = [home for n in card["turns"] if (home := _home(n, turns)) is not None]
        home = max(homes, key=lambda h: (homes.count(h), -h)) if homes else 0
        own = [n - turns[home] for n in card["turns"] if _home(n, turns) == home]
        parts[home]["cards"].append({**card, "turns": own})
        places.append((home, len(parts[home]["cards"])))
    titles = {title_key(c["title"]): p for c, p in zip(value.get("cards", ()), places, strict=True)}
    for link in value.get("links", ()):
        ends = [_end(link[side], titles, places=places, known=known) for side in ("from", "to")]
        homes = [end[0] for end in ends if end is not None]
        if len(homes) == 2 and homes[0] == homes[1]:
            named = [end[1] for end in ends if end is not None]
            parts[homes[0]]["links"].append({**link, "from": named[0], "to": named[1]})
    return parts


def _home(number: int, starts: Sequence[int]) -> int | None:
    """Which session the turn or known card of this number belongs to."""
    if not 0 < number <= starts[-1]:
        return None
    return next(i for i, end in enumerate(starts[1:]) if number <= end)


def _end(
    name: str,
    titles: Mapping[str, tuple[int, int]],
    *,
    places: Sequence[tuple[int, int]],
    known: Sequence[int],
) -> tuple[int, str] | None:
    """The session of a link's end, and its name there."""
    if found := titles.get(title_key(name)):
        return found[0], str(found[1])
    of_known, number = reference(name) or (False, 0)
    if of_known:
        home = _home(number, known)
        return None if home is None else (home, f"K{number - known[home]}")
    if not 0 < number <= len(places):
        return None
    home, own = places[number - 1]
    return home, str(own)
