"""What of all that was found is shown: recipes, repetitions, what was shown before, notes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from alaya.model import change as ch
from alaya.model.graph import CardKind
from alaya.model.passage import Query, Where
from alaya.model.record import Position, RecallLog
from alaya.recall.answer import recall
from alaya.recall.plan import Settings
from alaya.recall.recipes import RECIPES
from alaya.testing.invented import ALICE, BOB, Told, card, day, link, session, turn

WHERE = Where(ALICE)
PORT = Query("gateway port", where=WHERE, asked_at=day(60))


def ids(answer) -> list[str]:
    return [hit.id.removeprefix("card-") for hit in answer.hits]


@pytest.fixture
def ports(told: Told) -> Told:
    """Five cards that answer alike: old, rated, recalled, linked, and one that is none of these."""
    told.cards(
        card("new", "gateway port", content="lions", said_at=day(59)),
        card("rated", "gateway port", content="bread", importance=1.0),
        card("used", "gateway port", content="snow"),
        card("linked", "gateway port", content="tea"),
        card("plain", "gateway port", content="moss"),
        *(card(f"x{n}", f"other {n}") for n in range(9)),
    )
    told.links(*(link("linked", "RELATES_TO", target=f"x{n}") for n in range(9)))
    log = RecallLog(
        at=day(1),
        user=ALICE.user,
        query={},
        results=(("card-used", 0.5),),
        tiers={},
        latency_ms=1.0,
        arms=(),
        graph_expanded=True,
        abstained=False,
    )
    told.index.count_recalls(
        Position(file="", offset=0), Position(file="r", offset=9), recalls=[log] * 20
    )
    return told


def test_recipes_differ(ports, recaller) -> None:
    """The same hits in the order of each recipe, which the answer names, with parts that add up."""
    best = {}
    for recipe in RECIPES:
        asked = replace(PORT, recipe=recipe, graph_expand=False)
        answer = recall(recaller(), asked)
        assert answer.recipe == recipe
        assert set(ids(answer)) == {"new", "rated", "used", "linked", "plain"}
        for hit in answer.hits:
            assert sum(value for _, value in hit.parts) == pytest.approx(hit.score, abs=1e-5)
        scores = [hit.score for hit in answer.hits]
        assert scores == sorted(scores, reverse=True)
        best[recipe] = {
            name: dict(hit.parts) for name, hit in zip(ids(answer), answer.hits, strict=True)
        }
    assert next(iter(best["alice"])) == "new"
    assert next(iter(best["eywa"])) == "linked"
    assert best["alice"]["used"]["frequency"] == pytest.approx(0.1)
    assert best["alice"]["rated"]["importance"] == pytest.approx(0.2)
    assert best["alice"]["plain"]["time"] == pytest.approx(0.3 / 4)  # 60 days: two half-lives
    assert best["eywa"]["linked"]["connections"] > 0 == best["eywa"]["plain"]["connections"]
    assert list(best["default"]) == list(best["alaya"])


def test_recipe_of_the_configuration(ports, recaller) -> None:
    """Without a recipe of its own a query is answered by that of the settings."""
    answer = recall(recaller(settings=Settings(recipe="alice")), PORT)
    assert (answer.recipe, ids(answer)[0]) == ("alice", "new")
    assert dict(answer.settings)["alice_time"] == 0.3


def test_links_to_sessions_do_not_count(ports, recaller) -> None:
    """Every card has a link to its session: for `eywa` it is no connection."""
    ports.says(session())
    ports.links(link("plain", "EXTRACTED_FROM", target="session:s"))
    answer = recall(recaller(), replace(PORT, recipe="eywa"))
    parts = {hit.id: dict(hit.parts) for hit in answer.hits}
    assert parts["card-plain"]["connections"] == 0


@pytest.mark.parametrize("recipe", ["default", "alice", "eywa"])
def test_stale(ports, recaller, recipe) -> None:
    """What is stale is ranked down, and marked; in `alaya` h alone counts."""
    first = ids(recall(recaller(), replace(PORT, recipe=recipe)))[0]
    pure = ids(recall(recaller(), replace(PORT, recipe="alaya")))
    ports.tell(ch.MarkedStale(ALICE, (f"card-{first}",), stale=True))
    answer = recall(recaller(), replace(PORT, recipe=recipe, limit=100))
    stale = next(hit for hit in answer.hits if hit.stale)
    assert stale.id == f"card-{first}" != answer.hits[0].id
    assert dict(stale.parts)["stale"] < 0
    assert ids(recall(recaller(), replace(PORT, recipe="alaya"))) == pure


@pytest.mark.parametrize("vectors", [False, True])
def test_ten_times(told, recaller, vectors) -> None:
    """The same fact ten times fills one place, in every recipe but `alaya`; none is lost."""
    told.cards(
        *(card(f"same{n}", "The gateway port", content="it is 9000") for n in range(30)),
        card("other", "The gateway port", content="was changed by Bob in spring"),
        card("third", "A gateway", content="has a port of its own, says the manual"),
    )
    on = recaller(vectors=vectors)
    asked = replace(PORT, text="gateway port 9000", limit=3, min_similarity=0.05)
    for recipe in ("default", "alice", "eywa"):
        found = ids(recall(on, replace(asked, recipe=recipe)))
        assert len([one for one in found if one.startswith("same")]) == 1, recipe
        assert {"other", "third"} < set(found)
    pure = ids(recall(on, replace(asked, recipe="alaya")))
    assert len([one for one in pure if one.startswith("same")]) == 3
    everything = ids(recall(on, replace(asked, limit=40)))
    assert len(everything) == 32
    hits = recall(on, replace(asked, limit=40)).hits
    assert [hit.repeats >= 0.8 for hit in hits] == [False] * 3 + [True] * 29
    assert everything[0].startswith("same")
    assert all(one.startswith("same") for one in everything[3:])


@pytest.mark.parametrize("vectors", [False, True])
def test_default_keeps_the_ranking(told, recaller, vectors) -> None:
    """Hits that say different things come in the order in which they were ranked."""
    rest = ("bread", "snow port", "tea", "gateway moss", "port port", "lions 9000", "雪 gateway")
    told.cards(*(card(f"c{n}", f"gateway {text}", content=text) for n, text in enumerate(rest)))
    on = recaller(vectors=vectors)
    asked = replace(PORT, min_similarity=0.0, limit=100)
    answers = [recall(on, replace(asked, recipe=recipe)) for recipe in ("default", "alaya")]
    assert ids(answers[0]) == ids(answers[1])
    concept = [hit.concept_distance for hit in answers[0].hits]
    assert concept == sorted(concept)
    assert len(concept) == len(rest)


def test_a_link_takes_nothing_away(ports, recaller) -> None:
    """A card that the question itself found is as near as without the link that leads to it."""
    ports.links(link("plain", "RELATES_TO", target="used"))
    alone = recall(recaller(), replace(PORT, graph_expand=False))
    walked = recall(recaller(), replace(PORT, limit=1))
    everything = recall(recaller(), replace(PORT, limit=100))
    near = {hit.id: hit.h_distance for hit in alone.hits}
    assert {hit.id: hit.h_distance for hit in everything.hits if hit.id in near} == near
    assert len(ids(everything)) == len(set(ids(everything)))
    assert walked.hits[0].id == alone.hits[0].id


def test_shown_before(ports, recaller) -> None:
    """What was shown is left out, and is still where a walk starts; unless it is asked for."""
    shown = tuple(f"card-{name}" for name in ("new", "rated", "used", "linked", "plain"))
    answer = recall(recaller(), replace(PORT, already_shown=shown))
    assert set(ids(answer)) == {f"x{n}" for n in range(9)}
    assert all(hit.via is not None for hit in answer.hits)
    assert "5 (show_again" in answer.notes[-1]
    again = recall(recaller(), replace(PORT, already_shown=shown, show_again=True, limit=100))
    assert set(shown) < {hit.id for hit in again.hits}
    assert ids(again) == ids(recall(recaller(), replace(PORT, limit=100)))


def test_nothing_new(ports, recaller) -> None:
    """All that is relevant was shown: no hits, and yet no abstaining; the ways on are there."""
    shown = tuple(f"card-{name}" for name in ("new", "rated", "used", "linked", "plain"))
    answer = recall(recaller(), replace(PORT, already_shown=shown, graph_expand=False))
    assert (answer.hits, answer.abstained, answer.h_distance_avg) == ((), False, None)
    assert [way.rel for way in answer.explorable] == ["RELATES_TO"]
    nothing = recall(recaller(), replace(PORT, text="quantum lecture", already_shown=shown))
    assert nothing.abstained


def test_page_after_page(told, recaller) -> None:
    """By naming what was shown, a caller sees everything in turn, each once."""
    told.cards(*(card(f"c{n}", f"gateway note {n}", content=f"text {n}" * 3) for n in range(60)))
    seen: list[str] = []
    for _ in range(12):
        asked = replace(PORT, text="gateway", already_shown=tuple(seen), limit=5)
        seen += [hit.id for hit in recall(recaller(), asked).hits]
    assert len(seen) == len(set(seen)) == 60


def test_repeats_of_what_was_shown(told, recaller) -> None:
    """What says the same as something that was shown goes behind, too."""
    told.cards(
        card("one", "gateway port", content="is 9000"),
        card("two", "gateway port", content="is 9000"),
        card("three", "gateway port", content="and the bread"),
    )
    asked = replace(PORT, text="gateway port 9000", already_shown=("card-one",))
    assert ids(recall(recaller(), asked)) == ["three", "two"]


def test_turns_shown_before(told, recaller) -> None:
    """Turns are left out by their ids as cards are."""
    told.says(session(), turn("1", "the gateway port is taken"), turn("2", "which gateway port"))
    asked = replace(PORT, include_sessions=True)
    assert set(ids(recall(recaller(), asked))) == {"s#1", "s#2"}
    assert ids(recall(recaller(), replace(asked, already_shown=("s#1",)))) == ["s#2"]


def test_notes(told, recaller) -> None:
    """Cards of Qiming's kinds are notes, which a query may do without; turns are none."""
    told.says(session(), turn("1", "the gateway port is taken"))
    told.cards(
        card("skill", "gateway port", content="how to change it", kind=CardKind.SKILL),
        card("gotcha", "gateway port", content="is 9000", kind=CardKind.GOTCHA),
    )
    told.links(link("gotcha", "RELATES_TO", target="skill"))
    asked = replace(PORT, include_sessions=True)
    assert set(ids(recall(recaller(), asked))) == {"skill", "gotcha", "s#1"}
    without = recall(recaller(), replace(asked, include_notes=False))
    assert set(ids(without)) == {"gotcha", "s#1"}
    assert without.explorable == ()
    skills = replace(WHERE, kinds=(CardKind.SKILL,))
    assert ids(recall(recaller(), replace(asked, where=skills, include_notes=False))) == []
    assert ids(recall(recaller(), replace(asked, where=skills))) == ["skill"]


