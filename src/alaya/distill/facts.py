"""Durable facts: about who speaks, about the project, and what its words mean.

People are believed about themselves and their work. The agent is believed about the project where
it was asked what something is and answers with names. How much people who talk tell of themselves
is measured here too (`telling`); which cards that makes is decided in `told`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from alaya.distill.acts import HAN, Act
from alaya.distill.candidates import Candidate, Found, Part, Piece, clamp, piece
from alaya.distill.reading import Reading, Said, Utterance, Voice, clearly
from alaya.distill.topics import STOP
from alaya.model.graph import CardKind
from alaya.model.words import segment

_NEEDED = 2.0
_SELF = re.compile(r"\b(?:i|my|we|our)\b|我|咱|公司|家里|团队", re.IGNORECASE)
_TELLS = (
    Act.PERSONAL
    | Act.TASTE
    | Act.VITAL
    | Act.STANDING
    | Act.DEFINITION
    | Act.PROJECT
    | Act.MAYBE_PROJECT
    | Act.EVENT
)
_DOUBT = Act.QUESTION | Act.IMAGINED
_HAPPENS = (
    Act.EVENT
    | Act.DECISION
    | Act.SUCCESS
    | Act.STILL
    | Act.REACTION
    | Act.CAUSE
    | Act.FIX
    | Act.LESSON
)
NAMED = re.compile(
    r"(?<=[a-z,;:'’] )[A-Z][\w’'-]+|`[^`\n]+`|\d|[“「《\"][^”」》\"]{2,20}[”」》\"]|"
    r"[A-Za-z]{3,}(?=[\u4e00-\u9fff])"
)
_SPECIFIC = re.compile(r"`[^`\n]+`|[\w-]+[._/][\w./-]*\w|\b[A-Z]{2,}\b|\b\w+[a-z][A-Z]\w+")
_PROPER = re.compile(
    r"(?<=[a-z,;:] )[A-Z][a-z]{2,}\b|^[A-Z][a-z]+(?= (?:is|has|works|was|runs|owns)\b)"
)
_FEW_WORDS = 4
_FEW_HAN = 6


def facts(reading: Reading) -> Found:
    """One card for each run of facts in a turn."""
    found: list[Candidate] = []
    dropped = 0
    for one in reading.utterances:
        if one.invented or one.voice is Voice.TOOL:
            continue
        rated = [(_score(one, s, reading=reading), s) for s in one.said]
        good = [(score, s) for score, s in rated if score >= _NEEDED]
        dropped += int(not good and any(score >= 1 for score, _ in rated))
        if good:
            found.extend(_cards(one, good, reading=reading))
    return Found(tuple(found), dropped)


def _score(one: Utterance, said: Said, *, reading: Reading) -> float:
    if _says_nothing(said):
        return 0.0
    if one.voice is Voice.AGENT:
        return _score_of_agent(one, said, reading=reading)
    score = 2.0 * said.does(Act.PERSONAL) + 1.0 * said.does(Act.TASTE) + 2.0 * said.does(Act.VITAL)
    score += (
        2.0 * said.does(Act.STANDING)
        + 2.0 * said.does(Act.DEFINITION)
        + 1.5 * said.does(Act.PROJECT)
    )
    named = NAMED.search(said.text) is not None
    if score:
        score += 0.5 * named + 1.0 * said.does(Act.REMEMBER) + 0.5 * _told_to_remember(one)
    elif said.does(Act.REMEMBER) and not said.does(_HAPPENS & ~Act.EVENT | Act.REQUEST):
        score = 1.5 + 0.5 * named + 0.5 * said.does(Act.MAYBE_PROJECT)
    elif _answers(one, said, reading=reading):
        score = 1.0 + 0.5 * named + 0.5 * said.does(Act.TIME | Act.MAYBE_PROJECT)
    elif (
        said.does(Act.MAYBE_PROJECT)
        and not said.does(_HAPPENS | Act.MAYBE_PROBLEM | Act.TRANSIENT | Act.ACCEPT)
        and not one.does(Act.REQUEST)
    ):
        # A turn that asks for nothing and names things tells how they are.
        names = len({m.casefold() for m in _PROPER.findall(said.text)})
        specific = _SPECIFIC.search(said.text) is not None
        score = 1.0 + 0.5 * min(names, 2) + 1.0 * specific + 0.5 * said.does(Act.TIME)
    elif not said.does(_HAPPENS & ~Act.EVENT | Act.TRANSIENT | Act.REQUEST) and _SELF.search(
        said.text
    ):
        score = 1.0 + 0.5 * named + 0.5 * said.does(Act.TIME) + 0.5 * said.does(Act.REMEMBER)
    if not said.does(_HAPPENS & ~Act.EVENT | Act.TRANSIENT | Act.QUESTION | Act.PROBLEM):
        score += 1.0 * _noted(one, said, reading=reading)
    about_work = said.does(Act.PROJECT | Act.DEFINITION) and not said.does(
        Act.PERSONAL | Act.REMEMBER
    )
    if about_work and one.does(Act.PROBLEM | Act.HOW) and not one.does(Act.REMEMBER):
        score -= 1.0  # the setting of a complaint, not something to keep
    if said.does(Act.PROBLEM) and not clearly(said, _TELLS, doubt=Act.PROBLEM):
        score -= (
            0.5 if said.does(Act.PERSONAL | Act.DEFINITION | Act.PROJECT | Act.REMEMBER) else 1.5
        )
    if said.does(Act.TENTATIVE) and not clearly(said, _TELLS, doubt=Act.TENTATIVE):
        score -= 1.0
    if said.does(Act.REQUEST) and not said.does(Act.VITAL | Act.STANDING | Act.REMEMBER):
        score -= 1.5
    if said.does(Act.TRANSIENT) and not said.does(Act.VITAL | Act.STANDING | Act.REMEMBER):
        score -= 1.0
    if said.does(Act.REACTION) and not said.does(Act.PERSONAL | Act.VITAL | Act.PROJECT):
        score -= 1.0
    return score


def _noted(one: Utterance, said: Said, *, reading: Reading) -> bool:
    """Whether the agent answers that it will keep this in mind, in some of the same words."""
    after = reading.utterances[one.index + 1 : one.index + 2]
    if not after or after[0].voice is not Voice.AGENT or not after[0].said:
        return False
    if not any(s.does(Act.NOTED) for s in after[0].said[:2]):
        return False
    answer = set(segment(after[0].words).words) - STOP
    return any(len(w) > 1 and w in answer for w in segment(said.text).words)


def _told_to_remember(one: Utterance) -> bool:
    return one.does(Act.REMEMBER)


def _score_of_agent(one: Utterance, said: Said, *, reading: Reading) -> float:
    """The agent explains the project: asked what something is, with names, and not in general."""
    tells = said.does(Act.DEFINITION), said.does(Act.PROJECT | Act.MAYBE_PROJECT)
    if not any(tells) or said.does(Act.TENTATIVE | Act.PROBLEM | Act.REQUEST | Act.FIX):
        return 0.0
    asked = _asked(one, reading)
    if asked is None:
        return 0.0
    score = (1.0 if tells[0] else 0.5) + 0.5 * (_SPECIFIC.search(said.text) is not None)
    score += 0.5 * (_SPECIFIC.search(asked.text) is not None)
    looked = any(
        u.voice is Voice.TOOL for u in reading.utterances[max(0, one.index - 4) : one.index]
    )
    return score + 0.5 * looked


def telling(said: Said, one: Utterance, *, reading: Reading) -> float:
    """How much a sentence tells of who says it to other people, -2..6: 2 and more is a fact."""
    if _says_nothing(said):
        return 0.0
    about_self = said.does(Act.PERSONAL | Act.TASTE | Act.EVENT | Act.VITAL)
    score = 2.0 * said.does(Act.PERSONAL | Act.VITAL) + 1.5 * said.does(Act.EVENT)
    score += 1.5 * said.does(Act.TASTE)
    score += 0.5 * said.does(Act.TIME) + 0.5 * (NAMED.search(said.text) is not None)
    score += 0.5 * (len(said.text) > 60)
    if about_self:
        score += 0.5 * (_previous_question(one, reading) is not None)
    if said.does(Act.REACTION):
        score -= 1.0 if about_self else 2.0
    return score if about_self else min(score, 1.5)


def _says_nothing(said: Said) -> bool:
    doubted = said.does(_DOUBT) and not clearly(said, _TELLS, doubt=_DOUBT)
    return _brief(said.text) or doubted


def _brief(text: str) -> bool:
    if HAN.search(text):
        return len(text) < _FEW_HAN
    return len(text.split()) < _FEW_WORDS


def _answers(one: Utterance, said: Said, *, reading: Reading) -> bool:
    """Whether the sentence answers the agent's question about the project or the person."""
    if said is not one.said[0] or said.does(_HAPPENS & ~Act.EVENT | Act.TRANSIENT | Act.ACCEPT):
        return False
    return _previous_question(one, reading) is not None


