"""The graph arm: both readings of an edge, depths, and where one could go on."""

from __future__ import annotations

import pytest

from alaya.errors import NotFound
from alaya.model import change as ch
from alaya.model.graph import Entity, EntityKind, Relation
from alaya.model.passage import Query, Where
from alaya.recall.answer import recall
from alaya.recall.walk import Kinship, explorable, kinship, walk
from alaya.testing.invented import ALICE, BOB, Told, card, link, session

WHERE = Where(ALICE)


@pytest.fixture
def chain(told: Told) -> Told:
    """a → b → c → d by CAUSES, b ~ e by SIMILAR_TO, a and e taken from one session."""
    told.says(session())
    told.cards(*(card(n) for n in "abcde"))
    told.links(
        link("a", "CAUSES", target="b"),
        link("b", "CAUSES", target="c", weight=0.5),
        link("c", "CAUSES", target="d"),
        link("e", "SIMILAR_TO", target="b"),
        link("a", "EXTRACTED_FROM", target="session:s"),
        link("e", "EXTRACTED_FROM", target="session:s"),
    )
    return told


def reached(told: Told, *seeds: str, asked=(), depth: int = 1):
    kin = kinship(told.index, asked, vector=None, where=WHERE, embedder=None, text="")
    steps = walk(told.index, [f"card-{s}" for s in seeds], where=WHERE, depth=depth, kin=kin)
    return {s.node.removeprefix("card-"): (s.relation, s.depth) for s in steps.values()}


def test_both_readings(chain) -> None:
    """CAUSES leads forward and CAUSED_BY back; a symmetric relation leads both ways."""
    assert reached(chain, "b", asked=("CAUSES",)) == {"c": ("CAUSES", 1)}
    assert reached(chain, "b", asked=("CAUSED_BY",)) == {"a": ("CAUSED_BY", 1)}
    both = reached(chain, "b", asked=("CAUSES", "CAUSED_BY"))
    assert both == {"c": ("CAUSES", 1), "a": ("CAUSED_BY", 1)}
    assert reached(chain, "b", asked=("SIMILAR_TO",)) == {"e": ("SIMILAR_TO", 1)}
    assert reached(chain, "e", asked=("SIMILAR_TO",)) == {"b": ("SIMILAR_TO", 1)}
    assert reached(chain, "b", asked=("DEPENDS_ON",)) == {}


def test_every_relation(chain) -> None:
    """Without named relations all are followed, each as it reads from where one comes."""
    assert reached(chain, "b") == {
        "a": ("CAUSED_BY", 1),
        "c": ("CAUSES", 1),
        "e": ("SIMILAR_TO", 1),
    }


def test_depth(chain) -> None:
    """Each hop goes on from what the one before reached; no node is reached twice."""
    assert reached(chain, "a", depth=0) == {}
    assert set(reached(chain, "a", depth=1)) == {"b"}
    two = reached(chain, "a", depth=2)
    assert {n: d for n, (_, d) in two.items()} == {"b": 1, "c": 2, "e": 2}
    three = reached(chain, "a", depth=3, asked=("CAUSES",))
    assert {n: d for n, (_, d) in three.items()} == {"b": 1, "c": 2, "d": 3}
    assert set(reached(chain, "a", "b", "c", depth=2)) == {"d", "e"}


def test_sessions_are_no_crossroads(chain) -> None:
    """Cards of one session are not neighbours, unless one asks for where they came from."""
    assert "e" not in reached(chain, "a", depth=1)
    found = reached(chain, "a", depth=2, asked=("EXTRACTED_FROM",))
    assert found == {"session:s": ("EXTRACTED_FROM", 1), "e": ("EXTRACTED_FROM", 2)}


def test_heaviest_edge_wins(told) -> None:
    """Where two edges lead to a node, the one that counts more is told."""
    told.cards(card("a"), card("b"))
    told.links(link("a", "X", target="b", weight=0.2), link("b", "Y", target="a", weight=0.9))
    assert reached(told, "a") == {"b": ("Y", 1)}


def test_nothing_through_walls(told) -> None:
    """A walk does not pass what the filter hides: forgotten cards, other users."""
    told.cards(card("a"), card("b"), card("c"), card("b", scope=BOB))
    told.links(link("a", "R", target="b"), link("b", "R", target="c"))
    told.tell(ch.Forgotten(ALICE, ("card-b",), ""))
    assert reached(told, "a", depth=2) == {}


