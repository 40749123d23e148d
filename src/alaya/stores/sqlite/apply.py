"""Changes to rows: one small function for each kind of change.

Each is idempotent: applying twice equals applying once. What happens to the words of a card or
turn happens there too, in the same transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from alaya.model import change as ch
from alaya.stores.sqlite import (
    apply_cards,
    apply_graph,
    apply_links,
    apply_sessions,
    apply_summaries,
    apply_undone,
)
from alaya.stores.sqlite.applying import Applying


def apply(to: Applying, changes: Iterable[ch.Change]) -> None:
    """Apply one record's changes, in order."""
    for change in changes:
        _APPLY[type(change)](to, change)


_APPLY: dict[type[Any], Callable[[Applying, Any], None]] = {
    ch.SessionGrew: apply_sessions.session_grew,
    ch.TurnsMarked: apply_sessions.turns_marked,
    ch.SessionDistilled: apply_sessions.session_distilled,
    ch.SessionUndistilled: apply_sessions.session_undistilled,
    ch.EventAdded: apply_sessions.event_added,
    ch.CardAdded: apply_cards.card_added,
    ch.CardRevised: apply_cards.card_revised,
    ch.CardMerged: apply_cards.card_merged,
    ch.Cooled: apply_cards.cooled,
    ch.Forgotten: apply_cards.forgotten,
    ch.Restored: apply_cards.restored,
    ch.Pinned: apply_cards.pinned,
    ch.Quarantined: apply_cards.quarantined,
    ch.MarkedStale: apply_cards.marked_stale,
    ch.Promoted: apply_cards.promoted,
    ch.Withdrawn: apply_undone.withdrawn,
    ch.LinkAdded: apply_links.link_added,
    ch.LinkRetired: apply_links.link_retired,
    ch.FactRetired: apply_links.link_retired,
    ch.EntityAdded: apply_graph.entity_added,
    ch.EntityRevised: apply_graph.entity_added,
    ch.EntityMerged: apply_graph.entity_merged,
    ch.EntityHeld: apply_undone.entity_held,
    ch.RelationAdded: apply_graph.relation_added,
    ch.RelationRevised: apply_graph.relation_added,
    ch.SummaryAdded: apply_summaries.summary_added,
    ch.NoteChanged: apply_graph.note_changed,
    ch.NoteRemoved: apply_graph.note_removed,
    ch.Calibrated: apply_graph.calibrated,
    ch.Undone: apply_graph.nothing,
    ch.Erased: apply_cards.erased,
}
