"""A person at a terminal: a command on a pseudo-terminal that it has for its own, as a shell would
give it one, so that Control-C and Control-D mean what they mean."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import subprocess
import sys
import termios
import time
from pathlib import Path

_ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[=>]")
PROMPT = "> "


def _own_terminal() -> None:
    """In the child: standard input becomes the terminal that rules it."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Terminal:
    """`alaya` with these arguments, running; a context manager."""

    def __init__(self, home: Path, *argv: str, **environ: str) -> None:
        self._shown = b""
        self._read = 0
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("ALAYA_", "LC_", "LANG"))}
        ours, theirs = pty.openpty()
        self._terminal = ours
        self.process = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "alaya", *argv],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=_own_terminal,
            env={
                **kept,
                "ALAYA_HOME": str(home),
                "ALAYA_EMBEDDING_PROVIDER": "none",
                "ALAYA_EMBEDDING_BACKGROUND": "false",
                "LC_ALL": "C.UTF-8",
                "TERM": "xterm",
                **environ,
            },
        )
        os.close(theirs)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait(timeout=30)
        os.close(self._terminal)

    def until(self, text: str) -> str:
        """Wait for a text; returns everything shown since the last time, free of escapes."""
        end = time.monotonic() + 60
        while text not in self._rest():
            assert self._more(end), f"never said {text!r} but: {self._rest()}"
        shown = self._rest()
        cut = shown.index(text) + len(text)
        self._read += cut
        return shown[:cut]

    def says(self, line: str, until: str = PROMPT) -> str:
        """Type a line and wait; returns what is shown behind the echo of it."""
        self.keys(line.encode() + b"\n")
        self.until(line)
        return self.until(until)

    def keys(self, keys: bytes) -> None:
        os.write(self._terminal, keys)

    def ends(self) -> tuple[int, str]:
        """Wait for the end; the exit status, and what was shown last."""
        end = time.monotonic() + 60
        while self._more(end):
            pass
        return self.process.wait(timeout=30), self._rest()

    def _rest(self) -> str:
        return _ESCAPES.sub("", self._shown.decode("utf-8", "ignore"))[self._read :]

    def _more(self, end: float) -> bool:
        """Read what comes; False once the other side has closed."""
        while time.monotonic() < end:
            if select.select([self._terminal], [], [], 0.2)[0]:
                try:
                    data = os.read(self._terminal, 65536)
                except OSError:  # how Linux says that the other side has closed
                    return False
                self._shown += data
                return bool(data)
        raise AssertionError(f"neither ended nor said more: {self._rest()}")
