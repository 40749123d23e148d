"""Links, entities, relations, summaries, notes and calibration to rows."""

from __future__ import annotations

from alaya.model import change as ch
from alaya.model.graph import Entity, Relation
from alaya.model.ids import sha256
from alaya.model.relations import canonical
from alaya.model.time import format_time
from alaya.stores.sqlite.applying import Applying, as_json, move_links


def link_added(to: Applying, change: ch.LinkAdded) -> None:
    """The same edge said again is the same edge; its newest weight and reason count."""
    link = canonical(change.link)
    to.db.execute(
        """INSERT INTO links(user,source,relation,target,valid_at,weight,id,invalid_at,
             recorded_at,json) VALUES(?,?,?,?,?,?,?,?,?,?)
           ON CONFLICT(user,source,relation,target,valid_at) DO UPDATE SET
             weight=excluded.weight, json=excluded.json, invalid_at=excluded.invalid_at,
             recorded_at=min(recorded_at,excluded.recorded_at), retired_at=NULL""",
        (
            link.scope.user,
            link.source,
            link.relation,
            link.target,
            format_time(link.valid_at),
            link.weight,
            link.id,
            format_time(link.invalid_at) if link.invalid_at else None,
            to.at,
            as_json(link),
        ),
    )
    _relation(to, Relation(link.relation), keep=True)


def link_retired(to: Applying, change: ch.LinkRetired | ch.FactRetired) -> None:
    to.db.execute(
        "UPDATE links SET retired_at=coalesce(retired_at,?), invalid_at=coalesce(?,invalid_at)"
        " WHERE user=? AND id=?",
        (
            to.at,
            format_time(change.invalid_at) if change.invalid_at else None,
            change.scope.user,
            change.link,
        ),
    )


def entity_added(to: Applying, change: ch.EntityAdded | ch.EntityRevised) -> None:
    entity: Entity = change.entity
    user = entity.scope.user
    to.db.execute(
        """INSERT INTO entities(id,user,agent,session,name,kind,recorded_at,json)
           VALUES(?,?,?,?,?,?,?,?) ON CONFLICT(id) DO UPDATE SET name=excluded.name,
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
        ((user, folded(name), entity.id) for name in (entity.name, *entity.aliases)),
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
        move_links(to, user, old, change.entity)


def relation_added(to: Applying, change: ch.RelationAdded | ch.RelationRevised) -> None:
    _relation(to, change.relation, keep=isinstance(change, ch.RelationAdded))


def _relation(to: Applying, relation: Relation, *, keep: bool) -> None:
    conflict = (
        "DO NOTHING" if keep else "DO UPDATE SET text_hash=excluded.text_hash, json=excluded.json"
    )
    to.db.execute(
        f"INSERT INTO relations(name,text_hash,json) VALUES(?,?,?) ON CONFLICT(name) {conflict}",
        (relation.name, sha256(relation.text), as_json(relation)),
    )


def summary_added(to: Applying, change: ch.SummaryAdded) -> None:
    summary = change.summary
    to.db.execute(
        """INSERT OR REPLACE INTO summaries(id,user,agent,session,said_at,recorded_at,json)
           VALUES(?,?,?,?,?,?,?)""",
        (
            summary.id,
            summary.scope.user,
            summary.scope.agent,
            summary.session,
            format_time(summary.said_at),
            to.at,
            as_json(summary),
        ),
    )


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


def folded(name: str) -> str:
    """The form in which names are compared."""
    return " ".join(name.casefold().split())
