"""Whether L2 and L1 agree among themselves: rows have what belongs to them, nothing is left."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from alaya.errors import Damaged
from alaya.model.report import Difference
from alaya.stores.sqlite.connection import Database
from alaya.stores.sqlite.replayed import ROWS
from alaya.stores.sqlite.schema import WORDS

_REPAIR = "`alaya verify --repair` grows L2 and L1 anew from L3"

# Each card, turn and summary has words and forms in the row of its number; no other row is there.
_BESIDE = tuple(
    check
    for what in ("words", "forms")
    for kind, table, name in (
        ("card", "cards", "i.id"),
        ("turn", "turns", "i.session||'#'||i.id"),
        ("summary", "summaries", "i.id"),
    )
    for check in (
        (
            "L1",
            f"{kind} has no {what}",
            f"""SELECT {name} FROM {table} i LEFT JOIN {kind}_{what} x ON x.rowid=i.rowid
             WHERE x.rowid IS NULL""",
        ),
        (
            "L1",
            f"{what} without a {kind}",
            f"""SELECT x.rowid FROM {kind}_{what} x LEFT JOIN {table} i ON i.rowid=x.rowid
             WHERE i.rowid IS NULL""",
        ),
    )
)
# (layer, what, query that returns the ids of what is wrong)
_CHECKS = (
    (
        "L2",
        "card has two current versions",
        "SELECT id FROM cards WHERE retired_at IS NULL GROUP BY user, id HAVING count(*)>1",
    ),
    (
        "L2",
        "summary has two current versions",
        "SELECT id FROM summaries WHERE retired_at IS NULL GROUP BY user, id HAVING count(*)>1",
    ),
    (
        "L2",
        "link leads to a card that is not there",
        """SELECT l.id FROM links l WHERE l.retired_at IS NULL AND EXISTS
             (SELECT 1 FROM (SELECT l.source AS n UNION SELECT l.target) WHERE n LIKE 'card-%'
              AND NOT EXISTS(SELECT 1 FROM cards c WHERE c.user=l.user AND c.id=n))""",
    ),
    (
        "L2",
        "evidence points at a turn that is not there",
        """SELECT c.id FROM spans p JOIN cards c ON c.rowid=p.card WHERE NOT EXISTS
             (SELECT 1 FROM turns t WHERE t.user=p.user AND t.session=p.session AND t.id=p.turn)""",
    ),
    (
        "L2",
        "session counts other turns than it has",
        """SELECT s.id FROM sessions s WHERE s.turns<>
             (SELECT count(*) FROM turns t WHERE t.user=s.user AND t.session=s.id)""",
    ),
    *_BESIDE,
    (
        "L1",
        "name is mentioned by nothing",
        """SELECT m.name FROM mentions m WHERE NOT EXISTS(SELECT 1 FROM card_forms f
             WHERE m.kind=0 AND f.rowid=m.item) AND NOT EXISTS(SELECT 1 FROM turn_forms f
             WHERE m.kind=1 AND f.rowid=m.item) AND NOT EXISTS(SELECT 1 FROM summary_forms f
             WHERE m.kind=2 AND f.rowid=m.item)""",
    ),
    (
        "L1",
        "heading is not found by name",
        """SELECT c.id FROM card_forms f JOIN cards c ON c.rowid=f.rowid WHERE f.heading<>''
             AND NOT EXISTS(SELECT 1 FROM mentions m WHERE m.user=c.user AND m.name=f.heading
             AND m.kind=0 AND m.item=f.rowid AND m.leads=1)""",
    ),
    (
        "L1",
        "vector belongs to nothing",
        """SELECT v.hash FROM vectors v WHERE v.slot IS NOT NULL
             AND NOT EXISTS(SELECT 1 FROM cards c WHERE c.text_hash=v.hash AND c.tier<>'COLD')
             AND NOT EXISTS(SELECT 1 FROM turns t WHERE t.text_hash=v.hash)
             AND NOT EXISTS(SELECT 1 FROM summaries m WHERE m.text_hash=v.hash)
             AND NOT EXISTS(SELECT 1 FROM relations r WHERE r.text_hash=v.hash)""",
    ),
    (
        "L1",
        "texts with a vector are counted wrongly",
        """SELECT substr(m.key,7) FROM meta m WHERE m.key>='texts.' AND m.key<'texts/' AND m.value<>
             (SELECT count(DISTINCT v.hash) FROM vectors v
              WHERE v.slot IS NOT NULL AND v.model=substr(m.key,7))""",
    ),
)
_SHOWN = 20  # of each kind


def differences(db: Database) -> Iterator[Difference]:
    """What is wrong, each with the id of what it is about."""
    with db.reading():
        problem = _damage(db)
        if problem:
            yield Difference("L2", f"the database is damaged: {problem}", str(db.path), _REPAIR)
            return
        for layer, what, sql in _CHECKS:
            rows = db.rows(f"{sql} LIMIT {_SHOWN}")
            yield from (Difference(layer, what, str(row[0]), _REPAIR) for row in rows)


def _damage(db: Database) -> str:
    """The first thing that is wrong with the file itself, or nothing; within a snapshot.

    FTS5 keeps in memory which blobs its words are in, and looks whether that is still true when
    a query begins, but not when its integrity is checked: it would miss the blobs that another
    process has merged since, and call that damage. So each table is asked something before, and
    in the same snapshot. A row has to be wanted: SQLite begins no query for `LIMIT 0`.
    """
    try:
        for table in WORDS:
            db.rows(f"SELECT 1 FROM {table} LIMIT 1")
        problem = str(db.rows("PRAGMA quick_check(1)")[0][0])
    except Damaged as error:
        return str(error.__cause__)
    return "" if problem == "ok" else problem


def fingerprint(db: Database) -> Iterator[tuple[str, str, str]]:
    """Every row that follows from the journal, by name, with a hash of what it holds."""
    with db.reading():
        for layer, what, sql in ROWS:
            for row in db.rows(sql):
                content = hashlib.sha256(repr(row).encode("utf-8", "replace")).hexdigest()
                yield layer, f"{what} {row[0]}", content
