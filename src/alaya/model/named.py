"""The times that a text names, absolute or counted from when it is said, in both languages.

    named("what did she paint in May 2023?", today)   -> May 2023
    named("上周五我说了什么", today)                      -> that Friday
    named("去年五月去了哪里", today)                      -> May of the year before
    mentioned("we met on 8 May", date(2023, 6, 1))    -> 8 May 2023

A month, a day or a festival without a year is each year's in a question, and one of them in what
is told. What only looks like a time is none: `May` is a month where the words around it say
so, 2000 a year behind `in`.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache

from alaya.model.calendar import HAN, MONTH, MONTH_NUMBERS, day_of, month_number, number, season
from alaya.model.dates import counted
from alaya.model.festivals import SHAPE, festival, which

Days = tuple[int, int]  # the first and the last, as ordinals (1 is 1 January of year 1)
_MOST = 8  # times of one text that are kept
_EARLIEST, _LATEST = 2, 9990  # years around which there is a calendar


@dataclass(frozen=True)
class Named:
    """A time that was named: `year`, `month` and `day` as given (None: any), or days `a` to `b`.

    `later` moves it by days: `the day after Christmas`. `ahead`: it is still to come.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    between: tuple[date, date] | None = None
    festival: str = ""
    later: int = 0
    ahead: bool = False

    def runs(self, first: int, last: int) -> tuple[Days, ...]:
        """The days meant, of those years that lie about these days where it gives none."""
        return _runs(self, date.fromordinal(first).year, last=date.fromordinal(last).year)

    def moved(self, days: int) -> Named:
        """So many days later, where this is so short a time that the day after it is one."""
        return replace(self, later=days) if self.day or self.festival or self.between else self


def named(text: str, today: date) -> tuple[Named, ...]:
    """Every time that a text names, none for most texts; `today` is what `last Friday` is told
    from."""
    if not _EARLIEST <= today.year <= _LATEST:
        return ()
    found, rest = _absolute(text, today)
    told = (Named(between=(one.first, one.last)) for one in counted(rest, today))
    return (*found, *told)


def mentioned(text: str, today: date) -> tuple[Days, ...]:
    """The days that a text speaks of, beside those in which it is said: at most eight, sorted.

    Of each year's days the last ones, unless the next are twice as near.
    """
    now, found = today.toordinal(), set[Days]()
    for one in named(text, today):
        runs = one.runs(now, now)
        nearest = min(runs, key=lambda run: max(2 * (run[0] - now), now - run[1], 0), default=None)
        if nearest and not nearest[0] <= now <= nearest[1] and len(found) < _MOST:
            found.add(nearest)
    return tuple(sorted(found))


# --- words -------------------------------------------------------------------------------------

_YEAR = r"(?P<year>(?:19|20)\d\d)(?!\d)"
_DAY = r"(?P<day>\d{1,2})(?P<th>st|nd|rd|th)?"
# In these the name of a month is no other word, and no person.
_IN = (
    "in|since|until|till|during|throughout|early|late|mid|(?<!the )last|next|this|every|around"
    "|(?:start|beginning|middle|end) of"
)
_WHEN = rf"\b(?P<prep>{_IN})[ -]"
_ANY_WHEN = rf"\b(?:{_IN}|by|before|after|from|to|of|year|the|her|his|my|our|their|your)[ -]"
_NO_VERB = r"(?! (?:be|have|not|also|need|I|you|we|he|she|it|they)\b)"  # step 5 May be skipped
# 2000 of something is no year.
_NO_COUNT = (
    r"(?! ?(?:%|km|kg|people|men|women|feet|yuan)| (?!(?:was|is|his|this|as|has|does|yes|us)\b)"
    r"(?-i:[a-z]+s\b))"
)
_NO_VERSION = r"(?<![\w.=@])(?<!version )(?<!release )(?<!版本)(?<!版本 )"
_NO_MOON = r"(?![天光球亮饼])"
_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "明年": 1}
_HAN_YEARS = "|".join(_YEARS)
_BEFORE = re.compile(r"\bday (?P<way>before|after) (?:the )?\Z", re.IGNORECASE)
_BEHIND = re.compile(r"的?(?:(?P<after>后一天|第二天|次日)|前一天)")
_WRITTEN = re.compile(  # 二〇二三年, 五月, 十二月三十一号; not the band 五月天
    rf"(?<![{HAN}\d第])(?:[一二][{HAN[:-1]}]{{3}}(?= ?年)|(?:十[一二]?|[一二三四五六七八九])"
    rf"(?= ?月{_NO_MOON}))|(?<=月)(?:[二三]?十[一二三四五六七八九]?|[一二三四五六七八九])(?=[日号])"
)
_HAN_YEAR = re.compile(rf"(?P<when>{_HAN_YEARS})的?(?= ?\d{{1,2}} ?月)")
_HAN_MONTH = re.compile(r"(?P<when>上上|上|这|本|下)个?月的?(?=\d{1,2} ?[日号])")
_HAN_MONTHS = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1}
_YEAR_BEHIND = re.compile(rf"\b{MONTH} (?:of )?(?P<when>last|this) year\b", re.IGNORECASE)
_YEAR_BEFORE = re.compile(rf"(?<!\bthe )\b(?P<when>last|this|past) {MONTH}", re.IGNORECASE)
# Names of months that are no other word and of nobody; and those that are verbs.
_SURE = frozenset("january february july september october november december".split())  # noqa: SIM905
_VERBS = frozenset(["may", "march"])
_FESTIVAL = (
    r"(?:\b(?P<which>this past|this coming|last|past|this|next|coming) "
    rf"|(?P<han>{_HAN_YEARS})的?|(?<!\d){_YEAR}(?: ?年的?| ))?(?<![a-z])(?:{SHAPE})"
    rf"(?:,? (?:of |in )?{_YEAR.replace('year', 'behind')}| (?P<when>last|this) year\b)?"
)
_SEASON = (
    rf"\b(?P<season>spring|summer|autumn|fall|winter),? (?:of |in )?{_YEAR}\b{_NO_COUNT}"
    rf"|(?<!\d){_YEAR.replace('year', 'han_year')} ?年的? ?(?P<han>[春夏秋冬])"
)
# Signs that a text holds something to be read: most texts hold few, and are searched for no more.
_DIGIT, _A_YEAR = re.compile(r"\d"), re.compile(rf"(?<!\d){_YEAR}")
_A_MONTH = re.compile(rf"(?<![a-z]){MONTH}")
_MONTH_SIGNS = tuple(MONTH_NUMBERS)
_FESTIVAL_SIGNS = (
    *("christmas", "xmas", "new year", "hallow", "thanksgiving", "easter", "festival"),
    *("s day", "s' day", "s’ day"),
)
_HAN_FESTIVAL_SIGNS = (
    *"节夕",
    "圣诞",
    "平安夜",
    "元旦",
    "国庆",
    "中秋",
    "端午",
    "五一",
    "六一",
    "十一",
)
_HAN_FESTIVAL_SIGNS += ("双11", "过年", "大年", "正月")


