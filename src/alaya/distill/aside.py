"""What distilling sets aside: cards of a stranger's words that speak to an agent."""

from __future__ import annotations

from collections.abc import Sequence

from alaya.distill.reconcile import TurnOf
from alaya.model.change import CardAdded, CardRevised, Change
from alaya.model.suspicion import quarantining


def set_aside(changes: Sequence[Change], *, turn: TurnOf) -> list[Change]:
    """Quarantine for cards that speak to an agent, or that quote a stranger who does."""
    cards = [one.card for one in changes if isinstance(one, CardAdded | CardRevised)]
    said = {}
    for card in cards:
        cited = ((turn(span.turn), span) for span in card.evidence)
        words = (found.turn.content[s.start : s.end] for found, s in cited if found is not None)
        said[card.id] = "\n".join(words)
    return quarantining(cards, said=said)
