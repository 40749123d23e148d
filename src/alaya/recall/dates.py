"""How near what was said is to the times that a question names.

spans("what did she paint in May 2023?", now)   -> 1 May to 1 June 2023
nearness(spans, said_at, days)                  -> 1 in that month, or where a text tells of it
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from alaya.model.named import Days, Named, named

__all__ = ["Named", "nearness", "spans", "told_nearness"]
_SHORT = 8  # days that a time has at most whose days around count as well
_INSIDE = 0.5  # a day of the week that a text tells of


def spans(text: str, now: datetime) -> tuple[Named, ...]:
    """Every time that a question names; none for most questions."""
    today = now.date()
    return tuple(
        replace(one, ahead=one.between is not None and one.between[0] > today)
        for one in named(text, today)
    )


def nearness(times: Sequence[Named], said_at: datetime) -> float:
    """How near what was said then is to any time that was named, 0..1.

    1 inside that time; around a day or a week less, 0 beyond a week: things are told the day after.
    What is still to come is told of, and never said in.
    """
    said = said_at.toordinal()
    return max((_near(one, said, last=said) for one in times if not one.ahead), default=0.0)


def told_nearness(times: Sequence[Named], days: Sequence[Days]) -> float:
    """How near the days that a text tells of are to any time that was named, as `nearness`.

    Of days that lie in part inside that time it is the share that does.
    """
    return max((_near(one, first, last=last) for first, last in days for one in times), default=0.0)


def _near(one: Named, first: int, *, last: int) -> float:
    found, length = 0.0, last - first + 1
    for start, end in one.runs(first, last):
        shared = min(end, last) - max(start, first) + 1
        short = end - start < _SHORT and length <= _SHORT
        if shared > 0:
            found = max(found, shared / length, _INSIDE * short)
        elif short:
            found = max(found, _fading(1 - shared))
    return found


def _fading(days: int) -> float:
    return 0.8 if days == 1 else 0.5 if days <= 3 else 0.25 * (days <= 7)
