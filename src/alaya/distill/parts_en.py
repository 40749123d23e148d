"""Pieces of English that stand in braces in `relations_en.txt`: names, phrases, titles, days."""

from __future__ import annotations

import re

from alaya.distill import relations_en as words
from alaya.model.calendar import MONTHS

NAME = r"[A-Z][\w’'&-]*\w(?: (?:of the |of |the |de |van )?[A-Z][\w’'&-]*\w){0,3}"
STOP = rf"(?:{'|'.join(words.STOPS)})\b"
END = (
    rf"(?=\s*(?:[.,!?;:](?=[\s\"”)]|$)|[)\]\"”–—\0]|-\s|$)|\s+(?:-|{STOP}|[(\[\"“]|\d{{1,2}}[ /:]))"
)
WORD = rf"(?!{STOP})[A-Za-z][\w'’&+-]*"
_SIZE = r"(?:an?|one|two|three|four|five|six|seven|\d{1,2})"
_MONTH = "|".join((*MONTHS, *(m[:3] for m in MONTHS)))
_DAY = rf"\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})|(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?"
_TRADE = f"(?:{'|'.join(words.TRADES)})"
PETS = f"(?:{'|'.join(words.PETS)})"
PARTS = {
    "P": rf"(?:the )?(?P<object>{NAME}){END}",
    "P0": NAME,
    "N": rf"(?P<object>{WORD}(?: {WORD}){{0,4}}?(?: of (?:the )?[A-Za-z]\w+)?){END}",
    "A": rf"(?:an?|another|this|that|(?:my|our) (?:first|new|own)) "
    rf"(?P<object>{WORD}(?: {WORD}){{0,4}}?(?: of [a-z-]+s)?)"
    rf"{END}",
    "F": rf"(?P<object>{WORD}(?: {WORD}){{0,2}}?){END}",
    "L": rf"(?!the\b|a\b|an\b|[a-z]+ing\b)(?P<object>{NAME}(?: [a-z]{{3,}}s)?"
    rf"|[a-z-]+ and [a-z-]+ [a-z]{{3,}}s|{WORD}(?: {WORD}){{0,3}}?){END}(?! (?:that|which|who)\b)",
    "G": rf"(?P<object>[a-z]{{3,}}ing(?: {WORD}){{0,3}}?){END}(?! (?:up|into|about|them|it|on|out"
    r"|off|down|away|at|for|from|like|my|our|his|her|their|your|the|an?|this|that|these|those"
    r"|through|over|back|us|me|you|as|by|down|right|more|so|to(?! [A-Z])"
    r"|with(?! (?:my|our|friends|family|kids)))\b)",
    "T": r"(?:the )?(?:\"(?P<object>[^\"\0]{2,60})\"|“(?P<title>[^”\0]{2,60})”)",
    "J": rf"(?P<object>(?:[A-Za-z-]+ ){{0,3}}{_TRADE}){END}",
    "V": rf"(?:the )?`?(?P<object>(?:[A-Za-z]*[A-Z][\w.+#/-]*(?: [A-Z][\w.+#-]*){{0,2}}"
    rf"|{'|'.join(words.TOOLS)}|[a-z]+[._\d-][\w.-]*)(?: v?\d[\w.]*)?)`?(?<!\.){END}",
    "#": rf"(?P<object>v?\d[\w.]*\w|\d){END}",
    "D": rf"(?:on )?(?:the )?(?P<object>(?:{_DAY})(?:,? \d{{4}})?|\d{{4}}-\d\d?-\d\d?"
    r"|\d{1,2}/\d{1,2}(?:/\d{2,4})?)",
    "PET": rf"(?:(?:an?|another|this|the|{_SIZE}|my|our)(?: [a-z]+){{0,3}}? )"
    rf"(?P<object>{PETS})\b",
    "MANY": rf"(?:an? )?(?P<object>(?:{_SIZE} )?(?:[a-z]+ )?(?:kids?|child|children|daughters?"
    r"|sons?|sisters?|brothers?|siblings?|twins|grandchildren|grandkids))\b",
    "B": rf"(?P<object>(?:{WORD} ){{0,3}}?(?:{'|'.join(words.VENTURES)})){END}",
    "HAD": rf"(?:an?|my|our|another) (?P<object>(?:[a-z-]+ ){{0,3}}?(?:{'|'.join(words.HAD)}))"
    rf"{END}",
    "HOBBY": rf"(?P<object>{WORD}(?: {WORD}){{0,2}}?){END}",
    ".": END,
}
KINS = "|".join(sorted((*words.KIN, *words.SPELLED), key=len, reverse=True))
ADJECTIVE = r"(?:(?:older|younger|little|big|elder|twin|best|close|good|dear|new|old) )?"


def filled(text: str) -> re.Pattern[str]:
    """A row with its braces filled in, to be matched behind a verb."""
    return re.compile(" " + re.sub(r"\{(\w+|[.#])\}", lambda m: PARTS.get(m[1], m[0]), text))
