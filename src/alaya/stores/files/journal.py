"""The journal: every change, append-only, one JSON line a record, hash-chained, a file a month.

A record's `sha256` is over its nonce and content; `chain` is over the chain before it and this
hash. The newest chain value is kept apart (state/chain-head.json), so that a tail that was cut off
is missed. An erasure writes the line of a record anew without the words, as long as it was
(`blanked_line`): `sha256` and `chain` stand, the nonce that went with the content keeps its hash
from telling what it was, and what the line is now is hashed in the record of the erasure.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from alaya.errors import ArchiveError, InvalidInput
from alaya.model.change import Change, Erased
from alaya.model.codec import decode_change, encode_change
from alaya.model.record import GENESIS, Position, Record
from alaya.model.report import Difference
from alaya.model.time import format_time, parse_time
from alaya.stores.files.disk import append, named_errors, write_json

_CONTENT = ("seq", "time", "actor", "verb", "changes")
_FIELDS = {*_CONTENT, "nonce", "sha256", "chain"}
_BLANKED = "erased"  # how the nonce of a blanked record begins; that of another is hexadecimal


class Journal:
    """The journal of one home. Appending requires the home's lock; reading requires nothing."""

    def __init__(self, folder: Path, head_file: Path) -> None:
        self._folder = folder
        self._head_file = head_file

    def head(self) -> Position:
        """The end of the journal: the head that was kept apart, and what was written after it."""
        return self.end()[0]

    def end(self) -> tuple[Position, datetime | None]:
        """The head, and the time of its record where that is known."""
        position, time = self._kept_head() or Position(), self._kept_time()
        for record in self.records(position):
            position, time = record.position, record.time
        return position, time

    def append(
        self, head: Position, actor: str, *, verb: str, changes: Sequence[Change], at: datetime
    ) -> Position:
        """Add a record behind `head`, which the caller read under the lock it still holds.

        A half line that a crash left behind the head is cut. The month only moves forward. `at`
        is later than the time of the record before it: see `FileWriter.append`.
        """
        content = {
            "seq": head.seq + 1,
            "time": format_time(at),
            "actor": actor,
            "verb": verb,
            "changes": [encode_change(change) for change in changes],
        }
        nonce = secrets.token_hex(16)
        sha = _content_hash(content, nonce)
        chain = _chain_hash(head.chain, sha)
        line = _dump({**content, "nonce": nonce, "sha256": sha, "chain": chain}) + b"\n"
        name = max(f"{at:%Y-%m}.jsonl", head.file)
        start = head.offset if name == head.file else 0
        append(self._folder / name, line, at=start)
        position = Position(head.seq + 1, chain, name, start + len(line))
        self._keep_head(position, at)
        return position

    def records(self, after: Position) -> Iterator[Record]:
        """The complete records behind a position, each checked against the chain.

        Raises ArchiveError where the journal is shorter than the position or does not go on
        from it.
        """
        position = after
        for line, file, end in self._lines(after):
            record = _parse(line, self._folder / file)
            seq, chain = record.get("seq"), _chain_hash(position.chain, str(record.get("sha256")))
            if seq != position.seq + 1 or record.get("chain") != chain:
                raise ArchiveError(
                    f"{self._folder / file}: record {seq} does not follow record {position.seq}: "
                    "the journal was altered; run `alaya verify` and restore it from a backup"
                )
            position = Position(seq, chain, file, end)
            yield _record(record, position, path=self._folder / file)

    def verify(self) -> Iterator[Difference]:
        """Each place where the journal is not what was written."""
        position = Position()
        erased: dict[int, str] = {}
        blanked: dict[int, tuple[str, str]] = {}
        try:
            kept = self._kept_head() or Position()
            seen_head = kept.seq == 0
            for line, file, end in self._lines(position):
                where = f"{file}, record {position.seq + 1}"
                record = _parse(line, self._folder / file)
                chain = _chain_hash(position.chain, str(record.get("sha256")))
                if record.get("seq") != position.seq + 1 or record.get("chain") != chain:
                    yield _difference("the hash chain is broken here", where)
                    return
                if is_blanked(record):
                    blanked[position.seq + 1] = (where, line_hash(line))
                elif not _as_written(record, line):
                    yield _difference("the content was altered", where)
                erased |= _erased_by(record)
                position = Position(position.seq + 1, chain, file, end)
                seen_head = seen_head or position == kept
        except ArchiveError as error:
            yield _difference(str(error), "journal")
            return
        for seq, (where, now) in blanked.items():
            if erased.get(seq) != now:
                yield _difference("the content was blanked without an erasure", where)
        if not seen_head:
            what = f"the journal ends at record {position.seq}, its head says {kept.seq}"
            why = "the tail was cut or replaced, or a file was renamed"
            yield _difference(f"{what}: {why}", position.file or "journal")

    def head_lost(self) -> Difference | None:
        """Whether the head that is kept apart is gone or cannot be read.

        Nothing else is wrong then: the journal is read, and checked, from its beginning, and the
        next record brings a head with it. A crash right after the first record leaves none, too.
        """
        if self._kept_head() is not None:
            return None
        if not self._head_file.exists() and self.head().seq <= 1:
            return None
        return Difference(
            "L3",
            "the chain head was lost or damaged",
            str(self._head_file),
            "the next thing that is written, such as by `alaya ingest`, makes it anew; "
            "compare the end of raw/journal with a backup: without it a cut is not missed",
        )

    def _files(self) -> list[str]:
        with named_errors(self._folder, "listing"):
            return sorted(p.name for p in self._folder.glob("????-??.jsonl"))

    def _lines(self, after: Position) -> Iterator[tuple[bytes, str, int]]:
        """Complete lines behind a position, with their file and the offset of their end."""
        files = self._files()
        if after.file and after.file not in files:
            raise _shorter(self._folder / after.file, after)
        for name in files:
            if name < after.file:
                continue
            offset = after.offset if name == after.file else 0
            with (
                named_errors(self._folder / name, "reading"),
                (self._folder / name).open("rb") as f,
            ):
                if f.seek(0, 2) < offset:
                    raise _shorter(self._folder / name, after)
                f.seek(offset)
                for line in f:
                    if not line.endswith(b"\n"):
                        break  # half a line: being written now, or left by a crash
                    offset += len(line)
                    yield line, name, offset

    def _kept_head(self) -> Position | None:
        """None when there is none, or none that can be read."""
        with named_errors(self._head_file, "reading"):
            try:
                data = self._head_file.read_bytes()
            except FileNotFoundError:
                return None
        try:
            kept = json.loads(data)
        except (ValueError, RecursionError):
            return None
        match kept:
            case {"seq": int(seq), "chain": str(chain), "file": str(file), "offset": int(offset)}:
                return Position(seq, chain, file, offset)
        return None

    def _kept_time(self) -> datetime | None:
        try:
            return parse_time(json.loads(self._head_file.read_bytes())["time"])
        except (FileNotFoundError, ValueError, KeyError, TypeError, RecursionError, InvalidInput):
            return None  # a head from before times were kept, or none

    def _keep_head(self, head: Position, at: datetime) -> None:
        # An older head stands on the same chain: nothing is lost if a power cut brings it back.
        write_json(
            self._head_file,
            {
                "seq": head.seq,
                "chain": head.chain,
                "file": head.file,
                "offset": head.offset,
                "time": format_time(at),
            },
            lasting=False,
        )