def _previous_question(one: Utterance, reading: Reading) -> Said | None:
    for other in reversed(reading.utterances[max(0, one.index - 2) : one.index]):
        if other.voice is Voice.TOOL or not other.said:
            continue
        if other.invented or (other.voice is one.voice and other.name == one.name):
            return None
        asked = [s for s in other.said if s.does(Act.QUESTION)]
        return asked[-1] if asked else None
    return None


def _asked(one: Utterance, reading: Reading) -> Said | None:
    for other in reversed(reading.utterances[max(0, one.index - 8) : one.index]):
        if other.voice is Voice.PERSON and other.said:
            return None if other.invented else other.first(Act.WHAT)
    return None


def _cards(
    one: Utterance, good: Sequence[tuple[float, Said]], *, reading: Reading
) -> Iterable[Candidate]:
    """Facts that stand side by side make one card; a sentence between them starts another."""
    runs: list[list[tuple[float, Said]]] = []
    order = {s.start: i for i, s in enumerate(one.said)}
    for rated in good:
        if runs and order[rated[1].start] - order[runs[-1][-1][1].start] == 1 and len(runs[-1]) < 4:
            runs[-1].append(rated)
        else:
            runs.append([rated])
    for run in runs:
        yield fact_card(one, run, reading=reading)


def fact_card(one: Utterance, run: Sequence[tuple[float, Said]], *, reading: Reading) -> Candidate:
    score, main = max(run, key=lambda r: (r[0], -r[1].start))
    pieces: list[Piece] = [piece(Part.FACT, s) for _, s in run]
    asked = _previous_question(one, reading) if run[0][1] is one.said[0] else None
    if one.voice is Voice.AGENT:
        asked = _asked(one, reading)
    if asked is not None:
        pieces.insert(0, piece(Part.QUESTION, asked, cited=one.voice is Voice.AGENT))
    vital = any(s.does(Act.VITAL) for _, s in run)
    standing = any(s.does(Act.STANDING) for _, s in run)
    timed = any(s.does(Act.TIME) for _, s in run)
    personal = any(s.does(Act.PERSONAL | Act.TASTE) for _, s in run)
    importance = 0.25 + 0.08 * min(score, 5) + 0.04 * personal
    importance += 0.25 * vital + 0.15 * standing + 0.03 * timed
    return Candidate(
        CardKind.CONCEPT,
        main,
        tuple(pieces),
        score,
        importance=clamp(importance),
        confidence=clamp(0.4 + 0.1 * score),
    )
