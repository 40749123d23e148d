"""Session files and the journal written anew for an erasure, each line as long as it was.

Everything is written beside the old files first, and renamed in an order in which a crash leaves
what the next run needs to end it: the journal before the sessions whose words it no longer holds.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from alaya.errors import ArchiveError
from alaya.model.change import Change, SessionGrew
from alaya.model.codec import decode, decode_change, encode, encode_change
from alaya.model.raw import Session, Turn
from alaya.stores.files import sessions
from alaya.stores.files.disk import named_errors, sync_folder
from alaya.stores.files.journal import blanked_line, is_blanked, line_hash

_STAGED = ".erasing"


class FileRewriting:
    """The rewriting of one home; `discard` throws away what was not committed."""

    def __init__(self, raw: Path) -> None:
        self._journal = raw / "journal"
        self._sessions = raw / "sessions"
        self._staged: dict[Path, Path] = {}  # of sessions: where the file goes, and where it is
        self._months: list[Path] = []
        self._dropped: list[Path] = []

    def session(
        self,
        session: Session,
        generation: int,
        *,
        header: Callable[[Session], Session],
        turn: Callable[[Turn], Turn],
    ) -> None:
        path = self._path(session, generation)

        def line(number: int, old: bytes) -> bytes:
            value = json.loads(old)
            if number:
                before: Turn = decode(Turn, value)
                after = turn(before)
                return old if after == before else _fitted(encode(after), value, line=old)
            kept: Session = decode(Session, value)
            new = header(kept)
            first = {k: value[k] for k in ("alaya", "generation") if k in value}
            return old if new == kept else _fitted({**first, **encode(new)}, value, line=old)

        self._staged[path] = _written(path, line)

    def drop_session(self, session: Session, generation: int) -> None:
        self._dropped.append(self._path(session, generation))

    def grown(self, change: SessionGrew) -> str:
        path = self._path(change.session, change.generation)
        found = sessions.range_hash(self._staged.get(path, path), change.start, end=change.end)
        if found is None:
            raise ArchiveError(f"{path} is shorter than it was; restore it from a backup")
        return found

    def journal(
        self, blank: Callable[[Change], Change | None], *, salt: str, anonymous: str | None
    ) -> Mapping[int, str]:
        found: dict[int, str] = {}

        def line(_: int, old: bytes) -> bytes:
            record = json.loads(old)
            changes = [_blanked(change, blank) for change in record["changes"]]
            kept = [change for change in changes if change is not None]
            actor = str(record.get("actor", ""))
            if kept == record["changes"] and actor != anonymous:
                again = (
                    blanked_line(old, kept, actor=actor, salt=salt) if is_blanked(record) else b""
                )
                if again == old:  # by a run of this erasure that was interrupted
                    found[record["seq"]] = line_hash(old)
                return old
            new = blanked_line(old, kept, actor="" if actor == anonymous else actor, salt=salt)
            found[record["seq"]] = line_hash(new)
            return new

        for path in sorted(self._journal.glob("????-??.jsonl"), reverse=True):
            self._months.append(path)
            _written(path, line)
        return found

    def commit(self) -> None:
        for path in self._months:  # the newest first: what is named was named in an older one
            _placed(_beside(path), path)
        self._months.clear()
        for path, staged in self._staged.items():
            readable = path.with_suffix(".md")
            with named_errors(readable, "removing"):
                readable.unlink(missing_ok=True)
            _placed(staged, path)
            sessions.readable_anew(path)
        self._staged.clear()
        for path in self._dropped:
            for gone in (path, path.with_suffix(".md")):
                with named_errors(gone, "removing"):
                    gone.unlink(missing_ok=True)
        for folder in {path.parent for path in self._dropped if path.parent.exists()}:
            sync_folder(folder)
        self._dropped.clear()

    def discard(self) -> None:
        """Remove what was written beside the files, by this run or one that was killed."""
        for folder in (self._journal, self._sessions):
            for path in folder.rglob(f".*{_STAGED}"):
                path.unlink(missing_ok=True)

    def _path(self, session: Session, generation: int) -> Path:
        return sessions.session_file(self._sessions, session, generation=generation)


def _blanked(
    change: Mapping[str, Any], blank: Callable[[Change], Change | None]
) -> Mapping[str, Any] | None:
    before = decode_change(change)
    after = blank(before)
    if after is None or after == before:
        return None if after is None else change
    found: Mapping[str, Any] = _as_before(encode_change(after), change)
    return found


def _as_before(new: Any, old: Any) -> Any:
    """A JSON value written as it was as far as it is the same: 1 and 1.0 are, and 1 is shorter."""
    if isinstance(new, Mapping) and isinstance(old, Mapping):
        known = {key: _as_before(new[key], old[key]) for key in old if key in new}
        return {**known, **{key: value for key, value in new.items() if key not in old}}
    return old if new == old else new


def _fitted(new: Mapping[str, Any], old: Mapping[str, Any], *, line: bytes) -> bytes:
    made = sessions.line_of(_as_before(new, old)).rstrip(b"\n")
    if len(made) >= len(line):
        raise ArchiveError("a turn does not fit in its place once it is blanked")
    return made.ljust(len(line) - 1) + b"\n"


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}{_STAGED}")


def _written(path: Path, line: Callable[[int, bytes], bytes]) -> Path:
    """The file with each of its whole lines as `line` makes it, beside the old one."""
    staged = _beside(path)
    with named_errors(path, "rewriting"), path.open("rb") as old:
        handle = os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as new:
            for number, one in enumerate(_whole_lines(old)):
                new.write(line(number, one))
            new.flush()
            os.fsync(new.fileno())
    return staged


def _whole_lines(file: Any) -> Iterator[bytes]:
    """Half a line at the end was never acknowledged, and is left behind."""
    for line in file:
        if line.endswith(b"\n"):
            yield line


def _placed(staged: Path, path: Path) -> None:
    with named_errors(path, "replacing"):
        staged.replace(path)
        sync_folder(path.parent)
