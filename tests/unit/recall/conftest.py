"""A small memory to recall from: an index in memory, an embedder that knows spelling."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from alaya.recall.answer import Recaller
from alaya.stores.sqlite.index import SqliteIndex
from alaya.testing.embedder import HashingEmbedder
from alaya.testing.invented import Told
from alaya.testing.oracle import OracleIndex


class Archive:
    """Only what a recall reads: turns by place."""

    def __init__(self, told: Told) -> None:
        self.turn = told.read_turn


@pytest.fixture
def told() -> Told:
    return Told(lambda read_turn: OracleIndex())


@pytest.fixture
def stored(tmp_path: Path) -> Iterator[Told]:
    """The same in the default store: one SQLite file."""
    path = tmp_path / "alaya.db"
    told = Told(lambda read_turn: SqliteIndex(path, stem=str, read_turn=read_turn))
    yield told
    told.index.close()


@pytest.fixture
def recaller(told: Told):
    """Makes a Recaller; with `vectors`, everything told so far is embedded."""

    def make(*, vectors: bool = False, **fields) -> Recaller:
        embedder = fields.pop("embedder", HashingEmbedder())
        if vectors:
            found = told.index.pending(embedder.name, 1000)
            windows = embedder.passages([p.text for p in found])
            told.index.put(
                embedder.name, {p.text_hash: w for p, w in zip(found, windows, strict=True)}
            )
        ticks: Iterator[int] = iter(range(10**6))
        return Recaller(
            index=told.index,
            archive=Archive(told),
            embedder=embedder,
            stem=lambda word: word,
            timer=lambda: next(ticks) / 1000,
            **fields,
        )

    return make
