"""The commands that keep and let go: pin, forget, forgotten, restore."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

from alaya.cli.opening import open_memory
from alaya.cli.page import Page, day, one_line
from alaya.cli.parser import BadUsage
from alaya.cli.result import Result, document
from alaya.model.forgetting import Changed, ForgottenCard

_TITLE, _ID, _SHOWN = 80, 100, 20


def pin(args: Namespace, page: Page) -> Result:
    """Keep cards from being forgotten, or (--off) let them go again."""
    with open_memory(args) as memory:
        found = memory.unpin(*args.cards) if args.off else memory.pin(*args.cards)
    return _result(found, key="unpin" if args.off else "pin")


def forget(args: Namespace, page: Page) -> Result:
    """Hide cards: those that are named, or those that a query finds."""
    if bool(args.cards) == bool(args.query.strip()):
        raise BadUsage(page.say("bad.forget"), "")
    with open_memory(args) as memory:
        found = memory.forget(
            *args.cards,
            query=args.query,
            limit=args.limit,
            reason=args.reason,
            dry_run=args.dry_run,
        )
    return _result(found, key="would_forget" if args.dry_run else "forget")


def restore(args: Namespace, page: Page) -> Result:
    """Bring forgotten cards back; or, with --backup, a whole home."""
    if bool(args.cards) == bool(args.backup):
        raise BadUsage(page.say("bad.restore"), "")
    if args.backup:
        from alaya.cli.erasing import restore_backup

        return restore_backup(args, page)
    with open_memory(args) as memory:
        found = memory.restore(*args.cards)
    return _result(found, key="restore")


def forgotten(args: Namespace, page: Page) -> Result:
    """What is hidden."""
    with open_memory(args) as memory:
        found = memory.forgotten(limit=args.limit + 1, offset=args.offset)
    more = args.offset + args.limit if len(found) > args.limit else None
    shown = found[: args.limit]
    listed = [
        {
            "id": one.card.id,
            "title": one.card.title,
            "kind": one.card.kind.value,
            "forgotten_at": document(one.forgotten_at),
            "reason": one.reason,
        }
        for one in shown
    ]
    return Result(
        {"forgotten": listed, "more": more}, lambda page: _forgotten(shown, page, more=more)
    )


def _result(found: Changed, *, key: str) -> Result:
    return Result(
        document(found),
        lambda page: _lines(found, page, key=key),
        confirms=not found.dry_run and not found.needed_by,
    )


def _lines(found: Changed, page: Page, *, key: str) -> list[str]:
    say = page.say
    lines = [
        page.done(say(f"forgetting.{key}", title=one_line(title, _TITLE), id=one_line(name, _ID)))
        for name, title in found.cards[:_SHOWN]
    ]
    if len(found.cards) > _SHOWN:
        lines.append(say("forgetting.more", count=len(found.cards) - _SHOWN))
    lines += [
        say(f"forgetting.{key}_before", title=one_line(title, _TITLE), id=one_line(name, _ID))
        for name, title in found.unchanged[:_SHOWN]
    ]
    lines += [
        page.warn(say("forget.needed", id=one_line(name, _ID), by=one_line(by, _ID)))
        for name, by in found.needed_by[:_SHOWN]
    ]
    if not lines:
        lines = [say("forget.nothing")]
    if key == "forget" and found.cards:
        lines += page.hints(say("forget.next"))
    return lines


def _forgotten(found: Sequence[ForgottenCard], page: Page, *, more: int | None) -> list[str]:
    say = page.say
    if not found:
        return [say("forgotten.none")]
    lines = [page.heading("🍂", say("forgotten.heading"))]
    for one in found:
        why = f" ({one_line(one.reason, _TITLE)})" if one.reason else ""
        lines.append(f"  {day(one.forgotten_at)}  {one_line(one.card.title, _TITLE)}{why}")
        lines.append(page.styled(f"    {one_line(one.card.id, _ID)}", "dim"))
    return [*lines, *([] if more is None else [say("knowledge.more", offset=more)])]
