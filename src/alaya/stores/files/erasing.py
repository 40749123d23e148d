"""The Eraser port on the file system: intents and receipts, sweeping what repeats words.

What stands in the journal and the session files is `rewriting`'s; looking for what is left is
`searching`'s.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from alaya.errors import Busy
from alaya.model.ids import file_name
from alaya.ports_erasing import Has, Rewriting, Scrub, Sweep
from alaya.stores.files.disk import named_errors, read_json, write_all, write_json, write_whole
from alaya.stores.files.lock import held
from alaya.stores.files.rewriting import FileRewriting
from alaya.stores.files.searching import searched

INTENT = "state/erasing.json"
LOCK = "state/erase.lock"
RECEIPTS = "state/receipts"


class FileEraser:
    """The files of one home."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._raw = home / "raw"

    @contextlib.contextmanager
    def alone(self, wait: float) -> Iterator[bool]:
        with contextlib.ExitStack() as stack:
            try:
                stack.enter_context(held(self.home / LOCK, wait))
            except Busy:
                yield False
                return
            yield True

    def begun(self) -> Mapping[str, Any] | None:
        return read_json(self.home / INTENT)

    def begin(self, intent: Mapping[str, Any]) -> None:
        write_json(self.home / INTENT, intent)

    def end(self, receipt: Mapping[str, Any], *, name: str) -> str:
        path = self.home / RECEIPTS / f"{file_name(name)}.json"
        write_json(path, receipt)
        with named_errors(self.home / INTENT, "removing"):
            (self.home / INTENT).unlink(missing_ok=True)
        return str(path)

    @contextlib.contextmanager
    def rewriting(self) -> Iterator[Rewriting]:
        found = FileRewriting(self._raw)
        found.discard()
        try:
            yield found
        finally:
            found.discard()

    def sweep(self, wanted: Sweep) -> Mapping[str, int]:
        done: Counter[str] = Counter()
        sessions = frozenset(wanted.sessions)
        for name in sessions:
            done["drafts"] += _remove(self._raw / "drafts" / file_name(name), lambda _: True)
        for card in wanted.cards:
            path = self._raw / "contexts" / f"{file_name(card)}-context.json"
            done["contexts"] += _remove(path, lambda _: True)
        holds = _holding(wanted.scrub)
        for place in ("drafts", "contexts", "parked"):
            done[place] += _remove(self._raw / place, holds)
        done["cursors"] += _remove(self.home / "state" / "cursors", holds)
        done["cursors"] += _remove(self.home / "state" / "added", holds)
        done["replies"] += _remove(
            self._raw / "replies",
            lambda text: _about(text, wanted, sessions=sessions) or holds(text),
        )
        for place in ("recalls", "usage"):
            for path in sorted((self._raw / place).glob("*.jsonl")):
                done[place] += _blank_lines(path, _log_line(wanted))
        for folder, suffix in (("notes", ".md"), ("logs", ".log")):
            for path in _files(self.home / folder):
                done[folder] += path.suffix == suffix and _scrub_file(path, wanted.scrub)
        done["export"] += _unless_clean(self.home / "export", holds, always=bool(wanted.cards))
        done["database"] += sum(
            _remove(path, lambda _: True) for path in self.home.glob("alaya.db.damaged*")
        )
        done["interrupted"] += _left_by_the_dead(self.home)
        return {place: count for place, count in done.items() if count}

    def own_words(self) -> Iterator[str]:
        """The names of what stands in the documents that alaya keeps for itself."""
        for path in (*_files(self.home / "state"), *_files(self.home / "raw" / "usage")):
            if path.suffix == ".json":
                yield from _keys(read_json(path))

    def search(self, has: Has, *, within: str = "") -> Iterator[tuple[str, bool]]:
        top = self.home / within
        for path in [top] if top.is_file() else _files(top):
            name = path.relative_to(self.home).as_posix()
            if name not in (INTENT, LOCK, "state/lock", "state/embed.lock"):
                yield name, searched(path, has)


def _files(folder: Path) -> list[Path]:
    return sorted(p for p in folder.rglob("*") if p.is_file() and not p.is_symlink())


