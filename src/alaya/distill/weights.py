"""The fitted weights: which utterance carries a card, and of which kind.

Two steps, both fitted by `benchmarks/fit_distiller.py` on the labelled sessions in
`tests/data/labelled` and shipped as `weights.json`. First a linear model over `features`, one for
each kind; then small boosted trees (Friedman 2001, "Greedy Function Approximation") over the first
step's results for an utterance and the ones around it: stacking (Wolpert 1992). Plain Python: a few
thousand additions a turn, and the same numbers on every machine.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from alaya.distill.acts import Act
from alaya.distill.features import Features, grams
from alaya.distill.reading import Reading, Utterance, Voice
from alaya.model.graph import CardKind

KINDS = (CardKind.CONCEPT, CardKind.PATTERN, CardKind.GOTCHA, CardKind.DECISION)
SHAPE, WORDS = 0.25, 6.0  # what a feature of each block counts; of words the block's root in all
_FILE = Path(__file__).with_name("weights.json")
_FAR = 5.8  # beyond these odds (0.3 %) nothing is said by being further
_NONE = -6.0  # the odds of an utterance that is not there
_AROUND = (-2, -1, 1, 2)
_SEEN = (
    *("n:echo>25", "p:echo>25", "n:back>25", "p:back>25", "u:asks:none", "u:asks:all"),
    *("u:pa:ends:?", "u:short:pa:offers", "u:n=none"),
)
_OWN = (
    *(Act.QUESTION, Act.DECISION, Act.MAYBE_DECISION, Act.ORDER, Act.TERSE, Act.ACCEPT),
    *(Act.PERSONAL, Act.STANDING, Act.CAUSE, Act.FIX, Act.SUCCESS, Act.STILL, Act.TENTATIVE),
    *(Act.UNDECIDED, Act.REACTION, Act.STEPS, Act.LESSON, Act.PROBLEM, Act.REQUEST),
)
_BEFORE = (Act.QUESTION, Act.OPTIONS, Act.PROPOSAL, Act.PROBLEM, Act.UNDECIDED)
_AFTER = (Act.NOTED, Act.QUESTION, Act.SUCCESS, Act.TENTATIVE, Act.PROPOSAL, Act.OPTIONS)
_WORD = 4  # characters of a turn that says nothing by itself
_HOPELESS = -3.9  # odds of 2 %: the trees were not fitted below
Row = Sequence[float]


@dataclass(frozen=True)
class Forest:
    """Boosted trees: log-odds are `base` plus `rate` times the sum of one leaf of each tree.

    A node is (column, threshold, left, right); a leaf is (value,).
    """

    base: float
    rate: float
    trees: tuple[tuple[tuple[float, ...], ...], ...]

    def probability(self, row: Row) -> float:
        """How likely, 0..1."""
        total = self.base
        for tree in self.trees:
            node = tree[0]
            while len(node) > 1:
                node = tree[int(node[2] if row[int(node[0])] <= node[1] else node[3])]
            total += self.rate * node[0]
        return 1 / (1 + math.exp(-total))


@dataclass(frozen=True)
class Weights:
    """Both steps, and the least probability of each kind that makes a card."""

    bias: tuple[float, ...]
    names: Mapping[str, tuple[float, ...]]
    forests: tuple[tuple[Forest, ...], ...]  # of each kind; their mean counts
    needed: tuple[float, ...]

    def odds(self, features: Features) -> list[float]:
        """The first step: log-odds of each kind."""
        total = list(self.bias)
        scale = WORDS / math.sqrt(max(1, len(features.words)))
        for names, by in ((features.shape, SHAPE), (features.words, scale)):
            # sorted: sums of floats depend on the order, and sets have another in each process
            for found in sorted(names & self.names.keys()):
                for i, weight in enumerate(self.names[found]):
                    total[i] += by * weight
        return [min(_FAR, max(-_FAR, t)) for t in total]

    def probabilities(
        self, reading: Reading, features: Sequence[Features]
    ) -> list[tuple[float, ...]]:
        """Of every utterance, how likely it carries a card of each kind."""
        odds = [self.odds(f) for f in features]
        none = (0.0,) * len(KINDS)
        found = []
        for one, row in zip(reading.utterances, rows(reading, features, odds=odds), strict=True):
            mute = one.voice is Voice.TOOL or one.invented or not one.said or _alone(one, reading)
            if mute or max(odds[one.index]) <= _HOPELESS:
                found.append(none)
            else:
                found.append(tuple(_mean(f, row) for f in self.forests))
        return found

    def of_sentence(self, one: Utterance, text: str, *, kind: CardKind) -> float:
        """How much a sentence's own wording speaks for a kind."""
        letter = "u" if one.voice is Voice.PERSON else "a"
        at = KINDS.index(kind)
        found = sorted(f"{letter}:{g}" for g in grams(text.lower()))
        total = sum(self.names[f][at] for f in found if f in self.names)
        return total / math.sqrt(len(found) + 4)


