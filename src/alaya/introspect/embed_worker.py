"""One worker for each home that embeds in the background, at low priority.

Who holds `state/embed.lock` is the worker; a second one sees that and leaves. A crash needs no
cleaning up: the lock goes with the process.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from alaya import ports, projection
from alaya.errors import Busy
from alaya.introspect.embed import Progress, calibrate, work
from alaya.ports import Archive, Embedder, Index

LOCK = "state/embed.lock"
LOG = "logs/embed.log"
ERASING = "state/erasing.json"  # while it is there, texts that are read may be gone a moment later
_NICE = 19
_LOG_BYTES = 1_000_000
_TRIES, _NAP = 4, 0.05  # `worker_pid` may hold the lock for an instant, too
_ROUND = 2000  # texts between two looks at the calibration


@dataclass(frozen=True)
class Pace:
    """How the work is cut, and when it ends: see `embed.work`. `gently`: at lowest priority."""

    batch: int = 16
    characters: int = 20_000
    limit: int | None = None
    gently: bool = False
    stop: Callable[[], bool] = lambda: False


@dataclass(frozen=True)
class WorkerReport:
    """What a worker did: texts `done` and still `left`, whether it calibrated.

    `other` is the process that was at it already (0: unknown); then nothing was done.
    """

    done: int = 0
    left: int = 0
    calibrated: bool = False
    other: int | None = None


def run_worker(
    home: Path,
    archive: Archive,
    *,
    index: Index,
    embedder: Embedder,
    clock: projection.Clock,
    pace: Pace = Pace(),
    progress: Progress = lambda done, left: None,
) -> WorkerReport:
    """Embed until nothing is pending, calibrating on the way; leave at once if another is at it.

    Raises ProviderError, StoreError and ArchiveError; what was done by then stays done.
    """
    if pace.gently:
        os.setpriority(os.PRIO_PROCESS, 0, _NICE)
    done, calibrated = 0, False
    asked = pace.stop
    pace = replace(pace, stop=lambda: asked() or (home / ERASING).exists())

    def remaining() -> int | None:
        return None if pace.limit is None else pace.limit - done

    while True:
        with only_worker(home) as alone:
            if not alone:
                left = index.pending_count(embedder.name)
                return WorkerReport(done, left, calibrated, worker_pid(home) or 0)
            calibrated |= _calibrate(archive, index, embedder=embedder, clock=clock)
            while not pace.stop():
                before, rest = done, remaining()
                done += work(
                    index,
                    embedder,
                    batch=pace.batch,
                    characters=pace.characters,
                    limit=_ROUND if rest is None else min(_ROUND, rest),
                    stop=pace.stop,
                    progress=_after(before, progress),
                )
                calibrated |= _calibrate(archive, index, embedder=embedder, clock=clock)
                if done == before:
                    break
        # Whoever added texts while the lock was held started no worker: look again without it.
        left = index.pending_count(embedder.name)
        if not left or pace.stop() or remaining() == 0:
            return WorkerReport(done, left, calibrated)


def work_off(
    home: Path,
    archive: Archive,
    *,
    index: Index,
    embedder: Embedder,
    clock: projection.Clock,
    pace: Pace,
    progress: ports.Progress | None,
) -> int:
    """Catch up with the journal, then embed as `run_worker` does; returns how many texts were.

    Raises Busy when another process is at it; with `pace.gently` it leaves that one alone.
    """

    def tell(done: int, left: int) -> None:
        if progress is not None:
            progress("embed", done, total=done + left)

    projection.catch_up(archive, index)
    report = run_worker(
        home, archive, index=index, embedder=embedder, clock=clock, pace=pace, progress=tell
    )
    if report.other is not None and not pace.gently:
        raise Busy(f"process {report.other or '?'} is embedding already; see `alaya status`")
    return report.done


def start_detached(home: Path, arguments: Sequence[str] = ()) -> str:
    """Start a worker process and return at once: `started`, `running (pid)`, or why it cannot be.

    `arguments` are more of them for `alaya embed`. What the worker has to say goes to
    `logs/embed.log`, which never holds words of a memory.
    """
    status = worker_status(home)
    if status != "idle":
        return status
    command = [sys.executable, "-m", "alaya", "embed", "--worker", "--home", str(home), *arguments]
    log = home / LOG
    try:
        log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        full = log.exists() and log.stat().st_size > _LOG_BYTES
        flags = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | (os.O_TRUNC if full else os.O_APPEND)
        output = os.open(log, flags, 0o600)
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env={**os.environ, "OMP_NUM_THREADS": "1"},
                start_new_session=True,
                close_fds=True,
            )
        finally:
            os.close(output)
    except OSError as error:
        return f"not started: {error}"
    # Somebody must take note of its end, or a server that lives on collects dead children.
    threading.Thread(target=process.wait, name="embed-worker-end", daemon=True).start()
    return "started"


def worker_status(home: Path) -> str:
    """`idle`, or `running (pid)`."""
    pid = worker_pid(home)
    return "idle" if pid is None else f"running ({pid or '?'})"


def worker_pid(home: Path, lock: str = LOCK) -> int | None:
    """The process that works on the home, 0 if it does not say, None if there is none."""
    import fcntl

    try:
        handle = os.open(home / lock, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        text = os.read(handle, 32).strip()
        if not text:
            return None  # it is left empty; so a look takes the lock only after a crash
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return int(text) if text.isdigit() else 0
    finally:
        os.close(handle)
    return None


@contextlib.contextmanager
def only_worker(home: Path, lock: str = LOCK) -> Iterator[bool]:
    """Be the home's worker inside the block: true, unless another process or thread is.

    Each kind of work has a `lock` of its own.
    """
    handle = _take(home / lock)
    if handle is None:
        yield False
        return
    try:
        os.truncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
        yield True
    finally:
        os.truncate(handle, 0)
        os.close(handle)  # which also unlocks


@contextlib.contextmanager
def no_worker(home: Path, wait: float = 60.0) -> Iterator[None]:
    """Be in the place of the home's worker inside the block, once it has left. Raises Busy."""
    deadline = time.monotonic() + wait
    while True:
        with only_worker(home) as alone:
            if alone:
                yield
                return
        if time.monotonic() > deadline:
            raise Busy(f"process {worker_pid(home) or '?'} is embedding and does not stop for this")
        time.sleep(_NAP)


def _take(path: Path) -> int | None:
    import fcntl

    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    for attempt in range(_TRIES):
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if attempt < _TRIES - 1:
                time.sleep(_NAP)
        except OSError:
            os.close(handle)
            raise
        else:
            return handle
    os.close(handle)
    return None


def _after(before: int, progress: Progress) -> Progress:
    return lambda done, left: progress(before + done, left)


def _calibrate(
    archive: Archive, index: Index, *, embedder: Embedder, clock: projection.Clock
) -> bool:
    change = calibrate(index, embedder, at=clock())
    if change is None:
        return False
    # It depends on nothing that another writer could change, so it is never decided anew.
    projection.commit(
        archive,
        index,
        decide=lambda: [change],
        actor="alaya",
        verb="calibrate",
        clock=clock,
        touches=(),
    )
    return True
