"""The times that a question names, absolute or counted from when it is asked, in both languages.

    spans("what did she paint in May 2023?", now)   -> 1 May to 1 June 2023
    spans("上周五我说了什么", now)                      -> that Friday
    spans("去年五月去了哪里", now)                      -> May of the year before

A month or a day without a year means each year's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime

from alaya.model.dates import MONTH_NUMBERS, counted, season

_MONTH = (
    r"(?P<month>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|"
    r"Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_ABSOLUTE = tuple(
    re.compile(shape)
    for shape in (
        rf"\b{_YEAR}[-/.](?P<number>\d{{1,2}})[-/.]{_DAY}\b",
        rf"\b{_DAY} (?:of )?{_MONTH}(?:,? {_YEAR})?",
        rf"\b{_MONTH} {_DAY}\b(?!\d)(?:,? {_YEAR})?",
        rf"\b{_MONTH},? (?:of )?{_YEAR}",
        rf"(?<=[\w,] ){_MONTH}",  # not the may of `May I …`
        rf"(?:{_YEAR} ?年 ?)?(?P<number>\d{{1,2}}) ?月(?: ?{_DAY} ?[日号])?",
        rf"(?<!\d){_YEAR}(?!\d)(?: ?年)?",
    )
)
_SEASON = re.compile(
    rf"\b(?P<season>spring|summer|autumn|fall|winter),? (?:of |in )?{_YEAR}\b"
    rf"|(?<!\d){_YEAR.replace('year', 'han_year')} ?年 ?(?P<han>[春夏秋冬])",
    re.IGNORECASE,
)
_DIGITS = {char: n for n, char in enumerate("一二三四五六七八九", 1)}
_WRITTEN = re.compile(  # 五月, 十二月三十一号; not the band 五月天
    r"(?<![一二三四五六七八九十\d])(?P<month>十[一二]?|[一二三四五六七八九])(?= ?月(?![天光球]))"
    r"|(?<=月)(?P<day>[二三]?十[一二三四五六七八九]?|[一二三四五六七八九])(?=[日号])"
)
_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0}
_HAN_YEAR = re.compile(r"(?P<when>大前年|前年|去年|今年)的?(?= ?\d{1,2} ?月)")
_YEAR_BEHIND = re.compile(rf"\b{_MONTH} (?:of )?(?P<when>last|this) year\b")
_YEAR_BEFORE = re.compile(rf"\b(?P<when>[Ll]ast|[Tt]his|[Pp]ast) {_MONTH}")


@dataclass(frozen=True)
class Named:
    """A time that was named: `year`, `month` and `day` as given (None: any), or days `a` to `b`."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    between: tuple[date, date] | None = None

    def near(self, when: date) -> float:
        """1 in the time named; around a day or a week less, 0 beyond a week (things are told
        the day after)."""
        if self.between is not None:
            first, last = self.between
            away = max((first - when).days, (when - last).days, 0)
            return _fading(away) if (last - first).days <= 7 else float(away == 0)
        if self.day is None or self.month is None:
            same = self.year in (None, when.year) and self.month in (None, when.month)
            return float(same)
        years = (self.year,) if self.year else (when.year - 1, when.year, when.year + 1)
        days = [d for y in years if (d := _day(y, self.month, day=self.day)) is not None]
        return max((_fading(abs((when - d).days)) for d in days), default=0.0)


def spans(text: str, now: datetime) -> tuple[Named, ...]:
    """Every time that a question names; none for most questions."""
    rest = _with_years(text, now.date())
    found: list[Named] = []
    for match in _SEASON.finditer(rest):
        year = int(match["year"] or match["han_year"])
        found.append(Named(between=season(year, match["han"] or match["season"])))
    rest = _SEASON.sub(lambda match: " " * len(match[0]), rest)
    for shape in _ABSOLUTE:
        for match in shape.finditer(rest):
            named = _absolute(match.groupdict())
            if named is not None:
                found.append(named)
                rest = rest.replace(match[0], " " * len(match[0]), 1)
    past = (told for told in counted(rest, now.date()) if told.steps <= 0)
    return (*found, *(Named(between=(told.first, told.last)) for told in past))


def _with_years(text: str, today: date) -> str:
    """The text with months in digits, and the year of a month where it is told from today."""

    def written(match: re.Match[str]) -> str:
        tens, ten, ones = (match["month"] or match["day"]).rpartition("十")
        return str((_DIGITS.get(tens, 1) * 10 if ten else 0) + _DIGITS.get(ones, 0))

    def behind(match: re.Match[str]) -> str:
        return f"{match['month']} {today.year - (match['when'] == 'last')}"

    def before(match: re.Match[str]) -> str:
        """The last May is the one before this month; this May is this year's."""
        ahead = MONTH_NUMBERS[match["month"][:3].lower()] >= today.month
        return f"in {match['month']} {today.year - (ahead and match['when'].lower() != 'this')}"

    text = _WRITTEN.sub(written, text)
    text = _HAN_YEAR.sub(lambda match: f"{today.year + _YEARS[match['when']]}年", text)
    return _YEAR_BEFORE.sub(before, _YEAR_BEHIND.sub(behind, text))


def nearness(named: tuple[Named, ...], when: datetime) -> float:
    """How near a time is to any that was named, 0..1."""
    return max((one.near(when.date()) for one in named), default=0.0)


def _absolute(given: dict[str, str | None]) -> Named | None:
    month = given.get("number")
    number = int(month) if month else MONTH_NUMBERS.get((given.get("month") or "")[:3].lower())
    day, year = given.get("day"), given.get("year")
    named = Named(int(year) if year else None, number, int(day) if day else None)
    if (number is not None and not 1 <= number <= 12) or (day and not 1 <= int(day) <= 31):
        return None
    return named


def _day(year: int, month: int, *, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None  # 30 February, 29 in a common year


def _fading(days: int) -> float:
    return 1.0 if days == 0 else 0.8 if days == 1 else 0.5 if days <= 3 else 0.25 * (days <= 7)
