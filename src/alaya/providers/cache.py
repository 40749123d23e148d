"""Vectors kept on disk by model and text, shared by all homes, so that none is paid for twice.

A bounded SQLite file that several processes use at once. It holds no words, only hashes of them
and vectors. It is a convenience: whatever happens to it, alaya works on without it.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from alaya.ports import Vector

FILE = "vectors.db"
LAYOUT = 1  # of the tables and of what `windows` cuts; another layout starts afresh
_BUSY_MS = 30_000
_TOUCH_AFTER = 3600  # seconds; a use is noted at most so often, so that reading seldom writes
_FULL_TO = 0.9  # an eviction makes room down to this share of the bound
_AT_ONCE = 500  # hashes in one statement
_TABLES = """
CREATE TABLE IF NOT EXISTS vectors(
  id INTEGER PRIMARY KEY,
  model TEXT NOT NULL,
  hash BLOB NOT NULL,
  windows INTEGER NOT NULL,
  data BLOB NOT NULL,
  used INTEGER NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS vectors_by_text ON vectors(hash, model);
CREATE INDEX IF NOT EXISTS vectors_by_use ON vectors(used);
"""


def default_folder() -> Path:
    """The platform's cache directory for alaya."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("alaya"))


class VectorCache:
    """The cache in a folder, at most `limit_mb` MiB; 0 switches it off.

    Opened on first use, for all threads. No method raises for what is wrong with the file: a
    corrupt one is renamed to `vectors.db.damaged` and started afresh, one that cannot be written
    is not used. `problem` then says why.
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        limit_mb: int = 512,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.path = (folder if folder is not None else default_folder()) / FILE
        self.limit = limit_mb * 2**20
        self.problem: str | None = None
        self._clock = clock
        self._connection: Any = None
        self._off = limit_mb <= 0
        self._lock = threading.RLock()

    def get_many(self, model: str, hashes: Sequence[str]) -> dict[str, list[Vector]]:
        """The vectors of those texts (SHA-256 in hex) that are here, a list of windows for each."""
        found: dict[str, list[Vector]] = {}
        with self._using() as connection:
            if connection is None:
                return found
            now = int(self._clock())
            stale: list[int] = []
            for some in _slices(hashes):
                rows = connection.execute(
                    "SELECT id, hash, windows, data, used FROM vectors WHERE model = ? AND hash IN "
                    f"({','.join('?' * len(some))})",
                    (model, *map(bytes.fromhex, some)),
                )
                for id_, hash_, windows, data, used in rows:
                    found[hash_.hex()] = _unpacked(windows, data)
                    if now - used > _TOUCH_AFTER:
                        stale.append(id_)
            if stale:
                with connection:
                    connection.executemany(
                        "UPDATE vectors SET used = ? WHERE id = ?", [(now, id_) for id_ in stale]
                    )
        return found

    def put_many(self, model: str, vectors: Mapping[str, Sequence[Vector]]) -> None:
        """Keep the windows' vectors of texts by hash; the least recently used make room."""
        if not vectors:
            return
        with self._using() as connection:
            if connection is None:
                return
            now = int(self._clock())
            rows = [
                (model, bytes.fromhex(hash_), len(windows), _packed(windows), now)
                for hash_, windows in vectors.items()
            ]
            with _transaction(connection):
                connection.executemany(
                    "INSERT INTO vectors(model, hash, windows, data, used) VALUES (?,?,?,?,?) "
                    "ON CONFLICT(hash, model) DO UPDATE SET windows = excluded.windows, "
                    "data = excluded.data, used = excluded.used",
                    rows,
                )
                self._evict(connection)

    def forget(self, hashes: Sequence[str]) -> int:
        """Remove the vectors of these texts, of every model, from the disk; returns how many."""
        gone = 0
        with self._using() as connection:
            if connection is None:
                return 0
            with _transaction(connection):
                for some in _slices(hashes):
                    connection.execute(
                        f"DELETE FROM vectors WHERE hash IN ({','.join('?' * len(some))})",
                        tuple(map(bytes.fromhex, some)),
                    )
                    gone += connection.changes()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return gone

    def size(self) -> int:
        """Bytes in use, 0 when there is no cache."""
        with self._using() as connection:
            return 0 if connection is None else _used(connection)
        return 0

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    @contextlib.contextmanager
    def _using(self) -> Iterator[Any]:
        """The connection or None. What goes wrong inside ends the block, not the program."""
        import apsw

        with self._lock:
            try:
                connection = self._open()
            except (apsw.Error, OSError) as error:
                self._failed(error)
                connection = None
            try:
                yield connection
            except (apsw.Error, OSError) as error:
                self._failed(error)

    def _open(self) -> Any:
        if self._off or self._connection is not None:
            return self._connection
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        self._connection = _connect(self.path)
        return self._connection

    def _failed(self, error: Exception) -> None:
        import apsw

        if isinstance(error, apsw.CorruptError | apsw.NotADBError):
            self._set_aside(error)
        elif isinstance(error, apsw.BusyError):
            self.problem = f"{self.path} is in use: {error}"  # this once; it is tried again
        else:
            self._give_up(error)

    def _evict(self, connection: Any) -> None:
        used = _used(connection)
        if used <= self.limit:
            return
        rows, total = connection.execute(
            "SELECT count(*), coalesce(sum(length(data)), 0) + 150 * count(*) FROM vectors"
        ).fetchone()
        share = 1 - self.limit * _FULL_TO / max(used, total)
        connection.execute(
            "DELETE FROM vectors WHERE id IN (SELECT id FROM vectors ORDER BY used, id LIMIT ?)",
            (max(1, int(rows * share)),),
        )
        connection.execute("PRAGMA incremental_vacuum").fetchall()

    def _set_aside(self, error: Exception) -> None:
        """Rename a corrupt cache, with what belongs to it, unless another process just did."""
        import fcntl

        self.problem = f"{self.path} was damaged ({error}); it is rebuilt as texts are embedded"
        broken = _inode(self.path)
        self._shut()
        try:
            with self.path.with_suffix(".lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                if broken is not None and _inode(self.path) == broken:
                    for end in ("-wal", "-shm", ""):
                        part = self.path.with_name(FILE + end)
                        with contextlib.suppress(FileNotFoundError):
                            part.replace(part.with_name(f"{FILE}.damaged{end}"))
        except OSError as failure:
            self._give_up(failure)

    def _give_up(self, error: Exception) -> None:
        self.problem = f"{self.path} cannot be used ({error}); vectors are not cached"
        self._off = True
        self._shut()

    def _shut(self) -> None:
        import apsw

        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(apsw.Error):
                connection.close(True)


def _connect(path: Path) -> Any:
    import apsw

    connection: Any = apsw.Connection(str(path))
    try:
        connection.set_busy_timeout(_BUSY_MS)
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL").fetchall()
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute("PRAGMA synchronous = NORMAL").fetchall()
        connection.execute("PRAGMA secure_delete = ON").fetchall()
        connection.execute("PRAGMA journal_size_limit = 16777216").fetchall()
        with _transaction(connection):
            (layout,) = connection.execute("PRAGMA user_version").fetchone()
            if layout != LAYOUT:
                connection.execute("DROP TABLE IF EXISTS vectors")
                connection.execute(f"PRAGMA user_version = {LAYOUT}")
            connection.execute(_TABLES)
    except apsw.Error:
        connection.close(True)
        raise
    return connection


@contextlib.contextmanager
def _transaction(connection: Any) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:  # some errors, such as a full disk, have ended it already
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _used(connection: Any) -> int:
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    free = connection.execute("PRAGMA freelist_count").fetchone()[0]
    size = connection.execute("PRAGMA page_size").fetchone()[0]
    return int((pages - free) * size)


def _inode(path: Path) -> int | None:
    try:
        return path.stat().st_ino
    except OSError:
        return None


def _slices(hashes: Sequence[str]) -> Iterator[Sequence[str]]:
    for i in range(0, len(hashes), _AT_ONCE):
        yield hashes[i : i + _AT_ONCE]


def _packed(windows: Sequence[Vector]) -> bytes:
    import numpy as np

    return b"".join(np.asarray(window, dtype="<f4").tobytes() for window in windows)


def _unpacked(windows: int, data: bytes) -> list[Vector]:
    if not windows:
        return []
    import numpy as np

    rows = np.frombuffer(data, dtype="<f4").reshape(windows, -1)
    return list(rows)
