"""An embedder that asks the cache first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from alaya.model.ids import sha256
from alaya.ports import Embedder, Vector

_QUESTIONS = 256  # vectors of questions kept in memory, never on disk


class Cache(Protocol):
    """What is needed of a cache; `cache.VectorCache` is one."""

    def get_many(self, model: str, hashes: Sequence[str]) -> dict[str, list[Vector]]: ...

    def put_many(self, model: str, vectors: Mapping[str, Sequence[Vector]]) -> None: ...


class CachedEmbedder:
    """Any Embedder behind a cache. A model that is not needed is not loaded.

    Passages are cached on disk by the SHA-256 of their text; the last 256 questions in
    memory, since they are nobody else's business. `own` are questions of alaya itself, the same
    in every home: these are cached on disk, too. What is asked raises what the embedder raises;
    the cache raises nothing.
    """

    def __init__(
        self,
        embedder: Embedder,
        cache: Cache,
        *,
        questions: int = _QUESTIONS,
        own: Collection[str] = (),
    ) -> None:
        self.name = embedder.name
        self.baseline = embedder.baseline
        self._embedder = embedder
        self._cache = cache
        self._limit = questions
        self._own = frozenset(own)
        self._questions: OrderedDict[str, Vector] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def dimensions(self) -> int:
        """As the embedder says, which may learn it from its first answer."""
        return self._embedder.dimensions

    def passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        """As Embedder.passages; equal texts are embedded once."""
        hashes = [sha256(text) for text in texts]
        known = self._cache.get_many(self.name, list(dict.fromkeys(hashes)))
        missing = {h: t for h, t in zip(hashes, texts, strict=True) if h not in known}
        if missing:
            made = self._embedder.passages(list(missing.values()))
            fresh = dict(zip(missing, made, strict=True))
            # A text that an endpoint refuses has no window today; another day it may have.
            self._cache.put_many(self.name, {h: windows for h, windows in fresh.items() if windows})
            known.update(fresh)
        return [list(known[h]) for h in hashes]

    def query(self, text: str) -> Vector:
        """As Embedder.query."""
        with self._lock:
            if text in self._questions:
                self._questions.move_to_end(text)
                return self._questions[text]
        vector = self._own_question(text) if text in self._own else self._embedder.query(text)
        with self._lock:
            self._questions[text] = vector
            while len(self._questions) > self._limit:
                self._questions.popitem(last=False)
        return vector

    def _own_question(self, text: str) -> Vector:
        name = sha256(f"question: {text}")
        known = self._cache.get_many(self.name, [name]).get(name)
        if known:
            return known[0]
        vector = self._embedder.query(text)
        self._cache.put_many(self.name, {name: [vector]})
        return vector
