"""Session files: a header line, then a turn a line, append-only; a readable copy beside them."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from alaya.errors import ArchiveError, Denied, InvalidInput
from alaya.model.change import SessionGrew
from alaya.model.codec import decode, encode
from alaya.model.ids import file_name
from alaya.model.raw import ArchivedTurn, Role, Session, Turn
from alaya.model.report import Difference
from alaya.model.scope import DEFAULT_USER
from alaya.stores.files.disk import append, files_below, make_folder, named_errors

_MARKER = re.compile(rb"<!-- (\d+) -->\n\Z")
_HEADER = b'{"alaya":1,"generation":'
_MAX_HEADER = 1 << 24  # bytes
_TOOL_EXCERPT = 2000  # characters of a tool's output in the readable copy


def session_file(folder: Path, session: Session, *, generation: int) -> Path:
    """`2026-03/<id>.jsonl`; another user's sessions and strange ids have a hash in the name."""
    owner = None if session.scope.user == DEFAULT_USER else session.scope.user
    suffix = f"~g{generation}" if generation else ""  # `~` is in no plain name
    name = file_name(session.id, owner)
    return folder / f"{session.started_at:%Y-%m}" / f"{name}{suffix}.jsonl"


def append_turns(
    path: Path, session: Session, *, generation: int, at: int, turns: Sequence[Turn]
) -> tuple[int, int, str]:
    """Write turns at byte `at`; returns the byte range and the hash of what was written."""
    lines = [] if at else [line_of({"alaya": 1, "generation": generation, **encode(session)})]
    lines += [line_of(encode(turn)) for turn in turns]
    data = b"".join(lines)
    append(path, data, at=at)
    end = at + len(data)
    _append_readable(path, session, at=at, end=end, turns=turns)
    return at, end, hashlib.sha256(data).hexdigest()


def read_turns(path: Path, generation: int, *, start: int, end: int) -> Iterator[ArchivedTurn]:
    """The turns in a byte range, with ordinals from 0. The header line is passed over."""
    with named_errors(path, "reading"), path.open("rb") as file:
        file.seek(start)
        offset, ordinal = start, 0
        while offset < end:
            line = file.readline()
            if not line.endswith(b"\n"):
                raise ArchiveError(f"{path} was cut at byte {offset}; restore it from a backup")
            if offset:
                turn = _turn(line, path, offset=offset)
                yield ArchivedTurn(turn, ordinal, generation, offset, len(line))
                ordinal += 1
            offset += len(line)


def read_turn(path: Path, offset: int, *, length: int) -> Turn:
    """One turn by its place."""
    with named_errors(path, "reading"), path.open("rb") as file:
        file.seek(offset)
        return _turn(file.read(length), path, offset=offset)


def range_hash(path: Path, start: int, *, end: int) -> str | None:
    """The hash of a byte range, or None where the file does not reach that far."""
    if not path.exists() or path.stat().st_size < end:
        return None
    found = hashlib.sha256()
    with named_errors(path, "reading"), path.open("rb") as file:
        file.seek(start)
        left = end - start
        while left and (block := file.read(min(left, 1 << 20))):
            found.update(block)
            left -= len(block)
    return found.hexdigest()


def grown(path: Path, change: SessionGrew) -> Iterator[Difference]:
    """Whether the bytes that a record of the journal speaks of are what was written."""
    where = f"{path}, bytes {change.start}-{change.end}"
    try:
        with named_errors(path, "reading"):
            now = range_hash(path, change.start, end=change.end)
    except (ArchiveError, Denied) as error:
        yield Difference("L3", "turns cannot be read", where, str(error))
        return
    if now != change.sha256:
        what = "turns are missing" if now is None else "turns were altered"
        yield Difference("L3", what, where, "restore the file from a backup")


