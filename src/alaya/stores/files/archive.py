"""The Archive port on the file system, laid out as docs/architecture.md draws it."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from alaya.errors import ArchiveError, Denied, InvalidInput
from alaya.model.call import KeptReply, Usage
from alaya.model.change import Change, SessionGrew
from alaya.model.codec import decode, encode
from alaya.model.erased_words import session_tombstone
from alaya.model.erasure import MARK
from alaya.model.ids import digest, file_name
from alaya.model.raw import ArchivedTurn, Origin, Role, Session, Turn
from alaya.model.record import Draft, Parked, Position, RecallLog, Record
from alaya.model.report import Difference
from alaya.model.time import format_time
from alaya.ports import Writer
from alaya.stores.files import sessions
from alaya.stores.files.disk import (
    files_below,
    make_folder,
    named_errors,
    read_json,
    write_all,
    write_json,
)
from alaya.stores.files.journal import Journal
from alaya.stores.files.lock import claimed, held
from alaya.stores.files.usage import UsageLog

_TICK = timedelta(microseconds=1)
FOLDERS = (
    "raw/sessions",
    "raw/contexts",
    "raw/drafts",
    "raw/journal",
    "raw/recalls",
    "raw/parked",
    "raw/replies",
    "raw/usage",
    "state",
    "logs",
)


class FileArchive:
    """L3 of one home."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._raw = home / "raw"
        self._usage = UsageLog(self._raw / "usage")
        self._journal = Journal(self._raw / "journal", home / "state" / "chain-head.json")

    def create(self) -> list[str]:
        """Make the folders that are missing; returns their names."""
        made = [name for name in FOLDERS if not (self.home / name).is_dir()]
        for name in made:
            make_folder(self.home / name)
        return made

    @contextlib.contextmanager
    def lock(self) -> Iterator[Writer]:
        with held(self.home / "state" / "lock"):
            yield FileWriter(self._journal, self._session_path)

    def head(self) -> Position:
        return self._journal.head()

    def records(self, after: Position) -> Iterator[Record]:
        return self._journal.records(after)

    def turns(
        self, session: Session, generation: int, *, start: int, end: int
    ) -> Iterator[ArchivedTurn]:
        path = self._session_path(session, generation)
        if not path.exists() and self._is_erased(session):
            return iter(())  # whoever still knows it has read the journal before that
        return sessions.read_turns(path, generation, start=start, end=end)

    def turn(self, session: Session, generation: int, *, offset: int, length: int) -> Turn:
        path = self._session_path(session, generation)
        if not path.exists() and self._is_erased(session):
            return Turn("", Role.SYSTEM, MARK, origin=Origin.SYSTEM)
        return sessions.read_turn(path, offset, length=length)

    def session_path(self, session: Session, generation: int = 0) -> str:
        return str(self._session_path(session, generation))

    def put_draft(self, draft: Draft) -> str:
        content = encode(draft)
        name = _draft_name(content)
        path = self._draft_path(draft.session, name)
        if not path.exists():
            write_json(path, content)
        return name

    def draft(self, session: str, name: str) -> Draft | None:
        content = read_json(self._draft_path(session, name))
        return None if content is None else decode(Draft, content)

    def drop_made_of(self, session: Session) -> None:
        for path in files_below(self._raw / "drafts" / file_name(session.id), ".json")[0]:
            path.unlink(missing_ok=True)
        for path in files_below(self._raw / "replies", ".json")[0]:
            kept = read_json(path)
            mine = kept is not None and kept.get("user") == session.scope.user
            if kept is not None and mine and session.id in kept.get("about", ()):
                path.unlink(missing_ok=True)

    def put_context(self, card: str, value: Mapping[str, Any]) -> str:
        path = self._raw / "contexts" / f"{file_name(card)}-context.json"
        write_json(path, value)
        return str(path)

    def log_recalls(self, recalls: Sequence[RecallLog]) -> None:
        by_month: dict[str, list[str]] = {}
        buried = (self.state("tombstones") or {}).get("at", "")
        for recall in recalls:
            if buried and format_time(recall.at) <= buried:  # it may ask for what was erased since
                recall = replace(recall, query={})
            line = json.dumps(encode(recall), ensure_ascii=False, separators=(",", ":"))
            by_month.setdefault(f"{recall.at:%Y-%m}.jsonl", []).append(line + "\n")
        for name, lines in by_month.items():
            path = self._raw / "recalls" / name
            make_folder(path.parent)
            # One O_APPEND write: lines of several processes never mix, and no lock is needed.
            with named_errors(path, "appending to"):
                handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
                try:
                    write_all(handle, "".join(lines).encode("utf-8", "replace"))
                finally:
                    os.close(handle)

    def recalls(self, since: datetime | None = None) -> Iterator[RecallLog]:
        for path in sorted((self._raw / "recalls").glob("????-??.jsonl")):
            if since is not None and path.stem < f"{since:%Y-%m}":
                continue
            with named_errors(path, "reading"), path.open("rb") as file:
                for line in file:
                    recall = _recall(line)
                    if recall is not None and (since is None or recall.at >= since):
                        yield recall

    def recalls_after(self, after: Position) -> Iterator[tuple[RecallLog, Position]]:
        for path in sorted((self._raw / "recalls").glob("????-??.jsonl")):
            if path.name < after.file:
                continue
            offset = after.offset if path.name == after.file else 0
            with named_errors(path, "reading"), path.open("rb") as file:
                file.seek(offset)
                for line in file:
                    if not line.endswith(b"\n"):
                        break
                    offset += len(line)
                    recall = _recall(line)
                    if recall is not None:
                        yield recall, Position(file=path.name, offset=offset)

    def recalls_size(self) -> int:
        """How many bytes the recall log has: a cheap sign that it grew."""
        return sum(p.stat().st_size for p in (self._raw / "recalls").glob("????-??.jsonl"))

    def park(self, parked: Parked) -> None:
        path = self._parked_path(parked.source, digest(parked.line, parked.offset, parked.reason))
        if not path.exists():
            write_json(path, encode(parked))

    def unpark(self, source: str) -> None:
        for path in (self._raw / "parked").glob(f"{digest(source)}-*.json"):
            path.unlink(missing_ok=True)

    def parked(self) -> Iterator[Parked]:
        for path in sorted((self._raw / "parked").glob("*.json")):
            content = read_json(path)
            if content is not None:
                yield decode(Parked, content)

    def begin_usage(self, usage: Usage, *, limit: int) -> int | None:
        with held(self.home / "state" / "lock"):
            used = self._usage.tokens_on(usage.at) if limit else 0
            if limit and used + usage.tokens > limit:
                return used
            self._usage.append(usage)
        return None

    def end_usage(self, usage: Usage) -> None:
        with held(self.home / "state" / "lock"):
            self._usage.append(usage)

    def usages(self, since: datetime | None = None) -> Iterator[Usage]:
        return self._usage.since(since)

    def claim(self, *name: str) -> contextlib.AbstractContextManager[bool]:
        return claimed(self.home / "state" / "claims" / f"{digest('claim', *name)}.lock")

    def keep_reply(self, key: str, reply: KeptReply) -> None:
        write_json(self._reply_path(key), encode(reply))

    def kept_reply(self, key: str) -> KeptReply | None:
        content = read_json(self._reply_path(key))
        return None if content is None else decode(KeptReply, content)

    def state(self, name: str) -> Mapping[str, Any] | None:
        return read_json(self._state_path(name))

    def set_state(self, name: str, value: Mapping[str, Any] | None) -> None:
        path = self._state_path(name)
        if value is None:
            path.unlink(missing_ok=True)
        else:
            write_json(path, value)

    def size(self) -> int:
        """Bytes in raw/."""
        return sum(p.stat().st_size for p in self._raw.rglob("*") if p.is_file())

    def verify(self) -> Iterator[Difference]:
        found = list(self._journal.verify())
        yield from found
        if found:
            return
        if lost := self._journal.head_lost():
            yield lost
        known: set[Path] = set()
        for record in self._journal.records(Position()):
            for change in record.changes:
                if isinstance(change, SessionGrew):
                    path = self._session_path(change.session, change.generation)
                    known.add(path)
                    yield from sessions.grown(path, change)
        yield from sessions.foreign(self._raw / "sessions", known)
        yield from self._altered_drafts()

    def _altered_drafts(self) -> Iterator[Difference]:
        """Drafts are named by what they hold."""
        listed, unread = files_below(self._raw / "drafts", ".json")
        yield from unread
        for path in listed:
            try:
                content = read_json(path)
            except (ArchiveError, Denied) as error:
                yield Difference("L3", "a draft cannot be read", str(path), str(error))
                continue
            if content is not None and file_name(_draft_name(content)) != path.stem:
                what, advice = "a draft was altered", "restore the file from a backup"
                yield Difference("L3", what, str(path), advice)

    def _is_erased(self, session: Session) -> bool:
        """Whether the file of a session is gone because an erasure took it."""
        buried = self.state("tombstones")
        if buried is None:
            return False
        name = session_tombstone(str(buried["salt"]), session.scope.user, session=session.id)
        return name in buried["hashes"]

    def _session_path(self, session: Session, generation: int) -> Path:
        return sessions.session_file(self._raw / "sessions", session, generation=generation)

    def _draft_path(self, session: str, name: str) -> Path:
        return self._raw / "drafts" / file_name(session) / f"{file_name(name)}.json"

    def _reply_path(self, key: str) -> Path:
        return self._raw / "replies" / key[:2] / f"{file_name(key)}.json"

    def _parked_path(self, source: str, rest: str) -> Path:
        return self._raw / "parked" / f"{digest(source)}-{rest}.json"

    def _state_path(self, name: str) -> Path:
        folder, _, last = name.rpartition("/")
        return self.home / "state" / folder / f"{file_name(last)}.json"


