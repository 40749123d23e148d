"""From the recall log to how often, when and how well each card was recalled."""

from __future__ import annotations

from alaya.model.record import RecallLog
from alaya.ports import Archive, Index
from alaya.projection import PATIENCE

_BATCH = 500


def count_recalls(archive: Archive, index: Index) -> None:
    """Bring access counts up to the recall log. They are never journaled.

    While another process writes for long, they wait for the next time.
    """
    while True:
        batch: list[RecallLog] = []
        after = upto = index.recalls_counted()
        for recall, place in archive.recalls_after(upto):
            batch.append(recall)
            upto = place
            if len(batch) == _BATCH:
                break
        if not batch or not index.writable(PATIENCE):
            return
        index.count_recalls(after, upto, recalls=batch)
