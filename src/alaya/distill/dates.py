"""What `yesterday` was: words that count from the day of speaking, beside the days they mean.

    named("I met her last Friday", datetime(2023, 6, 27)) -> (("last Friday", "23 June 2023"),)
    named("上周五见的", datetime(2023, 6, 27)) -> (("上周五", "2023年6月23日"),)

Days are those of the time of speaking as the archive has it, in UTC: near midnight one can be off.
"""

from __future__ import annotations

from datetime import date, datetime

from alaya.model.calendar import MONTHS
from alaya.model.dates import Counted, Unit, counted

_MOST = 3  # of one text
_CLEAR = (Unit.SEASON,)  # of 去年夏天 it is the year that has to be told


def named(text: str, said_at: datetime) -> tuple[tuple[str, str], ...]:
    """(words, the time they mean) for at most three of the text, in order, each words once.

    `today` and `this week` stay as they are: a card says when it was said.
    """
    once: dict[str, tuple[str, str]] = {}
    for told in counted(text, said_at.date(), without=_CLEAR):
        if told.steps:
            once.setdefault(told.words.lower(), (told.words, _written(told)))
    return tuple(once.values())[:_MOST]


def day_of(when: date, *, chinese: bool) -> str:
    """A day as its language writes it: `23 June 2023`, `2023年6月23日`."""
    if chinese:
        return f"{when.year}年{when.month}月{when.day}日"
    return f"{when.day} {MONTHS[when.month - 1]} {when.year}"


def _written(told: Counted) -> str:
    """The days as the language of the words writes them."""
    first, chinese = told.first, told.chinese
    match told.unit:
        case Unit.YEAR:
            return f"{first.year}{'年' * chinese}"
        case Unit.MONTH:
            month = MONTHS[first.month - 1]
            return f"{first.year}年{first.month}月" if chinese else f"{month} {first.year}"
        case Unit.WEEK | Unit.WEEKEND:
            return _range(first, told.last, chinese=chinese)
    exactly = day_of(told.exactly, chinese=chinese)
    if not told.about:
        return exactly
    return f"{exactly}前后" if chinese else f"around {exactly}"


def _range(first: date, last: date, *, chinese: bool) -> str:
    if chinese:
        return f"{day_of(first, chinese=True)}至{last.month}月{last.day}日"
    if first.month == last.month:
        return f"{first.day}–{day_of(last, chinese=False)}"
    start = f"{first.day} {MONTHS[first.month - 1]}"
    start += f" {first.year}" if first.year != last.year else ""
    return f"{start} – {day_of(last, chinese=False)}"
