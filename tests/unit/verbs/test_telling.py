"""Telling by name: what is new is kept with its words, and what is taken back leaves recall."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from alaya import Memory
from alaya.errors import InvalidInput, NotFound
from alaya.model.graph import EntityKind
from alaya.model.scope import Scope
from alaya.model.told import ToldEntity, ToldGraph, ToldRelation

OFF = {"embedding.provider": "none", "embedding.background": False}
ANNA = ToldEntity("李安娜", "人物", ("在杭州工作", "喜欢早上开会"))
TEAM = ToldEntity("Platform team", "team")
LEADS = ToldRelation("李安娜", "leads", "Platform team")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A new memory, by words alone."""
    with Memory.open(tmp_path / "home", settings=OFF) as opened:
        yield opened


def test_what_was_told_has_its_words(memory: Memory) -> None:
    """Entities, observations and relations cite turns of the archive, in order, verified."""
    assert memory.tell(entities=[ANNA, TEAM]) == ToldGraph((ANNA, TEAM))
    assert memory.tell(relations=[LEADS]).relations == (LEADS,)
    assert memory.told(names=["李安娜"]) == ToldGraph((ANNA,), (LEADS,))
    (found,) = memory.entities("李安娜")
    assert found.entity.kind is EntityKind.PERSON
    (fact,) = memory.facts("李安娜")
    assert (fact.fact, fact.subject) == ("李安娜 leads Platform team", "李安娜")
    session = fact.evidence[0].session
    said = [turn.turn.content for turn in memory.transcript(session).turns]
    assert said == [
        "李安娜 (人物)",
        "李安娜: 在杭州工作",
        "李安娜: 喜欢早上开会",
        "Platform team (team)",
        "李安娜 leads Platform team",
    ]
    card = memory.recall("谁在杭州工作").hits[0]
    assert (card.content, card.title) == ("在杭州工作", "李安娜: 在杭州工作")
    assert [quote.verified for quote in memory.trace(card.id).quotes] == [True]


def test_told_twice(memory: Memory) -> None:
    """What is known already changes nothing, however it is spelled."""
    memory.tell(entities=[ANNA, TEAM], relations=())
    memory.tell(relations=[LEADS])
    before = memory.status().journal_seq
    assert memory.tell(entities=[ToldEntity("platform_TEAM", "other", ("new",))]) == ToldGraph()
    assert memory.tell(relations=[LEADS]) == ToldGraph()
    assert memory.tell(observations=[ANNA]).entities[0].observations == ()
    assert memory.status().journal_seq == before


def test_all_or_nothing(memory: Memory) -> None:
    """One unknown name, and nothing of the call is kept."""
    memory.tell(entities=[ANNA])
    before = memory.status().journal_seq
    with pytest.raises(NotFound, match="Nobody"):
        memory.tell(
            observations=[ToldEntity("李安娜", "", ("x",)), ToldEntity("Nobody", "", ("y",))]
        )
    with pytest.raises(InvalidInput, match="itself"):
        memory.tell(relations=[ToldRelation("李安娜", "knows", "李安娜")])
    with pytest.raises(InvalidInput, match="relation name"):
        memory.tell(relations=[ToldRelation("李安娜", "!", "Platform team")])
    assert memory.status().journal_seq == before


def test_secrets_and_own_words_are_not_kept(memory: Memory) -> None:
    """A secret becomes its placeholder, and what alaya had said is not learnt again."""
    token = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    own = '<alaya-memory version="1">secret plan</alaya-memory>'
    memory.tell(entities=[ToldEntity("Robot", "tool", (f"uses {token}", f"walks {own}"))])
    (robot,) = memory.told().entities
    assert robot.observations[0].startswith("uses [REDACTED:")
    assert robot.observations[1] == "walks"


def test_taken_back(memory: Memory) -> None:
    """An entity goes with its relations and its own observations; told again, it is a new one."""
    memory.tell(entities=[ANNA, TEAM])
    memory.tell(relations=[LEADS])
    gone = memory.retract(entities=["李安娜", "Nobody"])
    assert gone == ToldGraph((ANNA,), (LEADS,))
    assert memory.told() == ToldGraph((TEAM,))
    assert memory.entities("李安娜") == memory.facts() == []
    assert not memory.recall("杭州").hits
    assert not memory.verify().differences
    memory.tell(entities=[ToldEntity("李安娜", "人物")])
    assert memory.told(names=["李安娜"]).entities[0].observations == ()


def test_one_user_tells(tmp_path: Path) -> None:
    """What one user told, another neither sees nor takes back."""
    home = tmp_path / "home"
    with Memory.open(home, Scope("alice"), settings=OFF) as alice:
        alice.tell(entities=[ANNA])
    with Memory.open(home, Scope("bob"), settings=OFF) as bob:
        assert bob.told("杭州") == bob.told(names=["李安娜"]) == bob.told() == ToldGraph()
        assert bob.retract(entities=["李安娜"]) == ToldGraph()
        assert bob.tell(entities=[ANNA]).entities == (ANNA,)
    with Memory.open(home, Scope("alice"), settings=OFF) as alice:
        assert alice.told().entities == (ANNA,)
