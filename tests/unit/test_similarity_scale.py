"""The calibrated scale."""

from __future__ import annotations

import pytest

from alaya.model.similarity import median_for, mixed_similarity, similarity
from alaya.model.words import han_share

BASE = {"latin|latin": 0.7, "han|han": 0.8, "han|latin": 0.6, "latin|han": 0.6}


def test_ends() -> None:
    """The median of unrelated texts is 0, the same text is 1, and nothing is outside."""
    assert similarity(0.7, "latin", passage_script="latin", medians={}, baseline=BASE) == 0.0
    assert similarity(1.0, "latin", passage_script="latin", medians={}, baseline=BASE) == 1.0
    assert similarity(
        0.85, "latin", passage_script="latin", medians={}, baseline=BASE
    ) == pytest.approx(0.5)
    assert similarity(-1.0, "han", passage_script="han", medians={}, baseline=BASE) == 0.0
    assert similarity(1.0001, "han", passage_script="han", medians={}, baseline=BASE) == 1.0


def test_precedence() -> None:
    """The store's own estimate goes before the embedder's, this pair before its reverse."""
    assert median_for("han", "latin", medians={"han|latin": 0.5}, baseline=BASE) == 0.5
    assert median_for("han", "latin", medians={"latin|han": 0.5}, baseline=BASE) == 0.6
    assert median_for("han", "latin", medians={"latin|han": 0.5}, baseline={}) == 0.5
    assert median_for("han", "latin", medians={"vectors": 400.0}, baseline={}) == 0.0


def test_no_division_by_zero() -> None:
    """A median of 1, as in a store of one text many times over, is survived."""
    assert (
        similarity(1.0, "han", passage_script="han", medians={"han|han": 1.0}, baseline={}) == 1.0
    )
    assert (
        similarity(0.5, "han", passage_script="han", medians={"han|han": 1.0}, baseline={}) == 0.0
    )


def test_monotone() -> None:
    """A higher cosine is never less similar."""
    values = [
        similarity(c / 100, "han", passage_script="latin", medians={}, baseline=BASE)
        for c in range(-100, 101)
    ]
    assert values == sorted(values)


def test_mixed_texts() -> None:
    """A text in two scripts stands between the medians of both, by how much of it is in each."""
    base = {"han|han": 0.8, "han|latin": 0.7}

    def at(share: float) -> float:
        return mixed_similarity(0.75, 1.0, passage_han=share, medians={}, baseline=base)

    assert at(1.0) == 0.0
    assert at(0.0) == pytest.approx(0.05 / 0.3)
    assert at(0.5) == pytest.approx(0.0)
    assert 0.0 < at(0.25) < at(0.0)


def test_share_by_tokens() -> None:
    """Four letters weigh as much as one Chinese character; a text without either is no Chinese."""
    assert han_share("网关配置") == 1.0
    assert han_share("gateway") == han_share("") == han_share("123") == 0.0
    assert han_share("网关 gate way!") == pytest.approx(2 / (2 + 7 / 4))
