"""A progress bar on the terminal's standard error, and nothing anywhere else."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

from alaya.cli.helptext import pad, width_of
from alaya.cli.page import Page, one_line

Progress = Callable[[str, int, int | None], None]

_WIDTH = 24
_EVERY = 0.1  # seconds between two drawings


class Bar:
    """One line that is drawn over and over. Use as a context manager: it clears up after itself."""

    def __init__(self, page: Page, stream: TextIO | None = None) -> None:
        self._page = page
        self._stream = stream or sys.stderr
        self._drawn = 0  # columns on the terminal now
        self._last = 0.0

    def __enter__(self) -> Progress | None:
        return self._report if self._page.progress else None

    def __exit__(self, *_: object) -> None:
        if self._drawn:
            self._write("\r" + " " * self._drawn + "\r")

    def _report(self, what: str, done: int, total: int | None) -> None:
        now = time.monotonic()
        if now - self._last < _EVERY and done != total:
            return
        self._last = now
        line = bar_line(one_line(self._label(what), 40), done, total)
        self._write("\r" + pad(line, self._drawn))
        self._drawn = width_of(line)

    def _label(self, what: str) -> str:
        """The name of the work in the language of choice; else as it was given."""
        try:
            return self._page.say(f"progress.{what}")
        except KeyError:
            return what

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def bar_line(what: str, done: int, total: int | None) -> str:
    """`embedding ████████░░░░ 33% 10/30`, or a count where the end is not known."""
    if not total:
        return f"{what} {done:,}"
    share = min(max(done / total, 0.0), 1.0)
    filled = round(share * _WIDTH)
    bar = "█" * filled + "░" * (_WIDTH - filled)
    return f"{what} {bar} {share:4.0%} {done:,}/{total:,}"
