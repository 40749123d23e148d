"""What the steps of an introspection are given. `verbs/introspecting.py` has the table of them.

A step is a function `(memory: Minded, *, dry_run: bool, progress: Progress | None) -> StepReport`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from alaya.config import Config
from alaya.model.scope import Scope
from alaya.model.words import Stemmer
from alaya.ports import Archive, Embedder, Index
from alaya.projection import Clock

if TYPE_CHECKING:
    from alaya.distill.calls import Asker


class Tools(Protocol):
    """What `alaya.parts.Parts` has that steps use; parts stands above introspection."""

    @property
    def config(self) -> Config: ...
    @property
    def archive(self) -> Archive: ...
    @property
    def index(self) -> Index: ...
    @property
    def embedder(self) -> Embedder | None: ...
    @property
    def stem(self) -> Stemmer: ...
    @property
    def clock(self) -> Clock: ...
    def follow(self) -> int: ...
    def embed_later(self) -> str: ...
    def asker(self, user: str) -> Asker | None: ...


class Minded(Protocol):
    """The open memory that is minded (an `alaya.parts.Opened`), and whose it is."""

    @property
    def parts(self) -> Tools: ...
    @property
    def scope(self) -> Scope: ...
