"""The one lock of a home, and claims, of which there may be many.

`flock`, not `lockf`: the latter is lost when the process closes any other descriptor of the file.
Within a process threads queue on the same lock, because each opens the file anew.
"""

from __future__ import annotations

import contextlib
import errno
import os
import time
from collections.abc import Iterator
from pathlib import Path

from alaya.errors import Busy
from alaya.stores.files.disk import make_folder, named_errors

WAIT_SECONDS = 60.0
_FIRST_NAP, _LONGEST_NAP = 0.0005, 0.02


@contextlib.contextmanager
def claimed(path: Path) -> Iterator[bool]:
    """Hold a lock file that is there only as long as it is held; false where somebody else does."""
    import fcntl

    make_folder(path.parent)
    while True:
        with named_errors(path, "locking"):
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(handle)
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                raise
            yield False
            return
        if _is_at(handle, path):
            break
        os.close(handle)  # who had it took the file away between the two steps
    try:
        yield True
    finally:
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
        os.close(handle)


def _is_at(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


@contextlib.contextmanager
def held(path: Path, wait: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold the lock file exclusively. Raises Busy when it cannot be had within `wait` seconds."""
    import fcntl

    make_folder(path.parent)
    with named_errors(path, "locking"):
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        deadline = time.monotonic() + wait
        nap = _FIRST_NAP
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as error:
                if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                    raise
            if time.monotonic() > deadline:
                raise Busy(
                    f"another process has held {path} for {wait:.0f} s; "
                    "look for a hanging `alaya` process and try again"
                )
            time.sleep(nap)
            nap = min(nap * 2, _LONGEST_NAP)
        yield
    finally:
        os.close(handle)  # which also unlocks
