"""docs/context.md says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from alaya.config_sections import RecallConfig
from alaya.config_values import VOCABULARIES
from alaya.model.context import Format, Section
from alaya.recall.rendering import Style, block

PAGE = (Path(__file__).parents[2] / "docs" / "context.md").read_text("utf-8")


def test_every_vocabulary_is_named() -> None:
    """What recall.tokenizer can be stands on the page, and so does the default budget."""
    assert [name for name in VOCABULARIES if name not in PAGE] == []
    assert f"{RecallConfig().context_tokens:,}" in PAGE


def test_the_example_is_as_blocks_are() -> None:
    """The example begins with the tag that is written, and its sections stand in our order."""
    style = Style(Format.MARKDOWN, "en", "o200k_base")
    assert block((), style, abstained=True).split("\n")[0] in PAGE
    assert " ".join(style.intro.split()) in " ".join(PAGE.split())
    wanted = [style.labels[section] for section in Section]
    shown = re.findall(r"^## (.+)$", PAGE.split("```")[3], re.MULTILINE)
    assert shown == [name for name in wanted if name in shown]
    assert len(shown) == 3
