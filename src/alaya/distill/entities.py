"""Who is who: the entities of a draft become known ones, or new ones. Pure.

The same thing under several names is one entity with aliases: by the id that the distiller was
told, by a name that is the same when written alike, by another name that the words tell (`Melanie
goes by Mel`, 小名叫豆豆), or by a shorter form of a person's name where something else supports it.
Two people with one name stay two: where the words say so, and where what is told of one cannot be
true of the other.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from alaya.distill.reconcile import TurnOf, spans
from alaya.distill.single import FOR_LIFE, single
from alaya.distill.timeline import SAID, UNTIL
from alaya.errors import InvalidInput
from alaya.model.aliases import aliases
from alaya.model.change import Change, EntityAdded, EntityMerged, EntityRevised
from alaya.model.graph import Entity, EntityKind, Link
from alaya.model.ids import entity_id
from alaya.model.naming import may_be, name_key
from alaya.model.raw import Span
from alaya.model.record import Draft, DraftEntity, DraftFact
from alaya.model.relations import relation_name
from alaya.model.scope import Scope
from alaya.model.speech import speaker

MOST_SPANS = 200  # of one entity; what stands in more places leads nowhere in particular
_OF = re.compile(r"['’]s |的")
_GROUPS = {
    EntityKind.PERSON: "who",
    EntityKind.EVENT: "what happens",
    EntityKind.ACTIVITY: "what happens",
    EntityKind.EMOTION: "what happens",
}


@dataclass(frozen=True)
class Familiar:
    """What is held of the names in a draft: entities, and the links of these, also of what ended.

    `around`: the entities to which these links lead.
    """

    entities: tuple[Entity, ...] = ()
    links: tuple[Link, ...] = ()
    around: tuple[Entity, ...] = ()


@dataclass(frozen=True)
class Unclear:
    """An entity of a draft that may be any of these, of which nothing here tells more."""

    position: int
    candidates: tuple[Entity, ...]


@dataclass
class Resolved:
    """For each position of the draft the id it became; `merged`: ids that are now another's."""

    ids: dict[int, str] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    unclear: list[Unclear] = field(default_factory=list)
    merged: dict[str, str] = field(default_factory=dict)
    unfounded: int = 0


@dataclass(frozen=True)
class _Named:
    """An entity of the draft with its evidence and every name that the words give it."""

    position: int
    draft: DraftEntity
    evidence: tuple[Span, ...]
    others: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return (self.draft.name, *self.others)


class _Pool:
    """The entities that are known so far, those of the draft among them as they are resolved."""

    def __init__(self, draft: Draft, familiar: Familiar) -> None:
        self.entities = {entity.id: entity for entity in familiar.entities}
        self.before = dict(self.entities)
        self.links: defaultdict[str, list[Link]] = defaultdict(list)
        self.near: defaultdict[str, set[str]] = defaultdict(set)
        for link in familiar.links:
            self.links[link.source].append(link)
            self.near[link.source].add(link.target)
            self.near[link.target].add(link.source)
        self.facts: defaultdict[int, list[tuple[DraftFact, set[str]]]] = defaultdict(list)
        self.beside: defaultdict[int, set[int]] = defaultdict(set)
        for fact in draft.facts:
            told = draft.entities[fact.object]
            values = {name_key(name) for name in (told.name, *told.aliases)}
            self.facts[fact.subject].append((fact, values))
            self.beside[fact.subject].add(fact.object)
            self.beside[fact.object].add(fact.subject)
        self.names = {e.id: _keys(e) for e in (*familiar.entities, *familiar.around)}
        self.keys = Counter(key for entity in familiar.entities for key in _keys(entity))

    def cannot_be(self, position: int, entity: Entity) -> bool:
        """Whether something told of it cannot be true of this entity, whose facts are known."""
        for fact, values in self.facts[position]:
            kind = _kind(fact)
            if not kind or fact.corrects:
                continue
            known = [link for link in self.links[entity.id] if single(link.relation) == kind]
            if any(values & set(self.names.get(link.target, ())) for link in known):
                continue
            if any(kind in FOR_LIFE or _at_once(fact, link) for link in known):
                return True
        return False