class FileWriter:
    """What may be done while the lock is held."""

    def __init__(self, journal: Journal, session_path: Callable[[Session, int], Path]) -> None:
        self._journal = journal
        self._session_path = session_path
        self._head, self._time = journal.end()

    def head(self) -> Position:
        return self._head

    def append_turns(
        self, session: Session, generation: int, *, at: int, turns: Sequence[Turn]
    ) -> tuple[int, int, str]:
        path = self._session_path(session, generation)
        return sessions.append_turns(path, session, generation=generation, at=at, turns=turns)

    def append(self, actor: str, verb: str, *, changes: Sequence[Change], at: datetime) -> Position:
        # The second time axis never stands still and never goes back, whatever the clock says:
        # what was held at a time, and what was held after a record, is the same question.
        if self._time is not None:
            at = max(at, self._time + _TICK)
        self._head = self._journal.append(self._head, actor, verb=verb, changes=changes, at=at)
        self._time = at
        return self._head


# What was asked and said in words is kept, and does not make a draft another one.
_NOT_IDENTITY = {"raw", "tokens_in", "tokens_out"}


def _draft_name(content: Mapping[str, Any]) -> str:
    return digest("draft", {k: v for k, v in content.items() if k not in _NOT_IDENTITY})


def _recall(line: bytes) -> RecallLog | None:
    """A line of the recall log; None for the half line that a crash may have left."""
    try:
        recall: RecallLog = decode(RecallLog, json.loads(line))
    except (ValueError, RecursionError, InvalidInput):
        return None
    return recall
