"""The forms of cards, turns and summaries, for ranking: written in one transaction with words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from alaya.errors import Unsupported
from alaya.model.forms import Forms, card_forms, speaker_terms, summary_forms, turn_forms
from alaya.model.graph import Card, Summary
from alaya.model.ids import clean
from alaya.model.named import Days
from alaya.model.passage import Item, ItemKind, Mention, Where
from alaya.model.raw import Turn
from alaya.model.time import parse_time
from alaya.stores.sqlite import where as filters
from alaya.stores.sqlite.applying import Applying
from alaya.stores.sqlite.connection import Database
from alaya.stores.sqlite.items import TABLES
from alaya.stores.sqlite.passed import Passed

# Kinds of items in `mentions`.
_NUMBERS = {ItemKind.CARD: 0, ItemKind.TURN: 1, ItemKind.SUMMARY: 2}
# Items of a kind that stay in memory, and characters from which one does not: at most 50 MB.
_ITEMS, _SPARE, _LONG = 11_000, 1_000, 2_000
_FORMS = "f.terms, f.names, f.heading, f.asks, f.days"
_BY_ROW = f"""SELECT i.rowid, i.id, i.said_at, {_FORMS}, '', 0, ''
  FROM json_each(?) k CROSS JOIN {{table}} i CROSS JOIN {{kind}}_forms f
  WHERE i.rowid=k.value AND f.rowid=i.rowid"""
# Each k is a stretch of a session: (session, first, last).
_TALK = """SELECT t.rowid, t.session||'#'||t.id
  FROM json_each(?) k CROSS JOIN turns t INDEXED BY turns_ordinal
  WHERE t.user=? AND t.session=k.value->>0
  AND t.ordinal BETWEEN k.value->>1 AND k.value->>2 AND {condition}"""
_TURNS = f"""SELECT t.rowid, t.session||'#'||t.id, t.said_at, {_FORMS},
    iif(s.kind='documents', '', t.session), iif(s.kind='documents', 0, t.ordinal), f.speaker
  FROM json_each(?) k CROSS JOIN turns t CROSS JOIN turn_forms f CROSS JOIN sessions s
  WHERE t.rowid=k.value AND f.rowid=t.rowid AND s.user=t.user AND s.id=t.session"""
# Of names by number: those that somebody holds, but not too many; then who holds them.
_HELD = """SELECT j.key FROM json_each(?) j WHERE (SELECT count(*) FROM (SELECT 1 FROM mentions
  WHERE user=? AND name=j.value AND kind={kind} LIMIT ?)) BETWEEN 1 AND ?"""
_MENTIONS = """SELECT j.key, m.item, m.leads FROM json_each(?) j
  CROSS JOIN mentions m ON m.user=? AND m.name=j.value AND m.kind={kind}"""


def write_card(to: Applying, rowid: int, *, card: Card) -> None:
    """The forms of one card version, and what it mentions."""
    _write(to, card.scope.user, kind=ItemKind.CARD, item=rowid, found=card_forms(card, to.stem))


def write_summary(to: Applying, rowid: int, *, summary: Summary) -> None:
    """The forms of one summary, and what it mentions."""
    found = summary_forms(summary, to.stem)
    _write(to, summary.scope.user, kind=ItemKind.SUMMARY, item=rowid, found=found)


def write_turn(to: Applying, rowid: int, *, user: str, turn: Turn, said_at: datetime) -> None:
    """The forms of one turn, and what it mentions."""
    found = turn_forms(turn, to.stem, said_at=said_at)
    to.db.execute(
        "INSERT INTO turn_forms(rowid,terms,names,heading,asks,days,speaker) VALUES(?,?,?,?,?,?,?)",
        (rowid, *_columns(found), speaker_terms(turn, to.stem)),
    )
    _mention(to, user, kind=ItemKind.TURN, item=rowid, found=found)


def drop(to: Applying, user: str, *, kind: ItemKind, rowid: int) -> None:
    """Nothing is left of an item but its row; what it mentions is found by its own names."""
    to.db.execute(f"DELETE FROM {kind.value}_words WHERE rowid=?", (rowid,))
    dropped = to.db.execute(
        f"DELETE FROM {kind.value}_forms WHERE rowid=? RETURNING names, heading", (rowid,)
    ).fetchall()
    for names, heading in dropped:
        to.db.executemany(
            "DELETE FROM mentions WHERE user=? AND name=? AND kind=? AND item=?",
            (
                (user, name, _NUMBERS[kind], rowid)
                for name in {*str(names).split("\n"), str(heading)}
            ),
        )


class Read:
    """What one process has read, by row: a row never changes what it says.

    Only when something was dropped may a row be used again. The first that were read make room.
    """

    def __init__(self, db: Database, passed: Passed) -> None:
        self._db = db
        self._passed = passed
        self._kept: dict[ItemKind, tuple[object, dict[int, Item]]] = {}

    def items(self, ids: Sequence[str], *, kind: ItemKind, where: Where, reach: int) -> list[Item]:
        """Those that pass, and with each turn those near it."""
        _refuse(kind)
        with self._db.reading():
            found = self._of_rows(self._passed.rows(ids, kind=kind, where=where), kind)
            if kind is ItemKind.TURN and reach > 0:
                # Stretches that touch are read as one, and nothing is read twice.
                stretches = _stretches(((i.session, i.ordinal) for i in found if i.session), reach)
                condition, bindings = filters.of_turns(where)
                near = dict(
                    self._db.rows(
                        _TALK.format(condition=condition),
                        [json.dumps(stretches), where.scope.user, *bindings],
                    )
                )
                self._passed.keep(near, kind=kind, where=where)
                alone = [item for item in found if not item.session]
                found = alone + self._of_rows(near, kind)
        return found

    def mentioning(
        self, names: Sequence[str], *, kind: ItemKind, where: Where, most: int
    ) -> dict[str, list[Mention]]:
        """By name. Of a name that much holds, no more is read than shows that."""
        _refuse(kind)
        number, user = _NUMBERS[kind], where.scope.user
        asked = dict(enumerate(dict.fromkeys(names)))
        found: dict[str, list[Mention]] = {}
        with self._db.reading():
            held = [
                int(key)
                for (key,) in self._db.rows(
                    _HELD.format(kind=number), [_numbered(asked), user, most + 1, most]
                )
            ]
            if not held:
                return found
            some = _numbered({key: asked[key] for key in held})
            read = self._db.rows(_MENTIONS.format(kind=number), [some, user])
            rows = list({item for _, item, _ in read})
            passing = self._passed.ids(rows, kind=kind, where=where)
        for key, item, leads in read:
            if item in passing:
                found.setdefault(asked[int(key)], []).append(Mention(passing[item], bool(leads)))
        return found

    def _of_rows(self, rows: Iterable[int], kind: ItemKind) -> list[Item]:
        state = self._db.revision("dropped")
        kept = self._kept.get(kind)
        if kept is None or kept[0] != state:
            kept = self._kept[kind] = (state, {})
        known = kept[1]
        wanted = sorted(rows)  # so that a page is read once
        fresh: dict[int, Item] = {}
        missing = [row for row in wanted if row not in known]
        if missing:
            by_row = _BY_ROW.format(table=TABLES[kind][:-2], kind=kind.value)
            sql = _TURNS if kind is ItemKind.TURN else by_row
            read = self._db.rows(sql, [json.dumps(missing)])
            fresh = {row[0]: _item(kind, row) for row in read}
        found = [item for row in wanted if (item := fresh.get(row) or known.get(row))]
        known.update((n, item) for n, item in fresh.items() if len(item.forms.line) < _LONG)
        if len(known) > _ITEMS + _SPARE:  # not at each: to list what is known takes a while
            for row in list(known)[:-_ITEMS]:
                known.pop(row, None)
        return found


def _numbered(names: Mapping[int, str]) -> str:
    return json.dumps({number: clean(name) for number, name in names.items()})


def _stretches(places: Iterable[tuple[str, int]], reach: int) -> list[tuple[str, int, int]]:
    """(session, first, last) of what stands so near to any of these places; none touch."""
    found: list[tuple[str, int, int]] = []
    for session, ordinal in sorted(places):
        first, last = ordinal - reach, ordinal + reach
        if found and found[-1][0] == session and first <= found[-1][2] + 1:
            first = found.pop()[1]
        found.append((session, first, last))
    return found


def _item(kind: ItemKind, row: tuple[Any, ...]) -> Item:
    _, name, said_at, terms, names, heading, asks, days, session, ordinal, speaker = row
    whole = tuple(names.split("\n")) if names else ()
    forms = Forms(terms, whole, heading, bool(asks), _runs(days) if days else ())
    return Item(name, kind, parse_time(said_at), forms, session, ordinal, speaker)


def _runs(days: str) -> tuple[Days, ...]:
    numbers = [int(day) for day in days.split()]
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def _columns(found: Forms) -> tuple[str, str, str, int, str]:
    days = " ".join(f"{first} {last}" for first, last in found.days)
    return found.line, "\n".join(found.names), found.heading, int(found.asks), days


def _write(to: Applying, user: str, *, kind: ItemKind, item: int, found: Forms) -> None:
    to.db.execute(
        f"INSERT INTO {kind.value}_forms(rowid,terms,names,heading,asks,days) VALUES(?,?,?,?,?,?)",
        (item, *_columns(found)),
    )
    _mention(to, user, kind=kind, item=item, found=found)


def _mention(to: Applying, user: str, *, kind: ItemKind, item: int, found: Forms) -> None:
    leads = dict.fromkeys(found.names, 0)
    if found.heading:
        leads[found.heading] = 1
    to.db.executemany(
        "INSERT INTO mentions(user,name,kind,item,leads) VALUES(?,?,?,?,?)",
        ((user, name, _NUMBERS[kind], item, first) for name, first in leads.items()),
    )


def _refuse(kind: ItemKind) -> None:
    if kind not in TABLES:
        raise Unsupported(f"forms are kept of cards, turns and summaries, not of {kind}")
