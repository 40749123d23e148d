"""The default store: every port of L2 and L1 on one SQLite file.

This class holds the resource; what each method does stands in the module it names.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from alaya.model.change import Change
from alaya.model.graph import Card, CardState, Edge, Entity, Link, Relation, Standing, Summary, Tier
from alaya.model.held import Held, Thing
from alaya.model.life import Life
from alaya.model.passage import Item, ItemKind, Mention, Pending, Scored, Where
from alaya.model.raw import Event, SessionState, TurnPlace
from alaya.model.record import Position, RecallLog
from alaya.model.relations import CORE
from alaya.model.report import Difference
from alaya.model.scope import Scope
from alaya.model.time import format_time
from alaya.model.words import Stemmer
from alaya.ports import ReadTurn, Vector
from alaya.stores.sqlite import (
    backlog,
    check,
    follow,
    forms,
    graph,
    knowledge,
    links,
    lives,
    past,
    reindex,
)
from alaya.stores.sqlite import events as journaled
from alaya.stores.sqlite.connection import Database
from alaya.stores.sqlite.passed import Passed
from alaya.stores.sqlite.remembered import Remembered
from alaya.stores.sqlite.vectors import Vectors
from alaya.stores.sqlite.words import Words


class SqliteIndex:
    """L2 and L1 of one home. `stem` is the English stemmer; `read_turn` reads L3."""

    def __init__(self, path: Path, *, stem: Stemmer, read_turn: ReadTurn) -> None:
        self._db = Database(path)
        self._passed = Passed(self._db)
        self._vectors = Vectors(self._db, self._passed)
        self._words = Words(self._db, stem, passed=self._passed)
        self._read = forms.Read(self._db, self._passed)
        self._remembered = Remembered(self._db)
        self._stem = stem
        self._read_turn = read_turn

    def close(self) -> None:
        self._db.close()

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        with self._db.reading():
            yield
        self._vectors.grow_missing()

    def size(self) -> int:
        files = self._db.path.parent.glob(f"{self._db.path.name}*")
        return sum(path.stat().st_size for path in files)

    # --- Store ----------------------------------------------------------------------------------

    def position(self) -> Position:
        return follow.position(self._db)

    def apply(self, position: Position, changes: Iterable[Change], *, at: datetime) -> bool:
        return follow.apply(self._db, self._stem, to=position, changes=changes, at=format_time(at))

    def writable(self, within: float) -> bool:
        return self._db.writable(within)

    @contextlib.contextmanager
    def reset(self, *, keep_vectors: bool = False) -> Iterator[None]:
        with follow.emptied(self._db, keep_vectors=keep_vectors):
            yield
        self._vectors.drop_sidecars()

    def compact(self) -> None:
        self._vectors.drop_sidecars()
        self._db.compact()

    def recalls_counted(self) -> Position:
        return follow.recalls_counted(self._db)

    def count_recalls(
        self, after: Position, upto: Position, *, recalls: Iterable[RecallLog]
    ) -> bool:
        return follow.count_recalls(self._db, after, upto=upto, recalls=recalls)

    def set_aside(self) -> None:
        self._db.set_aside()
        self._vectors.drop_sidecars()

    def reset_l1(self) -> None:
        reindex.reset_l1(self._db, self._stem, read_turn=self._read_turn)
        self._vectors.drop_sidecars()

    def own_words(self) -> Iterator[str]:
        for sql in ("SELECT name FROM sqlite_master", "SELECT sql FROM sqlite_master"):
            yield from (str(row[0]) for row in self._db.rows(sql))
        yield from (f"{key} {value}" for key, value in self._db.rows("SELECT * FROM meta"))
        yield from self.models()
        yield from (f"{name.name} {name.text}" for name in CORE)
        yield from (str(row[0]) for row in self._db.rows("SELECT name FROM relations"))

    def fingerprint(self) -> Iterator[tuple[str, str, str]]:
        return check.fingerprint(self._db)

    def check(self) -> Iterator[Difference]:
        yield from check.differences(self._db)
        wrong = self._vectors.check()
        if wrong:
            what = f"{wrong} vectors differ between database and sidecar"
            yield Difference("L1", what, str(self._db.path), "`alaya verify --repair`")

    # --- GraphReader ----------------------------------------------------------------------------

    def cards(self, ids: Sequence[str], where: Where) -> list[tuple[Card, CardState]]:
        return graph.cards(self._db, ids, where=where)

    def standing(self, ids: Sequence[str], where: Where) -> Mapping[str, Standing]:
        return graph.standing(self._db, ids, where=where)

    def find_cards(
        self, where: Where, limit: int | None = None
    ) -> Iterator[tuple[Card, CardState]]:
        return graph.find_cards(self._db, where, limit=limit)

    def lives(self, where: Where) -> list[Life]:
        return lives.lives(self._db, where)

    def links(
        self,
        nodes: Sequence[str],
        where: Where,
        *,
        relations: Sequence[str] = (),
        limit_per_node: int = 50,
    ) -> list[Link]:
        return links.links(
            self._db,
            nodes,
            where=where,
            relations=relations,
            limit=limit_per_node,
            passed=self._passed,
        )

    def edges(
        self,
        nodes: Sequence[str],
        where: Where,
        *,
        relations: Sequence[str] = (),
        limit_per_node: int = 50,
    ) -> list[Edge]:
        return links.edges(
            self._db,
            nodes,
            where=where,
            relations=relations,
            limit=limit_per_node,
            passed=self._passed,
        )

    def ways(self, nodes: Sequence[str], where: Where) -> Mapping[str, int]:
        return links.ways(self._db, nodes, where=where, passed=self._passed)

    def all_links(self, where: Where) -> Iterator[Link]:
        return links.all_links(self._db, where, passed=self._passed)

    def sessions(self, scope: Scope) -> Iterator[SessionState]:
        return graph.sessions(self._db, scope)

    def session(self, scope: Scope, id: str) -> SessionState | None:
        return graph.session(self._db, scope, name=id)

    def turns(
        self, scope: Scope, session: str, *, ids: Sequence[str] | None = None
    ) -> list[TurnPlace]:
        return graph.turns(self._db, scope, name=session, ids=ids)

    def cards_of_turns(
        self, where: Where, turns: Sequence[tuple[str, str]]
    ) -> dict[tuple[str, str], list[str]]:
        return graph.cards_of_turns(self._db, where, wanted=turns)

    def cards_of_events(self, where: Where, events: Sequence[str]) -> dict[str, list[str]]:
        return journaled.cards_of_events(self._db, where, wanted=events)

    def events(
        self, scope: Scope, *, ids: Sequence[str] = (), about: Sequence[str] = ()
    ) -> list[Event]:
        return journaled.events(self._db, scope, ids=ids, about=about)

    def relations(self, scope: Scope) -> list[Relation]:
        return self._remembered.get(
            ("relations", scope.user), "relation", read=lambda: graph.relations(self._db, scope)
        )

    def facts(self, where: Where, *, limit: int, offset: int = 0) -> list[Link]:
        return knowledge.facts(self._db, where, limit=limit, offset=offset)

    def entities(
        self, where: Where, names: Sequence[str] = (), *, ids: Sequence[str] | None = None
    ) -> list[Entity]:
        return knowledge.entities(self._db, where, names=names, ids=ids)

    def entities_of_turns(
        self, where: Where, turns: Sequence[tuple[str, str]]
    ) -> dict[tuple[str, str], list[str]]:
        return knowledge.entities_of_turns(self._db, where, wanted=turns)

    def summaries(
        self, where: Where, session: str | None = None, *, ids: Sequence[str] | None = None
    ) -> list[Summary]:
        return knowledge.summaries(self._db, where, name=session, ids=ids)

    def distilled(self, scope: Scope, content_hash: str) -> str | None:
        sql = (
            "SELECT session FROM distilled WHERE user=? AND content_hash=? AND retired_at IS NULL"
            " ORDER BY rowid LIMIT 1"
        )
        row = self._db.row(sql, [scope.user, content_hash])
        return None if row is None else str(row[0])

    def counts(self, scope: Scope) -> Mapping[str, int]:
        return graph.counts(self._db, scope)

    def calibration(self, model: str) -> Mapping[str, float]:
        return dict(self._db.rows("SELECT pair, median FROM calibrations WHERE model=?", [model]))

    # --- PastReader -----------------------------------------------------------------------------

    def versions(
        self, ids: Sequence[str], scope: Scope
    ) -> Mapping[str, Sequence[tuple[Card, CardState]]]:
        return graph.versions(self._db, scope, ids=ids)

    def held(self, things: Iterable[Thing], scope: Scope, *, at: datetime | None = None) -> Held:
        return past.held(self._db, things, user=scope.user, at=at)

    def given_up(
        self, ids: Iterable[str], scope: Scope, *, since: datetime
    ) -> Mapping[str, datetime]:
        return past.given_up(self._db, ids, user=scope.user, since=since)

    def touching(self, things: Iterable[Thing], scope: Scope) -> list[int]:
        return past.touching(self._db, things, user=scope.user)

    def touched(self, after: int, scope: Scope) -> list[Thing]:
        return past.touched(self._db, after, user=scope.user)

    def moment(self, seq: int) -> tuple[Position, datetime] | None:
        return past.moment(self._db, seq)

    def seq_at(self, at: datetime) -> int:
        return past.seq_at(self._db, at)

    # --- TextIndex ------------------------------------------------------------------------------

    def match(self, text: str, kind: ItemKind, *, where: Where, limit: int) -> list[Scored]:
        return self._words.match(text, kind, where=where, limit=limit)

    def frequencies(self, terms: Sequence[str], kind: ItemKind) -> tuple[int, Mapping[str, int]]:
        return self._words.frequencies.get(terms, kind)

    def items(
        self, ids: Sequence[str], kind: ItemKind, *, where: Where, reach: int = 0
    ) -> list[Item]:
        return self._read.items(ids, kind=kind, where=where, reach=reach)

    def mentioning(
        self, names: Sequence[str], kind: ItemKind, *, where: Where, most: int
    ) -> Mapping[str, Sequence[Mention]]:
        return self._read.mentioning(names, kind=kind, where=where, most=most)

    # --- VectorIndex ----------------------------------------------------------------------------

    def pending(self, model: str, limit: int) -> list[Pending]:
        return backlog.pending(self._db, self._read_turn, model=model, limit=limit)

    def pending_count(self, model: str) -> int:
        return backlog.count(self._db, model)

    def put(self, model: str, vectors: Mapping[str, Sequence[Vector]]) -> None:
        self._vectors.put(model, vectors)

    def nearest(
        self, model: str, vector: Vector, *, kind: ItemKind, where: Where, limit: int
    ) -> list[Scored]:
        return self._vectors.nearest(model, vector, kind=kind, where=where, limit=limit)

    def similarities(
        self, model: str, vector: Vector, *, kind: ItemKind, ids: Sequence[str], where: Where
    ) -> dict[str, float]:
        return self._vectors.similarities(model, vector, kind=kind, ids=ids, where=where)

    def vectors(
        self, model: str, ids: Sequence[str], *, kind: ItemKind, where: Where
    ) -> dict[str, list[Vector]]:
        return self._vectors.vectors(model, ids, kind=kind, where=where)

    def sample(self, model: str, limit: int) -> list[tuple[str, Sequence[Vector]]]:
        return backlog.sample(self._db, self._read_turn, model=model, limit=limit)

    def models(self) -> Mapping[str, int]:
        return self._remembered.get(("models",), "vector", read=self._vectors.models)

    def vector_bytes(self, where: Where) -> Mapping[Tier, tuple[int, int]]:
        return lives.vector_bytes(self._db, where, models=self.models())
