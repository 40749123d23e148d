"""Entities, relations, notes and calibration to rows."""

from __future__ import annotations

from alaya.model import change as ch
from alaya.model.graph import Entity
from alaya.model.naming import name_key
from alaya.model.time import format_time
from alaya.stores.sqlite.apply_links import move_links, put_relation
from alaya.stores.sqlite.applying import Applying, as_json


def entity_added(to: Applying, change: ch.EntityAdded | ch.EntityRevised) -> None:
    entity: Entity = change.entity
    user = entity.scope.user
    to.db.execute(
        """INSERT INTO entities(id,user,agent,session,name,kind,recorded_at,json)
           VALUES(?,?,?,?,?,?,?,?) ON CONFLICT(user,id) DO UPDATE SET name=excluded.name,
             kind=excluded.kind, json=excluded.json""",
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
    to.db.executemany(
        "INSERT OR IGNORE INTO entity_names(user,name,entity) VALUES(?,?,?)",
        ((user, name_key(name), entity.id) for name in (entity.name, *entity.aliases)),
    )
    to.db.execute("DELETE FROM entity_spans WHERE user=? AND entity=?", (user, entity.id))
    to.db.executemany(
        "INSERT OR IGNORE INTO entity_spans VALUES(?,?,?,?)",
        ((user, span.session, span.turn, entity.id) for span in entity.evidence),
    )


def entity_merged(to: Applying, change: ch.EntityMerged) -> None:
    user = change.scope.user
    for old in change.merged:
        if old == change.entity:
            continue
        to.db.execute(
            "UPDATE entities SET merged_into=? WHERE user=? AND id=?",
            (change.entity, user, old),
        )
        to.db.execute(
            "UPDATE OR REPLACE entity_names SET entity=? WHERE user=? AND entity=?",
            (change.entity, user, old),
        )
        move_links(to, user, old=old, new=change.entity)


def relation_added(to: Applying, change: ch.RelationAdded | ch.RelationRevised) -> None:
    put_relation(to, change.relation, keep=isinstance(change, ch.RelationAdded))


def note_changed(to: Applying, change: ch.NoteChanged) -> None:
    note = change.note
    to.db.execute(
        "INSERT OR REPLACE INTO notes(user,path,recorded_at,json) VALUES(?,?,?,?)",
        (note.scope.user, note.path, to.at, as_json(note)),
    )


def note_removed(to: Applying, change: ch.NoteRemoved) -> None:
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
