"""The forms of cards and turns: written in one transaction with their words, read for ranking."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from alaya.errors import Unsupported
from alaya.model.forms import Forms, card_forms, speaker_terms, turn_forms
from alaya.model.graph import Card
from alaya.model.ids import clean
from alaya.model.named import Days
from alaya.model.passage import Item, ItemKind, Mention, Where
from alaya.model.raw import Turn
from alaya.model.time import parse_time
from alaya.stores.sqlite import where as filters
from alaya.stores.sqlite.applying import Applying
from alaya.stores.sqlite.connection import Database
from alaya.stores.sqlite.items import items_of
from alaya.stores.sqlite.passed import Passed

_CARD, _TURN = 0, 1  # kinds of items in `mentions`
_FORMS = "f.terms, f.names, f.heading, f.asks, f.days"
_CARDS = f"""SELECT c.rowid, c.id, c.said_at, {_FORMS}, '', 0, ''
  FROM json_each(?) k CROSS JOIN cards c CROSS JOIN card_forms f
  WHERE c.rowid=k.value AND f.rowid=c.rowid"""
_PLACES = """SELECT t.session, t.ordinal, t.rowid, s.kind='documents' FROM json_each(?) k
  CROSS JOIN turns t CROSS JOIN sessions s WHERE t.rowid=k.value
  AND s.user=t.user AND s.id=t.session"""
_SAID = f"t.rowid, t.session||'#'||t.id, t.said_at, {_FORMS}"
# Each k is a stretch of a session: (session, first, last).
_TALK = f"""SELECT {_SAID}, t.session, t.ordinal, f.speaker
  FROM json_each(?) k CROSS JOIN turns t INDEXED BY turns_ordinal CROSS JOIN turn_forms f
  WHERE t.user=? AND t.session=k.value->>0
  AND t.ordinal BETWEEN k.value->>1 AND k.value->>2 AND f.rowid=t.rowid AND {{condition}}"""
_ALONE = f"""SELECT {_SAID},
    iif(s.kind='documents', '', t.session), iif(s.kind='documents', 0, t.ordinal), f.speaker
  FROM json_each(?) k CROSS JOIN turns t CROSS JOIN turn_forms f CROSS JOIN sessions s
  WHERE t.rowid=k.value AND f.rowid=t.rowid AND s.user=t.user AND s.id=t.session"""
# Of names by number: those that somebody holds, but not too many; then who holds them.
_HELD = """SELECT j.key FROM json_each(?) j WHERE (SELECT count(*) FROM (SELECT 1 FROM mentions
  WHERE user=? AND name=j.value AND kind={kind} LIMIT ?)) BETWEEN 1 AND ?"""
_MENTIONS = """SELECT j.key, {name}, m.leads FROM json_each(?) j
  CROSS JOIN mentions m ON m.user=? AND m.name=j.value AND m.kind={kind}
  CROSS JOIN {table} ON {row}=m.item WHERE {condition}"""


def write_card(to: Applying, rowid: int, *, card: Card) -> None:
    """The forms of one card version, and what it mentions."""
    found = card_forms(card, to.stem)
    to.db.execute(
        "INSERT INTO card_forms(rowid,terms,names,heading,asks,days) VALUES(?,?,?,?,?,?)",
        (rowid, *_columns(found)),
    )
    _mention(to, card.scope.user, kind=_CARD, item=rowid, found=found)


def write_turn(to: Applying, rowid: int, *, user: str, turn: Turn, said_at: datetime) -> None:
    """The forms of one turn, and what it mentions."""
    found = turn_forms(turn, to.stem, said_at=said_at)
    to.db.execute(
        "INSERT INTO turn_forms(rowid,terms,names,heading,asks,days,speaker) VALUES(?,?,?,?,?,?,?)",
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


def items(
    db: Database,
    ids: Sequence[str],
    *,
    kind: ItemKind,
    where: Where,
    reach: int,
    passed: Passed,
) -> list[Item]:
    """Those that pass, and with each turn those near it."""
    _refuse(kind)
    with db.reading():
        found = passed.rows(ids, kind=kind, where=where)
        rows = sorted(found)  # so that a page is read once
        if kind is ItemKind.CARD:
            read = db.rows(_CARDS, [json.dumps(rows)])
        elif reach > 0:
            read = _talk(db, rows, where=where, reach=reach)
            passed.keep({row[1]: row[0] for row in read}, kind=kind, where=where)
        else:
            read = db.rows(_ALONE, [json.dumps(rows)])
    return [_item(kind, row) for row in read]


def mentioning(
    db: Database, names: Sequence[str], *, kind: ItemKind, where: Where, most: int
) -> dict[str, list[Mention]]:
    """By name. Of a name that much holds, no more is read than shows that."""
    _refuse(kind)
    of, user = items_of(kind, where), where.scope.user
    number = _CARD if kind is ItemKind.CARD else _TURN
    asked = dict(enumerate(dict.fromkeys(names)))
    found: dict[str, list[Mention]] = {}
    with db.reading():
        held = [
            int(key)
            for (key,) in db.rows(
                _HELD.format(kind=number), [_numbered(asked), user, most + 1, most]
            )
        ]
        sql = _MENTIONS.format(
            name=of.name, table=of.table, row=of.row, kind=number, condition=of.condition
        )
        some = {key: asked[key] for key in held}
        for key, item, leads in db.rows(sql, [_numbered(some), user, *of.bindings]) if some else ():
            found.setdefault(asked[int(key)], []).append(Mention(item, bool(leads)))
    return found


def _numbered(names: Mapping[int, str]) -> str:
    return json.dumps({number: clean(name) for number, name in names.items()})


def _talk(db: Database, rows: Sequence[int], *, where: Where, reach: int) -> list[Any]:
    """First where they stand: stretches that touch are read as one, and nothing is read twice."""
    places = db.rows(_PLACES, [json.dumps(rows)])
    stretches = _stretches(((s, o) for s, o, _, alone in places if not alone), reach=reach)
    condition, bindings = filters.of_turns(where)
    talk = db.rows(
        _TALK.format(condition=condition), [json.dumps(stretches), where.scope.user, *bindings]
    )
    alone = [row for _, _, row, alone in places if alone]
    return talk + db.rows(_ALONE, [json.dumps(alone)]) if alone else talk


def _stretches(places: Iterable[tuple[str, int]], *, reach: int) -> list[tuple[str, int, int]]:
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
