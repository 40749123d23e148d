"""Names in a text: identifiers, products, people and places, quoted terms; both languages."""

from __future__ import annotations

import re
from collections.abc import Iterable

_MOST = 8
_LONGEST = 40
_CODE = re.compile(r"`([^`\n]{2,40})`")
_IDENTIFIER = re.compile(
    r"(?<![\w/])(?:[A-Za-z_][\w-]*(?:[._/:-][A-Za-z0-9][\w-]*)+|[A-Za-z][a-z0-9]+[A-Z]\w*|"
    r"[a-z]+_\w+|[A-Z][A-Z0-9]{1,9}|[A-Za-z]+\d[\w.]*)(?![\w])"
)
_PROPER = re.compile(
    r"(?<![.!?:\"'“] )(?<!^)(?<!\n)(?<=[\s(])[A-Z][a-zé]+(?:[ -][A-Z][a-zé]+){0,2}(?![\w])"
)
_LATIN_IN_HAN = re.compile(
    r"(?<=[\u4e00-\u9fff，。、：；（“])\s?([A-Za-z][\w+#.-]{1,24}(?: [A-Z][\w+#.-]*)?)"
)
_QUOTED = re.compile(r"[“「『《\"]([^”」』》\"\n]{2,16})[”」』》\"]")
_DULL_WORDS = """
    i i'm i'll i've ok okay yes no thanks hey hi wow the this that it we you they monday
    tuesday wednesday thursday friday saturday sunday january february march april may june
    july august september october november december english e.g i.e etc and/or http https
    www true false none null todo let's one great
"""
_DULL = frozenset(_DULL_WORDS.split())
_FUNCTION = re.compile(
    r"[的了是在我你他她它们这那就都也还有和与跟很太不没把被给让对从到要会能可以用个这些那些因为所以"
    r"如果但是而且或者什么怎么吗呢吧啊呀哦嗯\s]+|[^\u4e00-\u9fff]+"
)


def tags(texts: Iterable[str], titles: Iterable[str] = ()) -> tuple[str, ...]:
    """At most eight names, the most specific kinds first, each once whatever its case."""
    body = "\n".join(texts)
    title = "\n".join(titles)
    found: dict[str, str] = {}
    for pattern in (_CODE, _IDENTIFIER, _PROPER, _LATIN_IN_HAN, _QUOTED):
        for match in pattern.finditer(body):
            _keep(found, match[match.lastindex or 0])
    for word in _FUNCTION.split(title):
        if 2 <= len(word) <= 6:
            _keep(found, word)
    return tuple(list(found.values())[:_MOST])


def _keep(found: dict[str, str], raw: str) -> None:
    name = raw.strip(" .,:;'\"`()/-")
    key = name.casefold()
    if 2 <= len(name) <= _LONGEST and key not in _DULL and not name.isdigit():
        found.setdefault(key, name)
