"""Cron tables: when something is due, and what systemd is told."""

from __future__ import annotations

import shutil
import subprocess
from datetime import UTC, datetime

import pytest

from alaya.config_values import cron_table
from alaya.introspect.schedule import next_after, on_calendar, read

AT = datetime(2026, 3, 31, 6, 29, 30, tzinfo=UTC)  # a Tuesday


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0 */4 * * *", "2026-03-31 08:00"),
        ("0 3 * * *", "2026-04-01 03:00"),
        ("30 6 * * *", "2026-03-31 06:30"),
        ("29 6 * * *", "2026-04-01 06:29"),
        ("*/7 * * * *", "2026-03-31 06:35"),
        ("0 0 1 * *", "2026-04-01 00:00"),
        ("0 0 29 2 *", "2028-02-29 00:00"),
        ("15 10 * * 1-5", "2026-03-31 10:15"),
        ("15 10 * * 0", "2026-04-05 10:15"),
        ("15 10 * * 7", "2026-04-05 10:15"),
        ("0 0 13 * 5", "2026-04-03 00:00"),  # either will do: the 13th, or a Friday
        ("5,50 22-23/1 * 12 *", "2026-12-01 22:05"),
        ("0 0 31 2 *", None),
    ],
)
def test_next(text, expected) -> None:
    """The first minute after a time at which a cron table is due."""
    assert cron_table(text) is None
    found = next_after(read(text), AT)
    assert (found and found.strftime("%Y-%m-%d %H:%M")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0 */4 * * *", ["*-*-* 00,04,08,12,16,20:00:00"]),
        ("* * * * *", ["*-*-* *:*:00"]),
        ("0 3 * * 1,7", ["Sun,Mon *-*-* 03:00:00"]),
        ("0 3 1 6 *", ["*-06-01 03:00:00"]),
        ("0 0 13 * 5", ["*-*-13 00:00:00", "Fri *-*-* 00:00:00"]),
    ],
)
def test_on_calendar(text, expected) -> None:
    """The same for systemd; two lines where cron takes either day."""
    assert on_calendar(read(text)) == expected


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not here")
@pytest.mark.parametrize("text", ["0 */4 * * *", "*/7 1-5 1,15 */3 1-5", "0 0 * * 0"])
def test_systemd_reads_it(text) -> None:
    """What is written is what systemd understands."""
    for line in on_calendar(read(text)):
        done = subprocess.run(["systemd-analyze", "calendar", line], check=False)
        assert done.returncode == 0, line
