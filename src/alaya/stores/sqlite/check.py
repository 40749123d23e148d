"""Whether L2 and L1 agree among themselves: rows have what belongs to them, nothing is left."""

from __future__ import annotations

from collections.abc import Iterator

from alaya.model.report import Difference
from alaya.stores.sqlite.connection import Database

_REPAIR = "`alaya verify --repair` grows L2 and L1 anew from L3"

# (layer, what, query that returns the ids of what is wrong)
_CHECKS = (
    (
        "L2",
        "card has two current versions",
        "SELECT id FROM cards WHERE retired_at IS NULL GROUP BY id HAVING count(*)>1",
    ),
    (
        "L2",
        "link leads to a card that is not there",
        """SELECT l.id FROM links l WHERE l.retired_at IS NULL AND EXISTS
             (SELECT 1 FROM (SELECT l.source AS n UNION SELECT l.target) WHERE n LIKE 'card-%'
              AND NOT EXISTS(SELECT 1 FROM cards c WHERE c.id=n))""",
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
    (
        "L1",
        "card has no words",
        """SELECT c.id FROM cards c LEFT JOIN card_words w ON w.rowid=c.rowid
             WHERE w.rowid IS NULL""",
    ),
    (
        "L1",
        "words without a card",
        """SELECT w.rowid FROM card_words w LEFT JOIN cards c ON c.rowid=w.rowid
             WHERE c.rowid IS NULL""",
    ),
    (
        "L1",
        "turn has no words",
        """SELECT t.session||'#'||t.id FROM turns t LEFT JOIN turn_words w ON w.rowid=t.rowid
             WHERE w.rowid IS NULL""",
    ),
    (
        "L1",
        "words without a turn",
        """SELECT w.rowid FROM turn_words w LEFT JOIN turns t ON t.rowid=w.rowid
             WHERE t.rowid IS NULL""",
    ),
    (
        "L1",
        "vector belongs to nothing",
        """SELECT v.hash FROM vectors v WHERE v.slot IS NOT NULL
             AND NOT EXISTS(SELECT 1 FROM cards c WHERE c.text_hash=v.hash)
             AND NOT EXISTS(SELECT 1 FROM turns t WHERE t.text_hash=v.hash)
             AND NOT EXISTS(SELECT 1 FROM relations r WHERE r.text_hash=v.hash)""",
    ),
)
_SHOWN = 20  # of each kind


def differences(db: Database) -> Iterator[Difference]:
    """What is wrong, each with the id of what it is about."""
    with db.reading():
        problem = db.rows("PRAGMA quick_check(1)")[0][0]
        if problem != "ok":
            yield Difference("L2", f"the database is damaged: {problem}", str(db.path), _REPAIR)
            return
        for layer, what, sql in _CHECKS:
            rows = db.rows(f"{sql} LIMIT {_SHOWN}")
            yield from (Difference(layer, what, str(row[0]), _REPAIR) for row in rows)
