"""A path from one memory to another: the best chain of links, its cost by hand, and its walls."""

from __future__ import annotations

from dataclasses import replace

import pytest

from alaya.errors import InvalidInput, NotFound, ProviderError
from alaya.model import change as ch
from alaya.model.graph import Entity, EntityKind
from alaya.model.passage import ItemKind, Query, Where
from alaya.model.path import PathQuery
from alaya.recall import navigate
from alaya.recall.answer import recall
from alaya.recall.navigate import find_path
from alaya.recall.plan import Settings
from alaya.testing.invented import ALICE, BOB, START, Told, card, day, link, session

WHERE = Where(ALICE)


@pytest.fixture
def chain(told: Told) -> Told:
    """a → b → c → d by CAUSES, b ~ e by SIMILAR_TO, a weak link from d to a, and f alone."""
    told.cards(*(card(n) for n in "abcdef"))
    told.links(
        link("a", "CAUSES", target="b", reason="because", fact="a makes b"),
        link("b", "CAUSES", target="c", weight=0.5),
        link("c", "CAUSES", target="d"),
        link("e", "SIMILAR_TO", target="b"),
        link("d", "DEPENDS_ON", target="a", weight=0.1),
    )
    return told


def path(on, source: str, target: str, **fields):
    ends = [f"card-{e}" if len(e) == 1 else e for e in (source, target)]
    bound = {"max_nodes": fields.pop("max_nodes")} if "max_nodes" in fields else {}
    return find_path(on, PathQuery(*ends, **{"where": WHERE, **fields}), **bound)


def shown(found) -> str:
    """`a CAUSES b, b SIMILAR_TO e` with `<` before a relation that is read backwards."""
    if found is None:
        return "none"
    names = [place.id.removeprefix("card-") for place in found.places]
    steps = [
        f"{names[i]} {'<' * s.against}{s.relation} {names[i + 1]}"
        for i, s in enumerate(found.steps)
    ]
    return ", ".join(steps) or names[0]


def test_by_hand(chain, recaller) -> None:
    """alpha x concept distance + beta x (1 - similarity x weight) + gamma x 0.1, step by step."""
    found = path(recaller(), "a", "d")
    # No vectors: nothing tells how near a node is, so 1 but for the target. Relations: 0.5.
    assert shown(found.chain) == "a <DEPENDS_ON d"
    assert found.chain.distance == pytest.approx(0 + 0.3 * (1 - 0.5 * 0.1) + 0.02)
    along = path(recaller(), "a", "d", relations=("causes",))
    assert shown(along.chain) == "a CAUSES b, b CAUSES c, c CAUSES d"
    # Asked for: similarity 1. Weights 1, 0.5, 1; concept distances 1, 1, 0.
    expected = [0.5 + 0.0 + 0.02, 0.5 + 0.3 * 0.5 + 0.02, 0.0 + 0.0 + 0.02]
    assert [s.distance for s in along.chain.steps] == pytest.approx(expected)
    assert along.chain.distance == pytest.approx(sum(expected))
    assert [p.concept_distance for p in along.chain.places] == [1, 1, 1, 0]
    assert (along.found, along.complete, along.closest, along.unmatched) == (True, True, None, ())
    assert along.query.relations == ("CAUSES",)
    assert dict(along.settings) == {"alpha": 0.5, "beta": 0.3, "gamma": 0.2}


def test_what_a_step_tells(chain, recaller) -> None:
    """The stored link with its reason and fact, and the card that it leads to."""
    (step,) = path(recaller(), "b", "a").chain.steps
    assert (step.link.source, step.link.relation, step.link.target) == (
        "card-a",
        "CAUSES",
        "card-b",
    )
    assert (step.relation, step.against) == ("CAUSED_BY", False)
    assert (step.link.reason, step.link.fact) == ("because", "a makes b")
    assert (step.place.title, step.place.card.id) == ("title a", "card-a")


def test_read_in_its_direction(chain, recaller) -> None:
    """CAUSES is CAUSED_BY the other way; symmetric is itself; others are marked as against."""
    assert shown(path(recaller(), "c", "e").chain) == "c CAUSED_BY b, b SIMILAR_TO e"
    assert shown(path(recaller(), "e", "c").chain) == "e SIMILAR_TO b, b CAUSES c"
    assert shown(path(recaller(), "d", "a").chain) == "d DEPENDS_ON a"
    assert shown(path(recaller(), "a", "d").chain) == "a <DEPENDS_ON d"


