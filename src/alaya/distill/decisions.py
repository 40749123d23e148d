"""What was decided, by whom and why.

A person's decision counts as it stands; the agent's counts where a person agrees or where it tells
of one that was made. Plans for the next minutes of work are not decisions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from alaya.distill.acts import Act
from alaya.distill.candidates import Candidate, Found, Part, Piece, clamp, piece
from alaya.distill.reading import Reading, Said, Utterance, Voice, clearly
from alaya.distill.topics import STOP
from alaya.model.graph import CardKind
from alaya.model.words import segment

_NEEDED = 2.0
_BACK = 5  # utterances in which the options are looked for
_SHORT = 60  # characters of an agreement that adds nothing of its own
_DOUBT = Act.QUESTION | Act.UNDECIDED | Act.IMAGINED | Act.TENTATIVE
# "We decided": told as a fact, so the agent's word is enough.
_TOLD = re.compile(
    r"\b(?:i|we)(?:'ve|'d| have| had)? (?:\w+ )?(?:decided|chose|chosen|settled|agreed|went with|"
    r"opted|picked)\b"
    r"|\b(?:i'll|we'll|i'm going to|i'm|we're|going with|i've|i) .{3,80}\b(?:rather than|"
    r"instead of|over|because|since|so that)\b"
    r"|(?:采用|选用|改用|使用|用|选择?)[^，。]{2,30}(?:而不是|，因为|，这样|，不用|，避免)"
    r"|decision:|决定|敲定|选定|定下来|达成一致|结论是",
    re.IGNORECASE,
)
_MENDING = Act.CAUSE | Act.SUCCESS | Act.PROBLEM | Act.STILL
_CHOICE = 240  # characters of a turn that settles a question
# A yes that sets something going, beyond "I see".
_GO = re.compile(
    r"go ahead|do (?:it|that|this|both)|let's|agreed|sounds (?:good|great|right)|go (?:for|with)|"
    r"works for me|deal\b"
    r"|^(?:yes|yep|yeah|ok(?:ay)?|sure|good|great|perfect)[,.] (?:add|use|do|go|make|keep|put|set|"
    r"ship|merge|take|book|drop)\b"
    r"|就这|按你|听你|照你|同意|没问题|都做|就按|可以[，,]|赞成|成交|就它|就它了|办吧",
    re.IGNORECASE,
)
_PICKS = re.compile(
    r"^(?:no|not|nah|neither|then|so|ok(?:ay)?|my|i want|i'd like|i think|given|going with|we're|"
    r"both)\b"
    r"|\bthen\b|^(?:不|那|就|先|选|两个|都|我要|我想|我觉得)",
    re.IGNORECASE,
)
# How an agent answers what it takes as settled.
_TAKEN = re.compile(
    r"^(?:(?:great|good|nice|excellent|solid|wise|fair|sensible) (?:choice|call|decision|point|"
    r"plan|enough)|makes sense|agreed|will do|done|"
    r"ok(?:ay)?\b|alright|noted|got it|understood|sounds good|perfect|sure|right|great|good[,.]|"
    r"i'll|then i'll|switched|updated|changed|removed|booked|added|recorded|so\b)"
    r"|^(?:好|明白|没问题|收到|行|已|了解|ok|可以|记|那我|同意|赞同|合理|这个选择|不错)",
    re.IGNORECASE,
)
_OTHER = (
    Act.TRANSIENT
    | Act.PERSONAL
    | Act.TASTE
    | Act.VITAL
    | Act.PROJECT
    | Act.REQUEST
    | Act.PROBLEM
    | Act.REACTION
    | Act.STANDING
    | Act.DEFINITION
)
_ASKS = Act.TRANSIENT | Act.REQUEST | Act.PROBLEM | Act.REACTION
_TELLING = (
    _MENDING
    | Act.UNRESOLVED
    | Act.PERSONAL
    | Act.PROJECT
    | Act.VITAL
    | Act.TRANSIENT
    | Act.REACTION
)
_BARE = 24  # characters of a yes that names nothing
_BRIEF = 80  # characters of a turn that says one thing only
_OR = re.compile(r"\bor\b|还是|或者", re.IGNORECASE)
# The agent asks whether it may, or how it may help: no subject of a decision.
_LEAVE = re.compile(
    r"^(?:(?:do|would) you (?:want|like)|want me|shall i|should i|can i|may i|anything|"
    r"does that|ok\b|sound)|which (?:one )?(?:do|would) you|"
    r"what do you think|要我|需要我|要不要我|可以吗|行吗|好吗|对吗|还需要|如何[？?]?$|"
    r"倾向|你觉得|您觉得",
    re.IGNORECASE,
)
_AGREED = 400  # characters of a message whose options a bare yes can refer to


def decisions(reading: Reading) -> Found:
    """The decisions of a session, restatements within two turns folded into the first."""
    found: list[Candidate] = []
    dropped = 0
    for one in reading.utterances:
        if one.invented or one.voice is Voice.TOOL:
            continue
        best = _best_in(one, reading)
        if best is None:
            continue
        score, said = best
        if score < _NEEDED:
            dropped += int(said.does(Act.DECISION))
            continue
        if found and _restates(found[-1], said, reading=reading):
            continue
        found.append(decision_card(one, said, score=score, reading=reading))
    return Found(tuple(found), dropped)


def _best_in(one: Utterance, reading: Reading) -> tuple[float, Said] | None:
    rated = [(score, s) for s in one.said if (score := _score(one, s, reading=reading)) > 0]
    return max(rated, key=lambda r: (r[0], -r[1].start), default=None)


def _score(one: Utterance, said: Said, *, reading: Reading) -> float:
    strong = clearly(said, Act.DECISION, doubt=_DOUBT)
    base = 2.0 if strong else 1.0 if clearly(said, Act.MAYBE_DECISION, doubt=_DOUBT) else 0.0
    if one.voice is Voice.PERSON and clearly(said, Act.ORDER | Act.TERSE, doubt=_DOUBT):
        brief = len(one.words) < _BRIEF and not one.does(Act.QUESTION | Act.STILL | Act.UNRESOLVED)
        plain = not said.does(_OTHER) or (said.does(Act.ORDER) and not said.does(_ASKS))
        base = max(base, 1.5 if brief and plain and said.does(Act.TERSE) else 1.0)
        base -= 0.5 * (not strong and _at_once(one, reading))
    if one.voice is Voice.AGENT and not (strong and _told(said)):
        return 0.0
    before = _before(one, reading)
    if base < 2 and _agrees(one, said, reading=reading):
        base += 1.0 if _GO.search(said.text) else 0.5
    if base < 2 and _settles(said, one, before=before, reading=reading):
        base = max(base + 1.0, 1.5)
    if base == 0 or (reading.people and not _told(said)):
        return 0.0
    if said.does(Act.REQUEST):
        base -= 0.5
    if said.does(Act.UNRESOLVED):
        base -= 1.0 if strong else 1.5
    if said.does(Act.LESSON):
        base -= 1.0  # a rule for all cases rather than a choice
    if said.does(Act.CAUSE | Act.SUCCESS | Act.STILL) and not clearly(
        said, Act.DECISION, doubt=_MENDING
    ):
        base -= 0.0 if _told(said) else 1.0  # a repair
    if said.does(Act.REASON) or _reason(one, said) is not None:
        base += 0.5
    if _open_choice(before):
        base += 0.5
    if (
        one.voice is Voice.PERSON
        and not said.does(Act.QUESTION)
        and _taken_up(one, said, reading=reading)
    ):
        base += 0.5
    if one.voice is Voice.AGENT:
        base -= 0.0 if _accepted(one, reading) else 0.5
    return base


def _told(said: Said) -> bool:
    return said.does(Act.DECISION) and _TOLD.search(said.text) is not None


def _before(one: Utterance, reading: Reading) -> list[Utterance]:
    start = max(0, one.index - _BACK)
    return [u for u in reading.utterances[start : one.index] if u.voice is not Voice.TOOL]


def _open_choice(before: Sequence[Utterance]) -> bool:
    return any(
        u.does(Act.OPTIONS | Act.PROPOSAL | Act.UNDECIDED) and not u.invented for u in before
    )


def _agrees(one: Utterance, said: Said, *, reading: Reading) -> bool:
    """Whether a person says yes to what was just proposed."""
    if one.voice is not Voice.PERSON or not said.does(Act.ACCEPT) or said is not one.said[0]:
        return False
    previous = _previous(one, reading)
    if previous is None or previous.voice is not Voice.AGENT:
        return False
    short = len(previous.words) <= _AGREED
    return previous.does(Act.PROPOSAL) or (short and previous.does(Act.OPTIONS))


def _settles(said: Said, one: Utterance, *, before: Sequence[Utterance], reading: Reading) -> bool:
    """Whether a person, having asked which, answers what the agent laid out with one of its words.

    Where the agent only asks for a detail ("gas or induction?") nothing is decided.
    """
    previous = _previous(one, reading)
    if one.voice is not Voice.PERSON or previous is None or previous.voice is not Voice.AGENT:
        return False
    if len(one.words) > _CHOICE or one.does(_DOUBT):
        return False
    if said.does(_TELLING):
        return False
    asked = any(
        (s.does(Act.OPTIONS) and s.does(Act.QUESTION)) or s.does(Act.UNDECIDED)
        for u in before
        if u.voice is Voice.PERSON
        for s in u.said
    )
    last = previous.said[-1]
    either = last.does(Act.QUESTION) and _OR.search(last.text) is not None  # "cards or a table?"
    if not (asked or either or previous.does(Act.PROPOSAL)) or previous.invented:
        return False
    leads = said.does(Act.ACCEPT | Act.MAYBE_DECISION) or _PICKS.search(said.text) is not None
    offered = {w for u in before[-3:] for w in segment(u.words).words} - STOP
    named = any(len(w) > 1 and w in offered for w in segment(said.text).words)
    return named and (leads or len(one.words) <= _SHORT) and _taken_up(one, said, reading=reading)


def _at_once(one: Utterance, reading: Reading) -> bool:
    """Whether the agent goes and does it: then it was a task."""
    after = reading.utterances[one.index + 1 : one.index + 2]
    return bool(after) and bool(after[0].turn.turn.tool_calls)


def _taken_up(one: Utterance, said: Said, *, reading: Reading) -> bool:
    """Whether the agent's next words take it as settled, in some of the same words."""
    after = next((u for u in reading.utterances[one.index + 1 :] if u.said or u.index), None)
    if after is None or after.voice is not Voice.AGENT or not after.said:
        return False
    if _TAKEN.search(after.said[0].text) is None:
        return False
    if len(said.text) <= _SHORT and said is one.said[0]:
        return True
    answer = set(segment(after.words).words) - STOP
    return any(len(w) > 1 and w in answer for w in segment(said.text).words)


