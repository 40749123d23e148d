"""Changes that undo to rows: what is withdrawn, and entities as they were."""

from __future__ import annotations

from alaya.model import change as ch
from alaya.model.held import ThingKind, thing_of
from alaya.stores.sqlite import apply_cards, apply_graph, apply_summaries, former
from alaya.stores.sqlite.apply_sessions import EVENT
from alaya.stores.sqlite.applying import Applying


def withdrawn(to: Applying, change: ch.Withdrawn) -> None:
    user = change.scope.user
    of: dict[ThingKind, list[str]] = {}
    for name in change.ids:
        of.setdefault(thing_of(name).kind, []).append(name)
    apply_cards.withdraw(to, user, cards=of.get(ThingKind.CARD, []))
    apply_summaries.withdraw(to, user, ids=of.get(ThingKind.SUMMARY, []))
    for name in of.get(ThingKind.ENTITY, []):
        former.keep_entity(to, user, name=name)
        to.db.execute(
            "UPDATE entities SET retired_at=coalesce(retired_at,?), merged_into=NULL"
            " WHERE user=? AND id=?",
            (to.at, user, name),
        )
        apply_graph.close_names(to, user, entity=name)
        apply_graph.close_spans(to, user, entity=name)
    for name in of.get(ThingKind.EVENT, []):
        former.keep_value(to, "event", user=user, name=name, found=EVENT)
        to.db.execute("DELETE FROM events WHERE user=? AND id=?", (user, name))
        to.db.execute("DELETE FROM event_about WHERE user=? AND event=?", (user, name))


def entity_held(to: Applying, change: ch.EntityHeld) -> None:
    entity = change.entity
    user = entity.scope.user
    apply_graph.put_entity(to, entity)
    to.db.execute(
        "UPDATE entities SET merged_into=? WHERE user=? AND id=?",
        (change.merged_into, user, entity.id),
    )
    apply_graph.close_names(to, user, entity=entity.id)
    apply_graph.open_names(to, user, entity=entity.id, names=change.names)
