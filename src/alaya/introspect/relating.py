"""The names of relations: which mean the same, which are frequent, which say little.

A relation is compared by its name in words and the reasons that its links give; similarity is the
cosine, 0 at the median of all pairs of relations. What is proposed is only shown; `moving` makes
the changes of a proposal that somebody took up.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from alaya.model.change import Change, FactRetired, LinkAdded, LinkRetired
from alaya.model.graph import Link, Relation
from alaya.model.passage import Where
from alaya.model.relations import CORE_NAMES, INVERSE, canonical
from alaya.model.scope import Scope
from alaya.model.similarity import scaled
from alaya.model.vocabulary import VAGUE, Alike, Proposals, Vague
from alaya.ports import Embedder, Index, Vector

_CLOSE = (
    0.6  # two names of one relation, by name and reasons, are at .61 to .93 (benchmarks/LOG.md)
)
_REASONS, _REASON = 5, 120  # of one relation, and characters of one
_COMPARED = 400  # relations, the most used ones
_FEWEST = 6  # relations from which the median of their cosines says something


@dataclass(frozen=True)
class Used:
    """A relation, with the reasons that its links give most often."""

    relation: Relation
    reasons: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What is embedded."""
        return replace(self.relation, examples=self.relation.examples or self.reasons).text


def used(index: Index, user: str) -> list[Used]:
    """The relations of a user that are no aliases; reads every link."""
    reasons: dict[str, Counter[str]] = {}
    for link in index.all_links(Where(Scope(user))):
        said = " ".join((link.reason or link.fact).split())[:_REASON]
        if said and link.relation not in CORE_NAMES:
            reasons.setdefault(link.relation, Counter())[said] += 1
    found = []
    for relation in index.relations(Scope(user)):
        if relation.alias_of is None:
            counts = reasons.get(relation.name, Counter())
            ranked = sorted(counts, key=lambda said: (-counts[said], said))
            found.append(Used(relation, tuple(ranked[:_REASONS])))
    return found


def vectors_of(relations: Sequence[Used], embedder: Embedder) -> dict[str, Vector]:
    """A vector of each of the most used relations. Raises ProviderError."""
    ranked = sorted(relations, key=lambda u: (not u.relation.is_core, -u.relation.frequency))
    some = ranked[:_COMPARED]
    windows = embedder.passages([one.text for one in some])
    return {one.relation.name: w[0] for one, w in zip(some, windows, strict=True) if w}


def proposals(
    relations: Sequence[Used],
    vectors: Mapping[str, Vector],
    *,
    alias_from: float,
    promote_from: int,
) -> Proposals:
    """What could be done about these."""
    uses = {one.relation.name: one.relation.frequency for one in relations}
    core = {one.relation.name for one in relations if one.relation.is_core}
    alike, clusters = _alike(uses, core, vectors=vectors)
    free = [one for one in relations if one.relation.name not in core]
    return Proposals(
        aliases=tuple(one for one in alike if one.similarity >= alias_from),
        close=tuple(one for one in alike if _CLOSE <= one.similarity < alias_from),
        promote=tuple(
            (one.relation.name, one.relation.frequency)
            for one in free
            if one.relation.frequency > promote_from and one.relation.name not in VAGUE
        ),
        vague=tuple(
            Vague(one.relation.name, one.relation.frequency, one.reasons)
            for one in free
            if one.relation.name in VAGUE
        ),
        clusters=clusters,
    )


def _alike(
    uses: Mapping[str, int], core: set[str], *, vectors: Mapping[str, Vector]
) -> tuple[list[Alike], tuple[tuple[str, ...], ...]]:
    """For each free relation the nearest that is core or more used; and what stands together.

    Clusters are by leaders: the most used first, each relation joins the nearest one before it.
    """
    import numpy as np

    names = sorted(vectors, key=lambda n: (n not in core, -uses[n], n))
    if len(names) < _FEWEST:
        return [], ()
    rows = np.asarray([vectors[name] for name in names])
    cosines = rows @ rows.T
    middle = statistics.median(cosines[np.triu_indices(len(names), 1)].tolist())
    found: list[Alike] = []
    led: dict[str, list[str]] = {}
    for place, name in enumerate(names):
        if name in core or name in VAGUE:
            continue
        before = [(float(cosines[place, n]), names[n]) for n in range(place)]
        near = [(cosine, other) for cosine, other in before if other not in VAGUE]
        cosine, into = max(near, default=(-1.0, ""))
        similarity = round(scaled(cosine, middle), 3)
        if into and similarity >= _CLOSE:
            found.append(Alike(name, into, similarity, uses[name]))
        leaders = [(c, other) for c, other in near if other in led or other in core]
        cosine, leader = max(leaders, default=(-1.0, ""))
        joins = leader if leader and scaled(cosine, middle) >= _CLOSE else name
        led.setdefault(joins, []).append(name)
    clusters = [tuple(dict.fromkeys((leader, *names_))) for leader, names_ in led.items()]
    found.sort(key=lambda one: (-one.similarity, one.name))
    return found, tuple(cluster for cluster in clusters if len(cluster) > 1)


def moving(links: Iterable[Link], into: str, *, known: Iterable[str], reason: str) -> list[Change]:
    """The changes that give these links another relation; all else about them stays.

    A link that stands already under the other name (`known`: ids of what is believed) is kept.
    """
    changes: list[Change] = []
    there = set(known)
    for link in links:
        new = canonical(replace(link, relation=into, recorded_at=None, retired_at=None))
        if new.id == link.id:
            continue
        retired = FactRetired if link.fact else LinkRetired
        changes.append(retired(link.scope, link.id, reason))
        if new.id not in there:
            there.add(new.id)
            changes.append(LinkAdded(new))
    return changes


def stored(name: str) -> str:
    """The name under which links of a relation are stored."""
    return INVERSE.get(name, name)
