"""Do the three layers agree? L3 against its hashes, L2 and L1 against a replay of L3."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from alaya.model.report import Difference, VerifyReport
from alaya.model.scope import Scope
from alaya.ports import Archive, Index
from alaya.projection import catch_up

_REPAIR = "`alaya verify --repair` grows L2 and L1 anew from L3"
_SHOWN = 50


def verify(
    archive: Archive, index: Index, scratch: Callable[[], AbstractContextManager[Index]]
) -> VerifyReport:
    """Check everything. `scratch` gives an empty index for the replay.

    L2 and L1 are only compared with an L3 that is whole.
    """
    differences = list(archive.verify())
    if not differences:
        catch_up(archive, index)
        differences += index.check()
        with scratch() as replayed:
            catch_up(archive, replayed)
            differences += compared(index, replayed)
    counts = index.counts(Scope())
    return VerifyReport(
        records=archive.head().seq if not differences else index.position().seq,
        turns=counts["turns"],
        cards=counts["cards"],
        vectors=sum(index.models().values()),
        differences=tuple(differences),
    )


def compared(index: Index, replayed: Index) -> Iterator[Difference]:
    """Each row that the index has otherwise than a replay of the journal gives it."""
    expected = {(layer, name): seen for layer, name, seen in replayed.fingerprint()}
    shown = 0
    for layer, name, seen in index.fingerprint():
        wanted = expected.pop((layer, name), None)
        if wanted != seen and shown < _SHOWN:
            shown += 1
            what = "is in the database but not in the journal" if wanted is None else "differs"
            yield Difference(layer, what, name, _REPAIR)
    for layer, name in list(expected)[:_SHOWN]:
        yield Difference(layer, "is in the journal but not in the database", name, _REPAIR)
