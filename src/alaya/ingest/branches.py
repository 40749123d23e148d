"""Which turns stand on the active branch of a session, once a source was read to its end."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import pairwise

from alaya.ingest.settle import source_id
from alaya.model.change import TurnsMarked
from alaya.model.raw import TurnMark, TurnPlace
from alaya.model.scope import Scope
from alaya.ports import GraphReader


def branch_marks(
    index: GraphReader,
    scope: Scope,
    *,
    session: str,
    tip: str | None,
    speaks_for: Collection[int] | None = None,
) -> list[TurnsMarked]:
    """Turns off the path from `tip` go to the side, those on it that were aside come back.

    `tip` is the source's id of the last active turn; None: none is. An unknown tip says nothing.
    Where the session came from another source too, `speaks_for` are hashes of the stored ids that
    this source holds: it says nothing of other turns, unless they branch off the path.
    """
    places = _places(index, scope, session=session)
    current = _current(places)
    if tip is not None and tip not in current:
        return []
    path = _path(current, tip)
    off = [p for p in current.values() if p.mark is TurnMark.ACTIVE and p.id not in path]
    if speaks_for is not None:
        branching = _branching(current, path)
        off = [p for p in off if hash(p.id) in speaks_for or p.id in branching]
    aside = [p.id for p in off]
    back = [p.id for p in current.values() if p.mark is TurnMark.SIDE and p.id in path]
    return _marked(scope, session, names=aside, mark=TurnMark.SIDE) + _marked(
        scope, session, names=back, mark=TurnMark.ACTIVE
    )


def dropped_marks(
    index: GraphReader, scope: Scope, *, session: str, dropped: Collection[str]
) -> list[TurnsMarked]:
    """The turns that the source took back, named by the source's ids, go to the side."""
    current = _current(_places(index, scope, session=session))
    aside = [
        current[name].id
        for name in dropped
        if name in current and current[name].mark is TurnMark.ACTIVE
    ]
    return _marked(scope, session, names=aside, mark=TurnMark.SIDE)


def missing_marks(
    index: GraphReader, scope: Scope, *, session: str, kept: Collection[int]
) -> list[TurnsMarked]:
    """What a rewritten source no longer holds is superseded; `kept` are hashes of stored ids."""
    gone = [
        place.id
        for place in index.turns(scope, session)
        if place.mark is not TurnMark.SUPERSEDED and hash(place.id) not in kept
    ]
    return _marked(scope, session, names=gone, mark=TurnMark.SUPERSEDED)


def _marked(scope: Scope, session: str, *, names: list[str], mark: TurnMark) -> list[TurnsMarked]:
    return [TurnsMarked(scope, session, tuple(names), mark)] if names else []


def _places(index: GraphReader, scope: Scope, *, session: str) -> dict[str, TurnPlace]:
    return {place.id: place for place in index.turns(scope, session)}


def _current(places: dict[str, TurnPlace]) -> dict[str, TurnPlace]:
    """By the source's ids, the turn that stands for each of them today."""
    standing = (p for p in places.values() if p.mark is not TurnMark.SUPERSEDED)
    return {source_id(place.id, places): place for place in standing}


def _path(current: dict[str, TurnPlace], tip: str | None) -> set[str]:
    """Stored ids from the tip up. Where a parent is not there, the turn before it is taken."""
    path: set[str] = set()
    before = _before(current.values())
    place = current.get(tip) if tip is not None else None
    while place is not None and place.id not in path:
        path.add(place.id)
        if place.parent is None:
            break
        place = current.get(place.parent) or before.get(place.id)
    return path


def _branching(current: dict[str, TurnPlace], path: set[str]) -> set[str]:
    """Stored ids of those turns off the path that hang on it somewhere above."""
    verdicts = dict.fromkeys(path, True)
    for place in current.values():
        walked: list[str] = []
        at: TurnPlace | None = place
        while at is not None and at.id not in verdicts:
            verdicts[at.id] = False  # a circle hangs on nothing
            walked.append(at.id)
            at = current.get(at.parent) if at.parent is not None else None
        verdicts.update(dict.fromkeys(walked, at is not None and verdicts[at.id]))
    return {name for name, hangs in verdicts.items() if hangs} - path


def _before(places: Iterable[TurnPlace]) -> dict[str, TurnPlace]:
    ordered = sorted(places, key=lambda place: place.ordinal)
    return {later.id: earlier for earlier, later in pairwise(ordered)}
