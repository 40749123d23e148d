"""What `alaya revise`, `history`, `diff`, `undo` and `rollback` print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from alaya.cli.page import Page, day, minute, one_line
from alaya.cli.result import document
from alaya.model.graph import Card
from alaya.model.past import (
    Diff,
    Difference,
    Happened,
    Recorded,
    RollbackReport,
    ThingHistory,
    UndoReport,
    Way,
)

_TITLE = 100
_SHOWN = 20  # differences of a kind
_SIGNS = {Way.ADDED: "+", Way.REMOVED: "-", Way.CHANGED: "~"}


def revised_lines(card: Card, page: Page, *, before: Card) -> list[str]:
    """`alaya revise`."""
    if before.version == card.version:
        return [page.say("revise.same", id=card.id)]
    done = page.say(
        "revise.done", id=card.id, version=card.version, title=one_line(card.title, _TITLE)
    )
    return [page.done(done), *page.hints(page.say("revise.next", id=card.id))]


def history_lines(found: ThingHistory, page: Page) -> list[str]:
    """`alaya history`: versions, then what happened, the oldest first."""
    say = page.say
    title = one_line(found.title, _TITLE)
    lines = [page.heading("📜", f"{found.thing.name}: {title}")]
    if not found.held:
        lines.append(page.warn(say("history.not_held")))
    for version in found.versions:
        until = day(version.retired_at) if version.retired_at else say("history.now")
        words = one_line(version.card.title, _TITLE)
        span = say("history.version", version=version.card.version)
        lines.append(f"  {span} ({day(version.recorded_at)} … {until}): {words}")
    lines.append("")
    return [*lines, *(_happened(one, page) for one in found.happened)]


def _happened(one: Happened, page: Page) -> str:
    what = page.say(f"change.{one.what}", count=1)
    parts = [f"  #{one.seq} {minute(one.at)} {what}"]
    if one.version is not None:
        parts.append(page.say("history.version", version=one.version))
    if one.detail:
        parts.append(f"[{one_line(one.detail, _TITLE)}]")
    parts.append(page.say("past.by", actor=one_line(one.actor, 40), verb=one.verb))
    if one.reason:
        parts.append(f"“{one_line(one.reason, _TITLE)}”")
    if one.undone_by is not None:
        parts.append(page.say("past.undone", seq=one.undone_by))
    return " ".join(parts)


def diff_lines(found: Diff, page: Page) -> list[str]:
    """`alaya diff`: by kind, what was added (+), removed (-), and changed (~)."""
    say = page.say
    span = {
        "first": found.start.seq,
        "start": minute(found.start.at),
        "last": found.end.seq,
        "end": minute(found.end.at),
    }
    lines = [page.heading("🔀", say("diff.heading", **span))]
    if not found.differences:
        return [*lines, say("diff.none")]
    kinds: dict[str, list[Difference]] = {}
    for one in found.differences:
        kinds.setdefault(one.thing.kind.value, []).append(one)
    for kind, listed in kinds.items():
        ways = Counter(one.way for one in listed)
        numbers = ", ".join(f"{_SIGNS[way]}{ways[way]}" for way in Way if ways[way])
        lines.append(f"{_kind(kind, page)} ({numbers})")
        lines += [_difference(one, page) for one in listed[:_SHOWN]]
        if len(listed) > _SHOWN:
            lines.append("  " + say("more", count=len(listed) - _SHOWN))
    return lines


def _difference(one: Difference, page: Page) -> str:
    before, after = (one_line(text, _TITLE) for text in (one.before, one.after))
    words = after if one.way is Way.ADDED else before
    if one.way is Way.CHANGED and before != after:
        words = f"{before} → {after}"
    style = {Way.ADDED: "green", Way.REMOVED: "red", Way.CHANGED: "yellow"}[one.way]
    fields = f" ({', '.join(one.fields)})" if one.fields else ""
    where = "" if words == one.thing.name else page.styled(f"  {one.thing.name}", "dim")
    return f"  {page.styled(_SIGNS[one.way], style)} {words}{fields}{where}"


def diff_document(found: Diff) -> dict[str, Any]:
    """As JSON, each thing by kind and id."""
    return {
        "from": document(found.start),
        "to": document(found.end),
        "differences": [
            {
                "kind": one.thing.kind.value,
                "id": one.thing.name,
                "way": one.way.value,
                "before": one.before,
                "after": one.after,
                "fields": list(one.fields),
            }
            for one in found.differences
        ],
    }


def recorded_lines(found: Sequence[Recorded], page: Page) -> list[str]:
    """`alaya undo --list`: the last records, the newest first."""
    if not found:
        return [page.say("undo.none")]
    lines = [page.heading("🧾", page.say("undo.heading"))]
    for one in found:
        lines.append(_recorded(one, page))
        for title in one.titles:
            lines.append(page.styled(f"      {one_line(title, _TITLE)}", "dim"))
    return [*lines, *page.hints(page.say("undo.next"))]


def _recorded(one: Recorded, page: Page) -> str:
    parts = [f"  #{one.seq} {minute(one.at)}"]
    parts.append(page.say("past.by", actor=one_line(one.actor, 40), verb=one.verb))
    parts.append(_changes(one.changes, page))
    if one.undoes:
        numbers = ", ".join(f"#{seq}" for seq in one.undoes)
        parts.append(page.say("past.undoes", seqs=numbers))
    if one.undone_by is not None:
        parts.append(page.say("past.undone", seq=one.undone_by))
    elif one.refusal:
        parts.append(page.say("past.refused", why=page.local(one.refusal)))
    return " ".join(part for part in parts if part)


def undo_lines(report: UndoReport, page: Page) -> list[str]:
    """`alaya undo`: what was undone, what that changed, and how to have it again."""
    say = page.say
    lines = []
    for one in report.undone:
        key = "undo.would" if report.dry_run else "undo.done"
        lines.append(page.done(say(key, what=_recorded(one, page).strip())))
        for title in one.titles:
            lines.append(page.styled(f"    {one_line(title, _TITLE)}", "dim"))
    if report.changes:
        lines.append("  " + _changes(report.changes, page))
    if report.seq is not None:
        lines += page.hints(say("undo.again", seq=report.seq))
    return lines


def rollback_lines(report: RollbackReport, page: Page) -> list[str]:
    """`alaya rollback`: how far, what differs by kind, and how to go back."""
    say, to = page.say, report.to
    if not report.changes:
        return [say("rollback.nothing", seq=to.seq, at=minute(to.at))]
    key = "rollback.done" if report.seq is not None else "rollback.would"
    head = say(key, seq=to.seq, at=minute(to.at), records=report.records)
    lines = [page.done(head) if report.seq is not None else head]
    for name, count in report.differences:
        kind, _, way = name.partition(".")
        lines.append(f"  {_SIGNS[Way(way)]} {count:,} {_kind(kind, page)}")
    if report.seq is not None:
        lines += page.hints(say("undo.again", seq=report.seq))
    return lines


def _kind(name: str, page: Page) -> str:
    return page.say(f"thing.{name}")


def _changes(changes: Sequence[tuple[str, int]], page: Page) -> str:
    said = ((count, page.say(f"change.{name}", count=count)) for name, count in changes)
    return ", ".join(f"{count:,}× {words}" for count, words in said)
