"""What an erasure leaves of a change and of a turn. Pure.

A change is dropped, or it loses the evidence that was erased and those words of its texts that
stand in nothing that stays. Nothing becomes longer by that, so each finds room in its old place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar

from alaya.erasing.known import Version
from alaya.erasing.reach import Taken
from alaya.model import change as ch
from alaya.model.change import Change
from alaya.model.erased_words import Scrub, blank, salted, scrubbed, strings
from alaya.model.erasure import MARK
from alaya.model.graph import Card, Entity, Link
from alaya.model.raw import Event, Session, Turn

T = TypeVar("T")
_TEXTS = {
    "title",
    "content",
    "topic",
    "summary",
    "fact",
    "reason",
    "because",
    "name",
    "definition",
    "metadata",
    "aliases",
    "tags",
    "examples",
}
# What names something that is no text of the user: scrubbing it would break it.
_NO_TEXT = {"level", "by", "members", "language"}


@dataclass(frozen=True)
class Blanking:
    """How one erasure blanks: what is taken, the words to scrub, the salt of the run.

    `grown` gives the hash of what a session file will hold where a change says it grew.
    """

    taken: Taken
    scrub: Scrub
    salt: str
    grown: Callable[[ch.SessionGrew], str]

    def change(self, change: Change) -> Change | None:
        """What is left of a change; None where that is nothing."""
        if owner(change) not in (self.taken.user, None) or isinstance(change, ch.Calibrated):
            return change
        if isinstance(change, ch.Erased):
            return replace(change, reason=self.scrub(change.reason))
        if self.taken.everything and owner(change) is not None:
            return None
        left, touched = structural(change, self.taken)
        if left is None:
            return None
        if isinstance(left, ch.SessionGrew) and touched:
            return replace(left, session=self.header(left.session), sha256=self.grown(left))
        if isinstance(left, ch.SessionDistilled) and touched:
            # The hash of few words would tell them.
            known = salted(self.salt, left.content_hash).ljust(len(left.content_hash), "0")
            return replace(left, content_hash=known[: len(left.content_hash)])
        return scrubbed_texts(left, self.scrub) if touched or self.taken.named else left

    def header(self, session: Session) -> Session:
        """A session of which turns were erased: they may stand in its title."""
        return scrubbed_texts(session, self.scrub)

    def turn(self, session: str, turn: Turn) -> Turn:
        """A turn with marks for what was erased of it."""
        ranges = self.taken.turns.get((session, turn.id), ())
        if not self.taken.touches(session, turn.id):
            return turn
        if self.taken.whole(session, turn.id):
            marks = MARK * len(turn.content)
            return replace(
                turn,
                content=marks,
                name=None if turn.name is None else self.scrub(turn.name),
                tool_calls=(),
                injected=(),
                metadata={},
            )
        return replace(
            turn,
            content=blank(turn.content, ranges),
            name=None if turn.name is None else self.scrub(turn.name),
            tool_calls=tuple(
                replace(call, arguments=self.scrub(call.arguments)) for call in turn.tool_calls
            ),
            metadata=scrubbed(turn.metadata, self.scrub),
        )


def owner(change: Change) -> str | None:
    """Whose a change is; None where it is nobody's."""
    for name in ("scope", "card", "link", "entity", "summary", "note", "event", "session"):
        value = getattr(change, name, None)
        scope = value if name == "scope" else getattr(value, "scope", None)
        if scope is not None:
            return str(scope.user)
    return None


