"""The engines that engines.py compares, each behind the same five methods."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol

import numpy as np

_TOGETHER = 4096


class Engine(Protocol):
    """A store of numbered vectors in a folder. `newest` is the number of the last insert."""

    name: str
    folder: Path
    width: int
    newest: int

    def build(self, rows: np.ndarray) -> float:
        """Store all rows, index them, and return how many seconds it took."""

    def open(self) -> None: ...
    def nearest(self, query: np.ndarray, k: int) -> Sequence[int]: ...
    def insert(self, vector: np.ndarray) -> None: ...
    def disk(self) -> int:
        """Bytes on disk that the vectors and what indexes them take."""

    def close(self) -> None: ...


def bytes_of(folder: Path, pattern: str) -> int:
    """Bytes in the files below a folder that match."""
    return sum(path.stat().st_size for path in folder.rglob(pattern) if path.is_file())


class Alaya:
    """Cards in the default store, asked through its index port."""

    name = "alaya"

    def __init__(self, folder: Path, width: int) -> None:
        self.folder, self.width, self.newest = folder, width, -1
        self._model = f"bench-{width}"
        self._count = 0
        self._index: Any = None

    def build(self, rows: np.ndarray) -> float:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.open()
        if not self._count:
            self._fill(len(rows))
        took = 0.0
        for first in range(0, len(rows), _TOGETHER):
            some = np.ascontiguousarray(rows[first : first + _TOGETHER])
            texts = [self._hash(number) for number in range(first, first + len(some))]
            start = time.perf_counter()
            self._index.put(self._model, {t: [v] for t, v in zip(texts, some, strict=True)})
            took += time.perf_counter() - start
        self._index.close()
        return took

    def open(self) -> None:
        from alaya.model.passage import ItemKind, Where
        from alaya.model.scope import Scope
        from alaya.stores.sqlite.index import SqliteIndex

        self._index = SqliteIndex(
            self.folder / "alaya.db",
            stem=lambda word: word,
            read_turn=lambda *_, **__: None,  # type: ignore[arg-type, return-value]
        )
        self._kind, self._where = ItemKind.CARD, Where(Scope("alice"))
        self._count = self._index.counts(self._where.scope).get("cards", 0)
        self._next = self._index.models().get(self._model, 0)

    def nearest(self, query: np.ndarray, k: int) -> Sequence[int]:
        found = self._index.nearest(self._model, query, kind=self._kind, where=self._where, limit=k)
        return [int(item.id.removeprefix("card-")) for item in found]

    def insert(self, vector: np.ndarray) -> None:
        if self._next >= self._count:
            raise SystemExit(f"no spare card is left in {self.folder}: delete it and build anew")
        self._index.put(self._model, {self._hash(self._next): [vector]})
        self.newest = self._next
        self._next += 1

    def disk(self) -> int:
        import apsw

        connection = apsw.Connection(str(self.folder / "alaya.db"))
        sql = "SELECT sum(pgsize) FROM dbstat WHERE name LIKE '%vectors%'"
        pages = connection.execute(sql).fetchone()[0]
        counts = dict(connection.execute("SELECT model, count(*) FROM vectors GROUP BY 1"))
        connection.close()
        widths = {name: n * int(name.removeprefix("bench-")) for name, n in counts.items()}
        share = widths[self._model] / sum(widths.values())  # several widths stand in one table
        return int((pages + bytes_of(self.folder, "vectors-*.i8")) * share)

    def close(self) -> None:
        self._index.close()

    def _fill(self, count: int) -> None:
        """Cards without vectors, some more than will be stored at once."""
        from alaya.model.change import CardAdded
        from alaya.model.record import Position
        from alaya.testing.invented import START, card

        numbers = range(count + 1_000)
        for seq, first in enumerate(range(0, len(numbers), _TOGETHER), 1):
            changes = [CardAdded(card(str(n))) for n in numbers[first : first + _TOGETHER]]
            place = Position(seq, f"{seq:064}", "2026-03.jsonl", seq)
            assert self._index.apply(place, changes, at=START)

    @staticmethod
    def _hash(number: int) -> str:
        from alaya.model.ids import sha256

        return sha256(f"title {number}\n")


class Lance:
    """LanceDB, without an index: every vector is compared."""

    name = "lance-flat"
    index_type = ""
    refine = 0

    def __init__(self, folder: Path, width: int) -> None:
        self.folder, self.width, self.newest = folder, width, -1

    def build(self, rows: np.ndarray) -> float:
        import lancedb
        import pyarrow as pa

        kind = pa.list_(pa.float32(), self.width)
        schema = pa.schema([("id", pa.int64()), ("vector", kind)])

        def batches() -> Any:
            for first in range(0, len(rows), 10 * _TOGETHER):
                some = np.ascontiguousarray(rows[first : first + 10 * _TOGETHER])
                ids = pa.array(range(first, first + len(some)), pa.int64())
                column = pa.FixedSizeListArray.from_arrays(pa.array(some.ravel()), self.width)
                yield pa.RecordBatch.from_arrays([ids, column], schema=schema)

        start = time.perf_counter()
        connection = lancedb.connect(str(self.folder))
        table = connection.create_table(self._table, data=batches(), schema=schema)
        if self.index_type:
            table.create_index(
                metric="cosine", index_type=self.index_type, wait_timeout=timedelta(hours=1)
            )
        return time.perf_counter() - start

    @property
    def _table(self) -> str:
        return f"bench{self.width}"

    def open(self) -> None:
        import lancedb

        self._rows: Any = lancedb.connect(str(self.folder)).open_table(self._table)
        self._next = self._rows.count_rows()

    def nearest(self, query: np.ndarray, k: int) -> Sequence[int]:
        asked = (
            self._rows.search(query).distance_type("cosine").limit(k).select(["id", "_distance"])
        )
        if self.refine:
            asked = asked.refine_factor(self.refine)
        found: list[int] = asked.to_arrow()["id"].to_pylist()
        return found

    def insert(self, vector: np.ndarray) -> None:
        self._rows.add([{"id": self._next, "vector": vector}])
        self.newest = self._next
        self._next += 1

    def disk(self) -> int:
        return bytes_of(self.folder / f"{self._table}.lance", "*")

    def close(self) -> None:
        self._rows = None


class LanceIvfFlat(Lance):
    """LanceDB's inverted file over whole vectors, 20 probes (its default)."""

    name = "lance-ivf-flat"
    index_type = "IVF_FLAT"


