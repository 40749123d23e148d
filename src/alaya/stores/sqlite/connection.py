"""The one connection factory: the same settings everywhere, a connection a thread.

The file is only ever opened through APSW: its SQLite is current, the one inside Python may have
the WAL-reset bug, and the same file must not be opened through two of them.
"""

from __future__ import annotations

import contextlib
import errno
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import apsw

from alaya.errors import Busy, Damaged, Denied, OutOfSpace, StoreError
from alaya.model.ids import clean
from alaya.stores.sqlite.applying import empty, seed
from alaya.stores.sqlite.schema import MIGRATIONS, TABLES

_CHECKPOINTS, _NAP = 600, 0.05
BUSY_MS = 300_000  # a writer waits for the rebuild of a large home
_REVISIONS = "SELECT key, value FROM meta WHERE key>='epoch' AND key<'rev/'"  # and a few between


class Database:
    """A SQLite file. Each thread has a connection; a file that was replaced is opened anew."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()
        self._lock = threading.Lock()
        self._open: list[apsw.Connection] = []

    def connection(self) -> apsw.Connection:
        """This thread's connection to the file that is at the path now.

        Inside a transaction it is the one that began it: the file may be replaced meanwhile.
        """
        found: apsw.Connection | None = getattr(self._local, "connection", None)
        if found is not None and (found.in_transaction or self._local.inode == self._inode()):
            return found
        connection = self._connect()
        self._local.connection, self._local.inode = connection, self._inode()
        with self._lock:
            self._open.append(connection)
        return connection

    def rows(self, sql: str, bindings: Sequence[Any] = ()) -> list[Any]:
        """All rows of a query."""
        with errors(self.path):
            return list(self.connection().execute(sql, _storable(bindings)))

    def row(self, sql: str, bindings: Sequence[Any] = ()) -> Any | None:
        """The first row of a query, or None."""
        with errors(self.path):
            return self.connection().execute(sql, _storable(bindings)).fetchone()

    def revision(self, *names: str) -> tuple[Any, ...]:
        """Differs when what these names stand for (`vector`, `card`, `dropped` …) has changed.

        And for a database that was made anew. Asked in the snapshot that is read.
        """
        known: dict[str, Any] | None = getattr(self._local, "revisions", None)
        if not known:
            found = dict(self.rows(_REVISIONS))
            if known is None:  # no snapshot: it may be another one the next time
                known = found
            known.update(found)
        return tuple(known.get(key) for key in ("epoch", *(f"rev.{name}" for name in names)))

    @contextlib.contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """One snapshot for several queries."""
        connection = self.connection()
        with errors(self.path):
            if connection.in_transaction:
                yield connection
                return
            connection.execute("BEGIN")
            self._local.revisions = {}  # they are asked for again and again in one snapshot
            try:
                yield connection
            finally:
                self._local.revisions = None
                connection.execute("COMMIT")

    @property
    def in_snapshot(self) -> bool:
        """Whether this thread is inside a transaction."""
        return self.connection().in_transaction

    @contextlib.contextmanager
    def writing(self) -> Iterator[apsw.Connection]:
        """One immediate transaction; inside another one (a rebuild) it is part of that."""
        connection = self.connection()
        self._local.revisions = None
        with errors(self.path):
            if connection.in_transaction:
                yield connection
                return
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def writable(self, within: float) -> bool:
        """Whether a transaction could begin to write within so many seconds."""
        connection = self.connection()
        if connection.in_transaction:
            return True
        with errors(self.path):
            connection.set_busy_timeout(int(within * 1000))
            try:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("ROLLBACK")
            except apsw.BusyError:
                return False
            finally:
                connection.set_busy_timeout(BUSY_MS)
        return True

    def compact(self) -> None:
        """Write the file anew without what was deleted, and empty its log. Raises Busy.

        Every reader that began before has to end first: a snapshot keeps what it may still read.
        """
        connection = self.connection()
        self._local.revisions = None
        with errors(self.path):
            connection.execute("VACUUM")
            for _ in range(_CHECKPOINTS):
                row = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                if row is not None and not row[0]:
                    return
                time.sleep(_NAP)
        raise Busy(
            f"another process kept reading {self.path}: what was erased is still in its log; "
            "run any command of alaya once it is done"
        )

    def close(self) -> None:
        """Close the connections of all threads."""
        with self._lock:
            for connection in self._open:
                connection.close()
            self._open.clear()
        self._local = threading.local()

    def set_aside(self) -> None:
        """Rename a damaged file, with what belongs to it; the next connection makes a new one."""
        self.close()
        with file_errors(self.path):
            for suffix in ("", "-wal", "-shm"):
                part = self.path.with_name(self.path.name + suffix)
                if part.exists():
                    part.replace(self.path.with_name(f"{self.path.name}.damaged{suffix}"))

    def _inode(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self.path)  # noqa: PTH116
        except FileNotFoundError:
            return None
        return found.st_dev, found.st_ino

    def _connect(self) -> apsw.Connection:
        with errors(self.path), file_errors(self.path):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # SQLite gives -wal and -shm the mode of the file. One that exists is not opened here:
            # closing it would drop the locks that this process's other connections have on it.
            with contextlib.suppress(FileExistsError):
                os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            connection = apsw.Connection(str(self.path))
            connection.set_busy_timeout(BUSY_MS)
            _patiently(lambda: connection.execute("PRAGMA journal_mode=WAL"))
            connection.execute(
                "PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=OFF; PRAGMA temp_store=MEMORY;"
                "PRAGMA cache_size=-32000; PRAGMA mmap_size=134217728;"
            )
            _migrate(connection, self.path)
            return connection


@contextlib.contextmanager
def file_errors(path: Path) -> Iterator[None]:
    """What the operating system refuses, as alaya's."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise _full(path) from error
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise Denied(f"no permission to read and write {path}: {error.strerror}") from error
        raise StoreError(f"cannot open {path}: {error.strerror}") from error


