"""The step of an introspection that consolidates: cards that say the same become one, alike ones
are linked.

Cards that are new since the last time are compared with their neighbours among all; what stays to
be compared is remembered, so that it can be stopped anywhere, and a second run finds nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from alaya.errors import ConfigError
from alaya.introspect import since as reading
from alaya.introspect.candidates import Neighbours
from alaya.introspect.merging import merged, rederived
from alaya.introspect.pairing import SAME_WORDS, Plan, Rules, plan
from alaya.introspect.since import Since
from alaya.introspect.steps import Minded
from alaya.model.change import CardMerged, CardRevised, Change, LinkAdded, Pinned
from alaya.model.graph import Card, CardState
from alaya.model.ids import digest
from alaya.model.introspection import Step, StepReport, Told
from alaya.model.passage import Where
from alaya.model.scope import Scope
from alaya.ports import Archive, Index, Progress
from alaya.projection import Clock, commit

_BITE = 64  # cards that are compared and committed together
_SHOWN = 10  # merges that are told of
_RULES = 1  # a new version of how cards are compared compares all anew


@dataclass
class _Done:
    """What was done so far. `merges`: (kept, taken in, why), by titles."""

    compared: int = 0
    merges: list[tuple[str, str, str]] = field(default_factory=list)
    kept: set[str] = field(default_factory=set)
    links: int = 0
    apart: set[frozenset[str]] = field(default_factory=set)
    asked: int = 0
    left: dict[str, None] = field(default_factory=dict)


def consolidate_cards(memory: Minded, *, dry_run: bool, progress: Progress | None) -> StepReport:
    """Merge and link what is new, of all agents of the user, each with its own."""
    parts, user = memory.parts, memory.scope.user
    parts.follow()
    wanted = parts.config.introspect
    floor = min(wanted.consolidate_threshold, wanted.similar_threshold, SAME_WORDS)
    near = Neighbours(parts.index, user, parts.embedder, floor)
    done, asker = _Done(), None
    try:
        asker = parts.asker(user)
    except ConfigError as error:  # words alone decide, until it is mended
        done.left[str(error)] = None
    rules = Rules(
        same=wanted.consolidate_threshold,
        similar=wanted.similar_threshold,
        asker=asker,
        link=wanted.link_similar,
        asks=not dry_run,
    )
    setting = digest(
        _RULES,
        near.embedder and near.embedder.name,
        rules.same,
        rules.similar,
        rules.link,
        rules.asker and rules.asker.llm.name,
    )
    work = _Work(parts.archive, parts.index, near, rules, setting, memory.scope, parts.clock)
    work.run(done, dry_run=dry_run, progress=progress)
    return _report(done)


@dataclass
class _Work:
    archive: Archive
    index: Index
    near: Neighbours
    rules: Rules
    setting: str
    scope: Scope
    clock: Clock
    _derived: dict[str, set[str]] | None = None

    def run(self, done: _Done, *, dry_run: bool, progress: Progress | None) -> None:
        """Bite by bite, until nothing new is left but what has to wait."""
        waiting = set[str]()
        since = self._read()
        total = len(since.todo)
        while bite := [name for name in since.todo if name not in waiting][:_BITE]:
            near = self.near.fresh()
            found, unembedded = self._planned(bite, near, since=since)
            waiting |= (unembedded | found.waiting) & set(bite)
            changed = set[str]() if dry_run else self._commit(found, near)
            _add(done, found, near=near)
            done.compared += len(bite)
            if found.stopped:
                self.rules = replace(self.rules, asks=False)
            since = since.without(set(bite) - waiting - changed)
            if not dry_run:
                reading.keep(self.archive, self.scope.user, since=since)
                since = self._read()  # with what was just merged, to be compared as it is now
            if progress is not None:
                progress("consolidate", done.compared, total=max(total, done.compared))

    def _read(self) -> Since:
        return reading.read(self.archive, self.scope.user, setting=self.setting)

    def _planned(
        self, bite: Sequence[str], near: Neighbours, *, since: Since
    ) -> tuple[Plan, set[str]]:
        """What becomes of these cards, and which of them have no vector yet."""
        near.read(bite)
        unembedded: set[str] = set()
        pairs = []
        for name in bite:
            if name not in near.known:
                continue  # forgotten, cold or merged by now
            found, has_vector = near.pairs(name)
            if near.embedder is not None and not has_vector:
                unembedded.add(name)
            pairs += found
        rules = replace(self.rules, once=since.once(), dropped=frozenset(since.dropped))
        return plan(pairs, near, rules=rules), unembedded

    def _commit(self, found: Plan, near: Neighbours) -> set[str]:
        """One record, of what still stands as it was read; returns the cards that do not."""
        if not found.merges and not found.links:
            return set()
        into = {other: kept for kept, others in found.merges.items() for other in others}
        derived = self._dependants(set(into))
        ends = {end for link in found.links for end in (link.source, link.target)}
        involved = sorted({*found.moving, *ends})
        changed: set[str] = set()

        def decide() -> list[Change]:
            now = self.clock()
            same = {
                card.id: (card, state)
                for card, state in self.index.cards(involved, near.where)
                if card == near.card(card.id)
            }
            changed.update(set(involved) - set(same))
            _keep_only(found, same)
            changes = _merges(found, same, now=now, scope=self.scope)
            changes += self._rederived(derived, found, now=now)
            changes += [LinkAdded(link) for link in found.links]
            return changes

        commit(
            self.archive,
            self.index,
            decide=decide,
            actor=self.scope.agent or self.scope.user,
            verb="introspect.consolidate",
            clock=self.clock,
            touches=involved,
        )
        return changed

    def _dependants(self, gone: set[str]) -> set[str]:
        """The cards that were derived from any of these; all are read once for it."""
        if not gone:
            return set()
        if self._derived is None:
            self._derived = {}
            for card, _ in self.index.find_cards(_everything(self.scope.user)):
                for source in card.derived_from:
                    self._derived.setdefault(source, set()).add(card.id)
        return {one for name in gone for one in self._derived.get(name, ())}

    def _rederived(self, derived: set[str], found: Plan, *, now: datetime) -> list[Change]:
        into = {other: kept for kept, others in found.merges.items() for other in others}
        told: list[Change] = []
        for card, _ in self.index.cards(
            sorted(derived - found.moving), _everything(self.scope.user)
        ):
            new = rederived(card, into, now=now)
            if new is not None:
                told.append(CardRevised(new, "what it was derived from was merged"))
                if self._derived is not None:
                    for source in new.derived_from:
                        self._derived.setdefault(source, set()).add(new.id)
        return told


def _everything(user: str) -> Where:
    return Where(Scope(user), include_forgotten=True, include_quarantined=True)


def _keep_only(found: Plan, same: dict[str, tuple[Card, CardState]]) -> None:
    """Leave out of the plan what is not any more as it was read."""
    for kept in list(found.merges):
        others = {name: why for name, why in found.merges[kept].items() if name in same}
        if kept in same and others:
            found.merges[kept] = others
        else:
            del found.merges[kept]
    found.links[:] = [link for link in found.links if link.source in same and link.target in same]


def _merges(
    found: Plan, same: dict[str, tuple[Card, CardState]], *, now: datetime, scope: Scope
) -> list[Change]:
    changes: list[Change] = []
    for kept, others in found.merges.items():
        gone = [same[name][0] for name in others]
        card = merged(same[kept][0], gone, now=now)
        why = ", ".join(sorted(set(others.values())))
        changes.append(CardMerged(card, tuple(others), why))
        if not same[kept][1].pinned and any(same[name][1].pinned for name in others):
            changes.append(Pinned(Scope(scope.user), (kept,), pinned=True))
    return changes


def _add(done: _Done, found: Plan, *, near: Neighbours) -> None:
    for kept, others in found.merges.items():
        done.kept.add(kept)
        done.kept.difference_update(others)  # which may have been kept before
        done.merges += [
            (near.card(kept).title, near.card(name).title, why) for name, why in others.items()
        ]
    done.links += len(found.links)
    done.apart |= found.apart
    done.asked += found.asked
    done.left |= dict.fromkeys(found.left)


def _report(done: _Done) -> StepReport:
    counts = {
        "compared": done.compared,
        "merged": len(done.merges),
        "linked": done.links,
        "contradicting": len(done.apart),
        "asked": done.asked,
    }
    told = [Told("merged", {"pairs": len(done.merges), "cards": len(done.kept)})]
    told += [
        Told(f"merge_{why}", {"kept": kept, "gone": gone})
        for kept, gone, why in done.merges[:_SHOWN]
    ]
    told.append(Told("linked", {"count": done.links}))
    if done.apart:
        told.append(Told("apart", {"count": len(done.apart)}))
    return StepReport(Step.CONSOLIDATE, counts, tuple(told), tuple(done.left))