def test_entities_are_passed(told) -> None:
    """Two cards that mention one entity are two hops apart."""
    told.cards(card("a"), card("b"))
    told.tell(ch.EntityAdded(Entity("entity-x", ALICE, "x", EntityKind.TOOL)))
    told.links(link("a", "MENTIONS", target="entity-x"), link("b", "MENTIONS", target="entity-x"))
    assert reached(told, "a", depth=2) == {"entity-x": ("MENTIONS", 1), "b": ("MENTIONS", 2)}


def test_kinship_without_vectors(told) -> None:
    """Without vectors a relation is the one asked for, an alias of it, or no kin."""
    told.cards(card("a"), card("b"))
    told.links(link("a", "LED_TO", target="b"), link("a", "OWN", target="b"))
    told.tell(ch.RelationRevised(Relation("LED_TO", alias_of="CAUSES")))
    kin = kinship(told.index, ("CAUSES",), vector=None, where=WHERE, embedder=None, text="")
    assert (kin.of("CAUSES"), kin.of("LED_TO"), kin.of("OWN")) == (1.0, 1.0, 0.0)
    assert kin.followed == ["CAUSES", "LED_TO"]
    nothing = kinship(told.index, (), vector=None, where=WHERE, embedder=None, text="")
    assert (nothing.of("OWN"), nothing.followed) == (0.5, None)


class _Same:
    """An embedder to which everything is the same."""

    name, dimensions, baseline = "same", 2, {}

    def query(self, text):
        return [1.0, 0.0]


def test_the_other_reading_is_no_kin(told) -> None:
    """However near the names stand, CAUSED_BY does not lead along CAUSES."""
    told.cards(card("a"), card("b"), card("c"))
    told.links(
        link("a", "CAUSES", target="b"),
        link("b", "CAUSES", target="c"),
        link("b", "LED_TO", target="c"),
    )
    told.index.put("same", {p.text_hash: [[1.0, 0.0]] for p in told.index.pending("same", 99)})
    kin = kinship(told.index, ("CAUSED_BY",), vector=None, where=WHERE, embedder=_Same(), text="")
    steps = walk(told.index, ["card-b"], where=WHERE, depth=1, kin=kin)
    assert {(s.node, s.relation) for s in steps.values()} == {
        ("card-a", "CAUSED_BY"),
        ("card-c", "LED_TO"),
    }


def test_explorable(chain) -> None:
    """Relations that lead on from what was found, with how many they lead to; not to sessions."""
    kin = Kinship((), {"CAUSES": 0.9})
    ways = explorable(chain.index, ["card-a", "card-b"], where=WHERE, kin=kin)
    assert [(w.rel, w.count, w.rel_sim_to_query) for w in ways] == [
        ("CAUSES", 1, 0.9),
        ("SIMILAR_TO", 1, 0.5),
    ]
    assert explorable(chain.index, [], where=WHERE, kin=kin) == ()


def test_recall_from_a_node(chain, recaller) -> None:
    """From a card one goes along a relation; nothing is searched; h follows the formula."""
    answer = recall(
        recaller(), Query(from_nodes=("card-b",), relations=("CAUSED_BY",), where=WHERE)
    )
    (hit,) = answer.hits
    assert (hit.id, hit.matched_rel, hit.rel_similarity, hit.depth) == ("card-a", "CAUSED_BY", 1, 1)
    # alpha x 1 (nothing was asked in words) + beta x 0 + gamma x 0.1 x 1
    assert hit.h_distance == pytest.approx(0.5 * 1 + 0.3 * 0 + 0.2 * 0.1)
    assert hit.via.source == "card-a"
    assert [w.rel for w in answer.explorable] == ["CAUSES"]
    assert answer.h_distance_avg == hit.h_distance


def test_unknown_nodes(chain, recaller) -> None:
    """A card that is not there, or not for this user, is NotFound."""
    for node, where in (("card-zz", WHERE), ("card-a", Where(BOB))):
        with pytest.raises(NotFound, match=node):
            recall(recaller(), Query(from_nodes=(node,), where=where))