def _alone(one: Utterance, reading: Reading) -> bool:
    """A word such as "ok" with nobody's words before it."""
    earlier = reading.utterances[: one.index]
    return len(one.words) <= _WORD and not any(u.said for u in earlier)


def _mean(forests: Sequence[Forest], row: Row) -> float:
    return sum(f.probability(row) for f in forests) / len(forests)


def rows(
    reading: Reading, features: Sequence[Features], *, odds: Sequence[Row]
) -> list[list[float]]:
    """What the second step sees of each utterance: odds here, around and at best in the session."""
    width = len(KINDS)
    total = len(odds)
    columns = [sorted((o[k] for o in odds), reverse=True) for k in range(width)]
    best = [c[0] for c in columns if c] + [c[min(2, total - 1)] for c in columns if c]
    talk = [u.index for u in reading.utterances if u.voice is not Voice.TOOL and u.said]
    found = []
    for one, seen, own in zip(reading.utterances, features, odds, strict=True):
        row = list(own)
        for step in _AROUND:
            at = one.index + step
            row += odds[at] if 0 <= at < total else [_NONE] * width
        row += best
        row += [min(one.index, 3), min(total - 1 - one.index, 3)]
        row += [len(one.words), len(one.said)]
        row += [float(one.voice is v) for v in (Voice.PERSON, Voice.AGENT, Voice.TOOL)]
        fired = {s[2:] for s in seen.shape if s[1:7] == ":rule:"}
        row += [float(any(f.startswith(f"rule:{k.value}") for f in fired)) for k in KINDS]
        row += [float(any(s.startswith(name) for s in seen.shape)) for name in _SEEN]
        at = bisect_left(talk, one.index)
        before = talk[max(0, at - 2) : at][::-1]
        at = bisect_right(talk, one.index)
        after = talk[at : at + 2]
        for near in (before, after):
            for n in range(2):
                row += odds[near[n]] if n < len(near) else [_NONE] * width
        row += _acts(one, before[:1], after=after[:1], reading=reading)
        found.append(row)
    return found


def _acts(
    one: Utterance, before: Sequence[int], *, after: Sequence[int], reading: Reading
) -> list[float]:
    """What is done here and beside it, by whom, and at what length."""
    last = reading.utterances[before[0]] if before else None
    then = reading.utterances[after[0]] if after else None
    row = [float(one.does(act)) for act in _OWN]
    row += [float(last is not None and last.does(act)) for act in _BEFORE]
    row += [float(then is not None and then.does(act)) for act in _AFTER]
    row += [float(other is not None and other.voice is one.voice) for other in (last, then)]
    row += [float(bool(one.turn.turn.tool_calls))]
    row += [float(then is not None and bool(then.turn.turn.tool_calls))]
    row += [float(len(other.words)) if other is not None else 0.0 for other in (last, then)]
    return row


@lru_cache(maxsize=1)
def shipped() -> Weights:
    """The weights of the package, read once when first needed."""
    return parsed(json.loads(_FILE.read_text(encoding="utf-8")))


def parsed(data: Mapping[str, Any]) -> Weights:
    """Weights from their JSON form. Weights of features are in hundredths."""
    return Weights(
        tuple(data["bias"]),
        {name: tuple(w / 100 for w in ws) for name, ws in data["features"].items()},
        tuple(
            tuple(
                Forest(f["base"], f["rate"], tuple(tuple(tuple(n) for n in t) for t in f["trees"]))
                for f in forests
            )
            for forests in data["forests"]
        ),
        tuple(data["needed"]),
    )
