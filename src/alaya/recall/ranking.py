"""From what the indexes find to one order: features, weighed, with feedback and bridges.

Words and vectors propose; every proposed item, with the turns around it, is judged by the same
features. Two steps look further: feedback takes words from the best candidates (pseudo-relevance
feedback, Rocchio 1971, over words), and bridges follow the names in the best candidates to the
texts that are about them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from alaya.model.passage import Item, Where
from alaya.ports import Index
from alaya.recall import features
from alaya.recall.asked import Asked, idf_of
from alaya.recall.features import Column, Scene
from alaya.recall.weights import WEIGHTS, WORDS_ALONE

_FEEDBACK_FROM, _FEEDBACK_TERMS = 8, 15  # candidates that give words, and how many words
_LOOKED_UP = 100  # words that may be given, of which the frequency is looked up
_BESIDE = 20  # of what is known, beside which more is judged
_COMMON = 0.1  # of the items: words that stand in more say nothing of a topic
_BRIDGE_FROM = 5  # candidates whose names are followed
_BRIDGE_DROP = 0.1  # how much worse than the best a candidate is that counts 1/e as much
_NAMED_IN, _NAMED_MOST = 10, 100  # items that a name leads to at most: a hundredth of all between
_LED = 20  # items that bridges of one kind bring along
_LONGEST_NAME = 6  # terms of a heading that is looked for inside longer names
_ALIAS = 0.8  # of a word, what another name for it is worth
_LONGER = ("own", "close", "dense", "around", "held", "session")  # features that length changes


@dataclass(frozen=True)
class Ranked:
    """The candidates best first, with the features of each: arrays, but for the items."""

    items: tuple[Item, ...] = ()
    scores: Column = field(default_factory=lambda: np.zeros(0))
    columns: Mapping[str, Column] = field(default_factory=dict)
    similarity: Column = field(default_factory=lambda: np.zeros(0))
    weights: Mapping[str, float] = field(default_factory=dict)  # by which they were added up


NOTHING = Ranked()
Similar = Callable[[Sequence[Item]], Column]


def rank(
    index: Index,
    *,
    question: Asked,
    items: Sequence[Item],
    where: Where,
    similar: Similar,
    off: frozenset[str] = frozenset(),
) -> Ranked:
    """Judge these items and those that bridges lead to. `off` names features not to be used."""
    if not items:
        return NOTHING
    weights = _weights(question, off)
    scene = Scene(list(items), similar(items))
    columns = _columns(scene, question)
    base = _weighed(columns, weights)
    led = _bridges(index, question=question, items=items, base=base, where=where)
    present = {item.id for item in items}
    fresh = _strongest(led, present)
    if fresh and (weights["bridge"] or weights["heading"]):
        more = index.items(fresh, items[0].kind, where=where)
        similarity = np.concatenate([scene.similarity, similar(more)])
        scene = Scene([*items, *more], similarity, before=scene)
        columns = _columns(scene, question)
        base = _weighed(columns, weights)
    columns["bridge"] = features.over_best(
        features.each(scene, lambda item: led.names.get(item.id, 0.0))
    )
    columns["heading"] = features.each(scene, lambda item: led.headings.get(item.id, 0.0))
    columns["feedback"] = _feedback(index, question=question, scene=scene, base=base)
    columns |= _together(scene, question, base=_weighed(columns, weights))
    return _ordered(scene, columns=columns, weights=weights)


def beside(
    known: Ranked,
    *,
    extra: Sequence[Item],
    question: Asked,
    similar: Similar,
    off: frozenset[str] = frozenset(),
) -> Ranked:
    """Judge other items beside the best ones that are known, on the same scale."""
    weights = _weights(question, off)
    new = {item.id for item in extra}
    kept = [n for n, item in enumerate(known.items[:_BESIDE]) if item.id not in new]
    items = [*(known.items[n] for n in kept), *extra]
    if not items:
        return NOTHING
    similarity = np.concatenate([known.similarity[kept], similar(extra)])
    scene = Scene(items, similarity)
    columns = _columns(scene, question)
    return _ordered(scene, columns=columns, weights=weights)


def _weights(question: Asked, off: frozenset[str]) -> Mapping[str, float]:
    """What each feature counts: an arm that is off or has nothing to say does not vote."""
    fitted = WORDS_ALONE if question.vector is None else WEIGHTS
    return {name: 0.0 if name in off else value for name, value in fitted.items()}


def _ordered(
    scene: Scene, *, columns: Mapping[str, Column], weights: Mapping[str, float]
) -> Ranked:
    items, scores = scene.items, _weighed(columns, weights)
    order = features.first(items, scores, most=len(items))
    return Ranked(
        items=tuple(items[n] for n in order),
        scores=scores[order],
        columns={name: column[order] for name, column in columns.items()},
        similarity=scene.similarity[order],
        weights=weights,
    )


def _columns(scene: Scene, question: Asked) -> dict[str, Column]:
    worth = np.array(list(question.idf.values()), dtype=float)
    counts = _counts(scene, question)
    held = (counts > 0).astype(float)
    words = features.bm25(scene, counts, worth=worth)
    best = float(words.max()) or 1.0
    chars = features.over_best(features.lettered(scene, question.chars))
    own = words / best
    similarity = _guessed(scene.similarity, own)
    dense = np.nan_to_num(similarity)
    surrounded = 1.0 - scene.long
    near = features.held_near(scene, held)
    sessions = features.session_prior(scene, features.smoothed(scene, words))
    columns = {
        "own": own,
        "close": features.close(scene, held, idf=question.idf),
        "root": features.rooted(scene, question.idf) / best,
        "chars": chars,
        "part": _parts(scene, question=question, counts=counts, worth=worth, whole=own),
        "dense": dense,
        "around": features.contextual(scene, similarity),
        "held": features.covered(near, worth),
        "known": features.covered(near, np.array(list(question.worth.values()), dtype=float)),
        "session": sessions / best * surrounded,
        "session_words": features.session_words(scene, held, worth=worth),
        "session_chars": features.session_prior(scene, chars),
        "session_dense": features.session_prior(scene, dense) * surrounded,
        "speaker": features.spoken_by(scene, question.names),
        "length": features.length(scene),
        "asks": features.asks(scene),
        "date": features.dated(scene, question.dates),
    }
    columns |= {f"{name}_long": columns[name] * scene.long for name in _LONGER}
    return columns


def _counts(scene: Scene, question: Asked) -> Column:
    """How often each word of the question stands in each text, by whatever name."""
    counts = scene.counts(list(question.idf))
    if question.also:
        counts = counts.copy()
        for column, term in enumerate(question.idf):
            if others := sorted(question.also.get(term, ())):
                as_well = _ALIAS * scene.counts(others).max(axis=1)
                counts[:, column] = np.maximum(counts[:, column], as_well)
    return counts


def _guessed(similarity: Column, share: Column) -> Column:
    """What has no vector yet, where others have one, is taken to be as near as its words are."""
    blind = np.isnan(similarity)
    if not blind.any() or blind.all():
        return similarity
    known = similarity[~blind]
    low, high = float(np.median(known)), float(known.max())
    return np.where(blind, low + (high - low) * share, similarity)


def _parts(
    scene: Scene, *, question: Asked, counts: Column, worth: Column, whole: Column
) -> Column:
    """How well the one of several questions is met that a text meets best; of one, that one."""
    if len(question.parts) < 2 and len(question.parts[0] if question.parts else ()) in (
        0,
        len(question.idf),
    ):
        return whole
    found = np.zeros(len(whole))
    for part in question.parts:
        of_it = np.array([term in part for term in question.idf])
        found = np.maximum(
            found, features.over_best(features.bm25(scene, counts[:, of_it], worth=worth[of_it]))
        )
    return found


def _together(scene: Scene, question: Asked, *, base: Column) -> dict[str, Column]:
    held, idf = (_counts(scene, question) > 0).astype(float), question.idf
    found = features.together(scene, held, idf=idf, parts=question.parts or [idf], base=base)
    return {"together": found, "together_long": found * scene.long}


@dataclass(frozen=True)
class _Led:
    """Item to how strongly a bridge leads there: by a name it holds, by the heading it has."""

    names: Mapping[str, float]
    headings: Mapping[str, float]


def _bridges(
    index: Index, *, question: Asked, items: Sequence[Item], base: Column, where: Where
) -> _Led:
    best = features.first(items, base, most=_BRIDGE_FROM)
    strength = [math.exp((base[n] - base[best[0]]) / _BRIDGE_DROP) for n in best]
    whole = sum(strength)
    speakers = {item.speaker for item in items}
    follow = {n: _followed(items[n], question, speakers=speakers) for n in best}
    looked_up = list(dict.fromkeys(name for names in follow.values() for name in names))
    most = max(_NAMED_IN, min(_NAMED_MOST, question.total // 100))
    found = index.mentioning(looked_up, items[0].kind, where=where, most=most)
    names: dict[str, float] = {}
    headings: dict[str, float] = {}
    for n, power in zip(best, strength, strict=True):
        held = items[n].forms.names
        for name in follow[n]:
            mentions = found.get(name, ())
            rare = math.log(max(question.total, 2) / len(mentions)) if mentions else 0.0
            whole_name = name in held
            for mention in mentions:
                if mention.id == items[n].id:
                    continue
                if whole_name:
                    names[mention.id] = names.get(mention.id, 0.0) + rare * power / whole
                if mention.leads:
                    headings[mention.id] = headings.get(mention.id, 0.0) + power / whole
    return _Led(names, headings)


def _strongest(led: _Led, present: set[str]) -> list[str]:
    """The items that bridges lead to, the strongest of each kind of bridge."""
    found: dict[str, None] = {}
    for way in (led.headings, led.names):
        some = [name for name in way if name not in present]
        if len(some) > _LED:
            some = sorted(some, key=lambda name: (-way[name], name))[:_LED]
        found |= dict.fromkeys(some)
    return list(found)


def _followed(item: Item, question: Asked, *, speakers: set[str]) -> list[str]:
    """The names of an item, and what stands inside them, that the question does not give."""
    found: dict[str, None] = {}
    for name in item.forms.names:
        parts = name.split() if "=" not in name else ()
        for size in range(min(len(parts), _LONGEST_NAME), 0, -1):
            for start in range(len(parts) - size + 1):
                inner = parts[start : start + size]
                if not question.names.issuperset(inner) and " ".join(inner) not in speakers:
                    found[" ".join(inner)] = None
    return list(found)


def _feedback(index: Index, *, question: Asked, scene: Scene, base: Column) -> Column:
    """How much a candidate speaks of what the best candidates speak of."""
    nothing = np.zeros(len(scene.items))
    best = features.first(scene.items, base, most=_FEEDBACK_FROM)
    if base[best[0]] <= 0:
        return nothing
    found: dict[str, float] = {}
    for n in best:
        for term in dict.fromkeys(scene.items[n].forms.terms):
            if term not in question.idf:
                found[term] = found.get(term, 0.0) + max(float(base[n]), 0.0) / float(base[best[0]])
    heaviest = sorted(found, key=lambda term: (-found[term], term))[:_LOOKED_UP]
    total, frequencies = index.frequencies(heaviest, scene.items[0].kind)
    weighed = {
        term: found[term] * idf_of(frequencies.get(term, 0), total)
        for term in heaviest
        if 2 <= frequencies.get(term, 0) <= max(total * _COMMON, 2)
    }
    chosen = sorted(weighed, key=lambda term: (-weighed[term], term))[:_FEEDBACK_TERMS]
    worth = np.array([weighed[t] * idf_of(frequencies[t], total) for t in chosen], dtype=float)
    return features.over_best(features.bm25(scene, scene.counts(chosen), worth=worth))


def _weighed(columns: Mapping[str, Column], weights: Mapping[str, float]) -> Column:
    used = [name for name in columns if weights.get(name)]
    return sum(
        (weights[name] * columns[name] for name in used),
        np.zeros(len(next(iter(columns.values())))),
    )
