"""The step of an introspection that forgets: one change, hidden and restorable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime

from alaya.introspect import since as reading
from alaya.introspect.cool import Temperatures
from alaya.introspect.cooling import rules_of
from alaya.introspect.counting import count_recalls
from alaya.introspect.dependants import RESTING
from alaya.introspect.forget import (
    ForgetPolicy,
    doomed,
    needers,
    policy_of,
    spared,
)
from alaya.introspect.steps import Minded
from alaya.model.change import Forgotten
from alaya.model.graph import Card
from alaya.model.introspection import Step, StepReport, Told
from alaya.model.passage import Where
from alaya.model.scope import Scope
from alaya.ports import Index, Progress
from alaya.projection import commit

_LINKS = 10_000  # of one card by which others may need it
_SHOWN = 5  # titles


def forget(memory: Minded, *, dry_run: bool, progress: Progress | None) -> StepReport:
    """Forget what the configured policy lets go, of all agents of the user. Twice is once."""
    parts, user = memory.parts, memory.scope.user
    policy = policy_of(parts.config.introspect)
    if policy is None:
        return StepReport(Step.FORGET, {"forgotten": 0}, (Told("off"),))
    parts.follow()
    count_recalls(parts.archive, parts.index)
    since = reading.read(parts.archive, user)
    now = parts.clock()
    asked = (policy, rules_of(parts.config).temperatures, dict(since.restored))
    found = _doomed(parts.index, user, asked=asked, now=now)
    if not dry_run:
        reading.keep(parts.archive, user, since=since)

        def decide() -> list[Forgotten]:
            found[:] = _still(parts.index, user, found=found)
            going = tuple(sorted(card.id for card, _ in found))
            return [Forgotten(Scope(user), going, _reason(policy, found))] if found else []

        if found:
            commit(
                parts.archive,
                parts.index,
                decide=decide,
                actor=memory.scope.agent or user,
                verb="introspect.forget",
                clock=parts.clock,
            )
    if progress is not None:
        progress("forget", len(found), total=len(found))
    return _report(policy, found)


_Asked = tuple[ForgetPolicy, Temperatures, Mapping[str, datetime]]
_Found = list[tuple[Card, str]]


def _doomed(index: Index, user: str, *, asked: _Asked, now: datetime) -> _Found:
    policy, rules, restored = asked
    where = Where(Scope(user), include_quarantined=True)
    cards = list(index.find_cards(where))
    found = doomed(cards, (), policy=policy, now=now, rules=rules, restored=restored)
    if not found:
        return found
    # Without links more goes by itself, but what is one too many depends on what goes.
    counted = policy.max_short is not None or policy.max_long is not None
    nodes = [card.id for card, _ in (cards if counted else found)]
    links = index.edges(nodes, where, relations=RESTING, limit_per_node=_LINKS)
    return doomed(cards, links, policy=policy, now=now, rules=rules, restored=restored)


def _still(index: Index, user: str, *, found: _Found) -> _Found:
    """Those of them that nobody touched or came to need since they were read."""
    where = Where(Scope(user), include_quarantined=True)
    read = {card.id: (card, why) for card, why in found}
    same = {
        card.id: read[card.id][1]
        for card, state in index.cards(list(read), where)
        if card == read[card.id][0] and not state.pinned and not state.quarantined
    }
    links = index.edges(list(read), where, relations=RESTING, limit_per_node=_LINKS)
    living = dict.fromkeys([*read, *(end for e in links for end in (e.source, e.target))])
    going = spared(same, needers(links, [card for card, _ in found]), living=living)
    return [(card, why) for card, why in found if card.id in going]


def _reason(policy: ForgetPolicy, found: _Found) -> str:
    counts = Counter(why for _, why in found)
    return f"{policy.name}: " + ", ".join(f"{why} {n}" for why, n in sorted(counts.items()))


def _report(policy: ForgetPolicy, found: _Found) -> StepReport:
    counts = Counter(why for _, why in found)
    told = [Told("done", {"count": len(found), "policy": policy.name})]
    told += [Told(why, {"count": n}) for why, n in sorted(counts.items())]
    told += [Told("card", {"title": card.title, "id": card.id}) for card, _ in found[:_SHOWN]]
    return StepReport(Step.FORGET, {"forgotten": len(found), **counts}, tuple(told))
