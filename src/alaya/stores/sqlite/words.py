"""L1, words: FTS5 over text that `model.words` segmented."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from alaya.errors import Unsupported
from alaya.model.passage import ItemKind, Scored, Where
from alaya.model.words import Stemmer, query_terms
from alaya.stores.sqlite import where as filters
from alaya.stores.sqlite.connection import Database

# Terms in more than this share of the items say little and cost most of the time; they are looked
# up only when nothing else is left. Small stores have no rare terms: there everything is looked up.
_COMMON = 0.02
_SMALL = 2_000
_MOST_TERMS = 64

_CARDS = """SELECT c.id, -bm25(card_words, 3.0, 1.0, 0.5)
  FROM card_words JOIN cards c ON c.rowid=card_words.rowid"""
_TURNS = """SELECT t.session||'#'||t.id, -bm25(turn_words, 1.0, 0.5)
  FROM turn_words JOIN turns t ON t.rowid=turn_words.rowid"""


def match(
    db: Database, stem: Stemmer, *, text: str, kind: ItemKind, where: Where, limit: int
) -> list[Scored]:
    """The best items by BM25 (title 3, body 1, single characters 0.5)."""
    terms = query_terms(text, stem)
    total, found = frequencies(db, [*terms.words, *terms.chars], kind=kind)
    known = [(term, "words") for term in terms.words if term in found]
    known += [(term, "chars") for term in terms.chars if term in found]
    if not known:
        return []
    known.sort(key=lambda pair: found[pair[0]])
    if total > _SMALL:
        rare = [pair for pair in known if found[pair[0]] <= total * _COMMON]
        known = rare or known[:3]
    expression = " OR ".join(
        _looked_up(term, column, kind=kind) for term, column in known[:_MOST_TERMS]
    )
    if kind is ItemKind.CARD:
        table, (condition, bindings) = "card_words", filters.of_cards(where)
        select = _CARDS
    else:
        table, (condition, bindings) = "turn_words", filters.of_turns(where)
        select = _TURNS
    sql = f"{select} WHERE {table} MATCH ? AND {condition} ORDER BY 2 DESC LIMIT ?"
    return [Scored(i, score) for i, score in db.rows(sql, [expression, *bindings, limit])]


def frequencies(
    db: Database, terms: Sequence[str], *, kind: ItemKind
) -> tuple[int, Mapping[str, int]]:
    if kind not in (ItemKind.CARD, ItemKind.TURN):
        raise Unsupported(f"words are indexed for cards and turns, not for {kind}")
    name = "card" if kind is ItemKind.CARD else "turn"
    table = "cards" if kind is ItemKind.CARD else "turns"
    with db.reading():
        total = db.rows(f"SELECT max(rowid) FROM {table}")[0][0] or 0
        found = {}
        for term in dict.fromkeys(terms):
            row = db.row(f"SELECT doc FROM {name}_terms WHERE term=?", [term])
            if row is not None:
                found[term] = row[0]
    return total, found


def _looked_up(term: str, column: str, *, kind: ItemKind) -> str:
    columns = "chars" if column == "chars" else "body"
    if column == "words" and kind is ItemKind.CARD:
        columns = "{title body}"
    quoted = term.replace('"', '""')
    return f'{columns}:"{quoted}"'
