"""A card without its words: what decides where it is kept, and whether at all."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from alaya.model.graph import CardState, Horizon
from alaya.model.raw import Origin


class Life(NamedTuple):  # every introspection looks at every card
    """`told` is in how many sessions the card's evidence stands."""

    id: str
    said_at: datetime
    importance: float
    confidence: float
    origin: Origin
    horizon: Horizon
    told: int
    state: CardState
