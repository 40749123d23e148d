"""What a run of turns is called without a model: the phrase that holds most of its words.

    title(["The error was caused by a stale lock in gateway.yaml."], {"lock": 3, "gateway.yaml": 2})
        == "Lock in gateway.yaml"
    title(["网关启动失败：端口 8443 被代理拒绝。"], {"网关": 3, "端口": 1}) == "网关启动失败"

It is quoted as it stands, never put together: at most two phrases, the second where it tells what
the first leaves out. English phrases end at pronouns, auxiliaries and conjunctions, Chinese ones
are clauses without what opens and closes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from alaya.distill.acts import HAN
from alaya.distill.topics import STOP
from alaya.model.grammar import is_grammar

_LONGEST, _LONGEST_HAN = 48, 20  # characters of one phrase
_MOST = 8  # words of one
_LENGTH = 0.03  # what a character costs, of the weight of the heaviest word
_SECOND = 0.75  # of what the first phrase holds, that a second one has to add
_SHOWN = re.compile(r"\[[^\]]*\]|【[^】]*】")  # "[shares a photo of …]" was sent, not said
_WORD = re.compile(r"[A-Za-z0-9_][\w'’+#/&-]*(?:\.[\w+-]+)*|[^\sA-Za-z0-9_]")
_INNER = frozenset(
    """of in on for with to at from by the a an my and into about as per vs
    through over under around after before during without up out off down back
    near""".split()  # noqa: SIM905
)
_BREAKS = frozenset(
    """i you he she it we they me him them us i'm i've i'll you're it's that's we're they're this
    that these those is are was were be been am has have had do does did don't doesn't didn't can
    could will would should may might must shall won't can't but so because if when while which
    who what where why how than then or not no yes yeah yep please thanks thank your his their
    there here let's let here's there's what's how's who's life's bout wow hey hi ok okay also
    just really very too such more most even still only since until though get got gets getting
    gonna wanna glad sure seem seems keep keeps""".split()  # noqa: SIM905
)
_CLAUSE_HAN = re.compile(
    r"[^，。！？；：、,!?;:…\n\s（）()“”\"「」]+"
    r"(?: ?[\w./-]+ ?[^，。！？；：、,!?;:…\n（）()“”\"「」]+)*"
)
_OPENS_HAN = re.compile(
    r"^(?:我们?|你们?|他们?|她们?|它们?|咱们?|大家|就|也|还|又|都|才|先|再|那么?|这[个样种次]?|但是?|不过|而且|因为"
    r"|所以|如果|然后|其实|真的|好的|嗯|哦|哈+|是的?|对|请|帮我|麻烦|可以|能不能|觉得|感觉|已经|今天|昨天|最近|原因是|的)+"
)
_CLOSES_HAN = re.compile(r"(?:了|呢|吗|吧|啊|呀|哦|的|啦|嘛|过)+$")


class _Phrase(NamedTuple):
    text: str
    held: frozenset[str]
    score: float


def title(texts: Sequence[str], weights: Mapping[str, float], *, dull: frozenset[str]) -> str:
    """The best one or two phrases of these sentences; empty where none holds a word that weighs.

    `weights` are those of words and names in small letters, `dull` words that tell nothing.
    """
    found: list[_Phrase] = []
    heaviest = max(weights.values(), default=0.0)
    for text in (_SHOWN.sub(" ", one) for one in texts):
        chinese = HAN.search(text) is not None
        for phrase in _han(text) if chinese else _latin(text, weights, dull=dull):
            held = _held(phrase, weights, chinese=chinese)
            score = sum(weights[key] for key in held) - _LENGTH * heaviest * len(phrase) / 2
            if held:
                found.append(_Phrase(phrase, held, score))
    if not found:
        return ""
    first = max(found, key=lambda one: (one.score, -len(one.text)))
    kept = [first]
    more = [(sum(weights[key] for key in one.held - first.held), one) for one in found]
    add, second = max(more, key=lambda pair: (pair[0], -len(pair[1].text)))
    if add > _SECOND * sum(weights[key] for key in first.held):
        kept.append(second)
    parts = [_capital(kept[0].text), *(one.text for one in kept[1:])]
    return ("；" if HAN.search(parts[0]) else "; ").join(parts)


def _held(phrase: str, weights: Mapping[str, float], *, chinese: bool) -> frozenset[str]:
    low = phrase.casefold()
    if chinese:
        return frozenset(key for key in weights if key in low)
    padded = f" {' '.join(one[0] for one in _WORD.finditer(low))} "
    return frozenset(key for key in weights if f" {key} " in padded)


def _latin(text: str, weights: Mapping[str, float], *, dull: frozenset[str]) -> Iterator[str]:
    """Runs of two words or more that begin and end with words that tell something.

    `and` joins only two words of weight: behind it something else may begin.
    """
    run: list[re.Match[str]] = []
    for word in (*_WORD.finditer(text), None):
        low = word[0].casefold().replace("’", "'") if word else ""
        joins = low != "and" or bool(run and run[-1][0].casefold() in weights)
        if run and run[-1][0].casefold() == "and" and low not in weights:
            yield from _windows(text, run[:-1], dull=dull)
            run = []
        if word is not None and low[0].isalnum() and low not in _BREAKS and joins:
            run.append(word)
            continue
        yield from _windows(text, run, dull=dull)
        run = []


def _windows(text: str, run: list[re.Match[str]], *, dull: frozenset[str]) -> Iterator[str]:
    def tells(word: str) -> bool:
        low = word.casefold()
        return not (low in _INNER or low in dull or low in STOP or is_grammar(low))

    ends = [at for at, word in enumerate(run) if tells(word[0])]
    for number, first in enumerate(ends):
        for last in ends[number + 1 :]:
            phrase = text[run[first].start() : run[last].end()]
            if last - first < _MOST and len(phrase) <= _LONGEST:
                yield phrase


def _han(text: str) -> Iterator[str]:
    for clause in _CLAUSE_HAN.finditer(text):
        phrase = _CLOSES_HAN.sub("", _OPENS_HAN.sub("", clause[0].strip()))
        if 3 < len(phrase) <= _LONGEST_HAN:
            yield phrase.strip()


def _capital(phrase: str) -> str:
    """With a capital, unless its first word is no plain one, such as `gateway.yaml`."""
    first = phrase.split(" ", 1)[0]
    return phrase[0].upper() + phrase[1:] if re.fullmatch(r"[a-z][a-z'’-]*", first) else phrase
