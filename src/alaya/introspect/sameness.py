"""How two cards stand to each other by their words alone: the same, one inside the other, opposed.

Pure, in English and Chinese. Opposed are two that say nearly the same but for a number, a denial or
a pair of opposites (`enable` and `disable`, 启用 and 禁用); they are never one, however alike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from alaya.model.graph import Card
from alaya.model.words import normal, segment

_SAME_BUT = 0.6  # overlap of words, numbers and opposites aside, from which two texts say one thing
_HAN_NUMBER = "零〇一二两三四五六七八九十百千万亿半"
_NUMBER = re.compile(
    rf"\d+(?:[.,:/-]\d+)*|[{_HAN_NUMBER}]+"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|twice)\b"
)
_DENIAL = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|false|wrong|incorrect|instead)\b|n['’]t\b"
    r"|[不没无未别勿非莫]|错误|拒绝"
)
# One side of each contradicts the other.
_OPPOSITES = tuple(
    (re.compile(one), re.compile(other))
    for one, other in (
        (r"\benabl\w*|启用|开启|打开", r"\bdisabl\w*|禁用|关闭|关掉"),
        (r"\ballow\w*|\bpermit\w*|允许", r"\bforbid\w*|\bden(?:y|ies|ied)\b|\bblock\w*|禁止"),
        (r"\btrue\b|正确", r"\bfalse\b|错误"),
        (r"\balways\b|总是|一直", r"\bnever\b|从不|从来"),
        (r"\bbefore\b|之前|以前", r"\bafter\b|之后|以后"),
        (r"\bincreas\w*|\brais\w*|增加|提高", r"\bdecreas\w*|\breduc\w*|\blower\w*|减少|降低"),
        (r"\blik(?:e|es|ed)\b|\blov\w*|喜欢|喜爱", r"\bdislik\w*|\bhat(?:e|es|ed)\b|讨厌"),
        (r"\bsucceed\w*|\bsuccess\w*|成功", r"\bfail\w*|失败"),
        (r"\bopen\w*\b", r"\bclos\w*\b"),
        (r"\binclud\w*|包括|包含", r"\bexclud\w*|排除|除外"),
        (r"\bsafe\w*|安全", r"\bunsafe\w*|\bdangerous\w*|危险"),
        (r"\brequired\b|\bmandatory\b|必须|必需", r"\boptional\w*|可选"),
        (r"\bstart\w*|启动|开始", r"\bstop\w*|停止|结束"),
        (r"\bmore\b|更多|多于", r"\bless\b|\bfewer\b|更少|少于"),
        (r"\bon\b", r"\boff\b"),
    )
)
_BY_ITSELF = re.compile(r"[\s.。!！;；,，、]+$", re.MULTILINE)

# What joins a letter or digit to what is beside it: 80 is not in 8080 or -80, nor C in C++.
_WORDY = re.compile(r"\w", re.ASCII)
_BEFORE = re.compile(r"(?:\w[._:-]?|[-+.])$", re.ASCII)
_AFTER = re.compile(r"[.,_:-]?\w|[+#]", re.ASCII)


class Sameness(StrEnum):
    """What the words of two cards say: `INSIDE` the first stands in the second, `AROUND` turned."""

    IDENTICAL = "identical"
    INSIDE = "inside"
    AROUND = "around"
    OPPOSED = "opposed"
    OTHER = "other"


@dataclass(frozen=True)
class Wording:
    """What is compared of a card. `rest`: its words but for numbers, denials and opposites."""

    whole: str
    content: str
    title: frozenset[str]
    words: frozenset[str]
    rest: frozenset[str]
    numbers: Counter[str]
    denials: int
    sides: tuple[tuple[int, int], ...]
    asks: bool


def wording(card: Card) -> Wording:
    """Read a card once, to compare it often."""
    whole = _plain(card.text)
    rest = whole
    sides = tuple((len(a.findall(whole)), len(b.findall(whole))) for a, b in _OPPOSITES)
    for pattern in (_NUMBER, _DENIAL, *(side for pair in _OPPOSITES for side in pair)):
        rest = pattern.sub(" ", rest)
    return Wording(
        whole=whole,
        content=_plain(card.content),
        title=_terms(card.title),
        words=_terms(card.text),
        rest=_terms(rest),
        numbers=Counter(_NUMBER.findall(whole)),
        denials=len(_DENIAL.findall(whole)),
        sides=sides,
        asks=card.text.rstrip().endswith(("?", "？")),
    )


def compared(one: Wording, other: Wording) -> Sameness:
    """How the first stands to the second."""
    if one.whole == other.whole:
        return Sameness.IDENTICAL
    if opposed(one, other):
        return Sameness.OPPOSED
    if one.asks == other.asks and one.denials == other.denials:
        if _inside(one, other):
            return Sameness.INSIDE
        if _inside(other, one):
            return Sameness.AROUND
    return Sameness.OTHER


def opposed(one: Wording, other: Wording) -> bool:
    """Whether they say nearly the same, and one of them says it differently where it matters."""
    if jaccard(one.rest, other.rest) < _SAME_BUT:
        return False
    more, less = one.numbers - other.numbers, other.numbers - one.numbers
    return (
        bool(more and less)
        or one.denials != other.denials
        or one.asks != other.asks
        or any(_against(a, b) for a, b in zip(one.sides, other.sides, strict=True))
    )


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """The words of both, of those of either; 1 for two that have none."""
    either = len(one | other)
    return len(one & other) / either if either else 1.0


def _against(one: Sequence[int], other: Sequence[int]) -> bool:
    """One text has only the one of two opposites, the other only the other."""
    return bool(
        (one[0] and not one[1] and other[1] and not other[0])
        or (one[1] and not one[0] and other[0] and not other[1])
    )


def _inside(one: Wording, other: Wording) -> bool:
    """Whether the second holds the first's content word for word, and the words of its title."""
    if not one.content or not one.title <= other.words:
        return False
    text, at = other.whole, other.whole.find(one.content)
    while at >= 0:
        end = at + len(one.content)
        torn = (_WORDY.match(one.content[0]) and _BEFORE.search(text[max(0, at - 2) : at])) or (
            _WORDY.match(one.content[-1]) and _AFTER.match(text[end : end + 2])
        )
        if not torn:
            return True
        at = text.find(one.content, at + 1)
    return False


def _plain(text: str) -> str:
    """The text as it is compared: case, spaces and the ends of its lines aside."""
    return " ".join(_BY_ITSELF.sub("", normal(text).casefold()).split())


def _terms(text: str) -> frozenset[str]:
    found = segment(text)
    return frozenset(found.words if len(found.words) > 2 else (*found.words, *found.chars))
