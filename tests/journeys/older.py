"""Databases as an earlier alaya would have left them."""

from __future__ import annotations

import contextlib
from pathlib import Path

import apsw

from alaya.stores.sqlite.schema import MIGRATIONS

_TABLES = """SELECT name FROM sqlite_master WHERE type='table' AND sql LIKE 'CREATE TABLE%'
  AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%@_words%' ESCAPE '@'"""


def made_old(path: Path, version: int = 1) -> None:
    """The database as the alaya of that version would have left it."""
    with (
        contextlib.closing(apsw.Connection(str(path))) as connection,
        contextlib.closing(apsw.Connection(":memory:")) as old,
    ):
        for migration in MIGRATIONS[:version]:
            old.execute(migration)
        for (table,) in old.execute(_TABLES).fetchall():
            now = _columns(connection, table)
            named = ",".join(f'"{name}"' for name in _columns(old, table) if name in now)
            rows = connection.execute(f"SELECT {named} FROM {table}").fetchall()
            marks = ",".join("?" * (named.count(",") + 1))
            old.executemany(f"INSERT OR IGNORE INTO {table}({named}) VALUES({marks})", rows)
        old.execute(f"PRAGMA user_version={version}")
        with connection.backup("main", old, "main") as copying:
            copying.step()


def _columns(connection: apsw.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
