"""Turns and summaries as answers: their words, their evidence, and what they stand beside."""

from __future__ import annotations

from dataclasses import replace

import pytest

from alaya.model import change as ch
from alaya.model.graph import CardKind, Summary
from alaya.model.ids import sha256
from alaya.model.passage import Query, Where
from alaya.model.raw import Origin
from alaya.model.speech import injected_ranges, visible
from alaya.recall.answer import recall
from alaya.recall.plan import Settings
from alaya.testing.invented import ALICE, BOB, Told, card, day, session, span, turn

WHERE = Where(ALICE)
ASKED = Query(
    "gateway port", where=WHERE, include_sessions=True, asked_at=day(9), min_similarity=0.05
)
SUMMED = replace(ASKED, include_summaries=True)
OURS = "<alaya-memory>\nthe gateway port was 9000\n</alaya-memory>"


def ids(answer) -> list[str]:
    return [hit.id for hit in answer.hits]


def summary(id: str, content: str, **fields) -> Summary:
    given = {"scope": ALICE, "session": "s", "topic": "网关", "said_at": day(1), **fields}
    return Summary(id=id, content=content, first_turn="1", last_turn="2", **given)


@pytest.mark.parametrize(
    "words",
    [
        f"{OURS} which gateway port is it now?",
        f"which gateway port {OURS} is it now?",
        f"which gateway {OURS}port is it{OURS} now?{OURS}",
        "which gateway port is it now?",
        f"网关端口 gateway port 是多少？{OURS}",
    ],
)
def test_words_without_ours(told, recaller, words) -> None:
    """A turn comes without what alaya had put there, and its spans are exactly what is left."""
    said = turn("1", words, injected=injected_ranges(words))
    told.says(session(), said)
    (hit,) = recall(recaller(), ASKED).hits
    assert hit.content == visible(said)
    assert "alaya-memory" not in hit.content + hit.title
    quoted = [words[one.start : one.end] for one in hit.evidence]
    assert "".join(quoted) == hit.content
    assert [sha256(part) for part in quoted] == [one.sha256 for one in hit.evidence]
    assert {(one.session, one.turn) for one in hit.evidence} == {("s", "1")}


def test_nothing_but_ours(told, recaller) -> None:
    """A turn that is nothing but what alaya had put there is no memory."""
    told.says(session(), turn("1", OURS, injected=injected_ranges(OURS)))
    assert recall(recaller(), ASKED).abstained


def test_relations_named(told, recaller) -> None:
    """Where relations were named, none led to a turn: that is as far as for a card."""
    told.says(session(), turn("1", "the gateway port is taken"))
    told.cards(card("port", "gateway port"))
    for hit in recall(recaller(), replace(ASKED, relations=("CAUSES",))).hits:
        assert hit.relation_distance == 1
        assert hit.h_distance == pytest.approx(0.5 * hit.concept_distance + 0.3, abs=1e-5)


@pytest.fixture
def summed(told: Told) -> Told:
    told.says(session(), turn("1", "why will it not start"), turn("2", "the gateway is at fault"))
    told.says(session("t"), turn("1", "bread is baked at night"))
    told.tell(
        ch.SummaryAdded(
            summary("sum-1", "the gateway port was taken and changed", evidence=(span("s", "1"),))
        ),
        ch.SummaryAdded(summary("sum-2", "they spoke of bread")),
        ch.SummaryAdded(summary("sum-3", "of the gateway port", session="t", said_at=day(2))),
        ch.SummaryAdded(summary("sum-4", "the gateway port", scope=BOB)),
    )
    return told