@contextlib.contextmanager
def errors(path: Path) -> Iterator[None]:
    """SQLite's errors as alaya's."""
    try:
        yield
    except apsw.FullError as error:
        raise _full(path) from error
    except apsw.BusyError as error:
        raise Busy(
            f"another process kept {path} locked for {BUSY_MS // 1000} s; look for a hanging "
            "`alaya` process and try again"
        ) from error
    except (apsw.ReadOnlyError, apsw.PermissionsError) as error:
        raise Denied(f"no permission to write {path}: {error}") from error
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise Damaged(
            f"{path} is damaged ({error}); run `alaya rebuild`: it is set aside and a new one "
            "grows from raw/"
        ) from error
    except apsw.Error as error:
        raise StoreError(
            f"{path}: {error}; if this stays, `alaya rebuild` grows the database anew"
        ) from error


def _full(path: Path) -> OutOfSpace:
    return OutOfSpace(
        f"no space left for {path}; nothing that was acknowledged is lost: free some space "
        "and run the command again"
    )


def _storable(bindings: Sequence[Any]) -> Sequence[Any]:
    """What is looked up, as it would have been stored: SQLite takes no lone surrogates."""
    return [clean(value) if isinstance(value, str) else value for value in bindings]


def _patiently(act: Callable[[], object]) -> None:
    """Switching a new file to WAL needs it exclusively, and does not wait by itself."""
    for _ in range(600):
        try:
            act()
        except apsw.BusyError:
            time.sleep(0.05)
        else:
            return
    act()


def _migrate(connection: apsw.Connection, path: Path) -> None:
    version = connection.pragma("user_version")
    if version == len(MIGRATIONS):
        return
    if version > len(MIGRATIONS):
        raise StoreError(
            f"{path} was made by a newer alaya (schema {version}, this one knows "
            f"{len(MIGRATIONS)}); upgrade alaya"
        )
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = connection.pragma("user_version")
        if version < len(MIGRATIONS):  # else another process did it while this one waited
            _upgrade(connection, version)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _upgrade(connection: apsw.Connection, version: int) -> None:
    for number in range(version, len(MIGRATIONS)):
        connection.execute(MIGRATIONS[number])
    if version:  # rows of an older shape: the journal is replayed when this is next read
        empty(connection, TABLES)
        connection.execute("DELETE FROM meta WHERE key NOT LIKE 'rev.%'")
    seed(connection)
    connection.execute(f"PRAGMA user_version={len(MIGRATIONS)}")
