"""When something was said, as people and programs write it: `1:56 pm on 8 May, 2023`,
`29.12.2023, 22:42`, `March-15-2024`, `2024年3月5日 下午2点半 家里`, ISO 8601, epoch seconds.

Fixed shapes, English and Chinese, and not a library that guesses: dateutil reads no Chinese and
fills what a text does not say from today's date, dateparser makes a date of `第五十七回`. What is
read here stands in the text: year, month and day. Two readings (`03/04/2024`) are none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta

from alaya.errors import InvalidInput
from alaya.model.calendar import HAN, MONTH, day_of, month_number, number
from alaya.model.time import parse_time

_LONGEST = 200  # characters: what is longer is no time but a text
_FIRST_YEAR = 1000
_YEAR = r"(?P<year>\d{4})(?!\d)"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?(?![\d:])"
_GAP = r"[ ,/-]{0,3}"
_DATES = tuple(
    re.compile(shape)
    for shape in (
        r"(?<!\d)(?P<year>\d{4}) ?(?P<sep>[-/.]) ?(?P<month>\d{1,2}) ?(?P=sep) ?"
        r"(?P<day>\d{1,2})(?!\d)",
        rf"(?P<year>(?<!\d)\d{{4}}|[{HAN}]{{4}}) ?年 ?(?P<month>\d{{1,2}}|[{HAN}]{{1,3}}) ?月 ?"
        rf"(?P<day>\d{{1,2}}|[{HAN}]{{1,3}}) ?[日号號]",
        rf"(?<![\d:.]){_DAY} ?(?:of )?{_GAP}{MONTH}{_GAP}{_YEAR}",
        rf"(?<![a-z]){MONTH}{_GAP}{_DAY}{_GAP}{_YEAR}",
        r"(?<![a-z\d.])(?P<a>\d{1,2})(?P<sep>[-/.])(?P<b>\d{1,2})(?P=sep)(?P<year>\d{4})"
        r"(?!\d|\.\d)",
    )
)
# Unix `date` and ctime: the time of day stands between the day and the year.
_CTIME = re.compile(
    rf"(?<![a-z]){MONTH} {{1,2}}{_DAY} "
    rf"(?P<clock>\d{{2}}:\d{{2}}(?::\d{{2}})?(?: [a-z]{{3,4}})?) {_YEAR}"
)
_HALF = r"(?P<half>[ap](?:m\b|\.m\.))"
_CLOCK = re.compile(
    r"(?<![\d:.])(?P<hour>\d{1,2}):(?P<minute>\d{2})"
    rf"(?::(?P<second>\d{{2}})(?:[.,](?P<part>\d{{1,6}})\d*)?)?(?![\d:]) ?{_HALF}?"
)
_HOUR = re.compile(rf"(?<![\d:.])(?P<hour>\d{{1,2}}) ?{_HALF}")
_PERIOD = "凌晨|清晨|早晨|早上|上午|中午|下午|午后|傍晚|晚上|夜里|深夜|半夜"
_HAN_MINUTE = rf"半|一刻|三刻|(?:\d{{1,2}}|[{HAN}]{{1,3}})分"
# Chinese numerals are an hour behind a part of the day only: 三点水 is no time.
_HAN_CLOCK = re.compile(
    rf"(?P<period>{_PERIOD}) ?(?P<hour>\d{{1,2}}|[{HAN}]{{1,3}}) ?"
    rf"(?::(?P<digits>\d{{2}})(?!\d)|[点點时時]钟? ?(?P<minute>{_HAN_MINUTE})?)"
    rf"|(?<!\d)(?P<bare>\d{{1,2}}) ?[点點时時]钟? ?(?P<bare_minute>{_HAN_MINUTE})?"
)
# An offset stands right behind the time. `08:00-10:00` is a span of time and has none.
_ZONE = re.compile(
    r" {0,2}(?:(?:utc|gmt)(?P<named>[+-]\d{1,2})(?::?(?P<named_minutes>\d{2}))?"
    r"|(?P<offset>\+\d{2}):(?P<colon_minutes>\d{2})|(?P<plain>[+-]\d{2})(?P<minutes>\d{2}))(?!\d)"
)
_BEIJING = ("北京时间", "北京時間", "beijing time")


def read_time(value: object) -> datetime | None:
    """The time that a value tells, aware and in UTC; None where it tells none.

    Numbers are epoch seconds or milliseconds; texts are read as above, wherever the date stands in
    them, up to 200 characters. Without a time of day it is midnight; without a zone, or with one
    that has two meanings (CST), it is UTC. Of several dates the first counts.
    """
    if value is None or value == "" or (isinstance(value, int | float) and value <= 0):
        return None
    try:
        at = parse_time(value)
    except InvalidInput:
        return _spoken(value) if isinstance(value, str) else None
    return at if at.year >= _FIRST_YEAR else None


def is_written_for_machines(value: object) -> bool:
    """Whether a value says nothing more than the time: ISO 8601, or epoch seconds."""
    try:
        return parse_time(value) is not None
    except InvalidInput:
        return False


def _spoken(text: str) -> datetime | None:
    if len(text) > _LONGEST:
        return None
    text = unicodedata.normalize("NFKC", text).casefold()
    found = min(_dates(text), default=None, key=lambda one: one[0])
    if found is None:
        return None
    _, day, rest = found
    clock, zone = _clock(rest)
    at = datetime.combine(day, clock or time(), tzinfo=UTC)
    if clock is None or not zone:
        return at
    try:
        shifted = at - zone
    except OverflowError:  # within a day of the year 10000
        return at
    return shifted if shifted.year >= _FIRST_YEAR else at


def _dates(text: str) -> Iterator[tuple[int, date, str]]:
    """Where each date begins, the date, and the text without it."""
    for shape in _DATES:
        for match in shape.finditer(text):
            day = _date(match)
            if day is not None:
                yield match.start(), day, f"{text[: match.start()]} {text[match.end() :]}"
                break
    for match in _CTIME.finditer(text):
        day = _date(match)
        if day is not None:
            yield match.start(), day, match["clock"]
            break


def _date(match: re.Match[str]) -> date | None:
    parts = match.groupdict()
    year = number(parts["year"], digits=True)
    if parts.get("a"):
        readings = _readings(int(parts["a"]), int(parts["b"]), dotted=parts["sep"] == ".")
    elif parts.get("name"):
        readings = [(month_number(parts["name"]), int(parts["day"]))]
    else:
        readings = [(number(parts["month"]), number(parts["day"]))]
    days = {found for month, day in readings if (found := _day(year, month, day=day))}
    return days.pop() if len(days) == 1 else None


def _readings(first: int, second: int, *, dotted: bool) -> list[tuple[int, int]]:
    """(month, day): where dots are written the day comes first; with `/` and `-` either may."""
    if dotted and second <= 12:
        return [(second, first)]
    return [(first, second), (second, first)]


def _day(year: int, month: int, *, day: int) -> date | None:
    return day_of(year, month, day=day) if year >= _FIRST_YEAR else None


def _clock(text: str) -> tuple[time | None, timedelta]:
    """The time of day, and how far its zone is ahead of UTC; a time that is none is left out."""
    zone = timedelta(hours=8) if any(name in text for name in _BEIJING) else timedelta()
    for shape, read in ((_HAN_CLOCK, _han_clock), (_CLOCK, _latin_clock), (_HOUR, _latin_clock)):
        match = shape.search(text)
        if match is not None:
            after = _ZONE.match(text, match.end())
            return read(match), _offset(after) if after else zone
    return None, zone


def _latin_clock(match: re.Match[str]) -> time | None:
    parts = match.groupdict()
    hour, half = int(parts["hour"]), parts.get("half")
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    part = int((parts.get("part") or "0").ljust(6, "0"))
    minute, second = int(parts.get("minute") or 0), int(parts.get("second") or 0)
    return _time(hour, minute, second=second, part=part)


def _han_clock(match: re.Match[str]) -> time | None:
    period = match["period"] or ""
    hour = number(match["hour"] or match["bare"])
    minute = match["digits"] or match["minute"] or match["bare_minute"] or "0"
    minutes = {"半": 30, "一刻": 15, "三刻": 45}.get(minute)
    if minutes is None:
        minutes = number(minute.removesuffix("分"))
    if period in ("下午", "午后", "傍晚") or (period == "中午" and hour < 10):
        hour += 12 if hour < 12 else 0
    elif period in ("晚上", "夜里", "深夜", "半夜"):
        if hour == 12 or (period == "晚上" and hour < 5):
            return None  # of this day or of the next: the day stands, the hour is not known
        hour += 12 if 5 <= hour < 12 else 0
    elif period == "凌晨":
        hour %= 12
    return _time(hour, minutes)


def _time(hour: int, minute: int, *, second: int = 0, part: int = 0) -> time | None:
    try:
        return time(hour, minute, second, part)
    except ValueError:
        return None


def _offset(match: re.Match[str]) -> timedelta:
    hours = match["named"] or match["offset"] or match["plain"]
    minutes = int(match["named_minutes"] or match["colon_minutes"] or match["minutes"] or 0)
    offset = timedelta(hours=int(hours), minutes=-minutes if hours.startswith("-") else minutes)
    return offset if abs(offset) <= timedelta(hours=14) and minutes < 60 else timedelta()
