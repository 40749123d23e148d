"""What each candidate has for a question, as numbers: pure, over the forms of the candidates.

A turn is understood with its neighbours and its session; what stands alone has none, and those
features are 0 for it. Every feature is about 0..1, one value for each candidate; `ranking` weighs
them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from alaya.model.passage import Item
from alaya.recall.dates import Named, nearness, told_nearness

# BM25 (Robertson and Zaragoza 2009). Turns are short and a word seldom stands twice in one, so
# repetition saturates early and length matters little.
_K1, _B = 0.8, 0.3
_NEAR = ((-2, 0.3), (-1, 0.6), (1, 0.6), (2, 0.3))  # places around a turn, and their weight
_LIFT = 0.6  # of the neighbours' words beside the turn's own
_BEST = 3  # turns by which a session is judged
_TELLING = 8  # terms from which a turn is no small talk
_SELF_CONTAINED = 40  # terms at which a turn needs what surrounds it half as much
_PREFIX = 5  # letters from which words of one root are told: allergic, allergies
_WINDOW = 12  # terms in which words stand together
_JOINED, _JOINING = 60, 20  # of the best, how many are joined with which of the best
_SPREAD = 0.2  # of those: terms that stand in more join nothing
_WORSE = 3.0  # points behind the best at which one joins 1/e as well
_LONGEST_TALK = 2**40  # turns; above any number that a turn has in its session

Column = Any  # an array of floats, one for each candidate; NumPy's types say no more
Terms = Mapping[str, float]  # what is looked for, and how much each is worth


@dataclass(frozen=True)
class Scene:
    """The candidates and how similar each is to the question by vectors (NaN: no vector)."""

    items: Sequence[Item]
    similarity: Column
    before: Scene | None = None  # one of which the first items are these: no text is searched twice
    kept: dict[object, Column] = field(default_factory=dict)  # of each text, for a second scene

    @cached_property
    def padded(self) -> list[str]:
        """The terms of each, with a space before, between and behind: made to be searched."""
        known = self.before.padded if self.before is not None else []
        return known + [item.forms.padded for item in self.items[len(known) :]]

    def of_each(self, key: object, value: Callable[[Item], float]) -> Column:
        """A number of each candidate that no other one changes: not asked of any twice."""
        found = self.kept.get(key)
        if found is None:
            known = self.before.of_each(key, value) if self.before is not None else np.zeros(0)
            fresh = np.array([value(item) for item in self.items[len(known) :]], dtype=float)
            found = self.kept[key] = np.concatenate([known, fresh])
        return found

    @cached_property
    def lengths(self) -> Column:
        return self.of_each("length", lambda item: item.forms.length)

    @cached_property
    def long(self) -> Column:
        """0..1: how much a text speaks for itself, by its length."""
        return self.lengths / (self.lengths + _SELF_CONTAINED)

    @cached_property
    def talk(self) -> Column:
        """1 for a turn of a conversation, 0 for what stands alone."""
        return (self.sessions >= 0).astype(float)

    @cached_property
    def around(self) -> list[tuple[Column, float]]:
        """For each place around a turn: who stands there (the last + 1 for nobody), its weight."""
        if not self.talk.any():
            return []
        nobody = len(self.items)
        # A place is a number: that of the session before that of the turn, those alone below 0.
        at = self.sessions * _LONGEST_TALK + np.array([item.ordinal for item in self.items])
        order = np.argsort(at, kind="stable")
        places = at[order]
        found = []
        for step, weight in _NEAR:
            n = np.searchsorted(places, at + step, side="right") - 1
            there = (places[n] == at + step) & (n >= 0) & (at >= 0)
            found.append((np.where(there, order[n], nobody), weight))
        return found

    @cached_property
    def sessions(self) -> Column:
        """The number of each candidate's session; -1 for what stands alone."""
        numbers: dict[str, int] = {"": -1}
        found = [numbers.setdefault(item.session, len(numbers) - 1) for item in self.items]
        return np.array(found, dtype=int)

    def counts(self, terms: Sequence[str], *, whole: bool = True) -> Column:
        """How often each term stands in each text: one row a candidate. Not `whole`: as the
        beginning of a word."""
        key = (tuple(terms), whole)
        found = self.kept.get(key)
        if found is None:
            done = len(self.before.items) if self.before is not None else 0
            found = self.kept[key] = np.zeros((len(self.items), len(terms)))
            if self.before is not None:
                found[:done] = self.before.counts(terms, whole=whole)
            end = " " if whole else ""
            number = {f" {term}": n for n, term in enumerate(terms)}
            # Most texts hold none: one look at each finds out.
            look = re.compile(f"(?:{'|'.join(map(re.escape, number)) or '(?!)'})(?={end})").findall
            for row, text in enumerate(self.padded[done:], done):
                for hit in look(text):
                    found[row, number[hit]] += 1
            for n, term in enumerate(terms):
                if len(term) == 1 and not term.isascii() and term.isalnum():  # stands in bigrams
                    found[done:, n] = [text.count(term) for text in self.padded[done:]]
        return found


