"""Which row an id has that was just found to pass a filter: not to be looked up again and again.

One recall finds items, asks for their forms, then for their similarities, all with one filter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from alaya.model.passage import ItemKind, Where
from alaya.stores.sqlite.connection import Database
from alaya.stores.sqlite.items import by_ids, items_of

_FILTERS = 4
_IDS = 20_000  # of one filter, some 3 MB


class Passed:
    """What one process has found in one database. Asked inside a snapshot."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._kept: dict[tuple[ItemKind, Where], tuple[object, dict[str, int]]] = {}

    def rows(self, ids: Sequence[str], *, kind: ItemKind, where: Where) -> dict[int, str]:
        """The rows of those of these cards or turns that pass, with their ids."""
        state, known = self._kept.get((kind, where), (None, {}))
        if state != self._db.revision(kind.value):
            known = {}
        rows = {known[item]: item for item in ids if item in known}
        missing = [item for item in ids if item not in known]
        if missing:
            of = items_of(kind, where)
            fresh: dict[int, str] = {}
            for condition, bindings in by_ids(kind, missing):
                sql = f"SELECT {of.row}, {of.name} FROM {of.table} WHERE {condition}"
                sql += f" AND {of.condition}"
                fresh.update(self._db.rows(sql, [*bindings, *of.bindings]))
            self.keep({item: row for row, item in fresh.items()}, kind=kind, where=where)
            rows.update(fresh)
        return rows

    def keep(self, rows: Mapping[str, int], *, kind: ItemKind, where: Where) -> None:
        """These ids pass, and stand in these rows."""
        key, state = (kind, where), self._db.revision(kind.value)
        known = self._kept.pop(key, None)
        if known is None or known[0] != state or len(known[1]) + len(rows) > _IDS:
            known = (state, {})
        while len(self._kept) >= _FILTERS:
            self._kept.pop(next(iter(self._kept)), None)
        known[1].update(rows)
        self._kept[key] = known
