"""Summaries by a model: what it is asked, what of its answer counts, and what else is done."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from summing_up import PORT, TRIP, USER, Told

from alaya.distill.calls import Asker
from alaya.distill.summarize_rules import NAME
from alaya.model.call import Call, Problem, Reply
from alaya.model.passage import Where
from alaya.testing.scripted_llm import ScriptedLLM


@pytest.fixture
def asker(told: Told) -> Callable[..., Asker]:
    """What asks a model that says what a script says."""

    def make(script: object, **limits: int) -> Asker:
        return Asker(
            llm=ScriptedLLM(summary=script),
            archive=told.home.archive,
            user="default",
            clock=lambda: told.now,
            timer=lambda: 0.0,
            concurrency=1,
            **limits,
        )

    return make


def answer(call: Call) -> dict[str, object]:
    """Cites the first and the last number, with a topic and content that tell the language."""
    numbers = [int(n) for n in re.findall(r"^\[(\d+)\]", call.user, re.MULTILINE)]
    chinese = call.language == "zh"
    return {
        "topic": "端口冲突" if chinese else "port conflict",
        "summary": "端口 8443 的锁被删除。" if chinese else "The lock on port 8443 was deleted.",
        "sources": [numbers[0], numbers[-1]],
    }


@pytest.mark.parametrize("language", ["en", "zh"])
def test_asked(told: Told, asker, language: str) -> None:
    """Turns are numbered, in the session's language; what is cited is evidence, in its words."""
    told.says("s1", *PORT[language])
    ask = asker(answer)
    told.sums(asker=ask, close=True)
    (call,) = ask.llm.calls
    assert (call.stage, call.about, call.language) == ("summary", ("s1",), language)
    assert [line[:3] for line in call.user.split("\n")] == ["[1]", "[2]", "[3]", "[4]"]
    assert {"en": "User (31 March 2026): The gateway", "zh": "用户 (2026年3月31日): 网关"}[
        language
    ] in call.user
    (made,) = told.kept()
    assert made.topic == {"en": "port conflict", "zh": "端口冲突"}[language]
    assert made.metadata["by"] == "scripted/1"
    assert {span.turn for span in made.evidence} == {"t0", "t3"}
    assert told.home.archive.head().seq
    told.sums(asker=ask, close=True)
    assert len(ask.llm.calls) == 1
    drafts = list((told.home.archive.home / "raw" / "drafts").rglob("*.json"))
    texts = [json.loads(path.read_text("utf-8")) for path in drafts]
    (kept,) = [text for text in texts if text.get("summaries")]
    assert kept["raw"]
    assert kept["prompt_hash"] == call.version


def test_sources_are_checked(told: Told, asker) -> None:
    """Numbers that were not given do not count; an answer with no other is not believed."""
    told.says("s1", *PORT["en"])
    invented = {"topic": "war", "summary": "Carthage was destroyed.", "sources": [0, 5, -1, 99]}
    told.sums(asker=asker(lambda call: invented), close=True)
    (made,) = told.kept()
    assert "Carthage" not in made.text
    assert made.metadata["by"] == NAME
    assert "no turn" in made.metadata["because"]
    told.says("s2", *TRIP["en"])
    mixed = {"topic": "night train", "summary": "To Vienna in May.", "sources": [99, 3, 3]}
    told.sums(asker=asker(lambda call: mixed), close=True)
    found = [s for s in told.kept() if s.session == "s2"]
    assert [{span.turn for span in s.evidence} for s in found] == [{"t2"}]


def test_unusable(told: Told, asker) -> None:
    """An answer that stays unusable is parked, and rules sum up instead: nothing is left open."""
    told.says("s1", *PORT["en"])
    told.sums(asker=asker(lambda call: "I would rather not."), close=True)
    (made,) = told.kept()
    assert made.metadata["by"] == NAME
    assert made.metadata["because"]
    assert len(list(told.home.archive.parked())) == 1


def test_outage(told: Told, asker) -> None:
    """While the model cannot be reached a topic stays to be done; what was answered is kept."""
    told.says("s1", *PORT["en"], *TRIP["en"])
    replies = [answer, None]

    def one_then_none(call: Call) -> object:
        reply = replies.pop(0) if replies else None
        return reply(call) if reply else _no_answer()

    report = told.sums(asker=asker(one_then_none), close=True)
    assert [s.first_turn for s in told.kept()] == ["t0"]
    assert report.left
    ask = asker(answer)
    report = told.sums(asker=ask, close=True)
    assert [s.first_turn for s in told.kept()] == ["t0", "t4"]
    assert report.left == ()
    assert len(told.kept("session")) == 1


def _no_answer() -> Exception:
    from alaya.errors import ProviderError

    return ProviderError("the server is gone")


def test_budget(told: Told, asker) -> None:
    """The day's budget is kept: nothing is made by rules in its place, and it says why."""
    told.says("s1", *PORT["en"])
    ask = asker(answer, max_tokens_per_day=10)
    report = told.sums(asker=ask, close=True)
    assert ask.llm.calls == []
    assert told.kept() == []
    assert "max_tokens_per_day" in report.left[0]


def test_members_are_numbered(told: Told, asker) -> None:
    """Sessions and themes are asked from summaries; their evidence is that of those cited."""
    told.says("s1", *PORT["en"], *TRIP["en"])
    ask = asker(lambda call: {**answer(call), "sources": [2]})
    told.sums(asker=ask, close=True)
    (whole,) = told.kept("session")
    _, trip = told.kept()
    assert "port conflict" in ask.llm.calls[-1].user
    assert whole.evidence == trip.evidence
    told.says("s2", *PORT["en"])
    told.sums(asker=ask, close=True)
    (theme,) = told.kept("theme")
    assert set(ask.llm.calls[-1].about) == {"s1", "s2"}
    by_id = {s.id: s for s in told.kept()}
    assert theme.evidence == by_id[theme.metadata["members"][1]].evidence


def test_nothing_of_alaya_is_sent(told: Told, asker) -> None:
    """What alaya had put into a prompt is not sent, and tool output only in part."""
    block = "<alaya-memory>The house in Lisbon</alaya-memory>"
    told.says("s1", ("u", f"{block} {PORT['en'][0][1]}"), injected=((0, len(block)),))
    told.says("s1", ("t", "x" * 5_000), *PORT["en"][1:])
    ask = asker(answer)
    told.sums(asker=ask, close=True)
    (call,) = ask.llm.calls
    assert "Lisbon" not in call.user
    assert len(call.user) < 2_000


def test_refused(told: Told, asker) -> None:
    """A model that refuses is not asked again; rules sum up."""
    told.says("s1", *PORT["en"])
    ask = asker(lambda call: Reply("", problem=Problem.REFUSED))
    told.sums(asker=ask, close=True)
    assert len(ask.llm.calls) == 1
    assert told.kept()[0].metadata["by"] == NAME
    assert told.home.index.summaries(Where(USER))
