"""L1, words: FTS5 over text that `model.words` segmented."""

from __future__ import annotations

from alaya.model.passage import ItemKind, Scored, Where
from alaya.model.topical import topical_terms
from alaya.model.words import Stemmer
from alaya.stores.sqlite.connection import Database
from alaya.stores.sqlite.frequencies import Frequencies
from alaya.stores.sqlite.items import NOTHING, TABLES, items_of
from alaya.stores.sqlite.passed import Passed

# The rarest terms of a question are looked up, until so many rows hold them: commoner ones say
# little and cost most of the time. So many at least: some questions have no rare ones.
_ROWS, _FEWEST = 4_000, 3
_TERMS = 64
_SETTLED = (
    2_000  # rows from which the index is written as one piece, each time it has grown so much
)
_GROWTH = 1.25

_SPARE = 50  # how many more are ranked than are wanted, since some may not pass the filter


class Words:
    """The word side of one database in one process."""

    def __init__(self, db: Database, stem: Stemmer, *, passed: Passed) -> None:
        self._db = db
        self._stem = stem
        self._passed = passed
        self.frequencies = Frequencies(db)

    def match(self, text: str, kind: ItemKind, *, where: Where, limit: int) -> list[Scored]:
        """The best items by BM25 (title 3, body 1, single characters 0.5)."""
        expression = self._expression(text, kind)
        of = items_of(kind, where)
        if not expression or of.condition == NOTHING:
            return []
        table, weights = f"{kind.value}_words", "1,0.5" if kind is ItemKind.TURN else "3,1,0.5"
        ranked = f"SELECT rowid, bm25({table},{weights}) s FROM {table} WHERE {table} MATCH ?"
        with self._db.reading():
            # Most filters let most items through: so ranking is done first, by the index alone.
            # SQLite gives it twice the rows a second when no other table is joined.
            most = limit + _SPARE
            best = self._db.rows(f"{ranked} ORDER BY s LIMIT ?", [expression, most])
            names = self._passed.ids([row for row, _ in best], kind=kind, where=where)
            if len(names) < limit and len(best) == most:
                sql = (
                    f"SELECT s, {of.row}, {of.name} FROM ({ranked}) w"
                    f" CROSS JOIN {of.table} ON {of.row}=w.rowid WHERE {of.condition}"
                    " ORDER BY s LIMIT ?"
                )
                found = self._db.rows(sql, [expression, *of.bindings, limit])
                best = [(row, score) for score, row, _ in found]
                names = {row: name for _, row, name in found}
                self._passed.keep(names, kind=kind, where=where)
        return [Scored(names[row], -score) for row, score in best if row in names][:limit]

    def _expression(self, text: str, kind: ItemKind) -> str:
        """What FTS5 is asked; empty: nothing that any item holds."""
        terms = topical_terms(text, self._stem)
        _, found = self.frequencies.get([*terms.words, *terms.chars], kind)
        known = [(term, "words") for term in terms.words if term in found]
        known += [(term, "chars") for term in terms.chars if term in found]
        known.sort(key=lambda pair: found[pair[0]])
        asked: list[str] = []
        rows = 0
        for term, column in known[:_TERMS]:
            rows += found[term]
            if rows > _ROWS and len(asked) >= _FEWEST:
                break
            asked.append(_looked_up(term, column, kind=kind))
        return " OR ".join(asked)


def settle(db: Database, *, whole: bool = False) -> None:
    """Write the word indexes as one piece when they grew by a quarter, or much came (`whole`).

    FTS5 leaves up to twenty pieces, and looks in each for every term: in one, a look-up takes
    3 us for 12 to 30, and ranking a third less. 100,000 turns take half a second.
    """
    with db.writing() as connection:
        for kind, of in TABLES.items():
            rows = db.rows(f"SELECT max(rowid) FROM {of}")[0][0] or 0
            settled = db.rows("SELECT value FROM meta WHERE key=?", [f"settled.{kind.value}"])
            before = settled[0][0] if settled else 0
            if (whole and rows) or rows >= max(_GROWTH * before, _SETTLED):
                table = f"{kind.value}_words"
                connection.execute(f"INSERT INTO {table}({table}) VALUES('optimize')")
                connection.execute(
                    "INSERT OR REPLACE INTO meta VALUES(?,?)", (f"settled.{kind.value}", rows)
                )


def _looked_up(term: str, column: str, *, kind: ItemKind) -> str:
    columns = "chars" if column == "chars" else "body"
    if column == "words" and kind is not ItemKind.TURN:
        columns = "{title body}"
    quoted = term.replace('"', '""')
    return f'{columns}:"{quoted}"'