# --- reading -----------------------------------------------------------------------------------


def _absolute(text: str, today: date) -> tuple[list[Named], str]:
    """What is no count from today, and the text without it."""
    if not _held(text):
        return [], text
    rest = _with_years(text, today)
    held = _held(rest)
    found: list[Named] = []
    for needs, shape, read in _SHAPES:
        for match in shape.finditer(rest) if needs <= held else ():
            one = read(match, today)
            if one is not None:
                found.append(_moved(one, match))
                start, end = match.span()
                rest = f"{rest[:start]}{' ' * (end - start)}{rest[end:]}"
    return found, rest


def _held(text: str) -> set[str]:
    """What a text may hold, by its signs: digit, year, month, festival, 月, 年."""
    small = text.lower()
    found = set()
    if _DIGIT.search(small):
        found.add("digit")
        if ("20" in small or "19" in small) and _A_YEAR.search(small):
            found.add("year")
    if any(sign in small for sign in _MONTH_SIGNS) and _A_MONTH.search(small):
        found.add("month")
    festival = any(sign in small for sign in _FESTIVAL_SIGNS)
    if not small.isascii():
        found |= {sign for sign in "月年" if sign in small}
        festival = festival or any(sign in small for sign in _HAN_FESTIVAL_SIGNS)
    return found | {"festival"} if festival else found


def _with_years(text: str, today: date) -> str:
    """The text with Chinese numerals as digits, and years where they are told from today."""

    def written(match: re.Match[str]) -> str:
        return str(number(match[0], digits=len(match[0]) == 4))

    def month(match: re.Match[str]) -> str:
        year, month = divmod(today.year * 12 + today.month - 1 + _HAN_MONTHS[match["when"]], 12)
        return f"{year}年{month + 1}月"

    def behind(match: re.Match[str]) -> str:
        return f"in {match['name'].title()} {today.year - (match['when'].lower() == 'last')}"

    def before(match: re.Match[str]) -> str:
        """The last May is the one before this month; this May is this year's."""
        name, this = match["name"], match["when"].lower() == "this"
        if this and name in _VERBS:  # this may be
            return match[0]
        ahead = not this and month_number(name) >= today.month
        return f"in {name.title()} {today.year - ahead}"

    if "月" in text or "年" in text:
        text = _WRITTEN.sub(written, text)
        text = _HAN_YEAR.sub(lambda match: f"{today.year + _YEARS[match['when']]}年", text)
        text = _HAN_MONTH.sub(month, text)
    return _YEAR_BEFORE.sub(before, _YEAR_BEHIND.sub(behind, text))


def _day(match: re.Match[str], today: date) -> Named | None:
    """A day, a month or a year as they are written; None for what only looks like one."""
    parts = match.groupdict()
    name, number_of, day, year = (parts.get(key) for key in ("name", "number", "day", "year"))
    if name and not _is_month(name.rstrip("."), parts):
        return None
    month = int(number_of) if number_of else month_number(name) if name else None
    # 2000 is a leap year: 29 February is a day where no year is known.
    if month is not None and day_of(int(year or 2000), month, day=int(day or 1)) is None:
        return None
    return Named(int(year) if year else None, month, int(day) if day else None)


