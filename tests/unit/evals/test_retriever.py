"""The adapter for retrieval benchmarks: documents in, ids out."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from alaya.errors import InvalidInput
from alaya.evals.retriever import Retriever, RetrieverFactory, make_retriever
from alaya.memory import Memory
from alaya.model.raw import SessionKind
from alaya.model.record import Parked
from alaya.model.report import IngestReport

HASHING = {"embedding.provider": "hashing"}
TALK = [
    {"id": "D1:1", "text": "(8 May) Mel: Did the pottery class start?", "session": "s1",
     "speaker": "Mel", "body": "Did the pottery class start?", "timestamp": "8 May, 2023"},
    {"id": "D1:2", "text": "(8 May) Ann: Yes, we glazed two bowls.", "session": "s1",
     "speaker": "Ann", "body": "Yes, we glazed two bowls.", "timestamp": "8 May, 2023"},
    {"id": "D2:1", "text": "(9 May) Ann: The kiln broke down.", "session": "s2",
     "speaker": "Ann", "body": "The kiln broke down.", "timestamp": "9 May, 2023"},
]  # fmt: skip
DIARY = [
    {"id": 3, "text": "我在广州塔附近买了显微镜。", "timestamp": "2024年04月01日 周一 08:30 广州"},
    {"id": "3", "text": "表弟的生日是六月九号。", "timestamp": "2024年04月02日 周二 11:24 上海"},
    {"id": "n1", "text": "马纳瓜是尼加拉瓜的首都。", "timestamp": None},
]  # fmt: skip


@pytest.fixture
def retriever() -> Callable[..., Retriever]:
    """Makes a retriever with an embedder that knows spelling."""
    return RetrieverFactory(HASHING)


def archived(made: Retriever) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Header and turns of each session file in the home."""
    home = Path(made.memory.config.home)
    found = []
    for path in sorted(home.glob("raw/sessions/*/*.jsonl")):
        header, *turns = (json.loads(line) for line in path.read_text("utf-8").splitlines())
        found.append((header, turns))
    return found


def test_english_conversation(retriever) -> None:
    """The words alone are what is said; who and when come from their fields."""
    made = retriever(TALK)
    assert made("When did the kiln break down?", 3)[0] == "D2:1"
    (first, turns), (second, _) = archived(made)
    assert [first["id"], second["id"]] == ["s1", "s2"]
    assert first.get("kind", "main") == "main"
    assert [turn["content"] for turn in turns] == [doc["body"] for doc in TALK[:2]]
    assert [turn["name"] for turn in turns] == ["Mel", "Ann"]
    assert turns[0]["said_at"].startswith("2023-05-08T00:00")


def test_chinese_messages(retriever) -> None:
    """Documents without a session stand alone; ids come back as they were given, numbers too."""
    made = retriever(DIARY)
    assert made("谁的生日是六月九号？", 2)[0] == "3"
    assert made("显微镜在哪里买的", 2)[0] == 3
    ((header, turns),) = archived(made)
    assert header["kind"] == SessionKind.DOCUMENTS.value
    assert "said_at" not in turns[2] or turns[2]["said_at"] is None
    assert turns[0]["metadata"]["timestamp"].endswith("08:30 广州")


def test_both_kinds_in_one_store(retriever) -> None:
    """A session that is called as the collection would be does not swallow it."""
    talk = [{**doc, "session": "documents"} for doc in TALK]
    made = retriever([*talk, *DIARY])
    assert {header["id"] for header, _ in archived(made)} == {"documents", "documents~"}
    assert made("kiln", 1) == ["D2:1"]
    assert made("尼加拉瓜的首都", 1) == ["n1"]


def test_every_document_is_found_once(retriever) -> None:
    """Equal texts are different documents; up to `k` come back, and none of them twice."""
    documents = [
        {"id": n, "text": f"note {n % 3} about the kiln", "timestamp": None} for n in range(150)
    ]
    made = retriever(documents)
    found = made("the kiln", 100)
    assert len(found) == len(set(found)) == 100
    assert set(found) <= set(range(150))
    assert len(made("the kiln", 7)) == 7


def test_empty_texts(retriever) -> None:
    """A document without words is never found, and disturbs no other; nor does an empty store."""
    documents = [
        {"id": "a", "text": "", "timestamp": None},
        {"id": "b", "text": "a kiln", "timestamp": None},
    ]
    assert retriever(documents)("kiln", 5) == ["b"]
    assert retriever([])("kiln", 5) == []


def test_the_time_of_the_question(retriever) -> None:
    """It is read as ingest reads times; one that is none is left out."""
    made = retriever(DIARY)
    answer = made.recall("表弟的生日", timestamp="2024年04月03日 周三 18:14")
    assert answer.query.asked_at is not None
    assert answer.query.asked_at.isoformat() == "2024-04-03T18:14:00+00:00"
    assert made.recall("表弟的生日", timestamp="第五回").query.asked_at is None
    assert made("表弟的生日", 1, timestamp="2024年04月03日 周三 18:14") == ["3"]


def test_the_home_goes_with_the_store(retriever) -> None:
    """A store leaves nothing behind, whether it is closed or only let go of."""
    made = retriever(DIARY)
    home = Path(made.memory.config.home)
    assert home.is_dir()
    made.close()
    assert not home.exists()
    other = retriever(TALK)
    home = Path(other.memory.config.home)
    del other
    gc.collect()
    assert not home.exists()


def test_settings_and_the_benchmark_s_contract(retriever) -> None:
    """What the benchmark imports asks for the time; settings reach the memory."""
    assert make_retriever.wants_query_time is True
    assert make_retriever.settings == {}
    made = RetrieverFactory({"embedding.provider": "none"})(DIARY)
    assert made("显微镜", 1) == [3]
    answer = made.recall("显微镜", limit=1)
    assert "dense" not in answer.arms
    assert made.ids(answer) == [3]


def test_what_cannot_be_taken_is_said(retriever, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that lacks documents is no store: figures without them would be wrong."""
    with pytest.raises(KeyError):
        retriever([{"id": 1, "timestamp": None}])
    full = Parked("-", "no space left", datetime(2026, 7, 1, tzinfo=UTC))
    monkeypatch.setattr(Memory, "ingest", lambda *_, **__: IngestReport(parked=(full,)))
    with pytest.raises(InvalidInput, match="not taken: no space left"):
        retriever(TALK)
