"""How things are done: rules of experience, procedures and answers to `how do we …` that held."""

from __future__ import annotations

import re
from collections.abc import Sequence

from alaya.distill.acts import Act
from alaya.distill.candidates import Candidate, Found, Part, Piece, clamp, piece
from alaya.distill.reading import Reading, Said, Utterance, Voice
from alaya.model.graph import CardKind

_NEEDED = 3.5
_NEEDED_OF_AGENT = 2.5
_STEPS_CITED = 8
_SPECIFIC = re.compile(r"`[^`\n]+`|[\w-]+[./_][\w./-]*\w|\b[A-Z]{2,}\b|--\w+|\b[a-z]+[A-Z]\w+")
_OURS = re.compile(
    r"\b(?:our|we|us|this (?:repo|project|team|codebase|service))\b|我们|咱们|团队|公司|这个项目|"
    r"本项目|组里",
    re.IGNORECASE,
)


def patterns(reading: Reading) -> Found:
    """Rules and procedures."""
    found: list[Candidate] = []
    dropped = 0
    for one in reading.utterances:
        if one.invented or one.voice is Voice.TOOL:
            continue
        rated = [r for r in (_rule(one, reading), _procedure(one, reading)) if r is not None]
        if not rated:
            continue
        best = max(rated, key=lambda c: c.score)
        needed = _NEEDED if one.voice is Voice.PERSON else _NEEDED_OF_AGENT
        if best.score < needed:
            dropped += 1
        elif not (found and _repeats(found[-1], best, reading=reading)):
            found.append(best)
    return Found(tuple(found), dropped)


def _rule(one: Utterance, reading: Reading) -> Candidate | None:
    """One sentence that says how it should always be done."""
    rated = [(score, s) for s in one.said if (score := _rule_score(one, s)) > 1]
    if not rated:
        return None
    score, said = max(rated, key=lambda r: (r[0], -r[1].start))
    if one.voice is Voice.AGENT:
        # In general everybody knows better; what counts is what came out of work or was agreed.
        worked = any(u.voice is Voice.TOOL for u in reading.utterances[: one.index])
        score += 0.5 * _accepted(one, reading) + (0.5 if worked else -1.0)
    pieces = [piece(Part.RULE, said)]
    pieces += [piece(Part.RULE, s) for s in _beside(one, said)]
    return pattern_card(said, pieces, score=score)


def _rule_score(one: Utterance, said: Said) -> float:
    if said.does(Act.QUESTION | Act.TENTATIVE | Act.REACTION | Act.IMAGINED):
        return 0.0
    person = one.voice is Voice.PERSON
    score = 2.0 * said.does(Act.LESSON) + 1.0 * said.does(Act.RULE)
    if score == 0:
        return 0.0
    score += 0.5 * said.does(Act.WHEN) + 0.5 * said.does(Act.REASON) + 0.5 * said.does(Act.REMEMBER)
    complains = said.does(Act.PROBLEM) and not said.does(Act.WHEN | Act.REMEMBER)
    score -= 1.0 * (person and (complains or one.does(Act.STILL)))
    score -= 1.0 * (said.does(Act.DEFINITION) and not said.does(Act.LESSON))
    score += 0.5 * (_OURS.search(said.text) is not None)
    score += 0.5 * (_SPECIFIC.search(said.text) is not None)
    score += 1.0 if person else -0.5
    if said.does(Act.PERSONAL | Act.TASTE) or (said.does(Act.STANDING) and not said.does(Act.WHEN)):
        score -= 1.5  # about somebody, not about how to do a thing
    if said.does(Act.REQUEST) and not said.does(Act.LESSON):
        score -= 1.0
    return score


