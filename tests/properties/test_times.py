"""Times as people write them: what is written is read back, and nothing is read into a text."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from alaya.ingest.times import read_time

_MONTHS = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
]  # fmt: skip
_FIRST = datetime(1000, 1, 1, tzinfo=UTC)
_DAYS = st.integers(0, 2000 * 365 * 24 * 60).map(lambda n: _FIRST + timedelta(minutes=n))
_NUMERALS = "〇一二三四五六七八九"
_AROUND = st.text("周一二家里，。 at home (), 上海", max_size=12)


def spoken(number: int) -> str:
    """0 to 99 in Chinese numerals."""
    tens, ones = divmod(number, 10)
    if not tens:
        return _NUMERALS[ones]
    return ("" if tens == 1 else _NUMERALS[tens]) + "十" + (_NUMERALS[ones] if ones else "")


def dates(at: datetime) -> list[str]:
    """The day in every shape that is read."""
    month, short = _MONTHS[at.month - 1], _MONTHS[at.month - 1][:3]
    year = f"{at.year:04d}"
    found = [
        f"{at.day} {month}, {year}",
        f"{month} {at.day}, {year}",
        f"{at.day:02d}-{short.upper()}-{year}",
        f"{month}-{at.day}-{year}",
        f"{at.day}.{at.month}.{year}",
        f"{year}-{at.month:02d}-{at.day:02d}",
        f"{year}/{at.month}/{at.day}",
        f"{year}年{at.month}月{at.day}日",
        f"{year}年{at.month:02d}月{at.day:02d}号",
        f"{''.join(_NUMERALS[int(d)] for d in year)}年{spoken(at.month)}月{spoken(at.day)}日",
    ]
    if at.day > 12 or at.day == at.month:
        found += [f"{at.month}/{at.day}/{year}", f"{at.day}/{at.month}/{year}"]
    return found


def clocks(at: datetime) -> list[str]:
    """The minute in every shape that is read."""
    half = "am" if at.hour < 12 else "pm"
    twelve = at.hour % 12 or 12
    found = [f"{at.hour:02d}:{at.minute:02d}", f"{twelve}:{at.minute:02d} {half}"]
    found.append(f"{at.hour}点{at.minute}分")
    if 13 <= at.hour < 18:
        found += [
            f"下午{at.hour - 12}点{spoken(at.minute)}分",
            f"下午{at.hour - 12}:{at.minute:02d}",
        ]
    return found


@given(_DAYS, st.data())
def test_what_is_written_is_read(at: datetime, data: st.DataObject) -> None:
    """A day and a time of day, in any shape and order and with a place behind, come back."""
    date = data.draw(st.sampled_from(dates(at)))
    clock = data.draw(st.sampled_from(clocks(at)))
    place = data.draw(_AROUND)
    day_first = data.draw(st.booleans())
    text = f"{date} {clock} {place}" if day_first else f"{clock}, {date} {place}"
    assert read_time(text) == at


@given(_DAYS, st.data())
def test_a_day_is_its_midnight(at: datetime, data: st.DataObject) -> None:
    """A day without a time of day is midnight in UTC."""
    date = data.draw(st.sampled_from(dates(at)))
    assert read_time(date) == datetime(at.year, at.month, at.day, tzinfo=UTC)


@st.composite
def spoilt(draw: st.DrawFn) -> str:
    """A date and a time of day with a piece cut out and another put in."""
    at = draw(_DAYS)
    text = f"{draw(st.sampled_from(dates(at)))} {draw(st.sampled_from(clocks(at)))}"
    first = draw(st.integers(0, len(text)))
    last = draw(st.integers(first, min(len(text), first + 4)))
    piece = draw(st.one_of(st.text(max_size=4), st.sampled_from(_PIECES)))
    return text[:first] + piece + text[last:]


_PIECES = (
    "年",
    "月",
    "日",
    "点",
    "May ",
    "pm",
    "下午",
    ":",
    "/",
    ".",
    "-",
    "第",
    "回",
    "utc+8",
    "12",
    "十",
)


@given(st.one_of(spoilt(), st.text(max_size=40)))
def test_nothing_is_invented(text: str) -> None:
    """Any text is read without an error; the year of a time that it tells stands in the text."""
    found = read_time(text)
    if found is None:
        return
    assert found.tzinfo is UTC
    plain = unicodedata.normalize("NFKC", text)
    digits = re.sub(r"\d", lambda d: str(int(d[0])), plain)
    if re.fullmatch(r"\s*[-\d.]+\s*", digits):
        return  # epoch seconds
    years = {found.year, found.year + 1, found.year - 1}  # a zone may lead over New Year
    spelt = "".join(str(_NUMERALS.index(c)) if c in _NUMERALS else c for c in digits)
    spelt = spelt.replace("零", "0")
    assert any(f"{year:04d}" in spelt for year in years)


@given(st.text("第一二三四五六七八九十百〇回章卷0123456789 ", max_size=20))
def test_chapters_are_no_dates(text: str) -> None:
    """Numbers of chapters, in either kind of numerals, are no date."""
    if not re.fullmatch(r"[\s\d]*", text):
        assert read_time(text) is None
