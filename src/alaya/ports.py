"""Every socket of alaya on one page. Adapters are in `stores/` and `providers/`; wiring joins them.

Only model values cross a port. Each port has a contract suite in `alaya.testing`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from alaya.model.call import Call, Reply
from alaya.model.change import Change
from alaya.model.graph import Card, CardState, Edge, Entity, Link, Relation, Standing, Summary, Tier
from alaya.model.life import Life
from alaya.model.passage import Item, ItemKind, Mention, Pending, Scored, Where
from alaya.model.raw import ArchivedTurn, Event, Session, SessionState, TurnPlace
from alaya.model.record import Draft, Position, RecallLog
from alaya.model.report import Difference
from alaya.model.scope import Scope
from alaya.ports_archive import Archive as Archive
from alaya.ports_archive import ReadTurn as ReadTurn
from alaya.ports_archive import Writer as Writer
from alaya.ports_erasing import Compacted
from alaya.ports_past import PastReader

Names = Sequence[str]
Vector = Sequence[float]  # adapters pass NumPy arrays of float32; ports only promise a sequence


class Progress(Protocol):
    """Told what is being worked on, how much is done, and of how much (None: not known)."""

    def __call__(self, what: str, done: int, *, total: int | None) -> None: ...


class Store(Protocol):
    """The write side of every projection: one method and the position it has reached."""

    def position(self) -> Position: ...

    def apply(self, position: Position, changes: Iterable[Change], *, at: datetime) -> bool:
        """Apply the changes of the record that ends at `position`, recorded at `at`.

        One transaction. Returns False, having done nothing, if the store stands at or behind
        another record than `position.seq - 1`: applying twice equals applying once.
        """

    def writable(self, within: float) -> bool:
        """Whether nobody else is writing, or stops within so many seconds."""

    def reset(self, *, keep_vectors: bool = False) -> AbstractContextManager[None]:
        """Empty the store and let what is applied inside become visible all at once; with
        `keep_vectors` those of texts that are there again stay."""


class GraphReader(Protocol):
    """L2. Every read carries a filter or a scope, also those by id."""

    def cards(self, ids: Sequence[str], where: Where) -> list[tuple[Card, CardState]]:
        """The current (or as `where` says, earlier) versions of these cards, in the order asked."""

    def standing(self, ids: Sequence[str], where: Where) -> Mapping[str, Standing]:
        """Of those that `cards` would return, what ranks them, by id: it takes a tenth."""

    def find_cards(
        self, where: Where, limit: int | None = None
    ) -> Iterator[tuple[Card, CardState]]:
        """All cards that pass, newest first."""

    def lives(self, where: Where) -> list[Life]:
        """Of all cards that pass, what decides where each is kept, newest first."""

    def links(
        self,
        nodes: Sequence[str],
        where: Where,
        *,
        relations: Sequence[str] = (),
        limit_per_node: int = 50,
    ) -> list[Link]:
        """Edges that touch any of `nodes` and whose other end passes `where`, heaviest first.

        `relations` are canonical names; empty means all. An edge to a card outside the filter
        (another user's, forgotten, retired) is not returned.
        """

    def edges(
        self,
        nodes: Sequence[str],
        where: Where,
        *,
        relations: Sequence[str] = (),
        limit_per_node: int = 50,
    ) -> list[Edge]:
        """The edges of `links` in the same order, bare: for searching far through the graph."""

    def ways(self, nodes: Sequence[str], where: Where) -> Mapping[str, int]:
        """To how many nodes outside `nodes` each relation leads, read from `nodes`.

        Every edge that passes counts, however light; a node that one relation leads to twice
        counts once. A relation that leads nowhere is absent.
        """

    def all_links(self, where: Where) -> Iterator[Link]: ...

    def facts(self, where: Where, *, limit: int, offset: int = 0) -> list[Link]:
        """Links between entities that tell a fact, and pass, the newest valid first."""

    def sessions(self, scope: Scope) -> Iterator[SessionState]: ...

    def session(self, scope: Scope, id: str) -> SessionState | None: ...

    def turns(self, scope: Scope, session: str, *, ids: Names | None = None) -> list[TurnPlace]:
        """Where the turns of a session stand in the archive, by ordinal."""

    def cards_of_turns(
        self, where: Where, turns: Sequence[tuple[str, str]]
    ) -> dict[tuple[str, str], list[str]]:
        """Which cards cite these (session, turn) pairs."""

    def cards_of_events(self, where: Where, events: Sequence[str]) -> dict[str, list[str]]:
        """Which cards name these events among their `source_events`, by event."""

    def events(self, scope: Scope, *, ids: Names = (), about: Names = ()) -> list[Event]:
        """Events of the journal of these ids or about any of these, as they happened."""

    def relations(self, scope: Scope) -> list[Relation]:
        """Core ones, those of the user's links, and aliases that the user's links once had."""

    def entities(
        self, where: Where, names: Names = (), *, ids: Names | None = None
    ) -> list[Entity]:
        """By any name ever, or by id, where given. Raises Unsupported for fields they have not."""

    def entities_of_turns(
        self, where: Where, turns: Sequence[tuple[str, str]]
    ) -> dict[tuple[str, str], list[str]]:
        """Which entities were taken from these (session, turn) pairs; fields as `entities`."""

    def summaries(
        self, where: Where, session: str | None = None, *, ids: Sequence[str] | None = None
    ) -> list[Summary]:
        """Those that pass, of a session or of these ids where given, as they were said."""

    def distilled(self, scope: Scope, content_hash: str) -> str | None:
        """The session whose distilled content had this hash, if any."""

    def counts(self, scope: Scope) -> Mapping[str, int]:
        """`cards`, `cards.<kind>`, `links`, `links.<RELATION>`, `sessions`, `turns` …"""

    def calibration(self, model: str) -> Mapping[str, float]: ...


class TextIndex(Protocol):
    """L1, words. Items are cards, turns and summaries; a turn's id is `session#turn`."""

    def match(self, text: str, kind: ItemKind, *, where: Where, limit: int) -> list[Scored]:
        """The best items for any text, by BM25 over words, bigrams and single characters."""

    def frequencies(self, terms: Sequence[str], kind: ItemKind) -> tuple[int, Mapping[str, int]]:
        """About how many items there are, and in how many each term stands (absent: none).

        Of all users and versions: only good for weighing terms.
        """

    def items(
        self, ids: Sequence[str], kind: ItemKind, *, where: Where, reach: int = 0
    ) -> list[Item]:
        """Those of these items that pass, with their forms; each once, in no order.

        `reach`: with each turn the turns of its session that stand at most so many places before
        or behind it and pass too. What stands alone has none.
        """

    def mentioning(
        self, names: Sequence[str], kind: ItemKind, *, where: Where, most: int
    ) -> Mapping[str, Sequence[Mention]]:
        """The items that hold each of these names (`Forms.names`) or have it as their heading.

        A name that more than `most` items hold says little: it is absent, as one that none holds.
        """


class VectorIndex(Protocol):
    """L1, vectors. Each vector knows its model; several models may stand side by side."""

    def pending(self, model: str, limit: int) -> list[Pending]:
        """Texts without a vector of `model`: relations, cards, summaries, turns; newest first.
        COLD cards want none."""

    def pending_count(self, model: str) -> int: ...

    def put(self, model: str, vectors: Mapping[str, Sequence[Vector]]) -> None:
        """Keep the vectors of texts by hash, one for each window of the text. Idempotent.

        Passed over is a text that no card, turn, summary or relation has (any more), or only COLD
        cards. Raises StoreError for vectors of other dimensions than those that the model has.
        """

    def nearest(
        self, model: str, vector: Vector, *, kind: ItemKind, where: Where, limit: int
    ) -> list[Scored]:
        """The items with the highest cosine, exactly; an item's best window counts.

        Relations are those of now, also at `believed_at`: a definition that was revised has no
        vector any more.
        Raises StoreError for a vector of other dimensions than those of the model.
        """

    def similarities(
        self, model: str, vector: Vector, *, kind: ItemKind, ids: Sequence[str], where: Where
    ) -> dict[str, float]:
        """The cosine for each of these items that passes and has a vector."""

    def vectors(
        self, model: str, ids: Sequence[str], *, kind: ItemKind, where: Where
    ) -> dict[str, list[Vector]]:
        """The vectors of each of these items that passes and has any: its windows in order."""

    def sample(self, model: str, limit: int) -> list[tuple[str, Sequence[Vector]]]:
        """Random (text, vectors) pairs of items that have vectors, for calibration."""

    def models(self) -> Mapping[str, int]:
        """How many texts have a vector, for each model."""

    def vector_bytes(self, where: Where) -> Mapping[Tier, tuple[int, int]]:
        """What vectors of the cards that pass take by tier: (looked through, all of it on disk)."""


class Index(GraphReader, TextIndex, VectorIndex, PastReader, Store, Compacted, Protocol):
    """The default store is all of these in one file."""

    def snapshot(self) -> AbstractContextManager[None]:
        """What this thread reads inside is of one moment, whatever others write meanwhile."""

    def recalls_counted(self) -> Position:
        """How far the recall log was counted (only `file` and `offset` are used)."""

    def count_recalls(
        self, after: Position, upto: Position, *, recalls: Iterable[RecallLog]
    ) -> bool:
        """Add to access counts, last accesses and mean similarities, and move the mark.

        Returns False, having done nothing, if the mark is not at `after` (any more).
        """

    def check(self) -> Iterator[Difference]:
        """Each way in which L2 and L1 disagree among themselves."""

    def fingerprint(self) -> Iterator[tuple[str, str, str]]:
        """Every projected row as (layer, name, hash): equal for equal memories.

        One snapshot: between its first row and its last, `position` tells where that stands.
        """

    def set_aside(self) -> None:
        """Put a damaged store out of the way, so that an empty one can begin."""

    def reset_l1(self) -> None:
        """Index all words anew and drop all vectors, in one transaction."""

    def size(self) -> int:
        """Bytes on disk."""

    def close(self) -> None: ...


class Embedder(Protocol):
    """Text to vectors. `name` identifies the model; a vector is only compared within its model."""

    name: str
    dimensions: int
    # Median cosine of unrelated texts by script pair, used until a store has its own estimate.
    baseline: Mapping[str, float]

    def passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        """Unit vectors for texts to be stored, one for each window. Empty text gives no window."""

    def query(self, text: str) -> Vector:
        """The unit vector for a question."""


class LLM(Protocol):
    """A model that writes. Its reply is untrusted; `distill.calls` reads, checks and counts it."""

    name: str  # where it runs and which it is, such as deepseek/deepseek-flash

    def complete(self, call: Call) -> Reply:
        """One reply of at most `call.max_tokens`, as it came. Safe to call from several threads.

        Raises ConfigError when key, URL or model are to blame, which no further try can mend, and
        ProviderError when there was no answer, whatever the tries.
        """


class Distiller(Protocol):
    """Turns to a draft. It stores nothing and decides nothing about what is already known."""

    name: str

    def __call__(
        self, session: Session, turns: Sequence[ArchivedTurn], *, context: Sequence[ArchivedTurn]
    ) -> Draft:
        """A draft of `turns`; `context` are the turns before them, which alone carry no card."""
