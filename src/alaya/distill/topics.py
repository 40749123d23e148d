"""Where the subject of a session changes: lexical cohesion, silence and words that say so.

After TextTiling (Hearst 1997, "TextTiling: Segmenting Text into Multi-paragraph Subtopic
Passages"): at each gap between turns the words of the turns before and after it are compared by
cosine; a gap that lies deep between two peaks of similarity is a boundary. Two windows slide over
the session, so that the time grows linearly with its length. No vectors of meaning are used: the
result must not depend on how far the embedding has come.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from alaya.model.raw import ArchivedTurn, Origin, Role
from alaya.model.speech import visible
from alaya.model.words import Stemmer, segment

_WINDOW = 4  # turns of talk on each side of a gap
_SHORTEST = 3  # turns of talk in a topic, unless its borders are explicit
_SILENCE = timedelta(hours=2)
_READ = 500  # characters of a turn that are compared
_COMMON = 0.5  # a word in more than this share of the turns tells nothing about the topic
_DEEP = 0.2  # a boundary's depth is at least this, whatever the session's mean
_REACH = 12  # gaps in each direction in which a peak is looked for
_WORDS = 4  # that name a topic
_SWITCH = re.compile(
    r"\s*(?:by the way|btw|on another note|chang(?:e|ing) (?:the |of )?(?:subject|topic)|"
    r"different (?:topic|question)|"
    r"unrelated|separate(?:ly)? (?:topic|question|issue|from)|next (?:topic|item|question|task)|"
    r"moving on|new topic|"
    r"another (?:topic|question|task)|completely different|另外|对了|换个?话题|说到别的|顺便(?:问|"
    r"说)|再问(?:一个|个)|"
    r"不说这个|下一个(?:问题|话题|任务)|言归正传|话说)",
    re.IGNORECASE,
)
_STOP_WORDS = """
    the a an and or but if of to in on at for with from by as is are was
    were be been am i you he she it we they me my your our his her its
    their this that these those do does did have has had can could will
    would should may might not no yes so just then than there here what
    which who how when where why all any some about into out up down over
    also very more most like get got go going make let us one two now ok
    okay thanks thank please don't it's i'm i'll that's 我们 你们 他们 这个 那个 一个
    什么 怎么 可以 就是 还是 没有 不是 一下 现在 这样 那么 因为 所以
    如果 但是 然后 已经 时候 问题 知道 觉得 应该
