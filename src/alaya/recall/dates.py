"""How near what was said is to the times that a question names.

spans("what did she paint in May 2023?", now)   -> 1 May to 1 June 2023
nearness(spans, said_at, days)                  -> 1 in that month, or where a text tells of it
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from alaya.model.named import Days, Named, named

__all__ = ["Named", "nearness", "spans"]
_SHORT = 8  # days that a time has at most whose days around count as well
_INSIDE = 0.5  # a day of the week that a text tells of


def spans(text: str, now: datetime) -> tuple[Named, ...]:
    """Every time that a question names; none for most questions."""
    today = now.date()
    return tuple(
        replace(one, ahead=one.between is not None and one.between[0] > today)
        for one in named(text, today)
    )


def nearness(times: Sequence[Named], said_at: datetime, *, days: Sequence[Days] = ()) -> float:
    """How near a text is to any time that was named, 0..1: when it was said, or what it tells of.

    1 inside that time; of a longer one that a text tells of, the share that lies inside. Around a
    day or a week less, 0 beyond a week: things are told the day after. What is still to come is
    told of, and never said in.
    """
    said = said_at.toordinal()
    found = 0.0
    for one in times:
        for first, last in days if one.ahead else ((said, said), *days):
            found = max(found, _near(one, first, last=last))
    return found


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
