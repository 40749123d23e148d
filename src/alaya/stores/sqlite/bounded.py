"""What a process keeps because it is asked for again: at most so many bytes, the newest used."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np


class Bounded:
    """Arrays by key, each as of one revision. The least recently used make room.

    One that alone is larger than the bound is not kept.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept: OrderedDict[Hashable, tuple[object, np.ndarray[Any, Any]]] = OrderedDict()
        self._lock = threading.Lock()
        self.bytes = 0

    def get(self, key: Hashable, revision: object) -> np.ndarray[Any, Any] | None:
        """What was kept under this key, if it is of this revision."""
        with self._lock:
            found = self._kept.get(key)
            if found is None or found[0] != revision:
                return None
            self._kept.move_to_end(key)
            return found[1]

    def keep(self, key: Hashable, revision: object, *, value: np.ndarray[Any, Any]) -> None:
        """In the place of what was there before."""
        with self._lock:
            self._drop(key)
            if value.nbytes > self._limit:
                return
            while self.bytes + value.nbytes > self._limit:
                self._drop(next(iter(self._kept)))
            self._kept[key] = (revision, value)
            self.bytes += value.nbytes

    def _drop(self, key: Hashable) -> None:
        gone = self._kept.pop(key, None)
        if gone is not None:
            self.bytes -= gone[1].nbytes
