"""L1, vectors: float32 blobs in the database, scanned exactly through an int8 copy (sidecar.py).

Quantised scores only choose candidates; blobs decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from alaya.errors import Denied, OutOfSpace, StoreError, Unsupported
from alaya.model.passage import ItemKind, Scored, Where
from alaya.ports import Vector
from alaya.stores.sqlite import where as filters
from alaya.stores.sqlite.connection import Database
from alaya.stores.sqlite.sidecar import Sidecar, count_slots, quantised, quantised_blobs

if TYPE_CHECKING:
    import numpy as np

_MANY = 400  # ids in one query
_USEARCH_FROM = 20_000  # rows; below, NumPy alone is fast
_USEARCH_AT_ONCE = 200_000  # rows; below, a first scan is done before it would be imported
_KEPT = 6  # filters whose rows stay resident


class Vectors:
    """The vector side of one database in one process."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._resident: dict[tuple[object, ...], Rows] = {}
        self._scans = 0

    def put(self, model: str, vectors: Mapping[str, Sequence[Vector]]) -> None:
        import numpy as np

        with self._db.writing() as connection:
            next_slot, width = count_slots(self._db, model), self._width(model)
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
                    self._same_width(model, width, given=len(vector))
                    slot = next_slot + len(fresh)
                    connection.execute(insert, (model, text_hash, number, slot, vector.tobytes()))
                    fresh.append(vector)
            if fresh:
                Sidecar(self._db, model, width=width).put(next_slot, quantised(np.stack(fresh)))
            connection.execute(
                "INSERT INTO meta VALUES('rev.vector',1)"
                " ON CONFLICT(key) DO UPDATE SET value=value+1"
            )

    def nearest(
        self, model: str, vector: Vector, *, kind: ItemKind, where: Where, limit: int
    ) -> list[Scored]:
        query = _unit(vector)
        found = self._nearest(model, query, kind=kind, where=where, limit=limit, whole=False)
        if found is None:
            self._grow(model, len(query))
            found = self._nearest(model, query, kind=kind, where=where, limit=limit, whole=True)
        return found or []

    def _nearest(
        self,
        model: str,
        query: np.ndarray[Any, Any],
        *,
        kind: ItemKind,
        where: Where,
        limit: int,
        whole: bool,
    ) -> list[Scored] | None:
        """None where the sidecar is missing and `whole` does not allow to read all blobs."""
        best: dict[str, float] = {}
        with self._db.reading():
            self._same_width(model, self._width(model), given=len(query))
            rows = self._rows(model, kind, where=where, width=len(query), whole=whole)
            if rows is None:
                return None
            wanted = max(4 * limit, 64)
            while len(rows.slots) and limit > 0:
                self._scans += 1
                fast = len(rows.slots) >= (_USEARCH_AT_ONCE if self._scans == 1 else _USEARCH_FROM)
                near = _scan(rows.matrix, query, wanted=min(len(rows.slots), wanted), fast=fast)
                exact = self._cosines(model, query, slots=rows.slots[near])
                for position, cosine in zip(near, exact, strict=True):
                    item = rows.names[position]
                    best[item] = max(best.get(item, -1.0), float(cosine))
                if len(best) >= limit or wanted >= len(rows.slots):
                    break
                wanted *= 4  # the windows of a few long texts were nearest
        ranked = sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))
        return [Scored(item, cosine) for item, cosine in ranked[:limit]]

    def similarities(
        self, model: str, vector: Vector, *, kind: ItemKind, ids: Sequence[str], where: Where
    ) -> dict[str, float]:

        query = _unit(vector)
        self._same_width(model, self._width(model), given=len(query))
        table, name, text_hash, passes, values = _tables(kind, where)
        items: list[str] = []
        blobs: list[bytes] = []
        for condition, bindings in _by_ids(kind, ids):
            sql = (
                f"SELECT {name}, v.vector FROM {table} CROSS JOIN vectors v ON v.model=? AND"
                f" v.hash={text_hash} AND v.slot IS NOT NULL WHERE {condition} AND {passes}"
            )
            for item, blob in self._db.rows(sql, [model, *bindings, *values]):
                items.append(item)
                blobs.append(blob)
        found: dict[str, float] = {}
        if items:
            for item, cosine in zip(items, _products(blobs, query).tolist(), strict=True):
                found[item] = max(found.get(item, -1.0), cosine)
        return found

    def models(self) -> Mapping[str, int]:
        # All of it stands in the index vectors_text: the blobs are not read.
        sql = (
            "SELECT model, count(DISTINCT hash) FROM vectors WHERE slot IS NOT NULL GROUP BY model"
        )
        return dict(self._db.rows(sql))

    def check(self) -> int:
        """How many vectors stand in the database but not, or wrongly, in a sidecar."""
        import numpy as np

        wrong = 0
        for (model,) in self._db.rows("SELECT DISTINCT model FROM vectors WHERE slot IS NOT NULL"):
            with self._db.reading():
                matrix = Sidecar(self._db, model, width=self._width(model)).rows(
                    count_slots(self._db, model)
                )
                if matrix is None:
                    continue  # it is grown anew when it is next read
                sql = "SELECT slot, vector FROM vectors WHERE model=? AND slot IS NOT NULL"
                for slot, blob in self._db.rows(sql, [model]):
                    wrong += not np.array_equal(matrix[slot], quantised_blobs([blob])[0])
        return wrong

    def drop_sidecars(self) -> None:
        """Delete the files of lives that are over. Whoever still reads one has it open."""
        models = "SELECT DISTINCT model FROM vectors WHERE slot IS NOT NULL"
        current = {Sidecar(self._db, model, width=0).path for (model,) in self._db.rows(models)}
        for path in self._db.path.parent.glob("vectors-*.i8"):
            if path not in current:
                path.unlink(missing_ok=True)

    # --- inside ---------------------------------------------------------------------------------

    def _width(self, model: str) -> int:
        """The dimensions of a model's vectors; 0 when there are none."""
        sql = "SELECT length(vector)/4 FROM vectors WHERE model=? AND slot IS NOT NULL LIMIT 1"
        row = self._db.row(sql, [model])
        return int(row[0]) if row else 0

    def _same_width(self, model: str, known: int, *, given: int) -> None:
        if known not in (0, given):
            raise StoreError(
                f"the vectors of {model} have {known} dimensions, not {given}: the model is another"
                " one than it was; give it another name, or run `alaya rebuild-l1` to embed anew"
            )

    def _rows(
        self, model: str, kind: ItemKind, *, where: Where, width: int, whole: bool
    ) -> Rows | None:
        """The quantised vectors that pass the filter, resident until their tables change."""
        sql = "SELECT key, value FROM meta WHERE key IN ('epoch','rev.vector',?) ORDER BY key"
        revision = tuple(self._db.rows(sql, [f"rev.{kind.value}"]))
        key = (model, kind, where)
        known = self._resident.get(key)
        if known is not None and known.revision == revision:
            return known
        rows = self._load(model, kind, where=where, width=width, revision=revision, whole=whole)
        if rows is not None:
            while len(self._resident) >= _KEPT:
                self._resident.pop(next(iter(self._resident), key), None)
            self._resident[key] = rows
        return rows

    def _load(
        self,
        model: str,
        kind: ItemKind,
        *,
        where: Where,
        width: int,
        revision: tuple[object, ...],
        whole: bool,
    ) -> Rows | None:
        import numpy as np

        count = count_slots(self._db, model)
        copied = Sidecar(self._db, model, width=width).rows(count) if count else None
        if count and copied is None and not whole:
            return None
        table, name, text_hash, condition, bindings = _tables(kind, where)
        vector = "NULL" if copied is not None else "v.vector"
        sql = (
            f"SELECT v.slot, {name}, {vector} FROM {table} CROSS JOIN vectors v ON v.model=? AND"
            f" v.hash={text_hash} WHERE v.slot IS NOT NULL AND {condition}"
        )
        found = self._db.rows(sql, [model, *bindings])
        found.sort(key=lambda row: row[0])
        slots = np.fromiter((row[0] for row in found), dtype=np.int64, count=len(found))
        if not found:
            matrix: Any = np.empty((0, width), dtype=np.int8)
        elif copied is None:
            matrix = quantised_blobs(row[2] for row in found)
        else:
            same = len(slots) == count and bool((slots == np.arange(count)).all())
            matrix = copied if same else np.ascontiguousarray(copied[slots])
        return Rows(revision, slots, names=[row[1] for row in found], matrix=matrix)

    def _cosines(self, model: str, query: np.ndarray[Any, Any], *, slots: Any) -> Any:
        """The exact cosines at these slots, in their order."""

        blobs: dict[int, bytes] = {}
        for start in range(0, len(slots), _MANY):
            part = [int(slot) for slot in slots[start : start + _MANY]]
            marks = ",".join("?" * len(part))
            sql = f"SELECT slot, vector FROM vectors WHERE model=? AND slot IN ({marks})"
            blobs.update(self._db.rows(sql, [model, *part]))
        return _products([blobs[int(slot)] for slot in slots], query)

    def _grow(self, model: str, width: int) -> None:
        """Write the sidecar anew, where that can be; outside the snapshot of a reader."""
        sidecar = Sidecar(self._db, model, width=width)
        try:
            with self._db.writing():
                if sidecar.rows(count_slots(self._db, model)) is None:
                    sidecar.grow()
            self.drop_sidecars()
        except (OutOfSpace, Denied):
            pass  # it only saves time


