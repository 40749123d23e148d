"""From a query to a plan, and what the words arm is worth."""

from __future__ import annotations

import math

import pytest

from alaya.errors import InvalidInput
from alaya.model.passage import ArmScore, Query
from alaya.model.words import segment
from alaya.recall.arms import DENSE, WORDS, fused
from alaya.recall.plan import Settings, plan
from alaya.recall.terms import coverage, is_grammar, looked_up, wanted


def terms_of(text: str) -> frozenset[str]:
    return frozenset((*segment(text).words, *segment(text).chars))


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


def test_weights() -> None:
    """Rare words weigh more, grammar little, what stands nowhere most; together one."""
    asked = wanted("why is the gateway slow", {"gateway": 2, "slow": 50, "the": 2000}, total=2000)
    weight = {group[0]: share for group, share in asked.pieces}
    assert sum(weight.values()) == pytest.approx(1)
    assert weight["gateway"] > weight["slow"] > weight["the"]
    assert weight["why"] < weight["gateway"]
    # as in BM25: ln(1 + (N - n + .5) / (n + .5)), and 0.15 of that for grammar
    idf = [math.log(1 + (2000 - n + 0.5) / (n + 0.5)) for n in (2, 50)]
    assert weight["gateway"] / weight["slow"] == pytest.approx(idf[0] / idf[1])


def test_no_topic() -> None:
    """A question of nothing but grammar is covered by no text."""
    asked = wanted("what is it about", {}, total=10)
    assert coverage(asked, terms_of("what is it about")) < 0.2


def test_coverage() -> None:
    """The share of the question that a text holds; parts of a compound count for less."""
    asked = wanted("plugins.allow 网关", {}, total=10)
    assert coverage(asked, terms_of("set plugins.allow for the 网关")) == pytest.approx(1)
    assert coverage(asked, terms_of("plugins.allow")) == pytest.approx(0.5)
    assert coverage(asked, terms_of("plugins and allow")) == pytest.approx(0.5 * 0.6)
    assert coverage(asked, terms_of("plugins")) == pytest.approx(0.5 * 0.6 / 2)
    assert coverage(asked, terms_of("nothing")) == 0
    assert coverage(wanted("…", {}, total=10), terms_of("x")) == 0


def test_grammar() -> None:
    """Words that only hold a sentence together, in both languages."""
    assert all(is_grammar(word) for word in ("the", "什么", "的", "did"))
    assert not any(is_grammar(word) for word in ("gateway", "网关", "配的"))
    assert looked_up(["the 网关", "网关 x"]) == ["the", "网关", "x"]


@pytest.mark.parametrize(
    ("dense", "words", "expected"),
    [(0, 0, 0), (1, 0, 1), (0, 1, 0.75), (0.5, 0.5, 0.6875), (0.4, 0, 0.4), (1, 1, 1)],
)
def test_fused(dense, words, expected) -> None:
    """1 - (1 - dense)(1 - 0.75 words); an arm that says nothing does not vote."""
    arms = [ArmScore(DENSE, 0.9, dense, 1), ArmScore(WORDS, 3.0, words, 1)]
    assert fused(arms) == pytest.approx(expected)
    assert fused([arm for arm in arms if arm.vote]) == pytest.approx(expected)
