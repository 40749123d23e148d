"""What each index says: dense by vectors, words by BM25. Each vote is calibrated, 0..1.

An arm that has nothing to say does not vote: no vectors of the model, no term that is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from alaya.errors import ProviderError
from alaya.model.passage import ArmScore, ItemKind, Scored, Where
from alaya.model.similarity import mixed_similarity
from alaya.model.words import Stemmer, han_share, holder
from alaya.ports import Embedder, Index, Vector
from alaya.recall.terms import Wanted, coverage, looked_up, wanted

DENSE, WORDS, GRAPH = "dense", "words", "graph"
_READ = 20_000  # characters of an item that are looked through for the words of a question


@dataclass(frozen=True)
class Asked:
    """A phrase, ready to be compared: its vector (when there is one) and its weighed words."""

    text: str
    words: Wanted
    vector: Vector | None = None


@dataclass(frozen=True)
class Question:
    """Everything that arms need to judge an item of one kind."""

    asked: tuple[Asked, ...]
    kind: ItemKind
    where: Where
    model: str | None
    medians: Mapping[str, float] = field(default_factory=dict)
    baseline: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Candidate:
    """An item with what the arms said of it for the phrase that fits it best."""

    id: str
    similarity: float  # fused, 0..1, un-normalised
    arms: tuple[ArmScore, ...]


def ask(
    index: Index,
    phrases: Sequence[str],
    *,
    vectors: Sequence[Vector | None],
    kind: ItemKind,
    where: Where,
    embedder: Embedder | None,
    stem: Stemmer,
) -> Question:
    """Prepare a question for items of one kind."""
    total, frequencies = index.frequencies(looked_up(phrases, stem), kind)
    asked = tuple(
        Asked(text, wanted(text, frequencies, total=total, stem=stem), vector)
        for text, vector in zip(phrases, vectors, strict=True)
    )
    dense = embedder is not None and any(a.vector is not None for a in asked)
    return Question(
        asked=asked,
        kind=kind,
        where=where,
        model=embedder.name if embedder and dense else None,
        medians=index.calibration(embedder.name) if embedder and dense else {},
        baseline=embedder.baseline if embedder and dense else {},
    )


def query_vectors(
    index: Index, embedder: Embedder | None, *, phrases: Sequence[str]
) -> tuple[list[Vector | None], str]:
    """The vectors of the phrases, and why there are none when there are none."""
    nothing: list[Vector | None] = [None] * len(phrases)
    if not any(_says_something(phrase) for phrase in phrases):
        return nothing, ""  # an emoji or a dash means nothing to an embedder: words decide
    if embedder is None:
        return nothing, "no embedder: words and graph only"
    if not index.models().get(embedder.name):
        return nothing, f"no vectors of {embedder.name} yet: words and graph only"
    try:
        return [
            embedder.query(phrase) if _says_something(phrase) else None for phrase in phrases
        ], ""
    except ProviderError as error:
        return nothing, f"the embedder failed, words and graph only: {error}"


def candidates(
    index: Index,
    question: Question,
    *,
    top_k: int,
    stem: Stemmer,
    text_of: Callable[[Sequence[str]], Mapping[str, str]],
) -> list[Candidate]:
    """The best items of the dense and words arms together, most similar first."""
    near: dict[str, dict[str, Scored]] = {}
    worded: dict[str, dict[str, Scored]] = {}
    for asked in question.asked:
        if asked.vector is not None and question.model is not None:
            found = index.nearest(
                question.model, asked.vector, kind=question.kind, where=question.where, limit=top_k
            )
            near[asked.text] = {item.id: item for item in found}
        found = index.match(asked.text, question.kind, where=question.where, limit=top_k)
        worded[asked.text] = {item.id: item for item in found}
    ids = list(dict.fromkeys(i for hits in (*near.values(), *worded.values()) for i in hits))
    return judged(index, question, ids=ids, stem=stem, text_of=text_of, near=near, worded=worded)


def judged(
    index: Index,
    question: Question,
    *,
    ids: Sequence[str],
    stem: Stemmer,
    text_of: Callable[[Sequence[str]], Mapping[str, str]],
    near: Mapping[str, Mapping[str, Scored]] | None = None,
    worded: Mapping[str, Mapping[str, Scored]] | None = None,
) -> list[Candidate]:
    """How similar each of these items is to the question, whether an index found it or not."""
    texts = {i: text[:_READ] for i, text in text_of(ids).items()}
    shares = {i: han_share(text) for i, text in texts.items()}
    asked_for = {t for asked in question.asked for group, _ in asked.words.pieces for t in group}
    held_in = holder(asked_for, stem)
    terms = {i: held_in(text) for i, text in texts.items()}
    by_item: dict[str, list[tuple[float, tuple[ArmScore, ...]]]] = {i: [] for i in texts}
    for asked in question.asked:
        close = dict((near or {}).get(asked.text, {}))
        missing = [i for i in texts if i not in close]
        if asked.vector is not None and question.model is not None and missing:
            rest = index.similarities(
                question.model, asked.vector, kind=question.kind, ids=missing, where=question.where
            )
            close.update({i: Scored(i, cosine) for i, cosine in rest.items()})
        ranks, asking = _ranks(close), han_share(asked.text)
        lexical = (worded or {}).get(asked.text, {})
        lexical_ranks = _ranks(lexical)
        for item in texts:
            arms = []
            if item in close:
                vote = mixed_similarity(
                    close[item].score,
                    asking,
                    passage_han=shares[item],
                    medians=question.medians,
                    baseline=question.baseline,
                )
                arms.append(ArmScore(DENSE, close[item].score, vote, ranks[item]))
            covered = coverage(asked.words, terms[item])
            if covered > 0:
                raw = lexical[item].score if item in lexical else 0.0
                arms.append(ArmScore(WORDS, raw, covered, lexical_ranks.get(item, 0)))
            by_item[item].append((fused(arms), tuple(arms)))
    found = [_best(item, votes) for item, votes in by_item.items()]
    return sorted(found, key=lambda c: (-c.similarity, c.id))


def fused(arms: Sequence[ArmScore]) -> float:
    """One similarity from the arms' votes: 1 - (1 - dense)(1 - 0.75 words), a noisy or.

    Either arm alone can carry an item, and agreement counts. Words are discounted: sharing words
    is weaker evidence than sharing meaning, above all for short questions.
    """
    votes = {arm.arm: arm.vote for arm in arms}
    return 1 - (1 - votes.get(DENSE, 0.0)) * (1 - 0.75 * votes.get(WORDS, 0.0))


def _best(item: str, votes: list[tuple[float, tuple[ArmScore, ...]]]) -> Candidate:
    """Several phrases: the best one counts most, the mean of all rewards an item that fits all."""
    if not votes:
        return Candidate(item, 0.0, ())
    top, arms = max(votes, key=lambda vote: vote[0])
    mean = sum(vote for vote, _ in votes) / len(votes)
    return Candidate(item, 0.7 * top + 0.3 * mean, arms)


def _ranks(found: Mapping[str, Scored]) -> dict[str, int]:
    ordered = sorted(found.values(), key=lambda s: (-s.score, s.id))
    return {item.id: rank for rank, item in enumerate(ordered, 1)}


def _says_something(phrase: str) -> bool:
    return any(char.isalnum() for char in phrase)