def _procedure(one: Utterance, reading: Reading) -> Candidate | None:
    """A turn that goes through the steps of something."""
    items = [s for s in one.said if s.numbered]
    flowing = [s for s in one.said if s.does(Act.STEPS) and not s.does(Act.QUESTION)]
    listed = 3 <= len(items) <= 12
    if not listed and not flowing:
        return None
    asked = _asked(one, reading)
    person = one.voice is Voice.PERSON
    score = 1.5 if listed else 1.0
    score += 0.5 * bool(flowing and listed)
    score += 1.0 * (asked is not None)
    score += 0.5 * (_SPECIFIC.search(one.turn.turn.content) is not None)
    score += 1.0 * any(s.does(Act.LESSON) for s in one.said)
    score += 0.5 * any(s.does(Act.RULE) for s in one.said)
    words = one.words if person else asked.text if asked is not None else ""
    ours = _OURS.search(words) is not None
    held = _held(one, reading)
    score += 0.5 * ours + 0.5 * person + 1.0 * held
    taught = asked is not None or one.does(Act.LESSON)
    if not (person or (taught and (ours or held))):
        return None  # anybody's tutorial, or the agent's list of things to do
    if person and not any(s.does(Act.LESSON) for s in one.said) and _only_asks(one):
        score -= 2.0  # a list of wishes
    if one.does(Act.OPTIONS | Act.TENTATIVE) and not person:
        score -= 0.5
    steps = items if listed else flowing[:2]
    lead = _lead(one, steps, asked=asked)
    pieces = [piece(Part.STEP, s) for s in steps[:_STEPS_CITED]]
    if lead is not None and lead not in steps:
        pieces.insert(0, piece(Part.RULE if lead.turn == one.index else Part.QUESTION, lead))
    main = lead if lead is not None else steps[0]
    return pattern_card(main, pieces, score=score)


def _only_asks(one: Utterance) -> bool:
    return one.does(Act.REQUEST | Act.QUESTION)


def _lead(one: Utterance, steps: Sequence[Said], *, asked: Said | None) -> Said | None:
    """What the steps are for: the sentence that announces them, else the question."""
    first = steps[0]
    before = [s for s in one.said if s.end <= first.start and not s.does(Act.REACTION)]
    announcing = [
        s for s in before if s.does(Act.LESSON | Act.STEPS | Act.HOW) or s.text[-1] in ":："
    ]
    if announcing and one.voice is Voice.PERSON:
        return announcing[-1]
    return asked or (announcing[-1] if announcing else None)


def _asked(one: Utterance, reading: Reading) -> Said | None:
    """The question about how it is done that this turn answers."""
    for other in reversed(reading.utterances[max(0, one.index - 4) : one.index]):
        if other.voice is Voice.PERSON and one.voice is Voice.AGENT and other.said:
            return None if other.invented else other.first(Act.HOW)
    return None


def _held(one: Utterance, reading: Reading) -> bool:
    """Whether it was done so and worked, as the next turns tell."""
    for other in reading.utterances[one.index + 1 : one.index + 5]:
        if other.does(Act.STILL) and other.voice is Voice.PERSON:
            return False
        if other.voice is not Voice.AGENT and other.does(Act.SUCCESS | Act.ACCEPT):
            return not other.does(Act.QUESTION)
    return False


def _accepted(one: Utterance, reading: Reading) -> bool:
    after = reading.utterances[one.index + 1 : one.index + 2]
    return bool(after and after[0].said and after[0].voice is Voice.PERSON) and after[0].said[
        0
    ].does(Act.ACCEPT)


def _beside(one: Utterance, said: Said) -> list[Said]:
    """Sentences right after the rule that belong to it: why, when, or another rule."""
    at = one.said.index(said)
    out = []
    for other in one.said[at + 1 : at + 3]:
        if other.does(Act.QUESTION | Act.REQUEST):
            break
        if other.does(Act.RULE | Act.REASON | Act.WHEN):
            out.append(other)
    return out


def pattern_card(main: Said, pieces: Sequence[Piece], *, score: float) -> Candidate:
    return Candidate(
        CardKind.PATTERN,
        main,
        tuple(pieces),
        score,
        importance=clamp(0.3 + 0.08 * score),
        confidence=clamp(0.25 + 0.12 * score),
    )


def _repeats(last: Candidate, now: Candidate, *, reading: Reading) -> bool:
    """Whether the agent only puts in order what a person just said, or the other way round."""
    near = now.main.turn - last.main.turn <= 2
    voices = {reading.utterances[t].voice for t in (max(last.turns), max(now.turns))}
    return near and len(voices) == 2 and reading.utterances[max(now.turns)].voice is Voice.AGENT
