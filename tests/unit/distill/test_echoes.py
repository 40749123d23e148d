"""What memory itself said is recognised when it is said again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from alaya.distill.echoes import kept_only, quoted, without_echoes
from alaya.model.graph import Card, CardKind
from alaya.model.raw import ArchivedTurn, Origin, Role, Turn
from alaya.model.record import Draft, DraftCard, DraftLink
from alaya.model.scope import Scope
from alaya.model.time import EPOCH

RECALLED = (
    "- [card-1] You are allergic to peanuts and carry an adrenaline pen. 你对花生过敏，随身带针。"
)


def turns(user: str, agent: str) -> list[ArchivedTurn]:
    """A prompt that begins with what was recalled, and what the agent makes of it."""
    first = Turn(
        "t0",
        Role.USER,
        RECALLED + user,
        origin=Origin.OWNER,
        injected=((0, len(RECALLED)),),
    )
    second = Turn("t1", Role.ASSISTANT, agent, origin=Origin.AGENT)
    return [ArchivedTurn(turn, i, 0, 0, 0) for i, turn in enumerate((first, second))]


def draft(*cards: tuple[str, str], said: list[ArchivedTurn]) -> Draft:
    """Cards as (content, turn that is cited), from its first visible character."""
    words = {t.turn.id: t.turn.content for t in said}
    starts = {"t0": len(RECALLED), "t1": 0}
    made = tuple(
        DraftCard(text[:20], text, CardKind.CONCEPT, ((turn, starts[turn], len(words[turn])),))
        for text, turn in cards
    )
    return Draft("s1", "m", "h", 0, 2, made, dropped=1)


@pytest.mark.parametrize(
    "again",
    ["You are allergic to peanuts and carry an adrenaline pen.", "你对花生过敏，随身带针。"],
)
def test_the_agent_repeats_it(again: str) -> None:
    """A card of the agent's words that were recalled is dropped and counted."""
    said = turns(" What shall I eat?", again)
    found = without_echoes(draft((again, "t1"), said=said), said)
    assert (found.cards, found.dropped) == ((), 2)


@pytest.mark.parametrize(
    "again",
    ["You are allergic to peanuts and carry an adrenaline pen.", "你对花生过敏，随身带针。"],
)
def test_a_person_says_it(again: str) -> None:
    """What a person says in so many words is told, not repeated."""
    said = turns(again, "ok")
    one = draft((again, "t0"), said=said)
    assert without_echoes(one, said) == one


def test_more_than_an_echo() -> None:
    """New words beside the recalled ones are knowledge; without a recall nothing is compared."""
    new = "Peanuts are in this sauce, so the allergic guest gets rice with plain tofu instead."
    said = turns(" What shall we cook?", new)
    one = draft((new, "t1"), said=said)
    assert without_echoes(one, said) == one
    plain = [replace(t, turn=replace(t.turn, injected=())) for t in said]
    assert without_echoes(one, plain) == one


def test_links_of_what_is_kept() -> None:
    """Links between kept cards, and to known ones, keep their ends; others go."""
    cards = tuple(DraftCard(t, t, CardKind.CONCEPT, ()) for t in "abc")
    links = tuple(DraftLink(a, b, "X") for a, b in ((0, 1), (1, 2), (2, 3), (0, 3)))
    found = kept_only(Draft("s", "m", "h", 0, 1, cards, links, known=("card-9",)), [0, 2])
    assert [c.title for c in found.cards] == ["a", "c"]
    assert [(x.source, x.target) for x in found.links] == [(1, 2), (0, 2)]


def card(title: str, content: str) -> Card:
    return Card("c", Scope("u"), title, content, CardKind.CONCEPT, EPOCH, EPOCH, EPOCH)


KNOWN = card(
    "Redis on port 7000",
    "**Problem**: connection to Redis refused on port 7000.\n**修复**: 把主机改成 10.0.0.1。",
)


@pytest.mark.parametrize(
    ("content", "echo"),
    [
        ("# Redis on port 7000\n\n" + KNOWN.content, True),
        ("[1] Redis on port 7000 (h=0.1)\n  Connection to Redis refused on port 7000!", True),
        ("修复: 把主机改成 10.0.0.1", True),
        ("**Problem**: connection to Kafka refused on port 7001.", False),
        (
            "Connection to Redis refused on port 7000. The cause was a firewall rule on staging.",
            False,
        ),
        ("refused on port 7000", False),
        ("", False),
    ],
)
def test_quotations_of_a_known_card(content: str, echo: bool) -> None:
    """What is mostly quoted from a card is that card; other numbers and more news are not."""
    assert quoted(card("pasted", content), [KNOWN]) == (KNOWN if echo else None)
