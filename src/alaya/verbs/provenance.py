"""The verbs of provenance: events, chain, why, correct, confirm, quarantine. Methods of Memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from alaya.errors import InvalidInput, NotFound
from alaya.model.change import (
    CardAdded,
    CardRevised,
    Change,
    EventAdded,
    FactRetired,
    LinkAdded,
    MarkedStale,
    Quarantined,
)
from alaya.model.event import EVENT, OWN, spoken
from alaya.model.graph import Card, CardKind, CardState, Link
from alaya.model.ids import digest, session_node
from alaya.model.passage import Where
from alaya.model.raw import Event, EventKind, Origin, Session, Span, Turn
from alaya.model.relations import EXTRACTED_FROM, SUPERSEDES
from alaya.model.scope import Scope
from alaya.model.speech import visible
from alaya.model.suspicion import doubts, quarantining
from alaya.model.time import format_time
from alaya.model.trace import Chain, Corrected, Remembered, Why
from alaya.parts import Opened, Parts
from alaya.projection import Decide, commit
from alaya.provenance import events as sources
from alaya.provenance import lineage
from alaya.provenance.events import Subject, everything
from alaya.verbs.remembering import Named, among, linked, name_of, place, titled

_FACTS = 1_000  # of the entities of a turn that are looked through


def events(memory: Opened, session: str) -> list[Event]:
    """What happened in a session, in order: messages, calls with results, thoughts, answers.

    Read from its turns, and from the journal where an agent told an event. Raises NotFound.
    """
    parts = memory.parts
    parts.follow()
    return sources.of_session(parts.archive, parts.index, scope=memory.scope, session=session)


def chain(memory: Opened, what: Named | str) -> Chain:
    """The trees both ways from a card, an event or a turn (`session#turn`).

    Down to the words, checked against their hashes; up to all that was concluded. Raises NotFound.
    """
    parts = memory.parts
    memory.flush()
    parts.follow()
    return lineage.chain(parts.archive, parts.index, scope=memory.scope, name=name_of(what))


def why(memory: Opened, card: Named | str) -> Why:
    """Who said it, when, from what, how often; what it replaced, what contradicts it.

    Also whether it is stale, quarantined or forgotten, and for which correction. Raises NotFound.
    """
    parts = memory.parts
    memory.flush()
    parts.follow()
    return lineage.why(parts.archive, parts.index, scope=memory.scope, card=name_of(card))


def correct(
    memory: Opened,
    what: Named | str,
    *,
    words: str,
    reason: str = "",
    origin: Origin | str | None = None,
) -> Corrected:
    """Say what is right instead of a card, an event or a turn; the correction is an event itself.

    A card gets a new version with these words; of an event or a turn a new card says them, and
    replaces those that came from it. What was derived from what was corrected is stale, along the
    whole chain, until it is derived again or confirmed. Facts that only these turns carry are no
    longer believed. `origin`: whose words these are (None: the agent's of this memory, else the
    owner's). Raises NotFound and InvalidInput.
    """
    from alaya.ingest import putting

    parts, scope = memory.parts, memory.scope
    memory.flush()
    parts.follow()
    text, name = putting.words("words", words), name_of(what)
    usual = Origin.OWNER if scope.agent is None else Origin.AGENT
    whose = usual if origin is None else among(Origin, "origin", value=origin)
    into, session = place(memory)
    now = parts.clock()
    event_id = OWN + digest("correct", scope.user, name, format_time(now), text)
    made: list[Corrected] = []

    def changes(turns: Sequence[Turn]) -> Sequence[Change]:
        subject = sources.subject(parts.archive, parts.index, scope=scope, name=name)
        said = spoken(session.id, turns[0])
        event = _correction(subject, Event(event_id, scope, EventKind.CORRECTION, now), said=said)
        event = replace(event, origin=whose, metadata={"reason": reason} if reason else {})
        found = _instead(parts, subject, event=event, turn=turns[0], session=session)
        made[:] = [found[0]]
        return found[1]

    metadata = {EVENT: event_id}
    put = [putting.Words(text, whose, metadata)]
    putting.put(into, session, said=put, verb="correct", changes=changes)
    parts.embed_later()
    return made[0]


def confirm(memory: Opened, card: Named | str, *, reason: str = "") -> Why:
    """Say that a card holds: it is confirmed, and stale no longer. Raises NotFound."""
    parts, scope, name = memory.parts, memory.scope, name_of(card)
    parts.follow()
    now = parts.clock()
    event = Event(
        OWN + digest("confirm", scope.user, name, format_time(now)),
        scope,
        EventKind.REFLECTION,
        now,
        origin=Origin.OWNER if scope.agent is None else Origin.AGENT,
        about=(name,),
        metadata={"confirms": name, **({"reason": reason} if reason else {})},
    )

    def decide() -> list[Change]:
        ((_, state),) = _cards(parts, scope, names=[name])
        because = reason or "confirmed"
        fresh = MarkedStale(Scope(scope.user), (name,), False, because)
        return [EventAdded(event), *([fresh] if state.stale else [])]

    _committed(memory, "confirm", decide=decide)
    return why(memory, name)


def quarantined(memory: Opened) -> list[Remembered]:
    """The cards that are set aside, the newest first, each with the cues in its words."""
    parts = memory.parts
    parts.follow()
    where = Where(memory.scope, include_quarantined=True, include_forgotten=True)
    return [
        Remembered(card, doubts=doubts(card.origin, card.text))
        for card, state in parts.index.find_cards(where)
        if state.quarantined
    ]


def hold(memory: Opened, *cards: Named | str, reason: str = "") -> list[str]:
    """Set cards aside: kept and listed, not recalled unless asked. Returns those that were not.

    Raises NotFound and InvalidInput.
    """
    return _quarantine(memory, cards, on=True, reason=reason or "set aside by hand")


def release(memory: Opened, *cards: Named | str, reason: str = "") -> list[str]:
    """Take cards out of quarantine; returns those that were in it.

    Raises NotFound and InvalidInput.
    """
    return _quarantine(memory, cards, on=False, reason=reason or "released by hand")


def _quarantine(
    memory: Opened, cards: Iterable[Named | str], *, on: bool, reason: str
) -> list[str]:
    parts, names = memory.parts, list(dict.fromkeys(name_of(one) for one in cards))
    if not names:
        raise InvalidInput("no card is named: give card-…")
    parts.follow()
    changed: list[str] = []

    def decide() -> list[Change]:
        found = _cards(parts, memory.scope, names=names)
        changed[:] = [card.id for card, state in found if state.quarantined is not on]
        if not changed:
            return []
        return [Quarantined(Scope(memory.scope.user), tuple(changed), on, reason)]

    _committed(memory, "quarantine", decide=decide)
    return changed


def _cards(parts: Parts, scope: Scope, *, names: Sequence[str]) -> list[tuple[Card, CardState]]:
    """These cards. Raises NotFound for the first that is not there."""
    found = {card.id: (card, state) for card, state in parts.index.cards(names, everything(scope))}
    for name in names:
        if name not in found:
            raise NotFound(f"no card {name} (for user {scope.user!r}); see `alaya recall`")
    return [found[name] for name in names]


def _committed(memory: Opened, verb: str, *, decide: Decide) -> None:
    parts, scope = memory.parts, memory.scope
    commit(
        parts.archive,
        parts.index,
        decide=decide,
        actor=scope.agent or scope.user,
        verb=verb,
        clock=parts.clock,
    )


def _correction(subject: Subject, event: Event, *, said: tuple[Span, ...]) -> Event:
    """The event of a correction: what was said before goes in, what holds now comes out."""
    if subject.card is not None:
        before = subject.card[0].evidence
        about = [subject.id]
    else:
        before = subject.event.output if subject.event else ()
        about = [subject.id, *([subject.event.id] if subject.event else [])]
    about += [f"{session}#{turn}" for session, turn in subject.turns]
    return replace(event, input=before, output=said, about=tuple(dict.fromkeys(about)))


def _instead(
    parts: Parts, subject: Subject, *, event: Event, turn: Turn, session: Session
) -> tuple[Corrected, list[Change]]:
    """What a correction changes: the card that holds now, and what is stale for it."""
    scope, where = event.scope, everything(event.scope)
    card = _right(subject, event=event, turn=turn, session=session)
    children = lineage.concluded(parts.index, where)
    direct = [] if subject.card else lineage.citing(parts.index, where, subject=subject)
    roots = [subject.id] if subject.card else direct
    stale = [one for one in (*direct, *lineage.derived(roots, children)) if one != card.id]
    user = Scope(scope.user)
    changes: list[Change] = [EventAdded(event)]
    changes.append(CardRevised(card, "corrected") if subject.card else CardAdded(card))
    changes += quarantining([card])
    links = [linked(card, EXTRACTED_FROM, target=session_node(session.id), card=card)]
    links += [linked(card, SUPERSEDES, target=one, card=card) for one in direct]
    changes += [LinkAdded(link) for link in links]
    if stale:
        changes.append(MarkedStale(user, tuple(stale), True, f"{event.id} corrected {subject.id}"))
    facts = [] if subject.card else _facts(parts, subject, where=where)
    changes += [FactRetired(user, fact.id, "its source was corrected") for fact in facts]
    retired = tuple(fact.id for fact in facts)
    return Corrected(event, card, tuple(stale), retired), changes


def _right(subject: Subject, *, event: Event, turn: Turn, session: Session) -> Card:
    """What holds now: the next version of the card, or a card of its own."""
    content = visible(turn).strip()
    fields = {
        "title": titled(content),
        "content": content,
        "evidence": spoken(session.id, turn),
        "source_events": (event.id,),
        "origin": event.origin,
        "updated_at": event.at,
    }
    if subject.card is not None:
        old = subject.card[0]
        return replace(old, version=old.version + 1, derived_from=(), **fields)  # type: ignore[arg-type]
    scope = event.scope
    made = Card(
        id=f"card-{digest('corrected', scope.user, event.id)}",
        scope=Scope(scope.user, scope.agent, scope.session or session.id),
        title="",
        content="",
        kind=CardKind.OBSERVATION,
        created_at=event.at,
        said_at=event.at,
        updated_at=event.at,
    )
    return replace(made, **fields)  # type: ignore[arg-type]


def _facts(parts: Parts, subject: Subject, *, where: Where) -> list[Link]:
    """The facts in force that stand on the subject's turns alone."""
    turns = list(subject.turns)
    if not turns:
        return []
    spoken_of = parts.index.entities_of_turns(Where(where.scope), turns)
    entities = list(dict.fromkeys(one for many in spoken_of.values() for one in many))
    links = parts.index.links(entities, where, limit_per_node=_FACTS) if entities else []
    return [
        link
        for link in {link.id: link for link in links}.values()
        if link.fact
        and link.evidence
        and link.retired_at is None
        and all((span.session, span.turn) in turns for span in link.evidence)
    ]
