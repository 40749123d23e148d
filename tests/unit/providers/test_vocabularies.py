"""Counting tokens: by a vocabulary that needs no network, else by an estimate that says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from alaya import Memory, wiring
from alaya.config_values import VOCABULARIES
from alaya.model.tokens import ESTIMATE, TokenCounter
from alaya.providers.vocabularies import counter


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("hello world", 2), ("hello 世界", 2), ("🎉", 2)]
)
def test_the_usual_vocabulary(text: str, tokens: int) -> None:
    """What tiktoken counts with o200k_base, without asking anybody."""
    assert counter("auto").name == "o200k_base"
    assert counter("auto").count(text) == tokens


def test_control_tokens_are_text() -> None:
    """Words that look like a model's own tokens count as the characters they are."""
    assert counter("o200k_base").count("<|endoftext|>") > 3


@pytest.mark.parametrize("name", VOCABULARIES)
def test_every_vocabulary_that_can_be_set_is_there(name: str) -> None:
    """It loads, and counts Chinese and English."""
    found = counter(name)
    assert (found.name, found.why) == (name, "")
    assert 3 <= found.count("网关重启 gateway restarts") <= 16


def test_a_vocabulary_that_is_not_there() -> None:
    """An older library may lack one: then the estimate counts, and says why."""
    found = counter("claude-9")
    assert found.name == "estimate"
    assert found.count is ESTIMATE.count
    assert "claude-9" in found.why


def chosen(home: Path, tokenizer: str) -> TokenCounter:
    """What counts in a home with this setting."""
    settings = {"recall.tokenizer": tokenizer, "embedding.provider": "none"}
    with Memory.open(home, settings=settings) as memory:
        return memory.parts.token_counter()


def test_what_the_setting_chooses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The estimate on demand, the named vocabulary, and without the library the estimate."""
    assert chosen(tmp_path, "estimate") is ESTIMATE
    assert chosen(tmp_path, "qwen3").name == "qwen3"
    monkeypatch.setattr(wiring, "find_spec", lambda name: None)
    found = chosen(tmp_path, "auto")
    assert found.name == "estimate"
    assert "pip install 'alaya-agent-memory[tokens]'" in found.why
