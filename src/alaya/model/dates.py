"""Words that count from a day, in both languages: which days `last Friday` and 上周五 are.

    counted("I met her last Friday", date(2023, 6, 27))  -> 23 June 2023
    counted("上周五见的", date(2023, 6, 27))               -> 23 June 2023

A week begins on Monday. Words with several meanings (`next Friday`, `the other day`) are not read.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Collection
from datetime import date, timedelta
from enum import StrEnum
from typing import NamedTuple

from alaya.model.calendar import SEASONS, season

_EARLIEST, _LATEST = 200, 9800  # years; beyond them there is no calendar to count in
_LONG_AGO = 2  # a count of weeks is a guess of the speaker's from here on


class Unit(StrEnum):
    """What is counted, which is also what is meant: a day, the two of a weekend, a whole year."""

    DAY = "day"
    WEEKDAY = "weekday"
    WEEK_DAY = "day of a week"
    WEEKEND = "weekend"
    WEEK = "week"
    WEEKS_AGO = "weeks ago"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"


class Counted(NamedTuple):
    """Words of a text and the days they mean, `first` to `last`. `steps` is 0 for the present.

    So many weeks ago is a week; `exactly` is the day in it, which is only `about` the one meant
    where the count is more than one.
    """

    words: str
    unit: Unit
    steps: int
    first: date
    last: date
    exactly: date
    chinese: bool

    @property
    def about(self) -> bool:
        """Whether the speaker guessed."""
        return self.unit is Unit.WEEKS_AGO and -self.steps >= _LONG_AGO


class _Shape(NamedTuple):
    """Words that are read, where a text holds one of `signs` and one of `nouns`."""

    unit: Unit
    words: re.Pattern[str]
    shift: int
    chinese: bool
    signs: frozenset[str]
    nouns: tuple[str, ...] = ("",)


def counted(text: str, today: date, *, without: Collection[Unit] = ()) -> list[Counted]:
    """What counts from `today` in a text, in its order; of two readings of a word the longer one.

    Nothing in the years that no calendar is for.
    """
    if not _EARLIEST <= today.year <= _LATEST:
        return []
    found: dict[int, tuple[int, Counted]] = {}
    small = text.lower()
    if len(small) != len(text):  # İ has two small letters
        small = text
    held = {sign for sign in (_SIGNS if small.isascii() else _ALL_SIGNS) if sign in small}
    for unit, words, shift, chinese, signs, nouns in _SHAPES if held else ():
        if unit in without or held.isdisjoint(signs) or not any(noun in small for noun in nouns):
            continue
        for match in words.finditer(small):
            if any(a < match.end() and match.start() < b for a, (b, _) in found.items()):
                continue
            steps = _steps(match, shift)
            first, last, exactly = _DAYS[unit](match, today, steps=steps)
            told = Counted(
                text[match.start() : match.end()], unit, steps, first, last, exactly, chinese
            )
            found[match.start()] = (match.end(), told)
    return [told for _, (_, told) in sorted(found.items())]


# --- words -------------------------------------------------------------------------------------

_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNTS = {"两": 2, "a": 1, "an": 1, "half a": 6, "半": 6}  # half a year: in months
_COUNTS |= {
    word: i for words in ("一二三四五六七八九十", _NUMBERS) for i, word in enumerate(words, 1)
}
_COUNT = r"(?P<count>\d{1,2}|an?|one|two|three|four|five|six|seven|eight|nine|ten)"
_HAN_COUNT = r"(?<!\d)(?P<count>\d{1,2}|[一二两三四五六七八九十])"
_AGO = r"(?:以|之)?前"
_DAY = r"(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day"
_WEEK = r"(?:周|星期|礼拜)"
_HAN_DAY = r"(?P<day>[一二三四五六日天])(?![个天年])"
_WHOLE = r"(?![一二三四五六日天末])"
_SEASON = rf"(?P<season>{'|'.join(name for name in SEASONS if name.isascii())})"
_HAN_SEASON = r"年的?(?P<season>[春夏秋冬])"

# (unit, words, how many steps from today)
_ENGLISH: tuple[tuple[Unit, str, int], ...] = (
    (Unit.DAY, r"(?:the )?day before yesterday", -2),
    (Unit.DAY, r"the night before last", -2),
    (Unit.DAY, r"yesterday|last night", -1),
    (Unit.DAY, r"today|tonight", 0),
    (Unit.DAY, r"(?:the )?day after tomorrow", 2),
    (Unit.DAY, r"tomorrow", 1),
    (Unit.WEEKDAY, rf"(?:this )?(?:last|past) {_DAY}", -1),
    (Unit.WEEKDAY, rf"(?:this )?coming {_DAY}", 1),
    (Unit.WEEKEND, r"last weekend|(?:(?:this|the) )?past weekend", -1),
    (Unit.WEEK, r"the week before last", -2),
    (Unit.WEEK, r"last week(?!end)", -1),
    (Unit.WEEK, r"this week(?!end)", 0),
    (Unit.WEEK, r"next week(?!end)", 1),
    (Unit.MONTH, r"the month before last", -2),
    (Unit.MONTH, r"last month", -1),
    (Unit.MONTH, r"this month", 0),
    (Unit.MONTH, r"next month", 1),
    (Unit.SEASON, rf"last {_SEASON}", -1),
    (Unit.SEASON, rf"this {_SEASON}", 0),
    (Unit.YEAR, r"the year before last", -2),
    (Unit.YEAR, r"last year", -1),
    (Unit.YEAR, r"this year", 0),
    (Unit.YEAR, r"next year", 1),
    (Unit.DAY, rf"{_COUNT} days? ago", -1),
    (Unit.WEEKS_AGO, rf"{_COUNT} weeks? ago", -1),
    (Unit.MONTH, rf"{_COUNT} months? ago", -1),
    (Unit.WEEKEND, rf"{_COUNT} weekends? ago", -1),
    (Unit.MONTH, r"(?P<count>half a) year ago", -1),
    (Unit.YEAR, rf"{_COUNT} years? ago", -1),
)
_CHINESE: tuple[tuple[Unit, str, int], ...] = (
    (Unit.DAY, r"大前天", -3),
    (Unit.DAY, r"(?<![目以之大])前天(?!气)|前晚", -2),
    (Unit.DAY, r"昨[天晚日]", -1),
    (Unit.DAY, r"今[天晚日]", 0),
    (Unit.DAY, r"大后天", 3),
    (Unit.DAY, r"(?<![以之大])后天(?![天努性])", 2),
    (Unit.DAY, r"(?<!光)明[天晚日](?!之星)", 1),
    (Unit.WEEK_DAY, rf"上上个?{_WEEK}{_HAN_DAY}", -2),
    (Unit.WEEK_DAY, rf"下下个?{_WEEK}{_HAN_DAY}", 2),
    (Unit.WEEKEND, r"上上个?周末", -2),
    (Unit.WEEK, rf"上上个?{_WEEK}{_WHOLE}", -2),
    (Unit.WEEK, rf"下下个?{_WEEK}{_WHOLE}", 2),
    (Unit.MONTH, r"上上个?月", -2),
    (Unit.MONTH, r"下下个?月", 2),
    (Unit.SEASON, rf"大前{_HAN_SEASON}", -3),
    (Unit.YEAR, r"大前年", -3),
    (Unit.WEEK_DAY, rf"上个?{_WEEK}{_HAN_DAY}", -1),
    (Unit.WEEK_DAY, rf"(?:这个?|本){_WEEK}{_HAN_DAY}", 0),
    (Unit.WEEK_DAY, rf"下个?{_WEEK}{_HAN_DAY}", 1),
    (Unit.WEEKEND, r"上个?周末", -1),
    (Unit.WEEK, rf"上个?{_WEEK}{_WHOLE}", -1),
    (Unit.WEEK, rf"(?:这个?|本){_WEEK}{_WHOLE}", 0),
    (Unit.WEEK, rf"下个?{_WEEK}{_WHOLE}", 1),
    (Unit.MONTH, r"上个?月", -1),
    (Unit.MONTH, r"这个?月|本月", 0),
    (Unit.MONTH, r"下个?月", 1),
    (Unit.SEASON, rf"前{_HAN_SEASON}", -2),
    (Unit.SEASON, rf"去{_HAN_SEASON}", -1),
    (Unit.SEASON, rf"今{_HAN_SEASON}", 0),
    (Unit.SEASON, rf"明{_HAN_SEASON}", 1),
    (Unit.YEAR, r"前年", -2),
    (Unit.YEAR, r"去年", -1),
    (Unit.YEAR, r"今年", 0),
    (Unit.YEAR, r"明年", 1),
    (Unit.DAY, rf"{_HAN_COUNT} ?天{_AGO}", -1),
    (Unit.WEEKS_AGO, rf"{_HAN_COUNT} ?个?{_WEEK}{_AGO}", -1),
    (Unit.MONTH, rf"{_HAN_COUNT} ?个月{_AGO}", -1),
    (Unit.WEEKS_AGO, rf"半个月{_AGO}", -2),
    (Unit.MONTH, rf"(?P<count>半)年{_AGO}", -1),
    (Unit.YEAR, rf"{_HAN_COUNT} ?年{_AGO}", -1),
)
# Every word that counts holds one of these, and in English what is counted as well: a text without
# them, which most are, is not searched.
_SIGNS = (
    *("yesterday", "today", "tonight", "tomorrow"),
    *("last", "past", "this", "coming", "next", "ago"),
)
_ALL_SIGNS = (*_SIGNS, *"前昨今明后上下这本去")
_NOUNS: dict[Unit, tuple[str, ...]] = {
    Unit.WEEKDAY: _WEEKDAYS,
    Unit.WEEKEND: ("weekend",),
    Unit.WEEK: ("week",),
    Unit.WEEKS_AGO: ("week",),
    Unit.MONTH: ("month", "year"),
    Unit.SEASON: tuple(SEASONS),
    Unit.YEAR: ("year",),
}


def _shape(unit: Unit, words: str, *, shift: int, chinese: bool) -> _Shape:
    signs = frozenset(sign for sign in _ALL_SIGNS if sign in words)
    if chinese:
        return _Shape(unit, re.compile(words), shift, True, signs)
    apart = re.compile(rf"(?<![\w-])(?:{words})(?![\w-])")
    return _Shape(unit, apart, shift, False, signs, _NOUNS.get(unit, ("",)))


_SHAPES = tuple(
    _shape(unit, words, shift=shift, chinese=chinese)
    for chinese, table in ((False, _ENGLISH), (True, _CHINESE))
    for unit, words, shift in table
)


# --- days --------------------------------------------------------------------------------------

_Days = tuple[date, date, date]  # the first, the last, and exactly so many steps from today


def _steps(match: re.Match[str], shift: int) -> int:
    count = match.groupdict().get("count")
    if count is None:
        return shift
    return shift * (int(count) if count.isdecimal() else _COUNTS[count.lower()])


def _run(first: date, length: int = 1) -> _Days:
    return first, first + timedelta(days=length - 1), first


def _day(match: re.Match[str], today: date, *, steps: int) -> _Days:
    return _run(today + timedelta(days=steps))


def _weekday(match: re.Match[str], today: date, *, steps: int) -> _Days:
    """The nearest such day before or after today."""
    wanted = _WEEKDAYS.index(match["day"][:3].lower())
    away = (wanted - today.weekday()) * steps % 7 or 7
    return _run(today + timedelta(days=steps * away))


def _week_day(match: re.Match[str], today: date, *, steps: int) -> _Days:
    """上周五: of the week before, whatever day it is."""
    wanted = "一二三四五六日".index(match["day"].replace("天", "日"))
    return _run(_monday(today, steps) + timedelta(days=wanted))


def _weekend(match: re.Match[str], today: date, *, steps: int) -> _Days:
    return _run(_monday(today, steps) + timedelta(days=5), 2)


def _week(match: re.Match[str], today: date, *, steps: int) -> _Days:
    return _run(_monday(today, steps), 7)


def _weeks_ago(match: re.Match[str], today: date, *, steps: int) -> _Days:
    first, last, _ = _run(_monday(today, steps), 7)
    return first, last, today + timedelta(days=7 * steps)


def _month(match: re.Match[str], today: date, *, steps: int) -> _Days:
    year, month = divmod(today.year * 12 + today.month - 1 + steps, 12)
    first = date(year, month + 1, 1)
    return _run(first, calendar.monthrange(year, month + 1)[1])


def _season(match: re.Match[str], today: date, *, steps: int) -> _Days:
    first, last = season(today.year + steps, match["season"])
    return first, last, first


def _year(match: re.Match[str], today: date, *, steps: int) -> _Days:
    first = date(today.year + steps, 1, 1)
    return first, date(today.year + steps, 12, 31), first


def _monday(today: date, weeks: int) -> date:
    return today + timedelta(days=7 * weeks - today.weekday())


_DAYS: dict[Unit, Callable[..., _Days]] = {
    Unit.DAY: _day,
    Unit.WEEKDAY: _weekday,
    Unit.WEEK_DAY: _week_day,
    Unit.WEEKEND: _weekend,
    Unit.WEEK: _week,
    Unit.WEEKS_AGO: _weeks_ago,
    Unit.MONTH: _month,
    Unit.SEASON: _season,
    Unit.YEAR: _year,
}
