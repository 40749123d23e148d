"""Words that count from a day, as the distiller and the planner of a recall both read them."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alaya.model.dates import Unit, counted

TODAY = date(2026, 11, 30)  # a Monday
WORDS = st.sampled_from(
    [
        *("the day before ", "yesterday", "last ", "past weekend", "week", "Friday", " ago"),
        *("99 years", "two weeks", "上个", "周五", "大", "前天", "十年前", "去年", "夏天"),
        *("12 ", "个月前", " "),
    ]
)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("today", date(2026, 11, 30), date(2026, 11, 30)),
        ("this week", date(2026, 11, 30), date(2026, 12, 6)),
        ("past weekend", date(2026, 11, 28), date(2026, 11, 29)),
        ("this winter", date(2026, 12, 1), date(2027, 3, 2)),
        ("nine days ago", date(2026, 11, 21), date(2026, 11, 21)),
        ("12 个月前", date(2025, 11, 1), date(2025, 11, 30)),
        ("下周天", date(2026, 12, 13), date(2026, 12, 13)),
        ("本周", date(2026, 11, 30), date(2026, 12, 6)),
        ("明年", date(2027, 1, 1), date(2027, 12, 31)),
    ],
)
def test_days(text: str, first: date, last: date) -> None:
    """The first and the last day that words mean, counted from a Monday."""
    (told,) = counted(text, TODAY)
    assert (told.words, told.first, told.last) == (text, first, last)


def test_weeks_ago() -> None:
    """A count of weeks is a week, the day in it, and a guess from two on."""
    one, two = counted("a week ago, not 两周前", TODAY)
    assert (one.first, one.exactly, one.about) == (date(2026, 11, 23), date(2026, 11, 23), False)
    assert (two.last, two.exactly, two.about) == (date(2026, 11, 22), date(2026, 11, 16), True)


def test_one_reading_of_a_word() -> None:
    """What is part of longer words is not read again, unless these are not wanted."""
    (season,) = counted("去年夏天", TODAY)
    (year,) = counted("去年夏天", TODAY, without=[Unit.SEASON])
    assert (season.words, season.unit, year.words, year.unit) == (
        *("去年夏", Unit.SEASON),
        *("去年", Unit.YEAR),
    )


@given(st.lists(WORDS, max_size=8).map("".join) | st.text(max_size=40), st.dates())
def test_any_text_on_any_day(text: str, today: date) -> None:
    """Whatever a text says on whatever day: words of it, in order, with days in order."""
    found = counted(text, today)
    at = 0
    for told in found:
        at = text.index(told.words, at) + len(told.words)
        assert told.first <= told.exactly <= told.last
        assert told.last - told.first < timedelta(days=366)
    assert not found or 200 <= today.year <= 9800