def bm25(scene: Scene, counts: Column, *, worth: Column) -> Column:
    """The words of the question in each candidate's own text. `worth` of each, such as its idf."""
    lengths = scene.lengths
    mean = max(float(lengths.mean()), 1.0) if len(lengths) else 1.0
    norm = _K1 * (1 - _B + _B * lengths / mean)
    return (counts * (_K1 + 1) / (counts + norm[:, None])) @ worth


def rooted(scene: Scene, idf: Terms) -> Column:
    """Words that begin like a word of the question: a stemmer parts `allergy` from `allergic`."""
    roots: dict[str, float] = {}
    for term, weight in idf.items():
        if len(term) >= _PREFIX and term.isascii():
            roots[term[:_PREFIX]] = max(weight, roots.get(term[:_PREFIX], 0.0))
    return bm25(scene, scene.counts(list(roots), whole=False), worth=_worth(roots))


def lettered(scene: Scene, idf: Terms) -> Column:
    """Single characters of the question: classical and abridged Chinese share few bigrams."""
    if not idf:
        return np.zeros(len(scene.items))
    weights = list(idf.items())

    def held(item: Item) -> float:
        text = item.forms.line
        return 0.0 if text.isascii() else sum([w for char, w in weights if char in text])

    return scene.of_each(("lettered", *weights), held)


def covered(held: Column, worth: Column) -> Column:
    """The share of the question's words, by weight, that each holds."""
    return held @ worth / (worth.sum() or 1.0)


def held_near(scene: Scene, held: Column) -> Column:
    """Which words stand in a candidate or in a turn next to it."""
    near = held
    for who, weight in scene.around:
        if weight == _LIFT:
            near = np.maximum(near, _with_nobody(held)[who])
    return near


def close(scene: Scene, held: Column, *, idf: Terms) -> Column:
    """The largest share of the question's words that stand within a dozen words of a text."""
    worth, key = _worth(idf), ("close", tuple(idf.items()))
    found = scene.kept[key] = covered(held, worth)
    whole = worth.sum() or 1.0
    doubtful = (held.sum(axis=1) > 1) & (scene.lengths > _WINDOW)
    if scene.before is not None and key in scene.before.kept:
        done = scene.before.kept[key]
        found[: len(done)] = done
        doubtful[: len(done)] = False
    for number in np.flatnonzero(doubtful).tolist():
        found[number] = _closest(scene.items[number].forms.terms, idf) / whole
    return found


def smoothed(scene: Scene, values: Column) -> Column:
    """Each value with those around it added, nearer ones more."""
    found = values
    for who, weight in scene.around:
        found = found + _LIFT * weight * _with_nobody(values)[who]
    return found


def contextual(scene: Scene, similarity: Column) -> Column:
    """The similarity of a turn within its surroundings: a weighted mean, as if their vectors
    were mixed; of what has no neighbours its own. `similarity` is NaN where it is not known."""
    known = ~np.isnan(similarity)
    values = np.where(known, similarity, 0.0)
    total, weights = values, known.astype(float)
    for who, weight in scene.around:
        total = total + weight * _with_nobody(values)[who]
        weights = weights + weight * _with_nobody(known.astype(float))[who]
    return total / np.maximum(weights, 1e-9)


def together(
    scene: Scene, held: Column, *, idf: Terms, parts: Sequence[Collection[str]], base: Column
) -> Column:
    """How well a text that stands alone answers a question together with a good one that speaks
    of the same: what the one lacks, the other holds. `parts` are the terms of each question.

    The geometric mean of what each adds to the other, times the cosine of what else they say.
    """
    found = np.zeros(len(base))
    alone = np.flatnonzero(scene.talk == 0)
    if len(alone) < 2:
        return found
    best = alone[np.argsort(-base[alone], kind="stable")[:_JOINED]]
    alike, worth = _alike([scene.items[n] for n in best.tolist()], idf), _worth(idf)
    alike *= np.exp((base[best[:_JOINING]] - base[best[0]]) / _WORSE)
    value = np.zeros(alike.shape)
    for terms in parts:
        part = np.array([term in terms for term in idf], dtype=bool)
        of_it, weights = held[best][:, part], worth[part] / (worth[part].sum() or 1.0)
        own = of_it @ weights
        both = np.maximum(of_it[:, None, :], of_it[None, :_JOINING, :]) @ weights
        value = np.maximum(value, (both - own[:, None]) * (both - own[None, :_JOINING]))
    found[best] = (np.sqrt(np.maximum(value, 0.0)) * alike).max(axis=1)
    return found


