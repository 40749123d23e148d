"""The JSON that agents read."""

from __future__ import annotations

import json
from typing import Any

from alaya.cli.result import document
from alaya.cli.show_recall import recall_document


def test_recall_has_the_shape_of_the_design(samples: Any) -> None:
    """Nodes, explorable paths and distances as in the Alaya design, with evidence and arms."""
    found = json.loads(json.dumps(recall_document(samples.answer)))
    assert list(found) == [
        "nodes",
        "explorable",
        "h_distance_avg",
        "abstained",
        "recipe",
        "arms",
        "notes",
        "latency_ms",
        "id",
    ]
    node = found["nodes"][0]
    assert node["card_id"] == "card-abc"
    assert node["score"] == 0.8912
    assert (node["h_distance"], node["matched_rel"], node["rel_similarity"]) == (
        0.15,
        "CAUSED_BY",
        1,
    )
    assert (node["kind"], node["tier"], node["origin"]) == ("gotcha", "HOT", "owner")
    assert node["evidence"] == [
        {"session": "session-1", "turn": "t3", "start": 0, "end": 8, "sha256": "ab" * 32}
    ]
    assert node["arms"]["dense"] == {"raw": 0.91, "vote": 0.8, "rank": 1}
    assert found["explorable"][0] == {"rel": "DEPENDS_ON", "count": 2, "rel_sim_to_query": 0.41}
    assert found["h_distance_avg"] == 0.23
    assert found["abstained"] is False


def test_a_turn_is_no_card(samples: Any) -> None:
    """What was said has a turn_id and no card_id, so that nothing navigates from it as a card."""
    node = recall_document(samples.answer)["nodes"][1]
    assert node["card_id"] is None
    assert node["turn_id"] == "session-1#t9"
    assert (node["kind"], node["stale"], node["origin"]) == ("turn", True, "tool")


def test_abstaining_in_json(samples: Any) -> None:
    """An empty answer has the same shape and says that it abstained."""
    found = recall_document(samples.nothing)
    assert (found["nodes"], found["abstained"], found["h_distance_avg"]) == ([], True, None)


def test_explain_adds_to_the_document_and_changes_nothing(samples: Any) -> None:
    """With --explain the same document has one more key, with settings, stages and reasons."""
    plain, more = (recall_document(samples.answer, explain=e) for e in (False, True))
    reasons = more.pop("explain")
    assert more == plain
    assert reasons["settings"] == {"alpha": 0.5, "beta": 0.3, "gamma": 0.2}
    assert reasons["nodes"][0]["depth"] == 1
    assert reasons["nodes"][0]["parts"] == {"concept": 0.95, "relation": 0.0, "depth": -0.0588}
    assert plain["recipe"] == "default"
    assert reasons["stages_ms"]["embed"] == 5


def test_reports_are_written_whole(samples: Any) -> None:
    """Fields at their default are there too, so that a reader need not know the defaults."""
    found = json.loads(json.dumps(document(samples.ingest)))
    assert found["sessions"][0]["session"]["kind"] == "main"
    assert found["parked"][0]["at"] == "2026-03-31T06:29:00.000000Z"
    assert document(samples.distill)["sessions"][1]["outcome"] == "nothing"
    assert document(samples.status)["embedding"]["worker"] == "idle"
