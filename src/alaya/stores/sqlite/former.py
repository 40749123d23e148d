"""What rows were before they were changed, and as what they stood at a moment of the journal.

A former row is what stood until the journal's time `until`. At a moment T the earliest former row
with `until` behind T says what was; without one it is what stands now. Versions of cards and
summaries, and names and spans of entities, are rows of their own with two ends.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from alaya.model.time import format_time
from alaya.stores.sqlite.applying import Applying

_LINK = (
    "user, source, relation, target, valid_at, weight, id, invalid_at, recorded_at, retired_at,"
    " json"
)
_LINK_KEY = ("user", "source", "relation", "target", "valid_at")
_ENTITY = "user, id, agent, session, name, kind, merged_into, recorded_at, retired_at, json"
_ENTITY_KEY = ("user", "id")
_KEYS = {"cards": "card", "turns": "turn", "summaries": "summary"}


# --- writing: called before a row is changed ------------------------------------------------------


def keep_cards(to: Applying, user: str, *, cards: Iterable[str]) -> None:
    """The state of all versions of these cards; JSON leaves out a horizon that is the default."""
    to.db.executemany(
        """INSERT OR IGNORE INTO former_cards SELECT rowid, ?1, forgotten_at, pinned, stale,
             quarantined, tier, coalesce(json_extract(json,'$.horizon'),'short') FROM cards
           WHERE user=?2 AND id=?3 AND recorded_at<?1""",
        ((to.at, user, card) for card in cards),
    )


def keep_summaries(to: Applying, user: str, *, ids: Iterable[str]) -> None:
    to.db.executemany(
        """INSERT OR IGNORE INTO former_summaries SELECT rowid, ?1, forgotten_at FROM summaries
           WHERE user=?2 AND id=?3 AND recorded_at<?1""",
        ((to.at, user, name) for name in ids),
    )


def keep_turns(to: Applying, user: str, *, session: str, turns: Iterable[str]) -> None:
    to.db.executemany(
        """INSERT OR IGNORE INTO former_turns SELECT rowid, ?1, mark FROM turns
           WHERE user=?2 AND session=?3 AND id=?4 AND recorded_at<?1""",
        ((to.at, user, session, turn) for turn in turns),
    )


def keep_links(to: Applying, condition: str, *bindings: object) -> None:
    """The links of which `condition` is true."""
    to.db.execute(
        f"INSERT OR IGNORE INTO former_links({_LINK}, until) SELECT {_LINK}, ? FROM links"
        f" WHERE {condition} AND recorded_at<?",
        (to.at, *bindings, to.at),
    )


def keep_entity(to: Applying, user: str, *, name: str) -> None:
    to.db.execute(
        f"INSERT OR IGNORE INTO former_entities({_ENTITY}, until) SELECT {_ENTITY}, ? FROM entities"
        " WHERE user=? AND id=? AND recorded_at<?",
        (to.at, user, name, to.at),
    )


def keep_value(to: Applying, kind: str, *, user: str, name: str, found: str) -> None:
    """A note, event or relation; `found` selects its JSON by name and, where it has one, user."""
    row = to.db.execute(found, {"user": user, "name": name}).fetchone()
    to.db.execute(
        "INSERT OR IGNORE INTO former_values VALUES(?,?,?,?,?)",
        (kind, user, name, to.at, None if row is None else row[0]),
    )


# --- reading: as SQL ------------------------------------------------------------------------------


def column(table: str, name: str, *, alias: str, at: datetime | None) -> str:
    """A column of `cards`, `turns` or `summaries` as it was at a moment (None: now)."""
    if at is None:
        return f"{alias}.{name}"
    past = (
        f"FROM former_{table} f WHERE f.{_KEYS[table]}={alias}.rowid"
        f" AND f.until>'{format_time(at)}'"
    )
    return (
        f"iif(EXISTS(SELECT 1 {past}), (SELECT f.{name} {past} ORDER BY f.until LIMIT 1),"
        f" {alias}.{name})"
    )


def until(name: str, *, at: datetime | None) -> str:
    """An end of a row, such as `c.retired_at`, unless it was not known at that moment."""
    return name if at is None else f"iif({name}>'{format_time(at)}', NULL, {name})"


def links(at: datetime | None, *, index: str = "") -> str:
    """`links l` as they stood at a moment."""
    if at is None:
        return f"links l {index}"
    return f"({_then('links', _LINK, key=_LINK_KEY, at=at)}) l"


def these_links(
    at: datetime | None, condition: str, *, bindings: list[object]
) -> tuple[str, list[object]]:
    """(user, id, json, invalid_at, retired_at) of few links `n`, as a query: each part of it is
    narrowed by `condition`, which a subquery that stands for all links would not be."""
    columns = "n.user, n.id, n.json, n.invalid_at, n.retired_at"
    if at is None:
        return f"SELECT {columns} FROM links n WHERE {condition}", bindings
    sql = _then("links", columns, key=_LINK_KEY, at=at, condition=condition)
    return sql, [*bindings, *bindings]


def entities(at: datetime | None, *, alias: str = "e") -> str:
    """`entities e` as they stood at a moment."""
    if at is None:
        return f"entities {alias}"
    return f"({_then('entities', _ENTITY, key=_ENTITY_KEY, at=at)}) {alias}"


def current(alias: str, at: datetime | None) -> str:
    """Whether a row with two ends stood at a moment."""
    if at is None:
        return f"{alias}.retired_at IS NULL"
    moment = format_time(at)
    return (
        f"{alias}.recorded_at<='{moment}'"
        f" AND ({alias}.retired_at IS NULL OR {alias}.retired_at>'{moment}')"
    )


def _then(
    table: str, columns: str, *, key: tuple[str, ...], at: datetime, condition: str = "1"
) -> str:
    moment = format_time(at)

    def same(one: str) -> str:
        return " AND ".join(f"g.{name}={one}.{name}" for name in key)

    return (
        f"SELECT {columns} FROM {table} n WHERE {condition} AND n.recorded_at<='{moment}'"
        f" AND NOT EXISTS(SELECT 1 FROM former_{table} g WHERE {same('n')}"
        f" AND g.until>'{moment}')"
        f" UNION ALL SELECT {columns} FROM former_{table} n WHERE {condition}"
        f" AND n.until>'{moment}' AND n.recorded_at<='{moment}'"
        f" AND NOT EXISTS(SELECT 1 FROM former_{table} g WHERE {same('n')}"
        f" AND g.until>'{moment}' AND g.until<n.until)"
    )
