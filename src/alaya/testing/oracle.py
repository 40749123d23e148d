"""An Index in plain Python, to compare others with: obvious, slow, and of the same meaning.

It follows a journal as any store does. Where a store may choose, as the order of equals, the
oracle chooses too; the contract suites say what is fixed.
"""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from alaya.errors import StoreError, Unsupported
from alaya.model.change import Change
from alaya.model.graph import Card, CardState, Edge, Entity, Link, Relation, Standing, Summary, Tier
from alaya.model.held import Held, Thing
from alaya.model.ids import sha256
from alaya.model.life import Life
from alaya.model.naming import name_key
from alaya.model.passage import Item, ItemKind, Mention, Pending, Scored, Where
from alaya.model.raw import Event, SessionState, TurnPlace
from alaya.model.record import Position, RecallLog
from alaya.model.relations import reading
from alaya.model.report import Difference
from alaya.model.scope import Scope
from alaya.model.topical import topical_terms
from alaya.model.words import Stemmer
from alaya.ports import Names, Vector
from alaya.testing import oracle_events, oracle_l1
from alaya.testing.oracle_apply import count
from alaya.testing.oracle_past import History, given_up, held_of
from alaya.testing.oracle_state import CardRow, State, life, relations_of, rows_of
from alaya.testing.oracle_where import (
    asks_of_entities,
    card_passes,
    counts_of,
    entity_passes,
    facts_of,
    link_passes,
    node_passes,
    session_passes,
    summary_passes,
)


