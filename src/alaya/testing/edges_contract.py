"""What every GraphReader must do when it is searched or counted: bare edges, and ways out."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from alaya.model import change as ch
from alaya.model.graph import Edge, Entity, EntityKind
from alaya.model.passage import Where
from alaya.model.scope import Scope
from alaya.testing.index_contract import IndexContract
from alaya.testing.invented import ALICE, BOB, Told, card, day, everything, link, session, span

Found = dict[str, int]


def ways(told: Told, *names: str, where: Where | None = None) -> Found:
    """Ways out of some cards; also what a Counter would say of what is not there."""
    return dict(told.index.ways([f"card-{n}" for n in names], where or Where(ALICE)))


class EdgesContract(IndexContract):
    """Edges without what is said about them, and counts of where relations lead."""

    def test_bare(self, told: Told) -> None:
        """An edge is a link's ends, relation and weight, in the stored direction."""
        told.cards(card("a"), card("b"))
        told.links(link("a", "CAUSED_BY", target="b", weight=0.7, reason="因为", fact="f"))
        expected = [Edge("card-b", "CAUSES", "card-a", 0.7)]
        for nodes in (["card-a"], ["card-b"], ["card-b", "card-a", "card-b"]):
            assert told.index.edges(nodes, Where(ALICE)) == expected
        assert told.index.edges([], Where(ALICE)) == []
        assert told.index.edges(["card-nothing"], Where(ALICE)) == []

    def test_facts(self, told: Told) -> None:
        """Links between entities with a sentence, newest first and by pages; each user's, in time.

        What has no sentence, leads to a card, or is of a merged entity, is none.
        """
        for scope in (ALICE, BOB):
            ends = [Entity(f"entity-{n}", scope, n, EntityKind.THING) for n in ("x", "王雷", "y")]
            told.tell(*(ch.EntityAdded(one) for one in ends))
        told.cards(card("a"))
        told.links(
            link("entity-x", "LIKES", target="entity-王雷", fact="x 喜欢 王雷", valid_at=day(1)),
            link("entity-x", "LIVES", target="entity-y", fact="old", invalid_at=day(2)),
            link("entity-x", "NEAR", target="entity-y"),
            link("entity-x", "NEAR", target="a", fact="to a card"),
            link("entity-y", "LIKES", target="entity-x", fact="of Bob", scope=BOB),
        )
        index, where = told.index, Where(ALICE)

        def facts(where: Where = where, *, limit: int = 9, offset: int = 0) -> list[str]:
            return [one.fact for one in index.facts(where, limit=limit, offset=offset)]

        assert facts() == ["x 喜欢 王雷", "old"]
        assert (facts(limit=1), facts(limit=1, offset=1), facts(offset=2)) == (
            ["x 喜欢 王雷"],
            ["old"],
            [],
        )
        assert facts(Where(ALICE, as_of=day(3))) == ["x 喜欢 王雷"]
        assert facts(Where(ALICE, as_of=day(0))) == ["old"]
        assert facts(Where(BOB)) == ["of Bob"]
        assert facts(Where(Scope("carol"))) == facts(Where(ALICE, believed_at=day(0))) == []
        told.tell(ch.EntityMerged(ALICE, "entity-x", ("entity-王雷",)))
        assert facts() == ["old"]

    def test_entities_by_turn(self, told: Told) -> None:
        """By the turns that an entity rests on now, and by id; each user's, and no merged one."""
        index, where = told.index, Where(ALICE)
        first, later = (span("s", "1"), span("s", "1", start=9)), (span("s", "2"),)
        for scope in (ALICE, BOB):
            told.tell(
                *(
                    ch.EntityAdded(
                        Entity(f"entity-{n}", scope, n, EntityKind.TOOL, evidence=evidence)
                    )
                    for n, evidence in (("x", first), ("王雷", first), ("y", later))
                )
            )
        turns = [("s", "1"), ("s", "2"), ("s", "3"), ("t", "1")]
        assert index.entities_of_turns(where, turns) == {
            ("s", "1"): ["entity-x", "entity-王雷"],
            ("s", "2"): ["entity-y"],
        }
        assert [e.id for e in index.entities(where, ids=["entity-y", "entity-z"])] == ["entity-y"]
        assert index.entities(where, ids=[]) == []
        assert index.entities(where, ["x"], ids=["entity-y"]) == []
        assert index.entities_of_turns(where, []) == {}
        assert index.entities_of_turns(Where(Scope("carol")), turns) == {}
        assert index.entities_of_turns(Where(ALICE, believed_at=day(0)), turns) == {}
        moved = Entity("entity-x", ALICE, "x", EntityKind.TOOL, evidence=later)
        told.tell(
            ch.EntityRevised(moved), ch.EntityMerged(ALICE, "entity-x", ("entity-y",), "the same")
        )
        assert index.entities_of_turns(where, turns) == {
            ("s", "1"): ["entity-王雷"],
            ("s", "2"): ["entity-x"],
        }
        assert index.entities_of_turns(Where(BOB), turns[1:]) == {("s", "2"): ["entity-y"]}

    def test_edges_are_the_links(self, told: Told) -> None:
        """The same as `links` in the same order, for every limit, filter and relation."""
        told.cards(*(card(n, tags=(("t",) if n in "abc" else ())) for n in "abcdefgh"))
        told.links(
            *(
                link(
                    one,
                    relation,
                    target=other,
                    weight=(number % 5 + 1) / 5,
                    valid_at=day(number % 3),
                )
                for number, (one, other) in enumerate(
                    (one, other) for one in "abcd" for other in "defgh" if one != other
                )
                for relation in ("R", "关系")
            ),
            link("a", "R", target="d", valid_at=day(9), weight=0.1),
            link("a", "OWN", target="a"),
        )
        told.tell(ch.Forgotten(ALICE, ("card-e",), ""))
        nodes = ["card-a", "card-d", "card-h", "card-nothing", "card-e"]
        for where in (Where(ALICE), Where(ALICE, tags=("t",)), everything(), Where(BOB)):
            for relations in ((), ("R",), ("关系", "OWN"), ("NONE",)):
                for limit in (1, 3, 50):
                    links = told.index.links(
                        nodes, where, relations=relations, limit_per_node=limit
                    )
                    edges = told.index.edges(
                        nodes, where, relations=relations, limit_per_node=limit
                    )
                    assert edges == [Edge(e.source, e.relation, e.target, e.weight) for e in links]
        assert told.index.edges(nodes, Where(ALICE))

    def test_ways_are_read_from_where_one_stands(self, told: Told) -> None:
        """CAUSES forward is CAUSED_BY back; a symmetric or free relation has one name."""
        told.cards(*(card(n) for n in "abcde"))
        told.links(
            link("a", "CAUSES", target="b"),
            link("a", "CAUSES", target="c"),
            link("d", "CAUSES", target="a"),
            link("a", "SIMILAR_TO", target="b"),
            link("e", "SIMILAR_TO", target="a"),
            link("a", "受启发于", target="b"),
            link("c", "受启发于", target="a"),
        )
        assert ways(told, "a") == {"CAUSES": 2, "CAUSED_BY": 1, "SIMILAR_TO": 2, "受启发于": 2}
        assert ways(told, "b") == {"CAUSED_BY": 1, "SIMILAR_TO": 1, "受启发于": 1}
        assert ways(told) == {}
        assert ways(told, "nothing") == {}

    def test_ways_lead_outside(self, told: Told) -> None:
        """What lies inside is no way; a node counts once for a relation, however often reached."""
        told.cards(*(card(n) for n in "abcd"))
        told.links(
            link("a", "R", target="b"),
            link("a", "R", target="c"),
            link("b", "R", target="c"),
            link("c", "R", target="b", valid_at=day(3)),
            link("b", "R", target="c", valid_at=day(4)),
            link("a", "S", target="c"),
            link("a", "R", target="a"),
        )
        assert ways(told, "a") == {"R": 2, "S": 1}
        assert ways(told, "a", "b") == {"R": 1, "S": 1}
        assert ways(told, "b", "a", "b", "d") == {"R": 1, "S": 1}
        assert ways(told, "a", "b", "c") == {}

    def test_every_way_counts(self, told: Told) -> None:
        """Light edges count as heavy ones do, however many there are."""
        names = [f"n{i:03}" for i in range(120)]
        told.cards(card("a"), *(card(n) for n in names))
        told.links(
            *(link("a", "MANY", target=n, weight=1.0) for n in names[:-1]),
            link(names[-1], "ONE", target="a", weight=0.01),
        )
        assert ways(told, "a") == {"MANY": 119, "ONE": 1}
        hidden = tuple(f"card-{n}" for n in names[:100])
        told.tell(ch.Forgotten(ALICE, hidden, ""))
        assert ways(told, "a") == {"MANY": 19, "ONE": 1}

    def test_ways_honour_the_filter(self, told: Told) -> None:
        """Neither end may be hidden: by tag, forgetting, quarantine, version, time or belief."""
        told.cards(
            card("a", tags=("t",)), card("b", tags=("t",)), card("c"), card("d", said_at=day(9))
        )
        told.links(*(link("a", "R", target=n, valid_at=day(i)) for i, n in enumerate("bcd")))
        link_at = told.records[-1][2]
        assert ways(told, "a") == {"R": 3}
        assert ways(told, "a", where=Where(ALICE, tags=("t",))) == {"R": 1}
        assert ways(told, "c", where=Where(ALICE, tags=("t",))) == {}
        assert ways(told, "a", where=Where(ALICE, until=day(5))) == {"R": 2}
        assert ways(told, "a", where=Where(ALICE, as_of=day(0.5))) == {"R": 1}
        before = Where(ALICE, believed_at=link_at - timedelta(seconds=1))
        assert ways(told, "a", where=before) == {}
        told.tell(ch.Quarantined(ALICE, ("card-b",), True), ch.Forgotten(ALICE, ("card-c",), ""))
        assert ways(told, "a") == {"R": 1}
        assert ways(told, "c") == {}
        assert ways(told, "a", where=everything()) == {"R": 3}
        assert ways(told, "a", where=Where(ALICE, believed_at=link_at)) == {"R": 3}
        told.tell(ch.LinkRetired(ALICE, link("a", "R", target="d", valid_at=day(2)).id, "wrong"))
        assert ways(told, "a") == {}

    def test_ways_stop_at_the_wall(self, told: Told) -> None:
        """Another user's edges between cards of the same ids are not counted."""
        for scope, many in ((ALICE, "b"), (BOB, "bcd")):
            told.cards(*(card(n, scope=scope) for n in "abcd"))
            told.links(*(link("a", "R", target=n, scope=scope) for n in many))
        assert ways(told, "a") == {"R": 1}
        assert ways(told, "a", where=Where(BOB)) == {"R": 3}
        assert ways(told, "a", where=Where(Scope("eve"))) == {}
        assert told.index.edges(["card-a"], Where(Scope("eve"))) == []

    def test_ways_to_sessions_and_entities(self, told: Told) -> None:
        """They are nodes like cards, from either side."""
        told.says(session())
        told.cards(card("a"), card("b"))
        told.tell(ch.EntityAdded(Entity("entity-x", ALICE, "x", EntityKind.TOOL)))
        told.links(
            link("a", "EXTRACTED_FROM", target="session:s"),
            link("b", "EXTRACTED_FROM", target="session:s"),
            link("b", "EXTRACTED_FROM", target="session:nowhere"),
            link("a", "MENTIONS", target="entity-x"),
        )
        assert ways(told, "a", "b") == {"EXTRACTED_FROM": 1, "MENTIONS": 1}
        assert dict(told.index.ways(["session:s"], Where(ALICE))) == {"EXTRACTED_FROM": 2}
        assert dict(told.index.ways(["entity-x"], Where(ALICE))) == {"MENTIONS": 1}

    def test_history(self, told: Told) -> None:
        """What ended is believed of the time before; until that was learnt it had not ended."""
        told.tell(ch.EntityAdded(_entity("x")), ch.EntityAdded(_entity("y")))
        given = link("entity-x", "WORKS_AT", target="entity-y", valid_at=day(0))
        told.tell(ch.LinkAdded(given), at=day(1))
        told.tell(ch.FactRetired(ALICE, given.id, "left", day(5)), at=day(10))

        def there(**fields: Any) -> bool:
            return bool(told.index.links(["entity-x"], Where(ALICE, **fields)))

        assert [there(as_of=day(n)) for n in (-1, 0, 4, 5, 9)] == [False, True, True, False, False]
        before: dict[str, Any] = {"believed_at": day(9)}
        assert [there(as_of=day(n), **before) for n in (4, 5, 9)] == [True, True, True]
        assert (there(), there(include_ended=True)) == (False, True)

    def test_refuted(self, told: Told) -> None:
        """What was retired as wrong is not believed of any time, though it had an end."""
        told.tell(ch.EntityAdded(_entity("x")), ch.EntityAdded(_entity("y")))
        given = link("entity-x", "WORKS_AT", target="entity-y", invalid_at=day(5))
        told.tell(ch.LinkAdded(given), at=day(1))
        told.tell(ch.FactRetired(ALICE, given.id, "wrong"), at=day(10))
        wrong: tuple[dict[str, Any], ...] = ({"as_of": day(4)}, {"include_ended": True})
        for fields in wrong:
            assert not told.index.links(["entity-x"], Where(ALICE, **fields))
        assert told.index.links(["entity-x"], Where(ALICE, as_of=day(4), believed_at=day(9)))

    def test_history_is_taken_over(self, told: Told) -> None:
        """Of an entity that turns out to be another, what ended is the other's history."""
        told.tell(*(ch.EntityAdded(_entity(name)) for name in "xyz"))
        given = link("entity-x", "WORKS_AT", target="entity-y", valid_at=day(0))
        told.tell(ch.LinkAdded(given), at=day(1))
        told.tell(ch.FactRetired(ALICE, given.id, "left", day(5)), at=day(10))
        told.tell(ch.EntityMerged(ALICE, "entity-z", ("entity-x",)), at=day(20))
        (found,) = told.index.links(["entity-z"], Where(ALICE, as_of=day(4)))
        assert (found.source, found.invalid_at, found.retired_at) == ("entity-z", day(5), day(10))
        assert told.index.links(["entity-z"], Where(ALICE, as_of=day(6))) == []
        assert told.index.links(["entity-z"], Where(ALICE)) == []
        earlier = Where(ALICE, as_of=day(6), believed_at=day(9))
        assert told.index.links(["entity-z"], earlier) == []
        assert len(told.index.links(["entity-x"], earlier)) == 1


def _entity(name: str) -> Entity:
    return Entity(f"entity-{name}", ALICE, name, EntityKind.PERSON)
