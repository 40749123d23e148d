"""From a query to a plan."""

from __future__ import annotations

import math
import re

import pytest

from alaya.errors import InvalidInput
from alaya.model.graph import CardKind
from alaya.model.passage import Query, Where
from alaya.recall.plan import NOTES, Plan, Settings
from alaya.recall.plan import plan as planned
from alaya.recall.recipes import ALICE_BLEND, EYWA_BLEND, RECIPES, Blend
from alaya.testing.invented import START


def plan(query: Query, settings: Settings) -> Plan:
    return planned(query, settings, now=START)


def test_defaults() -> None:
    """What a query does not say, the settings say."""
    made = plan(Query("  question "), Settings())
    assert (made.phrases, made.depth, made.limit, made.floor) == (("question",), 1, 10, 0.3)
    assert made.top_k == 20
    own = plan(Query("q", depth=0, limit=50, min_similarity=0.0), Settings())
    assert (own.depth, own.limit, own.floor, own.top_k) == (0, 50, 0.0, 100)


def test_depth_of_relations() -> None:
    """Relations and nodes are for walking: at least one step, unless a depth is given."""
    settings = Settings(expand_depth=0)
    assert plan(Query("q"), settings).depth == 0
    assert plan(Query("q", relations=("causes",)), settings).depth == 1
    assert plan(Query(from_nodes=("card-a",)), settings).depth == 1
    assert plan(Query("q", relations=("causes",), depth=0), settings).depth == 0
    assert plan(Query("q", depth=2, graph_expand=False), settings).depth == 0


def test_names() -> None:
    """Relations are canonical and each once; empty phrases are none."""
    made = plan(Query("", (" ", "b", ""), ("caused by", "CAUSED_BY", "受启发于")), Settings())
    assert made.relations == ("CAUSED_BY", "受启发于")
    assert made.phrases == ("b",)
    assert len(plan(Query("x" * 100_000), Settings()).phrases[0]) == 4000


@pytest.mark.parametrize(
    "query",
    [
        Query(),
        Query(" \n"),
        Query("q", depth=3),
        Query("q", depth=-1),
        Query("q", limit=0),
        Query("q", limit=1001),
        Query("q", min_similarity=1.1),
        Query("q", min_similarity=-0.1),
        Query("q", min_similarity=math.nan),
        Query("q", relations=("…",)),
    ],
    ids=str,
)
def test_refused(query) -> None:
    """What asks nothing, or more than is allowed, is the caller's mistake."""
    with pytest.raises(InvalidInput):
        plan(query, Settings())


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"text": None}, "text must be text, not None"),
        ({"text": b"dog"}, "text must be text, not b'dog'"),
        ({"concepts": ("网关", 5)}, "concepts must be text, not 5"),
        ({"from_nodes": (None,)}, "from_nodes must be text, not None"),
        ({"relations": (1,)}, "relations must be text, not 1"),
        ({"recipe": None}, "recipe must be text, not None"),
        ({"limit": "3"}, "limit must be a whole number, not '3'"),
        ({"limit": 1.5}, "limit must be a whole number, not 1.5"),
        ({"limit": True}, "limit must be a whole number, not True"),
        ({"depth": 1.0}, "depth must be a whole number, not 1.0"),
        ({"min_similarity": "x" * 999}, "min_similarity must be a number, not 'xxx"),
        ({"min_similarity": False}, "min_similarity must be a number, not False"),
    ],
)
def test_other_types(wrong, told) -> None:
    """What Python lets through and no query can be made of is a mistake that is named."""
    with pytest.raises(InvalidInput, match=f"^{re.escape(told)}") as raised:
        plan(Query(**{"text": "q", **wrong}), Settings())
    assert len(str(raised.value)) < 150


def test_recipe() -> None:
    """The query's recipe, else the setting's; in any case, with its own numbers."""
    assert (plan(Query("q"), Settings()).recipe, plan(Query("q"), Settings()).numbers.blend) == (
        "default",
        None,
    )
    assert plan(Query("q"), Settings(recipe="eywa")).numbers.blend is EYWA_BLEND
    made = plan(Query("q", recipe=" Alice"), Settings(recipe="eywa"))
    assert (made.recipe, made.numbers.blend) == ("alice", ALICE_BLEND)
    assert dict(made.settings) == {
        "alpha": 0.5,
        "beta": 0.3,
        "gamma": 0.2,
        "min_similarity": 0.3,
        "alice_semantic": 0.4,
        "alice_time": 0.3,
        "alice_importance": 0.2,
        "alice_frequency": 0.1,
        "alice_half_life_days": 30.0,
        "alice_frequency_cap": 20,
        "diversity": 0.5,
        "stale_penalty": 0.5,
    }
    told = dict(plan(Query("q", recipe="eywa"), Settings()).settings)
    assert (told["eywa_connections_cap"], told["eywa_half_life_days"]) == (50, 30)
    pure = plan(Query("q", recipe="alaya"), Settings())
    assert (pure.diversity, "stale_penalty" in dict(pure.settings)) == (0, False)


def test_unknown_recipe() -> None:
    """An unknown recipe is refused, and the known ones are named; so is one of zeros."""
    with pytest.raises(InvalidInput, match=", ".join(RECIPES)):
        plan(Query("q", recipe="bob"), Settings())
    nothing = Blend((("semantic", 0.0), ("time", 0.0)))
    with pytest.raises(InvalidInput, match=r"recall\.alice_\*"):
        plan(Query("q", recipe="alice"), Settings(alice=nothing))
    assert plan(Query("q"), Settings(alice=nothing)).recipe == "default"


def test_notes() -> None:
    """Without notes, Qiming's kinds are left out of those that are asked for."""
    assert plan(Query("q"), Settings()).cards == Where()
    without = plan(Query("q", include_notes=False), Settings()).cards
    assert without is not None
    assert set(without.kinds) == set(CardKind) - NOTES
    assert {"skill", "principle"} <= NOTES
    some = Where(kinds=(CardKind.SKILL, CardKind.GOTCHA))
    made = plan(Query("q", include_notes=False, where=some), Settings())
    assert made.cards == Where(kinds=(CardKind.GOTCHA,))
    only = Where(kinds=(CardKind.SKILL,))
    assert plan(Query("q", include_notes=False, where=only), Settings()).cards is None
    assert plan(Query("q", include_cards=False), Settings()).cards is None


def test_what_is_looked_in() -> None:
    """Cards, turns and notes: as the query says, else as the settings do."""
    usual = plan(Query("q"), Settings())
    assert (usual.cards, usual.turns) == (Where(), False)
    said = Settings(include_cards=False, include_sessions=True)
    assert (plan(Query("q"), said).cards, plan(Query("q"), said).turns) == (None, True)
    own = plan(Query("q", include_cards=True, include_sessions=False), said)
    assert (own.cards, own.turns) == (Where(), False)
    bare = plan(Query("q"), Settings(include_notes=False)).cards
    assert bare is not None
    assert not NOTES & set(bare.kinds)
    assert plan(Query("q", include_notes=True), Settings(include_notes=False)).cards == Where()


def test_nothing_asked_in_words() -> None:
    """From given nodes alone, the settings in force leave the concept out."""
    made = plan(Query(from_nodes=("card-a",)), Settings())
    assert made.settings[:3] == (("alpha", 0.0), ("beta", 0.6), ("gamma", pytest.approx(0.4)))
