"""Times are aware and in UTC; text is ISO 8601 with microseconds and `Z`, so that it sorts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from alaya.errors import InvalidInput

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WRITTEN = len("2026-03-31T06:29:00.000000Z")  # what format_time writes
_MILLISECONDS_FROM = 1e11  # in seconds this is the year 5138; smaller numbers are seconds


def parse_time(value: object) -> datetime:
    """An aware UTC time from ISO text, epoch seconds or epoch milliseconds.

    A text without a zone is read as UTC. Raises InvalidInput for anything else.
    """
    if type(value) is str and len(value) == _WRITTEN and value[-1] == "Z":
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            pass  # said below
    if isinstance(value, bool) or value is None:
        raise InvalidInput(f"not a time: {value!r}")
    try:
        if isinstance(value, datetime):
            return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)
        if isinstance(value, int | float):
            seconds = value / 1000 if abs(value) >= _MILLISECONDS_FROM else float(value)
            return EPOCH + timedelta(seconds=seconds)
        text = str(value).strip()
        if text.replace(".", "", 1).lstrip("-").isdecimal() and len(text.split(".")[0]) > 8:
            return parse_time(float(text))
        return parse_time(datetime.fromisoformat(text))
    except (ValueError, OverflowError) as error:
        shown = repr(value)[:100]
        raise InvalidInput(f"not a time: {shown} (use ISO 8601 or epoch milliseconds)") from error


def format_time(value: datetime) -> str:
    """ISO 8601 in UTC, always the same length: `2026-03-31T06:29:00.000000Z`."""
    return value.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def utc_now() -> datetime:
    """The clock. Only wiring and the edges call it; everything else is told the time."""
    return datetime.now(UTC)
