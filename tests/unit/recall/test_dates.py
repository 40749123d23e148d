"""Times that a question names."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alaya.recall.dates import Named, nearness, spans, told_nearness

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)  # a Monday


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("What did Ann paint in May 2023?", Named(2023, 5)),
        ("What happened on October 13, 2023?", Named(2023, 10, 13)),
        ("What did Jon find on 1st of February, 2023?", Named(2023, 2, 1)),
        ("Who came on 2024-03-05?", Named(2024, 3, 5)),
        ("When did she go camping in June?", Named(None, 6)),
        ("How often in 2023?", Named(2023)),
        ("2024年3月5日发生了什么", Named(2024, 3, 5)),
        ("3月5号谁来了", Named(None, 3, 5)),
        ("2023年去了哪里", Named(2023)),
        ("五月三号谁来了", Named(None, 5, 3)),
        ("十二月三十一日", Named(None, 12, 31)),
        ("2023年十月二十号", Named(2023, 10, 20)),
        ("去年五月去了哪里", Named(2025, 5)),
        ("今年3月的会", Named(2026, 3)),
        ("前年的十一月", Named(2024, 11)),
        ("What did she say in May last year?", Named(2025, 5)),
        ("What happened last May?", Named(2026, 5)),
        ("What happened last December?", Named(2025, 12)),
        ("what did he plan this June?", Named(2026, 6)),
    ],
)
def test_absolute_times_in_both_languages(text: str, named: Named) -> None:
    """A year, a month and a day are read in the order that each language writes them."""
    assert spans(text, NOW) == (named,)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("what did I say yesterday?", date(2026, 11, 29), date(2026, 11, 29)),
        ("the day before yesterday", date(2026, 11, 28), date(2026, 11, 28)),
        ("day before yesterday", date(2026, 11, 28), date(2026, 11, 28)),
        ("the week before last", date(2026, 11, 16), date(2026, 11, 22)),
        ("the month before last", date(2026, 9, 1), date(2026, 9, 30)),
        ("上上周", date(2026, 11, 16), date(2026, 11, 22)),
        ("上上周五", date(2026, 11, 20), date(2026, 11, 20)),
        ("上上个星期天", date(2026, 11, 22), date(2026, 11, 22)),
        ("上上周末", date(2026, 11, 21), date(2026, 11, 22)),
        ("上上个月", date(2026, 9, 1), date(2026, 9, 30)),
        ("大前年", date(2023, 1, 1), date(2023, 12, 31)),
        ("the summer of 2023", date(2023, 6, 1), date(2023, 8, 31)),
        ("in winter 2023", date(2023, 12, 1), date(2024, 3, 1)),
        ("2023年夏天", date(2023, 6, 1), date(2023, 8, 31)),
        ("last Friday", date(2026, 11, 27), date(2026, 11, 27)),
        ("last week", date(2026, 11, 23), date(2026, 11, 29)),
        ("two months ago", date(2026, 9, 1), date(2026, 9, 30)),
        ("last summer", date(2025, 6, 1), date(2025, 8, 31)),
        ("上周五我说了什么", date(2026, 11, 27), date(2026, 11, 27)),
        ("这周一", date(2026, 11, 30), date(2026, 11, 30)),
        ("三天前", date(2026, 11, 27), date(2026, 11, 27)),
        ("去年夏天", date(2025, 6, 1), date(2025, 8, 31)),
        ("前年", date(2024, 1, 1), date(2024, 12, 31)),
        ("上个月", date(2026, 10, 1), date(2026, 10, 31)),
    ],
)
def test_relative_times_count_from_when_it_is_asked(text: str, first: date, last: date) -> None:
    """`last Friday` and 上周五 are days of the calendar once it is known when they were said."""
    assert spans(text, NOW) == (Named(between=(first, last)),)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "May I ask who she is?",
        "the march of time",
        "99月99日",
        "section 1.2.3",
        "目前天气",
        "五月天的歌",
        "十几个月",
    ],
)
def test_what_is_no_time_names_none(text: str) -> None:
    """Words that only look like a time are left alone."""
    assert spans(text, NOW) == ()


def test_what_is_told_the_day_after_still_counts() -> None:
    """The day itself counts most, the days after less, another month not at all."""
    named = (Named(2023, 10, 13),)
    told = [nearness(named, datetime(2023, 10, day, tzinfo=UTC)) for day in (13, 14, 16, 20, 30)]
    assert told == [1.0, 0.8, 0.5, 0.25, 0.0]


def test_a_day_without_a_year_is_near_across_new_year() -> None:
    """31 December is a day before 1 January, whatever the year."""
    assert nearness((Named(None, 12, 31),), datetime(2024, 1, 1, tzinfo=UTC)) == 0.8


@pytest.mark.parametrize(
    ("question", "told", "near"),
    [
        ("in May 2023", (date(2023, 5, 8), date(2023, 5, 8)), 1.0),
        ("in May", (date(2023, 5, 8), date(2023, 5, 8)), 1.0),
        ("on 8 May 2023", (date(2023, 5, 7), date(2023, 5, 7)), 0.8),
        ("on 8 May 2023", (date(2023, 5, 8), date(2023, 5, 14)), 0.5),
        ("on 8 May 2023", (date(2023, 5, 1), date(2023, 5, 31)), 1 / 31),
        ("in May 2023", (date(2023, 1, 1), date(2023, 12, 31)), 31 / 365),
        ("in May 2023", (date(2023, 4, 29), date(2023, 5, 5)), 5 / 7),
        ("in 2024", (date(2023, 5, 8), date(2023, 5, 8)), 0.0),
        ("国庆节", (date(2022, 10, 3), date(2022, 10, 3)), 1.0),
        ("去年国庆节", (date(2022, 10, 3), date(2022, 10, 3)), 0.0),
        ("on Christmas", (date(2019, 12, 26), date(2019, 12, 26)), 0.8),
    ],
)
def test_what_is_told_of_counts(question: str, told: tuple[date, date], near: float) -> None:
    """Of the days a text tells of, the share inside those asked for; around a short time less."""
    days = [(told[0].toordinal(), told[1].toordinal())]
    assert told_nearness(spans(question, NOW), days) == pytest.approx(near)
    assert told_nearness(spans(question, NOW), []) == 0


@pytest.mark.parametrize(
    ("question", "day"), [("What is on tomorrow?", 1), ("下周做什么", 8), ("next Christmas?", 25)]
)
def test_what_is_to_come_is_told_of(question: str, day: int) -> None:
    """Nobody has said anything yet on a day that comes; who spoke of it is found."""
    times = spans(question, NOW)
    run = (date(2026, 12, day).toordinal(),) * 2
    assert nearness(times, NOW) == 0
    assert told_nearness(times, [run]) == 1


@given(st.text(max_size=60), st.datetimes(timezones=st.just(UTC)))
def test_no_text_and_no_clock_breaks_it(text: str, now: datetime) -> None:
    """Any text at any time gives times whose nearness is between 0 and 1."""
    assert 0 <= nearness(spans(text, now), now) <= 1


@given(st.sampled_from(["999 years ago", "12个月前", "last winter", "99 days ago"]))
def test_before_the_calendar_there_is_no_time(text: str) -> None:
    """Counting back behind year 1 names nothing, and does not fail."""
    assert spans(text, datetime(1, 1, 1, tzinfo=UTC)) == ()
