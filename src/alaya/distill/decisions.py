"""What was decided, by whom and why.

A person's decision counts as it stands; the agent's counts where a person agrees or where it tells
of one that was made. Plans for the next minutes of work are not decisions.
"""

from __future__ import annotations

from collections.abc import Sequence

from alaya.distill.acts import Act
from alaya.distill.candidates import Candidate, Found, Part, Piece, clamp, piece
from alaya.distill.reading import Reading, Said, Utterance, Voice
from alaya.model.graph import CardKind

_NEEDED = 2.0
_BACK = 5  # utterances in which the options are looked for
_SHORT = 60  # characters of an agreement that adds nothing of its own
_NEVER = Act.QUESTION | Act.UNDECIDED | Act.IMAGINED
# "We decided": told as a fact, so the agent's word is enough.
_TOLD = ("decided", "决定", "agreed", "settled", "定下", "敲定", "chose", "final", "最终")


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
        if found and _restates(found[-1], said, reading):
            continue
        found.append(_card(one, said, score, reading))
    return Found(tuple(found), dropped)


def _best_in(one: Utterance, reading: Reading) -> tuple[float, Said] | None:
    rated = [(score, s) for s in one.said if (score := _score(one, s, reading)) > 0]
    return max(rated, key=lambda r: (r[0], -r[1].start), default=None)


def _score(one: Utterance, said: Said, reading: Reading) -> float:
    if said.does(_NEVER):
        return 0.0
    strong = said.does(Act.DECISION)
    base = 2.0 if strong else 1.0 if said.does(Act.MAYBE_DECISION) else 0.0
    before = _before(one, reading)
    if base < 2 and _agrees(one, said, reading):
        base = max(base + 1.0, 2.0 if _open_choice(before) else 1.5)
    if base == 0 or reading.people and not _told(said):
        return 0.0
    if said.does(Act.TENTATIVE):
        base -= 1.0
    if said.does(Act.REQUEST):
        base -= 0.5
    if said.does(Act.REASON) or _reason(one, said) is not None:
        base += 0.5
    if _open_choice(before):
        base += 0.5
    if one.voice is Voice.AGENT:
        base -= 0.5 if _told(said) else 1.0 if not _accepted(one, reading) else 0.0
        if said.does(Act.PROPOSAL) and not _accepted(one, reading):
            base -= 1.0
    return base


def _told(said: Said) -> bool:
    words = said.text.lower()
    return said.does(Act.DECISION) and any(t in words for t in _TOLD)


def _before(one: Utterance, reading: Reading) -> list[Utterance]:
    start = max(0, one.index - _BACK)
    return [u for u in reading.utterances[start : one.index] if u.voice is not Voice.TOOL]


def _open_choice(before: Sequence[Utterance]) -> bool:
    return any(u.does(Act.OPTIONS | Act.PROPOSAL | Act.UNDECIDED) and not u.invented for u in before)


def _agrees(one: Utterance, said: Said, reading: Reading) -> bool:
    """Whether a person says yes to what was just proposed."""
    if one.voice is not Voice.PERSON or not said.does(Act.ACCEPT) or said is not one.said[0]:
        return False
    previous = _previous(one, reading)
    return previous is not None and previous.does(Act.PROPOSAL) and previous.voice is Voice.AGENT


def _accepted(one: Utterance, reading: Reading) -> bool:
    following = reading.utterances[one.index + 1 : one.index + 2]
    return bool(following) and following[0].voice is Voice.PERSON and any(
        s.does(Act.ACCEPT) for s in following[0].said[:1]
    )


def _previous(one: Utterance, reading: Reading) -> Utterance | None:
    for other in reversed(reading.utterances[: one.index]):
        if other.voice is not Voice.TOOL and other.said:
            return other
    return None


def _reason(one: Utterance, said: Said) -> Said | None:
    """The sentence beside the decision that says why."""
    near = [s for s in one.said if s is not said and s.does(Act.REASON) and not s.does(Act.QUESTION)]
    return min(near, key=lambda s: abs(s.start - said.start), default=None)


def _restates(last: Candidate, said: Said, reading: Reading) -> bool:
    """Whether this only repeats the last decision: said by the other side right after it."""
    near = said.turn - last.main.turn <= 2
    voices = {reading.utterances[t].voice for t in (last.main.turn, said.turn)}
    return near and len(voices) == 2 and reading.utterances[said.turn].voice is Voice.AGENT


def _card(one: Utterance, said: Said, score: float, reading: Reading) -> Candidate:
    pieces: list[Piece] = [piece(Part.DECISION, said)]
    why = _reason(one, said)
    if why is not None:
        pieces.append(piece(Part.REASON, why))
    previous = _previous(one, reading)
    if previous is not None and not previous.invented:
        proposal = previous.first(Act.PROPOSAL)
        bare = len(said.text) < _SHORT and said.does(Act.ACCEPT)
        if proposal is not None and (bare or said.does(Act.ACCEPT)):
            pieces.insert(0, piece(Part.PROPOSAL, proposal))
    question = _question(one, reading)
    if question is not None:
        pieces.insert(0, piece(Part.QUESTION, question, cited=False))
    # A bare "yes, do that" is about what it agrees to.
    bare = not said.does(Act.DECISION) and pieces[-1].part is not Part.QUESTION
    main = said
    if bare and previous is not None and (proposed := previous.first(Act.PROPOSAL)) is not None:
        main = proposed if len(said.text) < _SHORT else said
    return Candidate(
        CardKind.DECISION,
        main,
        tuple(pieces),
        score,
        importance=clamp(0.4 + 0.1 * score),
        confidence=clamp(0.3 + 0.17 * score),
    )


def _question(one: Utterance, reading: Reading) -> Said | None:
    """The open question that the decision answers, if it was asked not long before."""
    for other in reversed(_before(one, reading)):
        if other.does(Act.OPTIONS | Act.UNDECIDED) and not other.invented:
            asked = [s for s in other.said if s.does(Act.OPTIONS | Act.UNDECIDED | Act.QUESTION)]
            if asked and other.voice is Voice.PERSON:
                return max(asked, key=lambda s: (s.does(Act.OPTIONS), s.does(Act.QUESTION)))
    return None
