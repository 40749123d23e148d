"""An Index in plain Python, to compare others with: obvious, slow, and of the same meaning.

It follows a journal as any store does. Where a store may choose, as the order of equals, the
oracle chooses too; the contract suites say what is fixed.
"""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime

from alaya.errors import StoreError, Unsupported
from alaya.model.change import Change
from alaya.model.graph import Card, CardState, Edge, Entity, Link, Relation, Standing, Summary
from alaya.model.ids import sha256
from alaya.model.naming import name_key
from alaya.model.passage import Item, ItemKind, Mention, Pending, Scored, Where
from alaya.model.raw import SessionState, TurnPlace
from alaya.model.record import Position, RecallLog
from alaya.model.relations import CORE_NAMES, reading
from alaya.model.report import Difference
from alaya.model.scope import Scope
from alaya.model.topical import topical_terms
from alaya.model.words import Stemmer
from alaya.ports import Vector
from alaya.testing import oracle_l1
from alaya.testing.oracle_apply import apply_change
from alaya.testing.oracle_state import CardRow, State
from alaya.testing.oracle_where import (
    asks_of_entities,
    card_passes,
    entity_passes,
    facts_of,
    link_passes,
    node_passes,
    session_passes,
    summary_passes,
    turn_passes,
)


class OracleIndex:
    """In memory, for one thread."""

    def __init__(self, stem: Stemmer | None = None) -> None:
        self._stem = stem
        self._state = State()

    # --- Store ----------------------------------------------------------------------------------

    def position(self) -> Position:
        return self._state.position

    def apply(self, position: Position, changes: Iterable[Change], *, at: datetime) -> bool:
        if self._state.position.seq != position.seq - 1:
            return False
        state = self._state.copy()
        for change in changes:
            apply_change(state, change, at=at)
        state.position = position
        self._state = state
        return True

    def writable(self, within: float) -> bool:
        return True

    def snapshot(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()  # one thread: nobody writes meanwhile

    @contextlib.contextmanager
    def reset(self, *, keep_vectors: bool = False) -> Iterator[None]:
        before, self._state = self._state, State()
        try:
            yield
            self._state.vectors |= before.vectors_of(self._state.texts() if keep_vectors else ())
        except BaseException:
            self._state = before
            raise

    def recalls_counted(self) -> Position:
        return self._state.counted

    def count_recalls(
        self, after: Position, upto: Position, *, recalls: Iterable[RecallLog]
    ) -> bool:
        if self._state.counted != after:
            return False
        for recall in recalls:
            for card, score in recall.results:
                self._state.count((recall.user, card), recall.at, score=score)
        self._state.counted = Position(file=upto.file, offset=upto.offset)
        return True

    def set_aside(self) -> None:
        self._state = State()

    def compact(self) -> None: ...
    def own_words(self) -> Iterator[str]:
        yield from ()

    def reset_l1(self) -> None:
        self._state.vectors = {}

    def check(self) -> Iterator[Difference]:
        return iter(())

    def fingerprint(self) -> Iterator[tuple[str, str, str]]:
        skipped = {"position", "counted", "accesses", "vectors"}
        for item in fields(State):
            if item.name not in skipped:
                rows = getattr(self._state, item.name)
                listed = (
                    rows.items() if isinstance(rows, dict) else enumerate(sorted(rows, key=repr))
                )
                for key, row in listed:
                    yield "L2", f"{item.name} {key}", sha256(repr(row))

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
        for row in self._state.links.values():
            ends = row.link.source, row.link.target
            seen = (node_passes(self._state, end, where=where) for end in ends)
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
        found = [
            row.place
            for row in self._state.turns
            if row.session.id == session
            and scope.sees(Scope(row.session.scope.user, row.session.scope.agent, session))
            and (ids is None or row.archived.turn.id in ids)
        ]
        return sorted(found, key=lambda place: place.ordinal)

    def cards_of_turns(
        self, where: Where, turns: Sequence[tuple[str, str]]
    ) -> dict[tuple[str, str], list[str]]:
        found: dict[tuple[str, str], list[str]] = {}
        for row in self._cards(where):
            for place in dict.fromkeys((s.session, s.turn) for s in row.card.evidence):
                if place in turns:
                    found.setdefault(place, []).append(row.card.id)
        return found

    def relations(self, scope: Scope) -> list[Relation]:
        links = self._state.links.items()
        used = Counter(
            r.link.relation for (user, _), r in links if user == scope.user and not r.retired_at
        )
        known = [replace(r, frequency=used[r.name]) for r in self._state.relations.values()]
        known = [r for r in known if r.name in CORE_NAMES or r.frequency]
        return sorted(known, key=lambda r: (not r.is_core, -r.frequency, r.name))

    def entities(
        self, where: Where, names: Sequence[str] = (), *, ids: Sequence[str] | None = None
    ) -> list[Entity]:
        asks_of_entities(where)
        wanted = {name_key(name) for name in names}
        named = {(user, entity) for user, name, entity in self._state.names if name in wanted}
        return [
            row.entity
            for key, row in self._state.entities.items()
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
            for row in self._state.summaries.values()
            if summary_passes(row, where)
            and session in (None, row.summary.session)
            and (ids is None or row.summary.id in ids)
        ]
        return sorted(found, key=lambda s: (s.said_at, s.id))

    def distilled(self, scope: Scope, content_hash: str) -> str | None:
        return self._state.distilled.get((scope.user, content_hash))

    def counts(self, scope: Scope) -> Mapping[str, int]:
        where, state = Where(scope), self._state
        cards = self._cards(where)
        links = [r.link for r in state.links.values() if link_passes(r, where)]
        found = Counter({"cards": len(cards), "links": len(links)})
        found.update(f"cards.{row.card.kind}" for row in cards)
        found.update(f"tiers.{row.tier}" for row in cards)
        found.update(f"links.{link.relation}" for link in links)
        return {
            **found,
            "turns": sum(turn_passes(row, where) for row in state.turns),
            "sessions": sum(session_passes(s, scope) for s in state.sessions.values()),
            "entities": sum(entity_passes(row, where) for row in state.entities.values()),
            "summaries": sum(summary_passes(row, where) for row in state.summaries.values()),
            "notes": sum(user == scope.user for user, _ in state.notes),
        }

    def calibration(self, model: str) -> Mapping[str, float]:
        found = self._state.calibrations.items()
        return {pair: median for (name, pair), median in found if name == model}

    # --- TextIndex ------------------------------------------------------------------------------

    def match(self, text: str, kind: ItemKind, *, where: Where, limit: int) -> list[Scored]:
        asked = topical_terms(text, self._stem)
        _, rarity = self.frequencies([*asked.words, *asked.chars], kind)
        scores = {
            oracle_l1.name_of(row): oracle_l1.score(
                asked, row, stem=self._stem, rarity=Counter(rarity)
            )
            for row in oracle_l1.rows(self._state, kind)
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
            self._state, ids, kind=kind, stem=self._stem, where=where, reach=reach
        )

    def mentioning(
        self, names: Sequence[str], kind: ItemKind, *, where: Where, most: int
    ) -> Mapping[str, Sequence[Mention]]:
        oracle_l1.has_forms(kind)
        held = {
            name: oracle_l1.holding(self._state, name, kind=kind, where=where, stem=self._stem)
            for name in names
        }
        return {
            name: passing for name, (count, passing) in held.items() if passing and count <= most
        }

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
        found = oracle_l1.cosines(self._state, model, vector=vector, kind=kind, where=where)
        ranked = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
        return [Scored(name, cosine) for name, cosine in ranked[: max(limit, 0)]]

    def similarities(
        self, model: str, vector: Vector, *, kind: ItemKind, ids: Sequence[str], where: Where
    ) -> dict[str, float]:
        found = oracle_l1.cosines(self._state, model, vector=vector, kind=kind, where=where)
        return {name: found[name] for name in ids if name in found}

    def vectors(
        self, model: str, ids: Sequence[str], *, kind: ItemKind, where: Where
    ) -> dict[str, list[Vector]]:
        held = self._state.vectors
        found = oracle_l1.embedded(self._state, kind, where=where)
        windows = {name: held.get((model, sha256(text))) for name, text in found if name in ids}
        return {name: [*kept] for name, kept in windows.items() if kept}

    def sample(self, model: str, limit: int) -> list[tuple[str, Sequence[Vector]]]:
        texts = {sha256(row.card.text): row.card.text for row in self._state.cards}
        texts |= {sha256(row.text): row.text for row in self._state.turns if row.text}
        found = [
            (texts[text_hash], windows)
            for (name, text_hash), windows in self._state.vectors.items()
            if name == model and windows and text_hash in texts
        ]
        return random.sample(found, min(limit, len(found)))

    def models(self) -> Mapping[str, int]:
        return Counter(model for (model, _), windows in self._state.vectors.items() if windows)

    # --- inside ---------------------------------------------------------------------------------

    def _cards(self, where: Where) -> list[CardRow]:
        return [row for row in self._state.cards if card_passes(row, where)]

    def _seen(self, row: CardRow) -> tuple[Card, CardState]:
        access = self._state.accesses.get((row.card.scope.user, row.card.id))
        return row.card, CardState(
            recorded_at=row.recorded_at,
            retired_at=row.retired_at,
            forgotten_at=row.forgotten_at,
            pinned=row.pinned,
            stale=row.stale,
            quarantined=row.quarantined,
            access_count=access.count if access else 0,
            last_access=access.last_at if access else None,
            relevance=access.relevance if access else None,
            tier=row.tier,
        )


def _heaviest(link: Link) -> tuple[object, ...]:
    return (-link.weight, link.relation, link.source, link.target, link.valid_at)
