"""The forms of cards and turns: written in one transaction with their words, read for ranking."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from alaya.errors import Unsupported
from alaya.model.forms import Forms, card_forms, speaker_terms, turn_forms
from alaya.model.graph import Card
from alaya.model.ids import clean
from alaya.model.passage import Item, ItemKind, Mention, Where
from alaya.model.raw import Turn
from alaya.model.time import parse_time
from alaya.stores.sqlite import where as filters
from alaya.stores.sqlite.applying import Applying
from alaya.stores.sqlite.connection import Database
from alaya.stores.sqlite.passed import Passed

_CARD, _TURN = 0, 1  # kinds of items in `mentions`
# Items of a kind that stay in memory, and characters from which one does not: at most 50 MB.
_ITEMS, _LONG = 12_000, 2_000
_FORMS = "f.terms, f.names, f.heading, f.asks"
_CARDS = f"""SELECT c.rowid, c.id, c.said_at, {_FORMS}, '', 0, ''
  FROM json_each(?) k CROSS JOIN cards c CROSS JOIN card_forms f
  WHERE c.rowid=k.value AND f.rowid=c.rowid"""
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
    found = card_forms(card, to.stem)
    to.db.execute(
        "INSERT INTO card_forms(rowid,terms,names,heading,asks) VALUES(?,?,?,?,?)",
        (rowid, *_columns(found)),
    )
    _mention(to, card.scope.user, kind=_CARD, item=rowid, found=found)


def write_turn(to: Applying, rowid: int, *, user: str, turn: Turn) -> None:
    """The forms of one turn, and what it mentions."""
    found = turn_forms(turn, to.stem)
    to.db.execute(
        "INSERT INTO turn_forms(rowid,terms,names,heading,asks,speaker) VALUES(?,?,?,?,?,?)",
        (rowid, *_columns(found), speaker_terms(turn, to.stem)),
    )
    _mention(to, user, kind=_TURN, item=rowid, found=found)


def drop_card(to: Applying, user: str, *, rowid: int) -> None:
    """Nothing is left of a card version; what it mentions is found by its own names."""
    dropped = to.db.execute(
        "DELETE FROM card_forms WHERE rowid=? RETURNING names, heading", (rowid,)
    ).fetchall()
    for names, heading in dropped:
        to.db.executemany(
            "DELETE FROM mentions WHERE user=? AND name=? AND kind=? AND item=?",
            ((user, name, _CARD, rowid) for name in {*str(names).split("\n"), str(heading)}),
        )


class Read:
    """Cards and turns as one process has read them, by row: a row never changes what it says.

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
        number, user = _CARD if kind is ItemKind.CARD else _TURN, where.scope.user
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
            sql = _CARDS if kind is ItemKind.CARD else _TURNS
            read = self._db.rows(sql, [json.dumps(missing)])
            fresh = {row[0]: _item(kind, row) for row in read}
        found = [item for row in wanted if (item := fresh.get(row) or known.get(row))]
        known.update((n, item) for n, item in fresh.items() if len(item.forms.line) < _LONG)
        if len(known) > _ITEMS:
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
    _, name, said_at, terms, names, heading, asks, session, ordinal, speaker = row
    whole = tuple(names.split("\n")) if names else ()
    forms = Forms(terms, whole, heading, bool(asks))
    return Item(name, kind, parse_time(said_at), forms, session, ordinal, speaker)


def _columns(found: Forms) -> tuple[str, str, str, int]:
    return found.line, "\n".join(found.names), found.heading, int(found.asks)


def _mention(to: Applying, user: str, *, kind: int, item: int, found: Forms) -> None:
    leads = dict.fromkeys(found.names, 0)
    if found.heading:
        leads[found.heading] = 1
    to.db.executemany(
        "INSERT INTO mentions(user,name,kind,item,leads) VALUES(?,?,?,?,?)",
        ((user, name, kind, item, first) for name, first in leads.items()),
    )


def _refuse(kind: ItemKind) -> None:
    if kind not in (ItemKind.CARD, ItemKind.TURN):
        raise Unsupported(f"forms are kept of cards and turns, not of {kind}")
