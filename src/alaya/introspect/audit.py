"""Do the three layers agree? L3 against its hashes, L2 and L1 against a replay of L3."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace

from alaya.errors import Damaged
from alaya.model.record import Position
from alaya.model.report import Difference, VerifyReport
from alaya.model.scope import Scope
from alaya.ports import Archive, Index
from alaya.projection import catch_up, filled

_REPAIR = "`alaya verify --repair` grows L2 and L1 anew from L3"
_SHOWN = 50


def verify(
    archive: Archive,
    index: Index,
    *,
    scratch: Callable[[], AbstractContextManager[Index]],
    scope: Scope,
    follow: Callable[[], object] = lambda: None,
    mend: Callable[[], object] | None = None,
) -> VerifyReport:
    """Check everything of everybody, and count what `scope` sees.

    `scratch` gives an empty index for the replay. `follow` makes the index ready to be compared,
    once the archive is known to be whole.
    L2 and L1 are only compared with an L3 that is whole; `mend` grows them anew from it, and is
    called where they alone differ. Then the report is of the state after.
    """
    report = _compare(archive, index, scratch=scratch, scope=scope, follow=follow)
    mendable = report.differences and all(d.layer != "L3" for d in report.differences)
    if mend is None or not mendable:
        return report
    mend()
    after = _compare(archive, index, scratch=scratch, scope=scope, follow=follow)
    mended = tuple(d for d in report.differences if d not in after.differences)
    return replace(after, repaired=True, mended=mended)


def _compare(
    archive: Archive,
    index: Index,
    *,
    scratch: Callable[[], AbstractContextManager[Index]],
    scope: Scope,
    follow: Callable[[], object],
) -> VerifyReport:
    differences = list(archive.verify())
    if not differences:
        follow()
        catch_up(archive, index)
        differences += index.check()
        try:
            with scratch() as replayed:
                differences += compared(archive, index, replayed=replayed)
        except Damaged as error:  # not all of it can be read: what was found so far is told
            if not differences:
                differences.append(Difference("L2", str(error), "", _REPAIR))
    counts = index.counts(scope)
    return VerifyReport(
        records=archive.head().seq if not differences else index.position().seq,
        turns=counts["turns"],
        cards=counts["cards"],
        vectors=sum(index.models().values()),
        differences=tuple(differences),
    )


def compared(archive: Archive, index: Index, *, replayed: Index) -> Iterator[Difference]:
    """Each row that the index has otherwise than a replay of the journal gives it.

    The replay goes as far as the index stood when its rows were read: others may be writing.
    """
    rows = index.fingerprint()
    first = [row for row in (next(rows, None),) if row is not None]
    upto = index.position().seq  # in the snapshot that the rows are read from
    found = {(layer, name): seen for layer, name, seen in (*first, *rows)}
    for record in archive.records(Position()):
        if record.position.seq > upto:
            break
        replayed.apply(record.position, filled(archive, record.changes), at=record.time)
    shown = missing = 0
    for layer, name, wanted in replayed.fingerprint():
        seen = found.pop((layer, name), None)
        if seen is None and missing < _SHOWN:
            missing += 1
            yield Difference(layer, "is in the journal but not in the database", name, _REPAIR)
        elif seen not in (None, wanted) and shown < _SHOWN:
            shown += 1
            yield Difference(layer, "differs", name, _REPAIR)
    for layer, name in list(found)[:_SHOWN]:
        yield Difference(layer, "is in the database but not in the journal", name, _REPAIR)
