"""A turn's words cut into sentences with their places, code and noise left out.

Offsets are characters of `Turn.content`, so that a sentence can be cited as evidence as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from alaya.model.raw import Role, Turn

# What a host or alaya put into a prompt, licences and the like: never anybody's words.
_SCAFFOLD = re.compile(
    r"<(system-reminder|environment_details|environment_context|user_instructions|"
    r"command-(?:name|message|args)|local-command-\w+|alaya-memory|memory|context|INSTRUCTIONS)"
    r"\b[^>]*>.*?</\1>",
    re.DOTALL,
)
_FENCE = re.compile(r"(?:^|\n)[ \t]*(```|~~~).*?(?:\n[ \t]*\1|\Z)", re.DOTALL)
_LINE = re.compile(r"[^\n]+")
_BULLET = re.compile(
    r"\s*(?:[-*•+]\s+|#{1,6}\s+|>\s+|\(?\d{1,2}[.)、．]\s*(?!\d)|[一二三四五六七八九十]、)?"
)
_ITEM = re.compile(
    r"\s*(?:[-*•+]\s+|\(?\d{1,2}[.)、．]\s*(?!\d)|[一二三四五六七八九十]{1,2}、|[①-⑳])"
)
_NUMBERED = re.compile(r"\s*(?:\(?\d{1,2}[.)、．]\s*(?!\d)|[一二三四五六七八九十]{1,2}、|[①-⑳])")
# A full stop ends a sentence only before a space, so identifiers, versions and addresses hold;
# 。！？ end one wherever they stand, with the closing quotes that follow them.
_END = re.compile(
    r"[。！？…]+[”’」』）)\"']*|[!?]+[!?。！？”’」』）)\"']*(?=\s|$|[\u3400-\u9fff])|\.+[\"')\]]*(?=\s|$)|；"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|mr|mrs|ms|dr|prof|st|no|approx|inc|ltd|fig|a\.m|p\.m|[A-Z])|"
    r"\d)\.$",
    re.IGNORECASE,
)
_LONGEST = 600  # a longer "sentence" is data: it is read up to here
_READ = 12_000  # characters of one turn that are read for sentences
_TOOL_READ = 1_500  # of tool output, from each end


@dataclass(frozen=True)
class Sentence:
    """`start`/`end` are characters of the turn's content; `text` is exactly what stands there."""

    start: int
    end: int
    text: str
    item: bool = False  # of a numbered or bulleted list
    numbered: bool = False


@dataclass(frozen=True)
class Code:
    """A fenced block."""

    start: int
    end: int


def hidden_ranges(turn: Turn) -> list[tuple[int, int]]:
    """Character ranges that are nobody's words: injected memory and the host's scaffolding."""
    ranges = [(start, end) for start, end in turn.injected if start < end]
    if "<" in turn.content:
        ranges += [m.span() for m in _SCAFFOLD.finditer(turn.content)]
    return sorted(ranges)


def code_blocks(text: str) -> list[Code]:
    """The fenced blocks of a text, in order."""
    if "```" not in text and "~~~" not in text:
        return []
    return [Code(m.start(), m.end()) for m in _FENCE.finditer(text)]


def sentences(turn: Turn) -> tuple[list[Sentence], list[Code]]:
    """The sentences and code blocks of a turn, hidden ranges left out.

    Of tool output only both ends are read: errors stand at the end, headlines at the start.
    """
    text = turn.content
    blocks = code_blocks(text) if turn.role is not Role.TOOL else []
    hidden = hidden_ranges(turn)
    skip = sorted(hidden + [(b.start, b.end) for b in blocks])
    if turn.role is Role.TOOL and len(text) > 2 * _TOOL_READ:
        skip = sorted([*skip, (_TOOL_READ, len(text) - _TOOL_READ)])
    found: list[Sentence] = []
    for start, end in _kept(len(text), skip):
        if start >= _READ and turn.role is not Role.TOOL:
            break
        found.extend(_split(text, start, end=end))
    shown = [b for b in blocks if not any(s < b.end and b.start < e for s, e in hidden)]
    return found, shown


def visible_ranges(turn: Turn) -> list[tuple[int, int]]:
    """Character ranges that are somebody's words, in order."""
    return list(_kept(len(turn.content), hidden_ranges(turn)))


def sentences_within(turn: Turn, start: int, *, end: int) -> list[Sentence]:
    """Everything visible between two characters of a turn cut into sentences, code by lines."""
    found: list[Sentence] = []
    for first, last in visible_ranges(turn):
        found.extend(_split(turn.content, max(first, start), end=min(last, end)))
    return found


def _kept(length: int, skip: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    at = 0
    for start, end in skip:
        if start > at:
            yield at, start
        at = max(at, end)
    if at < length:
        yield at, length


def _split(text: str, start: int, *, end: int) -> Iterator[Sentence]:
    for line in _LINE.finditer(text, start, end):
        item = _ITEM.match(line[0]) is not None
        numbered = item and _NUMBERED.match(line[0]) is not None
        lead = _BULLET.match(line[0])
        at = line.start() + (lead.end() if lead else 0)
        for stop in _ends(text, at, end=line.end()):
            sentence = _trimmed(text, at, end=stop, item=item, numbered=numbered)
            if sentence is not None:
                yield sentence
            at = stop


def _ends(text: str, at: int, *, end: int) -> Iterator[int]:
    for mark in _END.finditer(text, at, end):
        if mark[0][0] == "." and _ABBREVIATION.search(text, max(at, mark.start() - 8), mark.end()):
            continue
        if mark.end() < end:
            yield mark.end()
    yield end


def _trimmed(text: str, start: int, *, end: int, item: bool, numbered: bool) -> Sentence | None:
    words = text[start:end]
    start += len(words) - len(words.lstrip())
    words = words.strip()[:_LONGEST]
    if not any(c.isalnum() for c in words):
        return None
    return Sentence(start, start + len(words), words, item, numbered)