class Rows:
    """Quantised vectors of the items that pass one filter, as of one revision."""

    def __init__(
        self, revision: tuple[object, ...], slots: Any, *, names: list[str], matrix: Any
    ) -> None:
        self.revision = revision
        self.slots = slots
        self.names = names
        self.matrix = matrix


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


def _products(blobs: Sequence[bytes], query: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Inner products with vectors as the database keeps them.

    In float64, so that the last digit does not depend on which vectors are multiplied together.
    """
    import numpy as np

    rows = np.frombuffer(b"".join(blobs), dtype=np.float32).reshape(len(blobs), -1)
    products: np.ndarray[Any, Any] = rows.astype(np.float64) @ query.astype(np.float64)
    return products


def _scan(matrix: Any, query: np.ndarray[Any, Any], *, wanted: int, fast: bool) -> Any:
    """Positions of the `wanted` rows with the highest cosine, exactly, by the quantised values."""
    import numpy as np

    if fast:
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


def _tables(kind: ItemKind, where: Where) -> tuple[str, str, str, str, list[object]]:
    """(table, item name, text hash, condition, bindings) of a kind of item."""
    if kind is ItemKind.CARD:
        return ("cards c", "c.id", "c.text_hash", *filters.of_cards(where))
    if kind is ItemKind.TURN:
        return ("turns t", "t.session||'#'||t.id", "t.text_hash", *filters.of_turns(where))
    if kind is ItemKind.RELATION:
        return ("relations r", "r.name", "r.text_hash", *filters.of_relations(where.scope))
    raise Unsupported(f"no vectors are kept for {kind}")


def _by_ids(kind: ItemKind, ids: Sequence[str]) -> Iterator[tuple[str, list[object]]]:
    """Conditions that together let exactly these items through."""
    unique = list(dict.fromkeys(ids))
    for start in range(0, len(unique), _MANY):
        part = unique[start : start + _MANY]
        if kind is ItemKind.TURN:
            keys = [cut for item in part for cut in _cuts(item)]
            marks = ",".join(["(?,?)"] * len(keys)) or "(NULL,NULL)"
            yield f"(t.session,t.id) IN (VALUES {marks})", [one for cut in keys for one in cut]
        else:
            column = "c.id" if kind is ItemKind.CARD else "r.name"
            yield f"{column} IN ({','.join('?' * len(part))})", [*part]


def _cuts(item: str) -> list[tuple[str, str]]:
    """(session, turn) for each place where `session#turn` can be cut: either may hold a `#`."""
    parts = item.split("#")
    return [("#".join(parts[:i]), "#".join(parts[i:])) for i in range(1, len(parts))]
