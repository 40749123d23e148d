"""Embeddings from any OpenAI-compatible endpoint: SiliconFlow, OpenAI, Ollama, or a URL.

Requests are batched, sent side by side, and repeated with growing pauses when the server is busy,
fails or does not answer. An answer is believed only when count, dimension and numbers are right.
"""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any

from alaya.errors import InvalidInput, ProviderError
from alaya.ports import Vector
from alaya.providers.openai_presets import Endpoint
from alaya.providers.openai_requests import Patience, Refused, ask, open_client
from alaya.providers.windows import question, windows

_SHORTEST = 64  # characters; a text refused at this length is refused for what it says
_QUESTION_TRIES = 2


def installed() -> bool:
    """Whether the client is there; nothing is loaded to find out."""
    return find_spec("openai") is not None


class OpenAIEmbedder:
    """An Embedder over an endpoint (see `openai_presets.endpoint`).

    Nothing is sent, and the client is not loaded, before first use. `dimensions` is 0 until it is
    known. Vectors are NumPy float32 arrays of length 1. No baseline is known: a store measures its
    own. A window that the server will not have is shortened, in the end left out; its text then
    has fewer windows or none. `pause` replaces waiting between tries. `close` ends connections.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        environ: Mapping[str, str] = os.environ,
        pause: Callable[[float], object] | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self.name = endpoint.name
        self.dimensions = endpoint.dimensions
        self.baseline: Mapping[str, float] = MappingProxyType({})
        self._endpoint = endpoint
        self._environ = environ
        self._pause = pause
        self._chance = chance
        self._client: Any = None
        self._lock = threading.Lock()
        self._answered = False
        self._batch_size = endpoint.batch_size

    def passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        """Unit vectors for texts to be stored, one for each window; none for an empty text.

        Raises ProviderError, which names the URL, what happened and what to do.
        """
        parts = [windows(text) for text in texts]
        flat = [self._endpoint.prefix[1] + window for part in parts for window in part]
        vectors = iter(self._embed(flat) if flat else [])
        found = [[next(vectors) for _ in part] for part in parts]
        return [[vector for vector in part if vector is not None] for part in found]

    def query(self, text: str) -> Vector:
        """The unit vector for a question; of a long one its beginning and end count.

        Raises InvalidInput for a text without any character, ProviderError as `passages`; it
        tries only twice, because someone waits.
        """
        asked = question(text)
        if not asked:
            raise InvalidInput("an empty question has no vector; ask with at least one word")
        tries = min(_QUESTION_TRIES, self._endpoint.tries)
        patience = self._patience(tries, self._endpoint.question_timeout, halt=threading.Event())
        return self._ask([self._endpoint.prefix[0] + asked], patience)[0]

    def close(self) -> None:
        """End open connections; the next use opens new ones."""
        with self._lock:
            if self._client is not None:
                self._client.close()
                self._client = None

    def _embed(self, texts: list[str]) -> list[Vector | None]:
        halt = threading.Event()
        patience = self._patience(self._endpoint.tries, self._endpoint.timeout, halt=halt)
        size = self._batch_size
        batches = [texts[i : i + size] for i in range(0, len(texts), size)]
        if len(batches) == 1:
            return self._batch(batches[0], patience)
        workers = ThreadPoolExecutor(min(self._endpoint.max_concurrency, len(batches)))
        try:
            answers = list(workers.map(lambda batch: self._batch(batch, patience), batches))
        finally:
            halt.set()  # after a failure the others need not go on trying
            workers.shutdown(wait=True, cancel_futures=True)
        return [vector for answer in answers for vector in answer]

    def _batch(self, texts: list[str], patience: Patience) -> list[Vector | None]:
        """Vectors for a batch. One that is refused is halved until the culprit stands alone."""
        try:
            return list(self._ask(texts, patience))
        except Refused:
            if not self._answered:
                self._ask([self._endpoint.prefix[1] + "ok"], patience)  # else it refuses us
        if len(texts) == 1:
            return [self._shortened(texts[0], patience)]
        middle = len(texts) // 2
        first, second = (self._batch(half, patience) for half in (texts[:middle], texts[middle:]))
        if all(vector is not None for vector in first + second):  # it was too many at once
            self._batch_size = max(1, min(self._batch_size, len(texts) - middle))
        return first + second

    def _shortened(self, text: str, patience: Patience) -> Vector | None:
        while len(text) > _SHORTEST:
            text = text[: len(text) // 2]
            try:
                return self._ask([text], patience)[0]
            except Refused:
                continue
        return None

    def _ask(self, texts: list[str], patience: Patience) -> list[Vector]:
        endpoint = replace(self._endpoint, dimensions=self.dimensions)
        vectors = ask(self._connected(), endpoint, texts=texts, patience=patience)
        self.dimensions = self.dimensions or len(vectors[0])
        self._answered = True
        return vectors

    def _patience(self, tries: int, timeout: float, *, halt: threading.Event) -> Patience:
        return Patience(tries, timeout, self._pause or halt.wait, self._chance)

    def _connected(self) -> Any:
        with self._lock:
            if self._client is None:
                self._client = open_client(self._endpoint, self._key())
            return self._client

    def _key(self) -> str | None:
        variable = self._endpoint.api_key_env
        if variable is None:
            return None
        key = self._environ.get(variable, "").strip()
        if not key:
            raise ProviderError(
                f"{self.name} needs an API key: set the environment variable {variable} "
                f"({self._endpoint.hint}), or set embedding.provider to auto for a local model"
            )
        return key
