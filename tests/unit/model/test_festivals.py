"""Days of festivals, against calendars that were published."""

from __future__ import annotations

import re
from datetime import date

import pytest

from alaya.model.festivals import NAMES, SHAPE, festival, which


@pytest.mark.parametrize(
    ("name", "days"),
    [
        ("lunar new year", "1985-02-20 2000-02-05 2012-01-23 2023-01-22 2024-02-10 2033-01-31"),
        ("lunar new year's eve", "2023-01-21 2024-02-09 2025-01-28"),
        ("lantern", "2023-02-05 2024-02-24"),
        ("dragon boat", "2020-06-25 2023-06-22 2024-06-10 2025-05-31"),
        ("seventh", "2023-08-22 2024-08-10"),
        ("mid-autumn", "2001-10-01 2020-10-01 2023-09-29 2024-09-17 2025-10-06 2026-09-25"),
        ("ninth", "2023-10-23 2024-10-11"),
        ("qingming", "2020-04-04 2022-04-05 2023-04-05 2024-04-04 2026-04-05"),
        ("easter", "2000-04-23 2008-03-23 2011-04-24 2023-04-09 2024-03-31 2025-04-20"),
        ("thanksgiving", "2018-11-22 2023-11-23 2024-11-28"),
        ("mothers", "2023-05-14 2024-05-12"),
        ("fathers", "2023-06-18 2024-06-16"),
        ("halloween", "2023-10-31"),
    ],
)
def test_published_days(name: str, days: str) -> None:
    """The moon's, the sun's, a weekday's and fixed ones fall on the days that calendars give."""
    for day in map(date.fromisoformat, days.split()):
        assert festival(name, day.year) == (day, day)


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("spring festival", date(2024, 2, 9), date(2024, 2, 16)),
        ("national", date(2024, 10, 1), date(2024, 10, 7)),
        ("labour", date(2024, 5, 1), date(2024, 5, 5)),
    ],
)
def test_holidays(name: str, first: date, last: date) -> None:
    """Where days are off together, all of them are the festival."""
    assert festival(name, 2024) == (first, last)


@pytest.mark.parametrize("name", NAMES)
def test_every_name(name: str) -> None:
    """Each that is read has days in every year of the table, the lunar ones in no other."""
    assert all(festival(name, year) for year in range(1980, 2060))
    lunar = festival(name, 2060) is None
    assert lunar is (festival(name, 1979) is None)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("christmas eve", "christmas eve"),
        ("Chinese New Year", "lunar new year"),
        ("New Year's Eve", "new year's eve"),
        ("端午", "dragon boat"),
        ("五一劳动节", "labour"),
        ("Mothers’ Day", "mothers"),
        ("mid-autumn festival", "mid-autumn"),
    ],
)
def test_which(text: str, name: str) -> None:
    """The longer name is read where one stands inside another."""
    found = re.search(SHAPE, text, re.IGNORECASE)
    assert found is not None
    assert which(found) == name
