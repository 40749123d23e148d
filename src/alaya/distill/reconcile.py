"""From a draft to changes: ids, spans with their hashes, trust, and what is already known. Pure.

Duplicates: where a card with the same kind and the same words (whatever case, spaces and
punctuation) stands already, no second card is made and the old one is not revised. What was said
again is recorded by an EXTRACTED_FROM link from the old card to this session that carries the new
spans, so nothing is lost, undo is one retired link, and a person's own revision is never touched.
A card that was forgotten is not brought back by being found again.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from alaya.model.change import CardAdded, Change, Forgotten, LinkAdded, SessionDistilled
from alaya.model.graph import Card, CardState, Link
from alaya.model.ids import card_id, session_node, sha256
from alaya.model.raw import ArchivedTurn, Origin, Session, Span, lowest
from alaya.model.record import Draft, DraftCard, DraftSummary
from alaya.model.relations import EXTRACTED_FROM, canonical
from alaya.model.scope import Scope

TurnOf = Callable[[str], ArchivedTurn | None]
_IGNORED = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Known:
    """What the memory holds that a draft can meet.

    `own` are all cards of this session, also forgotten ones; `others` are cards of the same user
    from elsewhere whose words may be the same.
    """

    own: tuple[tuple[Card, CardState], ...] = ()
    others: tuple[tuple[Card, CardState], ...] = ()

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
    existing = known.by_id()
    same = {words_key(c): c for c, _ in (*known.others, *known.own)}
    for position, proposed in enumerate(draft.cards):
        evidence = spans(proposed, session.id, turn=turn)
        card = _card(proposed, evidence, turn=turn, scope=scope, started_at=session.started_at)
        if card is None:
            plan.unfounded += 1
            continue
        card = replace(
            card,
            id=card_id(draft_hash, position),
            draft=draft_hash,
            created_at=now,
            updated_at=now,
        )
        plan.said_at[position], plan.origins[position] = card.said_at, card.origin
        if card.id in existing:
            plan.ids[position] = card.id
            continue
        twin = same.get(words_key(card))
        plan.ids[position] = twin.id if twin else card.id
        if twin is None:
            same[words_key(card)] = card
            plan.added += 1
            plan.changes.append(CardAdded(card))
        if twin is None or twin.scope.session != session.id:
            source = twin or card
            plan.changes.append(LinkAdded(_extracted(source, card, scope=scope, session=session)))
    plan.changes.extend(_links(draft, plan, scope=scope, existing=existing))
    if redistill:
        plan.changes.extend(_outdated(known, plan, scope=scope, draft_hash=draft_hash))
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


def words_key(card: Card | DraftCard) -> str:
    """The same for cards of one kind whose words differ only in case, spaces and punctuation."""
    text = unicodedata.normalize("NFKC", f"{card.title}\n{card.content}").casefold()
    return f"{card.kind.value}:{sha256(_IGNORED.sub(' ', text).strip())}"


def spans(proposed: DraftCard | DraftSummary, session: str, *, turn: TurnOf) -> tuple[Span, ...]:
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
    draft: Draft, plan: _Plan, *, scope: Scope, existing: dict[str, CardState]
) -> Iterable[Change]:
    """Links between cards of the draft; between two that both stood before, nothing is new."""
    for link in draft.links:
        source, target = plan.ids.get(link.source), plan.ids.get(link.target)
        if source is None or target is None or source == target:
            continue
        if source in existing and target in existing:
            continue
        yield LinkAdded(
            canonical(
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
        )


def _outdated(known: Known, plan: _Plan, *, scope: Scope, draft_hash: str) -> Sequence[Change]:
    kept = set(plan.ids.values())
    gone = tuple(
        sorted(
            card.id
            for card, state in known.own
            if card.draft not in (None, draft_hash)
            and card.id not in kept
            and card.version == 1
            and not state.pinned
            and state.forgotten_at is None
            and state.retired_at is None
        )
    )
    return [Forgotten(scope, gone, "redistilled")] if gone else []