def _accepted(one: Utterance, reading: Reading) -> bool:
    following = reading.utterances[one.index + 1 : one.index + 2]
    return (
        bool(following)
        and following[0].voice is Voice.PERSON
        and any(s.does(Act.ACCEPT) for s in following[0].said[:1])
    )


def _previous(one: Utterance, reading: Reading) -> Utterance | None:
    for other in reversed(reading.utterances[: one.index]):
        if other.voice is not Voice.TOOL and other.said:
            return other
    return None


def _reason(one: Utterance, said: Said) -> Said | None:
    """The sentence beside the decision that says why."""
    near = [
        s for s in one.said if s is not said and s.does(Act.REASON) and not s.does(Act.QUESTION)
    ]
    return min(near, key=lambda s: abs(s.start - said.start), default=None)


def _restates(last: Candidate, said: Said, *, reading: Reading) -> bool:
    """Whether this only repeats the last decision: said by the other side right after it."""
    near = said.turn - last.main.turn <= 2
    voices = {reading.utterances[t].voice for t in (last.main.turn, said.turn)}
    return near and len(voices) == 2 and reading.utterances[said.turn].voice is Voice.AGENT


def decision_card(one: Utterance, said: Said, *, score: float, reading: Reading) -> Candidate:
    pieces: list[Piece] = [piece(Part.DECISION, said)]
    why = _reason(one, said)
    if why is not None:
        pieces.append(piece(Part.REASON, why))
    previous = _previous(one, reading)
    if previous is not None and not previous.invented:
        proposal = previous.first(Act.PROPOSAL)
        if proposal is not None and one.voice is Voice.PERSON and previous.voice is Voice.AGENT:
            pieces.insert(0, piece(Part.PROPOSAL, proposal))
        elif one.voice is Voice.AGENT and previous.voice is Voice.PERSON and previous.said:
            asked = previous.first(Act.DECISION | Act.MAYBE_DECISION | Act.ACCEPT)
            pieces.insert(0, piece(Part.PROPOSAL, asked or previous.said[0]))
    question = _question(one, reading) or _subject(one, said, reading=reading)
    if question is not None:
        pieces.insert(0, piece(Part.QUESTION, question, cited=False))
    if one.voice is Voice.PERSON:
        pieces += _setting(one, said, pieces=pieces, reading=reading)
    # A bare "yes, do that" is about what it agrees to.
    bare = said.does(Act.ACCEPT) and not said.does(Act.DECISION | Act.TERSE | Act.ORDER)
    main = said
    if bare and previous is not None and len(said.text) < _BARE:
        main = _agreed(previous) or said
    return Candidate(
        CardKind.DECISION,
        main,
        tuple(pieces),
        score,
        importance=clamp(0.4 + 0.1 * score),
        confidence=clamp(0.3 + 0.17 * score),
    )


