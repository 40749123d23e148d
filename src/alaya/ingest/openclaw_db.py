"""OpenClaw's `openclaw-agent.sqlite`, read only, session by session.

The cursor of a session is (generation, seq): where the generation changed, its history was
rewritten, and it is read again from its beginning.
"""

from __future__ import annotations

import dataclasses
import glob
import hashlib
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import apsw

from alaya.errors import InvalidInput
from alaya.ingest.content import text_or_none
from alaya.ingest.found import Broken, Carry, Found, Reread, Row, Rows, SourceInfo, Tip
from alaya.ingest.lines import MAX_LINE, LineReader, excerpt, parse_json
from alaya.ingest.openclaw import parse

NEED_ZSTD = "compressed with zstd: install `alaya-agent-memory[zstd]` and ingest again"
_LARGEST_ARCHIVE = 1 << 28


def read_database(path: Path, carry: Carry, *, origin: SourceInfo) -> Iterator[Found]:
    """What is new in every session of the database, then the archived transcripts.

    Raises apsw.Error where the file is no such database or cannot be read.
    """
    with _opened(path) as database:
        if not _columns(database, "transcript_events"):
            yield Broken("no table transcript_events: not an OpenClaw agent database")
            return
        sessions: Carry = carry.setdefault("sessions", {})
        generations = dict(_select(database, "transcript_rewrite_watermarks", "generation"))
        for name in _session_ids(database):
            state = sessions.setdefault(name, {})
            generation = generations.get(name)
            described = dataclasses.replace(
                origin, hints={**origin.hints, **_hints(database, name)}
            )
            if state and state.get("generation") != generation:
                state.clear()
                if not _has_file(path, name):
                    yield Reread(name)
            state["generation"] = generation
            inner = state.setdefault("carry", {})
            rows = _Events(database, name, seq=int(state.get("seq", -1)))
            if rows.has_any():
                for found in parse(rows, inner, origin=described):
                    if isinstance(found, Tip):
                        found = dataclasses.replace(found, alone=not _has_file(path, name))
                    yield found
            state["seq"] = rows.seq
        yield from _archives(database, carry, origin=origin)


class _Events:
    """The events of one session after `seq`, which follows along."""

    def __init__(self, database: apsw.Connection, session: str, *, seq: int) -> None:
        self._database = database
        self._session = session
        self.seq = seq

    def has_any(self) -> bool:
        found = self._database.execute(
            "SELECT 1 FROM transcript_events WHERE session_id = ? AND seq > ? LIMIT 1",
            (self._session, self.seq),
        )
        return found.fetchone() is not None

    def __iter__(self) -> Iterator[Row | Broken]:
        query = (
            "SELECT seq, length(event_json), substr(event_json, 1, ?) FROM transcript_events"
            " WHERE session_id = ? AND seq > ? ORDER BY seq"
        )
        for seq, size, text in self._database.execute(query, (MAX_LINE, self._session, self.seq)):
            self.seq = int(seq)
            raw = text.encode("utf-8", "replace") if isinstance(text, str) else bytes(text or b"")
            if size and size > MAX_LINE:
                reason = f"event {self._session}/{seq} of {size} characters is over the limit"
                yield Broken(reason, self.seq, None, excerpt(raw))
                continue
            try:
                yield Row(self.seq, 0, 0, parse_json(raw))
            except ValueError as error:
                reason = f"event {self._session}/{seq} is not JSON: {error}"
                yield Broken(reason, self.seq, None, excerpt(raw))


def _has_file(path: Path, session: str) -> bool:
    """Whether JSON lines of the session remain: they may hold history that the database lacks,
    so what the database no longer holds is not superseded."""
    return any((path.parent.parent / "sessions").glob(f"{glob.escape(session)}*.jsonl"))


def _opened(path: Path) -> apsw.Connection:
    """A read-only connection. Without write access to its folder a WAL file cannot be opened so:
    where no WAL is left, nobody is writing, and the file is opened as it stands."""
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    name = quote(str(path.absolute()))
    try:
        database = apsw.Connection(f"file:{name}?mode=ro", flags=flags)
        database.set_busy_timeout(30_000)
        database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        if path.with_name(path.name + "-wal").exists():
            raise
        database = apsw.Connection(f"file:{name}?mode=ro&immutable=1", flags=flags)
    return database


