"""What erase, backup and restore print: a report value in, lines out."""

from __future__ import annotations

from collections.abc import Sequence

from alaya.cli.page import Page, one_line, size
from alaya.cli.show_writes import tilde
from alaya.model.backup import BackupReport, RestoreReport
from alaya.model.erasure import EraseReport, FoundWords, Planned

_SHOWN = 10  # of each kind of thing that goes


def plan_lines(planned: Planned, page: Page) -> list[str]:
    """What an erasure would take, with enough of it to decide."""
    lines = [page.heading("🗑", page.say("erase.plan", user=planned.reach.user))]
    for what in ("sessions", "cards", "entities", "turns"):
        lines += _some(getattr(planned, what), page, what=what)
    for what in ("links", "summaries", "notes"):
        if count := len(getattr(planned.reach, what)):
            lines.append(page.say(f"erase.{what}", count=count))
    if cut := len(planned.reach.cut):
        lines.append(page.say("erase.cut", count=cut))
    return lines


def _some(found: Sequence[tuple[str, str]], page: Page, *, what: str) -> list[str]:
    if not found:
        return []
    lines = [page.say(f"erase.{what}", count=len(found))]
    lines += [f"  {name}  {one_line(words, 80)}" for name, words in found[:_SHOWN]]
    rest = len(found) - _SHOWN
    return [*lines, *([f"  {page.say('more', count=rest)}"] if rest > 0 else [])]


def erase_lines(report: EraseReport, page: Page) -> list[str]:
    """What was removed where, and whether anything is left."""
    say = page.say
    lines = [page.done(say("erase.finished", id=name)) for name in report.finished]
    lines.append(page.done(say("erase.done", id=report.id)))
    for what in ("sessions", "cards", "entities", "turns", "links", "summaries", "notes"):
        if count := report.counts.get(what):
            lines.append(f"  {say(f'erase.{what}', count=count)}")
    if count := report.counts.get("cut"):
        lines.append(f"  {say('erase.cut', count=count)}")
    places = ((say(f"erase.place.{place}"), n) for place, n in sorted(report.removed.items()))
    where = ", ".join(f"{place} {count:,}" for place, count in places)
    lines.append(say("erase.where", where=where))
    if report.shared:
        lines.append(say("erase.shared", count=report.shared))
    if report.remaining:
        lines.append(page.warn(say("erase.remaining", count=len(report.remaining))))
        lines += [f"  {name}" for name in report.remaining[:_SHOWN]]
    else:
        lines.append(page.done(say("erase.proved", files=report.files, words=report.searched)))
    lines.append(say("erase.receipt", path=tilde(report.receipt)))
    return [*lines, *page.hints(say("erase.elsewhere"))]


def check_lines(found: FoundWords, page: Page) -> list[str]:
    """Where words stand."""
    if not found.places:
        return [page.done(page.say("erase.none", files=found.files))]
    lines = [page.warn(page.say("erase.found", count=len(found.places), files=found.files))]
    return [*lines, *(f"  {name}" for name in found.places)]


def backup_lines(report: BackupReport, page: Page) -> list[str]:
    """Where the copy is, and which made room."""
    say = page.say
    lines = [
        page.done(
            say(
                "backup.done",
                path=tilde(report.path),
                records=report.records,
                files=report.files,
                size=size(report.bytes),
            )
        )
    ]
    if report.removed:
        lines.append(say("backup.removed", count=len(report.removed)))
    return lines


def restore_lines(report: RestoreReport, page: Page) -> list[str]:
    """What the home holds now, and where the one before it is."""
    say = page.say
    lines = [
        page.done(
            say(
                "restore.done",
                home=tilde(report.home),
                turns=report.turns,
                cards=report.cards,
                at=f"{report.made_at:%Y-%m-%d %H:%M} UTC",
            )
        )
    ]
    if report.before:
        lines.append(say("restore.before", path=tilde(report.before)))
    if report.erased_since:
        lines.append(page.warn(say("restore.erased", count=len(report.erased_since))))
    return lines
