"""Following the journal and the recall log: position, apply, rebuild, access counts."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator

import apsw

from alaya.model.change import Change
from alaya.model.held import ThingKind, key_of, things_of, user_of
from alaya.model.record import Position, RecallLog
from alaya.model.time import format_time
from alaya.model.words import Stemmer
from alaya.stores.sqlite import words
from alaya.stores.sqlite.apply import apply as apply_changes
from alaya.stores.sqlite.applying import Applying, drop_orphans, empty, seed
from alaya.stores.sqlite.connection import Database
from alaya.stores.sqlite.schema import TABLES

_RECENT = 0.2  # weight of the newest recall in the running mean of similarities


def position(db: Database) -> Position:
    """Where the store stands; before the first record when it is new."""
    keys = ("seq", "chain", "file", "offset")
    found = dict(db.rows("SELECT key, value FROM meta WHERE key IN (?,?,?,?)", keys))
    return Position(**found) if len(found) == len(keys) else Position()


def apply(db: Database, stem: Stemmer, *, to: Position, changes: Iterable[Change], at: str) -> bool:
    """One record in one transaction, if it is the next one."""
    part = db.connection().in_transaction  # of a rebuild, which settles when it is done
    with db.writing() as connection:
        if position(db).seq != to.seq - 1:
            return False
        apply_changes(Applying(connection, at, stem), _noted(connection, to.seq, changes=changes))
        connection.execute(
            "INSERT INTO records VALUES(?,?,?,?,?)", (to.seq, at, to.chain, to.file, to.offset)
        )
        if not part:
            words.settle(db)
        _remember(db, to)
    return True


@contextlib.contextmanager
def emptied(db: Database, *, keep_vectors: bool = False) -> Iterator[None]:
    """All rows gone and what is applied inside there, in one transaction, in place.

    `keep_vectors`: but for the vectors of texts that stand there again.
    """
    with db.writing() as connection:
        empty(connection, [name for name in TABLES if not (keep_vectors and name == "vectors")])
        connection.execute("DELETE FROM meta WHERE key NOT LIKE 'rev.%'")
        seed(connection)
        connection.execute("UPDATE meta SET value=value+1 WHERE key LIKE 'rev.%'")
        yield
        if keep_vectors:
            drop_orphans(connection)
        words.settle(db, whole=True)


def recalls_counted(db: Database) -> Position:
    """How far the recall log was counted."""
    sql = "SELECT key, value FROM meta WHERE key IN ('recall.file','recall.offset')"
    found = dict(db.rows(sql))
    return Position(file=found.get("recall.file", ""), offset=found.get("recall.offset", 0))


def count_recalls(
    db: Database, after: Position, *, upto: Position, recalls: Iterable[RecallLog]
) -> bool:
    """Add recalls to the access counts; a running mean keeps the recent similarities, if any."""
    with db.writing() as connection:
        if recalls_counted(db) != after:
            return False
        for recall in recalls:
            at = format_time(recall.at)
            connection.executemany(
                """INSERT INTO accesses(user,card,count,last_at,relevance) VALUES(?,?,1,?,?)
                   ON CONFLICT(user,card) DO UPDATE SET count=count+1,
                     last_at=max(last_at,excluded.last_at),
                     relevance=coalesce(relevance+?*(excluded.relevance-relevance),
                       relevance,excluded.relevance)""",
                ((recall.user, card, at, score, _RECENT) for card, score in recall.results),
            )
        values = {"recall.file": upto.file, "recall.offset": upto.offset}
        connection.executemany("INSERT OR REPLACE INTO meta VALUES(?,?)", values.items())
    return True


def _noted(connection: apsw.Connection, seq: int, *, changes: Iterable[Change]) -> Iterator[Change]:
    """The changes; of each it is kept what it is about."""
    for change in changes:
        user = user_of(change) or ""
        rows = (
            ("" if thing.kind is ThingKind.RELATION else user, key_of(thing), seq)
            for thing in things_of(change)
        )
        connection.executemany("INSERT OR IGNORE INTO touched VALUES(?,?,?)", rows)
        yield change


def _remember(db: Database, at: Position) -> None:
    values = {"seq": at.seq, "chain": at.chain, "file": at.file, "offset": at.offset}
    db.connection().executemany("INSERT OR REPLACE INTO meta VALUES(?,?)", values.items())
