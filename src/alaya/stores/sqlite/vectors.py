"""L1, vectors: float32 blobs in the database, scanned exactly through an int8 sidecar file.

A vector's `slot` is its row in the sidecar of its model. Rows are written to the sidecar inside the
transaction that commits them, so a committed slot always stands in the file or the file is too
short and grown anew. Quantised scores only choose candidates; blobs decide.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alaya.errors import StoreError, Unsupported
from alaya.model.ids import digest
from alaya.model.passage import ItemKind, Scored, Where
from alaya.ports import Vector
from alaya.stores.sqlite import where as filters
from alaya.stores.sqlite.connection import Database

if TYPE_CHECKING:
    import numpy as np

_HEADER = 64
_USEARCH_FROM = 20_000  # rows; below, NumPy alone is fast and 60 ms less to import
_KEPT = 6  # filters whose rows stay resident


class Vectors:
    """The vector side of one database in one process."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._resident: dict[tuple[object, ...], Rows] = {}

    def put(self, model: str, vectors: Mapping[str, Sequence[Vector]]) -> None:
        import numpy as np

        with self._db.writing() as connection:
            next_slot, width = self._slots(model), self._width(model)
            fresh: list[np.ndarray[Any, Any]] = []
            for text_hash, windows in vectors.items():
                if not connection.execute(_LACKED, (model, text_hash)).fetchone():
                    continue
                insert = "INSERT INTO vectors(model,hash,win,slot,vector) VALUES(?,?,?,?,?)"
                if not windows:
                    connection.execute(insert, (model, text_hash, 0, None, None))
                for number, window in enumerate(windows):
                    vector = _unit(window)
                    width = width or len(vector)
                    self._same_width(model, width, len(vector))
                    slot = next_slot + len(fresh)
                    connection.execute(insert, (model, text_hash, number, slot, vector.tobytes()))
                    fresh.append(vector)
            if fresh:
                sidecar = self._sidecar(model, width, next_slot)
                with sidecar.open("r+b") as file:
                    file.seek(_HEADER + next_slot * width)
                    file.write(quantised(np.stack(fresh)).tobytes())
            connection.execute(
                "INSERT INTO meta VALUES('rev.vector',1)"
                " ON CONFLICT(key) DO UPDATE SET value=value+1"
            )

    def nearest(
        self, model: str, vector: Vector, kind: ItemKind, where: Where, limit: int
    ) -> list[Scored]:
        query = _unit(vector)
        best: dict[str, float] = {}
        with self._db.reading():
            self._same_width(model, self._width(model), len(query))
            rows = self._rows(model, kind, where, len(query))
            wanted = max(4 * limit, 64)
            while len(rows.slots) and limit > 0:
                near = _scan(rows.matrix, query, min(len(rows.slots), wanted))
                exact = self._cosines(model, query, rows.slots[near])
                for position, cosine in zip(near, exact, strict=True):
                    item = rows.names[position]
                    best[item] = max(best.get(item, -1.0), float(cosine))
                if len(best) >= limit or wanted >= len(rows.slots):
                    break
                wanted *= 4  # the windows of a few long texts were nearest
        ranked = sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))
        return [Scored(item, cosine) for item, cosine in ranked[:limit]]

    def similarities(
        self, model: str, vector: Vector, kind: ItemKind, ids: Sequence[str], where: Where
    ) -> dict[str, float]:
        import numpy as np

        query = _unit(vector)
        self._same_width(model, self._width(model), len(query))
        table, name, text_hash, passes, values = _tables(kind, where)
        found: dict[str, float] = {}
        for item in dict.fromkeys(ids):
            condition, bindings = _by_id(kind, item)
            sql = (
                f"SELECT {name}, v.vector FROM {table} JOIN vectors v ON v.model=? AND"
                f" v.hash={text_hash} AND v.slot IS NOT NULL WHERE {condition} AND {passes}"
            )
            for _, blob in self._db.rows(sql, [model, *bindings, *values]):
                cosine = float(np.frombuffer(blob, dtype=np.float32) @ query)
                found[item] = max(found.get(item, -1.0), cosine)
        return found

    def models(self) -> Mapping[str, int]:
        # All of it stands in the index vectors_text: the blobs are not read.
        sql = "SELECT model, count(DISTINCT hash) FROM vectors WHERE slot IS NOT NULL GROUP BY model"
        return dict(self._db.rows(sql))

    def check(self) -> int:
        """How many vectors stand in the database but not, or wrongly, in a sidecar."""
        import numpy as np

        wrong = 0
        for (model,) in self._db.rows("SELECT DISTINCT model FROM vectors WHERE slot IS NOT NULL"):
            with self._db.reading():
                count = self._slots(model)
                path, width = self._path(model), self._width(model)
                if not self._fits(path, count, width):
                    continue  # it is grown anew when it is next read
                matrix = np.memmap(path, np.int8, "r", _HEADER, (count, width))
                sql = "SELECT slot, vector FROM vectors WHERE model=? AND slot IS NOT NULL"
                for slot, blob in self._db.rows(sql, [model]):
                    expected = quantised(np.frombuffer(blob, dtype=np.float32)[None])[0]
                    wrong += not np.array_equal(matrix[slot], expected)
        return wrong

    def drop_sidecars(self) -> None:
        """Forget the files; they are grown anew from the blobs."""
        self._resident.clear()
        for path in self._db.path.parent.glob("vectors-*.i8"):
            path.unlink(missing_ok=True)

    # --- inside ---------------------------------------------------------------------------------

    def _slots(self, model: str) -> int:
        row = self._db.row("SELECT max(slot) FROM vectors WHERE model=?", [model])
        return 0 if row is None or row[0] is None else row[0] + 1

    def _width(self, model: str) -> int:
        """The dimensions of a model's vectors; 0 when there are none."""
        sql = "SELECT length(vector)/4 FROM vectors WHERE model=? AND slot IS NOT NULL LIMIT 1"
        row = self._db.row(sql, [model])
        return int(row[0]) if row else 0

    def _same_width(self, model: str, known: int, given: int) -> None:
        if known not in (0, given):
            raise StoreError(
                f"the vectors of {model} have {known} dimensions, not {given}: the model is another"
                " one than it was; give it another name, or run `alaya rebuild-l1` to embed anew"
            )

    def _rows(self, model: str, kind: ItemKind, where: Where, width: int) -> Rows:
        """The quantised vectors that pass the filter, resident until their tables change."""
        revision = tuple(self._db.rows("SELECT key, value FROM meta WHERE key LIKE 'rev.%'"))
        epoch = self._epoch()
        key = (model, kind, where)
        known = self._resident.get(key)
        relevant = (*_relevant(revision, kind), epoch)
        if known is not None and known.revision == relevant:
            return known
        rows = self._load(model, kind, where, width, relevant)
        while len(self._resident) >= _KEPT:
            self._resident.pop(next(iter(self._resident)))
        self._resident[key] = rows
        return rows

    def _load(
        self, model: str, kind: ItemKind, where: Where, width: int, revision: tuple[object, ...]
    ) -> Rows:
        import numpy as np

        table, name, text_hash, condition, bindings = _tables(kind, where)
        sql = (
            f"SELECT v.slot, {name} FROM {table} CROSS JOIN vectors v ON v.model=? AND"
            f" v.hash={text_hash} WHERE v.slot IS NOT NULL AND {condition}"
        )
        path = self._path(model)
        if (count := self._slots(model)) and not self._fits(path, count, width):
            self._grow(model, width)
            count = self._slots(model)
        found = self._db.rows(sql, [model, *bindings])
        found.sort()
        slots = np.fromiter((row[0] for row in found), dtype=np.int64, count=len(found))
        if count:
            whole = np.memmap(path, np.int8, "r", _HEADER, (count, width))
            same = len(slots) == count and bool((slots == np.arange(count)).all())
            matrix = whole if same else np.ascontiguousarray(whole[slots])
        else:
            matrix = np.empty((0, width), dtype=np.int8)
        return Rows(revision, slots, [row[1] for row in found], matrix)

    def _cosines(self, model: str, query: np.ndarray[Any, Any], slots: Any) -> Any:
        import numpy as np

        get = "SELECT vector FROM vectors WHERE model=? AND slot=?"
        blobs = [self._db.row(get, [model, int(slot)]) for slot in slots]
        stacked = np.frombuffer(b"".join(b[0] for b in blobs if b), dtype=np.float32)
        return stacked.reshape(len(blobs), -1) @ query

    def _sidecar(self, model: str, width: int, slots: int) -> Path:
        """The file with at least `slots` rows; called inside a write transaction."""
        path = self._path(model)
        if not self._fits(path, slots, width):
            self._write(model, width)
        return path

    def _grow(self, model: str, width: int) -> None:
        # Not inside the reader's snapshot: writing needs the newest state and the write lock.
        path = self._path(model)
        connection = self._db.connection()
        if connection.in_transaction:
            connection.execute("COMMIT")
            try:
                with self._db.writing():
                    if not self._fits(path, self._slots(model), width):
                        self._write(model, width)
            finally:
                connection.execute("BEGIN")

    def _write(self, model: str, width: int) -> None:
        import numpy as np

        path = self._path(model)
        temporary = path.with_suffix(".new")
        count = self._slots(model)
        with temporary.open("wb") as file:
            temporary.chmod(0o600)
            file.write(self._header(width))
            file.truncate(_HEADER + count * width)
            sql = (
                "SELECT slot, vector FROM vectors WHERE model=? AND slot IS NOT NULL ORDER BY slot"
            )
            for slot, blob in self._db.connection().execute(sql, (model,)):
                file.seek(_HEADER + slot * width)
                file.write(quantised(np.frombuffer(blob, dtype=np.float32)[None]).tobytes())
        temporary.replace(path)

    def _epoch(self) -> str:
        row = self._db.row("SELECT value FROM meta WHERE key='epoch'")
        return str(row[0]) if row else ""

    def _header(self, width: int) -> bytes:
        return f"alaya i8 {self._epoch()} {width}".encode().ljust(_HEADER, b"\0")

    def _fits(self, path: Path, slots: int, width: int) -> bool:
        if not path.exists() or path.stat().st_size < _HEADER + slots * width:
            return False
        with path.open("rb") as file:
            return file.read(_HEADER) == self._header(width)

    def _path(self, model: str) -> Path:
        return self._db.path.parent / f"vectors-{digest(model)}.i8"


