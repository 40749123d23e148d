"""The graph arm: both readings of an edge, depths, and where one could go on."""

from __future__ import annotations

import pytest

from alaya.errors import NotFound
from alaya.model import change as ch
from alaya.model.graph import Entity, EntityKind, Relation
from alaya.model.passage import Query, Where
from alaya.recall.answer import recall
from alaya.recall.walk import Kinship, explorable, kinship, walk
from alaya.testing.invented import ALICE, BOB, Told, card, link, session, span, turn

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
    # Nothing was asked in words: alpha goes to beta and gamma, which become 0.6 and 0.4.
    assert hit.h_distance == pytest.approx(0.6 * 0 + 0.4 * 0.1)
    assert dict(answer.settings)["alpha"] == 0
    assert hit.via.source == "card-a"
    assert [w.rel for w in answer.explorable] == ["CAUSES"]
    assert answer.h_distance_avg == hit.h_distance


@pytest.mark.parametrize("fields", [{}, {"include_cards": False, "text": "q"}])
@pytest.mark.parametrize(
    ("node", "where"),
    [
        ("card-zz", WHERE),
        ("card-a", Where(BOB)),
        ("session:zz", WHERE),
        ("session:s", Where(BOB)),
        ("entity-zz", WHERE),
        ("entity-x", Where(BOB)),
        ("s#1", WHERE),
        ("zz", WHERE),
        ("", WHERE),
    ],
)
def test_unknown_nodes(chain, recaller, node, where, fields) -> None:
    """Whatever is not there, or not for this user, is NotFound, by name."""
    chain.tell(ch.EntityAdded(Entity("entity-x", ALICE, "x", EntityKind.TOOL)))
    with pytest.raises(NotFound, match=f"no .*{node} to go on from"):
        recall(recaller(), Query(from_nodes=(node,), where=where, **fields))


def test_other_nodes(chain, recaller) -> None:
    """A session, by either name, and an entity are nodes to go on from."""
    chain.tell(ch.EntityAdded(Entity("entity-x", ALICE, "x", EntityKind.TOOL)))
    chain.links(link("d", "MENTIONS", target="entity-x"))
    for session_id in ("session:s", "s"):
        asked = Query(from_nodes=(session_id,), relations=("EXTRACTED_FROM",), where=WHERE)
        assert {hit.id for hit in recall(recaller(), asked).hits} == {"card-a", "card-e"}
    asked = Query(from_nodes=("entity-x",), where=WHERE)
    assert [hit.id for hit in recall(recaller(), asked).hits] == ["card-d"]


def from_node(recaller, node: str, **fields) -> dict[str, tuple[str, int]]:
    """Cards that one comes to from a node: by which relation, at what depth."""
    hits = recall(recaller(), Query(from_nodes=(node,), where=WHERE, **fields)).hits
    return {hit.id.removeprefix("card-"): (hit.matched_rel, hit.depth) for hit in hits}


def test_from_a_session(chain, recaller) -> None:
    """From a session one comes to its cards, then along their links; not to other sessions'."""
    chain.says(session("other"))
    chain.cards(card("other"))
    chain.links(link("other", "EXTRACTED_FROM", target="session:other"))
    first = {"a": ("EXTRACTED_FROM", 1), "e": ("EXTRACTED_FROM", 1)}
    assert from_node(recaller, "s") == first
    assert from_node(recaller, "s", depth=2) == {**first, "b": ("CAUSES", 2)}
    assert from_node(recaller, "s", depth=0) == {}
    assert from_node(recaller, "other") == {"other": ("EXTRACTED_FROM", 1)}


def test_a_relation_from_a_session(chain, recaller) -> None:
    """A named relation is followed from the cards of a session, also to one of these cards."""
    assert from_node(recaller, "s", relations=("CAUSES",)) == {"b": ("CAUSES", 1)}
    chain.links(link("a", "CAUSES", target="e"))
    found = from_node(recaller, "s", relations=("CAUSES",))
    assert found == {"b": ("CAUSES", 1), "e": ("CAUSES", 1)}
    nothing = Query(from_nodes=("s",), relations=("DEPENDS_ON",), where=WHERE)
    answer = recall(recaller(), nothing)
    assert answer.abstained
    assert [way.rel for way in answer.explorable] == ["CAUSES", "SIMILAR_TO"]


def test_from_a_turn(told, recaller) -> None:
    """From a turn one comes to the cards that cite it; one that none cites is its session."""
    told.says(session(), *(turn(n, "网关重启") for n in "123"))
    told.cards(
        card("one", evidence=(span("s", "1"),)),
        card("both", evidence=(span("s", "1"), span("s", "2"))),
        card("b"),
    )
    told.links(
        link("one", "EXTRACTED_FROM", target="session:s"),
        link("both", "EXTRACTED_FROM", target="session:s"),
        link("one", "CAUSES", target="b"),
    )
    taken = ("EXTRACTED_FROM", 1)
    assert from_node(recaller, "s#2") == {"both": taken}
    assert from_node(recaller, "s#1") == {"one": taken, "both": taken}
    assert from_node(recaller, "s#1", relations=("EXTRACTED_FROM",)).keys() == {"one", "both"}
    assert from_node(recaller, "session:s#1", relations=("CAUSES",)) == {"b": ("CAUSES", 1)}
    assert from_node(recaller, "s#3") == {"one": taken, "both": taken}
    with pytest.raises(NotFound, match="s#4"):
        from_node(recaller, "s#4")
    with pytest.raises(NotFound, match="s#1"):
        recall(recaller(), Query(from_nodes=("s#1",), where=Where(BOB)))


@pytest.mark.parametrize("name", ["1", "tool#1"])
def test_turns_by_what_a_recall_calls_them(told, recaller, name) -> None:
    """The id of a turn that was found is a node to go on from, whatever the two are called."""
    told.says(session("a#b"), turn(name, "the gateway restarts"), turn("2", "never mind"))
    told.cards(card("one", evidence=(span("a#b", name),)))
    told.links(link("one", "EXTRACTED_FROM", target="session:a#b"))
    asked = Query("gateway", include_cards=False, include_sessions=True, where=WHERE)
    hit = recall(recaller(), asked).hits[0]
    assert from_node(recaller, hit.id) == {"one": ("EXTRACTED_FROM", 1)}
    assert from_node(recaller, "a#b") == {"one": ("EXTRACTED_FROM", 1)}
