"""What wiring joins and memory uses: the adapters and the outside world."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import timedelta
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from alaya.config import Config
from alaya.config_values import prices_of
from alaya.introspect import embed_worker
from alaya.introspect.embed_worker import Pace
from alaya.model.call import Price
from alaya.model.passage import Answer
from alaya.model.report import DistillReport, Outcome, SummariesReport
from alaya.model.scope import Scope
from alaya.model.tokens import TokenCounter
from alaya.model.words import Stemmer
from alaya.ports import LLM, Archive, Distiller, Embedder, Index
from alaya.ports_erasing import Eraser
from alaya.projection import PATIENCE, Clock, refresh
from alaya.recall.plan import Settings

if TYPE_CHECKING:
    from alaya.distill.calls import Asker
    from alaya.distill.knowing import KnowingDistiller
    from alaya.distill.llm import ModelDistiller
    from alaya.distill.prompts.texts import Prompt
    from alaya.distill.run import Rules
    from alaya.distill.settling import Similar
    from alaya.distill.summarize_rules import Summing
    from alaya.erasing.run import Home
    from alaya.model.context import Context
    from alaya.recall.answer import Recaller
    from alaya.recall.context import Wanted
    from alaya.recall.surroundings import Surroundings

_BITE = 1_250  # characters of text that are embedded at once, for each text of a batch
_LOCAL = 16  # texts in such a batch


@dataclass(frozen=True)
class How:
    """What is distilled beside what is new and worth it, and whether `rules` do it in any case.

    `all_kinds`: sub-agents, cron, hooks, documents. `redistill`: what was before, too. `short`:
    sessions of a few words. `close`: the last topic of each session is over, too.
    """

    all_kinds: bool = False
    redistill: bool = False
    rules: bool = False
    short: bool = False
    close: bool = False


@dataclass(frozen=True)
class Parts:
    """Everything that a Memory is made of."""

    config: Config
    archive: Archive
    index: Index
    embedder: Embedder | None
    embedder_why: str
    remote: bool  # the embedder is at the other end of a network
    distiller: Callable[[], Distiller]  # by rules, which take 60 ms to load
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
    eraser: Eraser
    forget_vectors: Callable[[Sequence[str]], int]  # of the cache, by the hashes of their texts
    llm: Callable[[], LLM | None]  # None: none is configured. Its client takes 0.7 s to load

    def pace(self, limit: int | None, *, gently: bool) -> Pace:
        """How embedding is cut: small for a local model, by the configuration for a remote one."""
        batch = self.config.embedding.batch_size if self.remote else _LOCAL
        return Pace(batch, _BITE * batch, limit, gently)

    def follow(self) -> int:
        """Catch up with the journal before a verb; returns by how many records.

        A database that begins anew, because it was lost or had an older shape, gets its vectors
        back from the cache; what that does not have is left to the worker. An erasure that was
        interrupted is ended first. Raises StoreError.
        """
        if self.eraser.begun() is not None:
            self.finish_erasing()
        before = self.index.position().seq
        after = refresh(self.archive, self.index).seq
        if before or not after or self.embedder is None:
            return after - before
        if self.index.writable(PATIENCE):  # else somebody else is at it, and reading goes on
            self.fill_vectors()
        if self.index.pending_count(self.embedder.name):
            self.embed_later()
        return after

    def erasing(self) -> Home:
        """What an erasure works on."""
        from alaya.backup import renewed  # only here: it is done once in a long while
        from alaya.erasing.run import Home

        def shipped() -> Iterator[str]:
            yield repr(Config(self.config.home))
            for file in files("alaya.distill.prompts").iterdir():
                if file.is_file():
                    yield file.read_text(encoding="utf-8")

        return Home(
            self.archive,
            self.index,
            self.eraser,
            forget=self.forget_vectors,
            quiet=lambda: embed_worker.no_worker(self.config.home),
            shipped=shipped,
            renew_backups=lambda: renewed(self.archive, self.config.home, at=self.clock()),
            clock=self.clock,
        )

    def finish_erasing(self, wait: float = 0.0) -> tuple[str, ...]:
        """End an erasure that was interrupted; one that another process is at, after waiting for
        it."""
        from alaya.erasing.run import finish

        return finish(self.erasing(), wait=wait)

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

    def distiller_name(self) -> str:
        """What distils, as far as can be told without loading a model's client."""
        wanted = self.config.distill
        if wanted.llm_provider == "none":
            return self.distiller().name
        return f"{wanted.llm_provider}/{wanted.model}" if wanted.model else wanted.llm_provider

    def distilling(self, user: str, how: How) -> Rules:
        """How sessions are distilled: by the configured model, else by rules.

        Raises ConfigError for a model that cannot be asked as it is configured.
        """
        from alaya.distill.run import Rules  # only here: most verbs distil nothing

        wanted, asker = self.config.distill, None if how.rules else self.asker(user)
        return Rules(
            distiller=self.distiller() if asker is None else self._by_model(asker),
            min_tokens=0 if how.short else wanted.min_session_tokens,
            min_tool_calls=wanted.min_tool_calls,
            all_kinds=how.all_kinds,
            redistill=how.redistill,
            stem=self.stem,
            similar=None if asker is None else self._similar(),
        )

    def _similar(self) -> Similar | None:
        """How near two texts are, where that can be told without a network."""
        if self.embedder is None or self.remote:
            return None
        from alaya.distill.settling import similarity_by

        return similarity_by(self.embedder, self.index)

    def _by_model(self, asker: Asker) -> ModelDistiller | KnowingDistiller:
        from alaya.distill.knowing import KnowingDistiller

        cards = self._model_distiller(asker)
        if not self.config.distill.facts:
            return cards
        prompt = functools.partial(self._prompt, "facts")
        return KnowingDistiller(cards, self.index, functools.cache(prompt))

    def _model_distiller(self, asker: Asker) -> ModelDistiller:
        from alaya.distill.llm import ModelDistiller
        from alaya.distill.proposals import Gate

        wanted = self.config.distill
        prompt = functools.partial(
            self._prompt,
            "distill",
            template=wanted.prompt_template,
            slots={"max_cards": str(wanted.max_cards_per_session)},
        )
        gate = Gate(wanted.min_importance, wanted.max_cards_per_session)
        return ModelDistiller(
            asker, functools.cache(prompt), self.stem, gate, window_tokens=wanted.window_tokens
        )

    def _prompt(
        self,
        name: str,
        language: str,
        *,
        template: str | None = None,
        slots: Mapping[str, str] | None = None,
    ) -> Prompt:
        """A prompt as it is in force in this home."""
        from alaya.distill.prompts import texts

        return texts.prompt(
            name,
            language,
            folder=self.config.home / "prompts",
            template=None if template is None else Path(template).expanduser(),
            slots=slots or {},
        )

    def summing(self, user: str, how: How) -> Summing:
        """How a user's summaries are made: by the model, where one is configured."""
        from alaya.distill.segments import Cut  # only here: most verbs make no summaries
        from alaya.distill.summarize_prompts import WHAT
        from alaya.distill.summarize_rules import Summing

        wanted = self.config.summary

        @functools.cache
        def words(level: str, language: str) -> str:
            return self._prompt("summary", language, slots={"what": WHAT[level][language]}).text

        return Summing(
            cut=Cut(wanted.topic_threshold, timedelta(hours=wanted.silence_hours)),
            theme_threshold=wanted.theme_threshold,
            asker=None if how.rules else self.asker(user),
            model=None if self.embedder is None else self.embedder.name,
            stem=self.stem,
            close=how.close,
            redistill=how.redistill,
            words=words,
        )

    def summarize(self, scope: Scope, *, session: str | None, how: How) -> SummariesReport | None:
        """Sum up what is over; None where `summary.enabled` is off."""
        if not self.config.summary.enabled:
            return None
        from alaya.distill.summarize import summarize

        rules = self.summing(scope.user, how)
        return summarize(
            self.archive, self.index, scope=scope, session=session, rules=rules, clock=self.clock
        )

    def with_summaries(
        self, report: DistillReport, scope: Scope, *, session: str | None, how: How
    ) -> DistillReport:
        """A forecast with what summaries would take, where a model is to make them."""
        rules = self.summing(scope.user, how)
        if report.estimate is None or rules.asker is None or not self.config.summary.enabled:
            return report
        from alaya.distill import summarize

        todo = {one.session for one in report.sessions if one.outcome is Outcome.WAITING}
        home = (self.archive, self.index)
        calls = summarize.forecast(
            *home, scope=scope, session=session, distilled=todo, rules=rules, clock=self.clock
        )
        return replace(report, estimate=report.estimate.plus(rules.asker.estimate(calls)))

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

    def compose(
        self, answer: Answer, wish: Wanted, *, around: Surroundings | None = None
    ) -> Context:
        """The context for an answer, with what the graph knows `around` it (None: read now)."""
        from alaya.recall import context as contexts  # only here: most recalls need none

        return contexts.build(
            answer,
            contexts.surroundings(self.index, answer) if around is None else around,
            wish=wish,
            counter=self.token_counter(),
            stem=self.stem,
            now=self.clock(),
        )


class Opened(Protocol):
    """An open memory, as the verbs in `verbs/` see it: what it is made of, and whose it is."""

    parts: Parts
    scope: Scope

    def flush(self) -> None:
        """Write what is still to be logged: recalls that were answered just now."""
