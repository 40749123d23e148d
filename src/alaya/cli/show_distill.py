"""What `alaya distill` prints: what came of the sessions, by what, and what was not answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from alaya.cli.page import Page, one_line
from alaya.model.call import Estimate
from alaya.model.report import DistillReport, Outcome, SessionDistil, SummariesReport

_LEVELS = ("topic", "session", "theme")  # of summaries
_MANY = 20  # sessions: more than this are only counted
_WRONG = (Outcome.FAILED, Outcome.WAITING)


def distill_lines(report: DistillReport, page: Page, *, llm: str | None = None) -> list[str]:
    """`alaya distill`. `llm`: the provider that is configured."""
    if report.dry_run:
        return _forecast(report, page)
    say = page.say
    useful = [s for s in report.sessions if s.cards or s.revised]
    lines: list[str] = []
    for item in useful[:_MANY]:
        lines += _distilled(item, page)
    if len(useful) > _MANY:
        lines.append(say("more", count=len(useful) - _MANY))
    lines += _others(report.sessions, page)
    unsupported = sum(s.unsupported for s in report.sessions)
    dropped = sum(s.dropped for s in report.sessions) - unsupported
    if dropped:
        lines.append(say("distill.dropped", count=dropped))
    if unsupported:
        lines.append(say("distill.unsupported", count=unsupported))
    done = say(
        "distill.complete", sessions=len(report.sessions), cards=report.cards, links=report.links
    )
    if report.revised:
        lines.append(say("distill.revisions", count=report.revised))
    if report.failed:
        lines += _failed(report, page)
    elif report.sessions:
        lines.append(page.done(done))
    else:
        lines.append(page.done(say("distill.none")))
    return [*lines, *_summed_up(report.summaries, page), *_by(report, page, llm=llm)]


def _summed_up(report: SummariesReport | None, page: Page) -> list[str]:
    """How many summaries were made of each level, and why others were not."""
    if report is None:
        return []
    lines = []
    if report.made:
        counts = Counter(level for _, level, _ in report.made)
        lines.append(page.say("distill.summaries", **{n: counts[n] for n in _LEVELS}))
    reasons = [page.local(one_line(why, 300)) for why in report.left]
    return lines + [page.say("distill.summaries_left", reason=why) for why in reasons]


def _others(sessions: Sequence[SessionDistil], page: Page) -> list[str]:
    """How many had another outcome than cards, and why where it is one session."""
    say = page.say
    others = Counter(s.outcome for s in sessions if s.outcome is not Outcome.DISTILLED)
    lines = [say(f"outcome.{outcome.value}", count=n) for outcome, n in others.items()]
    if len(sessions) == 1 and sessions[0].because and sessions[0].outcome not in _WRONG:
        lines.append("  " + page.local(one_line(sessions[0].because, 300)))
    return lines


def _failed(report: DistillReport, page: Page) -> list[str]:
    """What was not answered, with the reason, and that it stays to be done."""
    say = page.say
    failed = [s for s in report.sessions if s.outcome is Outcome.FAILED]
    lines = [
        page.warn(
            say("distill.failed", id=one_line(s.session, 100), why=page.local(_short(s.because)))
        )
        for s in failed[:_MANY]
    ]
    if len(failed) > _MANY:
        lines.append(say("more", count=len(failed) - _MANY))
    waiting = report.count(Outcome.WAITING)
    if report.stopped:
        lines.append(page.warn(say("distill.stopped", why=page.local(_short(report.stopped)))))
    distilled = sum(s.outcome not in _WRONG for s in report.sessions)
    lines.append(
        say(
            "distill.incomplete",
            sessions=distilled,
            cards=report.cards,
            links=report.links,
            left=len(failed) + waiting,
        )
    )
    return lines


def _short(reason: str) -> str:
    return one_line(reason, 300)


def _by(report: DistillReport, page: Page, *, llm: str | None) -> list[str]:
    """Which path was taken: a model and its tokens, or rules, and why."""
    say = page.say
    if report.model:
        tokens_in = sum(s.tokens_in for s in report.sessions)
        tokens_out = sum(s.tokens_out for s in report.sessions)
        if not tokens_in + tokens_out:
            return [say("distill.model", name=report.model)]
        return [
            say(
                "distill.model_tokens",
                name=report.model,
                tokens_in=tokens_in,
                tokens_out=tokens_out,
            )
        ]
    if llm:
        return [say("distill.rules_wanted", provider=llm)]
    return [say("distill.rules"), say("distill.configure")]


def _forecast(report: DistillReport, page: Page) -> list[str]:
    say = page.say
    lines = [say("distill.would"), *_others(report.sessions, page)]
    found = report.estimate
    if not report.sessions:
        return [*lines, say("distill.none")]
    if found is None:
        return [*lines, say("distill.would_rules", name=report.distiller)]
    lines.append(
        say(
            "distill.estimate",
            calls=found.calls - found.kept,
            kept=found.kept,
            tokens_in=found.tokens_in,
            tokens_out=found.tokens_out,
        )
    )
    if found.stages:
        stages = ", ".join(f"{name} {count:,}" for name, count in found.stages.items())
        lines.append(say("distill.estimate_stages", stages=stages))
    if found.cost is not None:
        cost = f"{found.cost:,.4f}"
        lines.append(say("distill.estimate_cost", cost=cost, currency=found.currency))
    if _too_much(found):
        lines.append(page.warn(say("distill.over", left=found.left_today)))
    elif found.left_today is not None:
        lines.append(say("distill.left", left=found.left_today))
    return [*lines, say("distill.would_ask", name=report.model)]


def _too_much(found: Estimate) -> bool:
    return found.left_today is not None and found.tokens_in + found.tokens_out > found.left_today


def _distilled(item: SessionDistil, page: Page) -> list[str]:
    say = page.say
    lines = [page.heading("🧠", say("distill.session", id=one_line(item.session, 100)))]
    if item.cards:
        lines.append("  " + say("distill.found", count=len(item.cards)))
    for _, title, kind in item.cards:
        lines.append(page.done(say("distill.card", title=one_line(title, 120), kind=kind), "  "))
    for _, title, version in item.revised:
        text = say("distill.revised", title=one_line(title, 120), version=version)
        lines.append(page.done(text, "  "))
    if item.links:
        lines.append("  " + say("distill.links", count=len(item.links)))
    for source, relation, target in item.links:
        text = f'"{one_line(source, 60)}" {relation} "{one_line(target, 60)}"'
        lines.append(page.done(text, "  "))
    return lines
