"""Words, forms and vectors of the oracle: every item looked at, every time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from alaya.errors import StoreError, Unsupported
from alaya.model.forms import Forms, card_forms, speaker_terms, summary_forms, turn_forms
from alaya.model.graph import Tier
from alaya.model.ids import sha256
from alaya.model.passage import Item, ItemKind, Mention, Pending, Where
from alaya.model.raw import SessionKind, TurnMark
from alaya.model.relations import CORE_NAMES
from alaya.model.speech import indexed
from alaya.model.words import Stemmer, Words, segment
from alaya.ports import Vector
from alaya.testing.oracle_state import CardRow, State, SummaryRow, TurnRow
from alaya.testing.oracle_where import card_passes, summary_passes, turn_passes

Row = CardRow | TurnRow | SummaryRow
HELD = (ItemKind.CARD, ItemKind.TURN, ItemKind.SUMMARY)  # what has words, forms and vectors


def rows(state: State, kind: ItemKind) -> list[Row]:
    """Every row of a kind, of all users and versions."""
    if kind is ItemKind.CARD:
        return [*state.cards]
    return [*state.turns] if kind is ItemKind.TURN else [*state.summaries]


def passes(row: Row, where: Where) -> bool:
    """Whether a filter lets an item through."""
    if isinstance(row, CardRow):
        return card_passes(row, where)
    return turn_passes(row, where) if isinstance(row, TurnRow) else summary_passes(row, where)


def name_of(row: Row) -> str:
    """The id by which an index tells an item."""
    if isinstance(row, TurnRow):
        return row.item
    return row.card.id if isinstance(row, CardRow) else row.summary.id


def terms(row: Row, stem: Stemmer | None) -> tuple[Counter[str], Counter[str]]:
    """The words of an item, weighed (a title counts three times), and its single characters."""
    if isinstance(row, TurnRow):
        found = segment(indexed(row.archived.turn), stem)
        return Counter(found.words), Counter(found.chars)
    if isinstance(row, SummaryRow):
        title, body = segment(row.summary.topic, stem), segment(row.summary.content, stem)
    else:
        title = segment(f"{row.card.title}\n{' '.join(row.card.tags)}", stem)
        body = segment(row.card.content, stem)
    words = Counter(body.words)
    for word in title.words:
        words[word] += 3
    return words, Counter([*title.chars, *body.chars])


def score(asked: Words, row: Row, *, stem: Stemmer | None, rarity: Counter[str]) -> float:
    """0 where no term is shared; else higher for rarer terms and for more of them."""
    words, chars = terms(row, stem)
    found = [(t, words[t]) for t in asked.words if words[t]]
    found += [(t, chars[t]) for t in asked.chars if chars[t]]
    return sum(math.log(1 + 1 / rarity[t]) * n / (n + 1) for t, n in found)


def items(
    state: State,
    ids: Sequence[str],
    *,
    kind: ItemKind,
    where: Where,
    reach: int,
    stem: Stemmer | None,
) -> list[Item]:
    """Those that pass, and with each turn those of its talk that stand near it and pass."""
    if kind is ItemKind.CARD:
        cards = [r for r in state.cards if r.card.id in ids and card_passes(r, where)]
        return [Item(r.card.id, kind, r.card.said_at, card_forms(r.card, stem)) for r in cards]
    if kind is ItemKind.SUMMARY:
        told = [r.summary for r in state.summaries if summary_passes(r, where)]
        return [Item(s.id, kind, s.said_at, summary_forms(s, stem)) for s in told if s.id in ids]
    turns = [r for r in state.turns if turn_passes(r, where)]
    asked = [r for r in turns if r.item in ids]
    return [
        _turn_item(r, stem)
        for r in turns
        if r in asked or any(_near(a, r, reach=reach) for a in asked)
    ]


def _near(one: TurnRow, other: TurnRow, *, reach: int) -> bool:
    return (
        one.session == other.session
        and one.session.kind is not SessionKind.DOCUMENTS
        and abs(one.archived.ordinal - other.archived.ordinal) <= reach
    )


def _turn_item(row: TurnRow, stem: Stemmer | None) -> Item:
    turn = row.archived.turn
    talk = row.session.kind is not SessionKind.DOCUMENTS
    return Item(
        row.item,
        ItemKind.TURN,
        row.said_at,
        turn_forms(turn, stem, said_at=row.said_at),
        session=row.session.id if talk else "",
        ordinal=row.archived.ordinal if talk else 0,
        speaker=speaker_terms(turn, stem),
    )


def holding(
    state: State, name: str, *, kind: ItemKind, where: Where, stem: Stemmer | None
) -> list[tuple[Mention, bool]]:
    """The items of the user that hold a name, of all versions; and whether they pass."""
    held: list[tuple[Mention, bool]] = []
    for row in rows(state, kind):
        user, found = _owned(row, stem)
        if user == where.scope.user and name and name in (*found.names, found.heading):
            held.append((Mention(name_of(row), name == found.heading), passes(row, where)))
    return held


def _owned(row: Row, stem: Stemmer | None) -> tuple[str, Forms]:
    """Whose an item is, and its forms."""
    if isinstance(row, CardRow):
        return row.card.scope.user, card_forms(row.card, stem)
    if isinstance(row, TurnRow):
        return row.session.scope.user, turn_forms(row.archived.turn, stem, said_at=row.said_at)
    return row.summary.scope.user, summary_forms(row.summary, stem)


def has_forms(kind: ItemKind) -> None:
    """Raises Unsupported for what has none."""
    if kind not in HELD:
        raise Unsupported(f"forms are kept of cards, turns and summaries, not of {kind}")


def embedded(state: State, kind: ItemKind, *, where: Where) -> Iterator[tuple[str, str]]:
    """(id, text) of what passes and has a text to be embedded."""
    if kind is ItemKind.CARD:
        yield from ((r.card.id, r.card.text) for r in state.cards if card_passes(r, where))
    elif kind is ItemKind.TURN:
        yield from ((r.item, r.text) for r in state.turns if r.text and turn_passes(r, where))
    elif kind is ItemKind.SUMMARY:
        told = [r.summary for r in state.summaries if summary_passes(r, where)]
        yield from ((summary.id, summary.text) for summary in told)
    elif kind is ItemKind.RELATION:
        user = where.scope.user
        used = {
            r.link.relation
            for (owner, _), r in state.links.items()
            if owner == user and r.retired_at is None
        }
        for relation in state.relations.values():
            if relation.name in CORE_NAMES | used:
                yield relation.name, relation.text
    else:
        raise Unsupported(f"no vectors are kept for {kind}")


def cosines(
    state: State, model: str, *, vector: Vector, kind: ItemKind, where: Where
) -> dict[str, float]:
    """The best cosine of each item that passes and has vectors."""
    widths = {len(w) for (m, _), windows in state.vectors.items() if m == model for w in windows}
    if widths - {len(vector)}:
        raise StoreError(f"the vectors of {model} have {widths} dimensions, not {len(vector)}")
    found: dict[str, float] = {}
    for name, text in embedded(state, kind, where=where):
        for window in state.vectors.get((model, sha256(text)), ()):
            found[name] = max(found.get(name, -1.0), cosine(vector, window))
    return found


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    product = sum(float(a) * float(b) for a, b in zip(one, other, strict=True))
    return product / max(length(one) * length(other), 1e-12)


def length(vector: Sequence[float]) -> float:
    return math.sqrt(sum(float(x) ** 2 for x in vector))


def vector_bytes(state: State, cards: Sequence[CardRow]) -> dict[Tier, tuple[int, int]]:
    """Four bytes for each number of the vectors of these cards, and one in a copy."""
    found = Counter[Tier]()
    for row in cards:
        for (_, text_hash), windows in state.vectors.items():
            if text_hash == sha256(row.card.text) and windows:
                found[row.tier] += sum(len(window) for window in windows)
    return {tier: (size, 5 * size) for tier, size in found.items()}


def pending(state: State, model: str) -> list[Pending]:
    """Texts without vectors: relations, cards, summaries, turns, newest first, each once."""
    cards = [r for r in state.cards if r.retired_at is None and r.forgotten_at is None]
    cards = [r for r in cards if r.tier is not Tier.COLD]
    turns = [r for r in state.turns if r.text and r.mark is TurnMark.ACTIVE]
    told = [r.summary for r in state.summaries if r.retired_at is None and r.forgotten_at is None]
    told.sort(key=lambda s: s.said_at, reverse=True)
    cards.sort(key=lambda r: r.card.said_at, reverse=True)
    turns.sort(key=lambda r: r.said_at, reverse=True)
    found: dict[str, Pending] = {}
    for kind, texts in (
        (ItemKind.RELATION, [relation.text for relation in state.relations.values()]),
        (ItemKind.CARD, [row.card.text for row in cards]),
        (ItemKind.SUMMARY, [summary.text for summary in told]),
        (ItemKind.TURN, [row.text for row in turns]),
    ):
        for text in texts:
            if (model, sha256(text)) not in state.vectors:
                found.setdefault(sha256(text), Pending(kind, sha256(text), text))
    return list(found.values())


def texts_with_vectors(state: State, model: str) -> list[tuple[str, Sequence[Vector]]]:
    """(text, vectors) of cards and turns."""
    texts = {sha256(row.card.text): row.card.text for row in state.cards}
    texts |= {sha256(row.text): row.text for row in state.turns if row.text}
    return [
        (texts[text_hash], windows)
        for (name, text_hash), windows in state.vectors.items()
        if name == model and windows and text_hash in texts
    ]