def _remove(path: Path, wanted: Callable[[str], bool]) -> int:
    """Remove the files at and below a path whose text is wanted; how many."""
    count = 0
    for one in [path] if path.is_file() else _files(path):
        if one.name.startswith("."):
            continue  # another process is writing it; those of the dead are removed
        with named_errors(one, "removing"):
            try:
                found = wanted(one.read_bytes().decode("utf-8", "replace"))
            except FileNotFoundError:
                continue  # it went away meanwhile
            if found:
                one.unlink(missing_ok=True)
                count += 1
    return count


def _holding(scrub: Scrub) -> Callable[[str], bool]:
    """Whether a JSON document (or another text) says any of the words."""

    def holds(text: str) -> bool:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return scrub(text) != text
        return bool(_scrubbed(value, scrub) != value)

    return holds


def _scrubbed(value: Any, scrub: Scrub) -> Any:
    if isinstance(value, str):
        return scrub(value)
    if isinstance(value, Mapping):
        return {key: _scrubbed(item, scrub) for key, item in value.items()}
    return [_scrubbed(item, scrub) for item in value] if isinstance(value, list) else value


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from _keys(item)
    elif isinstance(value, list):
        for item in value:
            yield from _keys(item)


def _about(text: str, wanted: Sweep, *, sessions: frozenset[str]) -> bool:
    """Whether a kept reply of a model is of the user, and of one of the sessions."""
    try:
        reply = json.loads(text)
    except (ValueError, RecursionError):
        return True
    if not isinstance(reply, dict) or reply.get("user") != wanted.user:
        return False
    return wanted.everything or not sessions.isdisjoint(reply.get("about", ()))


def _log_line(wanted: Sweep) -> Callable[[bytes], bytes]:
    """A line of the recall log or of the usage log without the words; as long as it was."""

    def line(old: bytes) -> bytes:
        try:
            value = json.loads(old)
        except (ValueError, RecursionError):
            return b" " * len(old)  # half a line
        if not isinstance(value, dict) or (wanted.everything and value.get("user") == wanted.user):
            return b" " * len(old)
        new = dict(value)
        if isinstance(value.get("query"), dict):
            said = {k: v for k, v in value["query"].items() if k != "where"}
            new["query"] = {**value["query"], **_scrubbed(said, wanted.scrub)}
        if isinstance(value.get("reason"), str):
            new["reason"] = wanted.scrub(value["reason"])
        if new == value:
            return old
        made = json.dumps(new, ensure_ascii=False, separators=(",", ":")).encode()
        return made.ljust(len(old)) if len(made) <= len(old) else b" " * len(old)

    return line


def _blank_lines(path: Path, line: Callable[[bytes], bytes]) -> int:
    """Write the lines that change in their place: others append to the file without a lock."""
    count = 0
    with named_errors(path, "blanking"), path.open("r+b") as file:
        place = 0
        for old in list(file):
            body = old.rstrip(b"\n")
            new = line(body) if old.endswith(b"\n") and body.strip() else body
            if new != body:
                os.lseek(file.fileno(), place, os.SEEK_SET)
                write_all(file.fileno(), new)
                count += 1
            place += len(old)
        if count:
            os.fsync(file.fileno())
    return count


def _scrub_file(path: Path, scrub: Scrub) -> int:
    """A text file with the words blanked; how many files were."""
    with named_errors(path, "reading"):
        old = path.read_bytes()
    text = old.decode("utf-8", "surrogateescape")
    new = scrub(text)
    if new == text:
        return 0
    write_whole(path, new.encode("utf-8", "surrogateescape"))
    return 1


def _unless_clean(folder: Path, holds: Callable[[str], bool], *, always: bool) -> int:
    """Remove an export that holds any of the words, or cards that are gone; how many files."""
    files = _files(folder)
    if not always and not any(holds(p.read_bytes().decode("utf-8", "replace")) for p in files):
        return 0
    for path in files:
        with named_errors(path, "removing"):
            path.unlink(missing_ok=True)
    return len(files)


def _left_by_the_dead(home: Path) -> int:
    """Files that a process had begun to write when it was killed, beside those it would replace."""
    count = 0
    for path in home.rglob(".*.new"):
        parts = path.name.split(".")
        pid = parts[-3] if len(parts) > 3 else ""
        if pid.isdigit() and int(pid) != os.getpid() and not _alive(int(pid)):
            path.unlink(missing_ok=True)
            count += 1
    return count


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
