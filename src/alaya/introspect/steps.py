"""What a step of an introspection is, and what it is given; the table is in `verbs`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from alaya.config import Config
from alaya.model.introspection import StepReport
from alaya.model.scope import Scope
from alaya.model.words import Stemmer
from alaya.ports import Archive, Embedder, Index, Progress
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


class StepFunction(Protocol):
    """Does its part on the open memory and commits it; a `dry_run` only says what it would do.

    It may be stopped anywhere (KeyboardInterrupt, kill -9) and done again: what it has committed
    stays, and a step that finds nothing to do commits nothing.
    """

    def __call__(
        self, memory: Minded, *, dry_run: bool, progress: Progress | None
    ) -> StepReport: ...
