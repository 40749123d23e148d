"""Links between the cards of one draft, each with its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from alaya.distill.candidates import Candidate
from alaya.distill.reading import Reading, Voice
from alaya.model.graph import CardKind
from alaya.model.record import DraftCard, DraftLink
from alaya.model.relations import CAUSED_BY, RELATES_TO, SIMILAR_TO, TEMPORAL_NEXT

_NEAR = 6  # utterances within which a rule or a choice answers a failure
_PER_CARD = 3


def links(
    cards: Sequence[DraftCard], candidates: Sequence[Candidate], *, reading: Reading
) -> tuple[DraftLink, ...]:
    """At most three links for each card, the specific ones first, one for each pair."""
    chinese = _mostly_chinese(cards)
    found: list[DraftLink] = []
    pairs: set[frozenset[int]] = set()
    degree: Counter[int] = Counter()
    proposed = [
        *_caused(candidates, cards, chinese=chinese),
        *_next(candidates, cards, chinese=chinese),
        *_shared(cards, chinese, reading=reading),
    ]
    for link in proposed:
        pair = frozenset((link.source, link.target))
        if pair in pairs or max(degree[link.source], degree[link.target]) >= _PER_CARD:
            continue
        pairs.add(pair)
        degree.update(pair)
        found.append(link)
    return tuple(found)


def _caused(
    candidates: Sequence[Candidate], cards: Sequence[DraftCard], *, chinese: bool
) -> Iterator[DraftLink]:
    """A rule or a decision drawn from a failure close before it was caused by that failure."""
    for i, failure in enumerate(candidates):
        if failure.kind is not CardKind.GOTCHA:
            continue
        for j, after in enumerate(candidates):
            if after.kind not in (CardKind.PATTERN, CardKind.DECISION):
                continue
            distance = min(after.turns) - max(failure.turns)
            # A rule so soon after a failure is its lesson; a choice may be about something else.
            same = after.kind is CardKind.PATTERN or bool(_names(cards[i], cards[j]))
            if 0 <= distance <= _NEAR and same:
                reason = (
                    f"在“{cards[i].title}”之后得出" if chinese else f"drawn from: {cards[i].title}"
                )
                yield DraftLink(j, i, CAUSED_BY, reason, 0.8 if distance <= 2 else 0.6)


def _next(
    candidates: Sequence[Candidate], cards: Sequence[DraftCard], *, chinese: bool
) -> Iterator[DraftLink]:
    """The next decision on the same thing follows the one before."""
    last: int | None = None
    for i, one in enumerate(candidates):
        if one.kind is not CardKind.DECISION:
            continue
        if last is not None:
            shared = _names(cards[last], cards[i])
            if shared or min(one.turns) - max(candidates[last].turns) <= _NEAR:
                about = ", ".join(shared) or ("同一次讨论" if chinese else "the same discussion")
                reason = f"随后的决定：{about}" if chinese else f"decided next, on {about}"
                yield DraftLink(last, i, TEMPORAL_NEXT, reason, 0.7)
        last = i


def _shared(cards: Sequence[DraftCard], chinese: bool, *, reading: Reading) -> Iterator[DraftLink]:
    """Cards that share names: of one kind they are similar, else related.

    The name of a speaker is in every card of a talk and ties nothing together.
    """
    speakers = {u.name.casefold() for u in reading.utterances if u.name and u.voice is Voice.PERSON}
    spread = Counter(t.casefold() for c in cards for t in c.tags)
    rated = []
    for i, a in enumerate(cards):
        for j in range(i + 1, len(cards)):
            shared = [
                t
                for t in _names(a, cards[j])
                if t.casefold() not in speakers and spread[t.casefold()] <= max(3, len(cards) // 3)
            ]
            if shared:
                rated.append((-len(shared), i, j, shared))
    for count, i, j, shared in sorted(rated):
        alike = cards[i].kind is cards[j].kind is CardKind.GOTCHA
        reason = ("共同提到：" if chinese else "both mention ") + ", ".join(shared[:3])
        weight = min(0.9, 0.4 - 0.15 * count)
        yield DraftLink(i, j, SIMILAR_TO if alike else RELATES_TO, reason, round(weight, 2))


def _names(a: DraftCard, b: DraftCard) -> list[str]:
    known = {t.casefold() for t in b.tags}
    return [t for t in a.tags if t.casefold() in known]


def _mostly_chinese(cards: Sequence[DraftCard]) -> bool:
    han = sum(any("\u4e00" <= c <= "\u9fff" for c in card.title) for card in cards)
    return han * 2 > len(cards)
