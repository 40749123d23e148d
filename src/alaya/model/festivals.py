"""The days of festivals: fixed ones, those of a weekday, Easter, and those of the lunar calendar.

The lunar ones are a table: its months follow from the sun and the moon, and no rule that is shorter
gives them. It was made with the `lunardate` package; `zhdate` gives the same days.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from types import MappingProxyType

from alaya.model.calendar import HAN, day_of

# (month, day, how many days)
_FIXED: Mapping[str, tuple[int, int, int]] = MappingProxyType(
    {
        "new year": (1, 1, 1),
        "valentine": (2, 14, 1),
        "women": (3, 8, 1),
        "labour": (5, 1, 5),
        "children": (6, 1, 1),
        "teachers": (9, 10, 1),
        "national": (10, 1, 7),
        "halloween": (10, 31, 1),
        "singles": (11, 11, 1),
        "christmas eve": (12, 24, 1),
        "christmas": (12, 25, 1),
        "new year's eve": (12, 31, 1),
    }
)
# (month, weekday from Monday 0, the how-manieth of the month)
_WEEKDAYS: Mapping[str, tuple[int, int, int]] = MappingProxyType(
    {"mothers": (5, 6, 2), "fathers": (6, 6, 3), "thanksgiving": (11, 3, 4)}
)
_FIRST_YEAR = 1980  # of the table; the first of each row
# A digit a year, in base 32: days since the day that it begins with.
_LUNAR: Mapping[str, tuple[int, int, str]] = MappingProxyType(
    {
        "spring": (
            *(1, 21),
            "qf4ncuj8rg6pe2kath7qf3mb1j8sh5od2kati7qf4mb1k8rg5nd2lati7pe3mb1k9rg5oc2lbti7pe3m",
        ),
        "dragon boat": (
            *(5, 27),
            "latj8qf4mc1k9sh6od3matj8qf4nc1karg6od3mbti7qe4nd1k9sg5oe3mb0i7qf4nc2j8rh5oe3lati",
        ),
        "seventh": (
            *(7, 31),
            "h6pf3mcui8qg5od2k9sh6pf4mb0j7qg6nd2k9sh7pe4matj8qg5oc1kash7qe3mb0j8rg5nc1kath6pe",
        ),
        "mid-autumn": (
            *(9, 7),
            "g5oe3mbui7qf4nd2k9sh5oe4lbti7qf5nc1k8rh6oe3mati8qf5oc1k9rh6pd3lasi8rf4nc0j9sh6pe",
        ),
        "ninth": (
            *(10, 1),
            "g5od2lbui7pf3mcvj9rg5od3lati6pf4mc1k8rg6od3mash7pf4nb0j8qg6pd2lash7qf4nctj8rg5od",
        ),
    }
)
# Festivals that are told from another one: (which, days later, how many days).
_AFTER: Mapping[str, tuple[str, int, int]] = MappingProxyType(
    {
        "spring festival": ("spring", -1, 8),
        "lunar new year's eve": ("spring", -1, 1),
        "lunar new year": ("spring", 0, 1),
        "lantern": ("spring", 14, 1),
    }
)

_OF = r"(?:['’]s|s['’]?)"  # of Valentine's Day, Mothers' Day
# 五一 is also the name of a street, 国庆 that of people: these words behind or before tell.
_HOLIDAYS = r"(?=假|长假|小长假|黄金周|期间|那[天几会]|放假|当天|时候)"
_TOLD = r"(?<=[去前今明\d]年)"
# What is bought for a festival, or called after it, is not its day.
_THING = (
    r"(?! (?:eggs?|trees?|cards?|songs?|carols?|music|movies?|films?|lights?|costumes?|Island)\b)"
)
NAMES: Mapping[str, str] = MappingProxyType(
    {
        "christmas eve": r"christmas eve\b|xmas eve\b|平安夜",
        "christmas": rf"christmas\b(?: day\b)?{_THING}|xmas\b{_THING}|圣诞节|圣诞{_HOLIDAYS}",
        "new year's eve": r"new year['’]?s eve\b|跨年夜",
        "lunar new year": r"(?:chinese|lunar) new year\b(?:['’]s day\b)?|大年初一|正月初一",
        "new year": r"(?:new year['’]?s|(?-i:New Year))\b(?: day\b)?(?! resolution)|元旦",
        "valentine": rf"valentine{_OF} day\b|情人节",
        "halloween": rf"hallowe['’]?en\b{_THING}|万圣节",
        "thanksgiving": r"thanksgiving\b(?: day\b)?|感恩节",
        "mothers": rf"mother{_OF} day\b|母亲节",
        "fathers": rf"father{_OF} day\b|父亲节",
        "easter": rf"easter\b(?: sunday\b)?{_THING}|复活节",
        "women": rf"women{_OF} day\b|三八(?:妇女)?节|妇女节",
        "labour": rf"(?<![第{HAN}\d])五一(?![{HAN}\d路广街大村镇中区厂桥班])|(?<!五一)劳动节",
        "children": r"(?:六一)?儿童节|六一(?=[那当]天)",
        "teachers": r"教师节",
        "national": rf"国庆节|国庆{_HOLIDAYS}|{_TOLD}国庆"
        rf"|(?<![\u4e00-\u9fff])国庆(?=去(?!世)|回|出)|(?<![{HAN}])十一(?=长假|黄金周|假期|放假)",
        "singles": r"双十一|双11(?!\d)",
        "spring festival": rf"spring festival\b|春节|{_TOLD}过年",
        "lunar new year's eve": r"除夕|大年三十",
        "lantern": r"lantern festival\b|元宵节",
        "dragon boat": r"dragon boat festival\b|端午节?",
        "seventh": r"七夕节?",
        "mid-autumn": r"(?:mid-?autumn|moon) festival\b|中秋节?",
        "ninth": r"重阳节",
        "qingming": r"清明节",
    }
)


def festival(name: str, year: int) -> tuple[date, date] | None:
    """The first and the last day of one of `NAMES` in a year; None where the table has none."""
    if name in _FIXED:
        month, day, length = _FIXED[name]
        return _run(day_of(year, month, day=day), length)
    if name in _WEEKDAYS:
        month, weekday, which = _WEEKDAYS[name]
        first = date(year, month, 1)
        return _run(first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * which - 7))
    if name == "easter":
        return _run(_easter(year))
    if name == "qingming":  # the sun's: the 4th, or the 5th in the years that this tells
        return _run(date(year, 4, int((year - 2000) * 0.2422 + 4.81) - (year - 2000) // 4))
    whose, later, length = _AFTER.get(name, (name, 0, 1))
    month, day, offsets = _LUNAR[whose]
    if not 0 <= year - _FIRST_YEAR < len(offsets):
        return None
    away = int(offsets[year - _FIRST_YEAR], 32) + later
    return _run(date(year, month, day) + timedelta(days=away), length)


def _run(first: date | None, length: int = 1) -> tuple[date, date] | None:
    return None if first is None else (first, first + timedelta(days=length - 1))


def _easter(year: int) -> date:
    """Of the western churches: the Sunday after the full moon of spring (Butcher 1876)."""
    a, (b, c) = year % 19, divmod(year, 100)
    (d, e), f = divmod(b, 4), (b + 8) // 25
    g = (b - f + 1) // 3
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    return date(year, month, day + 1)


SHAPE = "|".join(f"(?P<f{number}>{words})" for number, words in enumerate(NAMES.values()))


def which(match: re.Match[str]) -> str:
    """The name of what a pattern with `SHAPE` inside it has matched."""
    return next(name for n, name in enumerate(NAMES) if match[f"f{n}"])
