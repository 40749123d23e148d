"""What every index must know of source events and of the cards that name them."""

from __future__ import annotations

from typing import Any

from alaya.model import change as ch
from alaya.model.passage import Where
from alaya.model.raw import Event, EventKind
from alaya.testing.index_contract import IndexContract
from alaya.testing.invented import ALICE, BOB, START, Told, card, day, span


def _event(name: str, **fields: Any) -> Event:
    given: dict[str, Any] = {"kind": EventKind.CORRECTION, "at": START, **fields}
    return Event(name, ALICE, **given)


class EventsContract(IndexContract):
    """Events of the journal, by id and by what they are about."""

    def test_events_by_id_and_subject(self, told: Told) -> None:
        """An event is found by its id and by each thing it is about, in the order of time."""
        late = _event("event-b", at=day(2), about=("card-a", "s#1"), input=(span("s", "1"),))
        early = _event("event-a", at=day(1), about=("card-a",))
        told.tell(ch.EventAdded(late), ch.EventAdded(early))
        assert told.index.events(ALICE) == []
        assert told.index.events(ALICE, ids=["event-b", "event-x"]) == [late]
        assert told.index.events(ALICE, about=["card-a"]) == [early, late]
        assert told.index.events(ALICE, ids=["event-a"], about=["s#1"]) == [early, late]

    def test_an_event_told_again_is_the_newer_one(self, told: Told) -> None:
        """What an event came out with is known at its end: it is written again, and stands once."""
        told.tell(ch.EventAdded(_event("event-a", about=("card-a", "card-b"))))
        again = _event("event-a", about=("card-b",), metadata={"tool": "bash"})
        told.tell(ch.EventAdded(again), ch.EventAdded(again))
        assert told.index.events(ALICE, ids=["event-a"]) == [again]
        assert told.index.events(ALICE, about=["card-a"]) == []

    def test_cards_of_events(self, told: Told) -> None:
        """Cards in force that name an event; a new version that does not is no longer found."""
        told.cards(
            card("a", source_events=("event-a", "recall-b")), card("b", source_events=("event-a",))
        )
        where = Where(ALICE)
        found = told.index.cards_of_events(where, ["event-a", "recall-b", "event-x"])
        assert found == {"event-a": ["card-a", "card-b"], "recall-b": ["card-a"]}
        told.tell(ch.CardRevised(card("b", version=2)))
        assert told.index.cards_of_events(where, ["event-a"]) == {"event-a": ["card-a"]}
        told.tell(ch.Quarantined(ALICE, ("card-a",), True))
        assert told.index.cards_of_events(where, ["event-a"]) == {}
        hidden = Where(ALICE, include_quarantined=True)
        assert told.index.cards_of_events(hidden, ["recall-b"]) == {"recall-b": ["card-a"]}

    def test_the_user_is_a_wall_around_events(self, told: Told) -> None:
        """Neither events nor the cards that name them cross from one user to another."""
        told.tell(ch.EventAdded(_event("event-a", about=("card-a",))))
        told.cards(card("a", source_events=("event-a",)))
        assert told.index.events(BOB, ids=["event-a"], about=["card-a"]) == []
        assert told.index.cards_of_events(Where(BOB), ["event-a"]) == {}

    def test_an_erased_card_names_nothing(self, told: Told) -> None:
        """After erasure no event leads to the card."""
        told.cards(card("a", source_events=("event-a",)))
        told.tell(ch.Erased(ALICE, ("card-a",), ()))
        assert told.index.cards_of_events(Where(ALICE), ["event-a"]) == {}
