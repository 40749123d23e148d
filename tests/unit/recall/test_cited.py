"""Turns as nodes of the graph: what a walk steps to, what a recall shows of it, and what never."""

from __future__ import annotations

from dataclasses import replace

import pytest

from alaya.model import change as ch
from alaya.model.graph import Entity, EntityKind
from alaya.model.passage import Query, Where
from alaya.model.raw import Origin, TurnMark
from alaya.recall.answer import recall
from alaya.recall.cited import MOST, Cited, cuts
from alaya.recall.plan import Settings
from alaya.recall.walk import kinship, walk
from alaya.testing.invented import ALICE, BOB, START, Told, card, day, link, session, span, turn

WHERE = Where(ALICE)
TAKEN = "EXTRACTED_FROM"


@pytest.fixture
def talk(told: Told) -> Told:
    """`a` cites a turn of `s` and one of `t`, `b` that of `t` alone; `x` is an entity of `u`."""
    told.says(session("s"), turn("1", "the gateway port is taken"))
    told.says(session("t"), turn("1", "never mind, have some bread"))
    told.says(session("u"), turn("1", "网关由王雷负责"), turn("2", "nobody cites this"))
    told.cards(
        card("a", "gateway port", evidence=(span("s", "1"), span("t", "1"))),
        card("b", "bread", evidence=(span("t", "1"),)),
    )
    told.links(
        link("a", TAKEN, target="session:s"),
        link("a", TAKEN, target="session:t"),
        link("b", TAKEN, target="session:t"),
    )
    known = Entity("entity-x", ALICE, "王雷", EntityKind.PERSON, evidence=(span("u", "1"),))
    told.tell(ch.EntityAdded(known))
    return told


def reached(told: Told, *seeds: str, asked=(), depth: int = 1, where: Where = WHERE):
    kin = kinship(told.index, asked, vector=None, where=where, embedder=None, text="")
    cited = Cited(told.index, where, turns=where, known={s for s in seeds if "#" in s})
    steps = walk(told.index, seeds, where=where, depth=depth, kin=kin, cited=cited)
    return {node: (s.relation, s.depth) for node, s in steps.items()}


def test_from_a_card(talk) -> None:
    """A card leads to the turns it cites, these to the other cards that cite them, and so on."""
    first = {"s#1": (TAKEN, 1), "t#1": (TAKEN, 1)}
    assert reached(talk, "card-a") == first
    assert reached(talk, "card-a", depth=2) == {**first, "card-b": (TAKEN, 2)}
    assert reached(talk, "card-b", depth=3) == {
        "t#1": (TAKEN, 1),
        "card-a": (TAKEN, 2),
        "s#1": (TAKEN, 3),
    }


def test_from_a_turn(talk) -> None:
    """A turn leads to the cards that cite it; one that none cites leads nowhere."""
    assert reached(talk, "t#1") == {"card-a": (TAKEN, 1), "card-b": (TAKEN, 1)}
    assert reached(talk, "u#2", depth=3) == {}


def test_from_an_entity(talk) -> None:
    """An entity leads to its evidence; a fact that is walked along, to the turns that tell it."""
    assert reached(talk, "entity-x") == {"u#1": (TAKEN, 1)}
    talk.tell(ch.EntityAdded(Entity("entity-y", ALICE, "网关", EntityKind.THING)))
    told = link(
        "entity-x", "OWNS", target="entity-y", evidence=(span("u", "2"),), fact="王雷管网关"
    )
    talk.links(told)
    assert reached(talk, "entity-y") == {"entity-x": ("OWNS", 1), "u#2": (TAKEN, 1)}
    kin = kinship(talk.index, (), vector=None, where=WHERE, embedder=None, text="")
    cited = Cited(talk.index, WHERE, turns=WHERE)
    steps = walk(talk.index, ["entity-y"], where=WHERE, depth=1, kin=kin, cited=cited)
    via = steps["u#2"].edge
    assert (via.source, via.target, via.fact) == ("entity-y", "u#2", "王雷管网关")
    assert via.evidence == (span("u", "2"),)


def test_what_the_filter_hides(talk) -> None:
    """No step leads to another user's turns, to side branches, out of a time, or through cards
    that are forgotten."""
    assert reached(talk, "card-a", where=Where(BOB)) == {}
    talk.tell(ch.TurnsMarked(ALICE, "s", ("1",), TurnMark.SIDE))
    assert set(reached(talk, "card-a")) == {"t#1"}
    talk.tell(ch.Forgotten(ALICE, ("card-b",), ""))
    assert set(reached(talk, "t#1")) == {"card-a"}
    assert reached(talk, "card-a", where=Where(ALICE, until=START)) == {}