def _agreed(previous: Utterance) -> Said | None:
    """What a bare yes agrees to: the proposal, else the last thing said that is no question."""
    told = [s for s in previous.said if not s.does(Act.QUESTION | Act.REACTION) and not s.item]
    return previous.first(Act.PROPOSAL) or (told[-1] if told else None)


def _setting(
    one: Utterance, said: Said, *, pieces: Sequence[Piece], reading: Reading
) -> list[Piece]:
    """What a brief choice was made from, and how the agent took it up, by the words they share."""
    found = []
    words = _telling(one.words)
    if len(said.text) < _BRIEF and not any(p.part is Part.PROPOSAL for p in pieces):
        offered = [s for u in _before(one, reading) for s in u.said if not u.invented]
        best = max(offered, key=lambda s: (_shared(words, s), s.turn, -s.start), default=None)
        if best is not None and _shared(words, best):
            found.append(piece(Part.PROPOSAL, best, cited=one.index - best.turn <= 2))
    for other in reading.utterances[one.index + 1 : one.index + 4]:
        if other.voice is Voice.PERSON:
            break
        if other.voice is Voice.AGENT and other.said:
            best = max(other.said, key=lambda s: (_shared(words, s), -s.start))
            if _shared(words, best) and not best.does(Act.QUESTION):
                found.append(piece(Part.TAKEN, best))
            break
    return found


