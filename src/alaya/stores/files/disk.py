"""Writing so that it stays written: private folders, whole files or none, errors with a name."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from alaya.errors import ArchiveError, Denied, OutOfSpace
from alaya.model.report import Difference

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


@contextlib.contextmanager
def named_errors(path: Path, doing: str) -> Iterator[None]:
    """Turns operating system errors into alaya's, saying what was being done to which file."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise OutOfSpace(
                f"no space left while {doing} {path}; what was acknowledged is safe: "
                "free some space and run the command again"
            ) from error
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise Denied(f"no permission while {doing} {path}: {error.strerror}") from error
        raise ArchiveError(f"failed while {doing} {path}: {error}") from error


def make_folder(path: Path) -> None:
    """Create a folder, and those above it, for the owner only; lasting once it returns."""
    if path.is_dir():
        return
    with named_errors(path, "creating"):
        missing = [p for p in (path, *path.parents) if not p.exists()]
        for folder in reversed(missing):
            folder.mkdir(mode=0o700, exist_ok=True)
            sync_folder(folder.parent)


def sync_folder(path: Path) -> None:
    """Make the names in a folder lasting."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_whole(path: Path, data: bytes, *, lasting: bool = True) -> None:
    """Replace a file by a new one at once: temporary file, fsync, rename.

    Without `lasting`, a power cut right afterwards may bring the old file back, whole.
    """
    make_folder(path.parent)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.new")
    with named_errors(path, "writing"):
        try:
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            try:
                write_all(handle, data)
                os.fsync(handle)
            finally:
                os.close(handle)
            temporary.replace(path)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise
        if lasting:
            sync_folder(path.parent)


def write_json(path: Path, value: Mapping[str, Any], *, lasting: bool = True) -> None:
    """`write_whole` for a JSON object."""
    text = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
    write_whole(path, text.encode("utf-8", "replace"), lasting=lasting)


def read_json(path: Path) -> dict[str, Any] | None:
    """The JSON object in a file, or None where there is no file."""
    with named_errors(path, "reading"):
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ArchiveError(f"{path} is damaged: {error}") from error
    if not isinstance(value, dict):
        raise ArchiveError(f"{path} is damaged: it does not hold a JSON object")
    return value


def files_below(folder: Path, suffix: str) -> tuple[list[Path], list[Difference]]:
    """The files of that kind in a folder and below, sorted, and what could not be listed."""
    unread: list[Difference] = []

    def note(error: OSError) -> None:
        what = f"cannot be listed: {error.strerror}"
        unread.append(Difference("L3", what, str(error.filename), "give alaya access to it"))

    found = [
        Path(where) / name
        for where, _, names in os.walk(folder, onerror=note)
        for name in names
        if name.endswith(suffix) and not name.startswith(".")
    ]
    return sorted(found), unread if folder.exists() else []


def write_all(handle: int, data: bytes) -> None:
    """Write every byte. On a full disk a single write may take only a part."""
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def append(path: Path, data: bytes, *, at: int | None = None) -> int:
    """Append bytes to a file and fsync it; returns where they begin.

    With `at`, the file is cut there first (what stands behind was never acknowledged); a file
    that is shorter than `at` is damaged. If the bytes cannot all be written, none stay.
    """
    make_folder(path.parent)
    with named_errors(path, "appending to"):
        fresh = not path.exists()
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            size = os.fstat(handle).st_size
            start = size if at is None else at
            if size < start:
                raise ArchiveError(
                    f"{path} is {size} bytes long but {start} were acknowledged: it was cut; "
                    "restore it from a backup"
                )
            if size > start:
                os.ftruncate(handle, start)
            os.lseek(handle, start, os.SEEK_SET)
            try:
                write_all(handle, data)
                os.fsync(handle)
            except OSError:
                os.ftruncate(handle, start)
                raise
        finally:
            os.close(handle)
        if fresh:
            sync_folder(path.parent)
    return start
