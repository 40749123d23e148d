"""From the cards and links that a model wrote to those of a draft. Pure.

A card must cite turns that were sent, at least one of them new and said by somebody; the words that
it rests on become its evidence. What is below the gate, or cites nothing, is dropped and counted.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from alaya.distill.grounding import spans, strange, support, terms
from alaya.distill.windows import Line
from alaya.errors import InvalidInput
from alaya.model.graph import CardKind
from alaya.model.record import DraftCard, DraftLink
from alaya.model.relations import RELATES_TO, relation_name
from alaya.model.words import Stemmer

_TITLE, _CONTENT, _TAGS, _TAG = 120, 6_000, 8, 40
_IMPORTANCE = 0.5  # where the model says none
_UNSUPPORTED, _SUPPORTED = 0.35, 0.55  # confidence without and with all its words in the evidence
_IGNORED = re.compile(r"[\W_]+")
_NUMBERED = re.compile(r"\W?(?:card|卡片)?\s?(K?)\s?(\d{1,4})\W?", re.IGNORECASE)
_SIDES = ("from", "to")
_SHOWN = 40  # titles that a model is told as known, the newest

Value = Mapping[str, Any]


@dataclass(frozen=True)
class Gate:
    """What a card needs: an importance of `least`, and to be among the `most` most important."""

    least: float
    most: int


@dataclass
class Found:
    """What was found in a session so far; `known` are ids and titles from before.

    Ends of links are titles' keys, since positions are only known at the end.
    """

    known: Sequence[tuple[str, str]] = ()
    cards: list[DraftCard] = field(default_factory=list)
    links: list[tuple[str, str, str, str]] = field(default_factory=list)  # from, to, relation, why
    dropped: int = 0
    unsupported: int = 0  # of the dropped: nothing in what they cite supports them

    @property
    def titles(self) -> tuple[str, ...]:
        """Of all cards so far."""
        return (*(title for _, title in self.known), *(card.title for card in self.cards))

    @property
    def shown(self) -> tuple[str, ...]:
        """What the next window is told as K1, K2 …"""
        return self.titles[-_SHOWN:]

    def take(
        self, value: Value, lines: Sequence[Line], *, gate: Gate, stem: Stemmer | None
    ) -> None:
        """Add what a model wrote about `lines`, which it saw numbered from 1."""
        before, earlier = self.shown, len(self.cards)
        names: list[str] = []  # by the number of the card in the answer; empty: dropped
        written: dict[str, str] = {}  # by the title as it was written
        for item in value.get("cards", ()):
            card = _card(item, lines, stem=stem)
            made_up = card is not None and _made_up(card, item["turns"], lines=lines, stem=stem)
            if card is None or made_up or card.importance < gate.least:
                self.dropped += 1
                self.unsupported += made_up
                names.append("")
                continue
            names.append(self._add(card, earlier))
            written.setdefault(title_key(card.title), names[-1])
        for item in value.get("links", ()):
            ends = [_end(item[side], names, written=written, known=before) for side in _SIDES]
            if all(ends) and ends[0] != ends[1]:
                reason = _line(item.get("reason", ""))[:500]
                self.links.append((ends[0], ends[1], _relation(item["relation"]), reason))

    def chosen(self, gate: Gate) -> tuple[tuple[DraftCard, ...], tuple[DraftLink, ...], int]:
        """(cards, links, dropped) of the draft; a known card's position comes behind the cards."""
        ranked = sorted(range(len(self.cards)), key=lambda i: (-self.cards[i].importance, i))
        kept = sorted(ranked[: gate.most])
        cards = tuple(self.cards[i] for i in kept)
        names = [*(card.title for card in cards), *(title for _, title in self.known)]
        places = {title_key(name): place for place, name in reversed(list(enumerate(names)))}
        links = {
            (places[a], places[b], relation): DraftLink(places[a], places[b], relation, reason)
            for a, b, relation, reason in reversed(self.links)
            if a in places and b in places and min(places[a], places[b]) < len(cards)
        }
        return cards, tuple(reversed(links.values())), self.dropped + len(ranked) - len(kept)

    def _add(self, card: DraftCard, earlier: int) -> str:
        """Keep a card under a title of its own; returns the title's key.

        One of the `earlier` cards that is found again in a later window, or told on there, is
        joined with it: the same title, and more words. So is one that is written twice.
        """
        key, words = title_key(card.title), title_key(card.content)
        for place, other in enumerate(self.cards):
            again = place < earlier and other.kind is card.kind and title_key(other.title) == key
            if again or title_key(other.content) == words:
                self.cards[place] = _joined(other, card)
                return title_key(other.title)
        taken = {title_key(title) for title in self.titles}
        number = 2
        title = card.title
        while title_key(title) in taken:
            title, number = f"{card.title} ({number})", number + 1
        self.cards.append(replace(card, title=title))
        return title_key(title)


