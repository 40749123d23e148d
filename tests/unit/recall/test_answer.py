"""A recall as a whole: found, judged, abstained, explained."""

from __future__ import annotations

from dataclasses import replace

import pytest

from alaya.errors import ProviderError
from alaya.model import change as ch
from alaya.model.passage import ItemKind, Query, Where
from alaya.model.raw import Origin, Role
from alaya.recall.answer import recall
from alaya.recall.plan import Settings
from alaya.testing.embedder import HashingEmbedder
from alaya.testing.invented import ALICE, BOB, Told, card, link, session, span, turn

WHERE = Where(ALICE)


@pytest.fixture
def library(told: Told) -> Told:
    told.says(
        session(),
        turn("1", "为什么 gateway 启动失败？端口冲突"),
        turn("2#x", "the gateway port is taken", role=Role.ASSISTANT, origin=Origin.TOOL),
    )
    told.cards(
        card(
            "port",
            "Gateway 端口冲突",
            content="gateway 启动失败：端口被占用",
            evidence=(span("s", "1"),),
        ),
        card("fix", "Change the port", content="set gateway.port to 9000", origin=Origin.TOOL),
        card("bread", "Bread", content="let the dough rest"),
    )
    told.links(link("port", "CAUSES", target="fix"))
    return told


def ids(answer) -> list[str]:
    return [hit.id.removeprefix("card-") for hit in answer.hits]


@pytest.mark.parametrize("vectors", [False, True])
def test_found(library, recaller, vectors) -> None:
    """The card that answers is first, with evidence, with a score from each arm that spoke."""
    answer = recall(recaller(vectors=vectors), Query("gateway 端口冲突", where=WHERE))
    assert ids(answer)[0] == "port"
    hit = answer.hits[0]
    assert hit.evidence == (span("s", "1"),)
    assert {a.arm for a in hit.arms} == {"words", "neighbours", *(["dense"] if vectors else [])}
    assert not answer.abstained
    assert answer.arms[0] in ("dense", "words")
    assert bool(answer.notes) is not vectors
    assert hit.h_distance == pytest.approx(0.5 * hit.concept_distance, abs=1e-5)
    assert hit.score == pytest.approx(1 - hit.concept_distance, abs=1e-5)
    assert answer.latency_ms > 0
    stages = [name for name, _ in answer.stages_ms]
    assert stages == ["embed", "search", "walk", "rank", "explore"]
    assert answer.recipe == "default"
    assert sum(value for _, value in hit.parts) == pytest.approx(hit.score, abs=1e-5)


@pytest.mark.parametrize("vectors", [False, True])
def test_abstains(library, recaller, vectors) -> None:
    """A question about what nobody said has no answer, and says so."""
    for text in ("quantum chromodynamics lecture", "火星殖民地的重力", "🦓", "the of and"):
        answer = recall(recaller(vectors=vectors), Query(text, where=WHERE))
        assert (answer.hits, answer.abstained) == ((), True), text
        assert answer.h_distance_avg is None
        assert answer.explorable == ()


def test_walked(library, recaller) -> None:
    """What links lead to comes along, farther away, unless it is not wanted."""
    asked = Query("端口冲突", where=WHERE)
    answer = recall(recaller(), asked)
    assert ids(answer) == ["port", "fix"]
    reached = answer.hits[1]
    assert (reached.depth, reached.matched_rel, reached.via.relation) == (1, "CAUSES", "CAUSES")
    assert reached.h_distance > answer.hits[0].h_distance
    assert reached.origin is Origin.TOOL
    assert "graph" in {a.arm for a in reached.arms}
    assert ids(recall(recaller(), replace(asked, graph_expand=False))) == ["port"]
    assert ids(recall(recaller(), replace(asked, limit=1))) == ["port"]
    assert ids(recall(recaller(), replace(asked, include_cards=False))) == []


def test_sessions_beside_cards(library, recaller) -> None:
    """Turns come along when asked for, word for word, with themselves as evidence."""
    answer = recall(recaller(), Query("gateway port", where=WHERE, include_sessions=True))
    turns = {hit.id: hit for hit in answer.hits if hit.kind is ItemKind.TURN}
    found = turns["s#2#x"]
    assert found.content == "the gateway port is taken"
    assert (found.evidence[0].turn, found.origin) == ("2#x", Origin.TOOL)
    assert found.title == "assistant: the gateway port is taken"


def test_phrases(library, recaller) -> None:
    """Several phrases: what fits one is found, what fits all is first."""
    library.cards(card("both", "dough at the gateway"))
    answer = recall(recaller(), Query(concepts=("dough", "gateway"), where=WHERE))
    assert ids(answer)[0] == "both"
    assert {"bread", "port"} <= set(ids(answer))


def test_relation_named(library, recaller) -> None:
    """With a relation named, what it leads to is nearer than what the words alone found."""
    answer = recall(recaller(), Query("端口冲突", relations=("causes",), where=WHERE))
    hits = {hit.id: hit for hit in answer.hits}
    assert hits["card-fix"].relation_distance == 0
    assert hits["card-port"].relation_distance == 1
    settings = dict(answer.settings)
    for hit in answer.hits:
        expected = (
            settings["alpha"] * hit.concept_distance
            + settings["beta"] * hit.relation_distance
            + settings["gamma"] * 0.1 * hit.depth
        )
        assert hit.h_distance == pytest.approx(expected, abs=1e-5)


def test_wall_and_filters(library, recaller) -> None:
    """Nothing of another user, nothing forgotten, and what the filter says."""
    assert recall(recaller(), Query("gateway", where=Where(BOB))).abstained
    tools = Where(ALICE, origins=(Origin.TOOL,))
    assert ids(recall(recaller(), Query("gateway", where=tools))) == ["fix"]
    library.tell(ch.Forgotten(ALICE, ("card-port",), ""))
    assert ids(recall(recaller(vectors=True), Query("端口冲突", where=WHERE))) == []


class _Broken(HashingEmbedder):
    def query(self, text):
        raise ProviderError("the model is out")


def test_embedder_fails(library, recaller) -> None:
    """A failing embedder costs the dense arm, and the answer says so."""
    recaller(vectors=True)
    answer = recall(recaller(embedder=_Broken()), Query("端口冲突", where=WHERE))
    assert ids(answer)[0] == "port"
    assert "the model is out" in answer.notes[0]
    answer = recall(recaller(embedder=None), Query("端口冲突", where=WHERE))
    assert "no embedder" in answer.notes[0]


def test_floor(library, recaller) -> None:
    """The floor is on the un-normalised similarity: the setting's, or the query's own."""
    asked = Query("gateway and the weather in Vienna tomorrow", where=WHERE)
    assert recall(recaller(), asked).abstained
    low = recall(recaller(), replace(asked, min_similarity=0.01))
    assert "port" in ids(low)
    strict = recaller(settings=Settings(min_similarity=0.99))
    assert recall(strict, Query("gateway", where=WHERE)).abstained


@pytest.mark.parametrize(
    "text", ["\ud83d gateway", "gateway\x00", '"gateway" NEAR(', "gateway " * 9000]
)
def test_any_text(library, recaller, text) -> None:
    """No text breaks a recall, with or without vectors."""
    for vectors in (False, True):
        asked = Query(text, where=WHERE, min_similarity=0.0)
        assert recall(recaller(vectors=vectors), asked).hits