def is_blanked(record: Mapping[str, Any]) -> bool:
    """Whether an erasure wrote this record anew."""
    return str(record.get("nonce")).startswith(_BLANKED)


def line_hash(line: bytes) -> str:
    """What the record of an erasure says of a blanked line."""
    return hashlib.sha256(line).hexdigest()


def blanked_line(
    line: bytes, changes: Sequence[Mapping[str, Any]], *, actor: str, salt: str
) -> bytes:
    """The line of a record with these changes instead, as long as it was.

    `salt` makes the nonce, so that a run that was interrupted writes the same again. Raises
    ArchiveError where they take more room than there is.
    """
    record = json.loads(line)
    nonce = hashlib.sha256(f"{salt}{record['seq']}".encode()).hexdigest()
    nonce = f"{_BLANKED}{nonce}"[: len(record["nonce"])]
    made = _dump({**record, "actor": actor, "changes": changes, "nonce": nonce})
    if len(made) >= len(line):
        raise ArchiveError(f"record {record['seq']} does not fit in its place once it is blanked")
    return made.ljust(len(line) - 1) + b"\n"


def _erased_by(record: dict[str, Any]) -> dict[int, str]:
    """The records that this one says were blanked, each with the hash of its line."""
    changes = record.get("changes")
    return {
        seq: now
        for change in (changes if isinstance(changes, list) else ())
        if isinstance(change, dict) and change.get("type") == Erased.__name__
        for seq, now in zip(change.get("seqs", ()), change.get("lines", ()), strict=False)
    }


def _dump(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _content_hash(record: dict[str, Any], nonce: str) -> str:
    content = [record.get(key) for key in _CONTENT]
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(f"{nonce}\n{text}".encode("utf-8", "replace")).hexdigest()


def _as_written(record: dict[str, Any], line: bytes) -> bool:
    """Whether a record is, byte for byte, what was hashed when it was appended."""
    return (
        record.keys() == _FIELDS
        and _content_hash(record, str(record["nonce"])) == record["sha256"]
        and _dump(record) + b"\n" == line
    )


def _chain_hash(before: str, sha: str) -> str:
    return hashlib.sha256(f"{before}{sha}".encode()).hexdigest()


def _parse(line: bytes, path: Path) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ArchiveError(f"{path}: a line is not JSON: the journal was altered") from error
    if not isinstance(record, dict):
        raise ArchiveError(f"{path}: a line is not a record: the journal was altered")
    return record


def _record(record: dict[str, Any], position: Position, *, path: Path) -> Record:
    try:
        return Record(
            seq=position.seq,
            time=parse_time(record["time"]),
            actor=str(record.get("actor", "")),
            verb=str(record.get("verb", "")),
            changes=tuple(decode_change(c) for c in record["changes"]),
            position=position,
            erased=is_blanked(record),
        )
    except (KeyError, TypeError, AttributeError, InvalidInput) as error:
        raise ArchiveError(f"{path}: record {position.seq} cannot be read: {error}") from error


def _shorter(path: Path, position: Position) -> ArchiveError:
    return ArchiveError(
        f"{path} ends before record {position.seq}, which was acknowledged: the journal was cut "
        "or replaced; restore raw/journal from a backup (`alaya verify` tells more)"
    )


def _difference(what: str, where: str) -> Difference:
    return Difference("L3", what, where, "restore raw/journal from a backup")


__all__ = ["GENESIS", "Journal"]
