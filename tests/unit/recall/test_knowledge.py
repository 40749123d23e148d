"""Entities that a text names or words lead to, and the facts around them, in time and scope."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from alaya.errors import InvalidInput
from alaya.model import change as ch
from alaya.model.action import Wish
from alaya.model.graph import Entity, EntityKind, Summary
from alaya.model.passage import ItemKind, Query, Where
from alaya.model.raw import Origin, Role
from alaya.model.scope import Scope
from alaya.recall.answer import Recaller, recall
from alaya.recall.knowledge import Known
from alaya.recall.retrieving import query_for, retrieve
from alaya.testing.invented import ALICE, BOB, START, Told, day, link, session, span, turn

NOTHING = {"episodes": False, "entities": False, "edges": False, "summaries": False}


def entity(name: str, *aliases: str, scope: Scope = ALICE, at: str = "s") -> Entity:
    """`entity-<name>`, taken from the first turn of a session."""
    return Entity(
        f"entity-{name}",
        scope,
        name,
        EntityKind.PERSON,
        aliases,
        summary=f"{name} is known",
        evidence=(span(at, "1"),),
    )


@pytest.fixture
def town(stored: Told) -> Told:
    """Mel lived in Rome, moved to Oslo on day 5; Oslo is near a fjord. Bob has a Mel, too."""
    for name, words in (("s", "Mel 信哥 moved to Oslo"), ("t", "the fjord is deep")):
        stored.says(session(name, replace(ALICE, agent=f"agent-{name}")), turn("1", words))
    stored.tell(
        *(ch.EntityAdded(one) for one in (entity("Mel", "Melanie", "信哥"), entity("Rome"))),
        *(ch.EntityAdded(one) for one in (entity("Oslo"), entity("fjord", at="t"))),
        ch.EntityAdded(entity("Mel", scope=BOB)),
    )
    told = {"evidence": (span("s", "1"),)}
    stored.links(
        link("entity-Mel", "LIVES_IN", target="entity-Rome", fact="Mel lives in Rome",
             invalid_at=day(5), **told),
        link("entity-Mel", "LIVES_IN", target="entity-Oslo", fact="Mel lives in Oslo",
             valid_at=day(5), **told),
        link("entity-Oslo", "NEAR", target="entity-fjord", fact="Oslo is near a fjord",
             evidence=(span("t", "1"),)),
        link("entity-Mel", "KNOWS", target="entity-Oslo"),
    )  # fmt: skip
    return stored


def over(told: Told, recaller) -> Recaller:
    """What recalls from the default store, by words alone."""
    archive = SimpleNamespace(turn=told.read_turn)
    return replace(recaller(embedder=None), index=told.index, archive=archive)


def known(told: Told, **fields: object) -> Known:
    always = bool(fields.pop("always", False))
    at = fields.get("as_of") or day(9)
    where = Where(**{"scope": ALICE, **fields})  # type: ignore[arg-type]
    return Known(told.index, where, at, always)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Where does Melanie live?", ["Mel"]),
        ("what is Mel's town", ["Mel"]),
        ("信哥住在哪里", ["Mel"]),
        ("Oslo or Rome?", ["Oslo", "Rome"]),
        ("entity-Mel", ["Mel"]),
        ("nobody", []),
    ],
)
def test_named(town: Told, text: str, names: list[str]) -> None:
    """By name, alias, possessive or id, in both languages; each user's own."""
    assert sorted(one.name for one in known(town).named(text)) == names
    assert known(town, scope=Scope("carol")).named(text) == []


def facts(of: Known, hops: int = 1) -> list[tuple[str, int, float]]:
    found, _ = of.around({"entity-Mel": 1.0}, hops, held=lambda text: 1.0)
    return [(one.fact, one.hops, one.score) for one in found]


def test_facts_hold_at_the_time_asked(town: Told) -> None:
    """Those that hold then; before the move the old one; `always` both; nothing without hops."""
    assert facts(known(town)) == [("Mel lives in Oslo", 1, 1.0)]
    assert facts(known(town, as_of=day(2))) == [("Mel lives in Rome", 1, 1.0)]
    assert len(facts(known(town, always=True))) == 2
    assert facts(known(town), 0) == []
    told, _ = known(town, always=True).around({"entity-Mel": 1.0}, 1, held=len)
    assert {one.fact: one.holds for one in told} == {
        "Mel lives in Rome": False,
        "Mel lives in Oslo": True,
    }
    assert facts(known(town, believed_at=day(0))) == []


