"""What `alaya distill` prints, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from alaya.cli.page import Page
from alaya.cli.show_distill import distill_lines
from alaya.model.call import Estimate
from alaya.model.report import DistillReport, Outcome, SessionDistil

Make = Callable[..., Page]


def test_distill_prints_cards_links_and_that_it_was_rules(samples: Any, make_page: Make) -> None:
    """As the design shows; then the path that was taken and how to configure another."""
    lines = distill_lines(samples.distill, make_page(decor=True))
    text = "\n".join(lines)
    for part in (
        "🧠 Distilling s1",
        "Found 2 cards:",
        "✓ Card: Telegram 消息通知机制 [concept]",
        "Created 1 link:",
        '✓ "B" CAUSED_BY "Telegram 消息通知机制"',
        "Nothing worth a card in 1 session",
        "--all takes them",
        "Left out 2 weaker passages",
        "3 sessions, 2 cards, 1 link",
        "rules, no model configured",
        "alaya config set distill.llm_provider openai",
    ):
        assert part in text, part
    chinese = "\n".join(distill_lines(samples.distill, make_page("zh")))
    assert "按规则提炼，未配置模型" in chinese


def test_which_path_was_taken(make_page: Make, samples: Any) -> None:
    """By rules although a model is configured, with a model and its tokens, or nothing to do."""
    lines = distill_lines(samples.distill, make_page(), llm="openai")
    assert "Distilled by rules, as was asked; openai is configured" in lines
    used = distill_lines(DistillReport("m", "gpt-x"), make_page())
    assert "Distilled with gpt-x" in used
    assert any("Nothing to distil" in line for line in used)
    one = SessionDistil("s1", Outcome.DISTILLED, (("c", "Tea", "concept"),), tokens_in=1200)
    told = distill_lines(DistillReport("m", "gpt-x", (one,)), make_page())
    assert "Distilled with gpt-x: 1,200 tokens in, 0 out (alaya usage)" in told


def test_what_was_not_answered(make_page: Make) -> None:
    """Each failure with its reason, why it stopped, and what is left; never as complete."""
    sessions = (
        SessionDistil("s1", Outcome.FAILED, because="it holds no JSON but: I will not"),
        SessionDistil("s2", Outcome.WAITING),
        SessionDistil("s3", Outcome.DISTILLED, (("c", "Tea", "concept"),)),
    )
    reason = (
        "distill.max_tokens_per_day is 10: 9 are used today (UTC), and this call may take 5 more; "
        "go on tomorrow, or raise the limit"
    )
    report = DistillReport("m", "gpt-x", sessions, stopped=reason, stopped_by="budget")
    text = "\n".join(distill_lines(report, make_page()))
    assert "s1 was not distilled: it holds no JSON" in text
    assert "Stopped: distill.max_tokens_per_day is 10" in text
    assert "Not complete: 1 session done, 1 card, 0 links; 2 sessions left" in text
    assert "Distillation complete" not in text
    chinese = "\n".join(distill_lines(report, make_page("zh")))
    assert "已停止：distill.max_tokens_per_day 为 10" in chinese
    assert "s1 未提炼" in chinese


def test_new_versions(make_page: Make) -> None:
    """A card that was replaced by a newer version is named with it."""
    one = SessionDistil("s1", Outcome.DISTILLED, revised=(("c", "茶", 2),))
    text = "\n".join(distill_lines(DistillReport("m", "gpt-x", (one,)), make_page("zh")))
    assert "新版本：茶（第 2 版）" in text
    assert "1 张卡片有了新版本" in text


def test_dry_run(make_page: Make) -> None:
    """What it would take, against what the day still allows."""
    waits = (SessionDistil("s1", Outcome.WAITING), SessionDistil("s2", Outcome.TOO_SHORT))
    wanted = Estimate(3, 1, 5000, 900, 0.0123, "USD", left_today=100)
    report = DistillReport("m", "gpt-x", waits, estimate=wanted, dry_run=True)
    text = "\n".join(distill_lines(report, make_page()))
    assert "Nothing was written\nTo distil: 1 session" in text
    assert "At most 2 calls (1 answered before), 5,000 tokens in, 900 out" in text
    assert "At most 0.0123 USD" in text
    assert "more than distill.max_tokens_per_day leaves" in text
    rules = DistillReport("rules-4", None, waits, dry_run=True)
    assert "Distilled by rules" not in "\n".join(distill_lines(rules, make_page()))