def _columns(database: apsw.Connection, table: str) -> set[str]:
    return {str(row[1]) for row in database.execute(f"PRAGMA table_info({table})")}


def _select(
    database: apsw.Connection, table: str, *columns: str, key: str = "session_id"
) -> Iterator[tuple[Any, ...]]:
    """`key` and these columns of a table; nothing where the table or a column is not there."""
    if _columns(database, table) >= {key, *columns}:
        yield from database.execute(f"SELECT {key}, {', '.join(columns)} FROM {table}")


def _session_ids(database: apsw.Connection) -> list[str]:
    """In the order in which they began."""
    query = "SELECT session_id FROM transcript_events GROUP BY session_id ORDER BY min({})"
    by = "created_at" if "created_at" in _columns(database, "transcript_events") else "rowid"
    return [str(row[0]) for row in database.execute(query.format(by))]


def _hints(database: apsw.Connection, session: str) -> dict[str, str]:
    """What the tables beside the transcript say of a session."""
    window = _first_row(database, "session_windows", key="session_id", value=session)
    key = text_or_none(window.get("session_key"))
    hints = {
        "session": session,
        "key": key,
        "agent": key.split(":")[1] if key and key.startswith("agent:") else None,
        "channel": text_or_none(window.get("channel")),
        "parent": text_or_none(window.get("previous_session_id")),
        "started_at": text_or_none(window.get("started_at") or window.get("created_at")),
        "title": text_or_none(window.get("display_name")),
    }
    if key:
        node = _first_row(database, "session_nodes", key="session_key", value=key)
        hints["title"] = (
            text_or_none(node.get("display_name") or node.get("label")) or (hints["title"])
        )
    return {name: value for name, value in hints.items() if value}


def _first_row(database: apsw.Connection, table: str, *, key: str, value: str) -> Mapping[str, Any]:
    columns = sorted(_columns(database, table))
    if key not in columns:
        return {}
    chosen = ", ".join(f'"{name}"' for name in columns)
    row = database.execute(f"SELECT {chosen} FROM {table} WHERE {key} = ?", (value,)).fetchone()
    return dict(zip(columns, row, strict=True)) if row else {}


def _archives(database: apsw.Connection, carry: Carry, *, origin: SourceInfo) -> Iterator[Found]:
    """Transcripts of sessions that were reset or deleted; each is read once."""
    columns = _columns(database, "session_transcript_archives")
    if not columns >= {"session_id", "encoding", "archive_blob"}:
        return
    done: list[str] = carry.setdefault("archives", [])
    live = set(carry["sessions"])
    key = "session_key" if "session_key" in columns else "''"
    for rowid, name, key_of_it in database.execute(
        f"SELECT rowid, session_id, {key} FROM session_transcript_archives ORDER BY rowid"
    ).fetchall():
        encoding, blob = database.execute(
            "SELECT encoding, archive_blob FROM session_transcript_archives WHERE rowid = ?",
            (rowid,),
        ).fetchone() or ("identity", b"")
        raw = blob.encode("utf-8") if isinstance(blob, str) else bytes(blob)
        mark = f"{name}:{hashlib.sha256(raw).hexdigest()[:16]}"
        if mark in done:
            continue
        try:
            rows: Rows = LineReader(io.BytesIO(_unpacked(raw, str(encoding))))
        except InvalidInput as error:
            yield Broken(f"archive of {name}: {error}")
            continue
        hints = {"session": str(name), "key": str(key_of_it or "")}
        for found in parse(
            rows, {}, origin=dataclasses.replace(origin, hints={**origin.hints, **hints})
        ):
            # where the session lives on, its own tree says which branch is active
            if not (isinstance(found, Tip) and name in live):
                yield found
        done.append(mark)


def _unpacked(raw: bytes, encoding: str) -> bytes:
    """The bytes of an archive. Raises InvalidInput with what to do."""
    if encoding == "identity":
        return raw
    if encoding != "zstd":
        raise InvalidInput(f"unknown encoding {encoding!r}")
    try:
        import zstandard
    except ImportError as error:
        raise InvalidInput(NEED_ZSTD) from error
    try:
        with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(raw)) as stream:
            unpacked: bytes = stream.read(_LARGEST_ARCHIVE)
    except zstandard.ZstdError as error:
        raise InvalidInput(f"broken zstd data: {error}") from error
    return unpacked
