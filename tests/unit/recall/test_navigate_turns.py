"""Paths that begin, end or lead on at what was said: turns as nodes between cards and entities."""

from __future__ import annotations

import pytest

from alaya.errors import InvalidInput, NotFound
from alaya.model import change as ch
from alaya.model.graph import Entity, EntityKind
from alaya.model.passage import Where
from alaya.model.path import PathQuery
from alaya.model.raw import Origin, TurnMark
from alaya.recall.cited import MOST
from alaya.recall.navigate import find_path
from alaya.testing.invented import ALICE, BOB, START, Told, card, day, link, session, span, turn

WHERE = Where(ALICE)


@pytest.fixture
def talk(told: Told) -> Told:
    """a — s#1 — b → c, x — s#2 — c, and s#3 which nothing cites; d alone."""
    told.says(
        session(),
        turn("1", "the gateway port is taken", name="Ada", said_at=day(2)),
        turn("2", "网关由王雷负责\n明天再说", origin=Origin.TOOL),
        turn("3", "never mind"),
    )
    told.cards(
        card("a", "gateway", evidence=(span("s", "1"),)),
        card("b", "port", evidence=(span("s", "1"),)),
        card("c", "网关", evidence=(span("s", "2"),)),
        card("d", "bread"),
    )
    told.links(
        link("b", "CAUSES", target="c"),
        link("c", "EXTRACTED_FROM", target="session:s"),
    )
    known = Entity("entity-x", ALICE, "王雷", EntityKind.PERSON, evidence=(span("s", "2"),))
    told.tell(ch.EntityAdded(known))
    return told


def path(on, source: str, target: str, **fields):
    return find_path(on, PathQuery(source, target, **{"where": WHERE, **fields}))


def nodes(found) -> list[str]:
    return [place.id for place in found.chain.places] if found.chain else []


def test_ends(talk, recaller) -> None:
    """A turn is an end, by the id that a recall gives it, with or without `session:`."""
    on = recaller()
    assert nodes(path(on, "s#1", "card-c")) == ["s#1", "card-b", "card-c"]
    assert nodes(path(on, "card-c", "s#1")) == ["card-c", "card-b", "s#1"]
    assert nodes(path(on, "session:s#1", "card-a")) == ["s#1", "card-a"]
    assert nodes(path(on, "s#1", "s#2")) == ["s#1", "card-b", "card-c", "s#2"]
    assert nodes(path(on, "网关", "s#2")) == ["card-c", "s#2"]


def test_inner_nodes(talk, recaller) -> None:
    """A chain leads through the turn that two cards cite, and from an entity by its evidence."""
    on = recaller()
    found = path(on, "card-a", "card-b")
    assert nodes(found) == ["card-a", "s#1", "card-b"]
    assert found.complete
    assert nodes(path(on, "entity-x", "card-c")) == ["entity-x", "s#2", "card-c"]
    assert nodes(path(on, "card-c", "entity-x")) == ["card-c", "s#2", "entity-x"]
    assert nodes(path(on, "s#1", "entity-x"))[-2:] == ["s#2", "entity-x"]
    assert not path(on, "card-a", "card-d").found


def test_what_a_turn_tells(talk, recaller) -> None:
    """A turn has its speaker, its words and its origin; the step to it the spans it rests on."""
    found = path(recaller(), "card-a", "s#1").chain
    place, (step,) = found.places[-1], found.steps
    assert (place.title, place.card) == ("Ada: the gateway port is taken", None)
    assert (place.quote.content, place.quote.said_at) == ("the gateway port is taken", day(2))
    assert {one.turn for one in place.quote.evidence} == {"1"}
    assert (step.relation, step.link.source, step.link.target) == (
        "EXTRACTED_FROM",
        "card-a",
        "s#1",
    )
    assert (step.link.evidence, step.link.valid_at) == ((span("s", "1"),), day(2))
    chinese = path(recaller(), "entity-x", "s#2").chain.places[-1]
    assert chinese.title == "user: 网关由王雷负责"
    assert (chinese.quote.origin, chinese.quote.said_at) == (Origin.TOOL, START)


def test_cost(talk, recaller) -> None:
    """A step to a turn costs as any other: weight 1, its own distance, the relation's nearness."""
    found = path(recaller(), "card-a", "card-b").chain
    assert [s.distance for s in found.steps] == pytest.approx(
        [0.5 + 0.3 * 0.5 + 0.02, 0.3 * 0.5 + 0.02]
    )
    near = path(recaller(vectors=True), "the gateway port is taken", "card-b").chain
    assert near is not None
    toward = path(recaller(vectors=True), "card-c", "s#1").chain
    assert toward.places[-1].concept_distance == 0
    assert 0 < toward.places[1].concept_distance < 1


def test_a_turn_that_nothing_cites(talk, recaller) -> None:
    """It is led to by its session; others of the session are no neighbours."""
    assert nodes(path(recaller(), "s#3", "card-c")) == ["s#3", "session:s", "card-c"]
    assert nodes(path(recaller(), "session:s", "s#3")) == ["session:s", "s#3"]
    assert nodes(path(recaller(), "session:s", "s#1")) == ["session:s", "s#1"]


def test_relations_named(talk, recaller) -> None:
    """Where others were named no turn is on the way; EXTRACTED_FROM leads through turns."""
    assert not path(recaller(), "card-a", "card-b", relations=("CAUSES",)).found
    taken = path(recaller(), "card-a", "card-b", relations=("EXTRACTED_FROM",))
    assert nodes(taken) == ["card-a", "s#1", "card-b"]


def test_walls(talk, recaller) -> None:
    """What another user said, what is on a side branch or outside of the filter is no node."""
    for source in ("s#9", "s#1#2", "session:s#9"):
        with pytest.raises(NotFound, match=source):
            path(recaller(), source, "card-a")
    with pytest.raises(NotFound):
        path(recaller(), "session:s#1", "card-a", where=Where(BOB))
    assert not path(recaller(), "card-a", "card-b", where=Where(ALICE, until=day(1))).found
    talk.tell(ch.TurnsMarked(ALICE, "s", ("1",), TurnMark.SIDE))
    assert not path(recaller(), "card-a", "card-b").found
    with pytest.raises(NotFound, match="s#1"):
        path(recaller(), "s#1", "card-b")
    with pytest.raises(InvalidInput, match="itself"):
        path(recaller(), "s#2", "s#2")


def test_a_question_with_a_hash(talk, recaller) -> None:
    """Words with a `#` in them that name no turn are a question as any other."""
    found = path(recaller(), "gateway #3", "card-c")
    assert found.chain is not None
    assert found.chain.start.id in {"card-a", "card-b", "card-c"}


def test_many_turns_of_a_card(told, recaller) -> None:
    """A path is found through any turn of a card that cites many, from either end."""
    told.says(session(), *(turn(str(n), f"turn {n}") for n in range(5 * MOST)))
    last = span("s", str(5 * MOST - 1))
    told.cards(
        card("a", evidence=tuple(span("s", str(n)) for n in range(5 * MOST))),
        card("b", evidence=(last,)),
    )
    for ends in (("card-a", "card-b"), ("card-b", "card-a")):
        assert nodes(path(recaller(), *ends))[1] == f"s#{5 * MOST - 1}"
