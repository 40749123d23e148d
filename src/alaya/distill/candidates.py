"""What a rule proposes: the sentences that carry a card, labelled by the part they play."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from alaya.distill.reading import Said
from alaya.model.graph import CardKind


class Part(StrEnum):
    """The part that a sentence plays in a card."""

    QUESTION = "question"
    PROBLEM = "problem"
    CAUSE = "cause"
    FIX = "fix"
    CODE = "code"
    SUCCESS = "success"
    DECISION = "decision"
    REASON = "reason"
    PROPOSAL = "proposal"
    TAKEN = "taken"  # how the agent took a choice up
    RULE = "rule"
    STEP = "step"
    FACT = "fact"


@dataclass(frozen=True)
class Piece:
    """Characters of one utterance and the part they play. `cited` pieces become evidence."""

    part: Part
    turn: int
    start: int
    end: int
    cited: bool = True


@dataclass(frozen=True)
class Candidate:
    """A possible card. `score` is the rule's own sum; `main` is the sentence it is about."""

    kind: CardKind
    main: Said
    pieces: tuple[Piece, ...]
    score: float
    importance: float
    confidence: float

    @property
    def turns(self) -> tuple[int, ...]:
        """The utterances that are cited, in order."""
        return tuple(sorted({p.turn for p in self.pieces if p.cited}))

    def less(self, by: float) -> Candidate:
        """The same candidate with less importance and confidence."""
        return replace(
            self,
            importance=max(0.0, self.importance - by),
            confidence=max(0.0, self.confidence - by),
        )


@dataclass(frozen=True)
class Found:
    """What one rule found, and how many passages it saw but did not believe."""

    candidates: tuple[Candidate, ...] = ()
    dropped: int = 0


def piece(part: Part, said: Said, *, cited: bool = True) -> Piece:
    """A piece that is one whole sentence."""
    return Piece(part, said.turn, said.start, said.end, cited)


def clamp(value: float) -> float:
    """To 0.05..0.95 with two digits: no rule is ever certain."""
    return round(min(0.95, max(0.05, value)), 2)
