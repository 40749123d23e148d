"""How much each feature counts, for every kind of memory and every language alike.

Fitted: a softmax over the candidates of a question (listwise maximum likelihood, Cao et al. 2007),
then coordinate ascent on recall itself (Metzler and Croft 2007), on the development half of nine
tasks at once: conversations, encyclopedias, novels, English and Chinese; by
`benchmarks/fit_ranking.py`, see `benchmarks/LOG.md`. One set for all: nothing is chosen by what a
store looks like. What ends with `_long` is the same feature once more, as far as a text is long
enough to speak for itself.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from alaya.recall.asked import Asked
    from alaya.recall.features import Column

DENSE, WORDS, GRAPH = "dense", "words", "graph"
NEIGHBOURS, SESSION, SPEAKER = "neighbours", "session", "speaker"
DATES, FEEDBACK = "dates", "feedback"
# Each arm with the features that are its votes.
ARMS: Mapping[str, tuple[str, ...]] = {
    WORDS: ("own_long", "close", "close_long", "root", "chars", "part"),
    DENSE: ("dense", "dense_long", "around", "around_long"),
    NEIGHBOURS: ("held", "held_long", "length", "asks"),
    SESSION: ("session", "session_long", "session_words", "session_dense", "session_chars"),
    SPEAKER: ("speaker",),
    DATES: ("date",),
    FEEDBACK: ("feedback",),
    GRAPH: ("bridge", "heading", "together", "together_long"),
}

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "own_long": 1.20,
        "close": -0.25,
        "close_long": 2.99,
        "root": -0.23,
        "chars": 0.43,
        "part": 0.88,
        "dense": 3.94,
        "dense_long": 1.52,
        "around": 5.55,
        "around_long": -2.18,
        "held": 3.71,
        "held_long": -5.59,
        "length": 4.48,
        "asks": -0.71,
        "session": -0.79,
        "session_long": 5.15,
        "session_words": 1.39,
        "session_dense": 5.34,
        "session_chars": 4.64,
        "speaker": 0.71,
        "date": 0.91,
        "feedback": 0.83,
        "bridge": 0.48,
        "heading": 4.21,
        "together": 34.94,
        "together_long": -44.94,
    }
)
# The same fit without vectors: where there is no embedder, or it has not read anything yet.
WORDS_ALONE: Mapping[str, float] = MappingProxyType(
    {
        "own_long": -0.96,
        "close": -1.55,
        "close_long": 5.12,
        "root": 0.83,
        "chars": 1.91,
        "part": 2.33,
        "held": 4.51,
        "held_long": -3.71,
        "length": 1.48,
        "asks": -0.29,
        "session": 1.51,
        "session_long": 3.35,
        "session_words": 0.24,
        "session_chars": 3.26,
        "speaker": 1.34,
        "date": 2.93,
        "feedback": 1.72,
        "bridge": 0.04,
        "heading": 2.96,
        "together": 46.30,
        "together_long": -29.28,
    }
)
# Evidence that the best candidates answer at all, as a logistic regression on real questions and on
# those of other stores. Its bias makes 0.3, the default floor, the threshold that was measured.
_SURE = MappingProxyType({"dense": 23.8, "close": 4.2, "session_dense": 21.0})
_LONGER, _HAN, _STRANGE = -2.8, 2.4, -5.3  # for each e-fold of words; Chinese; unknown names
_BIAS = -3.9
_WORDS = 0.8  # how sure words alone can be
_APART = 0.2  # of similarity: what of no word is known and is no nearer to one than to all is noise
_GRAMMAR_ONLY = 0.15  # what words that hold a sentence together are worth as a topic


def evidence(columns: Mapping[str, Column], *, question: Asked, apart: float = 1.0) -> float:
    """How sure it is that the best of these candidates answer, 0..1, whatever else was found.

    Without vectors it is the share of the question that one and its neighbours hold.
    """
    if question.vector is None:
        return _WORDS * float(columns["known"].max()) * (1.0 if question.topical else _GRAMMAR_ONLY)
    if not question.topical or (apart < _APART and not columns["known"].max()):
        return 0.0
    z = _BIAS + sum(weight * float(columns[name].max()) for name, weight in _SURE.items())
    z += _LONGER * math.log1p(len(question.idf)) + _HAN * question.han + _STRANGE * question.strange
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, z))))
