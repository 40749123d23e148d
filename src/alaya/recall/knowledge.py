"""What is known of people and things: entities that a text names or words lead to, facts near them.

Everything is read through the ports of the graph; nothing is searched a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from alaya.model.action import EntityFound, FactFound
from alaya.model.graph import Entity, Link
from alaya.model.passage import Hit, Where
from alaya.model.raw import Span
from alaya.model.scope import Scope
from alaya.model.told import RETRACTED
from alaya.model.words import Stemmer, holder, query_terms
from alaya.ports import GraphReader
from alaya.recall.surroundings import names_in

_FANOUT = 50  # links of one entity, the heaviest
_FRONTIER = 100  # entities that a hop starts from
_HALVED = 0.5  # how near a thing still is, one hop on
_PAGE = 200
MOST = 1_000  # links of one entity that are read where all its facts are wanted

Held = Callable[[str], float]


@dataclass(frozen=True)
class Known:
    """Reads what is known of entities, as a filter has it, with facts that hold `at` a time.

    An entity belongs to the user, whoever spoke of it: a filter by agent or session lets pass what
    has evidence there. `always`: also facts that hold no longer, or not yet.
    """

    index: GraphReader
    where: Where
    at: datetime
    always: bool = False
    _seen: dict[str, bool] = field(default_factory=dict)

    @property
    def _whose(self) -> Where:
        """Entities have neither kind nor time: they are found by user and belief alone."""
        return Where(Scope(self.where.scope.user), believed_at=self.where.believed_at)

    @property
    def _holding(self) -> Where:
        """Always: also what ended, which is believed of its time still."""
        if self.always:
            return replace(self._whose, include_ended=True)
        return replace(self._whose, as_of=self.at)

    def named(self, text: str) -> list[Entity]:
        """Those that a text names, by any name; an id names its own."""
        whole = text.strip()
        if whole.startswith("entity-"):
            return self._visible(self.index.entities(self._whose, ids=[whole]))
        exact = self.index.entities(self._whose, [whole]) if whole else []
        names = names_in(text)
        found = exact or (self.index.entities(self._whose, names) if names else [])
        return self._visible(found)

    def named_so(self, name: str) -> list[Entity]:
        """Those of one name, as names are compared."""
        return self._visible(self.index.entities(self._whose, [name])) if name.strip() else []

    def met(self, hits: Sequence[Hit]) -> list[tuple[Entity, float]]:
        """Those that were taken from words that the hits rest on, with the best hit's score."""
        scores: dict[tuple[str, str], float] = {}
        for hit in hits:
            for span in hit.evidence:
                place = span.session, span.turn
                scores[place] = max(scores.get(place, 0.0), hit.score)
        best: dict[str, float] = {}
        for place, names in self.index.entities_of_turns(self._whose, list(scores)).items():
            for name in names:
                best[name] = max(best.get(name, 0.0), scores[place])
        read = self.index.entities(self._whose, ids=list(best)) if best else []
        return [(entity, best[entity.id]) for entity in self._visible(read)]

    def around(
        self, near: Mapping[str, float], hops: int, *, held: Held, most: int = _FANOUT
    ) -> tuple[list[FactFound], dict[str, tuple[float, int]]]:
        """The facts within so many hops of entities, the best first, and how near each end is.

        `near` tells how near the entities at the beginning are, 0..1. Each hop halves it. A fact's
        score is the nearness of its nearer end, times its weight, times (1 + what it holds of the
        question) / 2. Of each entity the `most` heaviest links are followed.
        """
        reached = {name: (score, 0) for name, score in near.items()}
        frontier, told = list(near), dict[str, tuple[Link, float, int]]()
        for hop in range(1, hops + 1):
            further: dict[str, float] = {}
            for link in self._facts_of(frontier, most=most):
                ends = [
                    end for end in (link.source, link.target) if reached.get(end, (0, hop))[1] < hop
                ]
                score = max((reached[end][0] for end in ends), default=0.0)
                told.setdefault(link.id, (link, score, hop))
                for end in (link.source, link.target):
                    if end not in reached:
                        further[end] = max(further.get(end, 0.0), score * _HALVED)
            reached |= {name: (score, hop) for name, score in further.items()}
            frontier = sorted(further, key=lambda name: (-further[name], name))[:_FRONTIER]
            if not frontier:
                break
        found = [
            self._found(link, score=score * link.weight * (1 + held(link.fact)) / 2, hops=hop)
            for link, score, hop in told.values()
        ]
        return sorted(self._named(found), key=_best), reached

    def facts(self, *, limit: int, offset: int = 0) -> list[FactFound]:
        """All facts, the newest first, by pages."""
        passed: list[Link] = []
        wanted, start = offset + limit, 0
        while len(passed) < wanted:
            page = self.index.facts(self._holding, limit=max(_PAGE, wanted), offset=start)
            passed += [link for link in page if self._passes(link)]
            start += len(page)
            if len(page) < max(_PAGE, wanted):
                break
        return self._named(self._found(link) for link in passed[offset:wanted])

    def entities(self, text: str = "", *, limit: int, offset: int = 0) -> list[EntityFound]:
        """All entities, those that most is said of first; or those that a text names."""
        found = self.told_of(text)[offset : offset + limit]
        return self.counted([(one, 1.0, 0) for one in found])

    def told_of(self, text: str = "") -> list[Entity]:
        """As `entities`, all of them, without their facts being counted."""
        found = (
            self.named(text) if text.strip() else self._visible(self.index.entities(self._whose))
        )
        return sorted(found, key=lambda e: (-len(e.evidence), e.name, e.id))

    def counted(self, found: Sequence[tuple[Entity, float, int]]) -> list[EntityFound]:
        """Entities (with score and hops) and in how many facts each stands."""
        ids = [entity.id for entity, _, _ in found]
        counts = dict.fromkeys(ids, 0)
        for link in self._facts_of(ids, most=MOST):
            for end in {link.source, link.target} & counts.keys():
                counts[end] += 1
        return [EntityFound(e, score, hops, counts[e.id]) for e, score, hops in found]

    def read(self, ids: Iterable[str]) -> list[Entity]:
        """Entities by id, those that the filter lets pass."""
        wanted = list(ids)
        return self._visible(self.index.entities(self._whose, ids=wanted)) if wanted else []

    def _facts_of(self, entities: Sequence[str], *, most: int = _FANOUT) -> list[Link]:
        if not entities:
            return []
        links = self.index.links(entities, self._holding, limit_per_node=most)
        return [
            link for link in links if link.fact and _joins_entities(link) and self._passes(link)
        ]

    def _found(self, link: Link, *, score: float = 1.0, hops: int = 1) -> FactFound:
        holds = link.valid_at <= self.at and (link.invalid_at is None or link.invalid_at > self.at)
        return FactFound(link, score=min(1.0, score), hops=hops, holds=holds)

    def _named(self, facts: Iterable[FactFound]) -> list[FactFound]:
        """With the names of both ends."""
        found = list(facts)
        ends = dict.fromkeys(end for f in found for end in (f.link.source, f.link.target))
        read = self.index.entities(self._whose, ids=list(ends)) if ends else []
        names = {entity.id: entity.name for entity in read}
        return [
            replace(
                fact,
                subject=names.get(fact.link.source, ""),
                object=names.get(fact.link.target, ""),
            )
            for fact in found
        ]

    def _passes(self, link: Link) -> bool:
        origins = self.where.origins
        return (not origins or link.origin in origins) and self._sees(link.evidence, link.scope)

    def _visible(self, entities: Iterable[Entity]) -> list[Entity]:
        return [
            one
            for one in entities
            if RETRACTED not in one.metadata and self._sees(one.evidence, one.scope)
        ]

    def _sees(self, evidence: Sequence[Span], own: Scope) -> bool:
        scope = self.where.scope
        if scope.agent is None and scope.session is None:
            return True
        if not evidence:
            return scope.sees(own)
        return any(self._sees_session(span.session) for span in evidence)

    def _sees_session(self, name: str) -> bool:
        if name not in self._seen:
            self._seen[name] = self.index.session(self.where.scope, name) is not None
        return self._seen[name]


def share_held(question: str, stem: Stemmer) -> Held:
    """What share of a question's terms a text holds, 0..1."""
    terms = query_terms(question, stem)
    wanted = (*terms.words, *terms.chars)
    among = holder(wanted, stem)
    return lambda text: len(among(text)) / max(1, len(set(wanted)))


def _joins_entities(link: Link) -> bool:
    return link.source.startswith("entity-") and link.target.startswith("entity-")


def _best(fact: FactFound) -> tuple[float, float, str]:
    return (-fact.score, -fact.link.valid_at.timestamp(), fact.link.id)
