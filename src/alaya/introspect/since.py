"""What the journal says that introspection has to know, read once and remembered.

A small file under `state/` for each user holds how far the journal was read and what was found in
it: which cards are new and still to be compared, which merges somebody undid, which links somebody
took away, which cards somebody brought back. Lost, it is read anew from the journal.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from alaya.errors import InvalidInput
from alaya.model import change as ch
from alaya.model.codec import decode, encode
from alaya.model.record import Position
from alaya.ports import Archive

_VERSION = 1


@dataclass(frozen=True)
class Since:
    """What was read up to `position`.

    `todo`: cards to be compared, the oldest first; with whom they were compared says `setting`.
    `merged`: (card, what it took in), as it ever was; `dropped`: links that were retired;
    `restored`: when a card was brought back.
    """

    version: int = _VERSION
    setting: str = ""
    position: Position = Position()
    todo: tuple[str, ...] = ()
    merged: tuple[tuple[str, str], ...] = ()
    dropped: tuple[str, ...] = ()
    restored: tuple[tuple[str, datetime], ...] = ()

    def once(self) -> dict[str, str]:
        """Cards that were one, by one name: where two of them live, somebody parted them."""
        found: dict[str, str] = {}

        def root(name: str) -> str:
            while found.setdefault(name, name) != name:
                name = found[name]
            return name

        for kept, gone in self.merged:
            found[root(gone)] = root(kept)
        return {name: root(name) for name in list(found)}

    def without(self, done: Iterable[str]) -> Since:
        """With these cards compared."""
        gone = set(done)
        return replace(self, todo=tuple(card for card in self.todo if card not in gone))


def read(archive: Archive, user: str, *, setting: str | None = None) -> Since:
    """What is known, and what the journal says since; the caller keeps it (`keep`).

    With another `setting` than before (None: as it was) every card is to be compared again.
    """
    known = _kept(archive, user)
    if setting is not None and known.setting != setting:
        known = replace(Since(), setting=setting)
    todo = dict.fromkeys(known.todo)
    merged, dropped = dict.fromkeys(known.merged), dict.fromkeys(known.dropped)
    restored, position = dict(known.restored), known.position
    for record in archive.records(position):
        position = record.position
        for change in record.changes:
            if _user(change) != user:
                continue
            for card in _new(change):
                todo.pop(card, None)  # so that it stands behind what was new before
                todo[card] = None
            match change:
                case ch.CardMerged(card=card_, merged=gone):
                    merged |= dict.fromkeys((card_.id, one) for one in gone)
                case ch.LinkRetired(link=link):
                    dropped[link] = None
                case ch.Restored(cards=cards):
                    restored |= dict.fromkeys(cards, record.time)
                case ch.Erased(ids=ids):
                    gone_ = set(ids)
                    todo = {c: None for c in todo if c not in gone_}
                    merged = {p: None for p in merged if not gone_ & set(p)}
                    restored = {c: at for c, at in restored.items() if c not in gone_}
    return replace(
        known,
        position=position,
        todo=tuple(todo),
        merged=tuple(merged),
        dropped=tuple(dropped),
        restored=tuple(restored.items()),
    )


def keep(archive: Archive, user: str, *, since: Since) -> None:
    """Remember this for the next time."""
    archive.set_state(_name(user), encode(since))


def _kept(archive: Archive, user: str) -> Since:
    try:
        found: Since = decode(Since, archive.state(_name(user)) or {})
    except InvalidInput:
        return Since()
    if found.version != _VERSION or found.position.seq > archive.head().seq:
        return Since()  # of another alaya, or the home was put back to an earlier day
    return found


def _name(user: str) -> str:
    return f"introspect/{user}"


def _user(change: ch.Change) -> str:
    scope = getattr(change, "scope", None) or getattr(getattr(change, "card", None), "scope", None)
    return "" if scope is None else str(scope.user)


def _new(change: ch.Change) -> tuple[str, ...]:
    """Cards that say something new by this change, or are seen again."""
    match change:
        case ch.CardAdded(card=card) | ch.CardRevised(card=card) | ch.CardMerged(card=card):
            return (card.id,)
        case ch.Restored(cards=cards):
            return cards
        case ch.Quarantined(cards=cards, quarantined=False):
            return cards
        case ch.MarkedStale(cards=cards, stale=False):
            return cards
        case _:
            return ()