class Rows:
    """Quantised vectors of the items that pass one filter, as of one revision."""

    def __init__(
        self, revision: tuple[object, ...], slots: Any, names: list[str], matrix: Any
    ) -> None:
        self.revision = revision
        self.slots = slots
        self.names = names
        self.matrix = matrix


def new_epoch() -> str:
    """A name for one life of the vectors: a rebuild starts another, and sidecars of the old go."""
    return secrets.token_hex(8)


# A text without a vector of this model that something has.
_LACKED = """SELECT 1 WHERE NOT EXISTS(SELECT 1 FROM vectors WHERE model=?1 AND hash=?2)
  AND (EXISTS(SELECT 1 FROM cards WHERE text_hash=?2) OR EXISTS(SELECT 1 FROM turns
  WHERE text_hash=?2) OR EXISTS(SELECT 1 FROM relations WHERE text_hash=?2))"""


def _unit(vector: Vector) -> np.ndarray[Any, Any]:
    """A vector of length 1 in the direction of this one; one that is so already stays as it is."""
    import numpy as np

    found = np.asarray(vector, dtype=np.float32)
    length = float(np.linalg.norm(found))
    if not np.isfinite(length):
        raise StoreError("a vector holds numbers that are not finite")
    return found if length == 0 or abs(length - 1) < 1e-4 else found / np.float32(length)


