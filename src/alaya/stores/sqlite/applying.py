"""What every applier of changes is given: the connection, the journal's time, the stemmer."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass

import apsw

from alaya.model.codec import encode
from alaya.model.ids import sha256
from alaya.model.relations import CORE
from alaya.model.words import Stemmer
from alaya.stores.sqlite import counted
from alaya.stores.sqlite.schema import WORDS


@dataclass(frozen=True)
class Applying:
    """One record being applied. `at` is the journal's time, the second axis."""

    db: apsw.Connection
    at: str
    stem: Stemmer

    def changed(self, what: str) -> None:
        """Tells the caches of all processes that rows of this kind are not what they were."""
        self.db.execute(
            "INSERT INTO meta VALUES(?,1) ON CONFLICT(key) DO UPDATE SET value=value+1",
            (f"rev.{what}",),
        )


def as_json(value: object) -> str:
    """A model value as compact JSON text."""
    return json.dumps(encode(value), ensure_ascii=False, separators=(",", ":"))


def drop_vectors(to: Applying, text_hash: str) -> None:
    """The vectors of a text, unless something still has this text and is to have a vector."""
    gone = to.db.execute(
        "DELETE FROM vectors WHERE hash=?1"
        " AND NOT EXISTS(SELECT 1 FROM cards WHERE text_hash=?1 AND tier<>'COLD')"
        " AND NOT EXISTS(SELECT 1 FROM turns WHERE text_hash=?1)"
        " AND NOT EXISTS(SELECT 1 FROM summaries WHERE text_hash=?1)"
        " AND NOT EXISTS(SELECT 1 FROM relations WHERE text_hash=?1) RETURNING model, slot",
        (text_hash,),
    ).fetchall()
    for model in {str(model) for model, slot in gone if slot is not None}:
        counted.add(to.db, model, number=-1)
    to.changed("dropped")
    to.changed("vector")


def drop_orphans(connection: apsw.Connection) -> None:
    """The vectors of texts that nothing has any more."""
    connection.execute(
        "DELETE FROM vectors WHERE hash NOT IN (SELECT text_hash FROM cards"
        " UNION SELECT text_hash FROM turns WHERE text_hash IS NOT NULL"
        " UNION SELECT text_hash FROM summaries UNION SELECT text_hash FROM relations"
        " WHERE text_hash IS NOT NULL)"
    )
    counted.forget(connection)


def empty(connection: apsw.Connection, tables: Iterable[str]) -> None:
    """All rows of these tables gone, also where FTS5's own blobs are damaged.

    `DELETE` only marks the words of each row as gone, in blobs that a damaged table has lost.
    """
    for table in tables:
        if table in WORDS:
            connection.execute(f"INSERT INTO {table}({table}) VALUES('delete-all')")
        else:
            connection.execute(f"DELETE FROM {table}")


def seed(connection: apsw.Connection) -> None:
    """What is there before the first record: the core relations, and a name for this life."""
    new_life(connection)
    connection.executemany(
        "INSERT OR REPLACE INTO relations(name,text_hash,json) VALUES(?,?,?)",
        ((r.name, sha256(r.text), as_json(r)) for r in CORE),
    )


def new_life(connection: apsw.Connection) -> None:
    """What processes and sidecar files hold of the rows before this does not count any more."""
    connection.execute("INSERT OR REPLACE INTO meta VALUES('epoch',?)", (secrets.token_hex(8),))
