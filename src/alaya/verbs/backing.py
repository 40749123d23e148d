"""The verbs that keep a second copy: backup, and restoring one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from alaya import backup as backing
from alaya.errors import ArchiveError, Busy
from alaya.introspect import audit
from alaya.model.backup import BackupReport, Manifest, RestoreReport
from alaya.model.change import Erased
from alaya.model.record import Position
from alaya.model.scope import Scope
from alaya.parts import Opened, Parts

_WAIT = 60.0  # seconds for an erasure, or another backup


def backup(
    memory: Opened, output: str | Path | None = None, *, keep: int = backing.KEEP
) -> BackupReport:
    """The whole home, of all users, in one file with checksums, while others go on writing.

    `output` is a folder, or a new file `….tar.gz`; without it `backup/` in the home. In a folder
    the newest `keep` stay. The database is not in it: it grows from the rest. Raises InvalidInput,
    Denied, OutOfSpace and Busy.
    """
    parts = memory.parts
    parts.follow()
    with parts.eraser.alone(_WAIT) as alone:
        if not alone:
            raise Busy("another process erases, backs up or restores; try again when it is done")
        return _back_up(parts, None if output is None else Path(output).expanduser(), keep=keep)


def restore_backup(
    file: str | Path,
    home: str | Path | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
) -> RestoreReport:
    """Put what a backup holds in the place of a home (as `Memory.open` finds it).

    It is unpacked beside the home, its checksums are compared, it is opened and verified; only then
    does it take the place of what was there, which is kept under another name. Raises NotFound and
    ArchiveError for what is no whole backup, and Busy.
    """
    file = Path(file).expanduser()
    parts: Parts = import_module("alaya.wiring").parts(home, settings)
    place = parts.config.home.resolve()
    fresh = place.with_name(f".{place.name}.restoring-{os.getpid()}")
    try:
        manifest = backing.unpacked(file, fresh)
        records, turns, cards = _opened(fresh, settings)
        return _placed(file, fresh, parts=parts, manifest=manifest, counts=(records, turns, cards))
    finally:
        parts.index.close()
        if fresh.exists():
            shutil.rmtree(fresh)


def _back_up(parts: Parts, output: Path | None, *, keep: int) -> BackupReport:
    return backing.back_up(
        parts.archive,
        parts.config.home,
        output=output,
        keep=keep,
        at=parts.clock(),
    )


def _opened(folder: Path, settings: Mapping[str, Any] | None) -> tuple[int, int, int]:
    """Grow the database of a home that was unpacked, and verify all of it."""
    parts: Parts = import_module("alaya.wiring").parts(folder, settings)
    try:
        parts.archive.create()
        report = audit.verify(
            parts.archive,
            parts.index,
            scratch=parts.scratch,
            scope=Scope(parts.config.user),
            follow=parts.follow,
        )
        if report.differences:
            first = report.differences[0]
            raise ArchiveError(f"the backup does not verify: {first.what} ({first.where})")
        return report.records, report.turns, report.cards
    finally:
        parts.index.close()


def _placed(
    file: Path,
    fresh: Path,
    *,
    parts: Parts,
    manifest: Manifest,
    counts: tuple[int, int, int],
) -> RestoreReport:
    place = parts.config.home.resolve()
    aside = place.with_name(f"{place.name}.before-{parts.clock():%Y%m%dT%H%M%S}-{os.getpid()}")
    since: tuple[str, ...] = ()

    def put() -> bool:
        return backing.exchanged(fresh, place, aside=aside)

    if place.exists():
        since = _erased_since(parts, manifest)
        there = _alone(parts, put)
    else:
        there = put()
    if there and (aside / backing.FOLDER).is_dir():
        (aside / backing.FOLDER).rename(place / backing.FOLDER)
    records, turns, cards = counts
    return RestoreReport(
        backup=str(file),
        home=str(place),
        made_at=manifest.made_at,
        records=records,
        turns=turns,
        cards=cards,
        before=str(aside) if there else "",
        erased_since=since,
    )


def _alone(parts: Parts, put: Callable[[], bool]) -> bool:
    """While nobody else writes to the home that goes."""
    parts.archive.create()  # the locks stand in its folders
    with parts.eraser.alone(_WAIT) as alone:
        if not alone:
            raise Busy("another process erases, backs up or restores; try again when it is done")
        with parts.archive.lock():
            return put()


def _erased_since(parts: Parts, manifest: Manifest) -> tuple[str, ...]:
    """The erasures of the home that the backup knows nothing of, as far as it can be read."""
    try:
        return tuple(
            change.receipt or f"record {record.seq}"
            for record in parts.archive.records(Position())
            for change in record.changes
            if isinstance(change, Erased) and record.seq > manifest.seq
        )
    except ArchiveError:
        return ()  # it is restored because it is damaged