def test_only_these_relations(chain, recaller) -> None:
    """Where relations are named no other is followed, and a causal one in its own direction."""
    assert not path(recaller(), "c", "a", relations=("CAUSES",)).found
    found = path(recaller(), "c", "a", relations=("CAUSED_BY",))
    assert shown(found.chain) == "c CAUSED_BY b, b CAUSED_BY a"
    assert path(recaller(), "a", "e", relations=("CAUSES", "SIMILAR_TO")).found
    assert not path(recaller(), "a", "e", relations=("CAUSES",)).found
    assert not path(recaller(), "a", "b", relations=("无此关系",)).found


def test_depth(chain, recaller) -> None:
    """No chain is longer than allowed."""
    only = {"relations": ("CAUSES",)}
    assert len(path(recaller(), "a", "d", max_depth=3, **only).chain.steps) == 3
    short = path(recaller(), "a", "d", max_depth=2, **only)
    assert (short.found, short.complete, short.max_depth) == (False, True, 2)
    assert path(recaller(), "a", "d").max_depth == navigate.DEPTH


def test_no_path_tells_how_close_it_came(chain, recaller) -> None:
    """No chain is no error: the node that is nearest to the target, and the way to it."""
    chain.cards(card("oven", "the bread oven"), card("bread", "bread dough", content="oven"))
    chain.links(link("d", "CAUSES", target="bread"))
    for vectors in (False, True):
        found = path(recaller(vectors=vectors), "a", "card-oven")
        assert (found.found, found.complete) == (False, True)
        assert found.closest.places[-1].id == "card-bread"
        assert found.closest.start.id == "card-a"
        assert found.expanded > 0
    alone = path(recaller(), "f", "a")
    assert (shown(alone.closest), alone.closest.steps) == ("f", ())


def test_near_the_target_by_vectors(told, recaller) -> None:
    """Of two chains alike in links, the one whose nodes are like the target; by hand, too."""
    told.cards(
        card("start", "beginning"),
        card("goal", "gateway port conflict"),
        card("like", "gateway port"),
        card("other", "sourdough bread"),
    )
    told.links(
        *(link("start", "R", target=m) for m in ("other", "like")),
        *(link(m, "R", target="goal") for m in ("other", "like")),
    )
    without = path(recaller(), "card-start", "card-goal")
    assert without.chain.places[1].concept_distance == 1
    assert without.notes[0].startswith("no vectors of")
    assert "no embedder" in path(recaller(embedder=None), "card-start", "card-goal").notes[0]
    on = recaller(vectors=True)
    found = path(on, "card-start", "card-goal")
    assert shown(found.chain) == "start R like, like R goal"
    like = found.chain.places[1].concept_distance
    vector = on.embedder.query("gateway port conflict")
    (cosine,) = told.index.similarities(
        on.embedder.name, vector, kind=ItemKind.CARD, ids=["card-like"], where=WHERE
    ).values()
    middle = on.embedder.baseline.get("latin|latin", 0.0)
    assert like == pytest.approx(1 - (cosine - middle) / (1 - middle), abs=1e-6)
    assert found.notes == ()


def test_an_embedder_that_fails(chain, recaller) -> None:
    """Without an answer of the embedder there are still the links, and a note."""
    on = recaller(vectors=True)

    class Broken:
        name, dimensions, baseline = on.embedder.name, on.embedder.dimensions, {}

        def query(self, text):
            raise ProviderError("out of order")

    found = path(replace(on, embedder=Broken()), "a", "b")
    assert found.found
    assert "out of order" in found.notes[0]


def test_questions(told, recaller) -> None:
    """A question stands for the cards that answer it; how well they do is part of the distance."""
    told.cards(
        card("port", "网关端口冲突", content="gateway 启动失败"),
        card("cause", "旧进程没有退出"),
        card("bread", "sourdough bread", content="let the dough rest"),
    )
    told.links(link("cause", "CAUSES", target="port"), link("bread", "受启发于", target="cause"))
    found = path(recaller(), "网关端口", "sourdough bread")
    assert shown(found.chain) == "port CAUSED_BY cause, cause <受启发于 bread"
    begin, end = found.chain.ends
    assert begin == pytest.approx(0.5 * recall_distance(recaller(), "网关端口"), abs=1e-6)
    assert end == pytest.approx(0.5 * recall_distance(recaller(), "sourdough bread"), abs=1e-6)
    total = begin + sum(s.distance for s in found.chain.steps) + end
    assert found.chain.distance == pytest.approx(total, abs=1e-5)
    half = path(recaller(), "网关端口", "card-cause")
    assert shown(half.chain) == "port CAUSED_BY cause"
    assert half.chain.ends == (pytest.approx(begin), 0)


