"""Remembered words, made safe to stand in a prompt: nothing in them can pass for alaya's own.

They are kept as they are but for what is invisible, for what looks like alaya's tags, citations or
a model's control tokens (their brackets are exchanged), and for what is cut.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import accumulate

from alaya.model.ids import clean

# What a reader does not see but a model reads, or what reorders what is seen. The joiners of emoji
# and of Indian and Persian scripts stay.
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_TAG = re.compile(r"[<＜](?=\s*/?\s*(?:alaya-memory|system|user|assistant|human)\b)", re.IGNORECASE)
_TOKEN = re.compile(r"<(?=[|｜][^\s<>]{1,40}[|｜]>)|<(?=</?SYS>>)")
_CITATION = re.compile(
    r"[\[［【〔⟦](?P<what>\s*(?:card-|session\s|link-|summary-|note\s|/?INST)[^\]］】〕⟧\n]*)[\]］】〕⟧]",
    re.IGNORECASE,
)
_OPEN_CITATION = re.compile(
    r"[\[［【〔⟦](?=\s*(?:card-|session\s|link-|summary-|note\s|/?INST))", re.IGNORECASE
)
_NOT_IN_IDS = re.compile(r"[\s\[\]<>`\"%]|[^ -~\w]")
_END = re.compile(r"(?:[.!?…]+[\"'”’)\]]*(?=\s)|[。！？…]+[”’」』）)]*)\s*|\n+")
_JOINED = re.compile("[\u0300-\u036f\u200c\u200d\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]")
ELLIPSIS = "…"
_LOOKED_AT = 20_000  # characters of a long text: more of a turn is not indexed either


def inert(text: str) -> str:
    """The text without what is unseen, and without anything that looks like alaya's own words."""
    text = _LINE_ENDS.sub("\n", clean(text)).replace("\t", "    ")
    text = _UNSEEN.sub("", text)
    text = _TOKEN.sub("‹", _TAG.sub("‹", text))
    text = _CITATION.sub(lambda found: f"({found['what']})", text)
    return _OPEN_CITATION.sub("(", text).strip("\n").rstrip()


def one_line(text: str, limit: int) -> str:
    """The beginning of an inert text on one line, at most `limit` characters long."""
    flat = " ".join(inert(text).split())
    return flat if len(flat) <= limit else _shortened(flat, limit - 1).rstrip() + ELLIPSIS


def cite_card(card: str) -> str:
    """`[card-…]`."""
    return f"[{_escaped(card)}]"


def cite_turn(session: str, turn: str) -> str:
    """`[session <id>#<turn>]`; what could break out of it is escaped as in addresses."""
    return f"[session {_escaped(session)}#{_escaped(turn)}]"


def cite_note(path: str) -> str:
    """`[note soul/SOUL.md]`."""
    return f"[note {_escaped(path)}]"


def fence(text: str, mark: str) -> str:
    """A line of marks that no line of the text can close: longer than any run of them inside."""
    runs = re.findall(re.escape(mark) + "+", text)
    return mark * max(3, 1 + max(map(len, runs), default=0))


def excerpt(
    text: str, room: int, *, count: Callable[[str], int], held: Callable[[str], int]
) -> str | None:
    """The part of a long text that says most, at most about `room` tokens, ending with sentences.

    It begins with the text where that holds as much as any other part; `held` counts the terms of
    the question in a piece. What was left out is an ellipsis. None where nothing fits.
    """
    room -= 2 * count(ELLIPSIS)
    pieces = sentences(text[:_LOOKED_AT])
    if not pieces:
        return None
    costs = [count(piece) for piece in pieces]
    first, last = _window(costs, [held(piece) for piece in pieces], room=room)
    if first < last:
        kept = "".join(pieces[first:last]).strip()
    else:  # one sentence alone is too long
        kept = _shortened(pieces[first], _fitting(pieces[first], room, count=count)).strip()
    if not kept:
        return None
    before = f"{ELLIPSIS} " if first else ""
    whole = last > first and last == len(pieces) and len(text) <= _LOOKED_AT
    return before + kept + ("" if whole else f" {ELLIPSIS}")


def sentences(text: str) -> list[str]:
    """The text in pieces that end with a sentence or a line; together they are the text."""
    ends = [found.end() for found in _END.finditer(text)]
    starts = [0, *ends]
    pieces = [text[a:b] for a, b in zip(starts, [*ends, len(text)], strict=True)]
    return [piece for piece in pieces if piece]


def _window(costs: Sequence[int], found: Sequence[int], *, room: int) -> tuple[int, int]:
    """From where to where: the run of pieces within `room` that holds most.

    Of several the one at the beginning of the text, else the middle one, so that what was asked
    stands in its surroundings. An empty run, at the piece that holds most, where none fits or what
    fits holds nothing asked.
    """
    sums, gains = [0, *accumulate(costs)], [0, *accumulate(found)]
    most, best, end = 0, [(0, 0)], 0
    for start in range(len(costs)):
        end = max(end, start)
        while end < len(costs) and sums[end + 1] - sums[start] <= room:
            end += 1
        gain = gains[end] - gains[start]
        if end > start and (best == [(0, 0)] or gain > most):
            most, best = gain, [(start, end)]
        elif end > start and gain == most:
            best.append((start, end))
    if best == [(0, 0)] or (most == 0 and any(found)):
        richest = max(range(len(costs)), key=lambda i: (found[i], -i))
        return richest, richest
    return best[0] if best[0][0] == 0 else best[len(best) // 2]


def _fitting(text: str, room: int, *, count: Callable[[str], int]) -> int:
    """How many characters from the beginning are at most `room` tokens."""
    low, high = 0, min(len(text), max(room, 0) * 16)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(text[:middle]) <= room else (low, middle - 1)
    return low


def _shortened(text: str, limit: int) -> str:
    """At most `limit` characters, ending between words where there are any, and not in an emoji."""
    if len(text) <= limit:
        return text
    cut = max(limit, 0)
    space = text.rfind(" ", cut // 2, cut + 1)
    if space > 0:
        return text[:space]
    while cut and (_JOINED.match(text, cut) or text[cut - 1] == "\u200d"):
        cut -= 1
    return text[:cut]


def _escaped(name: str) -> str:
    """An id without blanks, brackets and controls, so that a citation is one unbroken thing."""
    return _NOT_IN_IDS.sub(
        lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "replace")), name
    )
