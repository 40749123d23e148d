"""What ranking needs of a text, made once when it is indexed, so that no recall reads texts.

`terms` are what the words arm scores by: one token for each word (its stem, where a stemmer is
given), bigrams of scripts without spaces, emoji; without the words that only carry grammar.
`names` are proper names of scripts that have capitals, and titles in 《》; they bridge from one
text to another. `heading` is a short first line with more below it: what a text is about. `days`
are the times that it speaks of, worked out from when it was said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Generic, TypeVar

from alaya.model.aliases import aliases
from alaya.model.grammar import is_grammar
from alaya.model.graph import Card, Summary
from alaya.model.named import Days, mentioned
from alaya.model.raw import Turn
from alaya.model.speech import is_speech, said, speaker
from alaya.model.words import PARTS, Stemmer, pieces

HEADING = 80  # characters that a heading has at most
MOST_TERMS = 1_500  # of one text; a huge one is ranked by its beginning
_NAMES = 40
_READ = 20_000  # characters in which names and days are looked for
_ASIDE = re.compile(r"\s*[(（][^()（）]*[)）]")
# A full stop belongs to an initial or a title, or stands inside a word; else it ends a sentence.
_CAPITAL = r"(?:[A-Z]|Dr|Mrs?|Ms|St|Mt|Prof)\.(?!\w)|{first}[\w'’]*(?:[.-][\w'’]+)*"
_NAME = re.compile(
    r"《(?P<title>[^《》]{1,40})》"
    rf"|(?:{_CAPITAL.format(first='[A-Z]')})"
    r"(?:[^\S\n]+(?:(?:of|the|de|la|van|von|and|&)[^\S\n]+){0,2}"
    rf"(?:{_CAPITAL.format(first='[A-Z0-9]')}))*"
)
_SENTENCE_END = frozenset(".!?:;\"“”'‘’(（[。！？：；…\n-–—*#>")
_IS = " = "  # between two names of the same one
_ALONE = frozenset(["i", "i'm", "i've", "i'd", "i'll", "ok", "okay"])

T = TypeVar("T")


class kept(Generic[T]):
    """Worked out once for each object, as by `cached_property`, which in Python 3.11 takes a lock:
    longer than what is worked out here."""

    def __init__(self, work: Callable[[Any], T]) -> None:
        self._work, self._name = work, work.__name__

    def __get__(self, instance: Any, owner: type[Any]) -> T:
        found = instance.__dict__[self._name] = self._work(instance)
        return found


@dataclass(frozen=True)
class Forms:
    """The forms of one text. Equal texts that were said on one day have equal forms."""

    line: str = ""  # the terms in order, with repeats, joined by spaces
    names: tuple[str, ...] = ()  # each its terms joined by a space, once; and what `alike` reads
    heading: str = ""  # its terms joined by a space; empty: none
    asks: bool = False  # it ends with a question mark
    days: tuple[Days, ...] = ()  # that it speaks of beside the day it was said, see `model.named`

    @property
    def terms(self) -> tuple[str, ...]:
        """The terms in order, with repeats. Not kept: they take ten times the room of the line."""
        return tuple(self.line.split())

    @property
    def alike(self) -> tuple[tuple[str, str], ...]:
        """Pairs of names that the text says are of the same one, see `model.aliases`."""
        pairs = (name.partition(_IS) for name in self.names if _IS in name)
        return tuple((one, other) for one, _, other in pairs)

    @property
    def padded(self) -> str:
        """With a space before, between and behind: made to be searched, `f" {term} " in padded`."""
        return f" {self.line} "

    @kept
    def length(self) -> int:
        """How many terms, without splitting them."""
        return self.line.count(" ") + 1 if self.line else 0

    @kept
    def han(self) -> float:
        """The share of terms in scripts other than Latin, as `words.han_share` of the text."""
        if self.line.isascii():  # a Python string knows this without being looked at
            return 0.0
        return 1 - len(self.line.encode("ascii", "ignore").split()) / self.length


def aliased(name: str) -> str:
    """What an item that gives other names of `name` (its terms) mentions: found as a name is."""
    return f"{_IS.strip()} {name}"


def forms(
    text: str,
    stem: Stemmer | None = None,
    *,
    heading: str | None = None,
    speaker: str = "",
    said_at: datetime | None = None,
) -> Forms:
    """The forms of a text; `heading` where it is known (a card's title), else its first line.

    Where it is not known when it was said, it has no days.
    """
    if heading is None:
        first, _, rest = text.strip().partition("\n")
        heading = first if rest.strip() and len(first) <= HEADING else ""
        whole = text
    else:
        whole = f"{heading}\n{text}"
    found: dict[str, None] = {}
    for match in _NAME.finditer(whole[:_READ]):
        name = _name(match, whole)
        if name and len(found) < _NAMES:
            found[" ".join(terms(name, stem))] = None
    found.pop("", None)
    for one, other in aliases(whole[:_READ], speaker)[:_NAMES]:
        pair = [" ".join(terms(name, stem, grammar=True)) for name in (one, other)]
        if all(pair) and pair[0] != pair[1]:
            # No term holds the sign, so these meet no name. Both ways: either may be asked for.
            found |= dict.fromkeys((_IS.join(pair), *map(aliased, pair)))
    return Forms(
        line=" ".join(terms(whole, stem)[:MOST_TERMS]),
        names=tuple(found),
        heading=" ".join(terms(_ASIDE.sub("", heading.lstrip("# ")), stem)),
        asks=text.rstrip().endswith(("?", "？")),
        days=mentioned(whole[:_READ], said_at.date()) if said_at else (),
    )


def card_forms(card: Card, stem: Stemmer | None = None) -> Forms:
    """Of a card: its title is the heading, its tags belong to its text."""
    tags = " ".join(card.tags)
    text = f"{tags}\n{card.content}" if tags else card.content
    return forms(text, stem, heading=card.title, said_at=card.said_at)


def summary_forms(summary: Summary, stem: Stemmer | None = None) -> Forms:
    """Of a summary: its topic is the heading."""
    return forms(summary.content, stem, heading=summary.topic, said_at=summary.said_at)


def turn_forms(turn: Turn, stem: Stemmer | None = None, *, said_at: datetime) -> Forms:
    """Of a turn: its words without who says them.

    What nobody says has terms alone: the names and the first line of a tool's output lead nowhere,
    the times in a log are no memories.
    """
    if is_speech(turn):
        return forms(said(turn), stem, speaker=speaker(turn), said_at=said_at)
    return replace(forms(said(turn), stem), names=(), heading="")


def speaker_terms(turn: Turn, stem: Stemmer | None = None) -> str:
    """The terms of the name of who speaks, joined by spaces; empty where it is not known."""
    return " ".join(terms(speaker(turn), stem, grammar=True))


def terms(text: str, stem: Stemmer | None = None, *, grammar: bool = False) -> list[str]:
    """The terms of a text, in order, with repeats; without grammar, unless it is asked for."""
    found: list[str] = []
    for kind, piece in pieces(text):
        if kind == "dense":
            run = piece.casefold()
            found += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
        elif kind == "emoji":
            found.append(piece)
        elif piece[-1] in "+#":  # C++ and C# are not C
            found.append(piece.casefold())
        else:
            for word in PARTS.findall(piece.casefold()):
                if grammar or (not is_grammar(word) and (len(word) > 1 or word.isdigit())):
                    ascii_word = stem is not None and word.isascii() and word.isalpha()
                    found.append((stem(word) or word) if stem and ascii_word else word)
    return found


def proper_names(text: str) -> Iterator[tuple[int, int, bool]]:
    """Where names stand, as `Forms.names` has them, and whether each is surely one.

    A word whose capital may be its sentence's is not.
    """
    for match in _NAME.finditer(text):
        group = "title" if match["title"] else 0
        yield *match.span(group), bool(_name(match, text))


def _name(match: re.Match[str], text: str) -> str:
    """The name that was matched; nothing for a word that has its capital from the sentence."""
    if match["title"]:
        return match["title"]
    name = match[0]
    before = text[: match.start()].rstrip(" \t")[-1:]
    alone = not re.search(r"\s", name)
    if alone and (not before or before in _SENTENCE_END or name.casefold() in _ALONE):
        return ""
    return name
