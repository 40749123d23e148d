"""Which row an id has that was just found to pass a filter: not to be looked up again and again.

One recall finds items, asks for their forms, then for their similarities, all with one filter.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from alaya.model.ids import clean
from alaya.model.passage import ItemKind, Where
from alaya.stores.sqlite import former
from alaya.stores.sqlite import where as filters
from alaya.stores.sqlite.connection import Database
from alaya.stores.sqlite.items import by_ids, items_of

_FILTERS = 4
_IDS = 20_000  # of one filter, some 5 MB


@dataclass(frozen=True)
class _Known:
    """What passes a filter, as of one revision: rows by id and ids by row."""

    state: object
    rows: dict[str, int] = field(default_factory=dict)
    ids: dict[int, str] = field(default_factory=dict)


class Passed:
    """What one process has found in one database. Asked inside a snapshot."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._kept: dict[tuple[ItemKind, Where], _Known] = {}

    def rows(self, ids: Sequence[str], *, kind: ItemKind, where: Where) -> dict[int, str]:
        """The rows of those of these items that pass, with their ids."""
        known = self._known(kind, where).rows
        rows = {known[item]: item for item in ids if item in known}
        missing = [item for item in ids if item not in known]
        if missing:
            of = items_of(kind, where)
            fresh: dict[int, str] = {}
            for condition, bindings in by_ids(kind, missing):
                sql = f"SELECT {of.row}, {of.name} FROM {of.table} WHERE {condition}"
                sql += f" AND {of.condition}"
                fresh.update(self._db.rows(sql, [*bindings, *of.bindings]))
            self.keep(fresh, kind=kind, where=where)
            rows.update(fresh)
        return rows

    def ids(self, rows: Sequence[int], *, kind: ItemKind, where: Where) -> dict[int, str]:
        """The ids of those items in these rows that pass, by row."""
        known = self._known(kind, where).ids
        found = {row: known[row] for row in rows if row in known}
        missing = [row for row in rows if row not in known]
        if missing:
            of = items_of(kind, where)
            fresh = dict(self._db.rows(of.of_rows, [json.dumps(missing), *of.bindings]))
            self.keep(fresh, kind=kind, where=where)
            found.update(fresh)
        return found

    def nodes(self, nodes: Collection[str], *, where: Where) -> set[str]:
        """Which of these nodes of the graph (cards, sessions, entities) pass."""
        cards = [node for node in nodes if node.startswith("card-")]
        seen = set(self.rows(cards, kind=ItemKind.CARD, where=where).values())
        session = filters.of_scope(where.scope, "x", session_column="id").build()
        entity = filters.of_entities(where, "x")
        entities = former.entities(where.believed_at, alias="x")
        for prefix, name, (condition, bindings) in (
            ("session:", "'session:'||x.id FROM json_each(?) j CROSS JOIN sessions x", session),
            ("entity-", f"x.id FROM json_each(?) j CROSS JOIN {entities}", entity),
        ):
            cut = len(prefix) if prefix.endswith(":") else 0
            wanted = [clean(node[cut:]) for node in nodes if node.startswith(prefix)]
            if wanted:
                sql = f"SELECT {name} WHERE x.id=j.value AND {condition}"
                seen.update(row[0] for row in self._db.rows(sql, [json.dumps(wanted), *bindings]))
        return seen

    def keep(self, ids: Mapping[int, str], *, kind: ItemKind, where: Where) -> None:
        """What stands in these rows passes, and has these ids."""
        known = self._known(kind, where)
        if len(ids) > _IDS:
            return
        if len(known.rows) + len(ids) > _IDS:
            known = self._kept[kind, where] = _Known(known.state)
        known.ids.update(ids)
        known.rows.update((item, row) for row, item in ids.items())

    def _known(self, kind: ItemKind, where: Where) -> _Known:
        key, state = (kind, where), self._db.revision(kind.value)
        known = self._kept.pop(key, None)
        if known is None or known.state != state:
            known = _Known(state)
        while len(self._kept) >= _FILTERS:
            self._kept.pop(next(iter(self._kept)), None)
        self._kept[key] = known
        return known
