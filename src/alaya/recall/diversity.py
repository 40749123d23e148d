"""The same fact ten times fills one place: maximal marginal relevance over what was chosen.

Carbonell and Goldstein 1998: next comes what maximises λ·score − (1 − λ)·redundancy, where λ is
1 − `recall.diversity`. Redundancy is the largest overlap with anything chosen before, and 0 but for
what says the same in nearly the same words, so that nothing else changes its place. What is
redundant goes behind; it is not lost.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from alaya.model.forms import Forms

_MORE = 0.8  # Jaccard overlap from which a text that only adds or lacks words says the same
_OTHER = 0.95  # and one in which words stand in the place of others: mostly another fact
_QUOTE = 5  # terms from which one text inside another is no accident
_LOOKED_UP = 300  # terms by which texts that may be the same are found
_NOT = re.compile(r"\b(?:not|no)\b", re.IGNORECASE)  # carry grammar, so they are no terms
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True)
class Told:
    """What a hit tells. `text` is asked for only where terms leave a doubt."""

    forms: Forms
    text: Callable[[], str]
    speaker: str = ""

    @cached_property
    def terms(self) -> frozenset[str]:
        return frozenset(self.forms.terms)

    @cached_property
    def padded(self) -> str:
        """The terms with spaces before, between and behind: made to be searched."""
        return self.forms.padded

    @cached_property
    def looked_up(self) -> list[str]:
        """Its first terms, each once."""
        return list(dict.fromkeys(self.forms.terms))[:_LOOKED_UP]


def spread(
    told: Sequence[Told],
    scores: Sequence[float],
    *,
    limit: int,
    diversity: float,
    seen: Iterable[Told] = (),
) -> dict[int, float]:
    """The numbers of the `limit` to be shown, in order, each with how much of it stands before.

    `scores` fall; `seen` was shown before.

    Greedy choice with lazy bounds (Minoux 1978): redundancy only grows, so a value that was worked
    out before is a bound, and only the top of a heap is looked at again.
    """
    if diversity <= 0:
        return dict.fromkeys(range(len(told))[:limit], 0.0)
    shelf = _Shelf()
    for one in seen:
        shelf.put(one)
    heap = [(-(1 - diversity) * score, n) for n, score in enumerate(scores)]
    heapq.heapify(heap)
    chosen: dict[int, float] = {}
    while heap and len(chosen) < limit:
        bound, n = heap[0]
        repeated = shelf.redundancy(told[n])
        value = -(1 - diversity) * scores[n] + diversity * repeated
        if value > bound:
            heapq.heapreplace(heap, (value, n))
            continue
        heapq.heappop(heap)
        chosen[n] = repeated
        shelf.put(told[n])
    return chosen


def enough(keys: Iterable[Hashable], wanted: int) -> int:
    """How many of a ranking hold `wanted` different keys: repetitions take no place."""
    different: set[Hashable] = set()
    count = 0
    for key in keys:
        if key not in different and len(different) == wanted:
            break
        different.add(key)
        count += 1
    return count


def overlap(new: Told, old: Told) -> float:
    """How much of what `new` tells `old` tells, where that is nearly everything; else 0.

    Other numbers, another speaker, a denial, or a question beside its answer are other facts.
    """
    if not new.terms or not old.terms:
        return 0.0
    sizes = len(new.terms), len(old.terms)
    if min(sizes) >= _MORE * max(sizes):  # else they cannot overlap so far
        only_new, only_old = new.terms - old.terms, old.terms - new.terms
        shared = len(new.terms) - len(only_new)
        jaccard = shared / (shared + len(only_new) + len(only_old))
        if jaccard >= (_OTHER if only_new and only_old else _MORE):
            return jaccard if _agree(new, old, different=only_new | only_old) else 0.0
    if new.forms.length >= _QUOTE and new.padded in old.padded:
        return 1.0 if _quoted(new, old) else 0.0
    return 0.0


def _agree(new: Told, old: Told, *, different: frozenset[str]) -> bool:
    if new.forms.asks != old.forms.asks or any(_DIGIT.search(term) for term in different):
        return False
    if new.speaker and old.speaker and new.speaker != old.speaker:
        return False
    return _denials(new) == _denials(old)


def _quoted(new: Told, old: Told) -> bool:
    if new.speaker and old.speaker and new.speaker != old.speaker:
        return False
    return _denials(new) == _denials(old) or new.text().strip() in old.text()


def _denials(told: Told) -> int:
    return len(_NOT.findall(told.text()))


class _Shelf:
    """What was chosen, found again by its terms."""

    def __init__(self) -> None:
        self._chosen: list[Told] = []
        self._by_term: dict[str, list[int]] = {}

    def put(self, told: Told) -> None:
        for term in told.looked_up:
            self._by_term.setdefault(term, []).append(len(self._chosen))
        self._chosen.append(told)

    def redundancy(self, told: Told) -> float:
        """The largest overlap with anything on the shelf.

        What overlaps by 0.8 lacks at most a fifth of the terms, so it has all but so many of any:
        the two fifths are looked up that the fewest others have.
        """
        terms, by_term = told.looked_up, self._by_term
        lacking = len(terms) // 5
        rarest = sorted(terms, key=lambda term: len(by_term.get(term, ())))[: 2 * lacking + 1]
        shared = Counter(n for term in rarest for n in by_term.get(term, ()))
        largest = 0.0
        for n, count in shared.items():
            if count >= len(rarest) - lacking:
                largest = max(largest, overlap(told, self._chosen[n]))
                if largest == 1.0:
                    break
        return largest
