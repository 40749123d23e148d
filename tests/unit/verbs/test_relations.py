"""Names of relations: what is proposed, and what promoting, aliasing and splitting do."""

from __future__ import annotations

import pytest

from alaya.errors import InvalidInput, NotFound
from alaya.introspect.relating import Used, proposals
from alaya.model.graph import Relation
from alaya.testing.embedder import HashingEmbedder
from alaya.testing.invented import BOB, card, link
from alaya.verbs.consolidating import consolidate


def some(home) -> None:
    """Cards a to d with a few kinds of links."""
    home.add(
        *(card(name) for name in "abcd"),
        link("a", "INFLUENCED_BY", target="b", reason="the idea came from it", weight=0.4),
        link("b", "INFLUENCED_BY", target="c", reason="drew on it"),
        link("a", "INSPIRED_BY", target="b", reason="said before"),
        link("c", "RELATES_TO", target="d", reason="c needs d to run"),
        link("d", "RELATES_TO", target="a", reason="same week"),
    )


def relation(home, name: str) -> Relation:
    return next(r for r in home.memory.relations() if r.name == name)


def test_an_alias_moves_every_link_in_one_record(minding) -> None:
    """What is said about a link stays; one that stood there already is kept as it was."""
    home = minding()
    some(home)
    before = home.records()
    moved = home.memory.alias_relation("influenced by", into="INSPIRED_BY")
    assert (moved.name, moved.into, moved.links) == ("INFLUENCED_BY", "INSPIRED_BY", 2)
    assert home.records() == before + 1
    links = {
        (link.source, link.target): link
        for link in home.memory.parts.index.all_links(home.where())
        if link.relation == "INSPIRED_BY"
    }
    assert links["card-a", "card-b"].reason == "said before"
    assert links["card-b", "card-c"].reason == "drew on it"
    assert relation(home, "INFLUENCED_BY").alias_of == "INSPIRED_BY"
    assert relation(home, "INFLUENCED_BY").frequency == 0


def test_either_name_is_followed_from_then_on(minding) -> None:
    """A recall along the old name walks the links that bear the new one."""
    home = minding()
    some(home)
    home.memory.alias_relation("INFLUENCED_BY", into="INSPIRED_BY")
    for name in ("INFLUENCED_BY", "INSPIRED_BY"):
        hits = home.memory.recall(from_nodes=["card-b"], relations=[name]).hits
        assert {hit.id for hit in hits} == {"card-a", "card-c"}


def test_links_that_come_later_follow_at_the_next_introspection(minding) -> None:
    """The same for what distilling says again under the old name; once is enough."""
    home = minding()
    some(home)
    home.memory.alias_relation("INFLUENCED_BY", into="INSPIRED_BY")
    home.add(link("c", "INFLUENCED_BY", target="d"))
    assert consolidate(home.memory, dry_run=True, progress=None).counts["aliased"] == 1
    assert ("c", "INFLUENCED_BY", "d") in home.links()
    assert consolidate(home.memory, dry_run=False, progress=None).counts["aliased"] == 1
    assert ("c", "INSPIRED_BY", "d") in home.links()
    after = home.records()
    assert consolidate(home.memory, dry_run=False, progress=None).counts["aliased"] == 0
    assert home.records() == after


def test_chains_and_turns_of_aliases(minding) -> None:
    """An alias of an alias means what that means; turned round, the other is the alias."""
    home = minding()
    some(home)
    home.memory.alias_relation("INFLUENCED_BY", into="INSPIRED_BY")
    home.add(link("a", "受启发于", target="d"))
    assert home.memory.alias_relation("受启发于", into="INFLUENCED_BY").into == "INSPIRED_BY"
    home.memory.alias_relation("INSPIRED_BY", into="INFLUENCED_BY")
    names = {name: relation(home, name).alias_of for name in ("INSPIRED_BY", "受启发于")}
    assert names == {"INSPIRED_BY": "INFLUENCED_BY", "受启发于": "INFLUENCED_BY"}
    assert relation(home, "INFLUENCED_BY").alias_of is None
    assert {r for _, r, _ in home.links()} == {"INFLUENCED_BY", "RELATES_TO"}


def test_an_alias_of_a_cause_turns_its_links(minding) -> None:
    """Into CAUSED_BY: the edge is stored as CAUSES the other way round."""
    home = minding()
    some(home)
    home.memory.alias_relation("INFLUENCED_BY", into="CAUSED_BY")
    assert {("b", "CAUSES", "a"), ("c", "CAUSES", "b")} <= home.links()


def test_what_cannot_be_an_alias(minding) -> None:
    """What is built in, itself, and what is not in use; the nearest name is named."""
    home = minding()
    some(home)
    before = home.records()
    with pytest.raises(InvalidInput, match="DEPENDS_ON is built in"):
        home.memory.alias_relation("DEPENDS_ON", into="INSPIRED_BY")
    with pytest.raises(InvalidInput, match="an alias of itself"):
        home.memory.alias_relation("INSPIRED_BY", into="inspired by")
    with pytest.raises(NotFound, match="did you mean INSPIRED_BY"):
        home.memory.alias_relation("INSPIRD_BY", into="CAUSES")
    assert home.records() == before


