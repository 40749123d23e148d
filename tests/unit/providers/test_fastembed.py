"""The fastembed adapter, without the package and with a stand-in for its class."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from alaya.errors import InvalidInput, ProviderError
from alaya.providers.fastembed import FastembedEmbedder, load_library


class Model:
    """Stands in for fastembed.TextEmbedding: vectors that are not of length 1."""

    def __init__(self, dimensions: int = 384, drop: int = 0, value: float = 3.0) -> None:
        self.seen: list[str] = []
        self._dimensions, self._drop, self._value = dimensions, drop, value

    def embed(self, documents: list[str], batch_size: int) -> Iterator[Any]:
        self.seen += documents
        for text in documents[self._drop :]:
            vector = np.zeros(self._dimensions, dtype=np.float32)
            vector[len(text) % self._dimensions] = self._value
            yield vector


def test_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package the message says what to install."""
    monkeypatch.setitem(sys.modules, "fastembed", None)
    with pytest.raises(ProviderError, match=r"pip install 'alaya-agent-memory\[fastembed\]'"):
        FastembedEmbedder().query("hello")


def test_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that cannot be downloaded is named, with the ways out."""

    class Offline:
        def __init__(self, **_: Any) -> None:
            raise ValueError("Could not load model from any source.")

    package = type(sys)("fastembed")
    package.TextEmbedding = Offline  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "fastembed", package)
    with pytest.raises(ProviderError, match=r"intfloat.*embedding\.provider to none"):
        load_library("intfloat/multilingual-e5-large", None)


def test_windows_and_length() -> None:
    """Long text is cut, the vectors come back by text, each of length 1."""
    model = Model()
    embedder = FastembedEmbedder(load=lambda name, folder: model)
    found = embedder.passages(["short", "", "word " * 300])
    assert [len(windows) for windows in found] == [1, 0, len(model.seen) - 1]
    assert len(found[2]) > 2
    for windows in found:
        for vector in windows:
            assert np.linalg.norm(np.asarray(vector)) == pytest.approx(1.0)
    assert embedder.dimensions == 384
    assert embedder.passages([]) == []
    with pytest.raises(InvalidInput):
        embedder.query(" ")


def test_prefixes() -> None:
    """The e5 family gets its prefixes, others none."""
    e5, other = Model(1024), Model()
    large = FastembedEmbedder("intfloat/multilingual-e5-large", load=lambda n, f: e5)
    plain = FastembedEmbedder(load=lambda n, f: other)
    for embedder in (large, plain):
        embedder.passages(["text"])
        embedder.query("what?")
    assert e5.seen == ["passage: text", "query: what?"]
    assert other.seen == ["text", "what?"]


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (Model(dimensions=100), "gives 100 dimensions, not 384"),
        (Model(drop=1), "0 vectors for 1 texts"),
        (Model(value=0.0), "without a direction"),
        (Model(value=float("nan")), "without a direction"),
    ],
)
def test_wrong_answers(model: Model, message: str) -> None:
    """An answer of the wrong size, count or value is not believed."""
    embedder = FastembedEmbedder(load=lambda name, folder: model)
    with pytest.raises(ProviderError, match=message):
        embedder.passages(["text"])


def test_unknown_model() -> None:
    """Of a model that is not in the table the dimensions must be told."""
    with pytest.raises(ProviderError, match=r"set embedding\.dimensions"):
        FastembedEmbedder("somebody/model")
    assert FastembedEmbedder("somebody/model", dimensions=99).dimensions == 99
    with pytest.raises(ProviderError, match="384 dimensions, not 99"):
        FastembedEmbedder(dimensions=99)
