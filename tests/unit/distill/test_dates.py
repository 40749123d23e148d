"""Words that count from the day of speaking, and the days they mean."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from alaya.distill.dates import day_of, named

SAID = datetime(2023, 6, 27, 22, 30, tzinfo=UTC)  # a Tuesday


@pytest.mark.parametrize(
    ("text", "words", "meant"),
    [
        ("We met yesterday.", "yesterday", "26 June 2023"),
        ("Last night I slept.", "Last night", "26 June 2023"),
        ("the day before yesterday", "the day before yesterday", "25 June 2023"),
        ("I leave tomorrow", "tomorrow", "28 June 2023"),
        ("I ran last Friday", "last Friday", "23 June 2023"),
        ("last Tuesday", "last Tuesday", "20 June 2023"),
        ("this coming Tuesday", "this coming Tuesday", "4 July 2023"),
        ("it rained last week", "last week", "19–25 June 2023"),
        ("next week I'm off", "next week", "3–9 July 2023"),
        ("last weekend", "last weekend", "24–25 June 2023"),
        ("since last month", "last month", "May 2023"),
        ("We marry next year", "next year", "2024"),
        ("three days ago", "three days ago", "24 June 2023"),
        ("a week ago", "a week ago", "20 June 2023"),
        ("two weeks ago", "two weeks ago", "around 13 June 2023"),
        ("8 months ago", "8 months ago", "October 2022"),
        ("ten years ago", "ten years ago", "2013"),
        ("昨天见的", "昨天", "2023年6月26日"),
        ("大前天才到", "大前天", "2023年6月24日"),
        ("后天出发", "后天", "2023年6月29日"),
        ("上周五聚餐", "上周五", "2023年6月23日"),
        ("下星期一开学", "下星期一", "2023年7月3日"),
        ("上周很忙", "上周", "2023年6月19日至6月25日"),
        ("上周末爬山", "上周末", "2023年6月24日至6月25日"),
        ("上个月搬家", "上个月", "2023年5月"),
        ("去年毕业", "去年", "2022年"),
        ("前年结婚", "前年", "2021年"),
        ("两周前", "两周前", "2023年6月13日前后"),
        ("三个月前辞职", "三个月前", "2023年3月"),
        ("十年前认识", "十年前", "2013年"),
    ],
)
def test_named(text: str, words: str, meant: str) -> None:
    """Each word that counts from the day of speaking gets the day, in its own language."""
    assert named(text, SAID) == ((words, meant),)


@pytest.mark.parametrize(
    "text",
    [
        *("next Friday", "the other day", "last but not least", "yesterday-ish", "lastweek"),
        *("目前天气不错", "以前天天去", "后天努力比天赋重要", "光明日报", "明日之星", "下周几？"),
    ],
)
def test_not_named(text: str) -> None:
    """Words with several meanings, and words that only look so, are left alone."""
    assert "天" not in "".join(w for w, _ in named(text, SAID) if w != "下周")
    assert not text.isascii() or named(text, SAID) == ()


def test_several() -> None:
    """At most three, in order, each once whatever its case; the longest reading wins."""
    text = "Yesterday and yesterday, last week, last month, last year"
    assert [w for w, _ in named(text, SAID)] == ["Yesterday", "last week", "last month"]
    assert named("the day after tomorrow", SAID) == (("the day after tomorrow", "29 June 2023"),)


def test_borders() -> None:
    """Ranges name both months and years where they differ; no calendar ends in an error."""
    assert named("next week", datetime(2023, 6, 20, tzinfo=UTC))[0][1] == "26 June – 2 July 2023"
    new_year = datetime(2024, 12, 25, tzinfo=UTC)
    assert named("next week", new_year)[0][1] == "30 December 2024 – 5 January 2025"
    assert named("yesterday", datetime(1, 1, 1, tzinfo=UTC)) == ()
    assert named("99 years ago", datetime(200, 1, 1, tzinfo=UTC)) == (("99 years ago", "101"),)


def test_day_of() -> None:
    """A day is written as its language writes it."""
    assert day_of(SAID, chinese=False) == "27 June 2023"
    assert day_of(SAID, chinese=True) == "2023年6月27日"
