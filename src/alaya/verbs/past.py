"""The verbs of the memory's own past: revise, history, diff, undo, rollback. Methods of Memory."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from alaya.errors import InvalidInput
from alaya.model.asking import several
from alaya.model.graph import Card
from alaya.model.passage import Where
from alaya.model.past import (
    Diff,
    Moment,
    Recorded,
    RollbackReport,
    ThingHistory,
    UndoReport,
)
from alaya.model.time import parse_time
from alaya.parts import Opened

When = datetime | int | str  # a time, ISO text, or a record: 120 or "#120"


def revise(
    memory: Opened,
    card: str,
    *,
    content: str | None = None,
    title: str | None = None,
    tags: Sequence[str] | None = None,
    importance: float | None = None,
    reason: str = "",
) -> Card:
    """Write a card anew; returns its new version, which cites these words. The old one is kept.

    What is None stays. `importance` is in 0..1. Nothing differs: the card as it is. Raises
    NotFound and InvalidInput.
    """
    from alaya.ingest.intake import Into  # only here: reading needs 0.1 s less
    from alaya.past.revising import Revision, revise

    parts, scope = memory.parts, memory.scope
    parts.follow()
    named = None if tags is None else several(tags)
    made = revise(
        Into(parts.archive, parts.index, scope.user, parts.clock),
        scope=scope,
        name=card,
        wanted=Revision(content, title, named, importance, reason),
    )
    parts.embed_later()
    return made


def history(memory: Opened, id: str) -> ThingHistory:
    """All versions of a card, and everything that happened to a thing, the oldest first.

    `id`: a card's, a fact's (or any link's), an entity's or its name, a summary's, or
    `session:…`, `note:…` or `relation:…`. Raises NotFound and, for a name of several, InvalidInput.
    """
    from alaya.past.history import history, is_id

    parts = memory.parts
    parts.follow()
    found = []
    if not is_id(id):
        found = parts.index.entities(Where(memory.scope), [id])
        if len(found) > 1:
            ids = ", ".join(sorted(entity.id for entity in found))
            raise InvalidInput(f"several are called {id!r}: say which: {ids}")
    name = found[0].id if found else id
    return history(parts.archive, parts.index, scope=memory.scope, name=name)


def diff(memory: Opened, start: When, *, end: When | None = None) -> Diff:
    """What the memory came to hold, gave up or holds otherwise between two times of the journal.

    Cards, facts and other links, entities, summaries, sessions, notes, relations and events;
    without an end: until now. Raises NotFound for a record that is not there, and InvalidInput.
    """
    from alaya.past.rollback import diff

    memory.parts.follow()
    last = memory.parts.index.position().seq
    first, second = moment(memory, start), moment(memory, last if end is None else end)
    if first.seq > second.seq:
        raise InvalidInput(f"the first time (#{first.seq}) is after the second (#{second.seq})")
    return diff(memory.parts.index, scope=memory.scope, start=first, end=second)


def changes(memory: Opened, limit: int = 20) -> list[Recorded]:
    """The last records of the journal in words, the newest first: what `undo` would undo."""
    from alaya.past.undo import last

    memory.parts.follow()
    return last(memory.parts.archive, memory.parts.index, scope=memory.scope, limit=limit)


def undo(
    memory: Opened,
    n: int = 1,
    *,
    seq: int | None = None,
    with_later: bool = False,
    dry_run: bool = False,
) -> UndoReport:
    """Undo the last n verbs, or the one that wrote record `seq`, by a new record.

    Undone again, it goes one further back; undoing an undoing (by its `seq`) does it again. What
    was changed again since is refused, naming the records, unless `with_later` undoes them, too.
    Words stay in the archive: turns are marked as dropped. Raises NotFound where there is nothing
    to undo, and InvalidInput for what cannot be, such as an erasure.
    """
    from alaya.past.undo import Wish, undo

    if n < 1:
        raise InvalidInput(f"{n} changes cannot be undone: at least one can")
    parts = memory.parts
    parts.follow()
    report = undo(
        parts.archive,
        parts.index,
        scope=memory.scope,
        wish=Wish(n, seq, with_later),
        clock=parts.clock,
        dry_run=dry_run,
    )
    if report.seq is not None:
        parts.embed_later()
    return report


def rollback(memory: Opened, to: When, *, dry_run: bool = False) -> RollbackReport:
    """Make the memory hold what it held at a time, or behind a record, by one new record.

    Nothing of the journal is rewritten, and it can be undone. What was erased since stays erased.
    Raises NotFound for a record that is not there, and InvalidInput.
    """
    from alaya.past.rollback import rollback

    parts = memory.parts
    parts.follow()
    report = rollback(
        parts.archive,
        parts.index,
        scope=memory.scope,
        to=moment(memory, to),
        clock=parts.clock,
        dry_run=dry_run,
    )
    if report.seq is not None:
        parts.embed_later()
    return report


def moment(memory: Opened, when: When) -> Moment:
    """A place in the journal by time or by record."""
    from alaya.past.records import moment_of

    if isinstance(when, str):
        number = when.strip().removeprefix("#")
        named = when.strip().startswith("#")
        when = int(number) if named and number.isdecimal() else parse_time(when)
    return moment_of(memory.parts.index, when)
