"""What becomes of cards that are alike: one of them takes in the other, or they are linked.

Decided on what was read (`candidates`); the caller commits it. Two between which a CONTRADICTS link
stands, or that say opposite things, stay apart; so do two of which one was merged before and
somebody undid it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from alaya.distill.calls import Asker
from alaya.distill.prompts import duplicates
from alaya.introspect.candidates import Neighbours, Pair
from alaya.introspect.merging import elder
from alaya.introspect.sameness import Sameness, compared, opposed
from alaya.model.call import Answered, Call, Unanswered
from alaya.model.graph import Link
from alaya.model.raw import lowest
from alaya.model.relations import CONTRADICTS, SIMILAR_TO, canonical
from alaya.model.scope import Scope
from alaya.model.time import EPOCH

SAME_WORDS = 0.8  # shared, from which one that stands in the other is it, where vectors are missing
_MOST_SIMILAR = 5  # SIMILAR_TO links of a card that introspection makes
_EDGES = 1_000  # of one card that are looked through


@dataclass(frozen=True)
class Rules:
    """From which similarity on two cards may be one, and are linked. `asker` None: by words alone.

    `once`: cards that were one before, by the name of one of them; `dropped`: retired links.
    `asks`: whether a model may be asked anew, else only what it said before counts.
    """

    same: float
    similar: float
    asker: Asker | None = None
    link: bool = True
    asks: bool = True
    once: Mapping[str, str] = field(default_factory=dict)
    dropped: Collection[str] = ()


@dataclass
class Plan:
    """`merges`: by the card that is kept, those that it takes in with the reason. `waiting`: cards
    that were not answered about; `apart`: pairs that contradict each other."""

    merges: dict[str, dict[str, str]] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    waiting: set[str] = field(default_factory=set)
    apart: set[frozenset[str]] = field(default_factory=set)
    asked: int = 0
    left: list[str] = field(default_factory=list)
    stopped: bool = False

    @property
    def moving(self) -> set[str]:
        """All cards that a merge concerns."""
        return {*self.merges, *(one for others in self.merges.values() for one in others)}


def plan(pairs: Iterable[Pair], near: Neighbours, *, rules: Rules) -> Plan:
    """What is to be done about these pairs."""
    found = Plan()
    alike = _distinct(pairs)
    ids = sorted({i for pair in alike for i in (pair.first, pair.second)})
    edges = near.index.edges(ids, near.where, limit_per_node=_EDGES) if ids else []
    linked = {frozenset((e.source, e.target)) for e in edges}
    denied = {frozenset((e.source, e.target)) for e in edges if e.relation == CONTRADICTS}
    similar: dict[str, int] = {}
    for edge in edges:
        for end in (edge.source, edge.target) if edge.relation == SIMILAR_TO else ():
            similar[end] = similar.get(end, 0) + 1
    judged = _judged(alike, near, rules=rules, denied=denied, found=found)
    _merge(found, judged, near=near, denied=denied)
    if rules.link:
        _link(found, alike, near=near, rules=rules, linked=linked, similar=similar)
    return found


def _distinct(pairs: Iterable[Pair]) -> list[Pair]:
    """Each pair once, the most alike first."""
    found: dict[frozenset[str], Pair] = {}
    for pair in pairs:
        key = frozenset((pair.first, pair.second))
        if key not in found or found[key].similarity < pair.similarity:
            found[key] = pair
    return sorted(
        found.values(),
        key=lambda p: (-p.similarity, min(p.first, p.second), max(p.first, p.second)),
    )


_Judged = tuple[str, str, str]  # kept, taken in, why


def _judged(
    pairs: Sequence[Pair],
    near: Neighbours,
    *,
    rules: Rules,
    denied: Collection[frozenset[str]],
    found: Plan,
) -> list[_Judged]:
    """The pairs that are one, those of the very same words first."""
    once: list[_Judged] = []
    asked: list[tuple[Pair, _Judged | None]] = []
    for pair in pairs:
        names = frozenset((pair.first, pair.second))
        sameness = compared(near.wording(pair.first), near.wording(pair.second))
        if sameness is Sameness.OPPOSED or names in denied:
            if pair.similarity >= rules.similar:
                found.apart.add(names)
            continue
        if _hands_off(pair, near, rules=rules):
            continue
        by_words = _by_words(pair, near, sameness=sameness)
        if sameness is Sameness.IDENTICAL and by_words is not None:
            once.append(by_words)
        elif pair.similarity >= rules.same and rules.asker is not None:
            asked.append((pair, by_words))
        elif by_words is not None and (
            pair.similarity >= (rules.same if pair.by_vectors else SAME_WORDS)
        ):
            once.append(by_words)
    return [*once, *_answered(asked, near, rules=rules, found=found)]


def _hands_off(pair: Pair, near: Neighbours, *, rules: Rules) -> bool:
    """Whether they were one before and were parted, or one of them rests on what was corrected."""
    names = (pair.first, pair.second)
    stale = any(near.known[name][1].stale for name in names)
    one, other = (rules.once.get(name) for name in names)
    return stale or (one is not None and one == other)


def _by_words(pair: Pair, near: Neighbours, *, sameness: Sameness) -> _Judged | None:
    """Which of two of one kind is kept, where words alone tell that one holds the other."""
    one, other = near.known[pair.first], near.known[pair.second]
    if one[0].kind is not other[0].kind:
        return None
    if sameness is Sameness.IDENTICAL:
        kept, gone = elder(one, other)
        return kept.id, gone.id, "identical"
    if sameness is Sameness.INSIDE:
        return pair.second, pair.first, "contained"
    return (pair.first, pair.second, "contained") if sameness is Sameness.AROUND else None


def _answered(
    asked: Sequence[tuple[Pair, _Judged | None]], near: Neighbours, *, rules: Rules, found: Plan
) -> Iterable[_Judged]:
    """What the model says of each pair; words decide where it does not answer."""
    if not asked or rules.asker is None:
        return
    cards = [sorted((pair.first, pair.second)) for pair, _ in asked]
    calls = [duplicates.question(near.card(a), near.card(b)) for a, b in cards]
    for names, (_, by_words), answer in zip(cards, asked, _replies(calls, rules), strict=True):
        if isinstance(answer, Answered):
            found.asked += not answer.kept
            told = duplicates.verdict(answer.value)
            if told.same:
                yield names[told.keep - 1], names[2 - told.keep], "model"
            continue
        if answer is not None:
            found.left.append(answer.reason)
            found.stopped = found.stopped or answer.stop
        if by_words is not None:
            yield by_words
        else:
            found.waiting |= set(names)


def _replies(calls: Sequence[Call], rules: Rules) -> Sequence[Answered | Unanswered | None]:
    assert rules.asker is not None
    if rules.asks:
        return rules.asker.ask_all(calls)
    return [rules.asker.kept(call) for call in calls]


def _merge(
    found: Plan,
    judged: Iterable[_Judged],
    *,
    near: Neighbours,
    denied: Collection[frozenset[str]],
) -> None:
    """Each card is kept or taken in, not both: what a chain leads to is found when the card that
    was kept is compared anew."""
    gone: set[str] = set()
    for kept, other, why in judged:
        if kept in gone or other in gone or other in found.merges:
            continue
        beside = found.merges.get(kept, {})
        words = near.wording(other)
        if any(
            frozenset((one, other)) in denied or opposed(near.wording(one), words) for one in beside
        ):
            continue
        found.merges.setdefault(kept, {})[other] = why
        gone.add(other)


def _link(
    found: Plan,
    pairs: Sequence[Pair],
    *,
    near: Neighbours,
    rules: Rules,
    linked: Collection[frozenset[str]],
    similar: Mapping[str, int],
) -> None:
    """SIMILAR_TO between those that nothing links yet, the most alike first, a few for each."""
    moving, count = found.moving, dict(similar)
    for pair in pairs:
        names = frozenset((pair.first, pair.second))
        if (
            not pair.by_vectors
            or pair.similarity < rules.similar
            or names & (moving | found.waiting)
            or names in linked
            or names in found.apart
            or any(count.get(name, 0) >= _MOST_SIMILAR for name in names)
        ):
            continue
        made = _similar(pair, near)
        if made.id in rules.dropped:
            continue
        found.links.append(made)
        for name in names:
            count[name] = count.get(name, 0) + 1


def _similar(pair: Pair, near: Neighbours) -> Link:
    """The same link whenever it is made, so that one that was taken away is known again: it holds
    for as long as both cards do."""
    one, other = near.card(pair.first), near.card(pair.second)
    return canonical(
        Link(
            scope=Scope(near.user),
            source=one.id,
            relation=SIMILAR_TO,
            target=other.id,
            valid_at=EPOCH,
            weight=round(pair.similarity, 3),
            reason=f"similarity {pair.similarity:.2f}",
            origin=lowest([one.origin, other.origin]),
        )
    )