def resolved(
    draft: Draft,
    *,
    scope: Scope,
    familiar: Familiar,
    turn: TurnOf,
    hints: Mapping[int, str] | None = None,
) -> Resolved:
    """The entities of a draft as known or new ones, and the changes that makes.

    `scope` is the session's. `hints` tell for positions that were unclear which id they are (empty:
    none of the known), see `settling`. What cites no words is left out and counted.
    """
    found = Resolved()
    pool = _Pool(draft, familiar)
    named_all = _named(draft, scope.session or "", turn=turn, found=found)
    # Whom a name means is told by what is around: things first, and at last what may be several.
    for named in sorted(named_all, key=lambda n: _doubt(n, pool)):
        chosen = _chosen(named, pool, found=found, scope=scope, hints=hints or {})
        _take(named, chosen, pool=pool, found=found, scope=scope)
    for name, entity in pool.entities.items():
        if name in found.merged:
            continue
        if name not in pool.before:
            found.changes.append(EntityAdded(entity))
        elif entity != pool.before[name]:
            found.changes.append(EntityRevised(entity, "said again"))
    merges: defaultdict[str, list[str]] = defaultdict(list)
    for old, new in found.merged.items():
        if old in pool.before:
            merges[new].append(old)
    found.changes += [
        EntityMerged(scope, new, tuple(sorted(old)), "told to be the same")
        for new, old in merges.items()
    ]
    found.ids = {i: found.merged.get(name, name) for i, name in found.ids.items()}
    return found


def _doubt(named: _Named, pool: _Pool) -> tuple[bool, bool, int]:
    draft = named.draft
    several = pool.keys[name_key(draft.name)] > 1
    return draft.kind is EntityKind.PERSON, several, named.position


def _kind(fact: DraftFact) -> str:
    try:
        return single(relation_name(fact.relation))
    except InvalidInput:
        return ""


def _at_once(fact: DraftFact, link: Link) -> bool:
    """Whether the words tell of a time at which, as they also told, something else was so."""
    guessed = link.metadata.get(SAID) or link.metadata.get(UNTIL) or link.retired_at is not None
    if fact.valid_at is None or link.invalid_at is None or guessed:
        return False
    return fact.valid_at == link.valid_at or link.valid_at < fact.valid_at < link.invalid_at


def _named(draft: Draft, session: str, *, turn: TurnOf, found: Resolved) -> list[_Named]:
    """Those that cite words, with the names that these tell."""
    named = []
    for position, entity in enumerate(draft.entities):
        evidence = spans(entity, session, turn=turn)
        if not evidence:
            found.unfounded += 1
            continue
        own = {name_key(entity.name)}
        others = dict.fromkeys(entity.aliases)
        for name in dict.fromkeys(span.turn for span in evidence):
            archived = turn(name)
            pairs = aliases(archived.turn.content, speaker(archived.turn)) if archived else ()
            for one, other in pairs:
                if name_key(one) in own:
                    others[other] = None
                elif name_key(other) in own:
                    others[one] = None
        kept = tuple(name for name in others if name.strip() and name_key(name) not in own)
        named.append(_Named(position, entity, evidence, kept))
    return named


def _chosen(
    named: _Named, pool: _Pool, *, found: Resolved, scope: Scope, hints: Mapping[int, str]
) -> Entity | None:
    """The known entity that it is; None: a new one."""
    draft = named.draft
    made = _id(named, scope, found=found)
    if made in pool.entities:
        return pool.entities[made]
    if named.position in hints:
        return pool.entities.get(hints[named.position])
    if draft.known in pool.entities and not draft.other:
        return pool.entities[draft.known]
    if draft.other:
        return None
    possible = [
        e
        for e in pool.entities.values()
        if e.id not in found.merged and _possible(named, e, pool=pool, scope=scope)
    ]
    key = name_key(draft.name)
    own = [e for e in possible if key in _keys(e)]
    others = {name_key(name) for name in named.others}
    alike = [e for e in possible if e not in own and others & _keys(e)]
    if len(own) == 1 and len(alike) == 1:
        kept, gone = sorted((own[0], alike[0]), key=lambda e: e.id not in pool.before)
        found.merged[gone.id] = kept.id
        found.ids = {i: kept.id if name == gone.id else name for i, name in found.ids.items()}
        return kept
    exact = own or alike
    if len(exact) == 1:
        return exact[0]
    loose = exact or [e for e in possible if _maybe(named, e)]
    if not loose:
        return None
    ranked = sorted(loose, key=lambda e: -_support(named, e, pool=pool, found=found, scope=scope))
    support = [_support(named, e, pool=pool, found=found, scope=scope) for e in ranked]
    if support[0] > (support[1] if len(support) > 1 else 0):
        return ranked[0]
    found.unclear.append(Unclear(named.position, tuple(ranked)))
    return ranked[0] if exact else None


