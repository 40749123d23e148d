"""When something is due: the five fields of a cron table, read, reckoned with, and told to systemd.

Minute, hour, day, month, weekday. Where both day and weekday are narrowed, either will do, as cron
has it. Times are local, as cron's are.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

_BOUNDS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
_WEEKDAYS = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
_DAYS_AHEAD = 8 * 366  # the 29th of February comes within eight years


@dataclass(frozen=True)
class Schedule:
    """The values that each field allows; weekdays from 0, which is Sunday, to 6."""

    text: str
    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: tuple[int, ...]
    months: tuple[int, ...]
    weekdays: tuple[int, ...]
    any_day: bool
    any_weekday: bool

    def on(self, day: datetime) -> bool:
        """Whether something is due on this day at all."""
        if day.month not in self.months:
            return False
        in_month = day.day in self.days
        in_week = (day.weekday() + 1) % 7 in self.weekdays
        if self.any_day or self.any_weekday:
            return in_month and in_week
        return in_month or in_week


def read(text: str) -> Schedule:
    """A schedule from five fields that the configuration has checked (`cron_table`)."""
    fields = text.split()
    minutes, hours, days, months, weekdays = (
        _values(field, bounds) for field, bounds in zip(fields, _BOUNDS, strict=True)
    )
    week = tuple(sorted({day % 7 for day in weekdays}))
    return Schedule(
        " ".join(fields),
        minutes,
        hours,
        days,
        months,
        week,
        any_day=fields[2].startswith("*"),
        any_weekday=fields[4].startswith("*"),
    )


def next_after(schedule: Schedule, at: datetime) -> datetime | None:
    """The first minute after `at` at which it is due, in the zone of `at`; None for never."""
    first = at.replace(second=0, microsecond=0) + timedelta(minutes=1)
    for ahead in range(_DAYS_AHEAD):
        day = first if not ahead else (first + timedelta(days=ahead)).replace(hour=0, minute=0)
        if not schedule.on(day):
            continue
        for hour in schedule.hours:
            for minute in schedule.minutes:
                if (hour, minute) >= (day.hour, day.minute):
                    return day.replace(hour=hour, minute=minute)
    return None


def on_calendar(schedule: Schedule) -> list[str]:
    """The same for systemd's `OnCalendar=`; two lines where either day or weekday will do."""
    time = f"{_listed(schedule.hours, 24)}:{_listed(schedule.minutes, 60)}:00"
    months = _listed(schedule.months, 12)
    week = ",".join(_WEEKDAYS[day] for day in schedule.weekdays)
    by_day = f"*-{months}-{_listed(schedule.days, 31)} {time}"
    by_week = f"{week} *-{months}-* {time}"
    if schedule.any_day and schedule.any_weekday and len(schedule.weekdays) == 7:
        return [by_day]
    if schedule.any_day or schedule.any_weekday:
        return [by_day if len(schedule.weekdays) == 7 else f"{week} {by_day}"]
    return [by_day, by_week]


def _listed(values: tuple[int, ...], whole: int) -> str:
    return "*" if len(values) == whole else ",".join(f"{value:02}" for value in values)


def _values(field: str, bounds: tuple[int, int]) -> tuple[int, ...]:
    found: set[int] = set()
    for part in field.split(","):
        span, _, step = part.partition("/")
        first, _, last = span.partition("-")
        if span == "*":
            low, high = bounds
        else:
            low = int(first)
            high = int(last) if last else (bounds[1] if step else low)
        found.update(range(low, high + 1, int(step or 1)))
    return tuple(sorted(found))
