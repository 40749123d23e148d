"""A summary without a model: the sentences of a run of turns that tell most, with who said them.

It quotes and does not conclude. What tells is what the rules look for anyway: of people who talk,
what they tell of themselves; in work with an agent, failures, causes, choices and facts; and words
that the run keeps coming back to. A run in which nothing tells has no summary.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from alaya.distill.acts import HAN, Act
from alaya.distill.dates import day_of, named
from alaya.distill.exchanges import greets
from alaya.distill.facts import telling
from alaya.distill.features import asking
from alaya.distill.reading import Reading, Said, Utterance, Voice
from alaya.distill.tags import tags
from alaya.distill.titles import title
from alaya.distill.topics import STOP
from alaya.distill.wording import called, shortened
from alaya.model.grammar import is_grammar
from alaya.model.record import DraftSummary
from alaya.model.words import script, segment

Rarity = Callable[[Collection[str]], Mapping[str, float]]

_ROOM = {False: 700, True: 280}  # characters of quotes, and where they are Chinese
_MOST = 7  # sentences
_QUOTE = 260  # characters of one sentence
_NEEDED = 1.0  # of a sentence that tells
_SAME = 0.6  # share of a sentence's words that were quoted before: it tells nothing new
_LABEL = 3  # words of a topic
_WEIGHED = 8  # by which its phrase is chosen
_LABEL_HAN, _LABEL_LATIN = 8, 24  # characters of one of them
# Words that are said of everything, beside those that only hold a sentence together.
_DULL = frozenset(
    """able actually already always amazing another anything around away awesome back best better
    bit came come cool day days definitely every everyone everything excited feel feeling felt few
    find fun getting gonna great guys haha happy hard having hear heard hello help hey hope job
    keep keeps kind last later life little lol long look looking looks lot lots love loved made
    make making many maybe mean means moment moments much need never new next nice off often ones
    others pic photo photos people place pretty really right same saw see shares share show since
    something soon special started still stuff super sure take taking talk talking there's thing
    things think thought time times today took try trying until use used want wanted way week
    weekend weeks well what's work working wow yeah year years yes yesterday yet you're
    不过 其实 真的 感觉 有点 特别 今天 明天 昨天 最近 一直 一起 一些 还有 觉得 比较 可能 非常 事情
    东西 图片 照片""".split()  # noqa: SIM905
)
_SHOWN = re.compile(r"[\[<【（(]")  # "[a photo of …]", "【图片】": what was sent, not said
_OF_PERSON = Act.DECISION | Act.PERSONAL | Act.TASTE | Act.VITAL | Act.STANDING | Act.PROJECT
_OF_PERSON |= Act.PROBLEM | Act.DEFINITION | Act.REMEMBER | Act.EVENT | Act.ORDER
_OF_AGENT = Act.CAUSE | Act.FIX | Act.LESSON | Act.RULE | Act.DEFINITION
_HALF = Act.SUCCESS | Act.MAYBE_DECISION | Act.MAYBE_PROJECT | Act.MAYBE_CAUSE | Act.MAYBE_FIX
_HALF |= Act.MAYBE_PROBLEM | Act.TIME
_LEAST_OF_TOOL = 3.0  # a program's own complaint is quoted where nothing else tells as much


@dataclass(frozen=True)
class _Rated:
    score: float
    said: Said
    words: frozenset[str]


def quoted(reading: Reading, turns: range, *, rarity: Rarity) -> DraftSummary | None:
    """What these utterances (indices of the reading) say, in their own words; None for nothing.

    `rarity` weighs words by how seldom they are in the whole memory.
    """
    run = [reading.utterances[i] for i in turns]
    chinese = is_chinese(run)
    chosen = _chosen(run, reading, room=_ROOM[chinese])
    if not chosen:
        return None
    lines = [_line(run, group, chinese=chinese) for group in _by_turn(chosen)]
    when = _when(run, chosen, chinese=chinese)
    return DraftSummary(
        topic=topic_of(run, chosen, rarity=rarity),
        content="\n".join([*lines, when] if when else lines),
        first=run[0].turn.turn.id,
        last=run[-1].turn.turn.id,
        evidence=tuple(
            (run[s.turn - turns.start].turn.turn.id, s.start, min(s.end, s.start + _QUOTE))
            for s in chosen
        ),
    )


def is_chinese(run: Sequence[Utterance]) -> bool:
    """Whether what is said is Chinese rather than English."""
    talk = [one.words for one in run if one.voice is not Voice.TOOL]
    return script(" ".join(words[:400] for words in talk)) == "han"


def topic_of(run: Sequence[Utterance], chosen: Sequence[Said], *, rarity: Rarity) -> str:
    """The phrase that holds most of what the run says most and the memory least, see `titles`.

    Where no phrase does, at most three such names or words; where nothing is said twice, the
    beginning of the first sentence that is quoted.
    """
    speakers = {w for one in run if one.name for w in _words(one.name)}
    counts: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for one in run:
        if one.voice is Voice.TOOL or one.invented:
            continue
        for name in _candidates(one.words):
            key = name.casefold()
            dull = key in STOP or key in _DULL or is_grammar(key)
            if not (dull or set(_words(name)) & speakers):
                counts[key] += 1
                shown.setdefault(key, name)
    said = [s.text for one in run if one.voice is not Voice.TOOL for s in one.said]
    for key in filter(HAN.search, shown):  # without spaces a name stands inside other pieces, too
        counts[key] = sum(key in text.casefold() for text in said)
    weights = rarity([*counts])
    ranked = sorted(counts, key=lambda k: (-_weight(k, counts, weights=weights), k))
    kept: list[str] = []
    for key in (key for key in ranked if counts[key] > 1):
        if len(kept) < _LABEL and not any(key in other or other in key for other in kept):
            kept.append(key)
    if not kept:
        return shortened(chosen[0].text)
    weighed = {
        key: _weight(key, counts, weights=weights) for key in ranked[:_WEIGHED] if counts[key] > 1
    }
    named = title(said, weighed, dull=_DULL | speakers)
    return named or ("、" if is_chinese(run) else ", ").join(shown[key] for key in kept)


def _weight(key: str, counts: Mapping[str, int], *, weights: Mapping[str, float]) -> float:
    """Said often, and seldom said elsewhere; a word said once is no topic."""
    return (counts[key] - 0.5) * weights.get(key, 1.0)


def _candidates(text: str) -> list[str]:
    """Words that may name what a text is about: of Chinese what stands between function words."""
    found = [w for w in tags([text], [text]) if len(w) <= (_LABEL_HAN if HAN.search(w) else 24)]
    latin = [w for w in segment(text).words if w.isascii() and len(w) > 2 and not w.isdigit()]
    known = {name.casefold() for name in found}
    return [*found, *(w for w in dict.fromkeys(latin) if w not in known)]


def _chosen(run: Sequence[Utterance], reading: Reading, *, room: int) -> list[Said]:
    """The sentences to quote, in order, none of them only repeating another."""
    counts = Counter(w for one in run for s in one.said for w in set(_words(s.text)))
    rated = [
        _Rated(_score(s, one, reading=reading, counts=counts), s, frozenset(_words(s.text)))
        for one in run
        for s in one.said
    ]
    kept: list[_Rated] = []
    seen: set[str] = set()
    for one in sorted(rated, key=lambda r: (-r.score, r.said.turn, r.said.start)):
        if one.score < _NEEDED or len(kept) >= _MOST:
            break
        size = min(len(one.said.text), _QUOTE)
        repeats = one.words and len(one.words & seen) > _SAME * len(one.words) and kept
        if repeats or (kept and size > room):
            continue
        room -= size
        seen |= one.words
        kept.append(one)
    return sorted((one.said for one in kept), key=lambda s: (s.turn, s.start))


def _score(said: Said, one: Utterance, *, reading: Reading, counts: Mapping[str, int]) -> float:
    """How much a sentence tells, about -3..6."""
    words = set(_words(said.text))
    if len(words) < 2 or greets(said.text):
        return 0.0
    central = sum(min(counts[w], 4) - 1 for w in words) / (3 * math.sqrt(len(words)))
    if _SHOWN.match(said.text):
        return min(central, 1.0) - 0.5
    if reading.people:
        return telling(said, one, reading=reading) + min(central, 1.0) - 0.5 * asking(said)
    if one.voice is Voice.TOOL:
        told = 1.0 * said.does(Act.PROBLEM)
        return told + min(central, 1.0) - _LEAST_OF_TOOL + _NEEDED
    acts = _OF_PERSON if one.voice is Voice.PERSON else _OF_AGENT
    score = 2.0 * said.does(acts) + 0.7 * said.does(_HALF) + min(central, 1.5)
    score += 0.3 * (one.voice is Voice.PERSON) - 1.0 * asking(said) * (not said.does(acts))
    return score - 2.0 * said.does(Act.REACTION) - 2.0 * one.invented


def _words(text: str) -> list[str]:
    return [w for w in segment(text).words if w not in STOP and not is_grammar(w)]


def _by_turn(chosen: Sequence[Said]) -> list[list[Said]]:
    groups: list[list[Said]] = []
    for said in chosen:
        if groups and groups[-1][0].turn == said.turn:
            groups[-1].append(said)
        else:
            groups.append([said])
    return groups


def _line(run: Sequence[Utterance], group: Sequence[Said], *, chinese: bool) -> str:
    """Who, and what in quotation marks."""
    one = run[group[0].turn - run[0].index]
    words = " ".join(" ".join(_clipped(s.text).split()) for s in group)
    return f"{called(one, chinese)}：“{words}”" if chinese else f'{called(one, chinese)}: "{words}"'


def _clipped(text: str) -> str:
    return text if len(text) <= _QUOTE else f"{text[:_QUOTE]}…"


def _when(run: Sequence[Utterance], chosen: Sequence[Said], *, chinese: bool) -> str:
    """The day, and the days that are told by counting from it."""
    times = [t for one in run if (t := one.turn.turn.said_at) is not None]
    if not times:
        return ""
    days = []
    for said in chosen:
        at = run[said.turn - run[0].index].turn.turn.said_at
        days += [f"{told} = {meant}" for told, meant in named(said.text, at)] if at else []
    told = [day_of(min(times), chinese=chinese), *dict.fromkeys(days)][:4]
    return f"（{'；'.join(told)}）" if chinese else f"({'; '.join(told)})"
