"""What a vector stands for: cards, turns, summaries and relations that pass a filter, as SQL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from alaya.errors import Unsupported
from alaya.model.passage import ItemKind, Where
from alaya.stores.sqlite import where as filters

NOTHING = "0"  # the condition that nothing passes
_MANY = 400  # ids in one query
# Tables of what has words, forms and vectors, with the name by which a query calls each.
TABLES = {ItemKind.CARD: "cards c", ItemKind.TURN: "turns t", ItemKind.SUMMARY: "summaries m"}


@dataclass(frozen=True)
class Items:
    """Items of a kind that pass a filter, in SQL. The planner knows no sizes: it is told."""

    kind: ItemKind
    table: str
    name: str
    hash: str
    condition: str
    bindings: list[object]
    by_text: str = ""  # which index finds them by the hash of their text
    driven: str = ""  # which index finds those that pass
    narrow: bool = False  # few pass, and they are found without looking at the others

    @property
    def of_rows(self) -> str:
        """Rows and ids of those that pass, of the rows in a JSON list: bind it, then `bindings`."""
        return (
            f"SELECT {self.row}, {self.name} FROM json_each(?) j"
            f" CROSS JOIN {self.table} ON {self.row}=j.value WHERE {self.condition}"
        )

    @property
    def row(self) -> str:
        """The row of a card, turn or summary; relations have none."""
        return f"{self.table[-1]}.rowid"


def items_of(kind: ItemKind, where: Where) -> Items:
    """Raises Unsupported for what has no vectors."""
    if kind is ItemKind.RELATION:
        condition, bindings = filters.of_relations(where.scope)
        return Items(kind, "relations r", "r.name", "r.text_hash", condition, bindings, narrow=True)
    if kind not in TABLES:
        raise Unsupported(f"no vectors are kept for {kind}")
    filtered = {
        ItemKind.CARD: filters.of_cards,
        ItemKind.TURN: filters.of_turns,
        ItemKind.SUMMARY: filters.of_summaries,
    }
    table, (condition, bindings) = TABLES[kind], filtered[kind](where)
    name = "t.session||'#'||t.id" if kind is ItemKind.TURN else f"{table[-1]}.id"
    # Many turns have one summary: there are few.
    narrow = where.scope.session is not None or kind is ItemKind.SUMMARY
    timed = not narrow and (where.since is not None or where.until is not None)
    return Items(
        kind,
        table,
        name,
        f"{table[-1]}.text_hash",
        condition,
        bindings,
        by_text=f"INDEXED BY {table[:-2]}_text",
        driven=f"INDEXED BY {table[:-2]}_said" if timed else "",
        narrow=narrow,
    )


def by_ids(kind: ItemKind, ids: Sequence[str]) -> Iterator[tuple[str, list[object]]]:
    """Conditions that together let exactly these items through."""
    unique = list(dict.fromkeys(ids))
    for start in range(0, len(unique), _MANY):
        part = unique[start : start + _MANY]
        if kind is ItemKind.TURN:
            keys = [cut for item in part for cut in cuts(item)]
            marks = ",".join(["(?,?)"] * len(keys)) or "(NULL,NULL)"
            yield f"(t.session,t.id) IN (VALUES {marks})", [one for cut in keys for one in cut]
        else:
            column = f"{TABLES[kind][-1]}.id" if kind in TABLES else "r.name"
            yield f"{column} IN ({','.join('?' * len(part))})", [*part]


def cuts(item: str) -> list[tuple[str, str]]:
    """(session, turn) for each place where `session#turn` can be cut: either may hold a `#`."""
    parts = item.split("#")
    return [("#".join(parts[:i]), "#".join(parts[i:])) for i in range(1, len(parts))]
