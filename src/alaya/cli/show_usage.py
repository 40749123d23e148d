"""What `alaya usage` prints: a line for each day, stage and model, then the sum of the day."""

from __future__ import annotations

from alaya.cli.page import Page, one_line
from alaya.model.call import UsageReport, UsageRow

_OUTCOMES = ("rejected", "parked", "failed", "unfinished")


def usage_lines(report: UsageReport, page: Page) -> list[str]:
    """Calls, tokens, time and cost; what did not go well is counted by name."""
    say = page.say
    lines = [page.heading("🧾", say("usage.heading"))]
    day = ""
    for row in report.rows:
        if row.day != day:
            day = row.day
            lines.append(day)
        lines += [f"  {line}" for line in _row(row, page)]
    if not report.rows:
        lines.append(say("usage.none"))
    if report.limit:
        lines.append(say("usage.budget", used=report.today, limit=report.limit))
    else:
        lines.append(say("usage.today", used=report.today))
    return lines


def _row(row: UsageRow, page: Page) -> list[str]:
    say = page.say
    told = say(
        "usage.row",
        stage=one_line(row.stage, 40),
        model=one_line(row.model, 80),
        calls=row.calls,
        tokens_in=row.tokens_in,
        tokens_out=row.tokens_out,
        seconds=f"{row.latency_ms / 1000:,.1f}",
    )
    if row.cost is not None:
        told += say("usage.cost", cost=f"{row.cost:,.4f}", currency=row.currency)
    bad = [say(f"usage.{name}", count=n) for name in _OUTCOMES if (n := getattr(row, name))]
    return [told, *([page.warn(", ".join(bad), "  ")] if bad else [])]
