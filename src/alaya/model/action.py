"""The action design's two verbs: what `add` has taken and learnt, and what `retrieve` brings back.

Its words here: an episode is a turn, an edge is a fact (a link between entities, as a sentence).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from alaya.model.graph import Card, Entity, Link, Summary
from alaya.model.raw import Turn
from alaya.model.report import DistillReport


@dataclass(frozen=True)
class Added:
    """What was added to a session. `episodes` are its new turns, as they stand in the archive.

    `known` messages stood there before; `skipped` counts by reason, `redacted` secrets by type.
    Without distilling `distilled` is None and nothing was learnt: no cards, entities, facts or
    summaries.
    """

    session: str
    created: bool
    episodes: tuple[Turn, ...] = ()
    known: int = 0
    cards: tuple[Card, ...] = ()
    entities: tuple[Entity, ...] = ()
    facts: tuple[Link, ...] = ()
    summaries: tuple[Summary, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    redacted: Mapping[str, int] = field(default_factory=dict)
    distilled: DistillReport | None = None
    embedding: str = ""  # as in IngestReport
