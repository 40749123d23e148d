"""Which items have which vectors, listed once, so that a recall joins no tables for it.

Rows of items and vectors never change what they say: new ones come, and some are dropped.
So all is listed anew only when something was dropped (then rows and slots may be used again); what
has come since is added, by its slot where the vector is new and by its row where the item is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from alaya.model.passage import ItemKind
from alaya.stores.sqlite.connection import Database
from alaya.stores.sqlite.items import TABLES

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, Any]

_COLUMNS = "v.slot, i.rowid, v.rowid"
_ALL = f"""SELECT {_COLUMNS} FROM {{table}} i INDEXED BY {{table}}_text
  CROSS JOIN vectors v INDEXED BY vectors_text ON v.model=?1 AND v.hash=i.text_hash
  WHERE i.text_hash IS NOT NULL AND v.slot IS NOT NULL"""
_NEW_VECTORS = f"""SELECT {_COLUMNS} FROM vectors v INDEXED BY vectors_slot
  CROSS JOIN {{table}} i INDEXED BY {{table}}_text ON i.text_hash=v.hash
  WHERE v.model=?1 AND v.slot>=?2"""
_NEW_ITEMS = f"""SELECT {_COLUMNS} FROM {{table}} i
  CROSS JOIN vectors v INDEXED BY vectors_text ON v.model=?1 AND v.hash=i.text_hash
  WHERE i.rowid>?2 AND i.text_hash IS NOT NULL AND v.slot IS NOT NULL AND v.slot<?3"""
_MOST = 8  # of models and kinds
_LATELY, _PART = 500, 50  # columns that stand apart, at most, or as a part of all
_GAP, _SPANS = 512, 64  # slots that are no gap; stretches that are still few


class Table:
    """A column for each vector of an item: the vector's slot, the item's row, the vector's row.

    A vector that several items share has a column for each.
    """

    def __init__(self, columns: Numbers) -> None:
        import numpy as np

        self.columns = columns[:, np.lexsort((columns[1], columns[0]))]
        self.slots = np.unique(self.columns[0])  # ascending, each once
        self._order = np.argsort(self.columns[1], kind="stable").astype(np.int32)
        self._items = self.columns[1][self._order]

    def at_slots(self, slots: Numbers) -> Numbers:
        """The columns of these slots."""
        found: Numbers = self.columns[:, _runs(self.columns[0], slots)]
        return found

    def of_items(self, rows: Numbers) -> Numbers:
        """The columns of these items."""
        found: Numbers = self.columns[:, self._order[_runs(self._items, rows)]]
        return found

    def bytes(self) -> int:
        """What it takes in memory."""
        kept = (self.columns, self.slots, self._order, self._items)
        return sum(array.nbytes for array in kept)


@dataclass(frozen=True)
class Listed:
    """Vectors of items of a kind: all up to slot `count` and row `last`.

    What has come lately stands apart, so that little is sorted anew when one vector was stored.
    """

    dropped: object  # changes when a vector or a card is gone
    count: int
    last: int
    table: Table
    lately: Table

    def with_fresh(self, columns: Numbers, *, count: int, last: int) -> Listed:
        """With more of them, up to that slot and that row."""
        import numpy as np

        table, lately = self.table, self.lately
        if columns.shape[1]:
            late = np.concatenate([lately.columns, columns], axis=1)
            if late.shape[1] <= max(_LATELY, table.columns.shape[1] // _PART):
                lately = Table(late)
            else:
                table = Table(np.concatenate([table.columns, late], axis=1))
                lately = Table(late[:, :0])
        return Listed(self.dropped, count, last, table, lately)

    @cached_property
    def slots(self) -> Numbers:
        """The slots, each once."""
        import numpy as np

        if not len(self.lately.slots):
            return self.table.slots
        known = np.isin(self.lately.slots, self.table.slots, assume_unique=True)
        return np.concatenate([self.table.slots, self.lately.slots[~known]])

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Stretches of slots in which all of them lie, where these are few and much shorter than
        the whole; else nothing. What was embedded together lies together."""
        import numpy as np

        slots = np.sort(self.slots)
        if not len(slots):
            return []
        ends = np.flatnonzero(np.diff(slots) > _GAP)
        first = slots[np.concatenate([[0], ends + 1])]
        last = slots[np.concatenate([ends, [len(slots) - 1]])] + 1
        if len(first) > _SPANS or int((last - first).sum()) > self.count // 2:
            return []
        return list(zip(first.tolist(), last.tolist(), strict=True))

    def at_slots(self, slots: Numbers) -> Numbers:
        """(3, n): slot, item's row, vector's row of what stands at these slots, in any order."""
        return _both(self.table.at_slots(slots), self.lately.at_slots(slots))

    def of_items(self, rows: Numbers) -> Numbers:
        """(3, n): slot, item's row, vector's row of these items, in any order."""
        return _both(self.table.of_items(rows), self.lately.of_items(rows))

    def bytes(self) -> int:
        """What it takes in memory."""
        more = self.slots.nbytes if self.slots is not self.table.slots else 0
        return self.table.bytes() + self.lately.bytes() + more


class Places:
    """What one process has listed of one database. Asked inside a snapshot."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._listed: dict[tuple[str, ItemKind], Listed] = {}

    def get(self, model: str, kind: ItemKind, *, count: int) -> Listed:
        """All items of a kind with vectors of this model in slots below `count` (all there are)."""
        dropped = self._db.revision("dropped")
        table = TABLES[kind][:-2]
        last = self._db.rows(f"SELECT max(rowid) FROM {table}")[0][0] or 0
        known = self._listed.get((model, kind))
        if known is not None and known.dropped == dropped:
            if (known.count, known.last) == (count, last):
                return known
            fresh = self._query(_NEW_VECTORS, table, model, known.count)
            # What was there before may have got a second meaning: a card that says what a turn did.
            fresh += self._query(_NEW_ITEMS, table, model, known.last, known.count)
            found = known.with_fresh(_columns(fresh), count=count, last=last)
        else:
            columns = _columns(self._query(_ALL, table, model))
            found = Listed(dropped, count, last, Table(columns), Table(columns[:, :0]))
        while len(self._listed) >= _MOST:
            self._listed.pop(next(iter(self._listed)), None)
        self._listed[model, kind] = found
        return found

    def bytes(self) -> int:
        """What the lists take in memory."""
        return sum(listed.bytes() for listed in list(self._listed.values()))

    def _query(self, sql: str, table: str, *bindings: object) -> list[Any]:
        return self._db.rows(sql.format(table=table), bindings)


def _both(one: Numbers, other: Numbers) -> Numbers:
    import numpy as np

    return np.concatenate([one, other], axis=1) if other.shape[1] else one


def _columns(rows: list[Any]) -> Numbers:
    import numpy as np

    return np.array(rows, dtype=np.int32).reshape(-1, 3).T


def _runs(ascending: Numbers, wanted: Numbers) -> Numbers:
    """Where each of the wanted numbers stands, as often as it does."""
    import numpy as np

    first = np.searchsorted(ascending, wanted, side="left")
    many = np.searchsorted(ascending, wanted, side="right") - first
    starts = np.repeat(first - np.cumsum(many) + many, many)
    places: Numbers = starts + np.arange(len(starts))
    return places