def test_relations_named(talk) -> None:
    """Where another relation was named, no step leads to turns; EXTRACTED_FROM leads there."""
    talk.links(link("a", "CAUSES", target="b"))
    assert set(reached(talk, "card-a", asked=("CAUSES",))) == {"card-b"}
    assert set(reached(talk, "card-a", asked=(TAKEN,))) >= {"s#1", "t#1"}


def test_a_few_of_many(told) -> None:
    """A card that cites a hundred turns leads to the first few; each turn leads back."""
    told.says(session(), *(turn(str(n), f"turn {n}") for n in range(100)))
    told.cards(card("a", evidence=tuple(span("s", str(n)) for n in range(100))))
    assert set(reached(told, "card-a")) == {f"s#{n}" for n in range(MOST)}
    assert set(reached(told, "s#99")) == {"card-a"}


def test_ids_with_hashes(told) -> None:
    """Session and turn may hold a `#` themselves."""
    told.says(session("a#b"), turn("1#x", "hello"))
    told.cards(card("a", evidence=(span("a#b", "1#x"),)))
    assert set(reached(told, "card-a")) == {"a#b#1#x"}
    assert set(reached(told, "a#b#1#x")) == {"card-a"}
    assert cuts("a#b#c") == [("a", "b#c"), ("a#b", "c")]


ASKED = Query("gateway port", where=WHERE, include_sessions=True, min_similarity=0.2)


def hits(answer):
    return {hit.id: hit for hit in answer.hits}


def test_recall_shows_them(talk, recaller) -> None:
    """A turn that only a card leads to is a hit with its words, and says how it was reached."""
    found = hits(recall(recaller(), ASKED))
    assert {"card-a", "s#1", "t#1"} <= set(found)
    hit = found["t#1"]
    assert hit.content == "never mind, have some bread"
    assert (hit.matched_rel, hit.depth) == (TAKEN, 1)
    assert (hit.via.source, hit.via.target) == ("card-a", "t#1")
    assert hit.via.valid_at == START
    assert "graph" in {arm.arm for arm in hit.arms}
    assert found["s#1"].via is None  # the question found it itself
    assert hit.score < found["s#1"].score


def test_a_turn_leads_to_its_card(told, recaller) -> None:
    """A card whose own words say nothing of the question comes by the turn that it cites."""
    told.says(session(), turn("1", "网关端口九千"), turn("2", "好的"))
    told.cards(card("a", "会议纪要", content="记下来了", evidence=(span("s", "1"),)))
    asked = replace(ASKED, text="网关端口")
    hit = hits(recall(recaller(), asked))["card-a"]
    assert (hit.matched_rel, hit.via.target) == (TAKEN, "s#1")
    assert hits(recall(recaller(), replace(asked, include_sessions=False))) == {}
    assert "card-a" not in hits(recall(recaller(), replace(asked, graph_expand=False)))


def test_never_unasked(talk, recaller) -> None:
    """Without `include_sessions` there are no turns, and cards come as if there were none."""
    for depth in (0, 1, 2):
        asked = replace(ASKED, include_sessions=False, depth=depth)
        assert set(hits(recall(recaller(), asked))) == {"card-a"}
    off = Settings(arms=("words",))
    assert "t#1" not in hits(recall(recaller(settings=off), ASKED))
    assert "t#1" not in hits(recall(recaller(), replace(ASKED, include_cards=False)))


def test_from_nodes(talk, recaller) -> None:
    """Going on from a card, an entity or a turn shows turns where they are wanted."""
    ways = {"card-b": {"t#1"}, "entity-x": {"u#1"}, "t#1": {"card-a", "card-b"}}
    for node, expected in ways.items():
        asked = Query(from_nodes=(node,), where=WHERE, include_sessions=True)
        assert set(hits(recall(recaller(), asked))) == expected, node
        without = recall(recaller(), replace(asked, include_sessions=False))
        assert set(hits(without)) == {one for one in expected if one.startswith("card-")}


def test_no_cards_no_change(told, recaller) -> None:
    """In a store of turns alone a walk changes nothing: neither hits nor scores nor order."""
    told.says(session(), *(turn(str(n), f"gateway port {n} is taken") for n in range(30)))
    told.says(session("t"), turn("1", "gateway bread"), turn("2", "port", origin=Origin.TOOL))

    def seen(**fields):
        answer = recall(recaller(vectors=True), replace(ASKED, asked_at=day(3), **fields))
        return [(hit.id, hit.score, hit.arms) for hit in answer.hits]

    assert seen()
    assert seen() == seen(graph_expand=False) == seen(include_cards=False)
