"""The log file: which command ran, how long, how it ended, and where it broke. Never a memory's
contents: of an unexpected error it keeps the places and the type, and its words only where they
cannot hold any.
"""

from __future__ import annotations

import contextlib
import logging
import os
import traceback
from collections.abc import Iterator
from pathlib import Path

from alaya.config import Config

_MAX_BYTES = 4_000_000
# Their messages speak of files, modules and types, not of what was said.
_SPEAKABLE = (OSError, ImportError, AttributeError, NameError, TypeError, RecursionError)


def log_path(config: Config) -> Path:
    """`logging.file`, else logs/alaya.log in the home."""
    given = config.logging.file
    return Path(given).expanduser() if given else config.home / "logs" / "alaya.log"


class _File(logging.FileHandler):
    """A log that cannot be written, as on a full disk, must neither stop a memory nor be heard."""

    def handleError(self, record: logging.LogRecord) -> None:
        pass

    def close(self) -> None:
        with contextlib.suppress(OSError):
            super().close()


@contextlib.contextmanager
def logging_to(config: Config) -> Iterator[None]:
    """Log to the configured file inside. A home that does not exist yet is not created for it."""
    logger = logging.getLogger("alaya")
    handler = _handler(config)
    level, propagate = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.propagate = False
    if config.logging.level != "off":
        logger.setLevel(config.logging.level.upper())
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
        logger.propagate = propagate
        handler.close()


def record_crash(config: Config, error: BaseException) -> Path | None:
    """Write down where an unexpected error came from; None when logging is off or impossible."""
    if config.logging.level == "off":
        return None
    path = log_path(config)
    try:
        _create(path)
        handler = _File(path, encoding="utf-8", errors="replace")
    except OSError:
        return None
    handler.setFormatter(_format())
    text = "unexpected error\n" + places(error)
    handler.handle(logging.LogRecord("alaya", logging.CRITICAL, __file__, 0, text, (), None))
    handler.close()
    return path


def places(error: BaseException) -> str:
    """The traceback of an error: every place, every type, and only the words that are safe."""
    lines: list[str] = []
    seen: BaseException | None = error
    while seen is not None:
        frames = traceback.StackSummary.extract(
            traceback.walk_tb(seen.__traceback__), capture_locals=False
        )
        words = f": {seen}" if isinstance(seen, _SPEAKABLE) else ""
        lines = [*(f.rstrip() for f in frames.format()), f"{type(seen).__name__}{words}", *lines]
        seen = seen.__cause__ or (None if seen.__suppress_context__ else seen.__context__)
    return "\n".join(lines)


def _format() -> logging.Formatter:
    return logging.Formatter("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s")


def _handler(config: Config) -> logging.Handler:
    if config.logging.level == "off" or not config.home.is_dir():
        return logging.NullHandler()
    path = log_path(config)
    try:
        if path.exists() and path.stat().st_size > _MAX_BYTES:
            path.replace(path.with_name(path.name + ".1"))
        _create(path)
        handler = _File(path, encoding="utf-8", errors="replace")
    except OSError:
        return logging.NullHandler()
    handler.setFormatter(_format())
    return handler


def _create(path: Path) -> None:
    """Make the file, readable by its owner alone."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    os.close(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600))
