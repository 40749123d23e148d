"""How many texts have a vector, for each model: counted as they come and go, not when it is asked.

Counting 250,000 takes a tenth of a second, and every recall asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import apsw

if TYPE_CHECKING:
    from alaya.stores.sqlite.connection import Database

_KEY = "texts."
_COUNTS = "SELECT substr(key,7), value FROM meta WHERE key>='texts.' AND key<'texts/'"
# All of it stands in the index vectors_text: the blobs are not read.
_COUNTED = "SELECT model, count(DISTINCT hash) FROM vectors WHERE slot IS NOT NULL GROUP BY model"


def texts(db: Database) -> Mapping[str, int]:
    """By model."""
    with db.reading():
        known = db.rows(_COUNTS) or db.rows(_COUNTED)  # an older alaya kept no counts
    return {model: count for model, count in known if count > 0}


def add(connection: apsw.Connection, model: str, *, number: int) -> None:
    """So many more texts (or fewer) have a vector, now that these stand in the table."""
    sql = "UPDATE meta SET value=value+? WHERE key=? RETURNING 1"
    if not connection.execute(sql, (number, _KEY + model)).fetchall():
        counted = connection.execute(_COUNTED).fetchall()
        connection.executemany(
            "INSERT OR REPLACE INTO meta VALUES(?,?)",
            ((f"{_KEY}{name}", count) for name, count in counted),
        )


def forget(connection: apsw.Connection) -> None:
    """The table was emptied."""
    connection.execute("DELETE FROM meta WHERE key>='texts.' AND key<'texts/'")
