"""A recall as the recall log keeps it: what was asked, what came, and how warm it was."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from alaya.model.codec import encode
from alaya.model.event import recall_id
from alaya.model.passage import Answer
from alaya.model.record import RecallLog
from alaya.model.scope import Scope


def logged(answer: Answer, scope: Scope, *, at: datetime) -> RecallLog:
    """The line for an answer that was given to this scope at this time.

    Who only followed links compared nothing: that is no similarity of 0, which would cool cards.
    """
    worded = any(phrase.strip() for phrase in answer.query.phrases)
    tiers = Counter(hit.tier.value for hit in answer.hits if hit.tier)
    query = encode(answer.query)
    return RecallLog(
        at=at,
        user=scope.user,
        query=query,
        results=tuple(
            (hit.id, round(1 - hit.concept_distance, 4) if worded else None) for hit in answer.hits
        ),
        tiers=dict(sorted(tiers.items())),
        latency_ms=answer.latency_ms,
        arms=answer.arms,
        graph_expanded=answer.query.graph_expand,
        abstained=answer.abstained,
        session=scope.session,
        agent=scope.agent,
        id=recall_id(at, scope.user, query, answer.latency_ms),
    )