def _telling(text: str) -> frozenset[str]:
    return frozenset(w for w in segment(text).words if len(w) > 1) - STOP


def _shared(words: frozenset[str], said: Said) -> float:
    """How many words they share, names and numbers twice; a long sentence is less to the point."""
    shared = words & _telling(said.text)
    named = sum(any(c.isdigit() for c in w) for w in shared)
    return round((len(shared) + named) / (1 + len(said.text) / 400), 3) if shared else 0.0


def _subject(one: Utterance, said: Said, *, reading: Reading) -> Said | None:
    """What a brief decision is about, where nobody laid out options: the last question asked.

    "Shall I?" and "要我执行吗" ask for leave; what is asked about stands before them.
    """
    if len(said.text) >= _SHORT:
        return None
    for other in reversed(_before(one, reading)):
        asked = [
            s
            for s in other.said
            if s.does(Act.QUESTION | Act.HOW | Act.WHAT) and _LEAVE.search(s.text) is None
        ]
        if asked and not other.invented:
            return asked[-1]
    return None


def _question(one: Utterance, reading: Reading) -> Said | None:
    """The open question that the decision answers, if it was asked not long before."""
    for other in reversed(_before(one, reading)):
        if other.does(Act.OPTIONS | Act.UNDECIDED) and not other.invented:
            asked = [s for s in other.said if s.does(Act.OPTIONS | Act.UNDECIDED | Act.QUESTION)]
            if asked and other.voice is Voice.PERSON:
                return max(asked, key=lambda s: (s.does(Act.OPTIONS), s.does(Act.QUESTION)))
    return None
