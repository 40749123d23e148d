"""A progress bar on the terminal's standard error, and nothing anywhere else."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from alaya.cli.helptext import cut, pad, width_of
from alaya.cli.page import Page, one_line, size

if TYPE_CHECKING:
    from alaya.ports import Progress

_BAR = 24
_REST = 30  # columns beside the label and the bar: percent and counts
_EVERY = 0.1  # seconds between two drawings


class Bar:
    """One line that is drawn over and over. Use as a context manager: it clears up after itself.

    `work` is the key of its name (`ingest`, `distill`, `embed`).
    """

    def __init__(
        self, page: Page, work: str, *, stream: TextIO | None = None, every: float = _EVERY
    ) -> None:
        self._page = page
        self._work = work
        self._stream = stream or sys.stderr
        self._every = every
        self._drawn = 0  # columns on the terminal now
        self._last = 0.0

    def __enter__(self) -> Progress | None:
        return self._report if self._page.progress else None

    def __exit__(self, *_: object) -> None:
        if self._drawn:
            self._write("\r" + " " * self._drawn + "\r")

    def _report(self, what: str, done: int, *, total: int | None) -> None:
        now = time.monotonic()
        if now - self._last < self._every:
            return
        self._last = now
        show = size if self._work == "ingest" else _plain
        label = cut(self._label(what), max(8, self._columns() - _BAR - _REST))
        line = bar_line(label, done, total=total, show=show)
        self._write("\r" + pad(line, self._drawn))
        self._drawn = width_of(line)

    def _label(self, what: str) -> str:
        name = self._page.say(f"progress.{self._work}")
        return name if what == self._work else f"{name} {one_line(what, 100)}"

    def _columns(self) -> int:
        try:
            return os.get_terminal_size(self._stream.fileno()).columns or 80
        except (OSError, ValueError):
            return 80

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def bar_line(
    what: str, done: int, *, total: int | None, show: Callable[[int], str] | None = None
) -> str:
    """`embedding ████████░░░░ 33% 10/30`, or a count where the end is not known."""
    number = show or _plain
    if not total:
        return f"{what} {number(done)}"
    share = min(max(done / total, 0.0), 1.0)
    filled = round(share * _BAR)
    bar = "█" * filled + "░" * (_BAR - filled)
    return f"{what} {bar} {share:4.0%} {number(done)}/{number(total)}"


def _plain(number: int) -> str:
    return f"{number:,}"
