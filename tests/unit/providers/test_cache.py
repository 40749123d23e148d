"""The cache of vectors: bounded, shared, never in the way."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from alaya.model.ids import sha256
from alaya.ports import Vector
from alaya.providers.cache import FILE, VectorCache, default_folder
from alaya.providers.cached import CachedEmbedder
from alaya.testing.embedder import HashingEmbedder


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def cache(tmp_path: Path, clock: Clock) -> Iterator[VectorCache]:
    cache = VectorCache(tmp_path / "cache", limit_mb=1, clock=clock)
    yield cache
    cache.close()


def h(number: int) -> str:
    return sha256(f"text {number}")


def vector(number: int, dimensions: int = 384) -> Vector:
    made: Vector = np.random.default_rng(number).random(dimensions, dtype=np.float32)
    return made


def equal(a: Vector, b: Vector) -> bool:
    return np.array_equal(np.asarray(a), np.asarray(b))


def test_keeps(cache: VectorCache) -> None:
    """What was put comes back bit for bit, by model and text, with all its windows."""
    cache.put_many("a", {h(1): [vector(1), vector(2)], h(2): [], h(3): [vector(3)]})
    cache.put_many("b", {h(1): [vector(9, 8)]})
    found = cache.get_many("a", [h(3), h(2), h(1), h(4)])
    assert set(found) == {h(1), h(2), h(3)}
    assert [equal(x, y) for x, y in zip(found[h(1)], [vector(1), vector(2)], strict=True)] == [
        True,
        True,
    ]
    assert found[h(2)] == []
    assert equal(cache.get_many("b", [h(1)])[h(1)][0], vector(9, 8))
    assert cache.get_many("c", [h(1)]) == {}
    assert cache.problem is None


def test_many(cache: VectorCache) -> None:
    """Thousands of hashes are looked up at once."""
    cache.put_many("a", {h(i): [[1.0, 0.0]] for i in range(1500)})
    assert len(cache.get_many("a", [h(i) for i in range(3000)])) == 1500


def test_private(cache: VectorCache) -> None:
    """Only the owner can read the folder and the file."""
    cache.put_many("a", {h(1): [vector(1)]})
    assert cache.path.stat().st_mode & 0o777 == 0o600
    assert cache.path.parent.stat().st_mode & 0o777 == 0o700
    for name in os.listdir(cache.path.parent):  # noqa: PTH208
        assert (cache.path.parent / name).stat().st_mode & 0o077 == 0


def test_bounded(cache: VectorCache, clock: Clock) -> None:
    """The file stays below its bound, and what was not used for longest goes first."""
    for start in range(0, 400, 50):
        cache.put_many("a", {h(i): [vector(i)] for i in range(start, start + 50)})
        clock.now += 10
    favourites = [h(i) for i in range(20)]
    clock.now += 7200
    assert len(cache.get_many("a", favourites)) == 20
    clock.now += 7200
    for start in range(1000, 2000, 50):
        cache.put_many("a", {h(i): [vector(i)] for i in range(start, start + 50)})
        assert cache.size() <= 2**20
    cache.put_many("a", {h(5000): [vector(5000)]})
    assert len(cache.get_many("a", [h(i) for i in range(20, 400)])) == 0
    assert len(cache.get_many("a", [h(i) for i in range(1950, 2000)])) == 50
    assert cache.path.stat().st_size <= 2**20 * 1.5


def test_use_counts(tmp_path: Path, clock: Clock) -> None:
    """What is read now and then outlives what is not, though it is older."""
    cache = VectorCache(tmp_path, limit_mb=1, clock=clock)
    cache.put_many("a", {h(0): [vector(0)]})
    for start in range(100, 1100, 50):
        clock.now += 4000
        cache.put_many("a", {h(i): [vector(i)] for i in range(start, start + 50)})
        assert h(0) in cache.get_many("a", [h(0)])
    assert cache.get_many("a", [h(100)]) == {}
    cache.close()


def test_forget(cache: VectorCache) -> None:
    """Erased texts leave no vector of any model, neither in the file nor in its log."""
    secret = vector(42)
    cache.put_many("a", {h(1): [secret], h(2): [vector(2)]})
    cache.put_many("b", {h(1): [secret]})
    assert cache.forget([h(1), h(7)]) == 2
    assert set(cache.get_many("a", [h(1), h(2)])) == {h(2)}
    bytes_ = np.asarray(secret).tobytes()[:64]
    for name in os.listdir(cache.path.parent):  # noqa: PTH208
        content = (cache.path.parent / name).read_bytes()
        assert bytes_ not in content
        assert bytes.fromhex(h(1)) not in content


@pytest.mark.parametrize(
    "damage", [b"not a database " * 500, b"", b"SQLite format 3\0" + b"x" * 9000]
)
def test_corrupt(cache: VectorCache, damage: bytes) -> None:
    """A damaged file is set aside and a new one begun; nobody is told but who asks."""
    cache.put_many("a", {h(1): [vector(1)]})
    cache.close()
    cache.path.write_bytes(damage)
    assert cache.get_many("a", [h(1)]) == {}
    cache.put_many("a", {h(2): [vector(2)]})
    assert set(cache.get_many("a", [h(1), h(2)])) == {h(2)}
    if damage:
        assert cache.problem is not None
        assert cache.path.with_name(FILE + ".damaged").read_bytes() == damage


def test_corrupt_inside(cache: VectorCache) -> None:
    """Damage in the middle of the file, met while reading, is survived too."""
    for start in range(0, 300, 50):
        cache.put_many("a", {h(i): [vector(i)] for i in range(start, start + 50)})
    cache.close()
    content = bytearray(cache.path.read_bytes())
    content[4096 : len(content) - 4096] = b"\xff" * (len(content) - 8192)
    cache.path.write_bytes(content)
    for _ in range(2):
        cache.get_many("a", [h(i) for i in range(300)])
        cache.put_many("a", {h(i): [vector(i)] for i in range(300)})
    assert len(cache.get_many("a", [h(i) for i in range(300)])) == 300


def test_another_layout(cache: VectorCache) -> None:
    """A file of another version of alaya is emptied, not misread."""
    cache.put_many("a", {h(1): [vector(1)]})
    cache._connection.execute("PRAGMA user_version = 999")
    cache.close()
    assert cache.get_many("a", [h(1)]) == {}
    assert cache.problem is None


def test_unwritable(tmp_path: Path) -> None:
    """Where nothing can be written, nothing is cached, and nothing fails."""
    (tmp_path / "file").write_text("in the way")
    cache = VectorCache(tmp_path / "file" / "cache")
    embedder = CachedEmbedder(HashingEmbedder(), cache)
    assert len(embedder.passages(["hello"])[0]) == 1
    assert cache.get_many("a", [h(1)]) == {}
    assert cache.forget([h(1)]) == 0
    assert cache.size() == 0
    assert cache.problem is not None
    assert "vectors are not cached" in cache.problem


def test_read_only_file(tmp_path: Path) -> None:
    """A file that may not be written does no harm to whom it does not serve."""
    if os.geteuid() == 0:
        pytest.skip("root may write everything")
    cache = VectorCache(tmp_path)
    cache.put_many("a", {h(1): [vector(1)]})
    cache.close()
    cache.path.chmod(0o400)
    cache.put_many("a", {h(2): [vector(1)]})
    assert cache.problem is not None


def test_off(tmp_path: Path) -> None:
    """A bound of 0 means no cache and no file."""
    cache = VectorCache(tmp_path / "cache", limit_mb=0)
    cache.put_many("a", {h(1): [vector(1)]})
    assert cache.get_many("a", [h(1)]) == {}
    assert not (tmp_path / "cache").exists()
    assert cache.problem is None


def test_default_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Unless told otherwise it stands in the platform's cache directory."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_folder().name == "alaya"
    assert VectorCache().path == default_folder() / FILE


_WRITER = """
import sys
from pathlib import Path
from alaya.model.ids import sha256
from alaya.providers.cache import VectorCache
cache = VectorCache(Path(sys.argv[1]), limit_mb=64)
for i in range(60):
    cache.put_many("a", {sha256(f"{sys.argv[2]} {i}"): [[float(i)] * 384]})
    cache.get_many("a", [sha256(f"{n} {i}") for n in range(3)])
