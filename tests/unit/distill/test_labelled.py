"""How well the rules do on labelled sessions."""

from __future__ import annotations

from types import ModuleType

import pytest


def test_totals(bench: ModuleType) -> None:
    """Over all labelled sessions precision is at least .8 and recall at least .7."""
    documents = [d for name in ("rules", "blind") for d in bench.load(bench.LABELLED / name)]
    score = bench.score_of(documents)
    assert score.sessions >= 40
    assert score.nothing >= 12
    assert score.precision() >= 0.8
    assert score.recall() >= 0.7


@pytest.mark.parametrize("name", ["rules", "blind"])
def test_nothing(bench: ModuleType, name: str) -> None:
    """Sessions that hold nothing worth keeping yield no card."""
    assert bench.score_of(bench.load(bench.LABELLED / name)).wrong_on_nothing == 0


def test_languages(bench: ModuleType) -> None:
    """The sessions written beside the rules are at least .8 and .7 in each language."""
    own = bench.load(bench.LABELLED / "rules")
    for language in ("zh", "en"):
        score = bench.score_of([d for d in own if d["language"] == language])
        assert score.precision() >= 0.8
        assert score.recall() >= 0.7


def test_few_turns(bench: ModuleType) -> None:
    """A card cites at most four turns, and its spans are inside the turns' words."""
    for document in bench.load(bench.LABELLED / "rules") + bench.load(bench.LABELLED / "blind"):
        _, turns = bench.archived(document)
        words = {t.turn.id: t.turn.content for t in turns}
        for card in bench.distil(document).cards:
            cited = {turn for turn, _, _ in card.evidence}
            assert card.kind != "pattern" or len(cited) <= 4
            assert 1 <= len(cited) <= 4
            assert all(0 <= a < b <= len(words[t]) for t, a, b in card.evidence)
