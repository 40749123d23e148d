"""From verdicts to candidates: which sentences of an utterance, and of those around it, to quote.

A verdict says that an utterance carries a card; the rules say what its sentences do. Where a rule
found a card of that kind there, its passage is taken; else it is put together here from the same
acts, and where those are silent from the weights of the sentences' own words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from alaya.distill.acts import HAN, Act
from alaya.distill.candidates import Candidate, Part, Piece, clamp, piece
from alaya.distill.decisions import decision_card
from alaya.distill.facts import fact_card
from alaya.distill.features import asking
from alaya.distill.gotchas import HERALDS, gotcha_card, within
from alaya.distill.judge import Verdict
from alaya.distill.patterns import pattern_card
from alaya.distill.reading import Reading, Said, Utterance, Voice
from alaya.distill.weights import Weights
from alaya.model.graph import CardKind

_MOST_TURNS = 4
_SENTENCES = 4  # of a fact
_STEPS = 8
_BRIEF = 160  # characters of an utterance that is quoted whole
_BACK, _ON = 14, 5  # utterances in which a failure and its end are looked for
_TELLS = Act.PERSONAL | Act.TASTE | Act.VITAL | Act.STANDING | Act.DEFINITION | Act.PROJECT
_TELLS |= Act.REMEMBER
_CHOOSES = Act.DECISION | Act.MAYBE_DECISION | Act.ORDER | Act.TERSE | Act.ACCEPT
_RULES = Act.LESSON | Act.RULE | Act.STEPS | Act.WHEN
_EXPLAINS = Act.CAUSE | Act.FIX
_MAY_EXPLAIN = Act.MAYBE_CAUSE | Act.MAYBE_FIX
_FAILS = Act.PROBLEM | Act.STILL


_LABEL = 40  # characters: "Here is the cause:" only announces it


@dataclass(frozen=True)
class _Place:
    """An utterance with a verdict about it."""

    one: Utterance
    verdict: Verdict
    reading: Reading
    weights: Weights

    def main(self, act: Act, maybe: Act = Act.NONE) -> Said:
        """The sentence that most speaks for the verdict: by its acts and its words."""
        kind = self.verdict.kind

        def rate(said: Said) -> tuple[float, int]:
            cued = 1.5 * said.does(act) + 0.7 * said.does(maybe)
            loose = 1.5 * asking(said) + 0.7 * said.does(Act.REACTION | Act.TRANSIENT)
            loose += 1.5 * (said.text.rstrip("*")[-1:] in ":：" and len(said.text) < _LABEL)
            loose += 1.5 * (HERALDS.match(said.text) is not None)
            brief = 0.8 * (self.one.voice is Voice.PERSON and _slight(said.text))
            words = self.weights.of_sentence(self.one, said.text, kind=kind)
            return words + cued - loose - brief, -said.start

        return max(self.one.said, key=rate)


def built(
    verdict: Verdict, reading: Reading, *, found: Sequence[Candidate], weights: Weights
) -> Candidate:
    """The card that an utterance carries. `found`: what the rules propose."""
    ours = [c for c in found if c.kind is verdict.kind and verdict.turn in c.turns]
    if ours:
        card = max(ours, key=lambda c: (c.main.turn == verdict.turn, c.score, -c.main.start))
    else:
        place = _Place(reading.utterances[verdict.turn], verdict, reading, weights)
        card = _BUILDERS[verdict.kind](place)
    sure = clamp(0.3 + 0.6 * verdict.probability)
    weight = max(card.importance, clamp(0.35 + 0.3 * verdict.probability))
    return replace(card, confidence=sure, importance=weight)


def _slight(text: str) -> bool:
    return len(text) < 5 if HAN.search(text) else len(text.split()) < 3


def _fact(place: _Place) -> Candidate:
    main = place.main(_TELLS, Act.MAYBE_PROJECT | Act.EVENT)
    kept = [main]
    said = place.one.said
    at = said.index(main)
    whole = len(place.one.words) <= _BRIEF
    for step in (1, -1):
        other = at + step
        while 0 <= other < len(said) and len(kept) < _SENTENCES and _tells(said[other], whole):
            kept.append(said[other])
            other += step
    kept.sort(key=lambda s: s.start)
    return fact_card(place.one, [(2.0 + (s is main), s) for s in kept], reading=place.reading)


def _tells(said: Said, whole: bool) -> bool:
    if asking(said) or said.does(Act.REACTION | Act.REQUEST | Act.TRANSIENT):
        return False
    return whole or said.does(_TELLS | Act.MAYBE_PROJECT)


def _choice(place: _Place) -> Candidate:
    return decision_card(
        place.one,
        place.main(_CHOOSES),
        score=2 + 2 * place.verdict.probability,
        reading=place.reading,
    )


def _way(place: _Place) -> Candidate:
    """Steps or a rule; where a person only says "keep that", the agent's steps before it."""
    one = place.one
    score = 3 + place.verdict.probability
    before = _talk(place.reading, one.index, step=-1, most=3)
    main = place.main(_RULES)
    if len(_steps(one)) >= 2:
        return _procedure(one, main, before=before, score=score)
    if one.voice is Voice.PERSON and len(one.words) < _BRIEF:
        for other in before[:2]:
            if other.voice is Voice.AGENT and len(_steps(other)) >= 2:
                card = _procedure(other, _steps(other)[0], before=before[1:], score=score)
                return replace(card, pieces=(*card.pieces, piece(Part.RULE, main)))
    kept = [s for s in one.said if s is main or not (asking(s) or s.does(Act.REACTION))]
    if len(one.words) > 2 * _BRIEF:
        first = max(0, min(kept.index(main) - 1, len(kept) - _SENTENCES))
        kept = kept[first : first + _SENTENCES]
    return pattern_card(main, [piece(Part.RULE, s) for s in kept[:_STEPS]], score=score)


