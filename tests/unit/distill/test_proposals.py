"""What a model wrote, whatever it is, to cards and links that hold together."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted_talk import MORE, TALK, card, link, says

from alaya.distill.prompts.cards import Asked
from alaya.distill.proposals import Found, Gate, reference, title_key
from alaya.distill.shared import shares
from alaya.distill.windows import windows
from alaya.distill.work import Work
from alaya.model.graph import CardKind
from alaya.model.raw import ArchivedTurn, Origin, Role, Session, Turn
from alaya.model.scope import Scope
from alaya.model.time import EPOCH

GATE = Gate(0.4, 3)
SESSION = Session("s", Scope("u"), EPOCH)
ROLES = {"u": Role.USER, "a": Role.ASSISTANT}


def asked(*said: tuple[str, str], known: tuple[str, ...] = ()) -> Asked:
    turns = tuple(
        ArchivedTurn(Turn(f"t{i}", ROLES[who], words, origin=Origin.OWNER), i, 0, 0, 0)
        for i, (who, words) in enumerate(said)
    )
    (window,) = windows(Work(SESSION, (), turns), 6000)
    return Asked(SESSION, window, known)


ONE, TWO = asked(*TALK, known=("Old one", "旧卡")), asked(*MORE, known=("Third",))


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("3", (False, 3)),
        ("[3]", (False, 3)),
        ("#3", (False, 3)),
        ("card 3", (False, 3)),
        ("卡片3", (False, 3)),
        ("K3", (True, 3)),
        ("k 3", (True, 3)),
        ("Python 3", None),
        ("0", None),
        ("", None),
    ],
)
def test_references(name: str, meant: tuple[bool, int] | None) -> None:
    """Numbers of cards are understood as models write them; titles with numbers are titles."""
    assert reference(name) == meant


def test_kinds_tags_and_importance() -> None:
    """Kinds of all designs are known, what is none is a concept; tags are lines without a `#`."""
    found = Found()
    items = [
        card("A", 1, type="Insight", tags=["#redis", "redis", " a\nb ", ""], importance=7),
        {"title": " B\n b ", "content": " x ", "turns": [2, 2, 99], "type": "fact"},
    ]
    found.take(says(*items), ONE.window.lines, gate=GATE, stem=None)
    first, second = found.cards
    assert (first.kind, first.tags, first.importance) == (CardKind.INSIGHT, ("redis", "a b"), 0.7)
    assert (second.kind, second.title, second.content) == (CardKind.CONCEPT, "B b", "x")
    assert (second.importance, [t for t, _, _ in second.evidence]) == (0.5, ["t1"])
    assert first.confidence < 0.6  # hardly a word of it stands in what it cites


def test_told_on_in_the_next_window() -> None:
    """The same title in a later window adds to the card; in the same one it is another card."""
    found = Found()
    found.take(says(card("Tea", 1, content="Green.")), ONE.window.lines, gate=GATE, stem=None)
    more = says(card("tea", 2, content="From Hangzhou."), card("Milk", 3, content="None."))
    found.take(more, ONE.window.lines, gate=GATE, stem=None)
    assert [(c.title, c.content) for c in found.cards] == [
        ("Tea", "Green.\n\nFrom Hangzhou."), ("Milk", "None."),
    ]  # fmt: skip
    assert {t for t, _, _ in found.cards[0].evidence} == {"t0", "t1"}


TITLES = st.sampled_from(["A", "a!", "B", "Old one", "旧卡", "K1", "2", "", "卡片", "Third"])
CARDS = st.fixed_dictionaries(
    {
        "title": TITLES,
        "content": st.sampled_from(["", "x", "The cause was a renamed column.", "夜里运行"]),
        "turns": st.lists(st.integers(-1, 7), max_size=4),
    },
    optional={
        "importance": st.floats(-2, 20),
        "type": TITLES,
        "tags": st.lists(TITLES, max_size=3),
    },
)
LINKS = st.builds(
    link, st.one_of(TITLES, st.integers(0, 9).map(str)), TITLES, st.sampled_from(["1", "B", "K3"])
)
VALUES = st.builds(
    lambda cards, links: says(*cards, links=tuple(links)),
    st.lists(CARDS, max_size=6),
    st.lists(LINKS, max_size=5),
)


@given(value=VALUES)
def test_any_reply_to_a_shared_call(value: dict[str, Any]) -> None:
    """Every card is kept or counted once, citing its own session; links join what is there."""
    parts = shares(value, [ONE, TWO])
    assert sum(len(part["cards"]) for part in parts) == len(value["cards"])
    total = 0
    for part, one in zip(parts, (ONE, TWO), strict=True):
        found = Found(tuple((f"card-{i}", title) for i, title in enumerate(one.known)))
        found.take(part, one.window.lines, gate=GATE, stem=None)
        cards, links, dropped = found.chosen(GATE)
        own = {line.turn.id: line.turn.content for line in one.window.lines}
        assert len(cards) <= 3
        total += len(cards) + dropped
        names = [title_key(c.title) for c in cards] + [title_key(t) for t in one.known]
        assert len(set(names)) == len(names)
        for made in cards:
            assert 0.4 <= made.importance <= 1
            assert 0 <= made.confidence <= 1
            assert made.evidence
            assert all(0 <= s < e <= len(own[turn]) for turn, s, e in made.evidence)
        for joined in links:
            assert joined.source != joined.target
            assert min(joined.source, joined.target) < len(cards)
            assert max(joined.source, joined.target) < len(names)
    assert total <= len(value["cards"])  # less where one was written twice
