"""Failures and what mended them.

An episode opens with a problem, gathers causes and fixes said by people or the agent, and closes
with a confirmation, a change of subject or silence. Tool output can show the problem and the
success, never the cause. What did not help is forgotten; what was only tried is not believed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from alaya.distill.acts import Act
from alaya.distill.candidates import Candidate, Found, Part, Piece, clamp, piece
from alaya.distill.reading import Said, Utterance, Voice, clearly
from alaya.distill.topics import STOP
from alaya.model.graph import CardKind
from alaya.model.words import segment

_NEEDED = 5.0  # problem + cause + fix + confirmation, each up to 2
_SILENCE = 7  # utterances of talk without a word about it: the episode is over
_CITED_TURNS = 4
_MENTIONS = Act.DECISION | Act.LESSON | Act.RULE | Act.PROPOSAL | Act.DEFINITION
_SUPPOSES = re.compile(
    r"\b(?:what (?:happens|if|would)|would|could|can it|should|in case|is it possible)\b|会不会|"
    r"如果|要是|万一|怎么避免|会怎么样",
    re.IGNORECASE,
)
# "Here is the cause:" announces, and says nothing itself.
HERALDS = re.compile(
    r"(?:that's it|found it|got it|here(?:'s| is) (?:the|your) \w+|(?:the )?(?:fix|cause|solution)|"
    r"root cause|done|ok|(?:我)?(?:找到|查到)(?:根?因|原因|问题)?了?|原因(?:找到了|明确了|如下)?|"
    r"修复(?:如下|了)?|解决(?:了|方法)?|处理|有两种(?:做法|办法|方案))[\s.:：。!！]*$",
    re.IGNORECASE,
)
# What a program prints without saying what failed: a timestamp and a word, a setting.
_MUTE = re.compile(r"^\s*(?:\w+=\S+\s*$|[\[(]?\d{4}-\d\d-\d\d[T ]\S*\s*\S*$|\S+$)")
_ANY_PROBLEM = Act.PROBLEM | Act.MAYBE_PROBLEM
_ANY_CAUSE = Act.CAUSE | Act.MAYBE_CAUSE
_ANY_FIX = Act.FIX | Act.MAYBE_FIX


@dataclass
class _Episode:
    """What was said about one failure so far: (weight, sentence)."""

    problems: list[tuple[float, Said]] = field(default_factory=list)
    causes: list[tuple[float, Said]] = field(default_factory=list)
    fixes: list[tuple[float, Said]] = field(default_factory=list)
    successes: list[tuple[float, Said]] = field(default_factory=list)
    told: list[Said] = field(default_factory=list)  # the problems in a person's words
    given_up: bool = False
    quiet: int = 0


def gotchas(utterances: Sequence[Utterance], breaks: frozenset[int]) -> Found:
    """The failures that were explained or mended. `breaks`: utterances that open a new subject."""
    found: list[Candidate] = []
    dropped = 0
    episode = _Episode()
    for one in utterances:
        if one.invented:
            continue
        if one.index in breaks or episode.quiet > _SILENCE or _reopens(one, episode):
            dropped += _close(episode, found)
            episode = _Episode()
        _hear(one, episode)
        if one.voice is Voice.PERSON and any(w >= 2 for w, _ in episode.successes):
            dropped += _close(episode, found)
            episode = _Episode()
    dropped += _close(episode, found)
    return Found((*found, *_warnings(utterances, found)), dropped)


def _reopens(one: Utterance, episode: _Episode) -> bool:
    """Whether a person brings up a new failure after the last one was seen to be over."""
    return (
        bool(episode.successes)
        and one.voice is Voice.PERSON
        and one.does(Act.PROBLEM)
        and not one.does(Act.STILL | Act.SUCCESS)
    )


def _hear(one: Utterance, episode: _Episode) -> None:
    touched = False
    for said in one.said:
        touched |= _take(one, said, episode=episode)
    if one.voice is not Voice.TOOL and one.said:
        episode.quiet = 0 if touched else episode.quiet + 1


def _take(one: Utterance, said: Said, *, episode: _Episode) -> bool:
    """Add one sentence to the episode; whether it had a part in it."""
    if said.does(Act.STILL) and not said.does(Act.SUCCESS | Act.CAUSE):
        if episode.problems and one.voice is not Voice.AGENT:
            episode.causes.clear()
            episode.fixes.clear()
            episode.successes.clear()
        episode.problems.append((1.0, said))
        return True
    problem = _problem_weight(one, said)
    if episode.problems and said.does(Act.UNRESOLVED):
        episode.given_up = True
    touched = problem > 0
    if problem and not (episode.successes and one.voice is Voice.TOOL):
        episode.problems.append((problem, said))
        if one.voice is Voice.PERSON:
            episode.told.append(said)
    if not episode.problems:
        return touched
    asks = said.does(Act.QUESTION)
    over = one.voice is Voice.PERSON and any(w >= 1 for w, _ in episode.successes)
    if one.voice is not Voice.TOOL and not over:
        cause = _weight(said, Act.CAUSE, weak=Act.MAYBE_CAUSE)
        fix = _weight(said, Act.FIX, weak=Act.MAYBE_FIX)
        # A first complaint says "because …" of its own plans, too: only strong words count.
        if one.voice is Voice.PERSON and len(episode.problems) <= 1:
            cause, fix = (cause if cause > 1 else 0), (fix if fix > 1 else 0)
        if cause:
            episode.causes.append((cause, said))
        if fix:
            episode.fixes.append((fix, said))
        touched |= cause + fix > 1
    failing = one.voice is Voice.TOOL and said.does(Act.PROBLEM)  # "1 failed, 8 passed"
    if said.does(Act.SUCCESS) and not asks and not failing and (episode.fixes or episode.causes):
        weight = 1.0 if one.voice is Voice.AGENT or said.does(Act.TENTATIVE) else 2.0
        episode.successes.append((weight, said))
        episode.given_up = False
        touched = True
    elif _content_with(one, said) and (episode.fixes or episode.causes):
        episode.successes.append((1.0, said))
    return touched


def _content_with(one: Utterance, said: Said) -> bool:
    """Thanks alone are half a confirmation."""
    pleased = Act.REACTION | Act.ACCEPT
    return (
        one.voice is Voice.PERSON
        and said is one.said[0]
        and said.does(pleased)
        and not one.does(Act.STILL | Act.QUESTION | Act.PROBLEM)
    )


def _problem_weight(one: Utterance, said: Said) -> float:
    if said.does(Act.SUCCESS) and not said.does(Act.CAUSE):
        return 0.0
    if said.does(Act.PROBLEM):
        if one.voice is Voice.AGENT and not (one.turn.turn.tool_calls or said.does(Act.CAUSE)):
            return 1.0  # an answer that speaks of failures in general
        if said.does(Act.DECISION) and not said.does(Act.CAUSE):
            return 0.0
        if said.does(Act.QUESTION) and _SUPPOSES.search(said.text):
            return 0.5  # "what happens when a worker dies?" has not happened
        if said.does(_MENTIONS | Act.HOW) and not said.does(Act.CAUSE | Act.FIX):
            return 1.0  # "let's add a timeout": a failure is talked about, it did not happen
        return 2.0 if one.voice is not Voice.AGENT else 1.5
    if said.does(Act.MAYBE_PROBLEM) and one.voice is Voice.PERSON:
        return 1.0
    return 0.0


def _weight(said: Said, strong: Act, *, weak: Act) -> float:
    if HERALDS.match(said.text):
        return 0.0
    if clearly(said, strong):
        return 1.0 if said.item else 2.0
    if clearly(said, weak):
        return 1.0
    return 0.5 * (said.does(strong | weak) and not said.does(Act.QUESTION))


def _best(rated: Iterable[tuple[float, Said]]) -> tuple[float, Said] | None:
    """The heaviest, and of equals the one whose turn says most: the longest, then the first."""
    return max(rated, key=lambda r: (r[0], min(len(r[1].text), 160), -r[1].turn), default=None)


def _close(episode: _Episode, found: list[Candidate]) -> int:
    """Append the episode's card where it is believed; 1 where something was seen but dropped."""
    problem = _failure(episode)
    if problem is None or not (episode.causes or episode.fixes):
        return int(problem is not None and problem[0] >= 2)
    cause, fix = _best(episode.causes), _best(episode.fixes)
    success = _best(episode.successes)
    explained = _of(cause) + _of(fix)
    score = problem[0] + explained + _of(success)
    score -= 0.0 if _shares_words(episode) else 1.0
    strong = _of(cause) >= 2 or _of(fix) >= 2
    enough = 2.0 if explained < 2 else 1.0  # thanks alone confirm only what was explained
    held = _of(success) >= enough and problem[0] >= 2
    believed = strong or (explained >= 1 and held)
    if score < _NEEDED or not believed or (episode.given_up and success is None):
        return 1
    parts = ((Part.CAUSE, cause), (Part.FIX, fix), (Part.SUCCESS, success))
    others = [(part, rated[1]) for part, rated in parts if rated is not None]
    main = cause[1] if cause is not None and cause[0] >= 2 else problem[1]
    found.append(gotcha_card(_sights(episode, problem[1]), others, main=main, score=score))
    return 0


