"""What an argument may hold: each makes a type for argparse, which complains in our words."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable

from alaya.cli.language import Say


def setting(say: Say) -> Callable[[str], str]:
    """`KEY=VALUE`."""

    def read(text: str) -> str:
        if "=" not in text.lstrip("="):
            raise argparse.ArgumentTypeError(say("bad.setting", value=shown(text)))
        return text

    return read


def among(say: Say, allowed: tuple[str, ...]) -> Callable[[str], str]:
    """One of `allowed`."""

    def read(text: str) -> str:
        if text not in allowed:
            raise argparse.ArgumentTypeError(
                say("bad.among", value=shown(text), allowed=", ".join(allowed))
            )
        return text

    return read


def several(say: Say, allowed: tuple[str, ...]) -> Callable[[str], list[str]]:
    """Some of `allowed`, separated by commas, in either case."""
    proper = {name.lower(): name for name in allowed}

    def read(text: str) -> list[str]:
        found = [part.strip() for part in re.split("[,，、]", text) if part.strip()]
        for part in found:
            if part.lower() not in proper:
                raise argparse.ArgumentTypeError(
                    say("bad.among", value=shown(part), allowed=", ".join(allowed))
                )
        return [proper[part.lower()] for part in found]

    return read


def whole(say: Say, low: int) -> Callable[[str], int]:
    """A whole number of at least `low`."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = low - 1
        if value < low:
            raise argparse.ArgumentTypeError(say("bad.whole", value=shown(text), low=low))
        return value

    return read


def share(say: Say) -> Callable[[str], float]:
    """A number between 0 and 1."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if not 0 <= value <= 1:
            raise argparse.ArgumentTypeError(say("bad.share", value=shown(text)))
        return value

    return read


def shown(text: str) -> str:
    """A value as a complaint quotes it."""
    return cut(repr(text), 80)


def cut(text: str, limit: int) -> str:
    """The text, shortened to `limit` characters where it is longer."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
