"""`ingest`: every source that was named, read from where it was read to last time."""

from __future__ import annotations

import dataclasses
import errno
import hashlib
import os
import tempfile
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, BinaryIO, cast

import apsw

from alaya.errors import InvalidInput, OutOfSpace
from alaya.ingest import cursor as cursors
from alaya.ingest.cursor import Cursor, Since
from alaya.ingest.detect import Detected, detect, known_format
from alaya.ingest.expand import Named, Source, expand
from alaya.ingest.formats import hints, read
from alaya.ingest.found import Broken, Carry, Found, SourceInfo, fallback_id
from alaya.ingest.intake import Intake, Into, Tally
from alaya.ingest.lines import LineReader
from alaya.ingest.openclaw_db import read_database
from alaya.ingest.readable import NotRegular, NotUtf8, open_regular
from alaya.ingest.redact import redact
from alaya.model.ids import clean
from alaya.model.record import Parked
from alaya.model.report import IngestReport, SessionTaken
from alaya.model.scope import Scope
from alaya.ports import Archive, Index, Progress
from alaya.projection import Clock, catch_up

_SPOOL = 8 * 1024 * 1024
_EVERY = 200  # things found between two reports of progress
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def take(
    archive: Archive,
    index: Index,
    *,
    sources: Sequence[Named],
    scope: Scope,
    clock: Clock,
    format: str | None = None,
    progress: Progress | None = None,
) -> IngestReport:
    """Ingest files, folders, patterns and streams; what cannot be read is reported, not raised.

    Raises NotFound where no name stands for anything, and InvalidInput for an unknown `format` or
    an empty name.
    """
    wanted = known_format(format) if format else None
    found, missing = expand(sources)
    catch_up(archive, index)  # what is known of sessions is asked before anything is written
    run = _Run(
        Into(archive, index, scope.user, clock),
        scope,
        wanted=wanted,
        progress=progress,
        sources=len(found),
    )
    for name in missing:
        run.parked.append(Parked(clean(name), "no such file or folder", clock()))
    for source in found:
        run.source(source)
    return run.report()


def is_known(archive: Archive, user: str, *, path: Path, size: int) -> bool:
    """Whether a file was ingested up to its present size."""
    cursor = cursors.load(archive.state(cursors.cursor_name(user, str(path.resolve()))))
    return cursor is not None and cursor.size == size


