"""From what is held to what is wanted: the changes that lead there. Pure.

A record is reversed by what it did: where the thing was so before it and so after it, it is wanted
as before, if it still is as after. Each field of a thing counts for itself, so that what was
decided since about another one (its tier, say) neither hinders nor is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from alaya.model import change as ch
from alaya.model.change import Change
from alaya.model.graph import Relation
from alaya.model.held import (
    Held,
    HeldCard,
    HeldEntity,
    HeldLink,
    HeldSession,
    HeldSummary,
    Thing,
    ThingKind,
    Value,
    session_of,
)
from alaya.model.note import Note
from alaya.model.raw import Event, TurnMark
from alaya.model.scope import Scope

Wanted = Mapping[Thing, Value | None]

# What is not undone, and why.
REFUSALS: dict[type[Any], str] = {
    ch.Erased: "what was erased is gone for good",
    ch.Calibrated: "a calibration is a measurement: the next one replaces it",
}


def refusal(changes: Iterable[Change]) -> str:
    """Why a record with these changes cannot be undone; empty where it can."""
    found = list(changes)
    for change in found:
        if isinstance(change, ch.Erased):
            return REFUSALS[ch.Erased]
    if all(isinstance(change, ch.Calibrated) for change in found):
        return REFUSALS[ch.Calibrated]
    return ""


def reverse(
    before: Held, after: Held, *, now: Wanted
) -> tuple[dict[Thing, Value | None], set[Thing]]:
    """What is wanted of the things that a record changed from `before` to `after`; and those of
    which something else has become since, which therefore cannot be reversed."""
    wanted: dict[Thing, Value | None] = {}
    conflicts: set[Thing] = set()
    for thing in {*before, *after}:
        was, became, now_is = before.get(thing), after.get(thing), now.get(thing)
        if was == became or now_is == was:
            continue
        if thing.kind is ThingKind.SESSION:
            wanted[thing] = _session(was, became, now=now_is)
        elif now_is == became:
            wanted[thing] = was
        elif was is not None and became is not None and now_is is not None:
            merged = _fields(was, became, now=now_is)
            wanted[thing] = merged
            if merged is None:
                conflicts.add(thing)
        elif was is None and became is not None and now_is is not None and _same(became, now_is):
            wanted[thing] = None
        else:
            conflicts.add(thing)
    return wanted, conflicts


def towards(
    now: Wanted, wanted: Wanted, *, versions: Mapping[str, int], scope: Scope, reason: str
) -> list[Change]:
    """The changes that make of what is held `now` what is `wanted`, thing by thing.

    `versions`: the highest version that each card ever had. `scope` is the user's.
    """
    made = _Made(versions, Scope(scope.user), reason)
    for thing in sorted(wanted):
        is_now, is_wanted = now.get(thing), wanted[thing]
        if is_now != is_wanted:
            _APPLY[thing.kind](made, thing, now=is_now, wanted=is_wanted)
    return made.changes()


def cards_put_back(now: Wanted, wanted: Wanted) -> list[str]:
    """The cards of which a new version is needed."""
    return [
        thing.name
        for thing, value in wanted.items()
        if isinstance(value, HeldCard) and value != now.get(thing)
    ]


def _same(became: Value, now: Value) -> bool:
    """Whether it is still what was added: what was decided about it since goes with it."""
    main = fields(became)[0].name
    simple = not isinstance(became, HeldCard | HeldLink | HeldEntity | HeldSummary)
    return became == now if simple else bool(getattr(became, main) == getattr(now, main))


def _fields(was: Value, became: Value, *, now: Value) -> Value | None:
    """Field by field; None where one that the record changed was changed again."""
    if not isinstance(was, HeldCard | HeldLink | HeldEntity | HeldSummary):
        return None
    back: dict[str, Any] = {}
    for item in fields(was):
        one, other, current = (getattr(value, item.name) for value in (was, became, now))
        if one == other or current == one:
            continue
        if item.name == "names":
            kept = (set(current) - (set(other) - set(one))) | (set(one) - set(other))
            back["names"] = tuple(sorted(kept))
        elif current != other:
            return None
        else:
            back[item.name] = one
    return replace(now, **back)


def _session(was: Any, became: Any, *, now: Any) -> HeldSession | None:
    one, other, current = (value or HeldSession() for value in (was, became, now))

    def back(name: str) -> set[Any]:
        first, second, third = (set(getattr(value, name)) for value in (one, other, current))
        return (third - (second - first)) | (first - second)

    found = session_of(back("turns"), back("distilled"))
    return None if found == HeldSession() else found


@dataclass
class _Made:
    """Changes on their way, with what can be said of many things in one."""

    versions: Mapping[str, int]
    scope: Scope
    reason: str
    first: list[Change] = field(default_factory=list)
    last: list[Change] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)
    flags: dict[tuple[str, Any], list[str]] = field(default_factory=dict)

    def flag(self, name: str, value: Any, *, of: str) -> None:
        self.flags.setdefault((name, value), []).append(of)

    def changes(self) -> list[Change]:
        made = [*self.first]
        if self.withdrawn:
            made.append(ch.Withdrawn(self.scope, tuple(self.withdrawn), self.reason))
        made += self.last
        tiers = [
            (card, tier)
            for (name, tier), cards in self.flags.items()
            if name == "tier"
            for card in cards
        ]
        if tiers:
            made.append(ch.Cooled(self.scope, tuple(tiers)))
        for (name, value), cards in self.flags.items():
            if name != "tier":
                made.append(self._flagged(name, value, cards=tuple(cards)))
        return made

    def _flagged(self, name: str, value: Any, *, cards: tuple[str, ...]) -> Change:
        scope, reason = self.scope, self.reason
        match name, value:
            case "forgotten", True:
                return ch.Forgotten(scope, cards, reason)
            case "forgotten", _:
                return ch.Restored(scope, cards, reason)
            case "pinned", _:
                return ch.Pinned(scope, cards, value)
            case "stale", _:
                return ch.MarkedStale(scope, cards, value, reason)
            case "quarantined", _:
                return ch.Quarantined(scope, cards, value, reason)
        return ch.Promoted(scope, cards, value)


_FLAGS = ("forgotten", "pinned", "stale", "quarantined", "tier")


def _card(made: _Made, thing: Thing, *, now: Any, wanted: Any) -> None:
    name = thing.name
    if wanted is None:
        made.withdrawn.append(name)
        return
    if now is None or now.card != wanted.card:
        version = made.versions.get(name, 0) + 1
        card = replace(wanted.card, version=version, horizon=wanted.horizon)
        made.first.append(ch.CardRevised(card, made.reason))
        # A new version is as pinned as the one before, but not stale; one after none is new.
        now = HeldCard(card) if now is None else replace(now, stale=False)
    elif now.horizon != wanted.horizon:
        made.flag("horizon", wanted.horizon, of=name)
    for flag in _FLAGS:
        if getattr(now, flag) != getattr(wanted, flag):
            made.flag(flag, getattr(wanted, flag), of=name)


def _link(made: _Made, thing: Thing, *, now: Any, wanted: Any) -> None:
    """A link that ended is told as it was, then ended; one that was never, retired as wrong."""
    told = (wanted or now).link
    said = now is not None and wanted is not None and now.link == wanted.link
    if (now is not None and now.ended is not None) or (wanted is not None and not said):
        made.last.append(ch.LinkAdded(told))
    if wanted is None:
        made.last.append(ch.LinkRetired(told.scope, thing.name, made.reason))
    elif wanted.ended is not None:
        made.last.append(ch.LinkRetired(told.scope, thing.name, made.reason, wanted.ended))


def _entity(made: _Made, thing: Thing, *, now: Any, wanted: Any) -> None:
    if wanted is None:
        made.withdrawn.append(thing.name)
    else:
        made.first.append(ch.EntityHeld(wanted.entity, wanted.names, wanted.merged_into))


def _summary(made: _Made, thing: Thing, *, now: Any, wanted: Any) -> None:
    if wanted is None:
        made.withdrawn.append(thing.name)
        return
    if now is None or now.summary != wanted.summary:
        made.first.append(ch.SummaryAdded(wanted.summary))
    if wanted.forgotten != (now is not None and now.forgotten):
        made.flag("forgotten", wanted.forgotten, of=thing.name)


def _of_session(made: _Made, thing: Thing, *, now: Any, wanted: Any) -> None:
    """Turns stay in L3: those that are not wanted are marked as dropped by their source."""
    has, gets = now or HeldSession(), wanted or HeldSession()
    marks: dict[TurnMark, list[str]] = {}
    standing, kept = dict(has.turns), dict(gets.turns)
    for turn in sorted({*standing, *kept}):
        mark = kept.get(turn, TurnMark.SUPERSEDED)
        if mark != standing.get(turn, TurnMark.SUPERSEDED):
            marks.setdefault(mark, []).append(turn)
    for mark, turns in marks.items():
        made.first.append(ch.TurnsMarked(made.scope, thing.name, tuple(turns), mark))
    gone = {one.content_hash for one in has.distilled if one not in gets.distilled}
    if gone:
        made.first.append(ch.SessionUndistilled(made.scope, thing.name, tuple(sorted(gone))))
    made.first += [
        one for one in gets.distilled if one not in has.distilled or one.content_hash in gone
    ]


def _event(made: _Made, thing: Thing, *, now: Any, wanted: Any) -> None:
    if isinstance(wanted, Event):
        made.first.append(ch.EventAdded(wanted))
    else:
        made.withdrawn.append(thing.name)


def _note(made: _Made, thing: Thing, *, now: Any, wanted: Any) -> None:
    if isinstance(wanted, Note):
        made.first.append(ch.NoteChanged(wanted))
    else:
        made.first.append(ch.NoteRemoved(made.scope, thing.name))


def _relation(made: _Made, thing: Thing, *, now: Any, wanted: Any) -> None:
    made.first.append(ch.RelationRevised(wanted or Relation(thing.name)))


def _around(made: _Made, thing: Thing, *, now: Any, wanted: Any) -> None:
    """Stands for links, which come with it."""


_APPLY = {
    ThingKind.CARD: _card,
    ThingKind.LINK: _link,
    ThingKind.ENTITY: _entity,
    ThingKind.SUMMARY: _summary,
    ThingKind.SESSION: _of_session,
    ThingKind.EVENT: _event,
    ThingKind.NOTE: _note,
    ThingKind.RELATION: _relation,
    ThingKind.AROUND: _around,
}


def counted(changes: Sequence[Change]) -> tuple[tuple[str, int], ...]:
    """How many changes of each kind, or of how many things they speak, by name of the kind."""
    found: dict[str, int] = {}
    for change in changes:
        many = next(
            (
                len(listed)
                for name in ("cards", "ids", "tiers", "turns", "merged")
                if isinstance(listed := getattr(change, name, None), tuple)
            ),
            1,
        )
        if isinstance(change, ch.SessionGrew):
            many = change.count
        name = type(change).__name__
        found[name] = found.get(name, 0) + many
    return tuple(sorted(found.items()))
