"""The commands that list what is known: facts, entities, summaries."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import Any, TypeVar

from alaya.cli import query as queries
from alaya.cli import show_knowledge as show
from alaya.cli.opening import open_memory
from alaya.cli.page import Page
from alaya.cli.result import Result, document
from alaya.errors import InvalidInput, NotFound
from alaya.model.time import utc_now

_TIMES = ("as_of", "believed_at", "since", "until")
_WHOLE = 1_000  # facts of one entity that are shown
_Item = TypeVar("_Item")


def facts(args: Namespace, page: Page) -> Result:
    """Facts that hold; about an entity, or about what a text speaks of."""
    about, narrow = " ".join(args.text), _narrowed(args, page)
    with open_memory(args) as memory:
        found = memory.facts(about, always=args.all, **_paged(args), **narrow)
    shown, more = _cut(found, args)
    return Result(
        {"facts": [show.fact_document(one) for one in shown], "more": more},
        lambda page: show.fact_lines(shown, page, more=more),
    )


def entities(args: Namespace, page: Page) -> Result:
    """Who and what is known; one of them with its facts."""
    name, narrow = " ".join(args.text), _narrowed(args, page)
    with open_memory(args) as memory:
        found = memory.entities(name, **_paged(args), **narrow)
        if name and not found and not args.offset:
            raise NotFound(page.say("entities.unknown", name=name[:80]))
        told = {
            one.entity.id: memory.facts(one.entity.id, always=True, limit=_WHOLE, **narrow)
            for one in (found if name else ())
        }
    shown, more = _cut(found, args)
    listed = []
    for one in shown:
        known = told.get(one.entity.id)
        facts = {} if known is None else {"facts": [show.fact_document(f) for f in known]}
        listed.append({**show.entity_document(one), **facts})

    def lines(page: Page) -> list[str]:
        if not name:
            return show.entity_lines(shown, page, more=more)
        return [
            line
            for one in shown
            for line in show.whole_entity(one, page, facts=told[one.entity.id])
        ]

    return Result({"entities": listed, "more": more}, lines)


def summaries(args: Namespace, page: Page) -> Result:
    """What was talked about, topic by topic."""
    narrow = _narrowed(args, page)
    session = narrow.pop("session", None)
    with open_memory(args) as memory:
        found = memory.summaries(session, **_paged(args), **narrow)
    shown, more = _cut(found, args)
    return Result(
        {"summaries": document(shown), "more": more},
        lambda page: show.summary_lines(shown, page, more=more),
    )


def _paged(args: Namespace) -> dict[str, int]:
    """One more than is shown, to know whether there is more."""
    return {"limit": args.limit + 1, "offset": args.offset}


def _cut(found: Sequence[_Item], args: Namespace) -> tuple[list[_Item], int | None]:
    """What is shown, and where the next page begins."""
    more = args.offset + args.limit if len(found) > args.limit else None
    return list(found[: args.limit]), more


def _narrowed(args: Namespace, page: Page) -> dict[str, Any]:
    """The filters that were typed."""
    typed = vars(args)
    found = {name: typed[name] for name in (*_TIMES, "session") if typed.get(name) is not None}
    try:
        return {
            name: queries.time_of(name, value, now=utc_now()) if name in _TIMES else value
            for name, value in found.items()
        }
    except queries.Wrong as wrong:
        raise InvalidInput(page.say(wrong.key, **wrong.values)) from wrong
