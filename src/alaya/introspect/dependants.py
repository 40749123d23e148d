"""Which cards others rest on: such a card is not let go, however cold it is."""

from __future__ import annotations

from collections.abc import Sequence

from alaya.model.passage import Where
from alaya.model.relations import CAUSES, DEPENDS_ON, DERIVED_FROM, INVERSE
from alaya.model.scope import Scope
from alaya.ports import Index

# As they are stored: CAUSED_BY is CAUSES the other way round. A similar card, the next one in time
# and the session it was taken from do not rest on it.
RESTING = (DEPENDS_ON, CAUSES, DERIVED_FROM)
_EACH = 1_000  # links of one card that are looked at
_TOGETHER = 500


def depended_on(index: Index, cards: Sequence[str], *, scope: Scope) -> set[str]:
    """Those of these cards to which an edge of RESTING leads from one that is not forgotten."""
    found: set[str] = set()
    where = Where(Scope(scope.user), include_quarantined=True)
    for start in range(0, len(cards), _TOGETHER):
        some = set(cards[start : start + _TOGETHER])
        for edge in index.edges(sorted(some), where, relations=RESTING, limit_per_node=_EACH):
            # CAUSED_BY is stored as CAUSES the other way round: what causes is what is rested on.
            rested = edge.source if edge.relation in INVERSE.values() else edge.target
            found |= {rested} & some
    return found
