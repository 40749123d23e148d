"""What a person or an agent changes by hand: a link between two cards."""

from __future__ import annotations

from dataclasses import replace

from alaya.errors import InvalidInput, NotFound
from alaya.model.change import LinkAdded
from alaya.model.graph import Link
from alaya.model.passage import Where
from alaya.model.relations import canonical, edge_name, relation_name
from alaya.model.scope import Scope
from alaya.ports import Archive, Index
from alaya.projection import Clock, commit

_KNOWN = 1000  # links of a card that are looked through for the same one


def link(archive: Archive, index: Index, *, wanted: Link, clock: Clock) -> Link:
    """Link two cards from now on, as `wanted.scope`; returns the link, or the one that was there.

    `wanted.valid_at` is not read. Raises NotFound for a card that is not there and InvalidInput
    for a link to itself.
    """
    scope, ends = wanted.scope, {wanted.source, wanted.target}
    if len(ends) == 1:
        raise InvalidInput(f"{wanted.source} cannot be linked to itself")
    if not 0 < wanted.weight <= 1:
        raise InvalidInput(f"weight {wanted.weight} is not in (0, 1]")
    named = replace(wanted, scope=Scope(scope.user), relation=relation_name(wanted.relation))
    where = Where(scope=scope)
    made: list[Link] = []

    def decide() -> list[LinkAdded]:
        for node in sorted(ends - {card.id for card, _ in index.cards(sorted(ends), where)}):
            raise NotFound(f"no card {node} (for user {scope.user!r})")
        new = replace(named, valid_at=clock())
        stored = canonical(new)
        for known in index.links(
            [new.source], where, relations=[stored.relation], limit_per_node=_KNOWN
        ):
            if {known.source, known.target} == ends and known.source == stored.source:
                made[:] = [known]
                return []
        made[:] = [new]
        return [LinkAdded(stored)]

    commit(
        archive,
        index,
        decide=decide,
        actor=scope.agent or scope.user,
        verb="link",
        clock=clock,
        touches=(*sorted(ends), edge_name(named)),
    )
    return made[0]