def recall_distance(on, text: str) -> float:
    return recall(on, Query(text, graph_expand=False, where=WHERE)).hits[0].concept_distance


def test_one_card_answers_both(told, recaller) -> None:
    """Two questions that lead to one card: that card, and no step."""
    told.cards(card("both", "gateway restart loses telegram messages"))
    found = path(recaller(), "gateway restart", "telegram messages")
    assert (shown(found.chain), found.chain.steps) == ("both", ())
    assert found.chain.distance == pytest.approx(sum(found.chain.ends))


def test_whatever_a_recall_looks_in(told, recaller) -> None:
    """A path leads between cards, also where the configuration has recalls look elsewhere."""
    told.cards(card("a", "gateway"), card("b", "port"))
    told.links(link("a", "CAUSES", target="b"))
    elsewhere = Settings(include_cards=False, include_sessions=True, include_notes=False)
    found = path(recaller(settings=elsewhere), "gateway", "port")
    assert shown(found.chain) == "a CAUSES b"


def test_a_question_that_nothing_answers(chain, recaller) -> None:
    """Nothing remembered is no error, either: which end it was is told."""
    found = path(recaller(), "quasar spectroscopy", "card-a")
    assert (found.found, found.closest, found.unmatched) == (False, None, ("quasar spectroscopy",))
    both = path(recaller(), "quasar spectroscopy", "红移")
    assert both.unmatched == ("quasar spectroscopy", "红移")


@pytest.mark.parametrize(
    ("source", "target", "more", "says"),
    [
        ("", "card-a", {}, "two ends"),
        ("card-a", " \n", {}, "two ends"),
        ("card-a", " card-a ", {}, "itself"),
        ("网关", "网关", {}, "itself"),
        ("card-a", "card-b", {"max_depth": 0}, "1 to 12"),
        ("card-a", "card-b", {"max_depth": 10**9}, "1 to 12"),
        ("card-a", "card-b", {"max_depth": -1}, "1 to 12"),
        ("card-a", "card-b", {"relations": ("!",)}, "relation name"),
    ],
)
def test_what_cannot_be_asked(chain, recaller, source, target, more, says) -> None:
    """Ends that are empty or the same, and depths beyond bounds, are the caller's mistake."""
    with pytest.raises(InvalidInput, match=says):
        path(recaller(), source, target, **more)


@pytest.mark.parametrize("node", ["card-zz", "session:zz", "entity-zz"])
def test_unknown_nodes(chain, recaller, node) -> None:
    """A node that is not there is NotFound, at either end."""
    for ends in ((node, "card-a"), ("card-a", node)):
        with pytest.raises(NotFound, match=node):
            path(recaller(), *ends)


def test_the_wall(chain, recaller) -> None:
    """No chain leads through another user's cards and links, though their ids are the same."""
    chain.cards(*(card(n, scope=BOB) for n in "abf"))
    chain.links(
        link("a", "SHORT", target="f", scope=BOB), link("f", "SHORT", target="b", scope=BOB)
    )
    assert path(recaller(), "a", "f").found is False
    bobs = path(recaller(), "a", "b", where=Where(BOB))
    assert shown(bobs.chain) == "a SHORT f, f SHORT b"
    with pytest.raises(NotFound):
        path(recaller(), "a", "c", where=Where(BOB))