assert cache.problem is None, cache.problem
"""


def test_processes(tmp_path: Path) -> None:
    """Several processes open, write and read one file at once and lose nothing."""
    running = [
        subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path / "new"), str(n)])
        for n in range(3)
    ]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    cache = VectorCache(tmp_path / "new", limit_mb=64)
    hashes = [sha256(f"{n} {i}") for n in range(3) for i in range(60)]
    assert len(cache.get_many("a", hashes)) == 180
    cache.close()


def test_embedder_asks_the_cache_first(cache: VectorCache) -> None:
    """A text is embedded once, for however many asks and embedders, and equal texts once."""
    inner = HashingEmbedder()
    first = CachedEmbedder(inner, cache)
    made = first.passages(["one", "two", "one", ""])
    assert inner.calls == (3, 0)
    other = HashingEmbedder()
    again = CachedEmbedder(other, cache).passages(["two", "one"])
    assert other.calls == (0, 0)
    assert CachedEmbedder(other, cache).passages([""]) == [[]]
    for a, b in zip([made[1], made[0]], again, strict=True):
        assert np.allclose(np.asarray(a), np.asarray(b))
    fresh = HashingEmbedder("another/model")
    CachedEmbedder(fresh, cache).passages(["one"])
    assert fresh.calls == (1, 0)


def test_questions_in_memory(cache: VectorCache) -> None:
    """Questions are kept in memory, a bounded number of them, and never on disk."""
    inner = HashingEmbedder()
    embedder = CachedEmbedder(inner, cache, questions=2)
    for text in ("a", "b", "a", "c", "a", "b"):
        embedder.query(text)
    assert inner.calls == (0, 4)
    assert cache.size() == 0 or cache.get_many(inner.name, [sha256("a")]) == {}


def test_questions_of_alaya_itself_are_kept_on_disk(cache: VectorCache) -> None:
    """What alaya asks of every home is embedded once on a machine, apart from passages."""
    probe, first = "When does the museum close? 博物馆几点关门？", HashingEmbedder()
    made = CachedEmbedder(first, cache, own=[probe]).query(probe)
    other = HashingEmbedder()
    again = CachedEmbedder(other, cache, own=[probe])
    assert np.allclose(np.asarray(again.query(probe)), np.asarray(made))
    assert (first.calls, other.calls) == ((0, 1), (0, 0))
    again.passages([probe])
    again.query("somebody's own question")
    assert other.calls == (1, 1)
    assert CachedEmbedder(HashingEmbedder("another/model"), cache, own=[probe]).query(probe)


def test_full_disk(cache: VectorCache) -> None:
    """A disk that is full while a vector is written costs the cache, not the caller."""
    cache.put_many("a", {h(1): [vector(1)]})
    pages = cache._connection.execute("PRAGMA page_count").fetchone()[0]
    cache._connection.execute(f"PRAGMA max_page_count = {pages}").fetchall()
    embedder = CachedEmbedder(HashingEmbedder(), cache)
    assert len(embedder.passages([f"text {i}" for i in range(50)])) == 50
    assert cache.problem is not None
    assert cache.get_many("a", [h(1)]) == {}
