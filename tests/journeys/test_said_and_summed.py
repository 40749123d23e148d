"""From logs to what was said and its summaries: by recall, walk and path, in both languages."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
import spoken
from others import Done

from alaya import Memory
from alaya.model import change as ch
from alaya.model.graph import Summary
from alaya.model.raw import Span
from alaya.projection import commit

AT = datetime(2026, 3, 2, tzinfo=UTC)
SETTINGS = {"embedding.provider": "none", "distill.min_session_tokens": 0}
ASKED = {"en": "Redis refused on port 7000", "zh": "Redis 缓存 最容易维护"}
SUMS = {
    "en": ("cache outage", "Redis was down: port 7000 refused, then the host was mended"),
    "zh": ("缓存选型", "大家决定用 Redis 做缓存，因为它最容易维护"),
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Two sessions with their cards; two summaries of the first one, as a distiller tells them."""
    where = tmp_path / "home"
    with Memory.open(where, settings=SETTINGS) as memory:
        memory.ingest(*(spoken.write_session(tmp_path, number) for number in range(2)))
        memory.distill()
        parts = memory.parts
        session = memory.recall(ASKED["en"], include_sessions=True).hits[0].evidence[0].session
        places = parts.index.turns(memory.scope, session)
        told = [
            Summary(
                id=f"summary-{language}",
                scope=memory.scope,
                session=session,
                topic=topic,
                content=content,
                first_turn=places[0].id,
                last_turn=places[1].id,
                said_at=AT,
                evidence=tuple(Span(session, p.id, 0, 9, p.sha256) for p in places[:2]),
            )
            for language, (topic, content) in SUMS.items()
        ]
        commit(
            parts.archive,
            parts.index,
            decide=lambda: [ch.SummaryAdded(one) for one in told],
            actor="test",
            verb="distill",
            clock=lambda: AT,
        )
    return where


@pytest.mark.parametrize("language", ["en", "zh"])
def test_summaries(alaya: Callable[..., Done], home: Path, language: str) -> None:
    """A summary comes on request, with the turns it sums up, also after a rebuild; then never."""
    question, name = ASKED[language], f"summary-{language}"

    def asked(*argv: str) -> list[dict]:
        done = alaya(home, "recall", question, "--json", *argv, ALAYA_LANG=language)
        assert done.status == 0, done.err
        return json.loads(done.out)["nodes"]

    for _ in range(2):
        assert not any("summary_id" in node for node in asked("--include-sessions"))
        found = {node["summary_id"]: node for node in asked("--summaries") if "summary_id" in node}
        assert found[name]["title"] == SUMS[language][0]
        assert [span["turn"] for span in found[name]["evidence"]] != []
        shown = alaya(home, "recall", question, "--summaries", ALAYA_LANG=language)
        assert SUMS[language][1][:12] in shown.out
        assert {"en": "summary", "zh": "摘要"}[language] in shown.out
        block = alaya(home, "context", question, ALAYA_LANG=language)
        assert SUMS[language][1] in block.out
        without = alaya(home, "context", question, "--no-summaries", "--no-cards")
        assert without.status == 0
        assert alaya(home, "rebuild").status == 0
    assert alaya(home, "verify").status == 0


@pytest.mark.parametrize("language", ["en", "zh"])
def test_turns_are_nodes(alaya: Callable[..., Done], home: Path, language: str) -> None:
    """From a turn that was said there is a path to the card that cites it, in words and JSON."""
    said = alaya(home, "recall", ASKED[language], "--include-sessions", "--json")
    nodes = json.loads(said.out)["nodes"]
    card = next(node for node in nodes if node["card_id"])
    span = card["evidence"][0]
    turn = f"{span['session']}#{span['turn']}"
    done = alaya(home, "recall", "--from", turn, "--to", card["card_id"], "--json")
    assert done.status == 0, done.err
    path = json.loads(done.out)
    assert path["found"]
    assert [node["id"] for node in path["chain"]["nodes"]] == [turn, card["card_id"]]
    first = path["chain"]["nodes"][0]
    assert first["kind"] == "turn"
    assert first["content"]
    assert path["chain"]["steps"][0]["rel"] == "EXTRACTED_FROM"
    shown = alaya(home, "recall", "--from", turn, "--to", card["card_id"], ALAYA_LANG=language)
    assert turn in shown.out
    assert "EXTRACTED_FROM" in shown.out
    wrong = alaya(home, "recall", "--from", f"{turn}9", "--to", card["card_id"])
    assert wrong.status == 1