def test_what_is_hidden_is_no_way(chain, recaller) -> None:
    """Forgotten, quarantined and filtered cards, and retired links, carry no chain."""
    only = {"relations": ("CAUSES",)}
    chain.tell(ch.Quarantined(ALICE, ("card-b",), True))
    assert not path(recaller(), "a", "d", **only).found
    assert path(recaller(), "a", "d", **only, where=Where(ALICE, include_quarantined=True)).found
    chain.tell(ch.Quarantined(ALICE, ("card-b",), False), ch.Forgotten(ALICE, ("card-c",), ""))
    assert not path(recaller(), "a", "d", **only).found
    with pytest.raises(NotFound, match="card-c"):
        path(recaller(), "a", "c")
    kept = Where(ALICE, include_forgotten=True)
    assert path(recaller(), "a", "d", **only, where=kept).found
    chain.tell(ch.LinkRetired(ALICE, link("a", "CAUSES", target="b").id, "wrong"))
    assert not path(recaller(), "a", "d", **only, where=kept).found
    then = Where(ALICE, believed_at=chain.records[1][2])
    assert path(recaller(), "a", "d", **only, where=then).found


def test_as_of(told, recaller) -> None:
    """Only what had been said and was valid then."""
    told.cards(card("a"), card("b"), card("c", said_at=day(5)))
    told.links(
        link("a", "R", target="b", valid_at=day(2), invalid_at=day(4)),
        link("b", "R", target="c", valid_at=START),
    )

    def found(at: float) -> bool:
        return path(recaller(), "a", "b", where=Where(ALICE, as_of=day(at))).found

    assert [found(n) for n in (1, 2, 3, 4)] == [False, True, True, False]
    with pytest.raises(NotFound):
        path(recaller(), "a", "c", where=Where(ALICE, as_of=day(4)))
    assert path(recaller(), "b", "c", where=Where(ALICE, as_of=day(5))).found


def test_sessions_and_entities(told, recaller) -> None:
    """Entities are passed; sessions only when asked for, or when one is an end."""
    told.says(session(title="网关 talk"))
    told.cards(card("a"), card("b"), card("c"))
    told.tell(ch.EntityAdded(Entity("entity-x", ALICE, "Redis", EntityKind.TOOL)))
    told.links(
        *(link(n, "EXTRACTED_FROM", target="session:s") for n in "ab"),
        *(link(n, "MENTIONS", target="entity-x") for n in "bc"),
    )
    assert not path(recaller(), "a", "b").found
    asked = path(recaller(), "a", "b", relations=("EXTRACTED_FROM",))
    assert [p.title for p in asked.chain.places] == ["title a", "网关 talk", "title b"]
    assert path(recaller(), "session:s", "b").found
    by = path(recaller(), "b", "c")
    assert [(p.id, p.title) for p in by.chain.places][1] == ("entity-x", "Redis")
    assert path(recaller(), "card-c", "entity-x").found


def test_bounds_are_told(chain, recaller, monkeypatch) -> None:
    """A search that is cut off, or that follows not every link of a node, is not complete."""
    cut = path(recaller(), "a", "d", relations=("CAUSES",), max_nodes=1)
    assert (cut.found, cut.complete, cut.expanded) == (False, False, 1)
    assert cut.closest is not None
    assert path(recaller(), "a", "e").complete
    monkeypatch.setattr(navigate, "_FANOUT", 1)
    found = path(recaller(), "a", "e")
    assert (shown(found.chain), found.complete) == ("a CAUSES b, b SIMILAR_TO e", False)


def test_links_that_go_while_one_looks(chain, recaller) -> None:
    """What another process retires meanwhile is not shown; the search begins again."""
    on = recaller()

    class Changing:
        """Retires the direct link as soon as links are read."""

        def __getattr__(self, name):
            return getattr(chain.index, name)

        def links(self, *args, **kwargs):
            if not self.done:
                self.done = True
                chain.tell(ch.LinkRetired(ALICE, link("d", "DEPENDS_ON", target="a").id, ""))
            return chain.index.links(*args, **kwargs)

        done = False

    found = path(replace(on, index=Changing()), "a", "d")
    assert shown(found.chain) == "a CAUSES b, b CAUSES c, c CAUSES d"

    class Gone(Changing):
        def links(self, *args, **kwargs):
            return []

    never = path(replace(on, index=Gone()), "a", "d")
    assert (never.found, never.closest, never.complete) == (False, None, False)


def test_other_numbers(chain, recaller) -> None:
    """alpha, beta and gamma are settings."""
    on = recaller(settings=Settings(alpha=0.0, beta=0.0, gamma=1.0))
    found = path(on, "a", "d", relations=("CAUSES",))
    assert found.chain.distance == pytest.approx(3 * 0.1)
