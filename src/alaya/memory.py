"""The verbs of alaya, told in order. What each does stands in the module it calls.

with Memory.open() as memory:
    memory.ingest("session.jsonl")
    memory.distill()
    print(memory.recall("Gateway 配置").hits)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from alaya import editing, export, provenance
from alaya.config import Config
from alaya.errors import NotFound
from alaya.introspect import audit, embed_worker
from alaya.introspect import rebuild as rebuilding
from alaya.introspect import status as counting
from alaya.model import asking
from alaya.model import path as paths
from alaya.model.call import UsageReport
from alaya.model.context import Context
from alaya.model.graph import Link, Relation
from alaya.model.note import Note
from alaya.model.passage import Answer, Query, Where
from alaya.model.record import RecallLog
from alaya.model.relations import RELATES_TO
from alaya.model.report import (
    Discovered,
    DistillReport,
    ExportReport,
    IngestReport,
    RebuildReport,
    Status,
    VerifyReport,
)
from alaya.model.scope import Scope
from alaya.model.time import EPOCH
from alaya.model.trace import Trace
from alaya.parts import Parts
from alaya.ports import Progress
from alaya.projection import catch_up
from alaya.recall.log import logged

_LOGGED_TOGETHER = 16  # recalls that are written to the log at once


class Memory:
    """One home, seen in one scope. A context manager; safe to use from several threads."""

    def __init__(self, parts: Parts, scope: Scope) -> None:
        self._parts = parts
        self.scope = scope
        self._recalls: list[RecallLog] = []

    @classmethod
    def open(
        cls,
        home: str | Path | None = None,
        scope: Scope | None = None,
        *,
        settings: Mapping[str, Any] | None = None,
    ) -> Memory:
        """Open the memory at `home` (else ALAYA_HOME, else ~/.alaya), making it where it is new.

        `settings` are dotted keys that win over config.json, such as {"recall.max_results": 5}.
        Raises ConfigError, Denied and StoreError.
        """
        # By name: wiring stands above this module, and is the only one that knows adapters.
        parts: Parts = import_module("alaya.wiring").parts(home, settings)
        return cls(parts, scope or Scope(user=parts.config.user))

    @property
    def config(self) -> Config:
        """The configuration in force."""
        return self._parts.config

    def __enter__(self) -> Memory:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Write what is still to be logged and let go of files."""
        self._flush_recalls()
        self._parts.index.close()

    # --- making and keeping ---------------------------------------------------------------------

    def init(self) -> list[str]:
        """Make what is missing of the home; returns what was made (nothing the second time)."""
        made = self._parts.archive.create()
        made += import_module("alaya.wiring").write_defaults(self.config)
        self._parts.follow()
        if made and not self._parts.index.position().seq:
            made.append("alaya.db")
        return made

    def ingest(
        self,
        *sources: str | Path | IO[bytes],
        format: str | None = None,
        progress: Progress | None = None,
    ) -> IngestReport:
        """Keep session logs word for word. Running it twice changes nothing.

        Sources are files, folders, globs, `-` or binary streams. What cannot be processed is in
        the report's `parked`, and the rest goes on. Embedding starts in the background.
        """
        from alaya.ingest import take  # only here: reading is worth 0.1 s less to import

        self._parts.follow()
        report = take.take(
            self._parts.archive,
            self._parts.index,
            sources=sources,
            scope=self.scope,
            format=format,
            clock=self._parts.clock,
            progress=progress,
        )
        return replace(report, embedding=self._parts.embed_later() if report.turns else "")

    def discover(self) -> list[Discovered]:
        """The logs of the agents that are installed on this machine."""
        from alaya.ingest import discover, take

        def known(path: Path, size: int) -> bool:
            return take.is_known(self._parts.archive, self.scope.user, path=path, size=size)

        return discover.discover(self._parts.environ, self._parts.user_home, known=known)

    def distill(
        self,
        session: str | None = None,
        *,
        all_kinds: bool = False,
        redistill: bool = False,
        close: bool = False,
        progress: Progress | None = None,
    ) -> DistillReport:
        """Turn sessions into cards with evidence: one of them, or all that have something new.

        `all_kinds` includes sub-agent, cron, hook and document sessions. Topics that are over are
        summed up; with `close` the last of each session is over, too. Raises NotFound for an
        unknown `session`.
        """
        from alaya.distill import run as distilling

        self._parts.follow()
        report = distilling.distill(
            self._parts.archive,
            self._parts.index,
            scope=self.scope,
            session=session,
            rules=distilling.Rules(
                distiller=self._parts.distiller(),
                min_tokens=self.config.distill.min_session_tokens,
                all_kinds=all_kinds,
                redistill=redistill,
            ),
            clock=self._parts.clock,
            progress=progress,
        )
        summaries = self._parts.summarize(self.scope, session, close=close, redistill=redistill)
        report = replace(report, summaries=summaries)
        if report.cards or (summaries and summaries.made):
            self._parts.embed_later()
        return report

    def link(
        self,
        source: str,
        target: str,
        *,
        relation: str = RELATES_TO,
        reason: str = "",
        weight: float = 1.0,
    ) -> Link:
        """Link two cards. Saying the same link again changes nothing.

        Raises NotFound for a card that is not there and InvalidInput for a link to itself.
        """
        self._parts.follow()
        return editing.link(
            self._parts.archive,
            self._parts.index,
            wanted=Link(self.scope, source, relation, target, EPOCH, weight, reason),
            clock=self._parts.clock,
        )

    # --- asking -----------------------------------------------------------------------------------

    def recall(self, text: str = "", *, query: Query | None = None, **fields: Any) -> Answer:
        """Where a question leads. Nothing relevant: no hits, and `abstained` is true.

        Either a `query`, or a text and fields of Query and Where, such as `kinds=["gotcha"]`. No
        model is called but the embedder. Raises InvalidInput and NotFound.
        """
        from alaya.recall.answer import recall  # only here: it loads NumPy, which takes 60 ms

        asked = asking.query_of(text, query, scope=self.scope, given=fields)
        self._parts.follow()
        answer = recall(self._parts.recaller(), asked)
        self._log(answer)
        return answer

    def context(
        self,
        question: str = "",
        *,
        budget_tokens: int | None = None,
        format: str = "md",
        notes: Sequence[Note] = (),
        query: Query | None = None,
        **fields: Any,
    ) -> Context:
        """What belongs into a prompt for this question: one block of text, with citations.

        Recalls cards, turns and summaries, by a question and fields of Query such as
        `already_shown=[…]`, or by a `query` as it is. The text, as `md`, `text` or `json`, is never
        longer than `budget_tokens` (None: recall.context_tokens). Nothing relevant: it says so, and
        `abstained` is true. Raises what `recall` does.
        """
        from alaya.recall import context as contexts  # only here: most recalls need none

        budget = self.config.recall.context_tokens if budget_tokens is None else budget_tokens
        wish = contexts.wanted(budget, format, language=self.config.language, notes=notes)
        quoting = {"include_sessions": True, "include_summaries": True}
        given = fields if query else {**quoting, **fields}
        asked = asking.query_of(question, query, scope=self.scope, given=given)
        limit = asked.limit or contexts.most_hits(budget, self.config.recall.max_results)
        return self._parts.compose(self.recall(query=replace(asked, limit=limit)), wish)

    def path(
        self,
        source: str,
        target: str,
        *,
        relations: Sequence[str] = (),
        max_depth: int | None = None,
        where: Where | None = None,
    ) -> paths.Path:
        """The best chain of links between two nodes or questions, or how close any came.

        Raises InvalidInput for ends that are empty or the same, NotFound for an unknown node.
        """
        from alaya.recall.navigate import find_path  # only here: most recalls need no path

        self._parts.follow()
        asked = asking.where_of(where or Where(), self.scope)
        names = asking.several(relations)
        query = paths.PathQuery(source, target, names, max_depth, asked)
        return find_path(self._parts.recaller(), query)

    def trace(self, card: str) -> Trace:
        """From a card back to the words. Raises NotFound."""
        self._parts.follow()
        where = replace(self._where(), include_forgotten=True, include_quarantined=True)
        found = provenance.trace(self._parts.archive, self._parts.index, card_id=card, where=where)
        self._parts.archive.put_context(card, provenance.context_of(found))
        return found

    def relations(self) -> list[Relation]:
        """Every kind of link with its use, core ones first."""
        self._parts.follow()
        return self._parts.index.relations(self.scope)

    def node_types(self) -> Mapping[str, int]:
        """How many nodes of each kind: `cards`, `cards.<kind>`, `sessions`, `entities` …"""
        self._parts.follow()
        counts = self._parts.index.counts(self.scope)
        return {k: n for k, n in counts.items() if not k.startswith(("links", "tiers"))}

    def status(self) -> Status:
        """The three layers in numbers."""
        self._flush_recalls()
        behind = self._parts.follow()
        found = counting.status(
            self._parts.archive,
            self._parts.index,
            scope=self.scope,
            config=self.config,
            embedder=(self._parts.embedder, self._parts.embedder_why),
            distiller=self._parts.distiller().name,
            now=self._parts.clock(),
        )
        return replace(found, behind=behind + found.behind)

    def usage(self, since: datetime | None = None) -> UsageReport:
        """The calls of this user to a model since then, by day (UTC), stage and model."""
        from alaya.distill.calls import used_today
        from alaya.distill.usage import rows

        archive = self._parts.archive
        mine = (usage for usage in archive.usages(since) if usage.user == self.scope.user)
        today = used_today(archive, self._parts.clock())
        return UsageReport(rows(mine), today, self.config.distill.max_tokens_per_day)

    # --- minding the memory -----------------------------------------------------------------------

    def export(self, folder: str | Path | None = None, *, sessions: bool = False) -> ExportReport:
        """Cards as Markdown by kind, the graph as GraphML, an index; `sessions`: as JSON too."""
        self._parts.follow()
        usual = export.default_folder(self.config.home, self.scope.user)
        target = Path(folder or usual).expanduser()
        return export.export(
            self._parts.archive,
            self._parts.index,
            where=self._where(),
            folder=target,
            sessions=sessions,
        )

    def verify(self, *, repair: bool = False) -> VerifyReport:
        """Is L3 what was written, do L2 and L1 follow from it? `repair` mends the latter two."""
        parts = self._parts
        return audit.verify(
            parts.archive,
            parts.index,
            scratch=parts.scratch,
            scope=self.scope,
            follow=parts.follow,
            mend=self.rebuild if repair else None,
        )

    def rebuild(self) -> RebuildReport:
        """Grow L2 and L1 anew from L3, in place, without calling a model."""
        parts = self._parts
        report = rebuilding.rebuild(
            parts.archive, parts.index, scope=self.scope, fill=parts.fill_vectors, timer=parts.timer
        )
        self._parts.embed_later()
        return report

    def rebuild_l1(self) -> RebuildReport:
        """Grow words and vectors anew from L2."""
        parts = self._parts
        catch_up(parts.archive, parts.index)
        report = rebuilding.rebuild_l1(
            parts.index, self.scope, fill=parts.fill_vectors, timer=parts.timer
        )
        self._parts.embed_later()
        return report

    def embed(
        self,
        *,
        limit: int | None = None,
        gently: bool = False,
        progress: Progress | None = None,
    ) -> int:
        """Work off the texts without a vector; can be interrupted. Returns how many were done.

        Raises NotFound when there is no embedder, and Busy when another process is at it; with
        `gently`, as the background worker, at lowest priority, it leaves that one alone.
        """
        parts = self._parts
        if parts.embedder is None:
            raise NotFound(f"nothing can be embedded: {parts.embedder_why}")
        return embed_worker.work_off(
            self.config.home,
            parts.archive,
            index=parts.index,
            embedder=parts.embedder,
            clock=parts.clock,
            pace=parts.pace(limit, gently=gently),
            progress=progress,
        )

    def _where(self) -> Where:
        return Where(scope=self.scope)

    def _log(self, answer: Answer) -> None:
        self._recalls.append(logged(answer, self.scope, at=self._parts.clock()))
        if len(self._recalls) >= _LOGGED_TOGETHER:
            self._flush_recalls()

    def _flush_recalls(self) -> None:
        waiting, self._recalls = self._recalls, []
        if waiting:
            self._parts.archive.log_recalls(waiting)