def structural(change: Change, taken: Taken) -> tuple[Change | None, bool]:
    """(what is left of a change of the user, whether its texts may hold what was erased)."""
    match change:
        case ch.CardAdded(card=card) | ch.CardRevised(card=card) | ch.CardMerged(card=card):
            left = _card(card, taken)
            if left is None:
                return None, False
            touched = left != card or card.id in taken.cut
            merged = getattr(change, "merged", ())
            return replace(change, card=left), touched or not taken.cards.isdisjoint(merged)
        case (
            ch.EntityAdded(entity=entity)
            | ch.EntityRevised(entity=entity)
            | ch.EntityHeld(entity=entity)
        ):
            found = _entity(entity, taken)
            return (
                (None, False)
                if found is None
                else (
                    replace(change, entity=found),
                    found != entity,
                )
            )
        case ch.LinkAdded(link=link):
            kept = _link(link, taken)
            return (None, False) if kept is None else (replace(change, link=kept), kept != link)
        case ch.LinkRetired(link=name) | ch.FactRetired(link=name) if name in taken.links:
            return None, False
        case ch.SummaryAdded(summary=summary) if summary.id in taken.summaries:
            return None, False
        case ch.EventAdded(event=event):
            told = _event(event, taken)
            return (None, False) if told is None else (replace(change, event=told), told != event)
        case ch.NoteChanged(note=note):
            return (None, False) if note.path in taken.notes else (change, True)
        case ch.SessionGrew(session=session):
            gone = session.id in taken.sessions
            return (None, False) if gone else (change, _touched(taken, session.id))
        case ch.TurnsMarked(session=name) | ch.SessionDistilled(session=name):
            return (None, False) if name in taken.sessions else (change, _touched(taken, name))
        case ch.SummaryAdded():
            return change, False
        case _:
            return change, True  # ids, and a reason in words


def _event(event: Event, taken: Taken) -> Event | None:
    """An event of which all words were erased happened to nothing that is left."""
    gone = taken.falls((*event.input, *event.output))
    if gone or taken.whole(event.session, event.turn):
        return None
    left = replace(event, input=taken.left(event.input), output=taken.left(event.output))
    touched = left != event or taken.touches(event.session or "", event.turn or "")
    return replace(left, metadata={}) if touched else left


def _touched(taken: Taken, session: str) -> bool:
    return any(name == session for name, _ in taken.turns)


def _card(card: Card, taken: Taken) -> Card | None:
    version = Version(card.version, card.title, card.evidence, card.derived_from)
    if card.id in taken.cards or taken.version_falls(version):
        return None
    return replace(
        card,
        evidence=taken.left(card.evidence),
        derived_from=tuple(name for name in card.derived_from if name not in taken.cards),
    )


def _entity(entity: Entity, taken: Taken) -> Entity | None:
    if entity.id in taken.entities or taken.falls(entity.evidence):
        return None
    return replace(entity, evidence=taken.left(entity.evidence))


def _link(link: Link, taken: Taken) -> Link | None:
    if link.id in taken.links or taken.link_falls(link):
        return None
    return replace(link, evidence=taken.left(link.evidence))


def scrubbed_texts(value: T, scrub: Scrub) -> T:
    """A model value with those of its fields scrubbed that hold texts."""
    if not is_dataclass(value) or isinstance(value, type):
        return value
    found: dict[str, Any] = {}
    for item in fields(value):
        old = getattr(value, item.name)
        if item.name == "metadata":
            new: Any = {k: v if k in _NO_TEXT else scrubbed(v, scrub) for k, v in old.items()}
        elif item.name == "turns":
            continue  # they are the archive's
        elif _is_text(value, item.name):
            new = scrubbed(old, scrub)
        else:
            new = scrubbed_texts(old, scrub)
        if new != old:
            found[item.name] = new
    return replace(value, **found) if found else value


def texts(value: Any) -> Iterator[str]:
    """Every text of a model value that `scrubbed_texts` would look at."""
    if not is_dataclass(value) or isinstance(value, type):
        return
    for item in fields(value):
        held = getattr(value, item.name)
        if item.name == "metadata" and isinstance(held, Mapping):
            yield from strings({k: v for k, v in held.items() if k not in _NO_TEXT})
        elif _is_text(value, item.name):
            yield from strings(held)
        else:
            yield from texts(held)


def _is_text(value: object, name: str) -> bool:
    """Whether a field holds words; the name of a relation or a tool is no such."""
    return name in _TEXTS and (name != "name" or isinstance(value, Entity))


def texts_of_turn(turn: Turn) -> Iterator[str]:
    """Everything that a turn says."""
    yield turn.content
    if turn.name:
        yield turn.name
    yield from (call.arguments for call in turn.tool_calls)
    yield from strings(turn.metadata)