def _keys(entity: Entity) -> set[str]:
    return {name_key(name) for name in (entity.name, *entity.aliases)}


def _maybe(named: _Named, entity: Entity) -> bool:
    """Whether a person's name may be a form of another."""
    if named.draft.kind is not EntityKind.PERSON:
        return False
    return any(
        may_be(one, other) or may_be(other, one)
        for one in named.names
        for other in (entity.name, *entity.aliases)
    )


def _possible(named: _Named, entity: Entity, *, pool: _Pool, scope: Scope) -> bool:
    """Whether kind and facts allow that it is this one."""
    kind = named.draft.kind
    if _GROUPS.get(kind, "thing") != _GROUPS.get(entity.kind, "thing"):
        return False
    if kind is not EntityKind.PERSON or any(s.session == scope.session for s in entity.evidence):
        return True  # within a talk a name means one, unless the words say otherwise
    return not pool.cannot_be(named.position, entity)


def _support(named: _Named, entity: Entity, *, pool: _Pool, found: Resolved, scope: Scope) -> int:
    """What speaks for it besides the name: the same talk, and what both have to do with."""
    beside = {found.ids[i] for i in pool.beside[named.position] if i in found.ids}
    same = any(span.session == scope.session for span in entity.evidence)
    return int(same) + 2 * len(beside & pool.near[entity.id])


def _take(
    named: _Named, entity: Entity | None, *, pool: _Pool, found: Resolved, scope: Scope
) -> None:
    draft = named.draft
    if entity is None:
        made = _id(named, scope, found=found)
        entity = Entity(made, scope, draft.name, draft.kind, summary=draft.summary)
    known = _keys(entity)
    name = entity.name
    if draft.kind is EntityKind.PERSON and may_be(name, draft.name) and "user" not in known:
        name = draft.name  # the fuller one
    elif _is_described(entity, draft):
        name = draft.name
    others = [n for n in (entity.name, *entity.aliases, *named.names) if n != name]
    kept: dict[str, str] = {}
    for other in others:
        if name_key(other) != name_key(name):
            kept.setdefault(name_key(other), other)
    evidence = dict.fromkeys((*entity.evidence, *named.evidence))
    for old, new in found.merged.items():
        if new == entity.id:
            gone = pool.entities[old]
            kept |= {name_key(n): n for n in (gone.name, *gone.aliases) if n != name}
            evidence |= dict.fromkeys(gone.evidence)
    pool.entities[entity.id] = replace(
        entity,
        name=name,
        aliases=tuple(kept.values()),
        summary=entity.summary or draft.summary,
        evidence=tuple(evidence)[:MOST_SPANS],
    )
    found.ids[named.position] = entity.id
    for place in pool.beside[named.position]:
        if place in found.ids:
            pool.near[entity.id].add(found.ids[place])
            pool.near[found.ids[place]].add(entity.id)


def _is_described(entity: Entity, draft: DraftEntity) -> bool:
    """Whether it was called by whose kin it is, `Anna's mother`, and has a name now."""
    own = name_key(entity.name)
    return _OF.search(entity.name) is not None and own in {name_key(one) for one in draft.aliases}


def _id(named: _Named, scope: Scope, *, found: Resolved) -> str:
    """Made of its name and where it was first named, which two in one sentence may share."""
    first = named.evidence[0]
    place = f"{first.session}#{first.turn}:{first.start}"
    made = entity_id(scope.user, named.draft.name, evidence=place)
    if named.draft.other and made in found.ids.values():
        return entity_id(scope.user, named.draft.name, evidence=f"{place} other")
    return made
