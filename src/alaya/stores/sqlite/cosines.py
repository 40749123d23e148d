"""Exact cosines of a question with vectors, from the blobs; kept while it is asked about.

Those that are found near are compared with others then, and some with others again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from alaya.stores.sqlite.connection import Database

if TYPE_CHECKING:
    import numpy as np

_QUESTIONS, _ROWS = 4, 10_000  # so many at once, and so many vectors of one
_BYTES = 100  # that one cosine takes


class Cosines:
    """What one process has worked out of one database. Asked inside a snapshot."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._kept: dict[object, tuple[object, dict[int, float]]] = {}

    def get(
        self, model: str, query: np.ndarray[Any, Any], *, rows: Sequence[int]
    ) -> Mapping[int, float]:
        """The cosine of a unit vector with each of these rows of `vectors`, and maybe with more."""
        known = self._known((model, query.tobytes()))
        # Ascending, so that a page of the database is read once.
        missing = sorted({row for row in rows if row not in known})
        if missing:
            sql = "SELECT v.vector FROM json_each(?) j CROSS JOIN vectors v ON v.rowid=j.value"
            blobs = [blob for (blob,) in self._db.rows(sql, [json.dumps(missing)])]
            known.update(zip(missing, products(blobs, query).tolist(), strict=True))
        return known

    def bytes(self) -> int:
        """What they take in memory."""
        return _BYTES * sum(len(known) for _, known in list(self._kept.values()))

    def _known(self, key: object) -> dict[int, float]:
        state = self._db.revision("dropped")
        kept = self._kept.pop(key, None)
        if kept is None or kept[0] != state or len(kept[1]) > _ROWS:
            kept = (state, {})
        while len(self._kept) >= _QUESTIONS:
            self._kept.pop(next(iter(self._kept)), None)
        self._kept[key] = kept
        return kept[1]


def products(blobs: Sequence[bytes], query: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Inner products with vectors as the database keeps them.

    In float64, so that the last digit does not depend on which vectors are multiplied together.
    """
    import numpy as np

    rows = np.frombuffer(b"".join(blobs), dtype=np.float32).reshape(len(blobs), -1)
    products: np.ndarray[Any, Any] = rows.astype(np.float64) @ query.astype(np.float64)
    return products
