"""The words that an erasure looks for: cut out of a text with their places, and blanked there.

Scripts without spaces give overlapping pairs of characters, others words, their humps, and where
marks join words (an address, a number with dashes) the whole as well. What also stands in something
that is to stay is no distinctive word: it stays, too. Ids that alaya made are no words of anybody.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from alaya.model.erasure import MARK
from alaya.model.ids import MADE
from alaya.model.words import CAMEL, DENSE, EMOJI, normal

Has = Callable[[str], bool]
Scrub = Callable[[str], str]

_PIECE = re.compile(
    rf"(?P<dense>[{DENSE}]+)"
    rf"|(?P<emoji>[{EMOJI}\u200d\ufe0f]+)"
    rf"|(?P<word>[^\W_{DENSE}]+(?:[-.@/:+'’&][^\W_{DENSE}]+)*)"
)
_PART = re.compile(r"[^\W_]+")
# The same words without their places, which is ten times as fast.
_WORDS = re.compile(rf"[^\W_{DENSE}]+(?:[-.@/:+'’&][^\W_{DENSE}]+)*|[{EMOJI}\u200d\ufe0f]+")
_PAIRS = re.compile(rf"(?=([{DENSE}]{{2}}))")
_SINGLE = re.compile(rf"(?<![{DENSE}])[{DENSE}](?![{DENSE}])")
_ESCAPE = re.compile(
    r"\\u(?P<code>[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|[0-9a-fA-F]{4})"
    r'|\\[nrtbf"/\\]'
)
_SHORT = 5  # bytes: what is shorter is found by chance where no text is


def tokens(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, word) of each word of a text, in the form in which words are compared."""
    for piece in _PIECE.finditer(text):
        start, found = piece.start(), piece[0]
        if piece.lastgroup == "dense" and len(found) > 2:
            for at in range(len(found) - 1):
                yield start + at, start + at + 2, _compared(found[at : at + 2])
            continue
        yield start, piece.end(), _compared(found)
        if piece.lastgroup == "word":
            for part in _PART.finditer(found):
                if part[0] != found:
                    yield start + part.start(), start + part.end(), _compared(part[0])
                at = start + part.start()
                humps = CAMEL.split(part[0])
                for hump in humps if len(humps) > 1 else ():
                    yield at, at + len(hump), _compared(hump)
                    at += len(hump)


def vocabulary(texts: Iterable[str]) -> set[str]:
    """Every word of these texts."""
    raw: set[str] = set()
    for text in texts:
        raw.update(_WORDS.findall(text), _PAIRS.findall(text), _SINGLE.findall(text))
    parts = {part for word in raw for part in _PART.findall(word)}
    humps = {hump for word in parts if not word.islower() for hump in CAMEL.split(word)}
    return {_compared(word) for word in raw | parts | humps}


def whole_words(text: str) -> set[str]:
    """The words of a text without their parts: what is looked for when all of it is meant."""
    found = {*_WORDS.findall(text), *_PAIRS.findall(text), *_SINGLE.findall(text)}
    return {_compared(word) for word in found}


def without_ids(text: str) -> str:
    """The text with blanks for the ids that alaya made, which name things and say nothing."""
    return MADE.sub(lambda found: " " * len(found[0]), text) if "-" in text else text


def blank(text: str, ranges: Iterable[tuple[int, int]]) -> str:
    """The text with marks for the characters in these ranges; as long as it was."""
    letters = list(text)
    for start, end in ranges:
        letters[start:end] = MARK * len(letters[start:end])
    return "".join(letters)


def scrubber(has: Has) -> Scrub:
    """A function that blanks the words of a text that `has` knows."""

    def scrub(text: str) -> str:
        found = [(start, end) for start, end, word in tokens(without_ids(text)) if has(word)]
        if "\\" in text:
            plain, places = unescaped(text)
            said = tokens(without_ids(plain))
            found += [(places[a], places[b]) for a, b, word in said if has(word)]
        return blank(text, found) if found else text

    return scrub


def unescaped(text: str) -> tuple[str, list[int]]:
    """A text in which JSON's escapes stand for what they mean, as they do in a document within a
    document; and for each place in it, and its end, the place in the text as it is."""
    plain: list[str] = []
    places: list[int] = []
    last = 0
    for found in _ESCAPE.finditer(text):
        plain.append(text[last : found.start()])
        places.extend(range(last, found.start()))
        code = found["code"]
        plain.append(_decoded(code.split("\\u")) if code else " ")
        places.append(found.start())
        last = found.end()
    plain.append(text[last:])
    places.extend(range(last, len(text) + 1))
    return "".join(plain), places


def _decoded(units: list[str]) -> str:
    """The one character of an escape, or of two that stand for one."""
    data = b"".join(int(unit, 16).to_bytes(2, "little") for unit in units)
    return data.decode("utf-16-le", "replace")


def holds(text: str, has: Has, *, binary: bool = False) -> bool:
    """Whether any of the words stands in a text; in `binary` files only what is no chance."""
    found = vocabulary((text, unescaped(text)[0]) if "\\" in text else (text,))
    return any(has(word) for word in found if not binary or len(word.encode()) >= _SHORT)


def telling(word: str) -> bool:
    """Whether a word that is found says anything: single letters and short numbers do not."""
    if word.isascii():
        return len(word) > 1 and not (word.isdigit() and len(word) < 6)
    return True


def scrubbed(value: Any, scrub: Scrub) -> Any:
    """A JSON value with all its texts scrubbed; the names of its fields stay."""
    if isinstance(value, str):
        return scrub(value)
    if isinstance(value, Mapping):
        return {key: scrubbed(item, scrub) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(scrubbed(item, scrub) for item in value)
    return value


def strings(value: Any) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from strings(item)


def salted(salt: str, *parts: str) -> str:
    """A hash that says nothing without the salt."""
    text = "\x1f".join(parts)
    return hmac.new(salt.encode(), text.encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:20]


def session_tombstone(salt: str, user: str, *, session: str) -> str:
    """What tells a session that was erased from one of which the file was lost."""
    return salted(salt, "session", user, session)


def known_by_hash(salt: str, hashes: Iterable[str]) -> Has:
    """Whether a word is one of those whose salted hashes are given."""
    wanted, seen = frozenset(hashes), dict[str, bool]()

    def has(word: str) -> bool:
        found = seen.get(word)
        if found is None:
            found = seen[word] = salted(salt, word) in wanted
        return found

    return has


def _compared(word: str) -> str:
    return normal(word).casefold()
