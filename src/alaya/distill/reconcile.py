"""From a draft to changes: ids, spans with their hashes, trust, and what is already known. Pure.

Duplicates: where a card with the same kind and the same words (whatever case, spaces and
punctuation), or one of another session that it quotes, stands already, no second card is made and
the old one is not revised. What was said again is recorded by an EXTRACTED_FROM link from the old
card to this session that carries the new spans, so nothing is lost, undo is one retired link, and a
person's own revision is never touched. A card that was forgotten is not brought back by being found
again, unless it was redistilling that had forgotten it. Redistilling: a card that says in other
words what an old one of the session says is its next version.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime

from alaya.distill.echoes import quoted
from alaya.distill.superseding import matches, newer, untouched
from alaya.model.change import (
    CardAdded,
    CardRevised,
    Change,
    Forgotten,
    LinkAdded,
    LinkRetired,
    Restored,
    SessionDistilled,
)
from alaya.model.graph import Card, CardState, Link
from alaya.model.ids import card_id, session_node, sha256
from alaya.model.raw import ArchivedTurn, Origin, Session, Span, lowest
from alaya.model.record import Draft, DraftCard, DraftEntity, DraftFact, DraftSummary
from alaya.model.relations import EXTRACTED_FROM, canonical
from alaya.model.scope import Scope

TurnOf = Callable[[str], ArchivedTurn | None]
_IGNORED = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Known:
    """What the memory holds that a draft can meet.

    `own` are all cards of this session, also forgotten ones; `others` are cards of the same user
    from elsewhere whose words may be the same. For redistilling, `links` are those between `own`
    that distilling made, and `outdated` the ids of cards that redistilling had forgotten.
    """

    own: tuple[tuple[Card, CardState], ...] = ()
    others: tuple[tuple[Card, CardState], ...] = ()
    links: tuple[Link, ...] = ()
    outdated: frozenset[str] = frozenset()

    def by_id(self) -> dict[str, CardState]:
        """The state of every known card."""
        return {card.id: state for card, state in (*self.own, *self.others)}


@dataclass
class _Plan:
    """The changes so far, and for each position of the draft the card it became or met."""

    changes: list[Change] = field(default_factory=list)
    ids: dict[int, str] = field(default_factory=dict)
    said_at: dict[int, datetime] = field(default_factory=dict)
    origins: dict[int, Origin] = field(default_factory=dict)
    added: int = 0
    unfounded: int = 0


def reconcile(
    draft: Draft,
    session: Session,
    *,
    draft_hash: str,
    known: Known,
    now: datetime,
    turn: TurnOf,
    redistill: bool = False,
) -> list[Change]:
    """The changes that a draft amounts to, ending with SessionDistilled.

    A card whose evidence is not in the archive is left out and counted as dropped. With
    `redistill`, cards of this session's earlier drafts that are not found again are forgotten,
    unless somebody pinned or revised them.
    """
    plan = _Plan()
    scope = Scope(session.scope.user, session.scope.agent, session.id)
    same = {words_key(c): c for c, _ in (*known.others, *known.own)}
    cards = _cards(draft, session, plan=plan, draft_hash=draft_hash, now=now, turn=turn)
    old = _older(cards, known, same=same) if redistill else {}
    for position, card in cards.items():
        plan.said_at[position], plan.origins[position] = card.said_at, card.origin
        before = old.get(position)
        if before is not None:
            plan.ids[position] = before.id
            if words_key(before) != words_key(card):
                plan.changes.append(CardRevised(newer(before, card), "redistilled"))
            continue
        plan.ids[position] = _placed(card, plan, known=known, same=same, session=session)
    for place, name in enumerate(draft.known, len(draft.cards)):
        for card, _ in known.own:
            if card.id == name:
                plan.ids[place] = name
                plan.said_at[place], plan.origins[place] = card.said_at, card.origin
    plan.changes.extend(_links(draft, plan, scope=scope, known=known, redistill=redistill))
    if redistill:
        plan.changes.extend(_outdated(known, plan, scope=scope))
    done = SessionDistilled(
        scope=scope,
        session=session.id,
        draft=draft_hash,
        distiller=draft.distiller,
        turns=draft.last,
        content_hash=draft.content_hash,
        cards=plan.added,
        dropped=draft.dropped + plan.unfounded,
    )
    return [*plan.changes, done]


def _cards(
    draft: Draft, session: Session, *, plan: _Plan, draft_hash: str, now: datetime, turn: TurnOf
) -> dict[int, Card]:
    """The cards of a draft that have evidence, by position; those without are counted."""
    scope = Scope(session.scope.user, session.scope.agent, session.id)
    found = {}
    for position, proposed in enumerate(draft.cards):
        evidence = spans(proposed, session.id, turn=turn)
        card = _card(proposed, evidence, turn=turn, scope=scope, started_at=session.started_at)
        if card is None:
            plan.unfounded += 1
            continue
        found[position] = replace(
            card,
            id=card_id(draft_hash, position),
            draft=draft_hash,
            created_at=now,
            updated_at=now,
        )
    return found


def _older(cards: dict[int, Card], known: Known, *, same: dict[str, Card]) -> dict[int, Card]:
    """For redistilling: the old card of this session that a new one is a version of."""
    mine = {
        card.id: card
        for card, state in known.own
        if untouched(card, replace(state, forgotten_at=None))
        and (state.forgotten_at is None or card.id in known.outdated)
    }
    again = {p: mine[c.id] for p, c in cards.items() if c.id in mine}
    for position, card in cards.items():
        twin = same.get(words_key(card))
        if position not in again and twin is not None and twin.id in mine:
            again[position] = twin
    taken = {card.id for card in again.values()}
    # Other words for what stands, not for what was given up.
    left = [c for c in mine.values() if c.id not in taken and c.id not in known.outdated]
    new = {p: c for p, c in cards.items() if p not in again and words_key(c) not in same}
    return {**again, **matches(new, left)}


def _placed(
    card: Card, plan: _Plan, *, known: Known, same: dict[str, Card], session: Session
) -> str:
    """Add a card, or say that a known one was said again; returns the id it then has."""
    if card.id in known.by_id():
        return card.id
    elsewhere = (other for other, _ in known.others)
    twin = same.get(words_key(card)) or quoted(card, elsewhere)
    if twin is None:
        same[words_key(card)] = card
        plan.added += 1
        plan.changes.append(CardAdded(card))
    if twin is None or twin.scope.session != session.id:
        link = _extracted(twin or card, card, scope=card.scope, session=session)
        plan.changes.append(LinkAdded(link))
    return (twin or card).id


def words_key(card: Card | DraftCard) -> str:
    """The same for cards of one kind whose words differ only in case, spaces and punctuation."""
    text = unicodedata.normalize("NFKC", f"{card.title}\n{card.content}").casefold()
    return f"{card.kind.value}:{sha256(_IGNORED.sub(' ', text).strip())}"


def spans(
    proposed: DraftCard | DraftEntity | DraftFact | DraftSummary, session: str, *, turn: TurnOf
) -> tuple[Span, ...]:
    """The evidence as spans with the hash of exactly the words; what points nowhere is left out."""
    found = []
    for name, start, end in proposed.evidence:
        archived = turn(name)
        if archived is None:
            continue
        content = archived.turn.content
        start, end = max(0, start), min(end, len(content))
        if start < end:
            found.append(Span(session, name, start, end, sha256(content[start:end])))
    return tuple(found)


def _card(
    proposed: DraftCard,
    evidence: tuple[Span, ...],
    *,
    turn: TurnOf,
    scope: Scope,
    started_at: datetime,
) -> Card | None:
    """The card but for its id, its draft and when it was made; None without evidence."""
    cited = [archived.turn for s in evidence if (archived := turn(s.turn)) is not None]
    if not cited:
        return None
    said_at = min((t.said_at for t in cited if t.said_at is not None), default=started_at)
    return Card(
        id="",
        scope=scope,
        title=proposed.title,
        content=proposed.content,
        kind=proposed.kind,
        created_at=said_at,
        said_at=said_at,
        updated_at=said_at,
        tags=proposed.tags,
        importance=proposed.importance,
        confidence=proposed.confidence,
        evidence=evidence,
        origin=lowest([t.origin for t in cited]),
        metadata=proposed.metadata,
    )


def _extracted(source: Card, found: Card, *, scope: Scope, session: Session) -> Link:
    return Link(
        scope=scope,
        source=source.id,
        relation=EXTRACTED_FROM,
        target=session_node(session.id),
        valid_at=found.said_at,
        reason="" if source is found else "said again",
        evidence=() if source is found else found.evidence,
        origin=found.origin,
    )


def _links(
    draft: Draft, plan: _Plan, *, scope: Scope, known: Known, redistill: bool
) -> Iterable[Change]:
    """Links between cards of the draft; between two that both stood before, nothing is new.

    With `redistill`, those that an earlier draft made and this one does not are retired.
    """
    existing = known.by_id()
    before = {link.id for link in known.links}
    found: set[str] = set()
    for link in draft.links:
        source, target = plan.ids.get(link.source), plan.ids.get(link.target)
        if source is None or target is None or source == target:
            continue
        if source in existing and target in existing and not redistill:
            continue
        made = canonical(
            Link(
                scope=scope,
                source=source,
                relation=link.relation,
                target=target,
                valid_at=plan.said_at[link.source],
                weight=link.weight,
                reason=link.reason,
                origin=lowest([plan.origins[link.source], plan.origins[link.target]]),
            )
        )
        if made.id not in found and made.id not in before:
            yield LinkAdded(made)
        found.add(made.id)
    own = {card.id for card, _ in known.own}
    for old in known.links if redistill else ():
        if old.id not in found and old.target in own:  # what cards speak of is `learning`'s
            yield LinkRetired(scope, old.id, "redistilled")


def _outdated(known: Known, plan: _Plan, *, scope: Scope) -> Iterable[Change]:
    """Old cards that are not found again leave; those that had left so and are found, return."""
    kept = set(plan.ids.values())
    gone = [c.id for c, state in known.own if c.id not in kept and untouched(c, state)]
    back = [c.id for c, state in known.own if c.id in kept & known.outdated and state.forgotten_at]
    if gone:
        yield Forgotten(scope, tuple(sorted(gone)), "redistilled")
    if back:
        yield Restored(scope, tuple(sorted(back)), "redistilled")
