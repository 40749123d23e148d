"""Recipes: what each makes of the same facts, part by part."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from alaya.recall import recipes
from alaya.recall.recipes import (
    ALAYA,
    ALICE,
    ALICE_BLEND,
    DEFAULT,
    EYWA,
    EYWA_BLEND,
    Blend,
    Facts,
    Numbers,
)

PLAIN = Numbers()
WALKED = Facts(similarity=0.6, relation_distance=0.5, depth=2)


def of(recipe: str, facts: Facts, numbers: Numbers = PLAIN) -> dict[str, float]:
    return dict(recipes.parts(recipe, facts, numbers=numbers))


def score(recipe: str, facts: Facts, numbers: Numbers = PLAIN) -> float:
    return recipes.total(recipes.parts(recipe, facts, numbers=numbers))


def test_h() -> None:
    """alpha x concept distance + beta x relation distance + gamma x 0.1 x depth."""
    expected = 0.5 * 0.4 + 0.3 * 0.5 + 0.2 * 0.1 * 2
    assert recipes.h_distance(WALKED, PLAIN) == pytest.approx(expected)


@pytest.mark.parametrize("recipe", [DEFAULT, ALAYA])
def test_found_itself(recipe) -> None:
    """What was found without walking has its similarity as its score, to the last digit."""
    for similarity in (0.0, 0.1 + 0.2, 1 / 3, 1.0):
        assert score(recipe, Facts(similarity=similarity)) == similarity


@pytest.mark.parametrize("named", [False, True])
def test_score_falls_as_h_grows(named) -> None:
    """`default` and `alaya` order by h, whether relations were named or not."""
    numbers = Numbers(named=named)
    several = [
        Facts(similarity=s / 10, relation_distance=r / 4, depth=d)
        for s in range(11)
        for r in range(5)
        for d in range(3)
    ]
    by_h = sorted(several, key=lambda f: recipes.h_distance(f, numbers))
    scores = [score(ALAYA, facts, numbers) for facts in by_h]
    assert all(a >= b - 1e-12 for a, b in pairwise(scores))
    assert score(ALAYA, Facts(similarity=1.0), numbers) == pytest.approx(1.0)


def test_relations_named() -> None:
    """Where relations were named, they are part of the range: 0 is as far as h goes."""
    numbers = Numbers(named=True)
    far = Facts(similarity=0.0, relation_distance=1.0)
    assert score(ALAYA, far, numbers) == 0
    near = Facts(similarity=0.5, relation_distance=0.0)
    assert score(ALAYA, near, numbers) == pytest.approx((0.5 * 0.5 + 0.3) / 0.8)


def test_nothing_asked_in_words() -> None:
    """Without words the weight of the concept goes to relation and depth, in proportion."""
    silent = Numbers(worded=False, named=True)
    assert silent.shared == pytest.approx((0.0, 0.6, 0.4))
    step = Facts(relation_distance=0.0, depth=1)
    assert recipes.h_distance(step, silent) == pytest.approx(0.04)
    assert recipes.h_distance(step, silent) < 0.3  # close to the target, as the design says
    assert recipes.h_distance(step._replace(relation_distance=1.0), silent) == pytest.approx(0.64)
    assert Numbers(beta=0.0, gamma=0.0, worded=False).shared == (0.0, 0.5, 0.0)


@pytest.mark.parametrize("weights", [(0, 0.3, 0.2), (0, 0, 0.2), (0, 0, 0), (0.5, 0, 0)])
@pytest.mark.parametrize("worded", [False, True])
def test_weights_of_nothing(weights, worded) -> None:
    """Weights of 0 give a number, and never a nearer thing the lower score."""
    numbers = Numbers(*weights, worded=worded)
    near, far = Facts(similarity=0.9), Facts(similarity=0.2, relation_distance=0.9, depth=2)
    assert math.isfinite(score(ALAYA, near, numbers))
    assert score(ALAYA, near, numbers) >= score(ALAYA, far, numbers)


def test_stale() -> None:
    """What is stale counts half; `alaya` is h alone."""
    fresh = Facts(similarity=0.8)
    stale = fresh._replace(stale=True)
    assert of(DEFAULT, stale)["stale"] == pytest.approx(-0.4)
    for recipe, blend in ((DEFAULT, None), (ALICE, ALICE_BLEND), (EYWA, EYWA_BLEND)):
        numbers = Numbers(blend=blend)
        halved = score(recipe, fresh, numbers) / 2
        assert score(recipe, stale, numbers) == pytest.approx(halved)
    assert score(ALAYA, stale) == score(ALAYA, fresh)
    behind = Facts(similarity=0.0, relation_distance=1.0, stale=True)
    assert score(DEFAULT, behind) < score(DEFAULT, behind._replace(stale=False)) < 0


def test_alice() -> None:
    """0.4 semantic + 0.3 time + 0.2 importance + 0.1 frequency, each 0..1."""
    numbers = Numbers(blend=ALICE_BLEND)
    facts = Facts(similarity=0.9, age_days=30, importance=0.7, accesses=5)
    assert of(ALICE, facts, numbers) == pytest.approx(
        {"semantic": 0.36, "time": 0.15, "importance": 0.14, "frequency": 0.025}
    )
    most = Facts(similarity=1.0, importance=1.0, accesses=1000)
    assert score(ALICE, most, numbers) == pytest.approx(1.0)
    assert of(ALICE, facts._replace(age_days=-5), numbers)["time"] == pytest.approx(0.3)


def test_eywa() -> None:
    """Semantic, logarithm of connections, importance, freshness."""
    numbers = Numbers(blend=EYWA_BLEND)
    facts = Facts(similarity=0.8, links=4, importance=0.5, age_days=60)
    assert of(EYWA, facts, numbers) == pytest.approx(
        {
            "semantic": 0.4,
            "connections": 0.2 * math.log(5) / math.log(51),
            "importance": 0.1,
            "freshness": 0.025,
        }
    )
    assert of(EYWA, facts._replace(links=99), numbers)["connections"] == pytest.approx(0.2)
    steps = [of(EYWA, facts._replace(links=n), numbers)["connections"] for n in range(5)]
    gains = [b - a for a, b in pairwise(steps)]
    assert gains == sorted(gains, reverse=True)  # each further link says less


def test_weights_in_proportion() -> None:
    """Weights need not sum to 1; without words the semantic part is left out of the sum."""
    facts = Facts(similarity=0.3, age_days=3, importance=0.9, accesses=7)
    tenfold = Blend(tuple((name, 10 * w) for name, w in ALICE_BLEND.weights))
    one, ten = (of(ALICE, facts, Numbers(blend=b)) for b in (ALICE_BLEND, tenfold))
    assert one == pytest.approx(ten)
    silent = of(ALICE, facts, Numbers(worded=False, blend=ALICE_BLEND))
    assert "semantic" not in silent
    assert silent["importance"] == pytest.approx(0.9 * 0.2 / 0.6)


def test_no_kind_is_preferred() -> None:
    """A turn has the facts of a card that nobody rated, linked or recalled yet."""
    turn = Facts(similarity=0.5, age_days=1)
    card = Facts(similarity=0.5, age_days=1, importance=0.5, accesses=0, links=0)
    for recipe, blend in ((ALICE, ALICE_BLEND), (EYWA, EYWA_BLEND)):
        numbers = Numbers(blend=blend)
        assert score(recipe, turn, numbers) == score(recipe, card, numbers)
        known = card._replace(importance=0.9, accesses=9, links=9)
        assert score(recipe, known, numbers) > score(recipe, turn, numbers)
