"""Times as people write them, in English and Chinese."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from alaya.ingest.times import is_written_for_machines, read_time


def at(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1:56 pm on 8 May, 2023", at(2023, 5, 8, 13, 56)),
        ("12:48 am on 1 February, 2023", at(2023, 2, 1, 0, 48)),
        ("12:05 p.m., 8th of May 2023", at(2023, 5, 8, 12, 5)),
        ("3 pm, 5 Sept 2024", at(2024, 9, 5, 15)),
        ("29.12.2023, 22:42:04", at(2023, 12, 29, 22, 42, 4)),
        ("March-15-2024", at(2024, 3, 15)),
        ("15-Mar-2024", at(2024, 3, 15)),
        ("Monday, January 15th, 2024 at 3:45 PM", at(2024, 1, 15, 15, 45)),
        ("Mon Jan 15 10:00:00 UTC 2024", at(2024, 1, 15, 10)),
        ("12/29/2023, 10:42 PM", at(2023, 12, 29, 22, 42)),
        ("29/12/2023", at(2023, 12, 29)),
        ("05/05/2023", at(2023, 5, 5)),
        ("2024-03-05 14:00 at home", at(2024, 3, 5, 14)),
        ("8 May 2023 08:00-10:00", at(2023, 5, 8, 8)),
        ("from 8 May 2023 to 9 June 2024", at(2023, 5, 8)),
    ],
)
def test_english(text: str, told: datetime) -> None:
    """What English chats, mails and exports write is read; without a zone it is UTC."""
    assert read_time(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("2024年3月5日 14:00 家里", at(2024, 3, 5, 14)),
        ("2024年04月01日 周一 08:30 广东深圳", at(2024, 4, 1, 8, 30)),
        ("2024年3月5号下午3点半", at(2024, 3, 5, 15, 30)),
        ("二〇二四年三月五日 晚上九点一刻", at(2024, 3, 5, 21, 15)),
        ("二零二四年十二月三十一日", at(2024, 12, 31)),
        ("2024/3/5 上午9:05", at(2024, 3, 5, 9, 5)),
        ("2024.3.5 中午12点", at(2024, 3, 5, 12)),
        ("2024年3月5日 凌晨12点10分", at(2024, 3, 5, 0, 10)),
        ("2024年3月5日 夜里2点", at(2024, 3, 5, 2)),
        ("２０２４年３月５日　１４：０５", at(2024, 3, 5, 14, 5)),
        ("2024年3月5日 晚上12点", at(2024, 3, 5)),  # which midnight is not said: the day is
        ("2024年3月5日 家里三点水书店", at(2024, 3, 5)),
        ("2024年3月5日 北京时间10:00", at(2024, 3, 5, 2)),
    ],
)
def test_chinese(text: str, told: datetime) -> None:
    """Chinese dates are read, with numerals of either kind and the parts of the day."""
    assert read_time(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Mon, 15 Jan 2024 10:00:00 +0800", at(2024, 1, 15, 2)),
        ("5 Mar 2024 10:00 -0530", at(2024, 3, 5, 15, 30)),
        ("5 March 2024 10:00 UTC+8", at(2024, 3, 5, 2)),
        ("5 March 2024 10:00 GMT-3:30", at(2024, 3, 5, 13, 30)),
        ("5 March 2024 10:00 CST", at(2024, 3, 5, 10)),  # it has two meanings: none is taken
        ("5 March 2024 10:00 +9900", at(2024, 3, 5, 10)),
    ],
)
def test_zones(text: str, told: datetime) -> None:
    """An offset behind the time counts; a name that means two zones does not."""
    assert read_time(text) == told


@pytest.mark.parametrize(
    "text",
    [
        "第五十七回", "第一一九回", "第一百二十回", "chapter 12", "soon", "yesterday", "上周五",
        "May 2023", "2024年3月", "3月5日", "8 May", "10:30", "03/04/2024", "31.02.2024",
        "2024年2月30日", "v1.2.2024", "192.168.2024.1", "0999年1月1日", "14 Maybe 2024", "",
        "x" * 199 + " 8 May 2023",
    ],
)  # fmt: skip
def test_no_date(text: str) -> None:
    """Where year, month and day do not stand there, or have two readings, there is no time."""
    assert read_time(text) is None


def test_values_of_programs() -> None:
    """ISO 8601 and epoch numbers are read as everywhere else; a zero is no time."""
    assert read_time("2024-03-05T14:00:00+08:00") == at(2024, 3, 5, 6)
    assert read_time(1743403740) == read_time(1743403740000) == at(2025, 3, 31, 6, 49)
    for value in (0, -5, None, True, float("nan"), [], {"a": 1}):
        assert read_time(value) is None


def test_what_says_nothing_but_the_time() -> None:
    """Only ISO 8601 and epoch numbers are wholly said by the time that they tell."""
    assert is_written_for_machines("2024-03-05T14:00:00Z")
    assert is_written_for_machines(1743403740)
    assert not is_written_for_machines("2024年3月5日 14:00 家里")
    assert not is_written_for_machines("第五回")