"""
STOP = frozenset(_STOP_WORDS.split())


@dataclass(frozen=True)
class Topic:
    """Turns `first` to `last` (indices, inclusive). `explicit`: silence or words opened it."""

    first: int
    last: int
    words: tuple[str, ...]
    explicit: bool = False


def topics(turns: Sequence[ArchivedTurn], stem: Stemmer | None = None) -> list[Topic]:
    """The topic runs of a session, in order, covering every turn."""
    if not turns:
        return []
    talk = [i for i, t in enumerate(turns) if _is_talk(t)]
    terms = _terms(turns, talk, stem=stem)
    explicit = {i for i in range(1, len(turns)) if opens(turns, i)}
    borders = sorted(explicit | _lexical(talk, terms, explicit=explicit))
    starts = [0, *borders]
    ends = [*(b - 1 for b in borders), len(turns) - 1]
    by_turn = dict(zip(talk, terms, strict=True))
    rarity = _rarity(terms)
    return [
        Topic(first, last, _names(by_turn, first, last=last, rarity=rarity), first in explicit)
        for first, last in zip(starts, ends, strict=True)
    ]


def opens(turns: Sequence[ArchivedTurn], at: int) -> bool:
    """Whether the turn opens a new subject by silence before it or by saying so."""
    turn, previous = turns[at].turn, turns[at - 1].turn
    if turn.said_at and previous.said_at and turn.said_at - previous.said_at > _SILENCE:
        return True
    return says_so(turns[at])


def says_so(archived: ArchivedTurn) -> bool:
    """Whether a person changes the subject in so many words, such as `by the way`."""
    turn = archived.turn
    return turn.role is Role.USER and _SWITCH.match(visible(turn)) is not None


def _is_talk(archived: ArchivedTurn) -> bool:
    turn = archived.turn
    return (
        turn.role in (Role.USER, Role.ASSISTANT)
        and turn.origin is not Origin.SYSTEM
        and bool(visible(turn).strip())
    )


def _terms(
    turns: Sequence[ArchivedTurn], talk: Sequence[int], *, stem: Stemmer | None
) -> list[Counter[str]]:
    counted = [
        Counter(w for w in segment(visible(turns[i].turn)[:_READ], stem).words if w not in STOP)
        for i in talk
    ]
    if len(counted) < 2 * _WINDOW:
        return counted
    spread = Counter(w for one in counted for w in one)
    common = {w for w, n in spread.items() if n > _COMMON * len(counted)}
    return [Counter({w: n for w, n in one.items() if w not in common}) for one in counted]


def _lexical(talk: Sequence[int], terms: Sequence[Counter[str]], *, explicit: set[int]) -> set[int]:
    """Turn indices at which cohesion breaks, away from explicit borders and from each other."""
    if len(talk) < 2 * _SHORTEST:
        return set()
    similar = _similarities(terms)
    depths = [_depth(similar, i) for i in range(len(similar))]
    mean = sum(depths) / len(depths)
    spread = math.sqrt(sum((d - mean) ** 2 for d in depths) / len(depths))
    cutoff = max(_DEEP, mean + spread / 2)
    taken = {0, len(talk), *(k for k, i in enumerate(talk) if i in explicit)}
    found = set()
    # Deepest first; a set of blocked places keeps each look-up constant.
    blocked = {k + d for k in taken for d in range(1 - _SHORTEST, _SHORTEST)}
    for gap in sorted(range(len(depths)), key=lambda g: (-depths[g], g)):
        if depths[gap] < cutoff:
            break
        if gap + 1 not in blocked:
            found.add(talk[gap + 1])
            blocked.update(range(gap + 2 - _SHORTEST, gap + 1 + _SHORTEST))
    return found


def _similarities(terms: Sequence[Counter[str]]) -> list[float]:
    """Cosine of the word counts in the windows before and after each gap; shape (n - 1,)."""
    left: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for one in terms[:_WINDOW]:
        right.update(one)
    found = []
    for gap in range(len(terms) - 1):
        _shift(left, terms[gap], goes=terms[gap - _WINDOW] if gap >= _WINDOW else None)
        ahead = gap + _WINDOW
        _shift(right, terms[ahead] if ahead < len(terms) else None, goes=terms[gap])
        found.append(_cosine(left, right))
    return found


def _shift(window: Counter[str], comes: Counter[str] | None, *, goes: Counter[str] | None) -> None:
    if comes:
        window.update(comes)
    for word, count in (goes or {}).items():
        window[word] -= count
        if window[word] <= 0:
            del window[word]


def _cosine(a: Counter[str], b: Counter[str]) -> float:
    if not a or not b:
        return 0.0
    if len(b) < len(a):
        a, b = b, a
    dot = sum(n * b[w] for w, n in a.items() if w in b)
    norms = sum(n * n for n in a.values()) * sum(n * n for n in b.values())
    return dot / math.sqrt(norms)


def _depth(similar: Sequence[float], at: int) -> float:
    """How far the gap lies below the peaks on both sides (Hearst's depth score)."""
    left = right = similar[at]
    for i in range(at - 1, max(-1, at - _REACH), -1):
        if similar[i] < left:
            break
        left = similar[i]
    for i in range(at + 1, min(len(similar), at + _REACH)):
        if similar[i] < right:
            break
        right = similar[i]
    return left + right - 2 * similar[at]


def _rarity(terms: Sequence[Counter[str]]) -> dict[str, float]:
    spread = Counter(w for one in terms for w in one)
    return {w: math.log(1 + len(terms) / n) for w, n in spread.items()}


def _names(
    by_turn: dict[int, Counter[str]], first: int, *, last: int, rarity: dict[str, float]
) -> tuple[str, ...]:
    total: Counter[str] = Counter()
    for i in range(first, last + 1):
        total.update(by_turn.get(i, {}))
    ranked = sorted(total, key=lambda w: (-total[w] * rarity.get(w, 1.0) * (len(w) > 1), w))
    return tuple(ranked[:_WORDS])
