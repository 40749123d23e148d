"""Answers that cost much to read and seldom change, kept until the rows they come from change."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from alaya.stores.sqlite.connection import Database

T = TypeVar("T")
_KEPT = 32


class Remembered:
    """What one process has read from one database. Every change of rows moves a revision."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._kept: dict[tuple[str, ...], tuple[object, object]] = {}

    def get(self, name: tuple[str, ...], revision: str, *, read: Callable[[], T]) -> T:
        """What `read` says under this name; asked again only when `rev.<revision>` has moved."""
        with self._db.reading():
            now = self._db.revision(revision)
            known = self._kept.get(name)
            if known is not None and known[0] == now:
                return known[1]  # type: ignore[return-value]
            answer = read()
        while len(self._kept) >= _KEPT:
            self._kept.pop(next(iter(self._kept), name), None)
        self._kept[name] = (now, answer)
        return answer
