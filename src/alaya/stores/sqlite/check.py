"""Whether L2 and L1 agree among themselves: rows have what belongs to them, nothing is left."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from alaya.model.report import Difference
from alaya.stores.sqlite.connection import Database

_REPAIR = "`alaya verify --repair` grows L2 and L1 anew from L3"

# (layer, what, query that returns the ids of what is wrong)
_CHECKS = (
    (
        "L2",
        "card has two current versions",
        "SELECT id FROM cards WHERE retired_at IS NULL GROUP BY user, id HAVING count(*)>1",
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


# What a replay of the journal must give again: (layer, name, query of name and content).
_ROWS = (
    (
        "L2",
        "session",
        """SELECT user||' '||id, agent, kind, started_at, last_said_at, generation, turns, "end",
       tokens, distilled, json FROM sessions""",
    ),
    ("L2", "distilled content", "SELECT user||' '||content_hash, session, draft FROM distilled"),
    (
        "L2",
        "turn",
        """SELECT user||' '||session||'#'||id, agent, ordinal, generation, offset, length, role,
       origin, said_at, recorded_at, sha256, text_hash, tokens, mark, parent FROM turns""",
    ),
    (
        "L2",
        "card",
        """SELECT user||' '||id||' v'||version, agent, session, kind, origin, confidence,
       importance, said_at, recorded_at, retired_at, forgotten_at, pinned, stale, quarantined,
       tier, text_hash, draft, json FROM cards""",
    ),
    (
        "L2",
        "tag",
        """SELECT c.user||' '||c.id||' v'||c.version||' '||g.tag
       FROM card_tags g JOIN cards c ON c.rowid=g.card""",
    ),
    (
        "L2",
        "evidence",
        """SELECT c.user||' '||c.id||' v'||c.version||' '||p.session||'#'||p.turn||' '||p.first
       ||'-'||p.last, p.user, p.sha256 FROM spans p JOIN cards c ON c.rowid=p.card""",
    ),
    (
        "L2",
        "link",
        """SELECT user||' '||source||' '||relation||' '||target||' '||valid_at, id, weight,
       invalid_at, recorded_at, retired_at, json FROM links""",
    ),
    (
        "L2",
        "entity",
        """SELECT user||' '||id, agent, session, name, kind, merged_into, recorded_at, json
       FROM entities""",
    ),
    ("L2", "entity name", "SELECT user||' '||name||' '||entity FROM entity_names"),
    (
        "L2",
        "summary",
        "SELECT user||' '||id, agent, session, said_at, recorded_at, json FROM summaries",
    ),
    ("L2", "event", "SELECT user||' '||id, session, turn, kind, at, json FROM events"),
    ("L2", "note", "SELECT user||' '||path, recorded_at, json FROM notes"),
    ("L2", "relation", "SELECT name, text_hash, json FROM relations"),
    ("L2", "calibration", "SELECT model||' '||pair, median, pairs, at FROM calibrations"),
    ("L1", "word of cards", "SELECT term, doc, cnt FROM card_terms"),
    ("L1", "word of turns", "SELECT term, doc, cnt FROM turn_terms"),
)


def fingerprint(db: Database) -> Iterator[tuple[str, str, str]]:
    """Every row that follows from the journal, by name, with a hash of what it holds."""
    with db.reading():
        for layer, what, sql in _ROWS:
            for row in db.rows(sql):
                content = hashlib.sha256(repr(row).encode("utf-8", "replace")).hexdigest()
                yield layer, f"{what} {row[0]}", content
