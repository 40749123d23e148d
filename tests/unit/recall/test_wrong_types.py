"""What a caller gets for arguments of another type: a sentence, not Python's complaint."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from alaya import Memory
from alaya.errors import InvalidInput


@pytest.mark.parametrize(
    "call",
    [
        lambda memory: memory.recall(None),
        lambda memory: memory.recall(5),
        lambda memory: memory.retrieve(None),
        lambda memory: memory.retrieve("tea", max_hops="2"),
        lambda memory: memory.retrieve("tea", limit="3"),
        lambda memory: memory.context(None),
        lambda memory: memory.facts(5),
        lambda memory: memory.entities(["小明"]),
    ],
)
def test_refused(tmp_path: Path, call: Callable[[Memory], object]) -> None:
    """InvalidInput names what was given and what is wanted."""
    settings = {"embedding.provider": "none"}
    wrong = pytest.raises(InvalidInput, match=r"is not a (text|whole number)")
    with Memory.open(tmp_path, settings=settings) as memory, wrong:
        call(memory)
