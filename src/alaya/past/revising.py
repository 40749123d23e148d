"""Revise: a person or an agent writes a card anew. What was written is evidence as all words are:
it goes into the archive as a turn, in the record of the revision, and the new version cites it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from alaya.errors import InvalidInput, NotFound
from alaya.ingest.intake import Into, heard
from alaya.ingest.settle import Arrival, Arrived, settle
from alaya.model.change import CardRevised, Change
from alaya.model.graph import Card
from alaya.model.ids import clean, digest, session_node, sha256
from alaya.model.passage import Where
from alaya.model.raw import Origin, Role, Session, SessionKind, Span, Turn, lowest
from alaya.model.scope import Scope
from alaya.projection import Grow, commit

FORMAT = "revision"


@dataclass(frozen=True)
class Revision:
    """What is to be another from now on; None: it stays."""

    content: str | None = None
    title: str | None = None
    tags: tuple[str, ...] | None = None
    importance: float | None = None
    reason: str = ""


def revise(into: Into, *, scope: Scope, name: str, wanted: Revision) -> Card:
    """The new version of a card; the current one where nothing differs.

    Raises NotFound for a card that is not there and InvalidInput for what no card can be.
    """
    revision = _checked(wanted)
    made: list[Card] = []
    now = into.clock()
    session = f"revised-{now:%Y-%m-%d}"

    def decide() -> Sequence[Change | Grow]:
        where = Where(scope, include_forgotten=True, include_quarantined=True)
        found = into.index.cards([name], where)
        if not found:
            raise NotFound(f"no card {name} (for user {scope.user!r}); see `alaya recall`")
        card = found[0][0]
        new = _revised(card, revision)
        if new == card:
            made[:] = [card]
            return []
        new = replace(new, version=card.version + 1, updated_at=now)
        changes: list[Change | Grow] = []
        if words := _words(card, new, reason=revision.reason):
            turn = _turn(words, card=new, scope=scope)
            header = Session(
                session,
                Scope(scope.user),
                now,
                kind=SessionKind.DOCUMENTS,  # each stands alone, and none is distilled
                format=FORMAT,
            )
            arrival = Arrival(header, (Arrived(replace(turn, said_at=now)),), appending=True)
            settled = settle(into.index, arrival)
            changes += settled.changes
            cited = Span(session, settled.kept[0] or turn.id, 0, len(words), sha256(words))
            origin = lowest([card.origin, turn.origin])
            new = replace(new, evidence=(*card.evidence, cited), origin=origin)
        made[:] = [new]
        return [*changes, CardRevised(new, revision.reason)]

    commit(
        into.archive,
        into.index,
        decide=decide,
        actor=scope.agent or scope.user,
        verb="revise",
        clock=into.clock,
        touches=(name, session_node(session)),
    )
    return made[0]


def _checked(wanted: Revision) -> Revision:
    """Without secrets, blanks around it, and what no card can be."""
    for what in ("content", "title"):
        text = getattr(wanted, what)
        if text is not None and (not isinstance(text, str) or not text.strip()):
            raise InvalidInput(f"{what} is empty; to take a card back, forget or erase it")
    if wanted.importance is not None and not 0 <= wanted.importance <= 1:
        raise InvalidInput(f"importance {wanted.importance} is not in 0..1")
    content, title = (
        None if text is None else _plain(text).strip() for text in (wanted.content, wanted.title)
    )
    tags = None
    if wanted.tags is not None:
        tags = tuple(dict.fromkeys(t for tag in wanted.tags if (t := _plain(tag).strip())))
    return Revision(content, title, tags, wanted.importance, reason=_plain(wanted.reason).strip())


def _plain(text: str) -> str:
    turn, _ = heard(Turn("", Role.USER, clean(text)), [])
    return turn.content


def _revised(card: Card, wanted: Revision) -> Card:
    given = {
        name: value
        for name in ("content", "title", "tags", "importance")
        if (value := getattr(wanted, name)) is not None
    }
    return replace(card, **given)


def _words(card: Card, new: Card, *, reason: str) -> str:
    """What was written by hand: the text, where it is another, and why."""
    parts = [new.title if new.title != card.title else "", reason]
    parts.insert(1, new.content if new.content != card.content else "")
    return "\n\n".join(part for part in parts if part)


def _turn(words: str, *, card: Card, scope: Scope) -> Turn:
    by_agent = scope.agent is not None
    return Turn(
        f"revised-{digest(card.id, card.version, words)}",
        Role.ASSISTANT if by_agent else Role.USER,
        words,
        name=scope.agent,
        origin=Origin.AGENT if by_agent else Origin.OWNER,
        metadata={"card": card.id, "version": card.version},
    )
