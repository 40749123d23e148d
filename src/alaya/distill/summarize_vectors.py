"""What the turns of a session say by vectors that L1 has already; nothing is embedded for it.

A turn's vector is taken less the mean of what its role says in the user's other sessions (see
`segments.centred`); where those are too few to know that, words decide.
"""

from __future__ import annotations

from collections.abc import Sequence

from alaya.distill.segments import centred
from alaya.model.graph import Summary
from alaya.model.passage import ItemKind, Where
from alaya.model.raw import Role, TurnMark, TurnPlace
from alaya.model.scope import Scope
from alaya.ports import Index, Vector

_USUAL = 300  # turns of other sessions from which the mean is taken, the newest first
_FEWEST = 80  # of one role: fewer do not tell what is usual (benchmarks/LOG.md)
_SESSIONS = 200  # that are looked at for it
_ROLES = (Role.USER, Role.ASSISTANT)


class Usual:
    """What each role usually says, by one model's vectors. Read once, for one run of distil."""

    def __init__(self, index: Index, model: str | None, *, user: str) -> None:
        self._index, self._model, self._user = index, model, user
        self._sums: dict[tuple[str, Role], tuple[Vector, int]] | None = None
        self._order: list[str] = []
        self._topics: dict[tuple[str, str], Vector | None] = {}

    def of_turns(self, places: Sequence[TurnPlace]) -> list[Vector | None]:
        """The centred vector of each of these turns of one session, where there is one."""
        if self._model is None or not places:
            return []
        session = places[0].session
        found = self._vectors(places)
        known = [found.get(f"{p.session}#{p.id}") for p in places]
        return centred(known, [p.role for p in places], usual=self._means(session))

    def of_topic(self, summary: Summary) -> Vector | None:
        """What a topic is about, at length 1: the sum of its turns; None where few have vectors."""
        import numpy as np

        key = (summary.id, summary.last_turn)
        if key in self._topics:
            return self._topics[key]
        self._topics[key] = None
        scope = Scope(self._user)
        ends = self._index.turns(
            scope, summary.session, ids=[summary.first_turn, summary.last_turn]
        )
        at = [place.ordinal for place in ends]
        places = self._index.turns(scope, summary.session) if self._model and at else []
        run = [p for p in places if at[0] <= p.ordinal <= at[-1] and p.role in _ROLES]
        known = [v for v in self.of_turns(run) if v is not None]
        if known and 2 * len(known) >= len(run):
            total = np.sum(np.asarray(known), axis=0)
            self._topics[key] = total / (float(np.linalg.norm(total)) or 1.0)
        return self._topics[key]

    def _vectors(self, places: Sequence[TurnPlace]) -> dict[str, Vector]:
        """One vector for each turn that has any: the mean of its windows, at length 1."""
        import numpy as np

        wanted = [f"{p.session}#{p.id}" for p in places if p.role in _ROLES]
        where = Where(Scope(self._user))
        assert self._model is not None
        read = self._index.vectors(self._model, wanted, kind=ItemKind.TURN, where=where)
        found: dict[str, Vector] = {}
        for name, windows in read.items():
            one = np.mean(np.asarray(windows, dtype=np.float32), axis=0)
            found[name] = one / (float(np.linalg.norm(one)) or 1.0)
        return found

    def _means(self, session: str) -> dict[Role, Vector]:
        """The mean of each role over the newest turns of sessions other than this one."""
        import numpy as np

        sums = self._read()
        means: dict[Role, Vector] = {}
        for role in _ROLES:
            parts: list[Vector] = []
            count = 0
            for name in self._order:
                if name != session and (name, role) in sums and count < _USUAL:
                    part, number = sums[name, role]
                    parts.append(part)
                    count += number
            if count >= _FEWEST:
                means[role] = np.sum(np.asarray(parts), axis=0) / count
        return means

    def _read(self) -> dict[tuple[str, Role], tuple[Vector, int]]:
        """The sum of the vectors of each session and role, newest session first."""
        if self._sums is not None:
            return self._sums
        import numpy as np

        sums: dict[tuple[str, Role], tuple[Vector, int]] = {}
        enough = dict.fromkeys(_ROLES, 0)
        states = list(self._index.sessions(Scope(self._user)))
        states.sort(key=lambda s: (s.session.started_at, s.session.id), reverse=True)
        for state in states[:_SESSIONS]:
            if min(enough.values()) >= 2 * _USUAL:
                break
            name = state.session.id
            turns = self._index.turns(Scope(self._user), name)
            active = [p for p in turns if p.mark is TurnMark.ACTIVE][-_USUAL:]
            found = self._vectors(active)
            for role in _ROLES:
                rows = [
                    v
                    for p in active
                    if p.role is role and (v := found.get(f"{name}#{p.id}")) is not None
                ]
                if rows:
                    sums[name, role] = (np.sum(np.asarray(rows), axis=0), len(rows))
                    enough[role] += len(rows)
            self._order.append(name)
        self._sums = sums
        return sums
