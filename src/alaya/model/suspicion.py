"""Text that speaks to an agent instead of its reader: hidden instructions, role play, exfiltration.

Pure and deterministic, without a model. What it finds is set aside or fenced, never thrown away:
it is wrong at times (`benchmarks/poison.py` prints how often), and a person decides.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from alaya.model.change import Change, Quarantined
from alaya.model.graph import Card
from alaya.model.raw import Origin
from alaya.model.scope import Scope
from alaya.model.suspicion_cues import ENOUGH, EXPLAINED, HIDDEN, QUOTED, SPOKEN_OF, cues

_NEAR = 320  # characters of a passage
_PIECE = 2_400  # characters that are looked at together
_MOST = 40_000  # characters that are looked at: of a turn 20,000 are indexed and quoted
_UNSEEN = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]"
)
_BLANKS = re.compile(r"[^\S\n]{2,}")
_TAGS = re.compile("[\U000e0020-\U000e007e]{4,}")
_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_INVISIBLE = re.compile(
    r"<(\w{1,20})\b[^<>]{0,300}?(?:display:\s?none|visibility:\s?hidden|font-size:\s?0|opacity:\s?0\b)"
    r"[^<>]{0,300}>(.*?)"
    r"(?:</\1>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}={0,2}")
_JOINT = re.compile(r"(?<=\w)[-_.](?=\w)")
_NAME = re.compile(r"(?<![^\W_])(?!tests?_)(?:[^\W_]{1,40}[-_.]){3,}[^\W_]{1,40}")
_DEEP = 2  # base64 within base64


def untrusted(origin: Origin) -> bool:
    """Whether words of this origin may only be read, not followed."""
    return origin not in (Origin.OWNER, Origin.AGENT)


@lru_cache(maxsize=256)  # the same turns are quoted again and again
def suspicion(text: str) -> tuple[str, ...]:
    """The cues by which a text seems to instruct an agent, such as ("conceal", "secrets").

    Empty for a text that does not. A text about such texts, which quotes them, is none.
    """
    return _suspicion(text[:_MOST], depth=0)


def doubts(origin: Origin, *texts: str) -> tuple[str, ...]:
    """The cues in texts of an origin; words of the owner and of the agent raise none."""
    if not untrusted(origin):
        return ()
    return tuple(dict.fromkeys(cue for text in texts for cue in suspicion(text)))


def quarantining(cards: Iterable[Card], *, said: Mapping[str, str] | None = None) -> list[Change]:
    """The changes that set aside those of these cards that speak to an agent.

    `said`: the words that a card cites, by its id, where they are more than its own.
    """
    found: list[Change] = []
    for card in cards:
        doubt = doubts(card.origin, card.text, (said or {}).get(card.id, ""))
        if doubt:
            reason = f"it seems to instruct an agent: {', '.join(doubt)}"
            found.append(Quarantined(Scope(card.scope.user), (card.id,), True, reason))
    return found


def _suspicion(text: str, *, depth: int) -> tuple[str, ...]:
    seen = _BLANKS.sub(" ", unicodedata.normalize("NFKC", _UNSEEN.sub("", text)))
    found = _cues(seen) or _cues(_unjoined(seen))
    if found:
        return found
    for hidden in _hidden(text, seen):
        if depth < _DEEP and (found := _suspicion(hidden, depth=depth + 1)):
            return tuple(dict.fromkeys((*found, "hidden")))
        if found := _cues(hidden, more=HIDDEN):
            return (*found, "hidden")
    return ()


def _cues(text: str, *, more: float = 0.0) -> tuple[str, ...]:
    """The cues of the first passage in which there are enough of them."""
    if EXPLAINED.search(text):
        more -= HIDDEN
    if SPOKEN_OF.search(text):
        text = QUOTED.sub(lambda quoted: " " * len(quoted[0]), text)
    for start in range(0, len(text), _PIECE - _NEAR):
        end = start + _PIECE
        low = text[start:end].lower()
        possible = [c for c in cues() if not c.leads or any(lead in low for lead in c.leads)]
        if _weight((cue.name, cue.weight) for cue in possible) + more < ENOUGH:
            continue
        found = sorted(
            (match.start(), cue.name, cue.weight)
            for cue in possible
            for match in cue.pattern.finditer(text, start, end)
        )
        if names := _together(found, more=more):
            return names
    return ()


def _together(found: Sequence[tuple[int, str, float]], *, more: float) -> tuple[str, ...]:
    """Of matches in order, (place, name, weight): the first that are near each other and enough."""
    first = 0
    for last, (end, _, _) in enumerate(found):
        while found[first][0] < end - _NEAR:
            first += 1
        near = [(name, weight) for _, name, weight in found[first : last + 1]]
        if _weight(near) + more >= ENOUGH:
            return tuple(sorted({name for name, _ in near}))
    return ()


def _weight(found: Iterable[tuple[str, float]]) -> float:
    """Each cue counts once, with the most that it weighs."""
    most: dict[str, float] = {}
    for name, weight in found:
        most[name] = max(weight, most.get(name, 0.0))
    return sum(most.values())


def _unjoined(text: str) -> str:
    """File names as words; empty where there are none."""
    if not _NAME.search(text):
        return ""
    return _NAME.sub(lambda name: _JOINT.sub(" ", name[0]), text)


def _hidden(text: str, seen: str) -> Iterator[str]:
    """What stands in the text and is not shown, or not in words."""
    for found in _TAGS.finditer(text):
        yield "".join(chr(ord(c) - 0xE0000) for c in found[0])
    for found in _COMMENT.finditer(seen):
        yield found[1]
    for found in _INVISIBLE.finditer(seen):
        yield found[2]
    for found in _BASE64.finditer(seen):
        decoded = _decoded(found[0])
        if decoded:
            yield decoded


def _decoded(word: str) -> str:
    """What a word says in base64, where that is text."""
    plain = word.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        text = base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return ""
    return text if text.isprintable() or not re.search("[\x00-\x08\x0e-\x1f]", text) else ""
