"""Times that a text names: in a question, and where it is told when something was."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alaya.model.named import Named, mentioned, named

TODAY = date(2026, 11, 30)  # a Monday


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in may 2023", Named(2023, 5)),
        ("MARCH 5, 2024", Named(2024, 3, 5)),
        ("on march 8th", Named(None, 3, 8)),
        ("the 4th of July", Named(None, 7, 4)),
        ("What September trip?", Named(None, 9)),
        ("at the end of April", Named(None, 4)),
        ("in march", Named(None, 3)),
        ("2023.5.8", Named(2023, 5, 8)),
        ("2023/05/08", Named(2023, 5, 8)),
        ("2023-05-08T10:00", Named(2023, 5, 8)),
        ("in 2022 she moved", Named(2022)),
        ("her 2023 trip", Named(2023)),
        ("二〇二三年五月八日", Named(2023, 5, 8)),
        ("二零二三年", Named(2023)),
        ("2023年的5月", Named(2023, 5)),
        ("上个月8号", Named(2026, 10, 8)),
        ("下个月三号", Named(2026, 12, 3)),
        ("明年3月", Named(2027, 3)),
        ("on Christmas", Named(festival="christmas")),
        ("Christmas 2022", Named(2022, festival="christmas")),
        ("this Christmas", Named(2026, festival="christmas")),
        ("Thanksgiving last year", Named(2025, festival="thanksgiving")),
        ("New Year's Eve", Named(festival="new year's eve")),
        ("happy New Year!", Named(festival="new year")),
        ("Halloween", Named(festival="halloween")),
        ("valentines day", Named(festival="valentine")),
        ("the day after Christmas", Named(festival="christmas", later=1)),
        ("the day before 8 May", Named(None, 5, 8, later=-1)),
        ("圣诞节第二天", Named(festival="christmas", later=1)),
        ("去年春节", Named(2025, festival="spring festival")),
        ("2024年国庆", Named(2024, festival="national")),
        ("国庆去了哪", Named(festival="national")),
        ("十一长假", Named(festival="national")),
        ("你五一去了哪", Named(festival="labour")),
        ("中秋那天", Named(festival="mid-autumn")),
        ("元旦", Named(festival="new year")),
        ("情人节", Named(festival="valentine")),
        ("今年过年", Named(2026, festival="spring festival")),
    ],
)
def test_named(text: str, expected: Named) -> None:
    """Months, days, years and festivals, in capitals or not, as both languages write them."""
    assert named(text, TODAY) == (expected,)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("last Christmas", date(2025, 12, 25), date(2025, 12, 25)),
        ("next Christmas", date(2026, 12, 25), date(2026, 12, 25)),
        ("last Halloween", date(2026, 10, 31), date(2026, 10, 31)),
        ("two weekends ago", date(2026, 11, 21), date(2026, 11, 22)),
        ("half a year ago", date(2026, 5, 1), date(2026, 5, 31)),
        ("半年前", date(2026, 5, 1), date(2026, 5, 31)),
        ("半个月前", date(2026, 11, 16), date(2026, 11, 22)),
        ("前年夏天", date(2024, 6, 1), date(2024, 8, 31)),
        ("the night before last", date(2026, 11, 28), date(2026, 11, 28)),
        ("tomorrow", date(2026, 12, 1), date(2026, 12, 1)),
    ],
)
def test_counted(text: str, first: date, last: date) -> None:
    """What counts from today are days of the calendar, before it and after it."""
    assert named(text, TODAY) == (Named(between=(first, last)),)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "May I ask",
            "I may go",
            "May told me",
            "with May and April",
            "June said hi",
            "Jan is here",
        ),
        *(
            "they march on",
            "we march 5 miles",
            "the march of time",
            "April's book",
            "the last march",
        ),
        *(
            "step 5 May be skipped",
            "the mayor decides",
            "this may be",
            "a feaster",
            "marching 2 by 2",
        ),
        *("3.14", "v1.2.3", "version 2023.1.5", "pip install x==2023.1.5", "release 2024.10.2"),
        *("at 12:30", "10:45 pm", "12/25", "21-14", "$1999", "1920x1080", "port 2000", "the 1990s"),
        *(
            "in 2000 pieces",
            "2000 dollars",
            "of 2000 people",
            "in 2000km",
            "2,023",
            "by 2048 bytes",
        ),
        *("Easter eggs", "a Christmas tree", "a fall of 2000 feet", "New Year resolution", "sun 5"),
        *(
            "五月天的歌",
            "三月亮",
            "3个月",
            "一个月",
            "第3月台",
            "3.8元",
            "8号楼",
            "5点半",
            "第五十七回",
        ),
        *(
            "2000年前",
            "百分之五",
            "五一路",
            "五一广场",
            "三五一二",
            "王国庆来了",
            "国庆去世了",
            "圣诞老人",
        ),
        *("三八线", "二〇二三", "2023", "六一二", "端着", "清明上河图", "十一个人", "12345年"),
    ],
)
def test_no_time(text: str) -> None:
    """Names, verbs, numbers, versions, clocks and streets are no days, in both languages."""
    assert named(text, TODAY) == ()
    assert mentioned(text, TODAY) == ()


def days(*spans: tuple[date, date]) -> tuple[tuple[int, int], ...]:
    return tuple((first.toordinal(), last.toordinal()) for first, last in spans)


def test_mentioned() -> None:
    """The days a text tells of, in order, without those in which it is told."""
    assert mentioned("met yesterday, on 8 May and in 2023; today, this year, 今年", TODAY) == days(
        (date(2023, 1, 1), date(2023, 12, 31)),
        (date(2026, 5, 8), date(2026, 5, 8)),
        (date(2026, 11, 29), date(2026, 11, 29)),
    )
    assert mentioned("昨天和去年国庆节", TODAY) == days(
        (date(2025, 10, 1), date(2025, 10, 7)), (date(2026, 11, 29), date(2026, 11, 29))
    )
    assert len(mentioned(" ".join(f"{n} May," for n in range(1, 31)), TODAY)) == 8


@pytest.mark.parametrize(
    ("text", "year"),
    [("in June", 2026), ("8 August", 2026), ("on 8 March", 2027), ("元旦", 2027), ("中秋节", 2026)],
)
def test_which_year(text: str, year: int) -> None:
    """Of each year's days the last ones are meant, unless the next are twice as near."""
    ((first, _),) = mentioned(text, TODAY)
    assert date.fromordinal(first).year == year


def test_day_after_days() -> None:
    """The day after a week of holidays is one day."""
    (one,) = named("国庆节第二天", date(2026, 3, 1))
    assert one.runs(739_000, 739_000)[1] == (date(2024, 10, 8).toordinal(),) * 2


@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from(
            [
                *("last ", "May", "5 ", "2023", "Christmas", "the day after ", "in ", "-", "."),
                *("二〇", "五", "月", "三号", "年", "去年", "国庆", "第二天", "İ", "周五"),
            ]
        ),
        max_size=9,
    ).map("".join),
    st.dates(),
)
def test_any_text_on_any_day(text: str, today: date) -> None:
    """Whatever is said on whatever day: days in order, a year's worth at most, none of today."""
    now = today.toordinal()
    for one in named(text, today):
        for first, last in one.runs(now, now):
            assert 0 < first <= last < first + 367
    found = mentioned(text, today)
    assert list(found) == sorted(set(found))
    assert not any(first <= now <= last for first, last in found)
