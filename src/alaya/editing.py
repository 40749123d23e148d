"""What a person or an agent changes by hand: a link between two cards."""

from __future__ import annotations

from alaya.errors import InvalidInput, NotFound
from alaya.model.change import LinkAdded
from alaya.model.graph import Link
from alaya.model.passage import Where
from alaya.model.relations import canonical, edge_name, relation_name
from alaya.model.scope import Scope
from alaya.model.time import EPOCH
from alaya.ports import Archive, Index
from alaya.projection import Clock, commit

_KNOWN = 1000  # links of a card that are looked through for the same one


def link(archive: Archive, index: Index, *, wanted: Link, scope: Scope, clock: Clock) -> Link:
    """Link two cards; returns the link, or the one that was there. `wanted.valid_at` is not read.

    Raises NotFound for a card that is not there and InvalidInput for a link to itself.
    """
    source, target, name = wanted.source, wanted.target, relation_name(wanted.relation)
    if source == target:
        raise InvalidInput(f"{source} cannot be linked to itself")
    if not 0 < wanted.weight <= 1:
        raise InvalidInput(f"weight {wanted.weight} is not in (0, 1]")
    where = Where(scope=scope)
    made: list[Link] = []

    def decide() -> list[LinkAdded]:
        found = {card.id for card, _ in index.cards([source, target], where)}
        for node in sorted({source, target} - found):
            raise NotFound(f"no card {node} (for user {scope.user!r})")
        link = Link(
            Scope(scope.user), source, name, target, clock(), wanted.weight, wanted.reason
        )
        stored = canonical(link)
        ends = {stored.source, stored.target}
        for known in index.links(
            [source], where, relations=[stored.relation], limit_per_node=_KNOWN
        ):
            if {known.source, known.target} == ends and known.source == stored.source:
                made[:] = [known]
                return []
        made[:] = [link]
        return [LinkAdded(stored)]

    commit(
        archive,
        index,
        decide=decide,
        actor=scope.agent or scope.user,
        verb="link",
        clock=clock,
        touches=(source, target, edge_name(Link(scope, source, name, target, EPOCH))),
    )
    return made[0]
