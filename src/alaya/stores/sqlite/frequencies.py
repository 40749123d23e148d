"""In how many items each term stands: read from the word index once, and kept while it holds.

FTS5 counts a term's rows when it is asked: that takes 20 microseconds, a quarter of a millisecond
for a common one, and a recall asks for a hundred terms. So a process that has asked for many reads
the whole list of terms, at a microsecond each, and keeps it as two arrays.
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
# The whole list is read once so many terms were looked up, for each item that there is: by then
# that has cost as much as reading the list. Lists are as long as there are different words.
_WORTH, _FEW = 0.25, 2_000  # items at least
_SHORT = 16  # bytes of a term that stands in an array; few are longer
# By how much a store may have grown since: weights that depend on a count's logarithm do not show
# a sixty-fourth more, and a store that is written to all day would be counted all day.
_GROWN = 64
_ROWS = "SELECT max(rowid) FROM {table}"
_LIST = "SELECT term, doc FROM {kind}_terms"
_DOCS = "SELECT j.key, v.doc FROM json_each(?) j CROSS JOIN {kind}_terms v ON v.term=j.value"


@dataclass
class _Counted:
    """What was counted since something was last taken away, when there were so many items."""

    state: object
    total: int
    rows: dict[str, int] = field(default_factory=dict)  # by term; 0: none
    looked_up: int = 0
    listed: _Listed | None = None


class _Listed:
    """How many rows each term has, of all that there are: some 20 bytes a term."""

    def __init__(self, rows: Sequence[tuple[str, int]]) -> None:
        import numpy as np

        coded = [(term.encode(), count) for term, count in rows]
        short = [(code, count) for code, count in coded if len(code) <= _SHORT]
        short.append((b"\xff", 0))  # behind all that is UTF-8: every place that is found is one
        self._long = {code: count for code, count in coded if len(code) > _SHORT}
        codes = np.array([code for code, _ in short], dtype=f"S{_SHORT}")
        order = np.argsort(codes, kind="stable")  # they come in order
        self._codes = codes[order]
        self._rows = np.array([count for _, count in short], dtype=np.int32)[order]

    def get(self, terms: Sequence[str]) -> dict[str, int]:
        """By term; 0: it was not in the list."""
        import numpy as np

        coded = [clean(term).encode() for term in terms]
        wanted = np.array([code if len(code) <= _SHORT else b"" for code in coded], f"S{_SHORT}")
        places = np.searchsorted(self._codes, wanted)
        rows = np.where(self._codes[places] == wanted, self._rows[places], 0).tolist()
        return {
            term: rows[n] if len(code) <= _SHORT else self._long.get(code, 0)
            for n, (term, code) in enumerate(zip(terms, coded, strict=True))
        }


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
                listed = counted.listed.get(terms) if counted.listed else {}
                known = {term: listed.get(term) or counted.rows.get(term) for term in terms}
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
                    counted.looked_up += len(missing)
                    worth = counted.looked_up > _WORTH * max(total, _FEW)
                    if worth and counted.listed is None:
                        counted.listed = _Listed(self._db.rows(_LIST.format(kind=kind.value)))
        return total, {term: rows for term, rows in known.items() if rows}
