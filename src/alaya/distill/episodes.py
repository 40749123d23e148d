"""The turns of a session with what each is about: the label of its run, and a vector of its topic.

Labels are those of the summaries that cover the turns; the run that is still open is labelled by
rules, so that nothing is asked. The vector is that of the turn mixed with its neighbours' in the
run, less what is usual, and is None until L1 has them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from alaya.distill.reading import read
from alaya.distill.segments import segments
from alaya.distill.summarize_changes import TOPIC
from alaya.distill.summarize_quotes import quoted
from alaya.distill.summarize_rules import Summing, known_of, rarity_of
from alaya.distill.summarize_vectors import Usual
from alaya.model.raw import SessionState, TurnMark, TurnPlace
from alaya.model.scope import Scope
from alaya.ports import Archive, Index, Vector
from alaya.provenance.words import read_places

_BESIDE = 2  # neighbours on each side that a turn's topic is mixed with


@dataclass(frozen=True)
class Episode:
    """A turn and what it is about. `summary`: the id of the one that covers it, if its run is over;
    `topic` is empty where nothing tells what it is."""

    turn: str
    ordinal: int
    topic: str
    summary: str | None = None
    vector: Vector | None = None


def topics_of(
    archive: Archive, index: Index, *, state: SessionState, rules: Summing, turns: Collection[str]
) -> dict[str, str]:
    """What these turns of a session are about, as far as anything tells.

    The run that is still open is read only if one of them stands in it.
    """
    places, labels = _labelled(archive, index, state=state, rules=rules, turns=turns)
    named = {place.id: label[0] for place, label in zip(places, labels, strict=True) if label}
    return {turn: topic for turn in turns if (topic := named.get(turn))}


def episodes(
    archive: Archive, index: Index, *, state: SessionState, rules: Summing
) -> list[Episode]:
    """The active turns of a session in order, each with its topic. Nothing is written or asked."""
    user = state.session.scope.user
    places, labels = _labelled(archive, index, state=state, rules=rules)
    vectors = Usual(index, rules.model, user=user).of_turns(places)
    found = []
    for i, place in enumerate(places):
        topic, summary = labels[i] or ("", None)
        mixed = _mixed(vectors, labels, at=i) if vectors else None
        found.append(Episode(place.id, place.ordinal, topic, summary, mixed))
    return found


def _labelled(
    archive: Archive,
    index: Index,
    *,
    state: SessionState,
    rules: Summing,
    turns: Collection[str] | None = None,
) -> tuple[list[TurnPlace], list[tuple[str, str | None] | None]]:
    user, name = state.session.scope.user, state.session.id
    places = [p for p in index.turns(Scope(user), name) if p.mark is TurnMark.ACTIVE]
    labels = _labels(index, places, user=user, session=name)
    behind = max((i for i, label in enumerate(labels) if label), default=-1) + 1
    if turns is None or any(place.id in turns for place in places[behind:]):
        labels[behind:] = _open(archive, index, places=places[behind:], state=state, rules=rules)
    return places, labels


def _labels(
    index: Index, places: Sequence[TurnPlace], *, user: str, session: str
) -> list[tuple[str, str | None] | None]:
    """(topic, id) of the summary that covers each turn."""
    at = {p.id: i for i, p in enumerate(places)}
    found: list[tuple[str, str | None] | None] = [None] * len(places)
    for one in known_of(index, user, session=session).active(TOPIC):
        first, last = at.get(one.first_turn), at.get(one.last_turn)
        if first is not None and last is not None:
            found[first : last + 1] = [(one.topic, one.id)] * (last + 1 - first)
    return found


def _open(
    archive: Archive,
    index: Index,
    *,
    places: Sequence[TurnPlace],
    state: SessionState,
    rules: Summing,
) -> list[tuple[str, str | None] | None]:
    """Labels by rules for the turns that no summary covers yet."""
    turns = read_places(archive, state.session, places=places)
    usual = Usual(index, rules.model, user=state.session.scope.user)
    runs = segments(turns, cut=rules.cut, vectors=usual.of_turns(places), stem=rules.stem)
    reading = read(turns)
    found: list[tuple[str, str | None] | None] = []
    for run in runs:
        inside = range(run.first, run.last + 1)
        told = quoted(reading, inside, rarity=rarity_of(index))
        found += [(told.topic, None) if told else None] * len(inside)
    return found


def _mixed(vectors: Sequence[Vector | None], labels: Sequence[object], *, at: int) -> Vector | None:
    """The mean, at length 1, of the vectors around a turn that have the same label."""
    import numpy as np

    if vectors[at] is None:
        return None
    near = range(max(0, at - _BESIDE), min(len(vectors), at + _BESIDE + 1))
    known = [v for i in near if labels[i] == labels[at] and (v := vectors[i]) is not None]
    total = np.sum(np.asarray(known, dtype=np.float32), axis=0)
    mixed: Vector = total / (float(np.linalg.norm(total)) or 1.0)
    return mixed
