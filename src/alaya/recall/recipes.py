"""Recipes: from what is known of a hit to its score, and the parts that add up to it. Pure.

- `default`: the h-distance of the Alaya design (4.4) on the ranked similarity; what is stale counts
  half, and what says the same as something before it goes behind (`diversity`).
- `alaya`: h alone, as the design has it.
- `alice`: 0.4 semantic + 0.3 time + 0.2 importance + 0.1 frequency.
- `eywa`: semantic similarity, the logarithm of the number of connections, importance, freshness.

Stale and repeated things go behind in every recipe but `alaya`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

DEFAULT, ALAYA, ALICE, EYWA = "default", "alaya", "alice", "eywa"
RECIPES = (DEFAULT, ALAYA, ALICE, EYWA)

_DEPTH = 0.1  # of a step, in h
STALE = 0.5  # of its score that a hit loses when what it came from was corrected

Parts = tuple[tuple[str, float], ...]


class Facts(NamedTuple):
    """What a recipe knows of a hit.

    Turns and summaries are neither rated, linked nor counted when they are recalled: they have the
    values of a card that nobody rated (importance 0.5), linked or recalled yet, so that none is
    preferred or passed over for its kind alone.
    """

    similarity: float = 0.0  # 0..1, falls along the ranking; 0 where nothing was asked in words
    relation_distance: float = 0.0  # 0..1; 1 where relations were named and none led here
    depth: int = 0
    age_days: float = 0.0  # since it was said
    importance: float = 0.5
    accesses: int = 0  # recalls that returned it
    links: int = 0  # to cards and entities
    stale: bool = False


@dataclass(frozen=True)
class Blend:
    """A recipe that adds weighed parts. Weights count in proportion to each other.

    `half_life` is in days; `enough` accesses or connections are worth as much as any more.
    """

    weights: tuple[tuple[str, float], ...]
    half_life: float = 30.0
    enough: int = 20


# Alice's design gives the weights. Eywa's gives the four parts; what they weigh is ours.
ALICE_BLEND = Blend((("semantic", 0.4), ("time", 0.3), ("importance", 0.2), ("frequency", 0.1)))
EYWA_BLEND = Blend(
    (("semantic", 0.5), ("connections", 0.2), ("importance", 0.2), ("freshness", 0.1)), enough=50
)


@dataclass(frozen=True)
class Numbers:
    """The numbers of a recipe for one query.

    `worded`: something was asked in words. `named`: relations were.
    """

    alpha: float = 0.5
    beta: float = 0.3
    gamma: float = 0.2
    worded: bool = True
    named: bool = False
    blend: Blend | None = None  # of `alice` and `eywa`
    stale: float = STALE

    @property
    def shared(self) -> tuple[float, float, float]:
        """alpha, beta and gamma over what was asked: without words there is no concept to be far
        from, and its weight goes to the others in proportion."""
        if self.worded:
            return self.alpha, self.beta, self.gamma
        rest = self.beta + self.gamma
        if rest == 0:
            return 0.0, self.alpha, 0.0
        grown = (self.alpha + rest) / rest
        return 0.0, self.beta * grown, self.gamma * grown


def h_distance(facts: Facts, numbers: Numbers) -> float:
    """alpha x concept distance + beta x relation distance + gamma x 0.1 x depth (Alaya 4.4)."""
    alpha, beta, gamma = numbers.shared
    concept = alpha * (1.0 - facts.similarity)
    return concept + beta * facts.relation_distance + gamma * _DEPTH * facts.depth


def parts(recipe: str, facts: Facts, *, numbers: Numbers) -> Parts:
    """What each part adds to the score. A sum below 0 is a score of 0; it still ranks."""
    blend = numbers.blend
    found = _nearness(facts, numbers) if blend is None else _blended(facts, numbers, blend=blend)
    if facts.stale and recipe != ALAYA:
        found = (*found, ("stale", -numbers.stale * abs(total(found))))
    return found


def total(found: Parts) -> float:
    """The sum that ranks."""
    return sum(value for _, value in found)


def is_diverse(recipe: str) -> bool:
    """Whether what says the same as something before it goes behind."""
    return recipe != ALAYA


def _nearness(facts: Facts, numbers: Numbers) -> Parts:
    """1 - h over its range, by parts: falls as h grows, and is the similarity of a hit that was
    found without walking, unless relations were named."""
    alpha, beta, gamma = numbers.shared
    counted = numbers.named or alpha == 0  # the relation is part of the range
    size = alpha + (beta if counted else 0.0) or 1.0
    far = facts.relation_distance
    return (
        ("concept", (alpha / size) * facts.similarity),
        ("relation", (beta / size) * (1.0 - far if counted else -far)),
        ("depth", -(gamma / size) * _DEPTH * facts.depth),
    )


def _blended(facts: Facts, numbers: Numbers, *, blend: Blend) -> Parts:
    used = [(n, w) for n, w in blend.weights if numbers.worded or n != "semantic"]
    whole = sum(weight for _, weight in used) or 1.0
    return tuple((name, weight / whole * _VALUES[name](facts, blend)) for name, weight in used)


def _decay(facts: Facts, blend: Blend) -> float:
    """1 for what was said now (or later), half of it after each half-life."""
    return math.pow(0.5, max(0.0, facts.age_days) / blend.half_life)


def _frequency(facts: Facts, blend: Blend) -> float:
    return min(1.0, facts.accesses / blend.enough)


def _connections(facts: Facts, blend: Blend) -> float:
    return min(1.0, math.log1p(facts.links) / math.log1p(blend.enough))


_VALUES: Mapping[str, Callable[[Facts, Blend], float]] = MappingProxyType(
    {
        "semantic": lambda facts, _: facts.similarity,
        "time": _decay,
        "freshness": _decay,
        "importance": lambda facts, _: facts.importance,
        "frequency": _frequency,
        "connections": _connections,
    }
)