def test_a_split_moves_the_links_that_are_meant(minding) -> None:
    """By what their reasons hold, or by id; the others stay."""
    home = minding()
    some(home)
    with pytest.raises(InvalidInput, match="say which links"):
        home.memory.split_relation("RELATES_TO", into="DEPENDS_ON")
    assert home.memory.split_relation("RELATES_TO", into="DEPENDS_ON", reason="NEEDS").links == 1
    assert {("c", "DEPENDS_ON", "d"), ("d", "RELATES_TO", "a")} <= home.links()
    with pytest.raises(NotFound, match="no link link-x"):
        home.memory.split_relation("RELATES_TO", into="DEPENDS_ON", links=["link-x"])
    [last] = [
        link
        for link in home.memory.parts.index.all_links(home.where())
        if link.relation == "RELATES_TO"
    ]
    assert home.memory.split_relation("RELATES_TO", into="SAME_WEEK_AS", links=[last.id]).links == 1
    assert ("d", "SAME_WEEK_AS", "a") in home.links()


def test_promoting_makes_a_core_relation_with_a_meaning(minding) -> None:
    """It is listed among the core ones; doing it again changes nothing."""
    home = minding()
    some(home)
    made = home.memory.promote_relation("INSPIRED_BY", definition="the idea came from it")
    assert (made.is_core, made.definition) == (True, "the idea came from it")
    assert relation(home, "INSPIRED_BY").is_core
    before = home.records()
    home.memory.promote_relation("INSPIRED_BY")
    assert home.records() == before
    home.memory.alias_relation("INFLUENCED_BY", into="INSPIRED_BY")
    with pytest.raises(InvalidInput, match="alias of INSPIRED_BY"):
        home.memory.promote_relation("INFLUENCED_BY")
    with pytest.raises(NotFound):
        home.memory.promote_relation("NOTHING_LIKE_IT")


def test_a_rebuild_grows_the_same_relations(minding) -> None:
    """Aliases, promotions and moved links are in the journal."""
    home = minding()
    some(home)
    home.memory.alias_relation("INFLUENCED_BY", into="INSPIRED_BY")
    home.memory.promote_relation("INSPIRED_BY")
    before = home.fingerprint()
    home.memory.rebuild()
    assert home.fingerprint() == before


def test_another_users_links_stay(minding) -> None:
    """Names are shared, links are not moved across the wall."""
    home = minding()
    some(home)
    theirs = (card("x", scope=BOB), card("y", scope=BOB))
    home.add(*theirs, link("x", "INFLUENCED_BY", target="y", scope=BOB))
    home.memory.alias_relation("INFLUENCED_BY", into="INSPIRED_BY")
    [one] = home.memory.parts.index.all_links(home.where().__class__(BOB))
    assert one.relation == "INFLUENCED_BY"


def test_what_is_proposed(minding) -> None:
    """Near names, frequent ones, vague ones with their reasons; nothing changes by it."""
    home = minding(introspect__promote_uses=2, introspect__alias_threshold=0.7)
    home.using(embedder=HashingEmbedder())
    home.add(
        *(card(name) for name in "abcd"),
        *(link("a", "INSPIRED_BY", target=n, reason="the idea came from it") for n in "bcd"),
        link("b", "BY_INSPIRED", target="c", reason="the idea came from it"),
        link("c", "RELATES_TO", target="d", reason="c needs d to run"),
        link("d", "RELATES_TO", target="a", reason="same week"),
    )
    before = home.records()
    found = home.memory.relation_proposals()
    assert home.records() == before
    assert found.promote == (("INSPIRED_BY", 3),)
    [vague] = found.vague
    assert (vague.name, vague.uses) == ("RELATES_TO", 2)
    assert vague.reasons == ("c needs d to run", "same week")
    near = {(one.name, one.into) for one in (*found.aliases, *found.close)}
    assert near == {("BY_INSPIRED", "INSPIRED_BY")}
    home.memory.alias_relation("BY_INSPIRED", into="INSPIRED_BY")
    again = home.memory.relation_proposals()
    assert (again.aliases, again.close) == ((), ())


def test_clusters_stand_around_the_most_used() -> None:
    """Names within reach of one leader; core relations lead but are never proposed away."""
    import math

    def at(degrees: float) -> list[float]:
        return [math.cos(math.radians(degrees)), math.sin(math.radians(degrees))]

    places = {"CAUSES": 0, "LED_TO": 5, "MADE": 8, "LIKES": 90, "LOVES": 93, "FAR": 180, "OFF": 270}
    listed = [
        Used(Relation(name, 100 - n, is_core=name == "CAUSES")) for n, name in enumerate(places)
    ]
    vectors = {name: at(degrees) for name, degrees in places.items()}
    found = proposals(listed, vectors, alias_from=0.99, promote_from=1000)
    assert found.clusters == (("CAUSES", "LED_TO", "MADE"), ("LIKES", "LOVES"))
    assert {one.name for one in (*found.aliases, *found.close)} == {"LED_TO", "MADE", "LOVES"}
    assert not found.promote


def test_without_an_embedder_names_are_not_compared(minding) -> None:
    """It says why; the rest is proposed all the same."""
    home = minding()
    some(home)
    found = home.memory.relation_proposals()
    assert found.why_no_vectors
    assert found.vague
    assert found.count == 1
