"""Which cards of a new draft are newer versions of which old cards of the same session. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from alaya.model.graph import Card, CardState
from alaya.model.raw import Span
from alaya.model.words import segment

_MARK = "distilled"  # in a card's metadata: the version that was last written by distilling
_ENOUGH = 0.5  # of the words that two cards cite: they are about the same
_ALIKE = 0.6  # of the words of two titles, where they cite the same turn
_IGNORED = re.compile(r"[\W_]+")


def untouched(card: Card, state: CardState) -> bool:
    """Whether a card is as distilling wrote it, and nobody pinned, revised or forgot it."""
    return (
        card.draft is not None
        and card.version == card.metadata.get(_MARK, 1)
        and not state.pinned
        and state.forgotten_at is None
        and state.retired_at is None
    )


def newer(old: Card, new: Card) -> Card:
    """The next version of `old`, which says what `new` says."""
    version = old.version + 1
    return replace(
        new,
        id=old.id,
        created_at=old.created_at,
        version=version,
        supersedes=f"{old.id}@{old.version}",
        horizon=old.horizon,
        metadata={**new.metadata, _MARK: version},
    )


def matches(new: Mapping[int, Card], old: Sequence[Card]) -> dict[int, Card]:
    """The old card of each new one (by its position) that has one; each old card once.

    They match with one title; or when they cite mostly the same words; or with similar titles from
    one turn. The best matches come first.
    """
    pairs = [
        (likeness, -position, -place, position, card)
        for position, one in new.items()
        for place, card in enumerate(old)
        if (likeness := _likeness(one, card))
    ]
    found: dict[int, Card] = {}
    taken: set[str] = set()
    for _, _, _, position, card in sorted(pairs, key=lambda pair: pair[:3], reverse=True):
        if position not in found and card.id not in taken:
            found[position] = card
            taken.add(card.id)
    return found


def _likeness(one: Card, other: Card) -> float:
    """0 where they do not match, else up to 3."""
    cited = _overlap(one.evidence, other.evidence)
    if _key(one.title) == _key(other.title):
        return 2 + cited
    titles = _dice(segment(one.title).words, segment(other.title).words)
    kind = 0.1 * (one.kind is other.kind)
    if cited >= _ENOUGH:
        return 1 + (cited + titles) / 2 - 0.1 + kind
    turns = {span.turn for span in one.evidence} & {span.turn for span in other.evidence}
    return titles - 0.1 + kind if turns and titles >= _ALIKE else 0.0


def _overlap(one: Iterable[Span], other: Iterable[Span]) -> float:
    """Characters that both cite, of those that the one which cites less does."""
    first, second = _characters(one), _characters(other)
    least = min(sum(map(len, first.values())), sum(map(len, second.values())))
    both = sum(len(first[turn] & second[turn]) for turn in first.keys() & second.keys())
    return both / least if least else 0.0


def _characters(spans: Iterable[Span]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for span in spans:
        found.setdefault(span.turn, set()).update(range(span.start, span.end))
    return found


def _dice(one: Iterable[str], other: Iterable[str]) -> float:
    first, second = set(one), set(other)
    total = len(first) + len(second)
    return 2 * len(first & second) / total if total else 0.0


def _key(title: str) -> str:
    return _IGNORED.sub(" ", unicodedata.normalize("NFKC", title).casefold()).strip()
