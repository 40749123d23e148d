"""The whole path to a real model, which runs in another process; what it says does not matter."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from others import Process

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


TALK = (
    ("Ada", "user", "I am Ada. I live in Leeds and I work at Acme. Redis runs on port 6380."),
    ("", "assistant", "Noted: Redis listens on port 6380, because 6379 was taken."),
    ("Ada", "user", "Yes. We decided to restart it every Friday."),
)
PROMPTS = {  # short: the model reads 160 tokens a second
    "distill": 'Write one card about the conversation, such as {"cards": [{"title": "Redis port", '
    '"content": "Redis listens on port 6380.", "importance": 0.8, "turns": [1, 2]}], "links": []}.',
    "facts": "Write who is spoken of and one fact, such as "
    '{"entities": [{"name": "Ada", "kind": "person", "turns": [1]}], "facts": [{"subject": "Ada", '
    '"relation": "lives in", "object": "Leeds", "fact": "Ada lives in Leeds.", "turns": [1]}]}.',
    "summary": "Sum up {{what}} in one sentence. sources are the numbers in brackets.",
}


@pytest.mark.timeout(900)  # other work on the machine makes the model slow
def test_the_whole_path_killed_and_resumed(
    start: Callable[..., Process], model_url: str, tmp_path: Path
) -> None:
    """Ingest, distil, facts, summary, recall, trace; killed while it is asked about facts, it goes
    on with these. What the model writes is poor: it ends in facts, or is parked with a reason."""
    home, path = tmp_path / "home", tmp_path / "talk.jsonl"
    lines = [{"role": role, "content": said} | ({"name": name} if name else {})
             for name, role, said in TALK]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    (home / "prompts").mkdir(parents=True)
    for name, words in PROMPTS.items():
        (home / "prompts" / f"{name}.txt").write_text(words, "utf-8")
    wanted = {**settings(model_url), "distill.min_session_tokens": 0, "distill.min_importance": 0,
              "distill.max_reply_tokens": 160, "distill.timeout_seconds": 300}  # fmt: skip
    with Memory.open(home, settings=wanted) as memory:

        def calls(stage: str) -> list[Outcome]:
            return [u.outcome for u in memory.parts.archive.usages() if u.stage == stage]

        memory.ingest(path)
        process = start(home, [["distill"]], "--settings", json.dumps(wanted))
        while not calls("facts") and process.popen.poll() is None:
            time.sleep(0.01)
        process.popen.kill()
        process.end()
        before = calls("distill")
        report = memory.distill(close=True)
        assert report.model == "llama.cpp/smollm2"
        assert all(p.reason for p in memory.status().parked)
        (one,) = report.sessions
        if calls("facts"):  # cards had been answered: they were not asked about again
            assert (before.count(Outcome.ANSWERED), calls("distill")) == (1, before)
            assert calls("facts").count(Outcome.ASKED) <= 1  # the one that was killed
        if report.failed:
            assert one.because
            assert any(f" {one.session} " in p.source for p in memory.status().parked)
            return
        assert calls("facts").count(Outcome.ANSWERED) == 1
        for fact in memory.facts(always=True):
            assert fact.subject
            assert {span.session for span in fact.evidence} == {one.session}
        known = memory.entities()
        assert all(entity.evidence for entity in known)
        assert known or memory.status().parked  # whatever is lost of a reply is told
        assert report.summaries is not None
        assert [level for _, level, _ in report.summaries.made] == ["topic"]
        for name, title, _ in one.cards:
            assert all(quote.verified for quote in memory.trace(name).quotes)
            assert any(hit.id == name for hit in memory.recall(title).hits)
        assert memory.retrieve("Redis port").episodes
        asked = list(memory.parts.archive.usages())
        memory.distill(close=True)
        assert list(memory.parts.archive.usages()) == asked
