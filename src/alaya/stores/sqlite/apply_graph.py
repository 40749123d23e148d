"""Entities, relations, notes and calibration to rows."""

from __future__ import annotations

from collections.abc import Iterable

from alaya.model import change as ch
from alaya.model.graph import Entity
from alaya.model.naming import name_key
from alaya.model.time import format_time
from alaya.stores.sqlite import former
from alaya.stores.sqlite.apply_links import move_links, put_relation
from alaya.stores.sqlite.applying import Applying, as_json

_NOTE = "SELECT json FROM notes WHERE user=:user AND path=:name"


def entity_added(to: Applying, change: ch.EntityAdded | ch.EntityRevised) -> None:
    entity: Entity = change.entity
    put_entity(to, entity)
    names = {name_key(name) for name in (entity.name, *entity.aliases)}
    open_names(to, entity.scope.user, entity=entity.id, names=names)


def put_entity(to: Applying, entity: Entity) -> None:
    """The entity and the turns it was taken from; it may have been withdrawn before."""
    user = entity.scope.user
    former.keep_entity(to, user, name=entity.id)
    to.db.execute(
        """INSERT INTO entities(id,user,agent,session,name,kind,recorded_at,json)
           VALUES(?,?,?,?,?,?,?,?) ON CONFLICT(user,id) DO UPDATE SET name=excluded.name,
             kind=excluded.kind, json=excluded.json, retired_at=NULL""",
        (
            entity.id,
            user,
            entity.scope.agent,
            entity.scope.session,
            entity.name,
            entity.kind.value,
            to.at,
            as_json(entity),
        ),
    )
    close_spans(to, user, entity=entity.id)
    to.db.executemany(
        "INSERT INTO entity_spans VALUES(?,?,?,?,?,NULL) ON CONFLICT DO UPDATE SET retired_at=NULL",
        ((user, span.session, span.turn, entity.id, to.at) for span in entity.evidence),
    )


def close_spans(to: Applying, user: str, *, entity: str) -> None:
    to.db.execute(
        "UPDATE entity_spans SET retired_at=? WHERE user=? AND entity=? AND retired_at IS NULL",
        (to.at, user, entity),
    )


def open_names(to: Applying, user: str, *, entity: str, names: Iterable[str]) -> None:
    """Names by which an entity is found from now on, beside those it has."""
    to.db.executemany(
        """INSERT INTO entity_names SELECT ?1,?2,?3,?4,NULL WHERE NOT EXISTS(SELECT 1 FROM
             entity_names WHERE user=?1 AND name=?2 AND entity=?3 AND retired_at IS NULL)
           ON CONFLICT DO UPDATE SET retired_at=NULL""",
        ((user, name, entity, to.at) for name in sorted(names)),
    )


def close_names(to: Applying, user: str, *, entity: str) -> list[str]:
    """No name leads to the entity any more; returns those that did."""
    rows = to.db.execute(
        "UPDATE entity_names SET retired_at=? WHERE user=? AND entity=? AND retired_at IS NULL"
        " RETURNING name",
        (to.at, user, entity),
    ).fetchall()
    return [str(name) for (name,) in rows]


def entity_merged(to: Applying, change: ch.EntityMerged) -> None:
    user = change.scope.user
    for old in change.merged:
        if old == change.entity:
            continue
        former.keep_entity(to, user, name=old)
        to.db.execute(
            "UPDATE entities SET merged_into=? WHERE user=? AND id=?",
            (change.entity, user, old),
        )
        names = close_names(to, user, entity=old)
        open_names(to, user, entity=change.entity, names=names)
        move_links(to, user, old=old, new=change.entity)


def relation_added(to: Applying, change: ch.RelationAdded | ch.RelationRevised) -> None:
    put_relation(to, change.relation, keep=isinstance(change, ch.RelationAdded))


def note_changed(to: Applying, change: ch.NoteChanged) -> None:
    note = change.note
    former.keep_value(to, "note", user=note.scope.user, name=note.path, found=_NOTE)
    to.db.execute(
        "INSERT OR REPLACE INTO notes(user,path,recorded_at,json) VALUES(?,?,?,?)",
        (note.scope.user, note.path, to.at, as_json(note)),
    )


def note_removed(to: Applying, change: ch.NoteRemoved) -> None:
    former.keep_value(to, "note", user=change.scope.user, name=change.path, found=_NOTE)
    to.db.execute("DELETE FROM notes WHERE user=? AND path=?", (change.scope.user, change.path))


def calibrated(to: Applying, change: ch.Calibrated) -> None:
    to.db.executemany(
        "INSERT OR REPLACE INTO calibrations(model,pair,median,pairs,at) VALUES(?,?,?,?,?)",
        (
            (change.model, pair, median, change.pairs, format_time(change.at))
            for pair, median in change.medians
        ),
    )


def nothing(to: Applying, change: ch.Undone) -> None:
    """The reversal is done by the changes beside it."""
