"""A talk between people cut into exchanges: what belongs together to be understood.

An answer means little without its question, and a thought is often sent as three messages. So the
unit of a talk is not the turn but the exchange: at most six turns and 1,500 characters, cut where
words without an echo of what was said before open a subject, and never between a question and its
answer if that can be helped. A turn that answers and asks in one breath is cut inside: its question
opens the next exchange. Among all ways to cut, the best is found exactly, by dynamic programming.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from alaya.distill.acts import HAN, Act
from alaya.distill.facts import telling
from alaya.distill.features import asking
from alaya.distill.reading import Reading, Said, Utterance
from alaya.distill.topics import STOP
from alaya.model.words import segment

MOST_TURNS = 6
MOST_CHARACTERS = 1500
# What a cut is worth at a gap; a cut costs something, so that exchanges are not needlessly short.
_OPENS = 1.0  # no word of the stretches before, or the subject changes around here
_OWN = 0.5  # the speaker's own question, in the same turn
_GOES_ON = -1.0  # the same speaker goes on
_AWAITED = -2.0  # the question before is not answered yet
_ALONE = 0.5  # less for an exchange of one turn
_FORCED = 9.0  # silence of hours, or "by the way"
_BACK, _SUBJECT = 3, 2  # stretches whose words a new question does not repeat; words it has
_STEM, _SHORT = 6, 3  # characters of an English word: `paint` and `painting` are one; too short
_LAST = 3  # sentences at the end of a turn among which a question opens what follows
_GREETING = re.compile(
    r"(?:hey+|hi+|hello|yo|good (?:morning|afternoon|evening|night)|"
    r"(?:morning|afternoon|evening|night)(?=[\W_]*$|[,!.])|bye+|goodbye|thanks|thank you|thx|ty|"
    r"no problem|no worries|anytime|you too|same here|take care|see (?:you|ya)|"
    r"talk (?:to you )?(?:soon|later)|catch you later|long time no (?:see|talk)|"
    r"how(?:'s| is| are|re) (?:you|it|things|everything|life)(?: (?:doing|going|been))?|"
    r"how have you been|how about you|and you|what'?s (?:up|new)|hbu|wbu|"
    r"(?:good|nice|great) to (?:see|hear from) you|"
    r"(?:i'm|im|i am) (?:doing |feeling )?(?:very |pretty |really |quite |so )?(?:good|great|fine|"
    r"well|ok(?:ay)?|alright)(?:,? (?:thanks|thank you)(?: for asking)?)?)(?![\w-])"
    r"|你好|您好|嗨|哈喽|早安|早上好|晚上好|晚安|午安|再见|拜拜|回聊|下次聊|谢谢|多谢|不客气|"
    r"在吗|吃了吗|你呢|最近怎么样|好久不见",
    re.IGNORECASE,
)
_YES = re.compile(
    r"(?:yes|yeah|yep|yup|no|nope|ok(?:ay)?|sure|right|exactly|true|absolutely|definitely|wow|lol|"
    r"(?:ha)+h?|hm+|(?:so |very |how |really |super )?(?:nice|cool|great|awesome|amazing|lovely|"
    r"sweet|fun|funny))\W*$|(?:嗯+|哦+|好的?|好呀|行|是的?|对的?|没事|哈+|嘿+|"
    r"(?:好|真|太|很|挺)?(?:厉害|棒|羡慕|可爱|有意思|不错|好吃|好看)[了啊呀哦吧的]*)\W*$",
    re.IGNORECASE,
)
_NAME = re.compile(r"^\w+[,!.，！。]\s*")
_ADORNED = re.compile(r"^\W+")
_FEW_WORDS, _FEW_HAN = 3, 4  # behind a greeting: a name; beyond these it goes on to tell


@dataclass(frozen=True)
class Stretch:
    """Sentences of one utterance that say something. `asks`: what follows answers them."""

    one: Utterance
    said: tuple[Said, ...]
    asks: bool

    @property
    def size(self) -> int:
        """Characters."""
        return sum(s.end - s.start for s in self.said)


Exchange = tuple[Stretch, ...]


def exchanges(
    stretches: Sequence[Stretch], *, breaks: Collection[int], borders: Collection[int], cost: float
) -> list[Exchange]:
    """The stretches in order, cut so that the sum over the cuts is largest.

    `breaks`: utterances before which a cut must be, unless they answer; `borders`: before which
    the subject probably changes; `cost` of a cut: the higher, the longer the exchanges.
    """
    total = len(stretches)
    words = [_content(s) for s in stretches]
    worth = [0.0]
    for i in range(1, total):
        new = _is_new(words[i], words[max(0, i - _BACK) : i])
        worth.append(_worth(stretches[i - 1 : i + 1], new, breaks=breaks, borders=borders))
    best = [0.0] + [float("-inf")] * total
    cut = [0] * (total + 1)
    for end in range(1, total + 1):
        turns: set[int] = set()
        size = 0
        for start in range(end - 1, -1, -1):
            turns.add(stretches[start].one.index)
            size += stretches[start].size
            if start < end - 1 and (len(turns) > MOST_TURNS or size > MOST_CHARACTERS):
                break
            gain = best[start] + (worth[start] - cost if start else 0.0)
            gain -= _ALONE * (len(turns) == 1)
            if gain > best[end]:
                best[end], cut[end] = gain, start
            if worth[start] == _FORCED:
                break
    found: list[Exchange] = []
    end = total
    while end:
        found.append(tuple(stretches[cut[end] : end]))
        end = cut[end]
    return found[::-1]


def stretches(reading: Reading) -> list[Stretch]:
    """What was said, greetings and mere reactions left out; a turn's last question by itself.

    Of the context only a question that the first fresh turn may answer.
    """
    found: list[Stretch] = []
    for one in reading.utterances:
        parts = _parts(one, reading, asked=bool(found) and found[-1].asks)
        if not one.fresh:
            found = [p for p in parts if p.asks][-1:]
        else:
            found.extend(parts)
    return found if any(s.one.fresh for s in found) else []


def _parts(one: Utterance, reading: Reading, *, asked: bool) -> list[Stretch]:
    said = [
        s for i, s in enumerate(one.said) if _says(s, one, reading=reading, asked=asked and not i)
    ]
    first = max(0, len(said) - _LAST)
    opens = next((i for i in range(first, len(said)) if asking(said[i])), None)
    if opens is None:
        return [Stretch(one, tuple(said), asks=False)] if said else []
    parts = [Stretch(one, tuple(said[:opens]), asks=False)] if opens else []
    return [*parts, Stretch(one, tuple(said[opens:]), asks=True)]


def _says(said: Said, one: Utterance, *, reading: Reading, asked: bool) -> bool:
    """Whether a sentence says more than hello and how nice. A brief answer (`asked`) does."""
    words = _ADORNED.sub("", said.text)
    if greets(words):
        return False
    if asked or asking(said):
        return True
    if _YES.match(words):
        return False
    return not said.does(Act.REACTION) or telling(said, one, reading=reading) >= 1


def greets(words: str) -> bool:
    """Whether it is a greeting, with a name or another greeting behind it at most."""
    found = _GREETING.match(words)
    if found is None:
        return False
    rest = _ADORNED.sub("", words[found.end() :])
    brief = len(HAN.findall(rest)) <= _FEW_HAN and len(rest.split()) <= _FEW_WORDS
    return brief or greets(_NAME.sub("", rest, count=1))


def _content(stretch: Stretch) -> frozenset[str]:
    """Stems of the words that say what it is about."""
    return frozenset(
        word[:_STEM]
        for said in stretch.said
        for word in segment(said.text).words
        if word not in STOP and (len(word) > _SHORT or not word.isascii())
    )


def _is_new(said: frozenset[str], before: Sequence[frozenset[str]]) -> bool:
    """Whether words have a subject of their own: "how was it?" has none."""
    return len(said) >= _SUBJECT and not any(said & words for words in before)


def _worth(
    pair: Sequence[Stretch], new: bool, *, breaks: Collection[int], borders: Collection[int]
) -> float:
    """What a cut between two stretches is worth. `new`: the second has another subject."""
    before, after = pair
    between = range(before.one.index + 1, after.one.index + 1)
    if any(i in breaks for i in between) and not before.asks:
        return _FORCED
    worth = _AWAITED if before.asks else _OPENS * new
    if before.one.index == after.one.index:
        worth += _OWN * new
    elif before.one.name == after.one.name and not (new and after.asks):
        worth += _GOES_ON
    return worth + _OPENS * any(i in borders for i in between)
