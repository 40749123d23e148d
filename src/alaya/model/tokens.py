"""How long a text is for a model: counted by a vocabulary where there is one, else estimated."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_DENSE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_PIECE = re.compile(
    r"(?P<run>([^\w\s])\2{3,})"  # a drawn line
    r"|(?P<word>[A-Za-z]+(?![A-Za-z0-9]))"
    r"|(?P<number>[0-9]+(?![A-Za-z0-9]))"
    r"|(?P<mixed>[A-Za-z0-9]+)"
    rf"|(?P<dense>[{_DENSE}]+)"
    r"|(?P<line>\s*\n\s*)"
    r"|(?P<space>\s+)"
    r"|(?P<sign>[!-/:-@\[-`{-~]+)"
    r"|(?P<mark>[\u2010-\u2027\u3000-\u303f\uff00-\uffef]+)"
    rf"|(?P<letters>[^\W\d_A-Za-z{_DENSE}\U00010000-\U0010ffff]+)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_LONG = 24  # letters in a row beyond any word: base64, minified code


@dataclass(frozen=True)
class TokenCounter:
    """`name` says what counts: a vocabulary such as o200k_base, or `estimate`, and then why."""

    name: str
    count: Callable[[str], int]
    why: str = ""


def estimate(text: str) -> int:
    """About how many tokens a text has, on the cautious side.

    A word is one, and every eight letters more another; a Chinese character is one; of digits and
    of other alphabets two are one; of ids and base64 three are two; of signs four are three; an
    emoji is three. Measured in `benchmarks/tokens.py` against four vocabularies.
    """
    return sum(_cost(piece) for piece in _PIECE.finditer(text))


def _cost(piece: re.Match[str]) -> int:
    size, kind = piece.end() - piece.start(), piece.lastgroup
    match kind:
        case "word":
            return 1 + (size - 1) // 8 if size <= _LONG else -(-size * 2 // 3)
        case "number" | "letters":
            return -(-size // 2)
        case "mixed":
            return -(-size * 2 // 3)
        case "run":
            return -(-size // 2)
        case "dense" | "mark":
            return size
        case "line":
            return 1 + piece[0].endswith((" ", "\t"))
        case "space":  # one before a word is part of it
            after = piece.string[piece.end() : piece.end() + 1]
            return int(size > 1 or not (after.isascii() and not after.isdigit()))
        case "sign":
            return -(-size * 3 // 4)
        case _:
            return 2 if piece[0] < "\U00010000" else 3


ESTIMATE = TokenCounter("estimate", estimate)