def _of(rated: tuple[float, Said] | None) -> float:
    return rated[0] if rated is not None else 0.0


def _shares_words(episode: _Episode) -> bool:
    """Whether cause or fix speak of something that a sight of the failure named, too."""
    seen = {w for _, s in episode.problems for w in segment(s.text).words if len(w) > 1}
    said = {w for _, s in (*episode.causes, *episode.fixes) for w in segment(s.text).words}
    return len((seen & said) - STOP) > 0


def _failure(episode: _Episode) -> tuple[float, Said] | None:
    """The failure in a person's words where a person told of it, at the strongest weight seen."""
    if not episode.problems:
        return None
    weight = max(w for w, _ in episode.problems)
    told = [(w, s) for w, s in episode.problems if s in episode.told]
    seen = [(w, s) for w, s in episode.problems if _MUTE.match(s.text) is None]
    said = told or seen or episode.problems
    strong = [(w, s) for w, s in said if w >= min(weight, 2.0)]
    return weight, (strong or said)[0][1]


def gotcha_card(
    sights: Sequence[Said], others: Sequence[tuple[Part, Said]], *, main: Said, score: float
) -> Candidate:
    pieces = [piece(Part.PROBLEM, s) for s in sights]
    pieces += [piece(part, said) for part, said in others]
    return Candidate(
        CardKind.GOTCHA,
        main,
        tuple(within(pieces, _CITED_TURNS)),
        score,
        importance=clamp(0.35 + 0.06 * score),
        confidence=clamp(0.2 + 0.09 * score),
    )


