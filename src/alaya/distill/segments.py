"""Runs of turns on one topic: where a summary ends and the next one begins. Pure.

Hard borders are hours of silence and words that change the subject. Between them the four turns
before each gap are compared with the four behind it; a gap that is less alike than the threshold,
and the least alike around, is a border. Only these turns decide, never the mean of the session: so
what was a border stays one, however long the session grows, and what is not certain yet stays open.

Turns are compared by their vectors, from which the mean of what that role usually says was taken
(`centred`): what is left of two unrelated windows has a cosine of about 0. Without it turns of one
speaker are alike whatever they are about. Without vectors they are compared by their words.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from alaya.distill.topics import STOP, says_so
from alaya.model.grammar import is_grammar
from alaya.model.raw import ArchivedTurn, Origin, Role
from alaya.model.speech import said
from alaya.model.words import Stemmer, segment
from alaya.ports import Vector

WINDOW = 4  # turns that say something, on each side of a gap; as many has a topic at least
_WORDS = 0.07  # cosine of words below which the topic changes (benchmarks/segments.py)
_ASIDE = 2  # turns on both sides of words that change the subject: fewer are an aside
_LONGEST = 40  # turns that say something; a longer run is cut where it is least alike
_READ = 500  # characters of a turn whose words are compared
_TELLS = 2  # words that a turn which says something has
_VECTORS = 0.8  # of the turns that say something; fewer: all are compared by words


class Border(StrEnum):
    """Why a run ends."""

    TOPIC = "topic"
    SAID = "said"  # in words, such as `by the way`
    SILENCE = "silence"
    LENGTH = "length"
    END = "end"  # of what is known


@dataclass(frozen=True)
class Segment:
    """Turns `first` to `last` (indices, inclusive). `closed`: no turn will be added to it."""

    first: int
    last: int
    border: Border
    closed: bool


@dataclass(frozen=True)
class Cut:
    """How runs are cut. `threshold`: cosine of centred windows (-1..1) below which one ends."""

    threshold: float = 0.1
    silence: timedelta = timedelta(hours=2)


def segments(
    turns: Sequence[ArchivedTurn],
    *,
    cut: Cut,
    vectors: Sequence[Vector | None] = (),
    stem: Stemmer | None = None,
    over: bool = False,
) -> list[Segment]:
    """The runs of a session in order, covering every turn once; none for no turns.

    `vectors`: one for each turn, centred; None where there is none. `over`: nothing follows, so
    that the last run is closed, too.
    """
    terms = [_terms(one, stem) for one in turns]
    weighty = [i for i, words in enumerate(terms) if len(words) >= _TELLS]
    alike = _Alike(terms, vectors, weighty=weighty, threshold=cut.threshold)
    hard = _hard(turns, weighty, silence=cut.silence)
    borders: dict[int, Border] = {}
    starts = [0, *hard]
    for at, start in enumerate(starts):
        end = starts[at + 1] if at + 1 < len(starts) else len(turns)
        inside = weighty[bisect_left(weighty, start) : bisect_left(weighty, end)]
        borders |= alike.borders(inside, whole=over or at + 1 < len(starts))
    borders |= hard
    places = sorted(borders)
    found = [
        Segment(first, after - 1, borders[after], True)
        for first, after in zip([0, *places], places, strict=False)
    ]
    if turns:
        found.append(Segment(places[-1] if places else 0, len(turns) - 1, Border.END, over))
    return found


def centred(
    vectors: Sequence[Vector | None], roles: Sequence[Role], *, usual: Mapping[Role, Vector]
) -> list[Vector | None]:
    """Each turn's vector at length 1, less what its role usually says; None where not known."""
    import numpy as np

    found: list[Vector | None] = []
    for vector, role in zip(vectors, roles, strict=True):
        if vector is None or role not in usual:
            found.append(None)
            continue
        one = np.asarray(vector, dtype=np.float32)
        length = float(np.linalg.norm(one)) or 1.0
        less: Vector = one / length - np.asarray(usual[role], dtype=np.float32)  # type: ignore[assignment]
        found.append(less)
    return found


