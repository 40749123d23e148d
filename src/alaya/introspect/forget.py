"""Which cards may be forgotten. The rules of three designs are one policy value; pure.

What is pinned, what waits in quarantine, what somebody brought back lately, and what something that
lives depends on is safe from every rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType

from alaya.config_sections import IntrospectConfig
from alaya.introspect.cool import Temperatures, temperature
from alaya.introspect.strength import idle
from alaya.model.graph import Card, CardState, Edge, Horizon, Link
from alaya.model.relations import CAUSED_BY, CAUSES, DEPENDS_ON, DERIVED_FROM

FADED, IDLE, AGED, DOUBTFUL, TOO_MANY = "faded", "idle", "aged", "doubtful", "too_many"
DESIGN = Temperatures()
_CARD = "card-"  # what is no card but depends on one, such as an entity, is taken to live


@dataclass(frozen=True)
class ForgetPolicy:
    """When a card may be forgotten; None switches a rule off. Days are of 24 hours.

    It may when it has faded (it is colder than `temperature`, untouched for more than
    `untouched_days` and recalled fewer than `accesses` times, all together), or for any one of the
    others: idle (not recalled for `idle_days`), aged, doubtful (`confidence` is the least), or one
    too many of its horizon, the newest staying. More important than `keep_importance`: never.
    """

    name: str
    keep_importance: float | None = None
    temperature: float | None = None
    untouched_days: int = 90
    accesses: int = 3
    idle_days: int | None = None
    age_days: int | None = None
    confidence: float | None = None
    max_short: int | None = None
    max_long: int | None = None
    grace_days: int = 90  # for which what somebody restored stays in any case


PRESETS: Mapping[str, ForgetPolicy] = MappingProxyType(
    {
        "alaya": ForgetPolicy("alaya", temperature=0.1, untouched_days=90, accesses=3),
        "alice": ForgetPolicy("alice", keep_importance=0.8, idle_days=90, confidence=0.3),
        "qiming": ForgetPolicy("qiming", age_days=90, confidence=0.3, max_short=50, max_long=1000),
    }
)


def policy_of(config: IntrospectConfig) -> ForgetPolicy | None:
    """The policy that is configured: a preset with the numbers of the configuration; None: none."""
    chosen = PRESETS.get(config.forget_policy)
    if chosen is None:
        return None
    numbers = {
        "keep_importance": config.forget_importance,
        "temperature": config.forget_threshold,
        "untouched_days": config.forget_days,
        "accesses": config.forget_accesses,
        "idle_days": config.forget_days,
        "age_days": config.forget_days,
        "confidence": config.forget_confidence,
        "max_short": config.forget_max_short,
        "max_long": config.forget_max_long,
        "grace_days": config.forget_days,
    }
    used = {name: n for name, n in numbers.items() if getattr(chosen, name) is not None}
    return replace(chosen, **used)  # type: ignore[arg-type]


def doomed(
    cards: Sequence[tuple[Card, CardState]],
    links: Iterable[Link | Edge],
    *,
    policy: ForgetPolicy,
    now: datetime,
    rules: Temperatures = DESIGN,
    restored: Mapping[str, datetime] = MappingProxyType({}),
) -> list[tuple[Card, str]]:
    """The cards to be forgotten, each with the rule that it falls under, in the order given.

    `cards` are all of a user, of which those that live are looked at; `links` those between what
    lives; `restored`: when somebody brought a card back. Forgetting what this returns and asking
    again returns nothing.
    """
    living = {c.id: (c, s) for c, s in cards if s.forgotten_at is None and s.retired_at is None}
    judge = _Judge(policy, now, rules, restored)
    needed = needers(links, [card for card, _ in living.values()])
    alone = {c.id: why for c, s in living.values() if (why := judge.verdict(c, s))}
    gone = spared(alone, needed, living=living)
    excess = judge.excess([pair for name, pair in living.items() if name not in gone])
    # What one too many alone had needed may go with it: all begin anew as candidates.
    found = spared({**dict.fromkeys(excess, TOO_MANY), **alone}, needed, living=living)
    return [(living[i][0], found[i]) for i in living if i in found]


def needers(links: Iterable[Link | Edge], cards: Iterable[Card]) -> dict[str, set[str]]:
    """By whom each node is needed. SIMILAR_TO, TEMPORAL_NEXT and EXTRACTED_FROM need nobody."""
    found: dict[str, set[str]] = {}
    for link in links:
        if link.relation in (DEPENDS_ON, DERIVED_FROM, CAUSED_BY):
            found.setdefault(link.target, set()).add(link.source)
        elif link.relation == CAUSES:
            found.setdefault(link.source, set()).add(link.target)
    for card in cards:
        for source in card.derived_from:
            found.setdefault(source, set()).add(card.id)
    return found


def spared(
    found: Mapping[str, str], needed: Mapping[str, set[str]], *, living: Mapping[str, object]
) -> dict[str, str]:
    """The largest part of `found` of which nothing that stays depends on any."""
    going = dict(found)
    moved = True
    while moved:
        moved = False
        for name in list(going):
            by = needed.get(name, set()) - {name}
            if any(_lives(one, living) and one not in going for one in by):
                del going[name]
                moved = True
    return going


def _lives(node: str, living: Mapping[str, object]) -> bool:
    return node in living or not node.startswith(_CARD)


@dataclass(frozen=True)
class _Judge:
    """A policy at one moment."""

    policy: ForgetPolicy
    now: datetime
    rules: Temperatures
    restored: Mapping[str, datetime]

    def safe(self, card: Card, state: CardState) -> bool:
        """Whether a card stays whatever the rules say, its dependants aside."""
        keep, back = self.policy.keep_importance, self.restored.get(card.id)
        return (
            state.pinned
            or state.quarantined
            or (keep is not None and card.importance > keep)
            or (back is not None and self._days(back) <= self.policy.grace_days)
        )

    def verdict(self, card: Card, state: CardState) -> str | None:
        """The rule that a card falls under by itself."""
        if self.safe(card, state):
            return None
        policy = self.policy
        alone = idle(card.said_at, state, now=self.now)
        if policy.temperature is not None and (
            temperature(card.said_at, state, now=self.now, rules=self.rules) < policy.temperature
            and alone > policy.untouched_days
            and state.access_count < policy.accesses
        ):
            return FADED
        if policy.idle_days is not None and alone > policy.idle_days:
            return IDLE
        learnt = max(card.said_at, state.recorded_at)
        if policy.age_days is not None and self._days(learnt) > policy.age_days:
            return AGED
        if policy.confidence is not None and card.confidence < policy.confidence:
            return DOUBTFUL
        return None

    def excess(self, cards: Sequence[tuple[Card, CardState]]) -> list[str]:
        """Those behind the newest so many of each horizon that are not safe."""
        found: list[str] = []
        limits = ((Horizon.SHORT, self.policy.max_short), (Horizon.LONG, self.policy.max_long))
        for horizon, most in limits:
            if most is None:
                continue
            mine = [pair for pair in cards if pair[0].horizon is horizon]
            mine.sort(key=lambda pair: (pair[0].said_at, pair[0].id), reverse=True)
            found += [card.id for card, state in mine[most:] if not self.safe(card, state)]
        return found

    def _days(self, since: datetime) -> float:
        return (self.now - since) / timedelta(days=1)
