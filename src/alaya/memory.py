"""The verbs of alaya, told in order. What each does stands in `verbs/`, and in the modules below.

with Memory.open() as memory:
    memory.ingest("session.jsonl")
    memory.distill()
    print(memory.recall("Gateway 配置").hits)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any

from alaya.config import Config
from alaya.model import asking as queries
from alaya.model import path as paths
from alaya.model.action import Added, Retrieved
from alaya.model.call import UsageReport
from alaya.model.context import Context
from alaya.model.graph import Link, Relation, Tier
from alaya.model.note import Note
from alaya.model.passage import Answer, Query, Where
from alaya.model.record import RecallLog
from alaya.model.relations import RELATES_TO
from alaya.model.report import (
    Discovered,
    DistillReport,
    IngestReport,
    Status,
)
from alaya.model.scope import Scope
from alaya.model.time import EPOCH
from alaya.model.trace import Trace
from alaya.parts import How, Parts
from alaya.ports import Progress
from alaya.recall.log import logged
from alaya.verbs import (
    asking,
    backing,
    consolidating,
    erasing,
    forgetting,
    introspecting,
    keeping,
    knowing,
    minding,
    past,
    provenance,
    remembering,
    telling,
    transcripts,
)
from alaya.verbs import told as telling_of

if TYPE_CHECKING:
    from alaya.ingest.adding import Messages

_LOGGED_TOGETHER = 16  # recalls that are written to the log at once


class Memory:
    """One home, seen in one scope. A context manager; safe to use from several threads."""

    def __init__(self, parts: Parts, scope: Scope) -> None:
        self.parts = parts
        self.scope = scope
        self._recalls: list[RecallLog] = []
        self._cold: set[tuple[str, str]] = set()  # (user, card): recalled, and without a vector

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
        return self.parts.config

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
        self.flush()
        self.parts.index.close()

    # --- making and keeping ---------------------------------------------------------------------

    def init(self) -> list[str]:
        """Make what is missing of the home; returns what was made (nothing the second time)."""
        return keeping.init(self.parts)

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
        return keeping.ingest(
            self.parts, self.scope, sources=sources, format=format, progress=progress
        )

    def add(
        self,
        messages: Messages,
        *,
        agent: str | None = None,
        user: str | None = None,
        session: str | None = None,
        distill: bool | None = None,
    ) -> Added:
        """Append messages to a session, in one commit; returns what is new.

        A text, or messages {role, content, and if known timestamp, name, id, tool_calls}. What the
        session holds already is left out, so the whole talk may be given again. Without a session:
        that of the day. `user`: whose memory, if it is not this one's. `distill` learns from the
        session, however short (None: as distill.auto_distill says). Raises InvalidInput.
        """
        scope = self.scope if user is None else Scope(user)
        return keeping.add(
            self.parts, scope, messages=messages, session=session, agent=agent, distil=distill
        )

    def discover(self) -> list[Discovered]:
        """The logs of the agents that are installed on this machine."""
        return keeping.discover(self.parts, self.scope)

    def distill(
        self,
        session: str | None = None,
        *,
        all_kinds: bool = False,
        redistill: bool = False,
        rules: bool = False,
        close: bool = False,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> DistillReport:
        """Turn sessions into cards with evidence: one of them, or all that have something new.

        By the configured model, else (or with `rules`) by rules; the report says which, and what
        was not answered. `all_kinds` includes sub-agent, cron, hook and document sessions. Topics
        that are over are summed up; with `close` the last of each session is over, too. A
        `dry_run` writes nothing and says what it would take. Raises NotFound and ConfigError.
        """
        return keeping.distill(
            self.parts,
            self.scope,
            session=session,
            how=How(all_kinds, redistill, rules, short=bool(session and redistill), close=close),
            dry_run=dry_run,
            progress=progress,
        )

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
        wanted = Link(self.scope, source, relation, target, EPOCH, weight, reason)
        return keeping.link(self.parts, wanted)

    # --- asking -----------------------------------------------------------------------------------

    def recall(self, text: str = "", *, query: Query | None = None, **fields: Any) -> Answer:
        """Where a question leads. Nothing relevant: no hits, and `abstained` is true.

        Either a `query`, or a text and fields of Query and Where, such as `kinds=["gotcha"]`. No
        model is called but the embedder. Raises InvalidInput and NotFound.
        """
        return self._recall(queries.query_of(text, query, scope=self.scope, given=fields))

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
        return asking.context(
            self.parts,
            self._recall,
            asked=asking.query_for_context(question, query, scope=self.scope, given=fields),
            budget_tokens=budget_tokens,
            format=format,
            notes=notes,
        )

    def retrieve(
        self,
        query: str,
        *,
        user: str | None = None,
        include_episodes: bool = True,
        include_entities: bool = True,
        include_edges: bool = True,
        include_summaries: bool = True,
        **fields: Any,
    ) -> Retrieved:
        """Turns, entities, facts and summaries for a question, and all of them as one block.

        Entities are those that the question names or what was found speaks of; edges the facts
        within `max_hops` (2) of them that hold at `as_of` (now). `limit` (recall.max_results) is
        for each kind. Beside these `agent`, `session`, `budget_tokens`, `format`, and the fields of
        `recall`. `user`: whose memory, if it is not this one's. Raises what `recall` does.
        """
        scope = self.scope if user is None else Scope(user)
        return asking.retrieve(
            self.parts,
            partial(self._recall, scope=scope),
            question=query,
            scope=scope,
            kinds=(include_episodes, include_entities, include_edges, include_summaries),
            given=fields,
        )

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
        names = queries.several(relations)
        query = paths.PathQuery(source, target, names, max_depth, where or Where())
        return asking.path(self.parts, query, scope=self.scope)

    def trace(self, card: str) -> Trace:
        """From a card back to the words. Raises NotFound."""
        return asking.trace(self.parts, card, scope=self.scope)

    facts = knowing.facts
    entities = knowing.entities
    summaries = knowing.summaries
    cards = transcripts.cards
    sessions = transcripts.sessions
    transcript = transcripts.transcript
    summary = transcripts.summary

    def relations(self) -> list[Relation]:
        """Every kind of link with its use, core ones first."""
        self.parts.follow()
        return self.parts.index.relations(self.scope)

    def node_types(self) -> Mapping[str, int]:
        """How many nodes of each kind: `cards`, `cards.<kind>`, `sessions`, `entities` …"""
        return asking.node_types(self.parts, self.scope)

    def status(self) -> Status:
        """The three layers in numbers."""
        self.flush()
        return asking.status(self.parts, self.scope)

    def usage(self, since: datetime | None = None) -> UsageReport:
        """The calls of this user to a model since then, by day (UTC), stage and model."""
        return asking.usage(self.parts, self.scope, since=since)

    # --- where it is from -------------------------------------------------------------------------

    remember = remembering.remember
    event = remembering.event
    events = provenance.events
    chain = provenance.chain
    why = provenance.why
    correct = provenance.correct
    confirm = provenance.confirm
    quarantined = provenance.quarantined
    hold = provenance.hold
    release = provenance.release

    # --- its own past -----------------------------------------------------------------------------

    revise = past.revise
    history = past.history
    diff = past.diff
    changes = past.changes
    undo = past.undo
    rollback = past.rollback

    # --- by name ----------------------------------------------------------------------------------

    tell = telling.tell
    told = telling_of.told
    retract = telling_of.retract

    # --- minding the memory -----------------------------------------------------------------------

    export = minding.export
    verify = minding.verify
    rebuild = minding.rebuild
    rebuild_l1 = minding.rebuild_l1
    embed = minding.embed
    introspect = introspecting.introspect

    # --- letting go -------------------------------------------------------------------------------

    pin = forgetting.pin
    unpin = forgetting.unpin
    forget = forgetting.forget
    restore = forgetting.restore
    forgotten = forgetting.forgotten

    # --- the names of relations -------------------------------------------------------------------

    relation_proposals = consolidating.relation_proposals
    promote_relation = consolidating.promote_relation
    alias_relation = consolidating.alias_relation
    split_relation = consolidating.split_relation

    # --- erasing, and a second copy ---------------------------------------------------------------

    erase = erasing.erase
    find_words = erasing.find_words
    backup = backing.backup
    restore_backup = staticmethod(backing.restore_backup)

    def _recall(self, asked: Query, scope: Scope | None = None) -> Answer:
        answer = asking.recall(self.parts, asked)
        log = logged(answer, scope or self.scope, at=self.parts.clock())
        self._recalls.append(log)
        whose = (scope or self.scope).user
        self._cold.update((whose, hit.id) for hit in answer.hits if hit.tier is Tier.COLD)
        if len(self._recalls) >= _LOGGED_TOGETHER:
            self.flush()
        return replace(answer, id=log.id)

    def flush(self) -> None:
        """Write down what was recalled and is not logged yet; what was COLD is warm again."""
        waiting, self._recalls = self._recalls, []
        cold, self._cold = self._cold, set()
        if waiting:
            self.parts.archive.log_recalls(waiting)
        if cold:
            introspecting.bring_back(self.parts, cold)