def session_prior(scene: Scene, values: Column) -> Column:
    """How well the best turns of a candidate's session do."""
    sessions = scene.sessions
    found = np.zeros(len(values))
    if not scene.talk.any():
        return found
    order = np.lexsort((-values, sessions))
    numbers = sessions[order]
    starts = np.concatenate([[0], np.flatnonzero(numbers[1:] != numbers[:-1]) + 1])
    place = np.arange(len(order)) - starts.repeat(np.append(starts[1:], len(order)) - starts)
    best = order[place < _BEST]
    sums = np.zeros(sessions.max() + 1)
    talking = best[sessions[best] >= 0]
    np.add.at(sums, sessions[talking], values[talking])
    return np.where(sessions >= 0, sums[sessions] / _BEST, 0.0)


def session_words(scene: Scene, held: Column, *, worth: Column) -> Column:
    """The share of the question's words that the candidates of a session hold together."""
    sessions = scene.sessions
    if not scene.talk.any():
        return np.zeros(len(sessions))
    together = np.zeros((sessions.max() + 2, held.shape[1]))
    np.maximum.at(together, sessions, held)  # the last row, -1, takes what stands alone
    return covered(together, worth)[sessions] * (sessions >= 0)


def spoken_by(scene: Scene, names: frozenset[str]) -> Column:
    """1 where the question names who speaks, unless it names everybody."""
    speakers = {item.speaker for item in scene.items} - {""}
    said = {speaker for speaker in speakers if not names.isdisjoint(speaker.split())}
    if said == speakers:
        return np.zeros(len(scene.items))
    return np.array([float(item.speaker in said) for item in scene.items])


def length(scene: Scene) -> Column:
    """In a conversation, a short turn tells little."""
    return scene.talk * np.log1p(np.minimum(scene.lengths, _TELLING)) / 4


def asks(scene: Scene) -> Column:
    """In a conversation, a question tells little."""
    return scene.talk * scene.of_each("asks", lambda item: item.forms.asks)


def dated(scene: Scene, times: Sequence[Named]) -> Column:
    """How near each is to a time that is named: said then, or, unless it is so long that it tells
    of many, telling of it."""
    if not times:
        return np.zeros(len(scene.items))
    said = scene.of_each("said", lambda item: nearness(times, item.said_at))
    told = scene.of_each("told", lambda item: told_nearness(times, item.forms.days))
    return np.maximum(said, told * (1.0 - scene.long))


def over_best(values: Column) -> Column:
    """As shares of the best."""
    best = float(values.max()) if len(values) else 0.0
    return values / best if best > 0 else np.zeros(len(values))


def each(scene: Scene, value: Callable[[Item], float]) -> Column:
    return np.array([value(item) for item in scene.items], dtype=float)


def first(items: Sequence[Item], scores: Column, *, most: int) -> list[int]:
    """The numbers of the best of these items, best first."""
    among: Sequence[int] = range(len(items))
    if most < len(items):
        least = np.partition(scores, -most)[-most]
        among = np.flatnonzero(scores >= least).tolist()
    behind = (-scores).tolist()
    return sorted(among, key=lambda n: (behind[n], items[n].id))[:most]


def _alike(items: Sequence[Item], idf: Terms) -> Column:
    """How alike each is to each of the first, 0..1, in what the question does not say."""
    words = [set(item.forms.line.split()) for item in items]
    wanted = set().union(*words[:_JOINING]) - idf.keys()
    words = [some & wanted for some in words]
    frequency = Counter(chain.from_iterable(words))
    most = max(_SPREAD * len(items), 2)
    number = {t: n for n, t in enumerate(t for t, count in frequency.items() if 1 < count <= most)}
    rare = np.zeros((len(items), len(number)))
    for row, some in enumerate(words):
        rare[row, [number[term] for term in some if term in number]] = 1.0
    rare *= np.log((len(items) + 1) / np.maximum(rare.sum(axis=0), 1.0))
    lengths = np.sqrt((rare**2).sum(axis=1))
    cosines: Column = rare @ rare[:_JOINING].T
    cosines /= np.maximum(np.outer(lengths, lengths[:_JOINING]), 1e-9)
    np.fill_diagonal(cosines, 0.0)
    return cosines


def _worth(idf: Terms) -> Column:
    return np.array(list(idf.values()), dtype=float)


def _with_nobody(values: Column) -> Column:
    """With a row of zeros behind the last, for places where nobody stands."""
    return np.concatenate([values, np.zeros((1, *values.shape[1:]))])


def _closest(terms: Sequence[str], idf: Terms) -> float:
    """The most that different words of the question within one window are worth."""
    places = [(place, term) for place, term in enumerate(terms) if term in idf]
    inside: dict[str, int] = {}
    worth = best = 0.0
    first = 0
    for place, term in places:
        inside[term] = inside.get(term, 0) + 1
        if inside[term] == 1:
            worth += idf[term]
        while place - places[first][0] >= _WINDOW:
            left = places[first][1]
            inside[left] -= 1
            if not inside[left]:
                worth -= idf[left]
            first += 1
        best = max(best, worth)
    return best
