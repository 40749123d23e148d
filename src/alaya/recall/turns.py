"""Turns as answers: what was said, recalled beside cards (`include_sessions`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from alaya.model.ids import sha256
from alaya.model.passage import Hit, ItemKind
from alaya.model.raw import Session, Span, Turn, TurnPlace
from alaya.model.words import Stemmer
from alaya.ports import Archive, Index
from alaya.recall import arms
from alaya.recall.arms import Question
from alaya.recall.plan import Plan

_TITLE = 60


def turn_hits(
    index: Index, archive: Archive, *, question: Question, todo: Plan, stem: Stemmer, alpha: float
) -> list[Hit]:
    """The turns that answer best, with their words read from the archive."""
    turns: dict[str, tuple[Session, TurnPlace, Turn]] = {}

    def text_of(ids: Sequence[str]) -> Mapping[str, str]:
        turns.update(
            _read(index, archive, question=question, ids=[i for i in ids if i not in turns])
        )
        return {i: turns[i][2].content for i in ids if i in turns}

    found = arms.candidates(index, question, top_k=todo.top_k, stem=stem, text_of=text_of)
    return [
        _hit(candidate, turns[candidate.id], alpha=alpha)
        for candidate in found
        if candidate.similarity >= todo.floor
    ]


def _read(
    index: Index, archive: Archive, *, question: Question, ids: Sequence[str]
) -> dict[str, tuple[Session, TurnPlace, Turn]]:
    by_session: dict[str, list[str]] = {}
    for item in ids:
        parts = item.split("#")  # either id may hold a `#`
        for cut in range(1, len(parts)):
            by_session.setdefault("#".join(parts[:cut]), []).append("#".join(parts[cut:]))
    found = {}
    for session, wanted in by_session.items():
        state = index.session(question.where.scope, session)
        if state is None:
            continue
        for place in index.turns(question.where.scope, session, ids=wanted):
            turn = archive.turn(
                state.session, place.generation, offset=place.offset, length=place.length
            )
            found[f"{session}#{place.id}"] = (state.session, place, turn)
    return found


def _hit(candidate: arms.Candidate, found: tuple[Session, TurnPlace, Turn], *, alpha: float) -> Hit:
    session, place, turn = found
    words = turn.content
    concept = 1.0 - candidate.similarity
    first = words.strip().split("\n", 1)[0]
    return Hit(
        id=candidate.id,
        kind=ItemKind.TURN,
        title=f"{turn.name or turn.role.value}: {first[:_TITLE]}",
        content=words,
        score=round(candidate.similarity, 6),
        h_distance=round(alpha * concept, 6),
        said_at=turn.said_at or session.started_at,
        origin=turn.origin,
        evidence=(Span(session.id, place.id, 0, len(words), sha256(words)),),
        arms=candidate.arms,
        concept_distance=round(concept, 6),
    )
