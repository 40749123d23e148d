"""When facts began and ended, as people and models write it; and Chinese names of people."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from alaya.distill import names_zh
from alaya.distill.single import is_over, single
from alaya.distill.when import moment, named_in

SAID = datetime(2024, 6, 10, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("2019", "2019-01-01"),
        ("2019-5", "2019-05-01"),
        ("2019-05-31", "2019-05-31"),
        ("May 2019", "2019-05-01"),
        ("last May", "2024-05-01"),
        ("September", "2024-09-01"),
        ("three years ago", "2021-01-01"),
        ("last Friday", "2024-06-07"),
        ("next month", "2024-07-01"),
        ("last summer", "2023-06-01"),
        ("去年", "2023-01-01"),
        ("去年五月", "2023-05-01"),
        ("2019年5月3日", "2019-05-03"),
        ("上周五", "2024-06-07"),
        ("下个月", "2024-07-01"),
        ("三年前", "2021-01-01"),
    ],
)
def test_moment(words: str, day: str) -> None:
    """A time is its first moment, counted from when it was said."""
    assert moment(words, SAID) == datetime.fromisoformat(day).replace(tzinfo=UTC)


@pytest.mark.parametrize("words", ["", "a while ago", "很久以前", "2019-02-30", "2019-13", "soon"])
def test_no_moment(words: str) -> None:
    """What names no day of the calendar is no time: nothing is guessed."""
    assert moment(words, SAID) is None


def test_moments_as_they_are() -> None:
    """Now is when it was said; a time with a clock and a zone is that instant."""
    assert moment("now", SAID) == moment("现在", SAID) == SAID
    instant = datetime(2019, 5, 31, 8, tzinfo=UTC)
    assert moment("2019-05-31T10:00:00+02:00", SAID) == instant


def test_in_a_sentence() -> None:
    """The one past time of a sentence; of two, or of one to come, none."""
    assert named_in("We moved last year.", SAID) == datetime(2023, 1, 1, tzinfo=UTC)
    assert named_in("From May 2019 to June 2020 we lived there.", SAID) is None
    assert named_in("We move next month.", SAID) is None


def test_relations() -> None:
    """One relation under many names, in both languages; what can be many is none of these."""
    assert {single(name) for name in ("LIVES_IN", "MOVED_TO", "住在", "搬到了")} == {"home"}
    assert single("FAVORITE_COLOR") != single("FAVORITE_FOOD") != ""
    assert [single(name) for name in ("HAS_PET", "LIKES", "养了", "朋友")] == [""] * 4
    assert is_over("LIVED_IN")
    assert is_over("曾住在")
    assert not is_over("LIVES_IN")


def test_chinese_names() -> None:
    """Full names that are met twice or told, 老李 and 张老师 at once; 方便 is none."""
    texts = [
        "我和王强去了高铁站，方便。",
        "王强说任何时间都行，高兴。",
        "老李见了张老师。",
        "他名叫赵雅琳。",
    ]
    assert [name for _, _, name in names_zh.found(texts)] == [
        "王强",
        "王强",
        "老李",
        "张老师",
        "赵雅琳",
    ]
    for number, at, name in names_zh.found(texts):
        assert texts[number][at : at + len(name)] == name
