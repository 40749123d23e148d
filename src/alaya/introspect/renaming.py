"""Promoting a relation, making one an alias of another, splitting one: each is one record."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from alaya.errors import InvalidInput, NotFound
from alaya.introspect.relating import moving, stored
from alaya.model.change import Change, FactRetired, LinkRetired, RelationRevised
from alaya.model.graph import Link, Relation
from alaya.model.passage import Where
from alaya.model.relations import CORE, CORE_NAMES, relation_name
from alaya.model.scope import Scope
from alaya.model.vocabulary import Moved
from alaya.ports import Archive, Index
from alaya.projection import Clock, commit


@dataclass(frozen=True)
class Renaming:
    """The relations of one user, to be tidied. `actor` stands in the journal."""

    archive: Archive
    index: Index
    user: str
    actor: str
    clock: Clock

    def promote(self, name: str, definition: str | None) -> Relation:
        """Make a free relation a core one. Raises NotFound and InvalidInput."""
        told: list[Relation] = []

        def decide() -> list[Change]:
            known = self._known(relation_name(name))
            if known.alias_of:
                raise InvalidInput(f"{known.name} is an alias of {known.alias_of}; promote that")
            meaning = known.definition if definition is None else definition.strip()
            new = replace(known, is_core=True, definition=meaning)
            told[:] = [new]
            return [] if new == known else [_revised(new)]

        self._commit(decide, "relations.promote")
        return told[0]

    def alias(self, name: str, into: str) -> Moved:
        """Let `name` mean `into`, and give its links that name. Raises NotFound, InvalidInput."""
        old, asked, told = relation_name(name), relation_name(into), [Moved("", "", 0)]
        if old in CORE_NAMES:
            raise InvalidInput(f"{old} is built in: it cannot become an alias of another relation")

        def decide() -> list[Change]:
            known = {r.name: r for r in self.index.relations(Scope(self.user))}
            if old not in known:
                raise NotFound(_unknown(old, known))
            new = asked
            if new in known and known[new].alias_of not in (None, old):
                new = known[new].alias_of or new
            if new == old:
                raise InvalidInput(f"{old} cannot be an alias of itself")
            changes = self._aliased(known, old=old, new=new)
            told[0] = Moved(old, new, _links(changes))
            return changes

        self._commit(decide, "relations.alias")
        return told[0]

    def split(self, name: str, into: str, *, links: Collection[str], reason: str) -> Moved:
        """Give some links of `name` the relation `into`: those named, or whose reason holds a text.

        Raises NotFound for a link or relation that is not there, and InvalidInput.
        """
        old, new, told = relation_name(name), relation_name(into), [Moved("", "", 0)]
        if stored(old) == stored(new):
            raise InvalidInput(f"{old} cannot be split into itself")
        if not links and not reason.strip():
            raise InvalidInput(
                "say which links: by their ids, or by a text that their reasons hold"
            )

        def decide() -> list[Change]:
            mine, others = self._links(old, new)
            missing = sorted(set(links) - {link.id for link in mine})
            if missing:
                raise NotFound(f"no link {missing[0]} of the relation {old}")
            text = reason.strip().casefold()
            chosen = [
                link
                for link in mine
                if link.id in links or (text and text in f"{link.reason}\n{link.fact}".casefold())
            ]
            changes = moving(chosen, new, known=others, reason=f"split from {old}")
            told[0] = Moved(old, new, _links(changes))
            return changes

        self._commit(decide, "relations.split")
        return told[0]

    def follow(self, *, dry_run: bool) -> int:
        """Give links that came under a name that is an alias its other name; returns how many."""
        count = 0

        def decide() -> list[Change]:
            nonlocal count
            changes: list[Change] = []
            for relation in self.index.relations(Scope(self.user)):
                if relation.alias_of and relation.frequency:
                    mine, others = self._links(relation.name, relation.alias_of)
                    changes += moving(mine, relation.alias_of, known=others, reason="alias")
            count = _links(changes)
            return [] if dry_run else changes

        self._commit(decide, "introspect.consolidate")
        return count

    def _aliased(self, known: dict[str, Relation], *, old: str, new: str) -> list[Change]:
        changes: list[Change] = []
        if new in known and known[new].alias_of == old:  # the other way round from now on
            changes.append(_revised(replace(known[new], alias_of=None)))
        for relation in known.values():
            means_it = old in (relation.name, relation.alias_of)
            if means_it and new not in (relation.name, relation.alias_of):
                changes.append(_revised(replace(relation, alias_of=new, is_core=False)))
        mine, others = self._links(old, new)
        return [*changes, *moving(mine, new, known=others, reason=f"alias of {new}")]

    def _known(self, name: str) -> Relation:
        known = {r.name: r for r in (*CORE, *self.index.relations(Scope(self.user)))}
        if name not in known:
            raise NotFound(_unknown(name, known))
        return known[name]

    def _links(self, old: str, new: str) -> tuple[list[Link], set[str]]:
        """The links of one relation, also between what is forgotten, and the ids of the other's."""
        where = Where(Scope(self.user), include_forgotten=True, include_quarantined=True)
        links = list(self.index.all_links(where))
        mine = [link for link in links if link.relation == stored(old)]
        return mine, {link.id for link in links if link.relation == stored(new)}

    def _commit(self, decide: Callable[[], Sequence[Change]], verb: str) -> None:
        commit(
            self.archive, self.index, decide=decide, actor=self.actor, verb=verb, clock=self.clock
        )


def _revised(relation: Relation) -> RelationRevised:
    return RelationRevised(replace(relation, frequency=0))  # that is counted, never told


def _links(changes: Sequence[Change]) -> int:
    return sum(isinstance(change, LinkRetired | FactRetired) for change in changes)


def _unknown(name: str, known: Collection[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, known, n=1)
    hint = f"; did you mean {near[0]}?" if near else "; alaya relations lists those in use"
    return f"no relation {name}{hint}"
