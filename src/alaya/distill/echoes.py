"""What memory itself said is not learnt again: cards that repeat what was recalled. Pure.

Text that alaya put into a prompt is never read (`Turn.injected`). But the agent may say it again
in its own turn. A card that does little more than repeat it, and that no person's words carry, is
an echo. And what alaya printed may be pasted somewhere: a card that mostly quotes a known one is
that one, said again.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace

from alaya.distill.grounding import terms
from alaya.model.graph import Card
from alaya.model.raw import ArchivedTurn, Origin
from alaya.model.record import Draft, DraftCard, DraftLink
from alaya.model.words import Stemmer

_REPEATED = 0.8  # of a card's words stand in what was recalled
_QUOTED = 0.75  # of a card's characters, by sentences, stand in a known card
_TELLING = 12  # characters without spaces and signs (Han counts for three): less is no quotation
_OWN = 0.6  # of a card's words in what a person said: then it is told, not repeated


def without_echoes(
    draft: Draft, turns: Iterable[ArchivedTurn], *, stem: Stemmer | None = None
) -> Draft:
    """The draft without cards that echo what alaya had put into these turns; they are counted."""
    turns = list(turns)
    recalled = terms(
        "\n".join(t.turn.content[start:end] for t in turns for start, end in t.turn.injected), stem
    )
    if not recalled or not draft.cards:
        return draft
    words = {t.turn.id: t for t in turns}
    kept = [
        place
        for place, card in enumerate(draft.cards)
        if not _echo(card, recalled, words=words, stem=stem)
    ]
    return kept_only(draft, kept) if len(kept) < len(draft.cards) else draft


def quoted(card: Card, known: Iterable[Card]) -> Card | None:
    """The known card that most of this one's sentences are quoted from, if there is one.

    Whole sentences: "I like tea" is not quoted from "I do not think I like tea".
    """
    own = _parts(card.content)
    total = sum(map(_weight, own))
    for other in known:
        title, theirs = _bare(other.title), set(_parts(other.content))
        same = sum(_weight(part) for part in own if part in theirs or _named(part, title))
        if same >= max(_TELLING, _QUOTED * total):
            return other
    return None


def kept_only(draft: Draft, kept: Sequence[int]) -> Draft:
    """The draft with the cards at these positions, and the links between them."""
    count = len(draft.cards)
    places = {old: new for new, old in enumerate(kept)}
    places |= {count + i: len(kept) + i for i in range(len(draft.known))}
    links = tuple(
        replace(link, source=places[link.source], target=places[link.target])
        for link in draft.links
        if link.source in places and link.target in places
    )
    links = tuple(link for link in links if _of_a_card(link, len(kept)))
    dropped = draft.dropped + count - len(kept)
    cards = tuple(draft.cards[i] for i in kept)
    return replace(draft, cards=cards, links=links, dropped=dropped)


# Sentences and lines, without the labels that a card or an export puts before them.
_PARTS = re.compile(r"[\n。！？；]+|[.!?]+\s|\*\*[^*\n]{1,20}\*\*\s*[:：]?|(?:^|\s)\w{2,9}[:：]\s")
_IGNORED = re.compile(r"[\W_]+")
_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


def _parts(text: str) -> list[str]:
    return [part for part in map(_bare, _PARTS.split(text)) if part]


def _bare(text: str) -> str:
    return _IGNORED.sub("", unicodedata.normalize("NFKC", text).casefold())


def _weight(text: str) -> int:
    return len(text) + 2 * len(_HAN.findall(text))


def _named(part: str, title: str) -> bool:
    """Whether a line is little more than the title of a card."""
    return bool(title) and title in part and _weight(title) * 2 > _weight(part)


def _of_a_card(link: DraftLink, count: int) -> bool:
    return min(link.source, link.target) < count


def _echo(
    card: DraftCard,
    recalled: frozenset[str],
    *,
    words: dict[str, ArchivedTurn],
    stem: Stemmer | None,
) -> bool:
    own = terms(f"{card.title}\n{card.content}", stem)
    if not own or len(own & recalled) < _REPEATED * len(own):
        return False
    told = terms(
        "\n".join(
            words[turn].turn.content[start:end]
            for turn, start, end in card.evidence
            if turn in words and words[turn].turn.origin is Origin.OWNER
        ),
        stem,
    )
    return len(own & told) < _OWN * len(own)
