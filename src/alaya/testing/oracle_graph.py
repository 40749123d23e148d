"""Changes to the oracle's links and entities, said as plainly as possible."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from alaya.model import change as ch
from alaya.model.graph import Link, Relation
from alaya.model.naming import name_key
from alaya.model.relations import canonical
from alaya.testing.oracle_state import EntityRow, LinkRow, State


def link_added(state: State, change: ch.LinkAdded, *, at: datetime) -> None:
    link = canonical(change.link)
    known = state.links.get((link.scope.user, link.id))
    since = min(known.recorded_at, at) if known else at
    state.links[link.scope.user, link.id] = LinkRow(link, since, told_end=link.invalid_at)
    state.relations.setdefault(link.relation, Relation(link.relation))


def link_retired(state: State, change: ch.LinkRetired | ch.FactRetired, *, at: datetime) -> None:
    key = change.scope.user, change.link
    if key in state.links:
        row = state.links[key]
        link = replace(row.link, invalid_at=change.invalid_at or row.link.invalid_at)
        state.links[key] = replace(row, link=link, retired_at=row.retired_at or at)


def move_links(state: State, user: str, *, old: str, new: str, at: datetime) -> None:
    mine = [
        (key, row)
        for key, row in sorted(state.links.items())
        if key[0] == user and old in (row.link.source, row.link.target) and row.retired_at is None
    ]
    ended = [
        row
        for key, row in sorted(state.links.items())
        if key[0] == user
        and old in (row.link.source, row.link.target)
        and row.retired_at is not None
        and row.link.invalid_at != row.told_end
    ]
    for key, row in mine:
        state.links[key] = replace(row, retired_at=at)
    for _, row in mine:
        source = new if row.link.source == old else row.link.source
        target = new if row.link.target == old else row.link.target
        moved: Link = canonical(replace(row.link, source=source, target=target))
        known = state.links.get((user, moved.id))
        if source != target and (known is None or known.retired_at is not None):
            since = min(known.recorded_at, at) if known else at
            state.links[user, moved.id] = LinkRow(moved, since, told_end=moved.invalid_at)
    for row in ended:
        source = new if row.link.source == old else row.link.source
        target = new if row.link.target == old else row.link.target
        moved = canonical(replace(row.link, source=source, target=target))
        if source != target and (user, moved.id) not in state.links:
            state.links[user, moved.id] = replace(row, link=moved)


def entity_added(state: State, change: ch.EntityAdded | ch.EntityRevised, *, at: datetime) -> None:
    entity = change.entity
    key = entity.scope.user, entity.id
    row = state.entities.get(key, EntityRow(entity, at))
    state.entities[key] = replace(row, entity=entity)
    for name in (entity.name, *entity.aliases):
        state.names.add((entity.scope.user, name_key(name), entity.id))


def entity_merged(state: State, change: ch.EntityMerged, *, at: datetime) -> None:
    user = change.scope.user
    for old in change.merged:
        if old == change.entity:
            continue
        if (user, old) in state.entities:
            row = state.entities[user, old]
            state.entities[user, old] = replace(row, merged_into=change.entity)
        state.names = {
            (u, name, change.entity if (u, e) == (user, old) else e) for u, name, e in state.names
        }
        move_links(state, user, old=old, new=change.entity, at=at)


def entity_held(state: State, change: ch.EntityHeld, *, at: datetime) -> None:
    entity = change.entity
    key = entity.scope.user, entity.id
    state.entities[key] = EntityRow(entity, at, change.merged_into)
    state.names = {n for n in state.names if (n[0], n[2]) != key}
    state.names |= {(entity.scope.user, name, entity.id) for name in change.names}
