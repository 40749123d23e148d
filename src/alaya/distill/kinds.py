"""What the words around a name make of it: a person, a place, an organization; or no name at all.

Hey Maya!   Maya and I   my sister Maya   "Dune" by Frank Herbert     people
LISTEN to me   `down`                                                 nobody and nothing
"""

from __future__ import annotations

import re

from alaya.distill import relations_en
from alaya.model.grammar import is_grammar
from alaya.model.graph import EntityKind

_TITLE = re.compile(r"^(?:Dr|Mr|Mrs|Ms|Prof|Miss|Aunt|Uncle|Grandma|Grandpa)\b")
_KIN = "|".join(sorted((*relations_en.KIN, *relations_en.SPELLED), key=len, reverse=True))
_WHO = r"someone|somebody|guy|man|woman|girl|boy|kid|lady|friend|person|veteran|child|author|artist"
_BEFORE: tuple[tuple[EntityKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(shape))
    for kind, shape in (
        (EntityKind.PERSON, rf"\b(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir) (?:\w+ )?(?:{_KIN}),? $"),
        (
            EntityKind.PERSON,
            r"\b(?:[Hh]ey|[Hh]i|[Hh]ello|[Tt]hanks|[Tt]hank you|[Bb]ye|[Ww]ow|[Yy]eah|[Cc]ongrats"
            r"|[Ss]orry|[Dd]ear|[Mm]orning|met|told|asked|dating|married|marry),? $",
        ),
        (EntityKind.PERSON, rf"\b(?:{_WHO}|singer|actor|actress) (?:named|called) $"),
        (EntityKind.PERSON, r"[\"”] (?:is )?by $"),
        (EntityKind.ORGANIZATION, r"\b(?:work(?:s|ed|ing)? (?:at|for)|studies at|employed by) $"),
        (
            EntityKind.PLACE,
            r"\b(?:(?:live[sd]?|living|moved|trip|travel\w*|went|visit\w*|flew|back) (?:in|to|from)"
            r"|in|visited|near|around) $",
        ),
    )
)
# In the order of how sure they are: what somebody says or feels, whom one speaks to.
_AFTER = re.compile(
    r"(?: and I\b(?!['’])| (?:said|says|told|asked|asks|thinks|thought|believes|wants|wanted|loves"
    r"|likes|hates|prefers|lives|works|called me|texted|emailed|agreed|suggested|mentioned|laughed"
    r"|replied|knows|met|married|got married|graduated|passed away|was born|is my|is our)\b"
    rf"|['’]s (?:birthday|wedding|husband|wife|{_KIN})\b)"
)
_CALLED = re.compile(r"[,.!?] $")
_CALLED_TO = re.compile(r"[!?]|\.\.\.")
_OPENING = re.compile(
    r"[,!] (?:you\b|I\b|I['’]|that['’]s|can you|could you|how|what|do you|it['’]s)"
)
_SHOUT = re.compile(r"[A-Z]{4,}$")
_SHOUTED = re.compile(r"(?:!| [A-Z]{2,}\b)")
_PLAIN = re.compile(r"[a-z]+$")
_TOOLS = frozenset(relations_en.TOOLS)


def kind_of(name: str, text: str, *, at: int) -> EntityKind | None:
    """What the words before and behind a name make of it; None: they tell nothing."""
    before, after = text[:at], text[at + len(name) :]
    if _TITLE.match(name):
        return EntityKind.PERSON
    for kind, shape in _BEFORE:
        if shape.search(before):
            return kind
    if _AFTER.match(after) or (not before.strip() and _OPENING.match(after)):
        return EntityKind.PERSON
    if _CALLED.search(before) and _CALLED_TO.match(after) and " " not in name:
        return EntityKind.PERSON
    return None


def is_shouted(name: str, after: str) -> bool:
    """Whether its capitals may be those of a raised voice: `LISTEN!`, not NASA."""
    return _SHOUT.match(name) is not None and (_SHOUTED.match(after) is not None or len(name) > 5)


def is_code(words: str) -> bool:
    """Whether what stands in backticks names something: no `down`, and no command with its words.

    A word in small letters is one where it is a tool that people know.
    """
    if is_grammar(words.casefold()) or len(words.split()) > 2:
        return False
    return not _PLAIN.match(words) or words in _TOOLS
