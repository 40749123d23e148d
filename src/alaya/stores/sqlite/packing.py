"""Closing the holes that dropped vectors left in the copy that is scanned.

Cards that go COLD give their vectors up, day by day; their slots are passed over by every question
until the copy is packed. The vectors behind move into the holes, in the transaction of a writer.
"""

from __future__ import annotations

import apsw

from alaya.stores.sqlite.applying import new_life

FEWEST = 1_024  # slots, below which holes do not matter
_USED = "SELECT slot FROM vectors WHERE model=? AND slot IS NOT NULL ORDER BY slot"


def pack(connection: apsw.Connection, model: str, *, slots: int) -> bool:
    """Whether the vectors of a model, of which the highest slot is `slots` - 1, were moved.

    They are where half of the slots are holes. Then all copies begin anew, since their rows mean
    something else.
    """
    if slots < FEWEST:
        return False
    used = [int(row[0]) for row in connection.execute(_USED, (model,))]
    if 2 * len(used) >= slots:
        return False
    free = iter(sorted(set(range(len(used))) - set(used)))
    moves = [(next(free), model, slot) for slot in used if slot >= len(used)]
    connection.executemany("UPDATE vectors SET slot=? WHERE model=? AND slot=?", moves)
    new_life(connection)
    connection.execute("UPDATE meta SET value=value+1 WHERE key IN ('rev.dropped','rev.vector')")
    return True
