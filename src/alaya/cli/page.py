"""What is printed on: the language, and whether there is a person at a terminal to decorate for.

On a terminal there are emoji, colour and hints. In a pipe or with --quiet there are plain lines.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import IO, Any, NamedTuple, TextIO

from alaya.cli.language import Say, messages, sayer, translated

_KEPT: list[IO[Any]] = []
_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
_UNITS = ("B", "kB", "MB", "GB", "TB")


class Page(NamedTuple):  # a dataclass would make --help a quarter slower
    """How to print. `decor`: emoji headings and hints; `ask`: a person can answer a question."""

    say: Say
    language: str = "en"
    decor: bool = False
    colour: bool = False
    ask: bool = False
    progress: bool = False

    def local(self, text: str) -> str:
        """A sentence that came from below in English, in the language of choice if it is known."""
        return translated(text, self.language)

    def styled(self, text: str, style: str) -> str:
        """The text in a colour or weight, where colour is wanted."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.colour else text

    def heading(self, emoji: str, text: str) -> str:
        """A heading as the Alaya design has it; without the emoji where there is no decoration."""
        return f"{emoji} {self.styled(text, 'bold')}" if self.decor else text

    def done(self, text: str, indent: str = "") -> str:
        """`✓ something was done`."""
        return f"{indent}{self.styled('✓', 'green')} {text}"

    def warn(self, text: str, indent: str = "") -> str:
        """`! something to look at`."""
        return f"{indent}{self.styled('!', 'yellow')} {text}"

    def hints(self, *lines: str) -> list[str]:
        """What to do next; said to people only."""
        return [self.styled(line, "dim") for line in lines] if self.decor else []


def page_for(
    language: str,
    *,
    quiet: bool,
    streams: tuple[TextIO, TextIO, TextIO] | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Page:
    """The page for these streams (stdin, stdout, stderr)."""
    stdin, stdout, stderr = streams or (sys.stdin, sys.stdout, sys.stderr)
    terminal = is_terminal(stdout) and not quiet
    dumb = environ.get("TERM") == "dumb"
    return Page(
        say=sayer(messages(language)),
        language=language,
        decor=terminal,
        colour=terminal and not dumb and not environ.get("NO_COLOR"),
        ask=terminal and is_terminal(stdin),
        progress=terminal and is_terminal(stderr) and not dumb,
    )


def is_terminal(stream: Any) -> bool:
    """Whether a person sits at this stream; a closed or missing one has nobody."""
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):
        return False


def open_missing_streams() -> None:
    """Let nothing that is opened later, such as the database, stand where a stream was closed.

    What is printed to a closed stream goes nowhere, quietly; `sys.stdin` stays None.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # Standard streams are never closed, and the lowest free descriptor is this one.
            nowhere = Path(os.devnull).open(mode, encoding="utf-8", errors="replace")  # noqa: SIM115
            if name == "stdin":
                _KEPT.append(nowhere)
            else:
                setattr(sys, name, nowhere)


def make_streams_safe(environ: Mapping[str, str] = os.environ) -> None:
    """Let every character be printed: UTF-8 where the locale is unset or the reader is a program;
    a terminal of a legacy encoding gets `?` for what it cannot show."""
    for stream in (sys.stdout, sys.stderr):
        encoding = (getattr(stream, "encoding", None) or "ascii").lower().replace("-", "")
        if not hasattr(stream, "reconfigure"):
            continue
        unset = encoding in ("ascii", "ansi_x3.41968", "646", "usascii")
        if not environ.get("PYTHONIOENCODING") and (unset or not is_terminal(stream)):
            stream.reconfigure(encoding="utf-8", errors="replace")
        else:
            stream.reconfigure(errors="replace")


def size(count: int) -> str:
    """Bytes for people: 512 B, 1.2 MB, 42 GB."""
    value, unit = float(count), 0
    while value >= 999.5 and unit < len(_UNITS) - 1:
        value, unit = value / 1000, unit + 1
    return (
        f"{value:.0f} {_UNITS[unit]}" if value >= 10 or unit == 0 else f"{value:.1f} {_UNITS[unit]}"
    )


def duration(seconds: float) -> str:
    """Seconds for people: 12.0s, 2m 34s, 3h 05m, 4d 2h."""
    whole = int(seconds)
    if whole < 60:
        return f"{seconds:.1f}s"
    if whole < 3600:
        return f"{whole // 60}m {whole % 60:02}s"
    if whole < 172800:
        return f"{whole // 3600}h {whole % 3600 // 60:02}m"
    return f"{whole // 86400}d {whole % 86400 // 3600}h"


def day(time: datetime | None) -> str:
    """2026-03-31, or a dash."""
    return time.strftime("%Y-%m-%d") if time else "-"


def minute(time: datetime) -> str:
    """2026-03-31 06:29 UTC."""
    return time.strftime("%Y-%m-%d %H:%M UTC")


def one_line(text: str, limit: int) -> str:
    """The beginning of a text, on one line, free of what could move a terminal's cursor."""
    flat = " ".join(printable(text).split())
    return flat if len(flat) <= limit else whole_words(flat, limit - 1) + "…"


def whole_words(text: str, limit: int) -> str:
    """At most `limit` characters, not ending within a word of a script that has spaces."""
    if len(text) <= limit:
        return text
    cut = text[:limit]
    if _LETTER.match(text, limit - 1) and _LETTER.match(text, limit):
        start = limit
        while start and _LETTER.match(text, start - 1):
            start -= 1
        if start > limit // 2:  # a word that is most of the text has to be cut
            cut = text[:start]
    return cut.rstrip()


def printable(text: str) -> str:
    """The text without control characters but line ends: remembered words may hold escapes."""
    plain = _ESCAPES.sub("", text) if "\x1b" in text else text
    return "".join(c for c in plain.expandtabs(4) if c == "\n" or not _controls(c))


def _controls(char: str) -> bool:
    code = ord(char)
    return code < 32 or 0x7F <= code < 0xA0 or code in _BIDI


_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-_])")
_LETTER = re.compile(r"[0-9A-Za-z'\u00c0-\u024f\u0370-\u04ff]")
_BIDI = frozenset((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
