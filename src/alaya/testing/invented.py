"""Small memories for contract suites: cards, sessions and turns with everything else at a default.

told = Told(lambda read_turn: MyIndex(read_turn=read_turn))
told.tell(CardAdded(card("a", "Gateway 配置")))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from alaya.model.change import CardAdded, Change, LinkAdded, SessionGrew
from alaya.model.graph import Card, CardKind, Link
from alaya.model.ids import sha256
from alaya.model.passage import Where
from alaya.model.raw import ArchivedTurn, Role, Session, Span, Turn
from alaya.model.record import Position
from alaya.model.scope import Scope
from alaya.ports import Index, ReadTurn

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
ALICE, BOB = Scope("alice"), Scope("bob")

MakeIndex = Callable[[ReadTurn], Index]


def day(number: float) -> datetime:
    """So many days after the first of March 2026."""
    return START + timedelta(days=number)


def card(name: str, title: str = "", *, content: str = "", **fields: Any) -> Card:
    """`card-<name>`, said on day 0 by Alice unless fields say otherwise."""
    said = fields.pop("said_at", START)
    given: dict[str, Any] = {
        "scope": ALICE,
        "kind": CardKind.CONCEPT,
        "created_at": said,
        "updated_at": said,
        **fields,
    }
    return Card(
        id=f"card-{name}", title=title or f"title {name}", content=content, said_at=said, **given
    )


def link(source: str, relation: str, *, target: str, **fields: Any) -> Link:
    """An edge between two cards by short name; other nodes by their whole name."""
    ends = [n if ":" in n or n.startswith("entity-") else f"card-{n}" for n in (source, target)]
    given = {"scope": ALICE, "valid_at": START, **fields}
    return Link(source=ends[0], relation=relation, target=ends[1], **given)


def session(name: str = "s", scope: Scope = ALICE, **fields: Any) -> Session:
    """A session that began on day 0."""
    return Session(name, scope, fields.pop("started_at", START), **fields)


def turn(id: str, content: str, **fields: Any) -> Turn:
    """Something the user said."""
    return Turn(id, fields.pop("role", Role.USER), content, **fields)


def span(session: str, turn: str, *, words: str = "words", start: int = 0) -> Span:
    """Evidence."""
    return Span(session, turn, start, start + len(words), sha256(words))


def everything(scope: Scope = ALICE, **fields: Any) -> Where:
    """A filter that hides nothing of a user."""
    return Where(scope, **{"include_forgotten": True, "include_quarantined": True, **fields})


class Told:
    """An index that is told changes as a journal would tell them, a day each."""

    def __init__(self, make: MakeIndex) -> None:
        self._turns: dict[tuple[str, str, int, int], Turn] = {}
        self._ends: dict[tuple[str, str], tuple[int, int]] = {}
        self.records: list[tuple[Position, tuple[Change, ...], datetime]] = []
        self.index = make(self.read_turn)

    def read_turn(self, session: Session, generation: int, *, offset: int, length: int) -> Turn:
        return self._turns[session.scope.user, session.id, generation, offset]

    def tell(self, *changes: Change, at: datetime | None = None) -> datetime:
        """One record with these changes; returns when it was recorded."""
        seq = len(self.records) + 1
        when = at or day(seq)
        place = Position(seq, f"{seq:064}", "2026-03.jsonl", seq * 100)
        self.records.append((place, changes, when))
        assert self.index.apply(place, changes, at=when)
        return when

    def cards(self, *cards: Card) -> None:
        """One record that adds these cards."""
        self.tell(*(CardAdded(one) for one in cards))

    def links(self, *links: Link) -> None:
        """One record that adds these links."""
        self.tell(*(LinkAdded(one) for one in links))

    def says(self, session: Session, *turns: Turn, generation: int = 0) -> None:
        """One record in which a session grows by these turns."""
        self.tell(self.grown(session, turns, generation=generation))

    def grown(self, session: Session, turns: Sequence[Turn], *, generation: int = 0) -> SessionGrew:
        """The change for these turns, which can be read from then on."""
        key = session.scope.user, session.id
        first, end = self._ends.get(key, (0, 0))
        archived = []
        for number, one in enumerate(turns):
            offset, length = end + 10 * (number + 1), 10
            self._turns[*key, generation, offset] = one
            archived.append(ArchivedTurn(one, first + number, generation, offset, length))
        self._ends[key] = first + len(turns), end + 10 * (len(turns) + 1)
        return SessionGrew(
            session=session,
            generation=generation,
            first=first,
            count=len(turns),
            start=end,
            end=self._ends[key][1],
            sha256=sha256(repr(turns)),
            tokens=10 * len(turns),
            turns=tuple(archived),
        )

    def replay(self, index: Index) -> None:
        """Tell another index, or this one after a reset, all that was told."""
        for place, changes, at in self.records:
            index.apply(place, changes, at=at)

    def seen(self, where: Where | None = None) -> list[str]:
        """Short names of the cards that pass, in the order of the index."""
        found = self.index.find_cards(Where(ALICE) if where is None else where)
        return [one.id.removeprefix("card-") for one, _ in found]

    def one(self, name: str, where: Where | None = None) -> Any:
        """(card, state) of a card, hidden or not."""
        found = self.index.cards([f"card-{name}"], where or everything())
        return found[0] if found else None


def revised(of: Card, **fields: Any) -> Card:
    """The next version of a card."""
    return replace(of, version=of.version + 1, **fields)
