"""The int8 copy of one model's vectors in a file, to be scanned fast. A vector's slot is its row.

Rows are written inside the transaction that commits them, so a committed slot stands in the file,
or the file is missing or too short, and grown anew from the blobs.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from alaya.model.ids import digest
from alaya.stores.sqlite.connection import Database, file_errors

if TYPE_CHECKING:
    import numpy as np

_HEADER = 64
_TOGETHER = 2048  # blobs in memory at a time
_BLOBS = "SELECT slot, vector FROM vectors WHERE model=? AND slot IS NOT NULL ORDER BY slot"


class Sidecar:
    """The file for one model's vectors of `width` dimensions."""

    def __init__(self, db: Database, model: str, *, width: int) -> None:
        self._db = db
        self._model = model
        self._width = width
        row = db.row("SELECT value FROM meta WHERE key='epoch'")
        self._epoch = str(row[0]) if row else ""
        # Each life has a file of its own: a rebuild writes beside the one that others still read.
        self.path = db.path.parent / f"vectors-{digest(model, self._epoch)}.i8"

    def rows(self, count: int) -> np.ndarray[Any, Any] | None:
        """The first `count` rows, or None where the file does not hold them.

        To be asked inside the snapshot that said how many there are. The file may be replaced at
        any time: what was opened stays as it was.
        """
        import numpy as np

        try:
            with file_errors(self.path), self.path.open("rb") as file:
                size = file.seek(0, 2)
                file.seek(0)
                if file.read(_HEADER) != self._header() or size < _HEADER + count * self._width:
                    return None
                if not count:
                    return np.empty((0, self._width), dtype=np.int8)
                return np.memmap(file, np.int8, "r", _HEADER, (count, self._width))
        except FileNotFoundError:
            return None

    def put(self, first: int, rows: np.ndarray[Any, Any]) -> None:
        """Write rows behind the first `first` ones; inside the transaction that commits them."""
        if self.rows(first) is None:
            self.grow()
        with file_errors(self.path), self.path.open("r+b") as file:
            file.seek(_HEADER + first * self._width)
            file.write(rows.tobytes())

    def grow(self) -> None:
        """Write the file anew from the blobs, keeping each slot's place; inside a transaction."""
        import numpy as np

        temporary = self.path.with_suffix(".new")
        with file_errors(temporary), temporary.open("wb") as file:
            temporary.chmod(0o600)
            file.write(self._header())
            file.truncate(_HEADER + count_slots(self._db, self._model) * self._width)
            for slots, rows in self.quantised():
                for run in np.split(np.arange(len(slots)), np.flatnonzero(np.diff(slots) != 1) + 1):
                    file.seek(_HEADER + int(slots[run[0]]) * self._width)
                    file.write(rows[run].tobytes())
        with file_errors(self.path):
            temporary.replace(self.path)

    def quantised(self) -> Iterator[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]:
        """(slots, rows) as the blobs say, ascending, some at a time."""
        import numpy as np

        from alaya.stores.sqlite.scan import quantised_blobs

        found = self._db.connection().execute(_BLOBS, (self._model,))
        while some := list(islice(found, _TOGETHER)):
            slots = np.array([slot for slot, _ in some], dtype=np.int64)
            yield slots, quantised_blobs(blob for _, blob in some)

    def _header(self) -> bytes:
        return f"alaya i8 {self._epoch} {self._width}".encode().ljust(_HEADER, b"\0")


def count_slots(db: Database, model: str) -> int:
    """How many rows the copy of a model has: one more than its highest slot."""
    sql = "SELECT max(slot) FROM vectors WHERE model=? AND slot IS NOT NULL"
    row = db.row(sql, [model])
    return 0 if row is None or row[0] is None else int(row[0]) + 1
