"""The life of one thing: its versions, and all that happened to it, each by which record."""

from __future__ import annotations

from collections.abc import Iterator

from alaya.errors import NotFound
from alaya.model import change as ch
from alaya.model.change import Change
from alaya.model.held import Thing, ThingKind, things_of, user_of
from alaya.model.past import Happened, ThingHistory, Version
from alaya.model.record import Record
from alaya.model.scope import Scope
from alaya.past import records
from alaya.ports import Archive, Index

_KINDS = {
    "card-": ThingKind.CARD,
    "link-": ThingKind.LINK,
    "entity-": ThingKind.ENTITY,
    "summary-": ThingKind.SUMMARY,
    "session:": ThingKind.SESSION,
    "relation:": ThingKind.RELATION,
    "note:": ThingKind.NOTE,
    "event-": ThingKind.EVENT,
}


def history(archive: Archive, index: Index, *, scope: Scope, name: str) -> ThingHistory:
    """Everything that happened to the thing of this id. Raises NotFound."""
    thing = _thing(name)
    about = [thing, Thing(ThingKind.AROUND, thing.name)]
    seqs = index.touching(about, scope)
    if not seqs:
        raise NotFound(f"nothing is known of {name!r} (for user {scope.user!r})")
    undone: dict[int, int] = {}
    happened: list[Happened] = []
    for seq in reversed(seqs):  # who undoes a record touches what it touched
        one = records.record(archive, index, seq=seq)
        by = undone.pop(seq, None)
        if by is None:
            undone.update((number, seq) for number in records.undoes(one))
        happened += reversed(list(_happened(one, thing, user=scope.user, undone_by=by)))
    last = seqs[-1]
    named = records.titles(index, {thing}, scope=scope, seq=last)
    versions: tuple[Version, ...] = ()
    if thing.kind is ThingKind.CARD:
        found = index.versions([thing.name], Scope(scope.user)).get(thing.name, ())
        versions = tuple(Version(c, s.recorded_at, s.retired_at) for c, s in found)
    title = versions[-1].card.title if versions else named[thing]
    held = bool(index.held([thing], scope))
    return ThingHistory(thing, title, held, tuple(reversed(happened)), versions)


def is_id(name: str) -> bool:
    """Whether this is an id of a kind, and no name."""
    return name.startswith(tuple(_KINDS))


def _thing(name: str) -> Thing:
    for prefix, kind in _KINDS.items():
        if name.startswith(prefix):
            return Thing(kind, name.removeprefix(prefix) if prefix.endswith(":") else name)
    raise NotFound(
        f"{name!r} is no id: it begins with card-, link-, entity-, summary-, session:, note: or "
        "relation:"
    )


def _happened(one: Record, thing: Thing, *, user: str, undone_by: int | None) -> Iterator[Happened]:
    for change in one.changes:
        about = things_of(change)
        whole = thing in about or Thing(ThingKind.AROUND, thing.name) in about
        if whole and (thing.kind is ThingKind.RELATION or user_of(change) == user):
            yield Happened(
                what=type(change).__name__,
                seq=one.position.seq,
                at=one.time,
                actor=one.actor,
                verb=one.verb,
                reason=str(getattr(change, "reason", "") or getattr(change, "because", "")),
                detail=_detail(change, thing.name),
                version=_version(change, thing.name),
                undone_by=undone_by,
            )


def _version(change: Change, name: str) -> int | None:
    card = getattr(change, "card", None)
    return card.version if card is not None and card.id == name else None


def _detail(change: Change, name: str) -> str:
    """What a change says beside its kind: another thing's id, a tier, a time."""
    match change:
        case ch.CardMerged(card=card, merged=merged):
            return ", ".join(merged) if card.id == name else card.id
        case ch.EntityMerged(entity=into, merged=merged):
            return ", ".join(merged) if into == name else into
        case ch.Cooled(tiers=tiers):
            return next((tier.value for card, tier in tiers if card == name), "")
        case ch.Promoted(horizon=horizon):
            return horizon.value
        case ch.Pinned(pinned=flag) | ch.Quarantined(quarantined=flag) | ch.MarkedStale(stale=flag):
            return "yes" if flag else "no"
        case ch.LinkRetired(invalid_at=end) | ch.FactRetired(invalid_at=end):
            return "" if end is None else f"{end:%Y-%m-%d}"
        case ch.SessionGrew(count=count):
            return str(count)
        case ch.TurnsMarked(mark=mark):
            return mark.value
    return ""