class OracleIndex:
    """In memory, for one thread."""

    def __init__(self, stem: Stemmer | None = None) -> None:
        self._stem = stem
        self._history = History()

    @property
    def _state(self) -> State:
        return self._history.now

    # --- Store ----------------------------------------------------------------------------------

    def position(self) -> Position:
        return self._state.position

    def apply(self, position: Position, changes: Iterable[Change], *, at: datetime) -> bool:
        return self._history.apply(position, changes, at=at)

    def writable(self, within: float) -> bool:
        return True

    def snapshot(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()  # one thread: nobody writes meanwhile

    @contextlib.contextmanager
    def reset(self, *, keep_vectors: bool = False) -> Iterator[None]:
        before, self._history = self._history, History()
        try:
            yield
            self._state.vectors |= before.now.vectors_of(
                self._state.texts() if keep_vectors else ()
            )
        except BaseException:
            self._history = before
            raise

    def recalls_counted(self) -> Position:
        return self._state.counted

    def count_recalls(
        self, after: Position, upto: Position, *, recalls: Iterable[RecallLog]
    ) -> bool:
        if self._state.counted != after:
            return False
        for recall in recalls:
            count(self._state, recall)
        self._state.counted = Position(file=upto.file, offset=upto.offset)
        return True

    def set_aside(self) -> None:
        self._history = History()

    def compact(self) -> None: ...
    def own_words(self) -> Iterator[str]:
        yield from ()

    def reset_l1(self) -> None:
        self._state.vectors = {}

    def check(self) -> Iterator[Difference]:
        return iter(())

    def fingerprint(self) -> Iterator[tuple[str, str, str]]:
        return rows_of(self._state)

    def size(self) -> int:
        return 0

    def close(self) -> None:
        """There is nothing to let go of."""

    # --- GraphReader ----------------------------------------------------------------------------

    def cards(self, ids: Sequence[str], where: Where) -> list[tuple[Card, CardState]]:
        found = {row.card.id: self._seen(row) for row in self._cards(where)}
        return [found[i] for i in dict.fromkeys(ids) if i in found]

    def standing(self, ids: Sequence[str], where: Where) -> Mapping[str, Standing]:
        found = self.cards(ids, where)
        return {c.id: Standing(c.said_at, c.importance, s.access_count, s.stale) for c, s in found}

    def find_cards(
        self, where: Where, limit: int | None = None
    ) -> Iterator[tuple[Card, CardState]]:
        rows = sorted(self._cards(where), key=lambda r: (r.card.said_at, r.order), reverse=True)
        return iter([self._seen(row) for row in rows[:limit]])

    def lives(self, where: Where) -> list[Life]:
        return [life(card, state) for card, state in self.find_cards(where)]

    def links(
        self,
        nodes: Sequence[str],
        where: Where,
        *,
        relations: Sequence[str] = (),
        limit_per_node: int = 50,
    ) -> list[Link]:
        links = [e for e in self.all_links(where) if not relations or e.relation in relations]
        links.sort(key=_heaviest)
        found: dict[str, Link] = {}
        for node in nodes:
            mine = [e for e in links if node in (e.source, e.target)]
            found.update({e.id: e for e in mine[:limit_per_node]})
        return sorted(found.values(), key=_heaviest)

    def edges(
        self,
        nodes: Sequence[str],
        where: Where,
        *,
        relations: Sequence[str] = (),
        limit_per_node: int = 50,
    ) -> list[Edge]:
        found = self.links(nodes, where, relations=relations, limit_per_node=limit_per_node)
        return [Edge(e.source, e.relation, e.target, e.weight) for e in found]

    def ways(self, nodes: Sequence[str], where: Where) -> Mapping[str, int]:
        links = list(self.all_links(where))
        read = {reading(e, n) for n in nodes for e in links if n in (e.source, e.target)}
        return Counter(relation for relation, other in read if other not in nodes)

    def all_links(self, where: Where) -> Iterator[Link]:
        state = self._then(where)
        for row in state.links.values():
            ends = row.link.source, row.link.target
            seen = (node_passes(state, end, where=where) for end in ends)
            if link_passes(row, where) and all(seen):
                yield row.value

    def facts(self, where: Where, *, limit: int, offset: int = 0) -> list[Link]:
        return facts_of(self.all_links(where))[offset : offset + limit]

    def sessions(self, scope: Scope) -> Iterator[SessionState]:
        found = [s for s in self._state.sessions.values() if session_passes(s, scope)]
        return iter(sorted(found, key=lambda s: (s.session.started_at, s.session.id)))

    def session(self, scope: Scope, id: str) -> SessionState | None:
        return next((s for s in self.sessions(scope) if s.session.id == id), None)

    def turns(
        self, scope: Scope, session: str, *, ids: Sequence[str] | None = None
    ) -> list[TurnPlace]:
        return oracle_events.places(self._state, scope, session=session, ids=ids)

    def cards_of_turns(
        self, where: Where, turns: Sequence[tuple[str, str]]
    ) -> dict[tuple[str, str], list[str]]:
        return oracle_events.cards_of_turns(self._cards(where), turns)

    def cards_of_events(self, where: Where, events: Sequence[str]) -> dict[str, list[str]]:
        return oracle_events.cards_of_events(self._cards(where), events)

    def events(self, scope: Scope, *, ids: Names = (), about: Names = ()) -> list[Event]:
        return oracle_events.events(self._state, scope, ids=ids, about=about)

    def relations(self, scope: Scope) -> list[Relation]:
        return relations_of(self._state, scope.user)

    def entities(
        self, where: Where, names: Sequence[str] = (), *, ids: Sequence[str] | None = None
    ) -> list[Entity]:
        asks_of_entities(where)
        wanted, state = {name_key(name) for name in names}, self._then(where)
        named = {(user, entity) for user, name, entity in state.names if name in wanted}
        return [
            row.entity
            for key, row in state.entities.items()
            if entity_passes(row, where)
            and (not names or key in named)
            and (ids is None or row.entity.id in ids)
        ]

    def entities_of_turns(
        self, where: Where, turns: Sequence[tuple[str, str]]
    ) -> dict[tuple[str, str], list[str]]:
        found: dict[tuple[str, str], list[str]] = {}
        for entity in sorted(self.entities(where), key=lambda e: e.id):
            for place in dict.fromkeys((s.session, s.turn) for s in entity.evidence):
                if place in turns:
                    found.setdefault(place, []).append(entity.id)
        return found

    def summaries(
        self, where: Where, session: str | None = None, *, ids: Sequence[str] | None = None
    ) -> list[Summary]:
        found = [
            row.summary
            for row in self._then(where).summaries
            if summary_passes(row, where)
            and session in (None, row.summary.session)
            and (ids is None or row.summary.id in ids)
        ]
        return sorted(found, key=lambda s: (s.said_at, s.id))

    def distilled(self, scope: Scope, content_hash: str) -> str | None:
        found = (d for d in self._state.distilled.values() if d.content_hash == content_hash)
        return next((d.session for d in found if d.scope.user == scope.user), None)

    def counts(self, scope: Scope) -> Mapping[str, int]:
        return counts_of(self._state, scope)

    def calibration(self, model: str) -> Mapping[str, float]:
        found = self._state.calibrations.items()
        return {pair: median for (name, pair), median in found if name == model}

    # --- PastReader -----------------------------------------------------------------------------

    def versions(
        self, ids: Sequence[str], scope: Scope
    ) -> Mapping[str, Sequence[tuple[Card, CardState]]]:
        found: dict[str, list[tuple[Card, CardState]]] = {}
        for row in sorted(self._state.cards, key=lambda row: row.card.version):
            if row.card.id in ids and scope.sees(row.card.scope):
                found.setdefault(row.card.id, []).append(self._seen(row))
        return found

    def held(self, things: Iterable[Thing], scope: Scope, *, at: datetime | None = None) -> Held:
        return held_of(self._history.then(at), things, user=scope.user)

    def given_up(
        self, ids: Iterable[str], scope: Scope, *, since: datetime
    ) -> Mapping[str, datetime]:
        return given_up(self._state, self._history.then(since), ids=set(ids), user=scope.user)

    def touching(self, things: Iterable[Thing], scope: Scope) -> list[int]:
        return self._history.touching(set(things), scope.user)

    def touched(self, after: int, scope: Scope) -> list[Thing]:
        return self._history.touched(after, scope.user)

    def moment(self, seq: int) -> tuple[Position, datetime] | None:
        return self._history.moments.get(seq)

    def seq_at(self, at: datetime) -> int:
        return max((n for n, (_, when) in self._history.moments.items() if when <= at), default=0)

    # --- TextIndex ------------------------------------------------------------------------------

    def match(self, text: str, kind: ItemKind, *, where: Where, limit: int) -> list[Scored]:
        asked = topical_terms(text, self._stem)
        _, rarity = self.frequencies([*asked.words, *asked.chars], kind)
        scores = {
            oracle_l1.name_of(row): oracle_l1.score(
                asked, row, stem=self._stem, rarity=Counter(rarity)
            )
            for row in oracle_l1.rows(self._then(where), kind)
            if oracle_l1.passes(row, where)
        }
        ranked = sorted((-score, name) for name, score in scores.items() if score > 0)
        return [Scored(name, -score) for score, name in ranked[:limit]]

    def frequencies(self, terms: Sequence[str], kind: ItemKind) -> tuple[int, Mapping[str, int]]:
        if kind not in oracle_l1.HELD:
            raise Unsupported(f"words are indexed for cards, turns and summaries, not for {kind}")
        rows = oracle_l1.rows(self._state, kind)
        found = Counter(t for row in rows for t in set().union(*oracle_l1.terms(row, self._stem)))
        return len(rows), {term: found[term] for term in terms if found[term]}

    def items(
        self, ids: Sequence[str], kind: ItemKind, *, where: Where, reach: int = 0
    ) -> list[Item]:
        oracle_l1.has_forms(kind)
        return oracle_l1.items(
            self._then(where),
            ids,
            kind=kind,
            stem=self._stem,
            where=where,
            reach=reach,
        )

    def mentioning(
        self, names: Sequence[str], kind: ItemKind, *, where: Where, most: int
    ) -> Mapping[str, Sequence[Mention]]:
        oracle_l1.has_forms(kind)
        found = {}
        for name in names:
            held, then = (
                oracle_l1.holding(state, name, kind=kind, where=where, stem=self._stem)
                for state in (self._state, self._then(where))
            )
            passing = [mention for mention, passes in then if passes]
            if passing and len(held) <= most:
                found[name] = passing
        return found

    # --- VectorIndex ----------------------------------------------------------------------------

    def pending(self, model: str, limit: int) -> list[Pending]:
        return oracle_l1.pending(self._state, model)[:limit]

    def pending_count(self, model: str) -> int:
        return len(oracle_l1.pending(self._state, model))

    def put(self, model: str, vectors: Mapping[str, Sequence[Vector]]) -> None:
        texts, known = self._state.texts(), dict(self._state.vectors)
        for text_hash, windows in vectors.items():
            if text_hash in texts and (model, text_hash) not in known:
                known[model, text_hash] = tuple(tuple(window) for window in windows)
        widths = {len(w) for (name, _), ws in known.items() if name == model for w in ws}
        if len(widths) > 1:
            raise StoreError(f"vectors of {model} with different dimensions: {sorted(widths)}")
        self._state.vectors = known

    def nearest(
        self, model: str, vector: Vector, *, kind: ItemKind, where: Where, limit: int
    ) -> list[Scored]:
        state = self._then(where, kind)
        found = oracle_l1.cosines(state, model, vector=vector, kind=kind, where=where)
        ranked = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
        return [Scored(name, cosine) for name, cosine in ranked[: max(limit, 0)]]

    def similarities(
        self, model: str, vector: Vector, *, kind: ItemKind, ids: Sequence[str], where: Where
    ) -> dict[str, float]:
        state = self._then(where, kind)
        found = oracle_l1.cosines(state, model, vector=vector, kind=kind, where=where)
        return {name: found[name] for name in ids if name in found}

    def vectors(
        self, model: str, ids: Sequence[str], *, kind: ItemKind, where: Where
    ) -> dict[str, list[Vector]]:
        held = self._state.vectors
        found = oracle_l1.embedded(self._then(where, kind), kind, where=where)
        windows = {name: held.get((model, sha256(text))) for name, text in found if name in ids}
        return {name: [*kept] for name, kept in windows.items() if kept}

    def sample(self, model: str, limit: int) -> list[tuple[str, Sequence[Vector]]]:
        found = oracle_l1.texts_with_vectors(self._state, model)
        return random.sample(found, min(limit, len(found)))

    def models(self) -> Mapping[str, int]:
        return Counter(model for (model, _), windows in self._state.vectors.items() if windows)

    def vector_bytes(self, where: Where) -> Mapping[Tier, tuple[int, int]]:
        return oracle_l1.vector_bytes(self._state, self._cards(where))

    # --- inside ---------------------------------------------------------------------------------

    def _cards(self, where: Where) -> list[CardRow]:
        return [row for row in self._then(where).cards if card_passes(row, where)]

    def _seen(self, row: CardRow) -> tuple[Card, CardState]:
        return row.card, self._state.seen(row)

    def _then(self, where: Where, kind: ItemKind | None = None) -> State:
        return self._history.then(None if kind is ItemKind.RELATION else where.believed_at)


def _heaviest(link: Link) -> tuple[object, ...]:
    return (-link.weight, link.relation, link.source, link.target, link.valid_at)
