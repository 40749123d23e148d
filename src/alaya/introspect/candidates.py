"""Which cards may say the same as a given one: its neighbours by vectors and by words, never all.

Similarity is the calibrated cosine of their vectors; of two of which one has none yet it is the
share of their words that both have. Cards of another agent are no candidates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from alaya.introspect.sameness import Wording, jaccard, wording
from alaya.model.graph import Card, CardState, Tier
from alaya.model.passage import ItemKind, Scored, Where
from alaya.model.scope import Scope
from alaya.model.similarity import mixed_similarity
from alaya.model.words import han_share
from alaya.ports import Embedder, Index, Vector

_NEAREST, _MATCHING = 8, 8  # by vectors, and by words
_WINDOWS = 4  # of a long card by which others are looked for
_ASKED = 200  # characters by which words are looked up


@dataclass(frozen=True)
class Pair:
    """Two cards and how alike they are, 0..1; `first` is the one that was asked about.

    `by_vectors`: else by words, since one of them has no vector.
    """

    first: str
    second: str
    similarity: float
    by_vectors: bool


@dataclass
class Neighbours:
    """Reads the HOT and WARM cards of one user, and finds those that are alike from `floor` on."""

    index: Index
    user: str
    embedder: Embedder | None
    floor: float
    known: dict[str, tuple[Card, CardState]] = field(default_factory=dict)
    _words: dict[str, Wording] = field(default_factory=dict)
    _han: dict[str, float] = field(default_factory=dict)
    _medians: Mapping[str, float] | None = None

    @property
    def where(self) -> Where:
        return Where(Scope(self.user), tiers=(Tier.HOT, Tier.WARM))

    def read(self, ids: Sequence[str]) -> None:
        """Read these cards, if they live and are not cold."""
        found = self.index.cards([i for i in ids if i not in self.known], self.where)
        self.known |= {card.id: (card, state) for card, state in found}

    def fresh(self) -> Neighbours:
        """The same, with nothing read yet."""
        return Neighbours(self.index, self.user, self.embedder, self.floor)

    def card(self, name: str) -> Card:
        """A card that was read."""
        return self.known[name][0]

    def wording(self, name: str) -> Wording:
        """What is compared of a card that was read."""
        if name not in self._words:
            self._words[name] = wording(self.card(name))
        return self._words[name]

    def pairs(self, name: str) -> tuple[list[Pair], bool]:
        """The card and each that is like it, the nearest first; and whether it has a vector."""
        card = self.card(name)
        mine = self._vectors([name]).get(name, [])
        names = [s.id for s in self._matching(card)]
        for window in mine[:_WINDOWS]:
            names += [s.id for s in self._nearest(window)]
        others = [i for i in dict.fromkeys(names) if i != name]
        self.read(others)
        near = [i for i in others if i in self.known]
        near = [i for i in near if self.card(i).scope.agent == card.scope.agent]
        theirs = self._vectors(near) if mine else {}
        found = [self._pair(name, i, mine=mine, theirs=theirs.get(i, [])) for i in near]
        alike = [pair for pair in found if pair.similarity >= self.floor]
        return sorted(alike, key=lambda p: (-p.similarity, p.second)), bool(mine)

    def _pair(self, name: str, other: str, *, mine: list[Vector], theirs: list[Vector]) -> Pair:
        if not mine or not theirs:
            shared = jaccard(self.wording(name).words, self.wording(other).words)
            return Pair(name, other, shared, by_vectors=False)
        return Pair(
            name, other, self._similarity(name, other, mine=mine, theirs=theirs), by_vectors=True
        )

    def _similarity(
        self, name: str, other: str, *, mine: Sequence[Vector], theirs: Sequence[Vector]
    ) -> float:
        """Calibrated. Of long cards each window has to be met by one of the other's."""
        import numpy as np

        assert self.embedder is not None
        if self._medians is None:
            self._medians = self.index.calibration(self.embedder.name)
        if len(mine) == len(theirs) == 1:
            cosine = float(np.dot(mine[0], theirs[0]))
        else:
            cosines = np.asarray(mine) @ np.asarray(theirs).T
            cosine = float(min(cosines.max(axis=0).mean(), cosines.max(axis=1).mean()))
        return mixed_similarity(
            cosine,
            self._share(name),
            passage_han=self._share(other),
            medians=self._medians,
            baseline=self.embedder.baseline,
        )

    def _share(self, name: str) -> float:
        if name not in self._han:
            self._han[name] = han_share(self.card(name).text)
        return self._han[name]

    def _vectors(self, ids: Sequence[str]) -> dict[str, list[Vector]]:
        if self.embedder is None or not ids:
            return {}
        name = self.embedder.name
        return self.index.vectors(name, ids, kind=ItemKind.CARD, where=self.where)

    def _nearest(self, window: Vector) -> Sequence[Scored]:
        assert self.embedder is not None
        return self.index.nearest(
            self.embedder.name, window, kind=ItemKind.CARD, where=self.where, limit=_NEAREST + 1
        )

    def _matching(self, card: Card) -> Sequence[Scored]:
        return self.index.match(
            card.text[:_ASKED], ItemKind.CARD, where=self.where, limit=_MATCHING + 1
        )
