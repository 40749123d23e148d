"""How well the distiller without a model does on labelled sessions."""

from __future__ import annotations

from types import ModuleType

import pytest

from alaya.distill.reading import is_between_people


def test_totals(bench: ModuleType) -> None:
    """Over all labelled sessions precision is at least .8 and recall at least .7.

    Most of them are those the weights were fitted on; `blind` alone is printed, not asserted.
    """
    blind = bench.load(bench.LABELLED / "blind")
    documents = [d for name in bench.FITTED for d in bench.load(bench.LABELLED / name)]
    score = bench.score_of(documents + blind)
    print(bench.table("blind (never read)", bench.score_of(blind)))
    assert score.sessions >= 200
    assert score.nothing >= 40
    assert score.precision() >= 0.8
    assert score.recall() >= 0.7


@pytest.mark.parametrize("name", ["rules", "dev-a", "dev-b", "dev-c", "dev-d", "dev-e", "blind"])
def test_nothing(bench: ModuleType, name: str) -> None:
    """Sessions that hold nothing worth keeping yield no card."""
    assert bench.score_of(bench.load(bench.LABELLED / name)).wrong_on_nothing == 0


def test_languages(bench: ModuleType) -> None:
    """Chinese, English and mixed sessions are each at least .8 and .7."""
    documents = [d for name in bench.FITTED for d in bench.load(bench.LABELLED / name)]
    for language in ("zh", "en", "mixed"):
        score = bench.score_of([d for d in documents if d["language"] == language])
        assert score.precision() >= 0.8
        assert score.recall() >= 0.7


def test_few_turns(bench: ModuleType) -> None:
    """A card cites at most four turns, or six of people's talk, and its spans are inside them."""
    for name in (*bench.FITTED, "blind"):
        for document in bench.load(bench.LABELLED / name):
            _, turns = bench.archived(document)
            words = {t.turn.id: t.turn.content for t in turns}
            most = 6 if is_between_people(turns) else 4
            for card in bench.distil(document).cards:
                cited = {turn for turn, _, _ in card.evidence}
                assert 1 <= len(cited) <= most
                assert all(0 <= a < b <= len(words[t]) for t, a, b in card.evidence)
