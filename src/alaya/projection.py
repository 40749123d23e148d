"""Making L2 and L1, and every other store, catch up with the journal; and writing to it.

A write appends under the lock, releases it, then catches up. What was decided on a read is
checked again at append: if records came in between that touch the same things, it is decided anew.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from alaya.errors import Busy
from alaya.model import change as ch
from alaya.model.change import Change, SessionGrew
from alaya.model.ids import session_node
from alaya.model.raw import Session, Turn
from alaya.model.record import Position, Record
from alaya.model.relations import edge_name
from alaya.model.words import tokens
from alaya.ports import Archive, Store, Writer

Clock = Callable[[], datetime]
_TRIES = 500
PATIENCE = 0.5  # seconds that a reader waits for a writer, such as a rebuild


@dataclass(frozen=True)
class Grow:
    """Append these turns at byte `at` of a generation's file; their ordinals begin at `first`."""

    session: Session
    generation: int
    at: int
    first: int
    turns: tuple[Turn, ...]


Decide = Callable[[], Sequence[Change | Grow]]


def catch_up(archive: Archive, store: Store) -> Position:
    """Apply every record that the store has not applied; returns where it stands then.

    Behind an erasure, a store that has applied what was blanked since begins anew.
    """
    while True:
        start, head = store.position(), archive.head()
        for record in archive.records(start):
            if _outdates(record, start=start.seq, head=head.seq):
                with store.reset(keep_vectors=True):
                    catch_up(archive, store)
                break
            if not store.apply(record.position, filled(archive, record.changes), at=record.time):
                break  # another process applied it meanwhile: go on from where the store is now
        else:
            return store.position()


def _outdates(record: Record, *, start: int, head: int) -> bool:
    """Whether a record says that records were blanked which may have been applied as they were:
    those before `start`, or all, where it was written after reading began."""
    return any(
        isinstance(change, ch.Erased)
        and change.lines
        and (record.seq > head or min(change.seqs) <= start)
        for change in record.changes
    )


def refresh(archive: Archive, store: Store) -> Position:
    """Catch up before a read; while another process writes for long, the store answers as it is."""
    at = store.position()
    if any(True for _ in archive.records(at)) and store.writable(PATIENCE):
        return catch_up(archive, store)
    return at


def commit(
    archive: Archive,
    store: Store,
    *,
    decide: Decide,
    actor: str,
    verb: str,
    clock: Clock,
    touches: Collection[str] | None = None,
) -> Position:
    """Write one record: what `decide` returns after the store has caught up; nothing if nothing.

    `decide` must only read the store, and may be called again: that happens when another process
    wrote meanwhile, unless `touches` (see `touched`) is given and none of these were touched.
    Returns the position that the store then has at least reached.
    """
    for _ in range(_TRIES):
        position = catch_up(archive, store)
        planned = decide()
        if not planned:
            return position
        with archive.lock() as writer:
            if _still_holds(archive, writer, position=position, touches=touches):
                changes = [_archived(writer, item) for item in planned]
                writer.append(actor, verb, changes=changes, at=clock())
                break
    else:
        raise Busy(f"{verb}: other processes kept changing the same things; try again")
    return catch_up(archive, store)


def filled(archive: Archive, changes: Sequence[Change]) -> Iterator[Change]:
    """The changes, with the turns that the journal left in the session files."""
    for change in changes:
        if isinstance(change, SessionGrew):
            found = archive.turns(
                change.session, change.generation, start=change.start, end=change.end
            )
            turns = tuple(replace(t, ordinal=t.ordinal + change.first) for t in found)
            yield replace(change, turns=turns)
        else:
            yield change


def touched(change: Change) -> set[str]:
    """The names of what a change depends on or alters, to tell whether two writes can conflict."""
    match change:
        case SessionGrew(session=session):
            return {session_node(session.id)}
        case ch.TurnsMarked(session=name) | ch.SessionDistilled(session=name):
            return {session_node(name)}
        case ch.CardAdded(card=card) | ch.CardRevised(card=card):
            return {"cards", card.id}
        case ch.CardMerged(card=card, merged=merged):
            return {"cards", card.id, *merged}
        case ch.LinkAdded(link=link):
            return {link.id, edge_name(link)}
        case ch.LinkRetired(link=name) | ch.FactRetired(link=name):
            return {name}
        case ch.EntityAdded(entity=entity) | ch.EntityRevised(entity=entity):
            return {"entities", entity.id}
        case ch.EntityMerged(entity=into, merged=merged):
            return {"entities", into, *merged}
        case ch.Cooled(tiers=tiers):
            return {"cards", *(card for card, _ in tiers)}
        case _:
            cards = getattr(change, "cards", None) or getattr(change, "ids", ())
            return {"cards", *(cards if isinstance(cards, tuple) else ())}


def _still_holds(
    archive: Archive, writer: Writer, *, position: Position, touches: Collection[str] | None
) -> bool:
    if writer.head().seq == position.seq:
        return True
    if touches is None:
        return False
    return not any(
        isinstance(change, ch.Erased) or touched(change) & set(touches)
        for record in archive.records(position)
        for change in record.changes
    )


def _archived(writer: Writer, item: Change | Grow) -> Change:
    if not isinstance(item, Grow):
        return item
    start, end, sha = writer.append_turns(
        item.session, item.generation, at=item.at, turns=item.turns
    )
    return SessionGrew(
        session=item.session,
        generation=item.generation,
        first=item.first,
        count=len(item.turns),
        start=start,
        end=end,
        sha256=sha,
        tokens=sum(tokens(turn.content) for turn in item.turns),
    )
