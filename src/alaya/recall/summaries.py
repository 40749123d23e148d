"""Summaries as answers, beside cards and turns (`include_summaries`)."""

from __future__ import annotations

from collections.abc import Sequence

from alaya.model.graph import Summary
from alaya.model.passage import Hit, Item, ItemKind
from alaya.ports import Vector
from alaya.recall import arms, entries
from alaya.recall.arms import Asking, Candidate
from alaya.recall.diversity import Told
from alaya.recall.entries import Entry
from alaya.recall.plan import Plan
from alaya.recall.walk import Kinship


def found(
    asking: Asking, todo: Plan, *, vectors: Sequence[Vector | None], kin: Kinship
) -> list[Entry]:
    """The summaries that the question finds, the best first, that are above the floor."""
    question = arms.ask(asking, todo.phrases, vectors=vectors, kind=ItemKind.SUMMARY)
    answered = arms.find(question, limit=todo.wanted)
    items = entries.items_of(answered)
    best = entries.best_of(answered, todo, items=items)
    ids = [candidate.id for candidate in best]
    read = asking.index.summaries(asking.where, ids=ids) if ids else []
    told = {summary.id: summary for summary in read}
    return [
        _entry(c, told[c.id], item=items[c.id], kin=kin, todo=todo) for c in best if c.id in told
    ]


def summary_hit(entry: Entry, summary: Summary, *, todo: Plan) -> Hit:
    """A summary with the spans it rests on."""
    return entries.hit(
        entry,
        todo,
        title=summary.topic,
        content=summary.content,
        said_at=summary.said_at,
        origin=summary.origin,
        evidence=summary.evidence,
    )


def _entry(
    candidate: Candidate, summary: Summary, *, item: Item, kin: Kinship, todo: Plan
) -> Entry:
    facts = entries.spoken(candidate, summary.said_at, step=None, kin=kin, todo=todo)
    told = Told(item.forms, lambda: summary.text)
    return entries.entry_of(
        candidate, ItemKind.SUMMARY, todo=todo, facts=facts, told=told, summary=summary
    )
