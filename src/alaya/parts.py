"""What wiring joins and memory uses: the adapters and the outside world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from alaya.config import Config
from alaya.config_values import prices_of
from alaya.introspect.embed_worker import Pace
from alaya.model.call import Price
from alaya.model.passage import Answer
from alaya.model.report import SummariesReport
from alaya.model.scope import Scope
from alaya.model.tokens import TokenCounter
from alaya.model.words import Stemmer
from alaya.ports import LLM, Archive, Distiller, Embedder, Index
from alaya.projection import PATIENCE, Clock, refresh
from alaya.recall.plan import Settings

if TYPE_CHECKING:
    from alaya.distill.calls import Asker
    from alaya.distill.summarize_rules import Summing
    from alaya.model.context import Context
    from alaya.recall.answer import Recaller
    from alaya.recall.context import Wanted

_BITE = 1_250  # characters of text that are embedded at once, for each text of a batch
_LOCAL = 16  # texts in such a batch


@dataclass(frozen=True)
class Parts:
    """Everything that a Memory is made of."""

    config: Config
    archive: Archive
    index: Index
    embedder: Embedder | None
    embedder_why: str
    remote: bool  # the embedder is at the other end of a network
    distiller: Callable[[], Distiller]  # the rules take 60 ms to load
    recall: Settings
    stem: Stemmer
    environ: Mapping[str, str]
    user_home: Path
    clock: Clock
    timer: Callable[[], float]
    scratch: Callable[[], AbstractContextManager[Index]]
    fill_vectors: Callable[[], int]
    start_worker: Callable[[], str]
    token_counter: Callable[[], TokenCounter]  # a vocabulary takes 50 ms to load
    llm: Callable[[], LLM | None]  # None: none is configured. Its client takes 0.7 s to load

    def pace(self, limit: int | None, *, gently: bool) -> Pace:
        """How embedding is cut: small for a local model, by the configuration for a remote one."""
        batch = self.config.embedding.batch_size if self.remote else _LOCAL
        return Pace(batch, _BITE * batch, limit, gently)

    def follow(self) -> int:
        """Catch up with the journal before a verb; returns by how many records.

        A database that begins anew, because it was lost or had an older shape, gets its vectors
        back from the cache; what that does not have is left to the worker. Raises StoreError.
        """
        before = self.index.position().seq
        after = refresh(self.archive, self.index).seq
        if before or not after or self.embedder is None:
            return after - before
        if self.index.writable(PATIENCE):  # else somebody else is at it, and reading goes on
            self.fill_vectors()
        if self.index.pending_count(self.embedder.name):
            self.embed_later()
        return after

    def embed_later(self) -> str:
        """Start the worker, unless there is nothing to embed with: `off`, or how it stands."""
        if self.embedder is None or not self.config.embedding.background:
            return "off"
        return self.start_worker()

    def asker(self, user: str) -> Asker | None:
        """What asks the configured model on behalf of a user; None where there is none.

        Raises ConfigError for a model that cannot be asked as it is configured.
        """
        llm = self.llm()
        if llm is None:
            return None
        from alaya.distill.calls import Asker  # only here: most verbs ask no model

        wanted = self.config.distill
        prices = prices_of(wanted.prices)
        price = prices.get(llm.name.partition("/")[2], prices.get(llm.name))
        return Asker(
            llm=llm,
            archive=self.archive,
            user=user,
            clock=self.clock,
            timer=self.timer,
            price=None if price is None else Price(*price),
            currency=wanted.currency,
            max_tokens=wanted.max_reply_tokens,
            max_tokens_per_day=wanted.max_tokens_per_day,
            concurrency=wanted.max_concurrency,
        )

    def summing(self, user: str, *, close: bool = False, redistill: bool = False) -> Summing:
        """How a user's summaries are made: by the model, where one is configured."""
        from alaya.distill.segments import Cut  # only here: most verbs make no summaries
        from alaya.distill.summarize_rules import Summing

        wanted = self.config.summary
        return Summing(
            cut=Cut(wanted.topic_threshold, timedelta(hours=wanted.silence_hours)),
            theme_threshold=wanted.theme_threshold,
            asker=self.asker(user),
            model=None if self.embedder is None else self.embedder.name,
            stem=self.stem,
            close=close,
            redistill=redistill,
        )

    def summarize(
        self, scope: Scope, session: str | None, *, close: bool, redistill: bool
    ) -> SummariesReport | None:
        """Sum up what is over; None where `summary.enabled` is off."""
        if not self.config.summary.enabled:
            return None
        from alaya.distill.summarize import summarize

        rules = self.summing(scope.user, close=close, redistill=redistill)
        return summarize(
            self.archive, self.index, scope=scope, session=session, rules=rules, clock=self.clock
        )

    def recaller(self) -> Recaller:
        """What a recall reads."""
        from alaya.recall.answer import Recaller  # only here: it loads NumPy

        return Recaller(
            index=self.index,
            archive=self.archive,
            embedder=self.embedder,
            stem=self.stem,
            timer=self.timer,
            clock=self.clock,
            settings=self.recall,
        )

    def compose(self, answer: Answer, wish: Wanted) -> Context:
        """The context for an answer, with what the graph knows around it."""
        from alaya.recall import context as contexts  # only here: most recalls need none

        return contexts.build(
            answer,
            contexts.surroundings(self.index, answer),
            wish=wish,
            counter=self.token_counter(),
            stem=self.stem,
            now=self.clock(),
        )