def title_key(title: str) -> str:
    """The same for titles that differ only in case, spaces and punctuation."""
    text = unicodedata.normalize("NFKC", title).casefold()
    return _IGNORED.sub(" ", text).strip() or text.strip()


def _joined(first: DraftCard, second: DraftCard) -> DraftCard:
    """One card of two with one title."""
    same = title_key(second.content) in title_key(first.content)
    more = title_key(first.content) in title_key(second.content)
    both = second.content if more else f"{first.content}\n\n{second.content}"
    return replace(
        first,
        content=first.content if same else both[:_CONTENT],
        evidence=tuple(dict.fromkeys((*first.evidence, *second.evidence))),
        tags=tuple(dict.fromkeys((*first.tags, *second.tags)))[:_TAGS],
        importance=max(first.importance, second.importance),
        confidence=max(first.confidence, second.confidence),
    )


def _card(item: Value, lines: Sequence[Line], *, stem: Stemmer | None) -> DraftCard | None:
    title, content = _line(item["title"])[:_TITLE], item["content"].strip()[:_CONTENT]
    cited = [lines[n - 1] for n in dict.fromkeys(item["turns"]) if 0 < n <= len(lines)]
    cited = [line for line in cited if line.start < line.end]
    if not title or not content or not any(line.carries for line in cited):
        return None
    words = terms(f"{title}\n{content}", stem)
    evidence = [
        (line.turn.id, start, end) for line in cited for start, end in spans(words, line, stem=stem)
    ]
    return DraftCard(
        title=title,
        content=content,
        kind=_kind(item.get("type", "")),
        evidence=tuple(dict.fromkeys(evidence)),
        tags=_tags(item.get("tags", ())),
        importance=_importance(item.get("importance")),
        confidence=round(_UNSUPPORTED + _SUPPORTED * support(words, cited, stem=stem), 3),
    )


def _made_up(
    card: DraftCard, turns: Sequence[int], *, lines: Sequence[Line], stem: Stemmer | None
) -> bool:
    """Whether nothing of a card stands in the turns that it cites or beside them: `yes, do that`
    means what was said before."""
    near = {n - 1 + step for n in turns if 0 < n <= len(lines) for step in (-1, 0, 1)}
    heard = "\n".join(lines[i].text for i in sorted(near) if 0 <= i < len(lines))
    return strange(f"{card.title}\n{card.content}", heard, stem=stem)


def reference(name: str) -> tuple[bool, int] | None:
    """(whether of a known card, number) for what names a card by its number; else None."""
    found = _NUMBERED.fullmatch(name.strip())
    return (bool(found[1]), int(found[2])) if found and int(found[2]) else None


def _end(
    name: str, names: Sequence[str], *, written: Mapping[str, str], known: Sequence[str]
) -> str:
    """The key of the title that is meant: by title, number in the answer, or K and a number."""
    keys = [title_key(title) for title in known]
    key = title_key(name)
    if key in written or key in keys:
        return written.get(key, key)
    of_known, number = reference(name) or (False, 0)
    among = keys if of_known else names
    return among[number - 1] if 0 < number <= len(among) else ""


def _relation(text: str) -> str:
    try:
        return relation_name(text)
    except InvalidInput:
        return RELATES_TO


def _kind(text: str) -> CardKind:
    """A kind of cards by its name; what is none of them is knowledge all the same."""
    name = text.strip().casefold()
    return next((kind for kind in CardKind if kind.value == name), CardKind.CONCEPT)


def _importance(value: float | None) -> float:
    """0..1; a model that counts to 10, as the Eywa design does, is understood."""
    if value is None or value < 0:
        return _IMPORTANCE if value is None else 0.0
    return value if value <= 1 else min(1.0, value / 10)


def _tags(items: Iterable[str]) -> tuple[str, ...]:
    found = (_line(item).lstrip("#")[:_TAG] for item in items)
    return tuple(dict.fromkeys(tag for tag in found if tag))[:_TAGS]


def _line(text: str) -> str:
    return " ".join(text.split())
