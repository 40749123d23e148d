"""Growing L2 and L1 back from L3, in place and without a model."""

from __future__ import annotations

from collections.abc import Callable

from alaya.errors import Damaged
from alaya.model.report import RebuildReport
from alaya.model.scope import Scope
from alaya.ports import Archive, Index
from alaya.projection import catch_up


def rebuild(
    archive: Archive,
    index: Index,
    *,
    scope: Scope,
    fill: Callable[[], int],
    timer: Callable[[], float],
) -> RebuildReport:
    """Empty the index and replay the journal in one transaction; others see the old one till then.

    `fill` puts the vectors that the cache has; the rest is the background worker's. The report
    counts what `scope` sees. A database that is damaged beyond reading is set aside first.
    """
    start = timer()
    try:
        vectors = _replayed(archive, index, fill=fill)
    except Damaged:
        index.set_aside()
        vectors = _replayed(archive, index, fill=fill)
    catch_up(archive, index)
    return _report(index, scope, vectors=vectors, seconds=timer() - start)


def _replayed(archive: Archive, index: Index, *, fill: Callable[[], int]) -> int:
    with index.reset():
        catch_up(archive, index)
        return fill()


def rebuild_l1(
    index: Index, scope: Scope, *, fill: Callable[[], int], timer: Callable[[], float]
) -> RebuildReport:
    """Words from L2 and L3, vectors from the cache; L2 stays as it is."""
    start = timer()
    index.reset_l1()
    return _report(index, scope, vectors=fill(), seconds=timer() - start)


def _report(index: Index, scope: Scope, *, vectors: int, seconds: float) -> RebuildReport:
    counts = index.counts(scope)
    return RebuildReport(
        records=index.position().seq,
        cards=counts["cards"],
        links=counts["links"],
        turns=counts["turns"],
        vectors=vectors,
        seconds=round(seconds, 3),
    )