def _procedure(
    one: Utterance, main: Said, *, before: Sequence[Utterance], score: float
) -> Candidate:
    """Numbered steps under what announces them, else under the question that they answer."""
    pieces = [piece(Part.STEP, s) for s in _steps(one)[:_STEPS]]
    lead = _announces(one)
    if lead is not None:
        return pattern_card(lead, [piece(Part.RULE, lead), *pieces], score=score)
    asked = next((u.said[0] for u in before if u.voice is Voice.PERSON), None)
    if one.voice is Voice.AGENT and asked is not None:
        return pattern_card(asked, [piece(Part.QUESTION, asked, cited=False), *pieces], score=score)
    return pattern_card(main, pieces, score=score)


def _steps(one: Utterance) -> list[Said]:
    return [s for s in one.said if s.numbered] or [s for s in one.said if s.item]


def _announces(one: Utterance) -> Said | None:
    first = _steps(one)[0]
    before = [s for s in one.said if s.end <= first.start and not s.item and not asking(s)]
    told = [s for s in before if s.text.rstrip("*")[-1:] in ":：" or s.does(_RULES)]
    return told[-1] if told else None


def _failure(place: _Place) -> Candidate:
    """The failure as a person told it, the cause, the fix, and how it was seen to hold."""
    one, reading = place.one, place.reading
    cause = place.main(_EXPLAINS, _MAY_EXPLAIN)
    others = [(Part.CAUSE, cause)]
    fix = _fix(one, cause, reading=reading)
    if fix is not None:
        others.append((Part.FIX, fix))
    last = max(one.index, fix.turn if fix is not None else 0)
    held = _held(reading, last)
    if held is not None:
        others.append((Part.SUCCESS, held))
    problem = _problem(one, cause, reading=reading)
    sights = [problem] if problem is not None else []
    card = gotcha_card(sights, others, main=cause, score=4 + 2 * place.verdict.probability)
    return replace(card, pieces=_citing(card.pieces, one.index))


def _citing(pieces: Sequence[Piece], turn: int) -> tuple[Piece, ...]:
    """At most four turns, the one with the verdict among them."""
    own = [p for p in pieces if p.turn == turn]
    rest = [p for p in pieces if p.turn != turn]
    return tuple(sorted([*own, *within(rest, _MOST_TURNS - 1)], key=lambda p: (p.turn, p.start)))


def _fix(one: Utterance, cause: Said, *, reading: Reading) -> Said | None:
    near = [
        s for s in one.said if s is not cause and not asking(s) and HERALDS.match(s.text) is None
    ]
    for act in (Act.FIX, Act.MAYBE_FIX):
        told = [s for s in near if s.does(act)]
        if told:
            return min(told, key=lambda s: (s.start < cause.start, abs(s.start - cause.start)))
    if cause.does(Act.FIX):
        return None
    for other in _talk(reading, one.index, step=1, most=3):
        if other.does(Act.STILL) and other.voice is Voice.PERSON:
            return None
        for s in other.said:
            if s.does(Act.FIX) and not asking(s):
                return s
    return None


def _held(reading: Reading, after: int) -> Said | None:
    for other in reading.utterances[after + 1 : after + 1 + _ON]:
        if other.voice is Voice.PERSON and other.does(_FAILS):
            return None
        if other.voice is Voice.PERSON:
            held = next((s for s in other.said if s.does(Act.SUCCESS) and not asking(s)), None)
            if held is not None:
                return held
    return None


def _problem(one: Utterance, cause: Said, *, reading: Reading) -> Said | None:
    """The failure: in a person's words, the first of the episode; else in the same utterance."""
    if one.voice is Voice.PERSON:
        own = [s for s in one.said if s is not cause and s.does(_FAILS)]
        if own:
            return own[0]
    told: Said | None = None
    quiet = 0
    for other in reversed(reading.utterances[max(0, one.index - _BACK) : one.index]):
        if other.voice is not Voice.PERSON or not other.said:
            continue
        found = _complaint(other, Act.MAYBE_PROBLEM if told is None else Act.NONE)
        quiet = 0 if found is not None else quiet + 1
        told = found or told
        if (other.does(Act.SUCCESS) and told is not found) or quiet > 2:
            break
    if told is not None:
        return told
    return next((s for s in one.said if s is not cause and s.does(_FAILS)), None)


def _complaint(one: Utterance, maybe: Act) -> Said | None:
    plain = [s for s in one.said if not s.does(Act.DECISION | Act.HOW)]
    strong = next((s for s in plain if s.does(_FAILS)), None)
    return strong or next((s for s in plain if s.does(maybe)), None)


def _talk(reading: Reading, at: int, *, step: int, most: int) -> list[Utterance]:
    """The next utterances of talk in one direction, nearest first."""
    found: list[Utterance] = []
    at += step
    while 0 <= at < len(reading.utterances) and len(found) < most:
        other = reading.utterances[at]
        if other.voice is not Voice.TOOL and other.said and not other.invented:
            found.append(other)
        at += step
    return found


_BUILDERS: dict[CardKind, Callable[[_Place], Candidate]] = {
    CardKind.CONCEPT: _fact,
    CardKind.DECISION: _choice,
    CardKind.PATTERN: _way,
    CardKind.GOTCHA: _failure,
}
