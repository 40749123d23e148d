"""Months, seasons and numerals of both languages, and days that may not exist."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from types import MappingProxyType

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
MONTH_NUMBERS: Mapping[str, int] = MappingProxyType(
    {name[:3].lower(): number for number, name in enumerate(MONTHS, 1)}
)
# Of a text in small letters, or with re.IGNORECASE.
MONTH = (
    r"(?P<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
SEASONS: Mapping[str, int] = MappingProxyType(  # the month that each begins with
    {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
    | {"春": 3, "夏": 6, "秋": 9, "冬": 12}
)
_SEASON_DAYS = 92
HAN = "〇零一二三四五六七八九十"  # Chinese numerals, for a character class


def month_number(name: str) -> int:
    """1 to 12, of a name that `MONTH` matches."""
    return MONTH_NUMBERS[name[:3].lower()]


def season(year: int, name: str) -> tuple[date, date]:
    """The first and the last day of `summer` or 夏 in a year: three months."""
    first = date(year, SEASONS[name.lower()], 1)
    return first, first + timedelta(days=_SEASON_DAYS - 1)


def day_of(year: int, month: int, *, day: int) -> date | None:
    """The day; None where the calendar has none: 30 February."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def number(text: str, *, digits: bool = False) -> int:
    """Arabic or Chinese numerals, 0 to 99, -1 for none; with `digits` one by one, as years are
    read."""
    if text.isdecimal():
        return int(text)
    values = [max(0, HAN.index(char) - 1) for char in text]
    if digits:
        return int("".join(map(str, values))) if "十" not in text else 0
    if "十" not in text:
        return values[0] if len(values) == 1 else -1
    tens, _, ones = text.partition("十")
    if len(tens) > 1 or len(ones) > 1:
        return -1
    return (values[0] if tens else 1) * 10 + (values[-1] if ones else 0)
