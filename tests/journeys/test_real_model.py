"""The whole path to a real model, which runs in another process; what it says does not matter."""

from __future__ import annotations

import json
from pathlib import Path

from alaya.memory import Memory
from alaya.model.call import Answered, Call, Outcome
from alaya.wiring import parts

SCHEMA = {
    "type": "object",
    "properties": {
        "cards": {
            "type": "array",
            "maxItems": 1,
            "items": {
                "type": "object",
                "properties": {
                    "title": {"type": "string", "maxLength": 40},
                    "turns": {"type": "array", "items": {"type": "integer"}, "maxItems": 2},
                },
                "required": ["title", "turns"],
            },
        }
    },
    "required": ["cards"],
}


def settings(url: str) -> dict[str, object]:
    return {
        "distill.llm_provider": "llama.cpp",
        "distill.base_url": url,
        "distill.model": "smollm2",
        "distill.prices": "smollm2 1 2",
        "distill.max_reply_tokens": 120,
        "embedding.provider": "none",
    }


def test_a_topic_is_summed_up(tmp_path: Path, model_url: str) -> None:
    """Whatever the model says, the topic gets one summary of words that were said, once."""
    path = tmp_path / "talk.jsonl"
    said = [
        ("user", "The site was down after the deploy on Friday, nginx refused port 8443."),
        ("assistant", "The cause was a stale lock; deleting it and reloading nginx fixed it."),
        ("user", "From now on we always reload nginx after a deploy."),
    ]
    lines = [json.dumps({"role": role, "content": words}) for role, words in said]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    wanted = {**settings(model_url), "distill.min_session_tokens": 0}
    with Memory.open(tmp_path / "home", settings=wanted) as memory:
        memory.ingest(path)
        memory.distill(rules=True)  # so that its summary is all that is asked for
        report = memory.distill(close=True)
        assert report.summaries is not None
        assert report.summaries.left == ()
        assert [level for _, level, _ in report.summaries.made] == ["topic"]
        hit = memory.recall("nginx port", include_summaries=True, include_cards=False).hits[0]
        assert hit.evidence
        (row,) = [row for row in memory.usage().rows if row.stage == "summary"]
        assert row.unfinished == 0
        assert memory.distill(close=True).summaries.made == ()
        again = [one for one in memory.usage().rows if one.stage == "summary"]
        assert [one.calls for one in again] == [row.calls]


def test_a_question_is_answered_counted_and_not_asked_twice(tmp_path: Path, model_url: str) -> None:
    """A call gives a value of the schema, its tokens and cost; another process gets it for free."""
    call = Call(
        "distill",
        "Extract one knowledge card from the conversation.",
        "[1] user: the site was down after the deploy\n[2] assistant: reload nginx",
        SCHEMA,
        about=("s1",),
    )
    asker = parts(tmp_path, settings(model_url)).asker("default")
    assert asker is not None
    assert asker.estimate([call]).kept == 0
    found = asker.ask(call)
    assert isinstance(found, Answered), found
    assert all(isinstance(card["turns"], list) for card in found.value["cards"])
    (usage,) = found.usage
    assert usage.outcome is Outcome.ANSWERED
    assert not usage.estimated
    assert 0 < usage.tokens_in <= call.tokens  # the estimate is on the cautious side
    assert usage.cost == (usage.tokens_in + 2 * usage.tokens_out) / 1_000_000

    again = parts(tmp_path, settings(model_url)).asker("default")
    assert again is not None
    assert again.estimate([call]).kept == 1
    assert again.ask(call) == Answered(
        found.value,
        found.raw,
        found.model,
        found.prompt_hash,
        mended=found.mended,
        lost=found.lost,
        kept=True,
    )
    with Memory.open(tmp_path, settings=settings(model_url)) as memory:
        (row,) = memory.usage().rows
    assert (row.stage, row.calls, row.answered) == ("distill", 1, 1)
    assert (row.tokens_in, row.tokens_out) == (usage.tokens_in, usage.tokens_out)