class LanceIvfPq(Lance):
    """LanceDB's default index: inverted file over product codes, re-scored from 10 k vectors."""

    name = "lance-ivf-pq"
    index_type = "IVF_PQ"
    refine = 10


class SqliteVec:
    """sqlite-vec's vec0 table, float32, cosine: every vector is compared."""

    name = "sqlite-vec"

    def __init__(self, folder: Path, width: int) -> None:
        self.folder, self.width, self.newest = folder, width, -1

    def build(self, rows: np.ndarray) -> float:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.open()
        start = time.perf_counter()
        self._db.execute(
            f"CREATE VIRTUAL TABLE rows USING vec0(v float[{self.width}] distance_metric=cosine)"
        )
        for first in range(0, len(rows), _TOGETHER):
            some = rows[first : first + _TOGETHER]
            with self._db:
                self._db.executemany(
                    "INSERT INTO rows(rowid, v) VALUES(?,?)",
                    ((first + i, row.tobytes()) for i, row in enumerate(some)),
                )
        took = time.perf_counter() - start
        self._db.close(True)
        return took

    def open(self) -> None:
        import apsw
        import sqlite_vec

        self._db: Any = apsw.Connection(str(self.folder / f"vec-{self.width}.db"))
        self._db.enable_load_extension(True)
        self._db.load_extension(sqlite_vec.loadable_path())
        self._db.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL")
        known = self._db.execute("SELECT 1 FROM sqlite_master WHERE name='rows'").fetchone()
        self._next = self._db.execute("SELECT count(*) FROM rows").fetchone()[0] if known else 0

    def nearest(self, query: np.ndarray, k: int) -> Sequence[int]:
        sql = "SELECT rowid FROM rows WHERE v MATCH ? AND k=? ORDER BY distance"
        return [row[0] for row in self._db.execute(sql, (query.tobytes(), k))]

    def insert(self, vector: np.ndarray) -> None:
        with self._db:
            self._db.execute(
                "INSERT INTO rows(rowid, v) VALUES(?,?)", (self._next, vector.tobytes())
            )
        self.newest = self._next
        self._next += 1

    def disk(self) -> int:
        return bytes_of(self.folder, f"vec-{self.width}.db*")

    def close(self) -> None:
        self._db.close(True)


ENGINES: dict[str, type[Any]] = {
    e.name: e for e in (Alaya, Lance, LanceIvfFlat, LanceIvfPq, SqliteVec)
}
