"""The verbs by which an agent puts down what it learnt, and in which event. Methods of Memory."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, TypeVar

from alaya.errors import InvalidInput, NotFound
from alaya.model.change import CardAdded, Change, EventAdded, LinkAdded, MarkedStale, Restored
from alaya.model.event import EVENT, OWN, REMEMBERED, spoken
from alaya.model.graph import Card, CardKind, CardState, Link
from alaya.model.ids import digest, session_node
from alaya.model.passage import ItemKind
from alaya.model.raw import Event, EventKind, Metadata, Origin, Session, Turn, lowest
from alaya.model.relations import DERIVED_FROM, EXTRACTED_FROM
from alaya.model.scope import Scope
from alaya.model.speech import visible
from alaya.model.suspicion import doubts, quarantining
from alaya.model.time import format_time
from alaya.model.trace import Remembered
from alaya.parts import Opened, Parts
from alaya.provenance import events as sources
from alaya.provenance.events import everything

if TYPE_CHECKING:
    from alaya.ingest.intake import Into

_TITLE = 80
_FIRST = re.compile(r".{8,}?(?:[。！？；]|[.!?](?=\s|$))")
_TWINS = 5  # answers of the word index that may be the same words
_ORIGINS = {
    EventKind.USER_MESSAGE: Origin.OWNER,
    EventKind.TOOL_CALL: Origin.TOOL,
    EventKind.IMPORT: Origin.UNTRUSTED,
}
# Inside which events the code at hand runs, and of which memory: each thread and task has its own.
_INSIDE: ContextVar[tuple[tuple[Opened, str], ...]] = ContextVar("alaya_event", default=())
_Option = TypeVar("_Option", bound=StrEnum)


class Named(Protocol):
    """Anything that was remembered, found or told: it has an id."""

    @property
    def id(self) -> str: ...


@dataclass
class Happening:
    """An event that goes on. `output` may be set until it ends, and is kept then."""

    id: str
    kind: EventKind
    output: str = ""


def remember(
    memory: Opened,
    content: str,
    *,
    kind: CardKind | str = CardKind.OBSERVATION,
    event: Named | str | None = None,
    derived_from: Iterable[Named | str] = (),
    importance: float = 0.5,
    origin: Origin | str = Origin.AGENT,
) -> Remembered:
    """Put down something that was seen, concluded, done or come out, with what it came from.

    The words go into the archive first. `event`: an event or a recall that it came from (None:
    that of the `with memory.event(…)` around this call, if any). `derived_from`: the cards it was
    concluded from. It is trusted as little as the least of these and of `origin`; words from tools
    that speak to an agent go into quarantine. The same words again are said again: no second card.
    Raises InvalidInput and NotFound.
    """
    from alaya.ingest import putting  # only here: what archives words takes time to load

    memory.parts.follow()
    text = putting.words("content", content)
    wish = _wish(memory, event=event, derived_from=derived_from)
    wish = replace(
        wish,
        kind=among(CardKind, "kind", value=kind),
        importance=_share("importance", importance),
        origin=lowest([wish.origin, among(Origin, "origin", value=origin)]),
    )
    into, session = place(memory)
    made: list[Remembered] = []

    def changes(turns: Sequence[Turn]) -> Sequence[Change]:
        card = _card(memory.scope, session, turn=turns[0], wish=wish)
        twin = _twin(memory.parts, card)
        known = twin[0] if twin else card
        cues = () if twin else doubts(card.origin, card.text)
        made[:] = [Remembered(known, twin is not None, cues)]
        links = [linked(known, DERIVED_FROM, target=one, card=card) for one in card.derived_from]
        links.append(linked(known, EXTRACTED_FROM, target=session_node(session.id), card=card))
        first = _back(*twin) if twin else [CardAdded(card), *quarantining([card])]
        return [*first, *(LinkAdded(link) for link in links if link.source != link.target)]

    said = putting.Words(text, wish.origin, {REMEMBERED: wish.kind.value})
    putting.put(into, session, said=[said], verb="remember", changes=changes)
    memory.parts.embed_later()
    return made[0]


@contextmanager
def event(
    memory: Opened,
    kind: EventKind | str,
    *,
    input: str = "",
    output: str = "",
    about: Iterable[Named | str] = (),
) -> Iterator[Happening]:
    """An event, with what went into it and what came out; what is remembered inside cites it.

    `kind`: user_message, tool_call, reasoning, final_answer, retrieval, reflection, correction or
    import. The words go into the archive: `output`, which may be set until then, when it ends,
    also by an exception. Events may stand inside each other. Raises InvalidInput.
    """
    memory.parts.follow()
    which, outer, now = among(EventKind, "kind", value=kind), current(memory), memory.parts.clock()
    who = (memory.scope.user, format_time(now), threading.get_ident(), outer)
    begun = Event(
        id=OWN + digest("event", which.value, input, *who),
        scope=memory.scope,
        kind=which,
        at=now,
        origin=_ORIGINS.get(which, Origin.AGENT),
        about=tuple(name_of(one) for one in about),
        metadata={"inside": outer} if outer else {},
    )
    # What an agent gives to a tool or looks for is its own; what a user says is the user's.
    own = begun.origin if begun.origin is Origin.OWNER else Origin.AGENT
    begun = tell(memory, begun, given=[(input, own)])
    going = Happening(begun.id, which, output)
    token = _INSIDE.set((*_INSIDE.get(), (memory, begun.id)))
    failed: Metadata = {}
    try:
        yield going
    except BaseException as error:
        failed = {"failed": type(error).__name__}
        raise
    finally:
        _INSIDE.reset(token)
        if going.output.strip() or failed:
            ended = replace(begun, metadata={**begun.metadata, **failed})
            tell(memory, ended, came=[(going.output, begun.origin)])


def current(memory: Opened) -> str | None:
    """The innermost event of this memory that goes on here."""
    return next((name for one, name in reversed(_INSIDE.get()) if one is memory), None)


def place(memory: Opened) -> tuple[Into, Session]:
    """Where words of this memory go now."""
    from alaya.ingest import putting
    from alaya.ingest.intake import Into

    parts = memory.parts
    into = Into(parts.archive, parts.index, memory.scope.user, parts.clock)
    return into, putting.session_for(into, memory.scope)


def tell(
    memory: Opened,
    event: Event,
    *,
    given: Sequence[tuple[str, Origin]] = (),
    came: Sequence[tuple[str, Origin]] = (),
) -> Event:
    """Archive what went into an event and what came of it, and write it down with both."""
    from alaya.ingest import putting

    into, session = place(memory)
    said = [
        (putting.Words(putting.words("an event", text), origin, {EVENT: event.id}), went_in)
        for texts, went_in in ((given, True), (came, False))
        for text, origin in texts
        if text.strip()
    ]
    told = [event]

    def changes(turns: Sequence[Turn]) -> Sequence[Change]:
        ways = [(spoken(session.id, turn), w) for turn, (_, w) in zip(turns, said, strict=True)]
        told[:] = [
            replace(
                event,
                input=(*event.input, *(span for spans, way in ways if way for span in spans)),
                output=(*event.output, *(span for spans, way in ways if not way for span in spans)),
            )
        ]
        return [EventAdded(told[0])]

    putting.put(into, session, said=[one for one, _ in said], verb="event", changes=changes)
    return told[0]


def linked(source: Card, relation: str, *, target: str, card: Card) -> Link:
    """A link of a card that was put down; where it stood before, with the words that say so."""
    again = source is not card
    return Link(
        scope=Scope(card.scope.user),
        source=source.id,
        relation=relation,
        target=target,
        valid_at=card.said_at,
        reason="said again" if again and relation == EXTRACTED_FROM else "",
        evidence=card.evidence if again else (),
        origin=card.origin,
    )


def name_of(one: Named | str) -> str:
    """The id of a thing, or the id itself."""
    return one if isinstance(one, str) else one.id


def among(options: type[_Option], what: str, *, value: str) -> _Option:
    """A member of an enumeration by its value. Raises InvalidInput."""
    try:
        return options(value)
    except ValueError as error:
        raise InvalidInput(f"{what} {value!r} is not among {', '.join(options)}") from error


def titled(content: str) -> str:
    """The first sentence or line, cut where it is too long for a title."""
    line = content.strip().split("\n", 1)[0].strip()
    found = _FIRST.match(line)
    text = found[0] if found else line
    return text if len(text) <= _TITLE else text[: _TITLE - 1].rstrip() + "…"


@dataclass(frozen=True)
class _Wish:
    """What is known of what is put down, beside its words."""

    events: tuple[str, ...]
    parents: tuple[str, ...]
    origin: Origin
    kind: CardKind = CardKind.OBSERVATION
    importance: float = 0.5
    tags: tuple[str, ...] = field(default=())


def _wish(
    memory: Opened, *, event: Named | str | None, derived_from: Iterable[Named | str]
) -> _Wish:
    """Raises NotFound for an event or a card that is not there."""
    parts, scope = memory.parts, memory.scope
    name = current(memory) if event is None else name_of(event)
    origins: list[Origin] = [Origin.OWNER]  # the highest: each source can only lower it
    if name is not None:
        memory.flush()  # what was recalled just now may be what is cited
        found = sources.event_named(parts.archive, parts.index, scope=scope, name=name)
        name = found.id
        origins.append(sources.origin_of(parts.archive, parts.index, scope=scope, event=found))
    given = [derived_from] if isinstance(derived_from, str) else derived_from
    parents = tuple(dict.fromkeys(name_of(one) for one in given))
    known = {card.id: card for card, _ in parts.index.cards(parents, everything(scope))}
    for parent in parents:
        if parent not in known:
            raise NotFound(f"no card {parent} (for user {scope.user!r})")
    origins += [card.origin for card in known.values()]
    return _Wish((name,) if name else (), parents, lowest(origins))


def _card(scope: Scope, session: Session, *, turn: Turn, wish: _Wish) -> Card:
    """The card for words that stand in the archive now."""
    said_at, content = turn.said_at or session.started_at, visible(turn).strip()
    return Card(
        id=f"card-{digest('remembered', scope.user, session.id, turn.id)}",
        scope=Scope(scope.user, scope.agent, scope.session or session.id),
        title=titled(content),
        content=content,
        kind=wish.kind,
        created_at=said_at,
        said_at=said_at,
        updated_at=said_at,
        importance=wish.importance,
        evidence=spoken(session.id, turn),
        source_events=wish.events,
        derived_from=wish.parents,
        origin=wish.origin,
    )


def _twin(parts: Parts, card: Card) -> tuple[Card, CardState] | None:
    """A card that says the same in the same words, of the same kind and as far to be trusted."""
    from alaya.distill.reconcile import words_key

    where = everything(card.scope)
    near = parts.index.match(card.text, ItemKind.CARD, where=where, limit=_TWINS)
    for other, state in parts.index.cards([one.id for one in near], where) if near else ():
        same_agent = other.scope.agent == card.scope.agent
        if same_agent and other.origin is card.origin and words_key(other) == words_key(card):
            return other, state
    return None


def _back(card: Card, state: CardState) -> list[Change]:
    """What was forgotten or stale and is put down again, holds again."""
    scope, found = Scope(card.scope.user), list[Change]()
    if state.forgotten_at is not None:
        found.append(Restored(scope, (card.id,), "remembered again"))
    if state.stale:
        found.append(MarkedStale(scope, (card.id,), False, "remembered again"))
    return found


def _share(what: str, value: float) -> float:
    if not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInput(f"{what} {value!r} is not in 0..1")
    return float(value)