def _sights(episode: _Episode, problem: Said) -> list[Said]:
    """The failure, and a second strong sight of it in another turn: the tool's own message."""
    others = [
        s
        for w, s in episode.problems
        if w >= 2 and s.turn != problem.turn and _MUTE.match(s.text) is None
    ]
    return [problem, *others[:1]]


def within(pieces: Sequence[Piece], limit: int) -> list[Piece]:
    """The pieces with at most `limit` different turns cited; later ones give way."""
    turns: list[int] = []
    kept = []
    for one in sorted(pieces, key=lambda p: (p.part is Part.SUCCESS, p.turn, p.start)):
        if one.turn not in turns:
            if len(turns) == limit:
                continue
            turns.append(one.turn)
        kept.append(one)
    return sorted(kept, key=lambda p: (p.turn, p.start))


def _warnings(utterances: Sequence[Utterance], found: Sequence[Candidate]) -> list[Candidate]:
    """Traps that are told without an episode: `watch out, the amounts are in cents`."""
    taken = {(p.turn, p.start) for c in found for p in c.pieces}
    turns = {p.turn for c in found for p in c.pieces}
    out = []
    for one in utterances:
        if one.invented or one.voice is Voice.TOOL or one.index in turns:
            continue
        for said in one.said:
            if (
                said.does(Act.PITFALL)
                and said.does(_ANY_PROBLEM | _ANY_CAUSE | Act.RULE)
                and not said.does(Act.QUESTION | Act.TENTATIVE | Act.REQUEST)
                and (said.turn, said.start) not in taken
            ):
                score = 3.0 + one.does(Act.CAUSE) + (one.voice is Voice.PERSON)
                pieces = [piece(Part.PROBLEM, said)]
                pieces += [
                    piece(Part.CAUSE, s)
                    for s in one.said
                    if s is not said
                    and abs(s.start - said.end) < 200
                    and s.does(_ANY_CAUSE | _ANY_FIX)
                ][:2]
                confidence = clamp(0.3 + 0.08 * score)
                importance = clamp(0.3 + 0.06 * score)
                out.append(
                    Candidate(CardKind.GOTCHA, said, tuple(pieces), score, importance, confidence)
                )
                break
    return out