def test_summaries(summed, recaller) -> None:
    """Summaries come where they are asked for, by their words, with the spans they rest on."""
    answer = recall(recaller(), SUMMED)
    found = {hit.id: hit for hit in answer.hits}
    assert {one for one in found if one.startswith("sum")} == {"sum-1", "sum-3"}
    assert "s#2" in found
    hit = found["sum-1"]
    assert (hit.kind, hit.title, hit.said_at) == ("summary", "网关", day(1))
    assert hit.content == "the gateway port was taken and changed"
    assert hit.evidence == (span("s", "1"),)
    assert "words" in {arm.arm for arm in hit.arms}
    assert not any(one.startswith("sum") for one in ids(recall(recaller(), ASKED)))
    alone = replace(SUMMED, include_sessions=False, include_cards=False)
    assert set(ids(recall(recaller(), alone))) == {"sum-1", "sum-3"}
    assert "sum-1" not in ids(recall(recaller(), replace(SUMMED, already_shown=("sum-1",))))
    assert ids(recall(recaller(), replace(SUMMED, where=Where(BOB)))) == ["sum-4"]
    usual = Settings(include_summaries=True)
    assert set(ids(recall(recaller(settings=usual), ASKED))) == set(found)


def test_chinese_summaries(told, recaller) -> None:
    """A Chinese question finds a Chinese summary by its topic or its words, no other one."""
    told.tell(
        ch.SummaryAdded(summary("sum-1", "端口冲突，改成了九千", topic="网关配置")),
        ch.SummaryAdded(summary("sum-2", "早上吃了面包", topic="早餐")),
    )
    for text in ("网关配置是怎么说的", "端口冲突"):
        assert ids(recall(recaller(), replace(SUMMED, text=text))) == ["sum-1"]


def test_summaries_by_meaning(told, recaller) -> None:
    """With vectors a summary is found by what it means, too; what was forgotten, by nothing."""
    told.tell(
        ch.SummaryAdded(summary("sum-1", "the gateway port was taken", topic="ports")),
        ch.SummaryAdded(summary("sum-2", "bread is baked at night", topic="bread")),
    )
    asked = replace(SUMMED, text="the gateway port was taken")
    on = recaller(vectors=True)
    hit = recall(on, asked).hits[0]
    assert hit.id == "sum-1"
    assert "dense" in {arm.arm for arm in hit.arms}
    told.tell(ch.Forgotten(ALICE, ("sum-1",), ""))
    assert "sum-1" not in ids(recall(on, asked))


def test_summaries_are_cards_of_no_kind(summed, recaller) -> None:
    """Filters hold for summaries: time and origin; one by what cards alone have lets none pass."""
    assert "sum-1" in ids(recall(recaller(), replace(SUMMED, where=replace(WHERE, until=day(2)))))
    for where in (
        replace(WHERE, since=day(3)),
        replace(WHERE, origins=(Origin.OWNER,)),
        replace(WHERE, kinds=(CardKind.CONCEPT,)),
        replace(WHERE, min_confidence=0.1),
    ):
        assert recall(recaller(), replace(SUMMED, where=where)).hits == (), where


@pytest.mark.parametrize("recipe", ["default", "alaya", "alice", "eywa"])
def test_mixed(summed, recaller, recipe) -> None:
    """Cards, turns and summaries stand in one order, by any recipe."""
    summed.cards(card("port", "gateway port", content="is taken", said_at=day(8)))
    answer = recall(recaller(), replace(SUMMED, recipe=recipe))
    assert {hit.kind for hit in answer.hits} == {"card", "turn", "summary"}
    scores = [hit.score for hit in answer.hits]
    assert scores == sorted(scores, reverse=True)
    if recipe == "alice":
        assert answer.hits[0].id == "card-port"  # said yesterday, the others long before


def test_a_quote_beside_its_card(told, recaller) -> None:
    """A turn that a card quotes whole tells nothing new: it goes behind what does."""
    words = "the gateway port was taken by an old process of the proxy"
    told.says(session(), turn("1", words), turn("2", "so which gateway is it"))
    told.cards(card("port", "gateway port 网关", content=f"Bob said: {words}. 端口"))
    answer = recall(recaller(), ASKED)
    assert ids(answer) == ["card-port", "s#2", "s#1"]
    pure = recall(recaller(), replace(ASKED, recipe="alaya"))
    assert ids(pure).index("s#1") < ids(pure).index("s#2")
