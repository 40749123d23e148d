"""Summaries as answers, beside the turns that they sum up (`include_sessions`).

There is no index of their words: the summaries of the sessions in which the best turns stand are
read, and judged by the share of the question's words that they hold, as turns without vectors are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from alaya.model.forms import Forms, forms
from alaya.model.graph import Summary
from alaya.model.passage import ArmScore, Hit, Item, ItemKind, Where
from alaya.model.words import Stemmer
from alaya.ports import GraphReader
from alaya.recall import entries, features
from alaya.recall.arms import Candidate
from alaya.recall.diversity import Told
from alaya.recall.entries import Entry
from alaya.recall.features import Scene
from alaya.recall.plan import Plan
from alaya.recall.ranking import Asked
from alaya.recall.walk import Kinship
from alaya.recall.weights import WORDS, evidence

_SESSIONS = 10  # whose summaries are read
_SUMMARIES = 200  # that are judged, the latest of each session


def found(
    index: GraphReader,
    phrases: Sequence[Asked],
    *,
    sessions: Sequence[str],
    stem: Stemmer,
    kin: Kinship,
    todo: Plan,
) -> list[Entry]:
    """The summaries of these sessions, the best first, that are above the floor."""
    read = _read(index, sessions, where=todo.query.where)
    if not read or WORDS not in todo.arms:
        return []
    told = {summary.id: _forms(summary, stem) for summary in read}
    items = [Item(s.id, ItemKind.SUMMARY, s.said_at, told[s.id]) for s in read]
    votes = [_judged(items, phrase) for phrase in phrases]
    made = []
    for n, summary in enumerate(read):
        given = [vote[n] for vote in votes]
        # As for everything else: the phrase that fits best counts most, the mean of all the rest.
        similarity = 0.7 * max(given) + 0.3 * sum(given) / len(given)
        if similarity >= todo.floor and similarity > 0:
            arm = ArmScore(WORDS, round(max(given), 4), round(max(given), 4), 0)
            made.append((Candidate(summary.id, similarity, said=(arm,)), summary))
    made.sort(key=lambda pair: (-pair[0].similarity, pair[0].id))
    return [
        _entry(_ranked(c, n), s, told=told[s.id], kin=kin, todo=todo)
        for n, (c, s) in enumerate(made[: todo.top_k], 1)
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


def _ranked(candidate: Candidate, rank: int) -> Candidate:
    return replace(candidate, said=(replace(candidate.said[0], rank=rank),))


def _read(index: GraphReader, sessions: Sequence[str], *, where: Where) -> list[Summary]:
    read: list[Summary] = []
    for session in list(dict.fromkeys(sessions))[:_SESSIONS]:
        read += index.summaries(where, session)[-(_SUMMARIES // _SESSIONS) :]
    return read


def _forms(summary: Summary, stem: Stemmer) -> Forms:
    return forms(summary.content, stem, heading=summary.topic)


def _judged(items: Sequence[Item], phrase: Asked) -> list[float]:
    """How sure each summary is to answer, by its words alone."""
    scene = Scene(items, np.full(len(items), np.nan))
    counts = scene.counts(list(phrase.worth))
    known = features.covered(counts > 0, np.array(list(phrase.worth.values()), dtype=float))
    asked = replace(phrase, vector=None)
    return [evidence({"known": known[n : n + 1]}, question=asked) for n in range(len(items))]


def _entry(
    candidate: Candidate, summary: Summary, *, told: Forms, kin: Kinship, todo: Plan
) -> Entry:
    facts = entries.spoken(candidate, summary.said_at, kin=kin, todo=todo)
    text = f"{summary.topic}\n{summary.content}"
    return Entry(candidate, ItemKind.SUMMARY, facts, Told(told, lambda: text), summary=summary)