def quantised(vectors: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Float vectors (n, d) to int8, each scaled by its own largest component."""
    import numpy as np

    largest = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), 1e-12)
    scaled: np.ndarray[Any, Any] = np.rint(vectors / largest * 127).astype(np.int8)
    return scaled


def _scan(matrix: Any, query: np.ndarray[Any, Any], wanted: int) -> Any:
    """Positions of the `wanted` rows with the highest cosine, exactly, by the quantised values."""
    import numpy as np

    if len(matrix) >= _USEARCH_FROM:
        try:
            from usearch.compiled import MetricKind
            from usearch.index import search
        except ImportError:  # no wheel for this platform
            pass
        else:
            goal = quantised(query[None])[0]
            found = search(matrix, goal, wanted, MetricKind.Cos, exact=True, threads=1)
            return np.asarray(found.keys, dtype=np.int64)
    scores = np.empty(len(matrix), dtype=np.float32)
    for start in range(0, len(matrix), 8192):
        block = matrix[start : start + 8192].astype(np.float32)
        norms = np.sqrt(np.einsum("ij,ij->i", block, block))
        scores[start : start + len(block)] = (block @ query) / np.maximum(norms, 1e-12)
    if wanted >= len(scores):
        return np.arange(len(scores))
    return np.argpartition(-scores, wanted - 1)[:wanted]


def _relevant(revision: Sequence[tuple[str, int]], kind: ItemKind) -> tuple[object, ...]:
    wanted = {"rev.vector", f"rev.{kind.value}"}
    return tuple(pair for pair in revision if pair[0] in wanted)


def _tables(kind: ItemKind, where: Where) -> tuple[str, str, str, str, list[object]]:
    """(table, item name, text hash, condition, bindings) of a kind of item."""
    if kind is ItemKind.CARD:
        return ("cards c", "c.id", "c.text_hash", *filters.of_cards(where))
    if kind is ItemKind.TURN:
        return ("turns t", "t.session||'#'||t.id", "t.text_hash", *filters.of_turns(where))
    if kind is ItemKind.RELATION:
        return ("relations r", "r.name", "r.text_hash", *filters.of_relations(where.scope))
    raise Unsupported(f"no vectors are kept for {kind}")


def _by_id(kind: ItemKind, item: str) -> tuple[str, list[object]]:
    if kind is ItemKind.CARD:
        return "c.id=?", [item]
    if kind is ItemKind.TURN:
        # Either id may hold a `#`: every place where it could be cut.
        parts = item.split("#")
        cuts = [("#".join(parts[:i]), "#".join(parts[i:])) for i in range(1, len(parts))]
        pairs = " OR ".join("(t.session=? AND t.id=?)" for _ in cuts) or "0"
        return f"({pairs})", [part for cut in cuts for part in cut]
    return "r.name=?", [item]