def test_each_hop_halves(town: Told) -> None:
    """A fact of a neighbour comes after, half as near; both ends have names."""
    assert facts(known(town), 2)[1] == ("Oslo is near a fjord", 2, 0.5)
    found, reached = known(town).around({"entity-Mel": 1.0}, 2, held=lambda text: 1.0)
    assert (found[1].subject, found[1].object) == ("Oslo", "fjord")
    assert reached["entity-fjord"] == (0.25, 2)


def test_narrowed_by_evidence(town: Told) -> None:
    """An agent or a session lets pass what has evidence there, and no other."""
    here, there = Scope("alice", session="s"), Scope("alice", "agent-t")
    assert [one.fact for one in known(town, scope=here).facts(limit=9)] == ["Mel lives in Oslo"]
    assert [one.fact for one in known(town, scope=there).facts(limit=9)] == ["Oslo is near a fjord"]
    assert [one.entity.name for one in known(town, scope=there).entities(limit=9)] == ["fjord"]
    assert known(town, origins=(Origin.OWNER,)).facts(limit=9) == []


def test_lists_come_in_pages(town: Told) -> None:
    """Facts the newest first, entities with the number of their facts; a page is a part."""
    every = [one.fact for one in known(town).facts(limit=9)]
    assert every == ["Mel lives in Oslo", "Oslo is near a fjord"]
    assert [one.fact for one in known(town).facts(limit=1, offset=1)] == every[1:]
    counts = {one.entity.name: one.facts for one in known(town).entities(limit=9)}
    assert counts == {"Mel": 1, "Oslo": 2, "Rome": 0, "fjord": 1}
    assert [one.entity.name for one in known(town).entities(limit=2, offset=1)] == ["Oslo", "Rome"]


def test_retrieve(town: Told, recaller) -> None:
    """The four kinds with scores and evidence; each can be left out; hops are bounded."""
    town.tell(
        ch.SummaryAdded(
            Summary("summary-1", ALICE, "s", "Moving", "Mel moved to Oslo", "1", "1", START)
        )
    )
    on = replace(over(town, recaller), clock=lambda: day(9))

    def found(text: str = "Where did Mel move? Oslo", **fields):
        wish = Wish(**fields)
        asked = query_for(Query(text, where=Where(ALICE)), wish)
        return retrieve(on, recall(on, asked), wish=wish)

    whole = found()
    assert [hit.content for hit in whole.answer.hits] == [
        "Mel 信哥 moved to Oslo",
        "Mel moved to Oslo",
    ]
    assert [e.entity.name for e in whole.entities][:2] == ["Mel", "Oslo"]
    assert all(item.evidence and 0 < item.score <= 1 for item in (*whole.entities, *whole.edges))
    assert whole.edges[0].fact == "Mel lives in Oslo"
    assert found(**{**NOTHING, "edges": True}, max_hops=0).edges == ()
    only = found(**{**NOTHING, "entities": True}, limit=1)
    assert (len(only.entities), only.edges, only.answer.hits) == (1, (), ())
    led = found("信哥 搬家", **{**NOTHING, "episodes": True, "summaries": True})
    assert [hit.content for hit in led.summaries] == ["Mel moved to Oslo"]
    assert led.summaries[0].score == led.hits(ItemKind.TURN)[0].score / 2
    assert found("quantum chromodynamics").answer.abstained
    for wrong in ({"max_hops": -1}, {"max_hops": 7}, {"limit": 0}):
        with pytest.raises(InvalidInput):
            found(**wrong)
    with pytest.raises(InvalidInput, match="give a question"):
        found("  ")


def test_what_tools_said_of_somebody_is_no_instruction(stored: Told, recaller) -> None:
    """An entity that a tool's words named is told as untrusted."""
    words = turn("1", "Mallory", role=Role.TOOL, origin=Origin.TOOL)
    stored.says(session("s"), words)
    stored.tell(ch.EntityAdded(entity("Mallory")))
    on = over(stored, recaller)
    asked = query_for(Query("Mallory", where=Where(ALICE)), Wish())
    found = retrieve(on, recall(on, asked), wish=Wish())
    assert [origin for _, origin in found.around.entities] == [Origin.TOOL]