def test_only_what_was_said(told, recaller) -> None:
    """Without cards, turns alone; nothing of another user in any of it."""
    told.says(session(), turn("1", "the gateway port is taken"))
    told.cards(card("port", "gateway port"))
    asked = replace(PORT, include_sessions=True, include_cards=False)
    assert ids(recall(recaller(), asked)) == ["s#1"]
    assert recall(recaller(), replace(asked, where=Where(BOB))).abstained


def test_neither(told, recaller) -> None:
    """Who asks for neither cards nor turns is told why nothing comes."""
    told.cards(card("port", "gateway port"))
    answer = recall(recaller(), replace(PORT, include_cards=False))
    assert answer.hits == ()
    assert "neither cards nor what was said" in answer.notes[-1]
    assert not any("neither" in note for note in recall(recaller(), PORT).notes)


def test_usual(told, recaller) -> None:
    """What is looked in is the configuration's choice where a query makes none."""
    told.says(session(), turn("1", "the gateway port is taken"))
    told.cards(card("port", "gateway port"))
    both = Settings(include_sessions=True)
    assert set(ids(recall(recaller(settings=both), PORT))) == {"port", "s#1"}
    only = Settings(include_sessions=True, include_cards=False)
    assert ids(recall(recaller(settings=only), PORT)) == ["s#1"]
    asked = replace(PORT, include_sessions=False, include_cards=True)
    assert ids(recall(recaller(settings=only), asked)) == ["port"]


def test_stale_penalty(ports, recaller) -> None:
    """How much a stale hit loses is a number of the configuration: none, half, or all of it."""
    ports.tell(ch.MarkedStale(ALICE, ("card-plain",), stale=True))
    scores = {}
    for much in (0.0, 0.5, 1.0):
        answer = recall(recaller(settings=Settings(stale=much)), replace(PORT, limit=100))
        scores[much] = next(hit.score for hit in answer.hits if hit.stale)
    assert scores[0.5] == pytest.approx(scores[0.0] / 2, abs=1e-5)
    assert scores[1.0] == 0
