"""A home in one file, and back: consistent while others write, checked before it replaces anything.

Sessions and journal are only added to, so their beginnings are a consistent state: what stands in
`state/` is read first (a cursor must not be ahead of the words), then the end of the journal is
fixed, then everything up to there is copied. The database grows from it and is left out.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import sys
import tarfile
import zlib
from collections.abc import Iterator
from datetime import datetime
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import IO, cast

from alaya.errors import ArchiveError, Denied, InvalidInput, NotFound, OutOfSpace
from alaya.model.backup import BackedUp, BackupReport, Manifest
from alaya.model.codec import decode, encode
from alaya.ports import Archive

FOLDER = "backup"
KEEP = 7
MANIFEST = "manifest.json"
HEAD = "state/chain-head.json"
_NAME = re.compile(r"alaya-(\d{8}T\d{6})(?:-(\d+))?Z\.tar\.gz")
_TAKEN = ("config.json", "prompts", "notes", "raw", "state")
_LEFT = re.compile(r"state/(lock|.*\.lock|erasing\.json|chain-head\.json)|(.*/)?\..*")
_LINES = re.compile(r"raw/(sessions|recalls|usage)/.*\.jsonl")
_JOURNAL = "raw/journal/"


def back_up(
    archive: Archive, home: Path, *, output: Path | None, keep: int, at: datetime
) -> BackupReport:
    """Write a backup into `output`, a file or a folder, else into the home; keep the newest `keep`.

    Only backups that stand in a folder are counted and removed, by their names. Raises InvalidInput
    for a file that is there, Denied and OutOfSpace.
    """
    folder = output if output is not None else home / FOLDER
    if output is not None and not output.is_dir() and output.suffixes[-2:] == [".tar", ".gz"]:
        path, folder = output, output.parent
        if path.exists():
            raise InvalidInput(f"{path} exists already; a backup never replaces a file")
    else:
        path = _free(folder, at)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.0.new")
    with _told(path):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                manifest = _write(archive, home, file=file, at=at)
                file.flush()
                os.fsync(file.fileno())
            checked(temporary)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        _sync(folder)
        rotated = output is None or output == folder
        removed = _rotate(folder, keep) if rotated else ()
        size = path.stat().st_size
    return BackupReport(str(path), at, manifest.seq, len(manifest.files), size, removed)


def renewed(archive: Archive, home: Path, *, at: datetime) -> int:
    """Replace the backups in a home by one of what it holds now; how many there were.

    What was erased stands in those from before.
    """
    old = backups(home / FOLDER)
    if old:
        back_up(archive, home, output=None, keep=len(old) + 1, at=at)
        for path in old:
            path.unlink(missing_ok=True)
        _sync(home / FOLDER)
    return len(old)


def backups(folder: Path) -> list[Path]:
    """The backups that stand in a folder, the oldest first."""
    found = [(_NAME.fullmatch(p.name), p) for p in (folder.iterdir() if folder.is_dir() else ())]
    known = [(name[1], int(name[2] or 0), path) for name, path in found if name]
    return [path for _, _, path in sorted(known)]


def checked(backup: Path) -> Manifest:
    """Read a backup whole, and compare every file with its hash. Raises ArchiveError."""
    return _read(backup, None)


def unpacked(backup: Path, folder: Path) -> Manifest:
    """Write what a backup holds into a new folder, checked. Raises ArchiveError."""
    with _told(folder):
        folder.mkdir(mode=0o700)
    return _read(backup, folder)


def exchanged(new: Path, home: Path, *, aside: Path) -> bool:
    """Put a folder in the place of a home, the old one `aside`; whether there was an old one.

    In one step where the system can (Linux), so that a crash leaves either home in its place.
    """
    with _told(home):
        if not home.exists():
            new.rename(home)
            _sync(home.parent)
            return False
        if _swapped(new, home):
            new.rename(aside)
        else:
            home.rename(aside)
            try:
                new.rename(home)
            except OSError:
                aside.rename(home)
                raise
        _sync(home.parent)
    return True


def _write(archive: Archive, home: Path, *, file: IO[bytes], at: datetime) -> Manifest:
    found: list[BackedUp] = []
    with (
        gzip.GzipFile(fileobj=file, mode="wb", compresslevel=6, filename="", mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w") as tar,
    ):

        def add(name: str, data: IO[bytes], *, size: int) -> None:
            reader = _Hashed(data)
            tar.addfile(_member(name, size, at=at), cast(IO[bytes], reader))
            found.append(BackedUp(name, size, reader.sha.hexdigest()))

        def copy(name: str, upto: int | None = None) -> None:
            with contextlib.suppress(FileNotFoundError), (home / name).open("rb") as source:
                add(name, source, size=_end(source, name) if upto is None else upto)

        for name in _names(home, "state"):
            copy(name)
        head = archive.head()
        if head.seq:
            place = {"seq": head.seq, "chain": head.chain, "file": head.file, "offset": head.offset}
            text = json.dumps(place, indent=1).encode() + b"\n"
            add(HEAD, io.BytesIO(text), size=len(text))
        for name in (name for part in _TAKEN[:-1] for name in _names(home, part)):
            month = name.removeprefix(_JOURNAL)
            if month == name or month < head.file:
                copy(name)
            elif month == head.file:
                copy(name, head.offset)
        manifest = Manifest(at, version("alaya-agent-memory"), head.seq, head.chain, tuple(found))
        text = json.dumps(encode(manifest), ensure_ascii=False, indent=1).encode()
        tar.addfile(_member(MANIFEST, len(text), at=at), io.BytesIO(text))
    return manifest


class _Hashed:
    """A file that is hashed as it is read."""

    def __init__(self, file: IO[bytes]) -> None:
        self.sha = hashlib.sha256()
        self._file = file

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self.sha.update(data)
        return data


def _read(backup: Path, folder: Path | None) -> Manifest:
    """Read every file of a backup, into `folder` if there is one; compare all with the manifest."""
    seen: dict[str, tuple[int, str]] = {}
    manifest: Manifest | None = None
    try:
        with gzip.open(backup) as packed, tarfile.open(fileobj=packed, mode="r:") as tar:
            for member in tar:
                data = tar.extractfile(member) if member.isreg() else None
                if data is None or not _safe(member.name):
                    raise ArchiveError(f"{backup} holds {member.name!r}, which no backup does")
                if member.name == MANIFEST:
                    manifest = decode(Manifest, json.loads(data.read()))
                    continue
                reader = _Hashed(data)
                with _into(folder, member.name) as out:
                    shutil.copyfileobj(cast(IO[bytes], reader), out, 1 << 20)
                seen[member.name] = (member.size, reader.sha.hexdigest())
            while packed.read(1 << 20):
                pass  # up to the checksum of all, which stands at the end
    except FileNotFoundError as error:
        raise NotFound(f"no backup {backup}") from error
    except (
        tarfile.TarError,
        gzip.BadGzipFile,
        EOFError,
        zlib.error,
        ValueError,
        InvalidInput,
    ) as error:
        raise ArchiveError(f"{backup} is damaged or no backup: {error}") from error
    wanted = {one.path: (one.size, one.sha256) for one in manifest.files} if manifest else {}
    if manifest is None or wanted != seen:
        wrong = sorted(name for name in {*wanted, *seen} if wanted.get(name) != seen.get(name))
        where = f" ({', '.join(wrong[:3])})" if wrong else ": its list of files is missing"
        raise ArchiveError(f"{backup} is damaged{where}; use another backup")
    return manifest


@contextlib.contextmanager
def _into(folder: Path | None, name: str) -> Iterator[IO[bytes]]:
    if folder is None:
        yield cast(IO[bytes], _Nowhere())
        return
    path = folder / name
    with _told(path):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())


class _Nowhere:
    """Takes what is only read to be checked."""

    def write(self, data: bytes) -> int:
        return len(data)


def _names(home: Path, part: str) -> list[str]:
    """The files of a part of the home that a backup takes."""
    top = home / part
    found = [top] if top.is_file() else sorted(p for p in top.rglob("*") if p.is_file())
    names = (path.relative_to(home).as_posix() for path in found if not path.is_symlink())
    return [name for name in names if not _LEFT.fullmatch(name)]


def _end(file: IO[bytes], name: str) -> int:
    """How much of an open file there is; of what lines are added to only whole ones."""
    size = file.seek(0, os.SEEK_END)
    at = size
    while _LINES.fullmatch(name) and at > 0:
        step = min(at, 1 << 16)
        file.seek(at - step)
        if (found := file.read(step).rfind(b"\n")) >= 0:
            size = at - step + found + 1
            break
        at -= step
        size = at
    file.seek(0)
    return size


def _member(name: str, size: int, *, at: datetime) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.size, info.mode, info.mtime = size, 0o600, int(at.timestamp())
    return info


def _safe(name: str) -> bool:
    """Whether a path stays in the home, and is one that a backup takes."""
    path = PurePosixPath(name)
    return (
        not path.is_absolute()
        and ".." not in path.parts
        and (name == MANIFEST or path.parts[0] in _TAKEN)
    )


def _free(folder: Path, at: datetime) -> Path:
    """A name behind those of all backups of the same second."""
    stamp = f"{at:%Y%m%dT%H%M%S}"
    found = [_NAME.fullmatch(path.name) for path in backups(folder)]
    taken = [int(name[2] or 0) for name in found if name and name[1] == stamp]
    return folder / f"alaya-{stamp}{f'-{max(taken) + 1}' if taken else ''}Z.tar.gz"


def _rotate(folder: Path, keep: int) -> tuple[str, ...]:
    old = backups(folder)[: -max(1, keep)]
    for path in old:
        path.unlink(missing_ok=True)
    return tuple(map(str, old))


def _swapped(one: Path, other: Path) -> bool:
    """Exchange two folders in one step; False where the system cannot."""
    swap = getattr(ctypes.CDLL(None), "renameat2", None) if sys.platform == "linux" else None
    return swap is not None and swap(-100, os.fsencode(one), -100, os.fsencode(other), 2) == 0


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    """What the operating system refuses, as alaya's."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise OutOfSpace(f"no space left for {path}; nothing was replaced") from error
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise Denied(f"no permission to write {path}: {error.strerror}") from error
        raise ArchiveError(f"failed with {path}: {error}") from error
