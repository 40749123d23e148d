"""docs/action.md says what the code does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from alaya.ingest.lines import MAX_LINE
from alaya.model.action import Wish
from alaya.recall.retrieving import MOST_HOPS
from alaya.verbs.knowing import PAGE

TEXT = (Path(__file__).parents[2] / "docs" / "action.md").read_text("utf-8")


def test_the_example_runs(tmp_path: Path) -> None:
    """Two messages are added, a card is learnt, and the question finds what was said."""
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    quiet = {"ALAYA_EMBEDDING_PROVIDER": "none", "ALAYA_HOME": str(tmp_path), "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **quiet},
        capture_output=True,
        text=True,
        check=True,
    )
    first, *rest = done.stdout.splitlines()
    assert first == "chat-7: 2 new, 0 known before"
    assert any(line.startswith("learnt: ") for line in rest)
    assert any(re.fullmatch(r"\d\.\d\d 阿信: .*拿铁 \[.+; chat-7#.+\]", line) for line in rest)
    assert not re.search(r"[A-Z]\w+\(\w+=", done.stdout)  # nothing is printed as code
    assert rest[-1] == "</alaya-memory>"


def test_numbers() -> None:
    """Defaults and limits stand on the page as they are."""
    assert f"`max_hops` ({Wish.max_hops}, at most {MOST_HOPS}; 0: none)" in TEXT
    assert f"`limit` {PAGE}, `offset`" in TEXT
    assert f"over {MAX_LINE >> 20} MiB" in TEXT
