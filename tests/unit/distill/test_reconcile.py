"""From a draft to changes."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alaya.distill.reconcile import Known, reconcile
from alaya.model.change import CardAdded, Forgotten, LinkAdded, SessionDistilled
from alaya.model.graph import Card, CardKind, CardState
from alaya.model.ids import card_id, session_node, sha256
from alaya.model.raw import ArchivedTurn, Origin, Role, Session, Turn
from alaya.model.record import Draft, DraftCard, DraftLink
from alaya.model.scope import Scope

NOW = datetime(2026, 4, 1, tzinfo=UTC)
NOTHING_KNOWN = Known()
SESSION = Session("s1", Scope("ana", "main"), datetime(2026, 3, 1, tzinfo=UTC))
WORDS = ("我对花生过敏。I mean it 🥜", "Noted.", "E   assert 1 == 2")
ORIGINS = (Origin.OWNER, Origin.AGENT, Origin.TOOL)
TURNS = {
    f"t{i}": ArchivedTurn(
        Turn(f"t{i}", Role.USER, words, datetime(2026, 3, 2 + i, tzinfo=UTC), origin=origin),
        i,
        0,
        0,
        0,
    )
    for i, (words, origin) in enumerate(zip(WORDS, ORIGINS, strict=True))
}


def draft(*cards: DraftCard, links: tuple[DraftLink, ...] = ()) -> Draft:
    """A draft of all three turns."""
    return Draft("s1", "rules-1", "hash", 0, 3, cards, links, dropped=2)


def card(
    title: str, *evidence: tuple[str, int, int], kind: CardKind = CardKind.CONCEPT
) -> DraftCard:
    """A proposed card."""
    return DraftCard(title, f"{title}!", kind, evidence)


def changes(found: Draft, known: Known = NOTHING_KNOWN, redistill: bool = False, hash: str = "d1"):
    """What the draft amounts to."""
    return reconcile(
        found,
        SESSION,
        draft_hash=hash,
        known=known,
        now=NOW,
        turn=TURNS.get,
        redistill=redistill,
    )


def added(found) -> list[Card]:
    """The cards among the changes."""
    return [c.card for c in found if isinstance(c, CardAdded)]


def test_card() -> None:
    """A card has the draft's id, the session's scope, the earliest time and the lowest trust."""
    found = changes(draft(card("Peanuts", ("t1", 0, 6), ("t0", 0, 7))))
    (one,) = added(found)
    assert one.id == card_id("d1", 0)
    assert one.scope == Scope("ana", "main", "s1")
    assert one.said_at == datetime(2026, 3, 2, tzinfo=UTC)
    assert one.created_at == one.updated_at == NOW
    assert one.origin is Origin.AGENT
    assert one.draft == "d1"
    assert [s.sha256 for s in one.evidence] == [sha256("Noted."), sha256("我对花生过敏。")]
    assert added(changes(draft(card("T", ("t0", 0, 3), ("t2", 0, 5)))))[0].origin is Origin.TOOL


def test_order() -> None:
    """Cards come before the links between them, and SessionDistilled comes last."""
    found = changes(
        draft(
            card("A", ("t0", 0, 3)),
            card("B", ("t1", 0, 3)),
            links=(DraftLink(1, 0, "CAUSED_BY", "why", 0.7),),
        )
    )
    names = [type(c).__name__ for c in found]
    assert names == [
        "CardAdded",
        "LinkAdded",
        "CardAdded",
        "LinkAdded",
        "LinkAdded",
        "SessionDistilled",
    ]
    link = found[4].link
    # CAUSED_BY is stored as CAUSES the other way round
    assert (link.source, link.relation, link.target) == (
        card_id("d1", 0),
        "CAUSES",
        card_id("d1", 1),
    )
    assert link.valid_at == datetime(2026, 3, 3, tzinfo=UTC)
    assert found[1].link.target == session_node("s1")
    assert found[-1] == SessionDistilled(
        Scope("ana", "main", "s1"), "s1", "d1", "rules-1", 3, "hash", 2, 2
    )


@pytest.mark.parametrize("evidence", [("gone", 0, 4), ("t0", 5, 5), ("t0", 99, 120)])
def test_without_evidence(evidence: tuple[str, int, int]) -> None:
    """A card whose evidence is not in the archive is left out and counted, its links too."""
    found = changes(
        draft(card("A", evidence), card("B", ("t1", 0, 3)), links=(DraftLink(0, 1, "X"),))
    )
    assert [c.title for c in added(found)] == ["B"]
    assert found[-1].dropped == 3
    assert sum(isinstance(c, LinkAdded) for c in found) == 1


def known_as(found, **state) -> tuple[tuple[Card, CardState], ...]:
    """The cards of changes as the memory would hold them."""
    return tuple((c, CardState(recorded_at=NOW, **state)) for c in added(found))


def test_again() -> None:
    """The same draft adds nothing a second time."""
    first = changes(draft(card("A", ("t0", 0, 3))))
    again = changes(draft(card("A", ("t0", 0, 3))), Known(own=known_as(first)))
    assert [type(c) for c in again] == [SessionDistilled]
    assert again[0].cards == 0


def test_same_words_elsewhere() -> None:
    """Known words make no second card; the old one is linked to this session with the new spans."""
    first = changes(draft(card("Tea: Green", ("t0", 0, 3))))
    ((old, state),) = known_as(first)
    old = replace(old, id="card-old", scope=Scope("ana", "main", "s0"))
    found = changes(draft(card("tea  green", ("t1", 0, 6))), Known(others=((old, state),)))
    assert added(found) == []
    (link,) = [c.link for c in found if isinstance(c, LinkAdded)]
    assert (link.source, link.relation, link.target) == ("card-old", "EXTRACTED_FROM", "session:s1")
    assert link.evidence[0].turn == "t1"


def test_twice_in_one_draft() -> None:
    """Two proposals of the same words become one card."""
    found = changes(draft(card("A", ("t0", 0, 3)), card("a", ("t1", 0, 3))))
    assert len(added(found)) == 1


def test_redistilled() -> None:
    """Cards that are not found again are forgotten, but for pinned and revised ones."""
    first = changes(
        draft(card("A", ("t0", 0, 3)), card("B", ("t1", 0, 3)), card("C", ("t2", 0, 3)))
    )
    (a, b, c) = known_as(first)
    pinned = (b[0], replace(b[1], pinned=True))
    revised = (replace(c[0], version=2), c[1])
    known = Known(own=(a, pinned, revised))
    new = draft(card("New", ("t1", 0, 6)))
    found = changes(new, known, redistill=True, hash="d2")
    assert [x for x in found if isinstance(x, Forgotten)] == [
        Forgotten(Scope("ana", "main", "s1"), (a[0].id,), "redistilled")
    ]
    assert not any(isinstance(x, Forgotten) for x in changes(new, known, hash="d2"))


def test_found_again() -> None:
    """A redistilled card with the same words keeps its id."""
    first = changes(draft(card("A", ("t0", 0, 3))))
    found = changes(draft(card("A", ("t0", 0, 3))), Known(own=known_as(first)), True, "d2")
    assert added(found) == []
    assert not any(isinstance(x, Forgotten) for x in found)


def test_forgotten_stays_forgotten() -> None:
    """What was forgotten is not brought back by being found again."""
    first = changes(draft(card("A", ("t0", 0, 3))))
    known = Known(own=known_as(first, forgotten_at=NOW))
    assert added(changes(draft(card("A", ("t0", 0, 3))), known, True, "d2")) == []


EVIDENCE = st.tuples(
    st.sampled_from(["t0", "t1", "t2", "gone"]), st.integers(-2, 30), st.integers(-2, 30)
)
CARDS = st.builds(
    DraftCard,
    title=st.text(max_size=8),
    content=st.text(max_size=20),
    kind=st.sampled_from(list(CardKind)),
    evidence=st.lists(EVIDENCE, max_size=4).map(tuple),
)
LINKS = st.builds(
    DraftLink,
    source=st.integers(0, 5),
    target=st.integers(0, 5),
    relation=st.sampled_from(["CAUSED_BY", "SIMILAR_TO", "RELATES_TO"]),
)


@given(cards=st.lists(CARDS, max_size=5), links=st.lists(LINKS, max_size=5))
def test_any_draft(cards: list[DraftCard], links: list[DraftLink]) -> None:
    """Whatever a draft holds: same changes each time, stable ids, spans that match the words."""
    one = draft(*cards, links=tuple(links))
    found = changes(one)
    assert found == changes(one)
    possible = [card_id("d1", i) for i in range(len(cards))]
    ids = [c.id for c in added(found)]
    assert ids == [i for i in possible if i in ids]
    for made in added(found):
        assert made.evidence
        for span in made.evidence:
            assert sha256(TURNS[span.turn].turn.content[span.start : span.end]) == span.sha256
    for change in found:
        if isinstance(change, LinkAdded) and change.link.relation != "EXTRACTED_FROM":
            assert {change.link.source, change.link.target} <= set(ids)
    again = changes(one, Known(own=known_as(found)))
    assert added(again) == []
