"""The int8 copy of one model's vectors in a file, to be scanned fast. A vector's slot is its row.

Rows are written inside the transaction that commits them, so a committed slot stands in the file,
or the file is missing or too short, and grown anew from the blobs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from alaya.model.ids import digest
from alaya.stores.sqlite.connection import Database, file_errors

if TYPE_CHECKING:
    import numpy as np

_HEADER = 64
_BLOBS = "SELECT vector FROM vectors WHERE model=? AND slot IS NOT NULL ORDER BY slot"


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
        temporary = self.path.with_suffix(".new")
        with file_errors(temporary), temporary.open("wb") as file:
            temporary.chmod(0o600)
            file.write(self._header())
            file.truncate(_HEADER + count_slots(self._db, self._model) * self._width)
            sql = _BLOBS.replace("vector", "slot, vector", 1)
            for slot, blob in self._db.connection().execute(sql, (self._model,)):
                file.seek(_HEADER + slot * self._width)
                file.write(quantised_blobs([blob]).tobytes())
        with file_errors(self.path):
            temporary.replace(self.path)

    def _header(self) -> bytes:
        return f"alaya i8 {self._epoch} {self._width}".encode().ljust(_HEADER, b"\0")


def count_slots(db: Database, model: str) -> int:
    """How many rows the copy of a model has: one more than its highest slot."""
    sql = "SELECT max(slot) FROM vectors WHERE model=? AND slot IS NOT NULL"
    row = db.row(sql, [model])
    return 0 if row is None or row[0] is None else int(row[0]) + 1


def quantised(vectors: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Float vectors (n, d) to int8, each scaled by its own largest component."""
    import numpy as np

    largest = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), 1e-12)
    scaled: np.ndarray[Any, Any] = np.rint(vectors / largest * 127).astype(np.int8)
    return scaled


def quantised_blobs(blobs: Iterable[bytes]) -> np.ndarray[Any, Any]:
    """As `quantised`, for vectors as the database keeps them."""
    import numpy as np

    return quantised(np.stack([np.frombuffer(blob, dtype=np.float32) for blob in blobs]))
