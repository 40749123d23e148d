"""An embedder for tests: feature hashing of words. It knows spelling, not meaning."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from itertools import pairwise
from types import MappingProxyType

from alaya.errors import InvalidInput
from alaya.model.ids import clean
from alaya.model.words import segment
from alaya.ports import Vector

DIMENSIONS = 256
_WINDOW = 2000  # terms
_MOST = 16


class HashingEmbedder:
    """An Embedder over the terms of `words.segment` and their pairs; deterministic, no NumPy.

    Texts that share terms are close, others are not. `name` can be chosen, to play a change of
    model; the name seeds the hash, so that vectors of two names do not agree by accident.
    `calls` counts the texts that were asked for: (passages, questions).
    """

    def __init__(self, name: str = "hashing/256", dimensions: int = DIMENSIONS) -> None:
        self.name = name
        self.dimensions = dimensions
        self.baseline: Mapping[str, float] = MappingProxyType(
            {"latin|latin": 0.0, "han|han": 0.0, "han|latin": 0.0, "latin|han": 0.0}
        )
        self.calls = (0, 0)

    def passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        """A vector for each 2,000 terms, at most 16; none for a text without a character."""
        self.calls = (self.calls[0] + len(texts), self.calls[1])
        return [self._windows(text) for text in texts]

    def query(self, text: str) -> Vector:
        """The vector of the question's first window. Raises InvalidInput for an empty one."""
        self.calls = (self.calls[0], self.calls[1] + 1)
        windows = self._windows(text)
        if not windows:
            raise InvalidInput("an empty question has no vector; ask with at least one word")
        return windows[0]

    def _windows(self, text: str) -> list[Vector]:
        text = clean(text)
        if not text.strip():
            return []
        found = segment(text)
        # A text of signs alone has no terms; then it is its own.
        terms = [*found.words, *found.chars] or [text.strip()[:100]]
        parts = [terms[i : i + _WINDOW] for i in range(0, len(terms), _WINDOW)]
        return [self._vector(part) for part in parts[:_MOST]]

    def _vector(self, terms: Sequence[str]) -> Vector:
        counts = Counter([*terms, *(f"{a} {b}" for a, b in pairwise(terms))])
        vector = [0.0] * self.dimensions
        for term, count in counts.items():
            key = f"{self.name}\0{term}".encode()
            number = int.from_bytes(blake2b(key, digest_size=8).digest(), "big")
            sign = 1.0 if number & 1 else -1.0
            vector[(number >> 1) % self.dimensions] += sign * (1.0 + math.log(count))
        length = math.sqrt(sum(x * x for x in vector))
        if length == 0.0:  # everything cancelled out
            vector[0] = length = 1.0
        return [x / length for x in vector]
