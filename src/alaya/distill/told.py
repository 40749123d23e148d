"""What people tell each other: a card for each exchange that tells something.

Everybody is believed about what they say. The card is named after the sentence that tells most and
quotes the exchange with the names of who spoke, so that "yes, since May" keeps its question. By
that sentence it is a decision, a concept (true for long: who somebody is, has and likes), or an
observation: what happened, is planned, was seen or thought. An allergy always names its card.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from alaya.distill.acts import HAN, Act
from alaya.distill.candidates import Candidate, Found, Part, clamp, piece
from alaya.distill.decisions import decisions
from alaya.distill.exchanges import MOST_CHARACTERS, Exchange, exchanges, stretches
from alaya.distill.facts import NAMED, telling
from alaya.distill.features import asking
from alaya.distill.reading import Reading, Said
from alaya.model.graph import CardKind

# Costs of a cut: where a session yields more cards than are wanted, longer exchanges are taken.
_COSTS = (0.75, 2.0, 8.0)
_TELLS = 1.0  # a sentence from which on it tells
_MUCH, _MUCH_HAN = 60, 25  # characters of an answer that are worth keeping without one
_LASTS = Act.PERSONAL | Act.TASTE | Act.VITAL | Act.STANDING | Act.DEFINITION
# Such a sentence says little where it stands alone, as it does in a title.
_LEANS = re.compile(
    r"(?:yes|yeah|yep|no|nope|well|so|and|but|it|he|she|they|there|then|since)\b|"
    r"(?:this|that|these|those)(?:'s| (?:is|was|are|were|has|have|will|would|can|could|looks?|"
    r"makes?|means?|gives?|helps?|one))\b|[它他她这那]|是的|对|嗯|还有|所以|因为|然后",
    re.IGNORECASE,
)
_SHOWN = re.compile(r"[\[<【（(]")  # "[a photo of …]", "【图片】": what was sent, not said


def told(
    reading: Reading, *, breaks: Collection[int], borders: Collection[int], most: int
) -> Found:
    """The exchanges that become cards. `most`: cards that are wanted at most.

    `breaks`: utterances that open a new subject for certain, `borders`: probably.
    """
    chosen = {(c.main.turn, c.main.start): c.main for c in decisions(reading).candidates}
    said = stretches(reading)
    cards: list[Candidate] = []
    dropped = 0
    for cost in _COSTS:
        found = exchanges(said, breaks=breaks, borders=borders, cost=cost)
        every = [_card(e, reading, chosen=chosen) for e in found]
        cards = [c for c in every if c is not None]
        dropped = len(every) - len(cards)
        if len(cards) <= most:
            break
    return Found(tuple(cards), dropped)


def _card(
    exchange: Exchange, reading: Reading, *, chosen: Mapping[tuple[int, int], Said]
) -> Candidate | None:
    rated = [
        (telling(s, stretch.one, reading=reading), s) for stretch in exchange for s in stretch.said
    ]
    # "we're off to Rome in May, will you come?" tells as well as asks
    statements = [(score, s) for score, s in rated if not asking(s) or score >= _TELLS]
    if not statements or not any(stretch.one.fresh for stretch in exchange):
        return None
    best = max(score for score, _ in statements)
    if best < _TELLS and not (_answers(exchange) and _much([s for _, s in statements])):
        return None
    vital = [s for _, s in statements if s.does(Act.VITAL) and s.does(Act.PERSONAL)]
    decided = [s for _, s in statements if (s.turn, s.start) in chosen]
    main = (vital or decided or [max(statements, key=_names)[1]])[0]
    kept = _fitting(rated, main)
    kind = CardKind.CONCEPT if main.does(_LASTS) else CardKind.OBSERVATION
    tells = sum(score >= _TELLS for score, _ in statements)
    importance = 0.4 + 0.04 * min(max(best, 0), 5) + 0.02 * min(tells, 4)
    importance += 0.25 * any(s.does(Act.VITAL) for _, s in statements)
    importance += 0.15 * any(s.does(Act.STANDING) for _, s in statements) + 0.1 * bool(decided)
    return Candidate(
        CardKind.DECISION if main in decided else kind,
        main,
        tuple(piece(Part.QUESTION if asking(s) else Part.FACT, s) for s in kept),
        best,
        importance=clamp(importance),
        confidence=clamp(0.4 + 0.1 * best),
    )


def _answers(exchange: Exchange) -> bool:
    """Whether somebody asks and somebody else speaks next."""
    return any(
        before.asks and before.one.index != after.one.index for before, after in pairwise(exchange)
    )


def _much(statements: Sequence[Said]) -> bool:
    text = " ".join(s.text for s in statements)
    han = len(HAN.findall(text))
    return han >= _MUCH_HAN or len(text) - han >= _MUCH


def _names(rated: tuple[float, Said]) -> tuple[float, int]:
    """How well a sentence names the card: it tells, names things, and stands alone."""
    score, said = rated
    stands = 0.5 * (NAMED.search(said.text) is not None)
    stands -= 1.25 * (_LEANS.match(said.text) is not None)
    stands -= 1.5 * (_SHOWN.match(said.text) is not None)
    return score + stands, -said.start


def _fitting(rated: Sequence[tuple[float, Said]], main: Said) -> list[Said]:
    """The sentences in order; of one turn that is too long by itself, those that tell most."""
    room = MOST_CHARACTERS
    kept: list[Said] = []
    for _, said in sorted(rated, key=lambda r: (r[1] is not main, -r[0], r[1].turn, r[1].start)):
        room -= said.end - said.start
        if room < 0 and kept:
            break
        kept.append(said)
    return sorted(kept, key=lambda s: (s.turn, s.start))
