"""Factories of the adapters that stand in this repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from alaya.stores.sqlite.index import SqliteIndex
from alaya.testing.invented import MakeIndex
from alaya.testing.oracle import OracleIndex


@pytest.fixture(params=["sqlite", "oracle"])
def make_index(request: pytest.FixtureRequest, tmp_path: Path) -> MakeIndex:
    """An empty index: the default store, and the oracle."""
    if request.param == "oracle":
        return lambda read_turn: OracleIndex()
    return lambda read_turn: SqliteIndex(
        tmp_path / "alaya.db", stem=lambda word: word, read_turn=read_turn
    )