@dataclass(frozen=True)
class _Alike:
    """How alike turns are, by vectors where nearly all that say something have one."""

    terms: Sequence[Counter[str]]
    vectors: Sequence[Vector | None]
    weighty: Sequence[int]
    threshold: float

    def borders(self, inside: Sequence[int], *, whole: bool) -> dict[int, Border]:
        """Turns before which a run ends, among these turns that say something.

        Unless they are the `whole` of it, a border stands only where what follows cannot move it.
        """
        count = len(inside)
        last = count - WINDOW if whole else count - 2 * WINDOW - _ASIDE + 1
        excess = [self._excess(inside, gap) for gap in range(1, count)]
        found: dict[int, Border] = {}
        start = 0
        for gap in range(1, last + 1):
            if gap >= WINDOW and _lowest(excess, gap):
                found[inside[gap]], start = Border.TOPIC, gap
            elif gap - start >= _LONGEST:
                here = range(start + _LONGEST // 2, gap - WINDOW + 1)
                start = min(here, key=lambda g: (excess[g - 1], g))
                found[inside[start]] = Border.LENGTH
        return found

    def _excess(self, inside: Sequence[int], gap: int) -> float:
        """By how much the windows on both sides of a gap are more alike than a change of topic."""
        before, behind = inside[max(0, gap - WINDOW) : gap], inside[gap : gap + WINDOW]
        if self._by_vectors:
            return self._cosine(before, behind) - self.threshold
        left, right = Counter[str](), Counter[str]()
        for i in before:
            left.update(self.terms[i])
        for i in behind:
            right.update(self.terms[i])
        return _word_cosine(left, right) - _WORDS

    @property
    def _by_vectors(self) -> bool:
        if not self.vectors:
            return False
        known = sum(self.vectors[i] is not None for i in self.weighty)
        return known >= _VECTORS * len(self.weighty)

    def _cosine(self, before: Sequence[int], behind: Sequence[int]) -> float:
        import numpy as np

        sides = []
        for side in (before, behind):
            known = [v for i in side if (v := self.vectors[i]) is not None]
            if not known:
                return 1.0
            sides.append(np.sum(np.asarray(known, dtype=np.float64), axis=0))
        lengths = float(np.linalg.norm(sides[0]) * np.linalg.norm(sides[1]))
        return float(sides[0] @ sides[1]) / lengths if lengths else 1.0


def _lowest(excess: Sequence[float], gap: int) -> bool:
    """Whether a gap is below the threshold and no gap near it is lower, or as low before it."""
    at = gap - 1
    low = excess[at]
    before, behind = excess[max(0, at - WINDOW + 1) : at], excess[at + 1 : at + WINDOW]
    return low < 0 and all(low < e for e in before) and all(low <= e for e in behind)


def _hard(
    turns: Sequence[ArchivedTurn], weighty: Sequence[int], *, silence: timedelta
) -> dict[int, Border]:
    """Turns that begin a run for certain: after hours without a word, or because they say so."""
    found: dict[int, Border] = {}
    spoken = None
    start = 0
    for at, one in enumerate(turns):
        when = one.turn.said_at
        if at and when is not None and spoken is not None and when - spoken > silence:
            found[at], start = Border.SILENCE, at
        elif at and says_so(one):
            here = bisect_left(weighty, at)
            if min(here - bisect_left(weighty, start), len(weighty) - here) >= _ASIDE:
                found[at], start = Border.SAID, at
        spoken = when or spoken
    return found


def _terms(archived: ArchivedTurn, stem: Stemmer | None) -> Counter[str]:
    turn = archived.turn
    if turn.role not in (Role.USER, Role.ASSISTANT) or turn.origin is Origin.SYSTEM:
        return Counter()
    words = segment(said(turn)[:_READ]).words
    kept = (w for w in words if w not in STOP and not is_grammar(w))
    return Counter(stem(w) if stem else w for w in kept)


def _word_cosine(one: Counter[str], other: Counter[str]) -> float:
    if not one or not other:
        return 1.0
    dot = sum(n * other[w] for w, n in one.items() if w in other)
    norms = sum(n * n for n in one.values()) * sum(n * n for n in other.values())
    return dot / math.sqrt(norms)
