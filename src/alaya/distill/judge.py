"""From probabilities to verdicts: which utterances carry a card, each card once.

People restate: a choice, and the agent's "done, I'll use …" behind it, are one decision. Of
utterances that stand close together the likeliest of a kind is taken.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from alaya.distill.candidates import Candidate
from alaya.distill.weights import KINDS
from alaya.model.graph import CardKind

_NEXT, _SURE = 1, 0.75  # where it is as good as certain, only the next utterance is the same
_PROVEN = 6.0  # score of a rule that saw a failure, its cause or fix, and the proof
_PLAUSIBLE = 0.08  # probability at which its word is taken
_CLOSE = 2  # utterances within which two verdicts of one kind are one


@dataclass(frozen=True)
class Verdict:
    """The `turn`-th utterance carries a card of this kind, as likely as that."""

    turn: int
    kind: CardKind
    probability: float


def lifted(
    probabilities: Sequence[tuple[float, ...]],
    found: Sequence[Candidate],
    *,
    needed: Sequence[float],
    tools: Collection[int],
) -> list[tuple[float, ...]]:
    """Take a rule's word for a failure that a tool showed and that was mended, if plausible.

    `tools`: the utterances of tools.

    Other rules are not trusted so: of what the weights refused, they were right once in five.
    """
    lift = list(probabilities)
    at = KINDS.index(CardKind.GOTCHA)
    for one in found:
        shown = any(t in tools for t in one.turns)
        if one.kind is not CardKind.GOTCHA or one.score < _PROVEN or not shown:
            continue
        turn = max(one.turns, key=lambda t: (lift[t][at], t))
        here = lift[turn]
        if _PLAUSIBLE <= here[at] < needed[at] and here[at] == max(here):
            lift[turn] = (*here[:at], needed[at], *here[at + 1 :])
    return lift


def best_of(probabilities: Sequence[Sequence[float]], needed: Sequence[float]) -> list[Verdict]:
    """The verdicts of a session, by place. `needed`: the least probability of each kind."""
    found: list[Verdict] = []
    for k, kind in enumerate(KINDS):
        taken: list[int] = []
        for turn in sorted(range(len(probabilities)), key=lambda t: (-probabilities[t][k], t)):
            here = probabilities[turn]
            if here[k] < needed[k]:
                break
            near = any(
                abs(turn - other) <= (_NEXT if here[k] >= _SURE else _CLOSE) for other in taken
            )
            if here[k] < max(here) or near:
                continue
            taken.append(turn)
            found.append(Verdict(turn, kind, here[k]))
    return sorted(found, key=lambda v: (v.turn, KINDS.index(v.kind)))
