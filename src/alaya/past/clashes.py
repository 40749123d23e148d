"""Facts that cannot both hold: of what there is one at a time, an undo must not make two."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from itertools import product

from alaya.distill.single import FOR_LIFE, is_over, single
from alaya.model.held import HeldEntity, HeldLink, Thing, ThingKind, Value, thing_of
from alaya.model.scope import Scope
from alaya.past.inverse import Wanted
from alaya.ports import Index


def clashing(index: Index, wanted: Wanted, *, scope: Scope, before: datetime) -> set[Thing]:
    """The links that would stand beside others at one time, once things are as `wanted`.

    Two that were so told stay a contradiction: it is only that undoing does not add one. So those
    that stand so now, or did at `before`, do not count. A link without its ends is not seen: an
    entity that is wanted brings back its links.
    """
    nodes = [t.name for t, v in wanted.items() if t.kind is ThingKind.ENTITY and _is_seen(v)]
    links = {**index.held(_around(nodes), scope), **wanted}
    sources = {v.link.source for v in links.values() if isinstance(v, HeldLink) and _group(v)}
    if not sources:
        return set()
    now = index.held(_around(sources), scope)
    told = {**now, **{t: v for t, v in wanted.items() if t.kind is ThingKind.LINK}}
    before_told = index.held(_around(sources), scope, at=before)
    ends = {end for of in (told, before_told) for v in of.values() for end in _ends(v)}
    at_ends = index.held([thing_of(end) for end in sorted(ends)], scope)
    then = _seen(told, {**at_ends, **wanted})
    known = (
        _seen(now, at_ends),
        _seen(before_told, index.held([thing_of(end) for end in sorted(ends)], scope, at=before)),
    )
    return {
        other
        for one, other in product(then, then)
        if one != other
        and _meet(then[one], then[other])
        and not any(_meet(of.get(one), of.get(other)) for of in known)
    }


def _around(nodes: Iterable[str]) -> list[Thing]:
    return [Thing(ThingKind.AROUND, name) for name in sorted(nodes)]


def _ends(value: Value | None) -> tuple[str, ...]:
    return (value.link.source, value.link.target) if isinstance(value, HeldLink) else ()


def _seen(told: Wanted, nodes: Wanted) -> dict[Thing, HeldLink]:
    """The links of which there is one at a time, and both ends are there."""
    return {
        thing: value
        for thing, value in told.items()
        if isinstance(value, HeldLink)
        and _group(value)
        and all(_is_seen(nodes.get(thing_of(end))) for end in _ends(value))
    }


def _is_seen(value: Value | None) -> bool:
    return value is not None and not (isinstance(value, HeldEntity) and value.merged_into)


def _group(value: HeldLink) -> str:
    """Of what this is the one; empty where others may stand beside it."""
    relation = value.link.relation
    group = "" if is_over(relation) else single(relation)
    return "" if group in FOR_LIFE else group


def _meet(one: HeldLink | None, other: HeldLink | None) -> bool:
    """Whether two facts are of one subject and kind, and of one time."""
    if one is None or other is None:
        return False
    same = (one.link.source, _group(one)) == (other.link.source, _group(other))
    return same and _starts_before_end(one, other) and _starts_before_end(other, one)


def _starts_before_end(one: HeldLink, other: HeldLink) -> bool:
    end = other.ended or other.link.invalid_at
    return end is None or one.link.valid_at < end
