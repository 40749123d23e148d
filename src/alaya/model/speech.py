"""What of a turn is memory: its words without what alaya itself had put there."""

from __future__ import annotations

import re

from alaya.model.context import CLOSE_TAG, OPEN_TAG
from alaya.model.erasure import blanked
from alaya.model.raw import Role, Turn

# Names that tell no more than the role does.
_ROLES = frozenset(
    """user assistant human ai bot system tool agent
    用户 助手 助理 人类 机器人 系统 工具 智能体""".split()  # noqa: SIM905
)
_INDEXED = 20_000  # characters of a turn that are indexed: the tail of a huge output is noise
# A context written as JSON begins and ends with the tags; a copy may be a text in other JSON.
_JSON_HEAD = re.compile(r'\{(?:\s|\\+[nrt])*\\*"begin\\*"\s*:\s*\\*"\Z')
_JSON_TAIL = re.compile(r'\\*"(?:\s|\\+[nrt])*\}')
_HEAD = 40  # characters before the opening tag in which such a beginning stands


def visible(turn: Turn) -> str:
    """A turn's words without what alaya itself had put there."""
    text, kept, last = turn.content, [], 0
    for start, end in sorted(turn.injected):
        kept.append(text[last:start])
        last = max(last, end)
    return "".join([*kept, text[last:]]) if turn.injected else text


def said(turn: Turn) -> str:
    """What a turn says, as far as it is indexed."""
    return visible(turn)[:_INDEXED]


def is_speech(turn: Turn) -> bool:
    """Whether somebody says this: it is not the noise of tools, and no system prompt."""
    return turn.role in (Role.USER, Role.ASSISTANT)


def speaker(turn: Turn) -> str:
    """The name of who speaks; empty where nobody does, or it tells no more than the role."""
    name = " ".join((turn.name or "").split()) if is_speech(turn) else ""
    return "" if name.casefold() in _ROLES else name


def indexed(turn: Turn) -> str:
    """The text of a turn that is looked up by words: who speaks, and what."""
    return f"{turn.name or ''}\n{said(turn)}"


def embeddable(turn: Turn) -> str:
    """The text of a turn that gets a vector: speech, after who speaks. May be empty.

    With the name of who speaks, `I` is somebody: on LoCoMo vectors alone find 51 instead of 28 of
    a hundred turns asked for.
    """
    text = visible(turn).strip() if is_speech(turn) else ""
    if blanked(text):
        return ""
    name = speaker(turn)
    return f"{name}: {text}" if name and text else text


def injected_ranges(content: str) -> tuple[tuple[int, int], ...]:
    """Character ranges between `<alaya-memory …>` and `</alaya-memory>`, tags included.

    Without an end the range goes to the end of the text. A tag inside a range ends nothing. Of a
    context that was written as JSON, the braces belong to it.
    """
    ranges: list[tuple[int, int]] = []
    start = content.find(OPEN_TAG)
    while start >= 0:
        after = content[start + len(OPEN_TAG) : start + len(OPEN_TAG) + 1]
        if after and not after.isspace() and after not in ">/":
            start = content.find(OPEN_TAG, start + len(OPEN_TAG))  # <alaya-memory-of-others>
            continue
        end = _end(content, start)
        if head := _JSON_HEAD.search(content, max(start - _HEAD, 0), start):
            start = head.start()
            if tail := _JSON_TAIL.match(content, end):
                end = tail.end()
        ranges.append((start, end))
        start = content.find(OPEN_TAG, end)
    return tuple(ranges)


def _end(content: str, start: int) -> int:
    """Past the closing tag that belongs to the opening tag at `start`."""
    depth, at = 1, start + len(OPEN_TAG)
    while depth:
        close = content.find(CLOSE_TAG, at)
        if close < 0:
            return len(content)
        opening = content.find(OPEN_TAG, at, close)
        if opening >= 0:
            depth, at = depth + 1, opening + len(OPEN_TAG)
        else:
            depth, at = depth - 1, close + len(CLOSE_TAG)
    return at
