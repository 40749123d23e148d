"""The verbs that keep and let go: pin, forget, restore, forgotten. Methods of Memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from alaya.errors import InvalidInput, NotFound
from alaya.introspect.dependants import RESTING
from alaya.introspect.forget import needers
from alaya.model import asking as queries
from alaya.model.change import Change, Forgotten, Pinned, Restored
from alaya.model.forgetting import Changed, ForgottenCard
from alaya.model.graph import Card, CardState
from alaya.model.passage import ItemKind, Where
from alaya.model.scope import Scope
from alaya.parts import Opened
from alaya.projection import commit

PAGE = 50
_LINKS = 1_000  # of one card by which others may need it
_Known = dict[str, tuple[Card, CardState]]


def pin(memory: Opened, *cards: str) -> Changed:
    """Keep these cards from being forgotten or cooled away. Raises NotFound for any unknown."""
    return _pinned(memory, cards, pinned=True)


def unpin(memory: Opened, *cards: str) -> Changed:
    """Let these cards be forgotten again. Raises NotFound for any unknown."""
    return _pinned(memory, cards, pinned=False)


def forget(
    memory: Opened,
    *cards: str,
    query: str = "",
    limit: int | None = None,
    reason: str = "",
    dry_run: bool = False,
) -> Changed:
    """Hide cards from recall, by id or all that a `query` finds; `restore` brings them back.

    Of a query, at most `limit` hits (recall.max_results). Raises NotFound for an unknown card, and
    InvalidInput for a pinned one that was named and where nothing was; a query passes over both.
    """
    if bool(cards) == bool(query.strip()):
        raise InvalidInput("name cards to forget, or give a query that finds them: one of both")
    memory.parts.follow()
    named = cards or _found(memory, query, limit=limit)

    def wanted(known: _Known) -> tuple[list[str], list[str]]:
        pinned = [i for i in named if known[i][1].pinned]
        if pinned and cards:
            raise InvalidInput(
                f"{pinned[0]} is pinned; unpin it first: alaya pin {pinned[0]} --off"
            )
        free = [i for i in named if i not in pinned]
        return _parted(free, [known[i][1].forgotten_at is None for i in free])

    def change(ids: tuple[str, ...]) -> Forgotten:
        return Forgotten(Scope(memory.scope.user), ids, reason or "asked for")

    told = _written(memory, named, verb="forget", parted=wanted, change=change, dry_run=dry_run)
    return replace(told, needed_by=_needed_by(memory, [name for name, _ in told.cards]))


def restore(memory: Opened, *cards: str, reason: str = "") -> Changed:
    """Bring forgotten cards back. Introspection leaves them alone for introspect.forget_days.

    Raises NotFound for any that is not known.
    """

    def wanted(known: _Known) -> tuple[list[str], list[str]]:
        return _parted(cards, [known[i][1].forgotten_at is not None for i in cards])

    def change(ids: tuple[str, ...]) -> Restored:
        return Restored(Scope(memory.scope.user), ids, reason or "asked for")

    memory.parts.follow()
    told = _written(memory, cards, verb="restore", parted=wanted, change=change)
    if told.cards:
        memory.parts.embed_later()
    return told


def forgotten(memory: Opened, *, limit: int = PAGE, offset: int = 0) -> list[ForgottenCard]:
    """What is hidden until it is restored or erased, what was forgotten last first; and why."""
    if limit < 1 or offset < 0:
        raise InvalidInput("limit must be at least 1, offset at least 0")
    parts = memory.parts
    parts.follow()
    where = Where(memory.scope, include_forgotten=True, include_quarantined=True)
    hidden = [
        (state.forgotten_at, card)
        for card, state in parts.index.find_cards(where)
        if state.forgotten_at is not None
    ]
    hidden.sort(key=lambda pair: (pair[0], pair[1].id), reverse=True)
    shown = hidden[offset : offset + limit]
    why = _reasons(memory, {card.id: at for at, card in shown})
    return [ForgottenCard(card, at, why.get(card.id, "")) for at, card in shown]


def _pinned(memory: Opened, cards: Sequence[str], *, pinned: bool) -> Changed:
    def wanted(known: _Known) -> tuple[list[str], list[str]]:
        return _parted(cards, [known[i][1].pinned != pinned for i in cards])

    def change(ids: tuple[str, ...]) -> Pinned:
        return Pinned(Scope(memory.scope.user), ids, pinned)

    memory.parts.follow()
    verb = "pin" if pinned else "unpin"
    return _written(memory, cards, verb=verb, parted=wanted, change=change)


def _written(
    memory: Opened,
    cards: Sequence[str],
    *,
    verb: str,
    parted: Callable[[_Known], tuple[list[str], list[str]]],
    change: Callable[[tuple[str, ...]], Change],
    dry_run: bool = False,
) -> Changed:
    """Commit one change of those of these cards that `parted` puts first; all or none."""
    parts, told = memory.parts, [Changed(dry_run=dry_run)]
    if not cards and verb != "forget":  # a query that finds nothing is no mistake
        raise InvalidInput(f"name at least one card to {verb}")
    names = list(dict.fromkeys(cards))
    where = Where(memory.scope, include_forgotten=True, include_quarantined=True)

    def decide() -> list[Change]:
        known = {card.id: (card, state) for card, state in parts.index.cards(names, where)}
        for name in names:
            if name not in known:
                raise NotFound(f"no card {name} (for user {memory.scope.user!r})")
        going, staying = parted(known)
        told[0] = Changed(
            tuple((i, known[i][0].title) for i in dict.fromkeys(going)),
            tuple((i, known[i][0].title) for i in dict.fromkeys(staying)),
            dry_run=dry_run,
        )
        return [change(tuple(dict.fromkeys(going)))] if going and not dry_run else []

    commit(
        parts.archive,
        parts.index,
        decide=decide,
        actor=memory.scope.agent or memory.scope.user,
        verb=verb,
        clock=parts.clock,
        touches=names,
    )
    return told[0]


def _parted(names: Sequence[str], wanted: Sequence[bool]) -> tuple[list[str], list[str]]:
    pairs = list(zip(names, wanted, strict=True))
    return [n for n, yes in pairs if yes], [n for n, yes in pairs if not yes]


def _found(memory: Opened, query: str, *, limit: int | None) -> list[str]:
    """The cards that a recall of this finds by themselves, not over links; it is not logged."""
    from alaya.verbs import asking  # only here: it loads NumPy

    given = {"limit": limit, "graph_expand": False, "include_cards": True}
    asked = queries.query_of(query, None, scope=memory.scope, given=given)
    hits = asking.recall(memory.parts, asked).hits
    return [hit.id for hit in hits if hit.kind is ItemKind.CARD]


def _needed_by(memory: Opened, going: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """(forgotten card, what stays and depends on it)."""
    where = Where(Scope(memory.scope.user), include_forgotten=True)
    index, ids = memory.parts.index, set(going)
    links = index.edges(sorted(ids), where, relations=RESTING, limit_per_node=_LINKS)
    by = needers(links, ())
    others = sorted({one for i in ids for one in by.get(i, ())} - ids)
    alive = {card.id for card, _ in index.cards(others, Where(Scope(memory.scope.user)))}
    return tuple((i, one) for i in going for one in sorted(by.get(i, set()) & alive))


def _reasons(memory: Opened, since: dict[str, datetime]) -> dict[str, str]:
    """Why these were forgotten, from the journal, which is read only where there is one to tell."""
    found: dict[str, str] = {}
    if not since:
        return found
    from alaya.model.record import Position

    first = min(since.values())
    for record in memory.parts.archive.records(Position()):
        if record.time < first:
            continue
        for change in record.changes:
            if isinstance(change, Forgotten) and change.scope.user == memory.scope.user:
                found |= {i: change.reason for i in change.cards if since.get(i) == record.time}
    return found
