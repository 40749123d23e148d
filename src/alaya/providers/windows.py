"""Text made fit for an embedding model: cleaned, and cut into windows that it reads whole.

Not an adapter: pure functions that every embedder here shares. Change what they return and the
vectors in the cache no longer fit; raise `cache.LAYOUT` then.
"""

from __future__ import annotations

import re

from alaya.model.ids import clean

# A window holds 1,200 units. A letter is one unit, a character of a dense script (Han, kana,
# Hangul, emoji) three: 1,200 Latin or 400 Chinese characters, each about 300 tokens.
UNITS = 1200
MOST = 16  # windows kept of one text: some 19,000 Latin or 6,400 Chinese characters
_DENSE_UNITS = 3
_DENSE_FROM = "\u2e80"
_TAIL = 1.25  # a rest of up to so many windows stays one, so that no scrap is left at the end
_SENTENCE = re.compile(r"[。！？；…]|[.!?;](?= )")


def tidy(text: str) -> str:
    """Without NUL and lone surrogates, each run of white space one space, none at the ends."""
    return " ".join(clean(text).split())


def windows(text: str, *, units: int = UNITS, most: int = MOST) -> list[str]:
    """The parts of a text to embed, in order; none for a text that is empty or white space.

    A part ends at a sentence, else at a space, else where it is full. Of more than `most` parts
    the first half of `most` is kept and, of the rest, as many at even distances, the last one
    among them: the beginning says most, and no stretch of a long text is out of reach.
    """
    rest = tidy(text)
    if not rest:
        return []
    parts: list[str] = []
    start = 0
    while start < len(rest):
        end = _cut(rest, start, units=units)
        part = rest[start:end].strip()
        if part:
            parts.append(part)
        start = end
    if len(parts) <= most:
        return parts
    first = (most + 1) // 2
    spread = most - first
    behind = len(parts) - first
    return parts[:first] + [parts[first - 1 + (i + 1) * behind // spread] for i in range(spread)]


def question(text: str, *, units: int = UNITS) -> str:
    """The text of a question as one window: of a longer one its beginning and its end."""
    text = tidy(text)
    if _reach(text, 0, units=units) == len(text):
        return text
    head = text[: _reach(text, 0, units=units * 2 // 3)]
    back = text[::-1]
    tail = back[: _reach(back, 0, units=units - units * 2 // 3)][::-1]
    return f"{head} … {tail}"


def _cut(text: str, start: int, *, units: int) -> int:
    """Where the window that begins at `start` ends."""
    if _reach(text, start, units=int(units * _TAIL)) == len(text):
        return len(text)
    full = _reach(text, start, units=units)
    low = start + (full - start) // 2
    ends = [m.end() for m in _SENTENCE.finditer(text, low, full)]
    if ends:
        return ends[-1]
    space = text.rfind(" ", low, full)
    return full if space < 0 else space + 1


def _reach(text: str, start: int, *, units: int) -> int:
    """The index behind the last character that fits into so many units; at least one fits."""
    stretch = text[start : start + units]
    if stretch.isascii():
        return start + len(stretch)
    used = 0
    for i, character in enumerate(stretch):
        used += _DENSE_UNITS if character >= _DENSE_FROM else 1
        if used > units:
            return start + max(i, 1)
    return start + len(stretch)
