"""A time as somebody wrote it, relative to when it was said: `last May`, 去年五月, `2019-05`.

A time that names a period is its first moment: somebody who lived in a town `until 2015` left it,
as far as we know, as that year began.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time

from alaya.errors import InvalidInput
from alaya.model.named import Named, named
from alaya.model.time import parse_time

_ISO = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(T.*|\s\d.*)?)?)?Z?")
_NOW = frozenset("now today currently present 现在 今天 目前 如今".split())  # noqa: SIM905


def moment(words: str, said_at: datetime) -> datetime | None:
    """The first moment of the time that is meant, in UTC; None where none can be read.

    Of a month or a festival without a year the one that is nearest to when it was said, a past one
    rather than one to come.
    """
    text = words.strip()
    if text.casefold() in _NOW:
        return said_at
    if (iso := _ISO.fullmatch(text)) is not None:
        return _iso(iso)
    times = named(f"in {text}" if text.isascii() else text, said_at.date())
    return next((at for one in times if (at := _first(one, said_at)) is not None), None)


def named_in(sentence: str, said_at: datetime) -> datetime | None:
    """The first moment of the one time that a sentence names; None for several, or one to come."""
    found = {at for one in named(sentence, said_at.date()) if (at := _first(one, said_at))}
    return found.pop() if len(found) == 1 and max(found) <= said_at else None


def _first(one: Named, said_at: datetime) -> datetime | None:
    today = said_at.date().toordinal()
    runs = one.runs(today, today)
    if not runs:
        return None
    first, _ = min(runs, key=lambda run: max(2 * (run[0] - today), today - run[1], 0))
    return _midnight(date.fromordinal(first))


def _iso(match: re.Match[str]) -> datetime | None:
    year, month, day, clock = match.groups()
    try:
        if clock:
            return parse_time(match[0])
        return _midnight(date(int(year), int(month or 1), int(day or 1)))
    except (ValueError, InvalidInput):
        return None  # the 31st of June: a model wrote it


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
