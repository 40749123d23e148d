"""Standard output: what was printed is there, or it is told that it cannot be written."""

from __future__ import annotations

import sys


class Unwritable(Exception):
    """Standard output takes no more, though its reader has not left."""

    def __init__(self, cause: OSError) -> None:
        super().__init__(str(cause))
        self.cause = cause


def out(text: str) -> None:
    """Print, and see that it arrived. Raises Unwritable, and BrokenPipeError when nobody reads."""
    try:
        if text:
            print(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Unwritable(error) from error
