"""In how many items each term stands: read from the word index once, and kept while it holds.

FTS5 counts a term's rows when it is asked: a common term takes a quarter of a millisecond at
100,000 rows, and a recall asks for hundreds of terms.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from alaya.errors import Unsupported
from alaya.model.ids import clean
from alaya.model.passage import ItemKind
from alaya.stores.sqlite.connection import Database
from alaya.stores.sqlite.items import TABLES

_MOST = 40_000  # terms of a kind that are kept, some 4 MB
# By how much a store may have grown since: weights that depend on a count's logarithm do not show
# a sixty-fourth more, and a store that is written to all day would be counted all day.
_GROWN = 64
_ROWS = "SELECT max(rowid) FROM {table}"
_DOCS = "SELECT j.key, v.doc FROM json_each(?) j CROSS JOIN {kind}_terms v ON v.term=j.value"


@dataclass
class _Counted:
    """What was counted since something was last taken away, when there were so many items."""

    state: object
    total: int
    rows: dict[str, int] = field(default_factory=dict)  # by term; 0: none


class Frequencies:
    """What one process has counted of one database."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._counted: dict[ItemKind, _Counted] = {}
        self._lock = threading.Lock()

    def get(self, terms: Sequence[str], kind: ItemKind) -> tuple[int, Mapping[str, int]]:
        """How many items there are, and in how many each term stands; absent: in none.

        A count may be from before the last few were added: at most one in 64. Raises Unsupported
        for what has no words.
        """
        if kind not in TABLES:
            raise Unsupported(f"words are indexed for cards, turns and summaries, not for {kind}")
        with self._db.reading():
            state = self._db.revision("dropped")
            total = int(self._db.rows(_ROWS.format(table=TABLES[kind]))[0][0] or 0)
            with self._lock:
                counted = self._counted.get(kind)
                if (
                    counted is None
                    or counted.state != state
                    or not 0 <= total - counted.total <= counted.total // _GROWN
                ):
                    counted = self._counted[kind] = _Counted(state, total)
                known = {term: counted.rows.get(term) for term in terms}
            missing = [term for term, rows in known.items() if rows is None]
            if missing:
                sql = _DOCS.format(kind=kind.value)
                found = dict.fromkeys(missing, 0)
                keys = json.dumps([clean(term) for term in missing])
                found.update((missing[n], rows) for n, rows in self._db.rows(sql, [keys]))
                known.update(found)
                with self._lock:
                    counted.rows.update(found)
                    while len(counted.rows) > _MOST:
                        del counted.rows[next(iter(counted.rows))]
        return total, {term: rows for term, rows in known.items() if rows}
