"""The step of an introspection that consolidates, and the verbs about relations. Of Memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from alaya.errors import ProviderError
from alaya.introspect.consolidate import consolidate_cards
from alaya.introspect.relating import proposals, used, vectors_of
from alaya.introspect.renaming import Renaming
from alaya.model.graph import Relation
from alaya.model.introspection import StepReport, Told
from alaya.model.scope import Scope
from alaya.model.vocabulary import Moved, Proposals
from alaya.parts import How, Opened
from alaya.ports import Progress, Vector


def relation_proposals(memory: Opened) -> Proposals:
    """What could be done about the names of relations: nothing is done by itself."""
    parts = memory.parts
    parts.follow()
    relations = used(parts.index, memory.scope.user)
    vectors: dict[str, Vector] = {}
    why = "" if parts.embedder is not None else parts.embedder_why
    if parts.embedder is not None:
        try:
            vectors = vectors_of(relations, parts.embedder)
        except ProviderError as error:
            why = str(error)
    wanted = parts.config.introspect
    found = proposals(
        relations,
        vectors,
        alias_from=wanted.alias_threshold,
        promote_from=wanted.promote_uses,
    )
    return replace(found, why_no_vectors=why)


def promote_relation(memory: Opened, name: str, *, definition: str | None = None) -> Relation:
    """Make a free relation a core one, with what it means. Raises NotFound and InvalidInput."""
    memory.parts.follow()
    promoted = _renaming(memory).promote(name, definition)
    memory.parts.embed_later()
    return promoted


def alias_relation(memory: Opened, name: str, *, into: str) -> Moved:
    """Let one relation mean another: its links move, in one change, and later ones follow.

    Names of relations are shared by all users of a home; only this user's links move. Raises
    NotFound for a relation that is not in use, and InvalidInput for one that is built in.
    """
    memory.parts.follow()
    return _renaming(memory).alias(name, into)


def split_relation(
    memory: Opened, name: str, *, into: str, links: Sequence[str] = (), reason: str = ""
) -> Moved:
    """Give some links of a relation another one: those of these ids, or whose reason holds a text.

    Raises NotFound and InvalidInput.
    """
    memory.parts.follow()
    return _renaming(memory).split(name, into, links=links, reason=reason)


def _renaming(memory: Opened) -> Renaming:
    parts, scope = memory.parts, memory.scope
    actor = scope.agent or scope.user
    return Renaming(parts.archive, parts.index, scope.user, actor, parts.clock)


def consolidate(memory: Opened, *, dry_run: bool, progress: Progress | None) -> StepReport:
    """Cards that say the same become one, and what is due is summed up: sessions and themes."""
    cards = consolidate_cards(memory, dry_run=dry_run, progress=progress)
    counts, told, left = dict(cards.counts), list(cards.told), list(cards.left)
    counts["aliased"] = _renaming(memory).follow(dry_run=dry_run)
    if counts["aliased"]:
        told.append(Told("aliased", {"count": counts["aliased"]}))
    counts["proposals"] = relation_proposals(memory).count
    if counts["proposals"]:
        told.append(Told("relations", {"count": counts["proposals"]}))
    counts["summaries"] = 0
    if not dry_run:
        made = memory.parts.summarize(Scope(memory.scope.user), session=None, how=How())
        if made is not None:
            counts["summaries"] = len(made.made)
            left += made.left
            if made.made:
                told.append(Told("summaries", {"count": len(made.made)}))
    if counts["merged"] or counts["summaries"]:
        memory.parts.embed_later()
    return StepReport(cards.step, counts, tuple(told), tuple(dict.fromkeys(left)))