def foreign(folder: Path, known: Collection[Path]) -> Iterator[Difference]:
    """Each session file that is none of ours.

    A file that the journal does not know may be what a crash left before its record: then its
    first line, as far as it goes, is the header of the session whose file it is.
    """
    listed, unread = files_below(folder, ".jsonl")
    yield from unread
    for path in listed:
        if path in known:
            continue
        try:
            with named_errors(path, "reading"), path.open("rb") as file:
                line = file.readline(_MAX_HEADER)
        except (ArchiveError, Denied) as error:
            yield Difference("L3", "a file cannot be read", str(path), str(error))
            continue
        if not _left_by_a_crash(line, path, folder=folder):
            what = "a file that alaya did not write"
            yield Difference("L3", what, str(path), "look at it, and move it out of raw/")


def _left_by_a_crash(line: bytes, path: Path, *, folder: Path) -> bool:
    if not line.endswith(b"\n"):
        return line.startswith(_HEADER[: len(line)]) and len(line) < _MAX_HEADER
    try:
        header = json.loads(line)
        session: Session = decode(Session, header)
        own = session_file(folder, session, generation=int(header["generation"]))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, InvalidInput):
        return False
    return own == path


def line_of(value: object) -> bytes:
    """A JSON value as a line of a session file."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace") + b"\n"


def _turn(line: bytes, path: Path, *, offset: int) -> Turn:
    try:
        turn: Turn = decode(Turn, json.loads(line))
    except (ValueError, RecursionError, InvalidInput) as error:
        raise ArchiveError(
            f"{path} is damaged at byte {offset}; restore it from a backup"
        ) from error
    return turn


def readable_anew(path: Path) -> None:
    """Write the Markdown copy of a whole session file anew."""
    with named_errors(path, "reading"), path.open("rb") as file:
        header = file.readline()
    session: Session = decode(Session, json.loads(header))
    end = path.stat().st_size
    path.with_suffix(".md").unlink(missing_ok=True)
    _append_readable(path, session, at=end, end=end, turns=())


def _append_readable(
    path: Path, session: Session, *, at: int, end: int, turns: Sequence[Turn]
) -> None:
    """Bring the Markdown copy up to `end`. It is no truth: not synced, grown anew when in doubt."""
    readable = path.with_suffix(".md")
    make_folder(readable.parent)
    with named_errors(readable, "writing"):
        whole = at == 0 or _marker(readable) != at
        handle = os.open(readable, os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if whole else 0), 0o600)
        with os.fdopen(handle, "wb") as file:
            if whole:
                file.write(_heading(session).encode("utf-8", "replace"))
                if at:
                    for archived in read_turns(path, 0, start=0, end=at):
                        file.write(_readable(archived.turn).encode("utf-8", "replace"))
            else:
                file.seek(0, os.SEEK_END)
            for turn in turns:
                file.write(_readable(turn).encode("utf-8", "replace"))
            file.write(f"<!-- {end} -->\n".encode())


def _marker(readable: Path) -> int | None:
    """The byte of the session file up to which the copy goes, as its last line says."""
    if not readable.exists():
        return None
    with readable.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 64))
        found = _MARKER.search(file.read())
    return int(found[1]) if found else None


def _heading(session: Session) -> str:
    facts = [f"- started: {_minute(session.started_at)}"]
    facts += [
        f"- {name}: {value}"
        for name, value in (
            ("channel", session.channel),
            ("agent", session.scope.agent),
            ("kind", session.kind.value),
            ("source", session.source),
        )
        if value
    ]
    return f"# {session.title or session.id}\n\n" + "\n".join(facts) + "\n\n"


def _readable(turn: Turn) -> str:
    when = f" ({_minute(turn.said_at)})" if turn.said_at else ""
    text = turn.content
    if turn.role is Role.TOOL and len(text) > _TOOL_EXCERPT:
        text = f"{text[:_TOOL_EXCERPT]}\n[… {len(text) - _TOOL_EXCERPT} more characters]"
    calls = "".join(f"\n→ `{call.name}` {call.arguments[:500]}" for call in turn.tool_calls)
    return f"**[{turn.id}] {turn.name or turn.role.value}**{when}\n\n{text}{calls}\n\n"


def _minute(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"