class _Run:
    """One ingest of several sources."""

    def __init__(
        self,
        into: Into,
        scope: Scope,
        *,
        wanted: str | None,
        progress: Progress | None,
        sources: int,
    ) -> None:
        self._into = into
        self._scope = scope
        self._wanted = wanted
        self._progress = progress
        self._sources = sources
        self._tally = Tally()
        self._unchanged = 0
        self._failed = False
        self.parked: list[Parked] = []

    def source(self, source: Source) -> None:
        """Take one source; whatever is wrong with it alone is parked."""
        name = clean(source.name)
        try:
            if source.stream is not None:
                self._stream(source.stream)
            elif source.path is not None:
                self._file(source, source.path)
        except NotUtf8 as error:
            self._park(name, str(error))
        except InvalidInput as error:
            if source.found:
                regular = not isinstance(error, NotRegular)
                reason = "not a session log" if regular else "not a regular file"
                self._tally.skipped[reason] += 1
            else:
                self._park(name, str(error))
        except (OSError, apsw.Error) as error:
            self._failed |= isinstance(error, OSError) and error.errno in _FULL
            self._park(name, _why(error))
        except (ValueError, ArithmeticError, RecursionError) as error:
            self._park(name, f"it cannot be read: {clean(str(error))[:200]}")
        except OutOfSpace as error:
            # Nothing can be written, so this is only reported; what was committed is safe.
            self._failed = True
            self.parked.append(Parked(name, str(error), self._into.clock()))

    def report(self) -> IngestReport:
        """What was taken, in the order in which sessions were first met."""
        taken = []
        for name, count in self._tally.new.items():
            state = self._into.index.session(self._into.scope, name)
            if state is not None and count:
                path = self._into.archive.session_path(state.session, state.generation)
                created = name in self._tally.created
                taken.append(
                    SessionTaken(state.session, count, state.turns, state.tokens, path, created)
                )
        return IngestReport(
            sessions=tuple(taken),
            turns=sum(self._tally.new.values()),
            sources=self._sources,
            unchanged=self._unchanged,
            skipped=dict(self._tally.skipped.most_common()),
            parked=tuple(self.parked),
            redacted=dict(self._tally.redacted.most_common()),
            failed=self._failed,
        )

    def _file(self, source: Source, path: Path) -> None:
        with open_regular(path) as file:
            status = os.fstat(file.fileno())
            name = cursors.cursor_name(self._into.user, source.name)
            cursor = cursors.load(self._into.archive.state(name))
            if cursor is not None and self._wanted not in (None, cursor.format):
                cursor = None  # read as another format it is another source
            changed_at = datetime.fromtimestamp(status.st_mtime, UTC)
            stamp = (status.st_size, status.st_mtime_ns)
            since = cursors.compare(cursor, file, size=stamp[0], mtime_ns=stamp[1])
            if cursor is not None and cursor.format == "openclaw-db":
                detected: Detected | None = Detected(cursor.format)
            elif since in (Since.UNCHANGED, Since.TOUCHED):
                self._unchanged += 1
                return
            elif since is Since.APPENDED and cursor is not None:
                detected = Detected(cursor.format)
            else:
                detected = detect(file, clean(source.name), wanted=self._wanted)
            if detected is None:
                self._tally.skipped["empty file"] += 1
                return
            origin = SourceInfo(
                clean(source.name),
                detected.format,
                self._scope,
                changed_at,
                fallback_id(source.name),
                hints(path, detected.format),
            )
            if detected.format == "openclaw-db":
                done = self._database(path, cursor, origin=origin)
            else:
                done = self._read(file, detected, since=since, cursor=cursor, origin=origin)
            done = dataclasses.replace(done, size=stamp[0], mtime_ns=stamp[1])
            self._into.archive.set_state(name, cursors.dump(done))

    def _read(
        self,
        file: BinaryIO,
        detected: Detected,
        *,
        since: Since,
        cursor: Cursor | None,
        origin: SourceInfo,
    ) -> Cursor:
        """Read an open file from the cursor on; returns the cursor at its end."""
        appending = since is Since.APPENDED and not self._nothing_kept(cursor)
        at = cursor if cursor is not None and appending else Cursor(origin.name, detected.format)
        carry: Carry = dict(at.carry)
        lines = LineReader(file, offset=at.offset, number=at.number, in_line=at.in_line)
        intake = Intake(
            self._into,
            self._tally,
            appending=appending,
            alone=not _has_database(file.name, origin),
            asked=at.asked,
        )
        file.seek(0)
        self._consume(
            intake,
            read(detected, file, rows=lines, carry=carry, origin=origin),
            file=file,
            name=origin.name,
        )
        if not appending:
            self._into.archive.unpark(origin.name)
        self._park_all(origin.name, intake.broken)
        done = dataclasses.replace(
            at,
            document=detected.document,
            offset=file.seek(0, os.SEEK_END) if detected.document else lines.position,
            number=lines.number,
            in_line=lines.in_line,
            asked=tuple(intake.asked),
            carry=carry,
        )
        return cursors.sealed(done, file)

    def _nothing_kept(self, cursor: Cursor | None) -> bool:
        """Whether the session the source had begun held no turn yet: its header is still needed."""
        name = cursor.carry.get("session") if cursor else None
        return isinstance(name, str) and self._into.index.session(self._into.scope, name) is None

    def _database(self, path: Path, cursor: Cursor | None, *, origin: SourceInfo) -> Cursor:
        carry: Carry = dict(cursor.carry) if cursor else {}
        intake = Intake(self._into, self._tally, asked=cursor.asked if cursor else ())
        found = read_database(path, carry, origin=origin)
        with open_regular(path) as file:
            self._consume(intake, found, file=file, name=origin.name)
        self._park_all(origin.name, intake.broken)
        if cursor is not None and not intake.turns and not intake.broken:
            self._unchanged += 1
        return Cursor(origin.name, origin.format, asked=tuple(intake.asked), carry=carry)

    def _stream(self, stream: IO[bytes]) -> None:
        """A stream cannot be read twice: it is kept in a temporary file while it is read."""
        with tempfile.SpooledTemporaryFile(max_size=_SPOOL) as spooled:
            file = cast(BinaryIO, spooled)
            found = hashlib.sha256()
            while block := stream.read(1 << 20):
                found.update(block)
                file.write(block)
            detected = detect(file, "standard input", wanted=self._wanted)
            if detected is None:
                self._tally.skipped["empty input"] += 1
                return
            if detected.format == "openclaw-db":
                raise InvalidInput("a database cannot be read from standard input; name its path")
            name = f"stdin-{found.hexdigest()[:12]}"
            origin = SourceInfo("-", detected.format, self._scope, self._into.clock(), name)
            intake = Intake(self._into, self._tally, alone=False)
            file.seek(0)
            lines = LineReader(file)
            self._consume(
                intake,
                read(detected, file, rows=lines, carry={}, origin=origin),
                file=file,
                name="-",
            )
            self._park_all("-", intake.broken)

    def _consume(
        self, intake: Intake, found: Iterable[Found], *, file: BinaryIO, name: str
    ) -> None:
        """Take everything that was found, telling how far it is."""
        tell = self._progress
        total = file.seek(0, os.SEEK_END)
        file.seek(0)
        what = Path(name).name
        for number, _ in enumerate(intake.take(found)):
            if tell is not None and number % _EVERY == 0:
                tell(what, file.tell(), total=total)
        intake.finish()
        if tell is not None:
            tell(what, total, total=total)

    def _park(self, name: str, reason: str, *, broken: Broken | None = None) -> None:
        at = broken or Broken(reason)
        reason, excerpt = redact(reason)[0], redact(at.excerpt)[0]
        item = Parked(name, reason, self._into.clock(), at.line, at.offset, excerpt)
        self.parked.append(item)
        try:
            self._into.archive.park(item)
        except OutOfSpace:
            self._failed = True  # it is reported, and found again when it is ingested again

    def _park_all(self, name: str, broken: Sequence[Broken]) -> None:
        for one in broken:
            self._park(name, one.reason, broken=one)


def _has_database(path: str, origin: SourceInfo) -> bool:
    """Whether another source may hold turns of the same session that this file has lost."""
    if origin.format != "openclaw":
        return False
    folder = Path(path).parent.parent
    return (folder / "agent" / "openclaw-agent.sqlite").exists()


def _why(error: Exception) -> str:
    """What the operating system or SQLite said, and what to do."""
    if isinstance(error, PermissionError):
        return "no permission to read it; make it readable and ingest again"
    if isinstance(error, FileNotFoundError):
        return "it vanished while it was being ingested"
    if isinstance(error, IsADirectoryError):
        return "a folder that cannot be listed"
    if isinstance(error, apsw.NotADBError | apsw.CorruptError):
        return f"not a readable SQLite database: {error}"
    if isinstance(error, apsw.Error):
        return f"the database cannot be read now: {error}; ingest again"
    return f"it cannot be read: {error}"
