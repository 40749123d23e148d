"""From two cards that say the same to one that keeps all that both had. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from alaya.model.graph import Card, CardState, Horizon
from alaya.model.raw import lowest

TOOK = "merged"  # in the metadata of a card: the ids of those that it took in

_T = TypeVar("_T")


def elder(one: tuple[Card, CardState], other: tuple[Card, CardState]) -> tuple[Card, Card]:
    """Of two that say the same: (the one to be kept, the other). Pinned before said first."""

    def order(pair: tuple[Card, CardState]) -> tuple[object, ...]:
        card, state = pair
        return not state.pinned, card.said_at, card.created_at, card.id

    (first, _), (second, _) = sorted((one, other), key=order)
    return first, second


def merged(kept: Card, others: Sequence[Card], *, now: datetime) -> Card:
    """The next version of `kept`, which takes in the others: their evidence, events, sources and
    tags beside its own; the highest importance and confidence, the lowest origin, said first.

    What it says stays as it is: the others say nothing that it does not.
    """
    cards = [kept, *others]
    gone = {card.id for card in cards}
    took = [kept.metadata.get(TOOK, ()), *(c.metadata.get(TOOK, ()) for c in others)]
    metadata: dict[str, object] = {}
    for card in reversed(cards):
        metadata |= card.metadata
    metadata[TOOK] = list(_once([*(i for ids in took for i in ids), *(c.id for c in others)]))
    long = any(card.horizon is Horizon.LONG for card in cards)
    return replace(
        kept,
        tags=_tags(cards),
        importance=max(card.importance for card in cards),
        confidence=max(card.confidence for card in cards),
        evidence=_once(span for card in cards for span in card.evidence),
        source_events=_once(event for card in cards for event in card.source_events),
        derived_from=tuple(
            i for i in _once(i for card in cards for i in card.derived_from) if i not in gone
        ),
        origin=lowest([card.origin for card in cards]),
        horizon=Horizon.LONG if long else kept.horizon,
        said_at=min(card.said_at for card in cards),
        updated_at=now,
        version=kept.version + 1,
        supersedes=f"{kept.id}@{kept.version}",
        metadata=metadata,
    )


def rederived(card: Card, into: dict[str, str], *, now: datetime) -> Card | None:
    """The next version of a card that was derived from what was merged; None where it was not."""
    sources = tuple(i for i in _once(into.get(i, i) for i in card.derived_from) if i != card.id)
    if sources == card.derived_from:
        return None
    return replace(
        card,
        derived_from=sources,
        updated_at=now,
        version=card.version + 1,
        supersedes=f"{card.id}@{card.version}",
    )


def _once(items: Iterable[_T]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys(items))


def _tags(cards: Sequence[Card]) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for card in cards:
        for tag in card.tags:
            found.setdefault(tag.casefold(), tag)
    return tuple(found.values())
