"""Words that are no topic."""

from __future__ import annotations

import pytest

from alaya.model.grammar import is_grammar


@pytest.mark.parametrize("word", ["the", "did", "什么", "的"])
def test_grammar(word: str) -> None:
    """Words that only hold a sentence together, in both languages."""
    assert is_grammar(word)


@pytest.mark.parametrize("word", ["gateway", "网关", "配的"])
def test_topics(word: str) -> None:
    """Words that a text can be about, also where they hold a character that is grammar alone."""
    assert not is_grammar(word)
