"""From probabilities to verdicts: which utterances carry a card, each card once.

People restate: a choice, and the agent's "done, I'll use …" behind it, are one decision. Of
utterances that stand close together the likeliest of a kind is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from alaya.distill.weights import KINDS
from alaya.model.graph import CardKind

_CLOSE = 2  # utterances within which two verdicts of one kind are one


@dataclass(frozen=True)
class Verdict:
    """The `turn`-th utterance carries a card of this kind, as likely as that."""

    turn: int
    kind: CardKind
    probability: float


def best_of(probabilities: Sequence[Sequence[float]], needed: Sequence[float]) -> list[Verdict]:
    """The verdicts of a session, by place. `needed`: the least probability of each kind."""
    found: list[Verdict] = []
    for k, kind in enumerate(KINDS):
        taken: list[int] = []
        for turn in sorted(range(len(probabilities)), key=lambda t: (-probabilities[t][k], t)):
            here = probabilities[turn]
            if here[k] < needed[k]:
                break
            if here[k] < max(here) or any(abs(turn - other) <= _CLOSE for other in taken):
                continue
            taken.append(turn)
            found.append(Verdict(turn, kind, here[k]))
    return sorted(found, key=lambda v: (v.turn, KINDS.index(v.kind)))
