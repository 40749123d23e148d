"""What calls to a model took, by day, stage and model. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from alaya.model.call import Outcome, Usage, UsageRow

_Key = tuple[str, str, str, str]


def rows(usages: Iterable[Usage]) -> tuple[UsageRow, ...]:
    """One row for each day (UTC), stage, model and currency, in that order."""
    groups: dict[_Key, list[Usage]] = {}
    for usage in usages:
        key = (f"{usage.at:%Y-%m-%d}", usage.stage, usage.model, usage.currency)
        groups.setdefault(key, []).append(usage)
    return tuple(_row(key, groups[key]) for key in sorted(groups))


def _row(key: _Key, usages: Sequence[Usage]) -> UsageRow:
    day, stage, model, currency = key
    count = {outcome: sum(u.outcome is outcome for u in usages) for outcome in Outcome}
    costs = [usage.cost for usage in usages if usage.cost is not None]
    return UsageRow(
        day=day,
        stage=stage,
        model=model,
        calls=len(usages),
        answered=count[Outcome.ANSWERED],
        rejected=count[Outcome.REJECTED],
        parked=count[Outcome.PARKED],
        failed=count[Outcome.FAILED],
        unfinished=count[Outcome.ASKED],
        tokens_in=sum(usage.tokens_in for usage in usages),
        tokens_out=sum(usage.tokens_out for usage in usages),
        latency_ms=sum(usage.latency_ms for usage in usages),
        cost=sum(costs) if costs else None,
        currency=currency,
    )
