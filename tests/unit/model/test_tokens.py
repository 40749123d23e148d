"""The estimate of tokens: cautious, and not too much so."""

from __future__ import annotations

from pathlib import Path

import pytest

from alaya.model.tokens import estimate
from alaya.providers.vocabularies import counter

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("the gateway", 2),
        ("internationalization", 3),
        ("网关重启，", 5),
        ("port 8080", 4),
        ("8f14e45fceea167a5a36", 14),
        ("память", 3),
        ("🎉", 3),
        ("a\n    b", 4),
        ("----------", 5),
        ("x" * 30, 20),
    ],
)
def test_what_counts_how_much(text: str, tokens: int) -> None:
    """Words, characters, numbers, ids, signs, emoji and lines, each by its own rule."""
    assert estimate(text) == tokens


@pytest.mark.parametrize("vocabulary", ["o200k_base", "cl100k_base", "deepseek_v3", "qwen3"])
@pytest.mark.parametrize(
    "path", ["docs/domain.md", "docs/cli.zh.md", "examples/sessions", "src/alaya/memory.py"]
)
def test_never_less_and_seldom_much_more(path: str, vocabulary: str) -> None:
    """On prose in both languages, code and agent logs: 1 to 1.6 times what is counted."""
    found = ROOT / path
    files = sorted(found.iterdir()) if found.is_dir() else [found]
    text = "\n".join(file.read_text("utf-8")[:20_000] for file in files)
    assert 1.0 <= estimate(text) / counter(vocabulary).count(text) <= 1.6