def _is_month(name: str, parts: dict[str, str | None]) -> bool:
    """Whether the name of a month is one here: not May who came, nor `march` on."""
    day, year, prep = parts.get("day"), parts.get("year"), parts.get("prep")
    if name in _VERBS:
        return bool((prep and prep.lower() != "this") or (day and (year or parts.get("th"))))
    if day or year:
        return True
    if prep:
        return name[0].isupper() or len(name) > 3
    return name.lower() in _SURE and name[0].isupper()


def _season(match: re.Match[str], today: date) -> Named:
    year = int(match["year"] or match["han_year"])
    return Named(between=season(year, match["han"] or match["season"]))


def _festival(match: re.Match[str], today: date) -> Named:
    """Of the year that is told, the one before or after today, or any."""
    one = Named(festival=which(match))
    told, relative = match["year"] or match["behind"], match["han"]
    told_from = (match["when"] or match["which"] or "").lower().split(" ")[-1]
    if told or relative:
        return replace(one, year=int(told) if told else today.year + _YEARS[relative])
    if match["when"] or told_from == "this":
        return replace(one, year=today.year - (told_from == "last"))
    now = today.toordinal()
    runs = one.runs(now, now)
    before = [run for run in runs if run[1] < now] if told_from in ("last", "past") else []
    after = [run for run in runs if run[0] > now] if told_from in ("next", "coming") else []
    for first, last in (*before[-1:], *after[:1]):
        return Named(between=(date.fromordinal(first), date.fromordinal(last)))
    return one


def _moved(one: Named, match: re.Match[str]) -> Named:
    """A day later or earlier, where the text says so."""
    start, end = match.span()
    if before := _BEFORE.search(match.string, max(0, start - 20), start):
        return one.moved(1 if before["way"].lower() == "after" else -1)
    if behind := _BEHIND.match(match.string, end):
        return one.moved(1 if behind["after"] else -1)
    return one


_SHAPES = tuple(
    (frozenset(needs.split()), re.compile(shape, re.IGNORECASE), read)
    for needs, shape, read in (
        ("festival", _FESTIVAL, _festival),
        ("year", _SEASON, _season),
        (
            "year",
            rf"{_NO_VERSION}{_YEAR}(?P<sep>[-/.])(?P<number>\d{{1,2}})(?P=sep)(?P<day>\d{{1,2}})"
            r"(?!\d|[-/.]\d)",
            _day,
        ),
        (
            "digit month",
            rf"(?<![\w.:/$€£¥-]){_DAY} (?:of )?{MONTH}{_NO_VERB}(?:,? {_YEAR})?",
            _day,
        ),
        (
            "digit month",
            rf"(?<![a-z]){MONTH} (?:the )?{_DAY}(?![\w:%]|[.,]\d)(?:,? {_YEAR})?",
            _day,
        ),
        (
            "year month",
            rf"(?:{_WHEN})?(?<![a-z]){MONTH},? (?:of )?{_YEAR}{_NO_COUNT}",
            _day,
        ),
        ("month", rf"{_WHEN}{MONTH}(?!['’\w])", _day),
        ("month", rf"(?<=[\w,] ){MONTH}(?!['’\w])", _day),
        (
            "digit 月",
            rf"(?<![\d.第])(?:{_YEAR} ?年的? ?)?(?P<number>\d{{1,2}}) ?月{_NO_MOON}"
            r"(?:份的?)?(?: ?(?P<day>\d{1,2}) ?[日号])?",
            _day,
        ),
        (
            "year",
            rf"{_ANY_WHEN}(?:year )?{_YEAR}(?![\w%°-]|[.,:]\d){_NO_COUNT}",
            _day,
        ),
        ("year 年", rf"(?<![\d.]){_YEAR} ?年(?![前来间])", _day),
    )
)


# --- days --------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _runs(one: Named, first: int, *, last: int) -> tuple[Days, ...]:
    """Of the year that is named, else of those from the one before to the one after."""
    if one.between is not None:
        runs: Iterable[tuple[date, date] | None] = (one.between,)
    else:
        years = (one.year,) if one.year is not None else range(max(first - 1, 1), last + 2)
        runs = (_in_year(one, year) for year in years)
    days = sorted((run[0].toordinal(), run[1].toordinal()) for run in runs if run is not None)
    if not one.later:
        return tuple(days)
    ends = [b if one.later > 0 else a for a, b in days]
    return tuple((end + one.later, end + one.later) for end in ends)


def _in_year(one: Named, year: int) -> tuple[date, date] | None:
    if year > _LATEST:
        return None
    if one.festival:
        return festival(one.festival, year)
    if one.month is None:
        return date(year, 1, 1), date(year, 12, 31)
    if one.day is None:
        first = date(year, one.month, 1)
        return first, first + timedelta(days=monthrange(year, one.month)[1] - 1)
    day = day_of(year, one.month, day=one.day)
    return None if day is None else (day, day)
