"""What one sentence claims of somebody or something, before anybody is looked up."""

from __future__ import annotations

import re
from dataclasses import dataclass

from alaya.model.graph import EntityKind


@dataclass(frozen=True)
class Whose:
    """Of whom it is told: who speaks, unless there is a name, kin of theirs, or both.

    `kin` is the word for the relation (`sister`, 妈妈), `relation` what joins who speaks to them.
    `thing`: it is no person but what the name says. `doubtful`: the name may be any word that has
    its capital from the sentence.
    """

    name: str = ""
    kin: str = ""
    relation: str = ""
    thing: bool = False
    doubtful: bool = False


ME = Whose()


@dataclass(frozen=True)
class Claim:
    """`whose` `relation` `object`, which stands at `start`..`end` of the sentence.

    Without a relation it only tells that there is the kin. `dated`: a time in the same sentence is
    when it began. `kin`: for which word of kin of who speaks the object is the name.
    """

    whose: Whose
    relation: str
    object: str
    kind: EntityKind
    start: int
    end: int
    dated: bool = False
    kin: str = ""


# What is quoted, shown or meant in fun is nobody's word about themselves.
_QUOTED = re.compile(
    r"\[[^\]\n]*\]|`[^`\n]*`(?=\s*[:：])|\"[^\"\n]*\"|“[^”\n]*”|「[^」\n]*」|『[^』\n]*』"
)
_SPEAKS = re.compile(r"\b(?:I|we|my|our|you|he|she)\b|我|你|他|她", re.IGNORECASE)
_JEST = re.compile(
    r"\b(?:yeah,? right|just kidding|jk|as if|not!|said no one|joking|sarcas\w+)|/s\b|"
    r"开玩笑|才怪|呵呵|骗你的|逗你",
    re.IGNORECASE,
)


def plain(text: str) -> str:
    """The sentence with what others say blanked out, its places kept; empty for a jest.

    A title in quotation marks stays: it has no I and no you.
    """
    if _JEST.search(text):
        return ""
    return _QUOTED.sub(
        lambda m: "\0" * len(m[0]) if m[0][0] == "[" or _SPEAKS.search(m[0]) else m[0], text
    )
