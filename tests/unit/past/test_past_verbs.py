"""The verbs of the memory's own past on a real home, in English and Chinese."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import find

from alaya import Memory
from alaya.errors import InvalidInput, NotFound
from alaya.model import change as ch
from alaya.model.graph import Entity, EntityKind
from alaya.model.held import Thing, ThingKind, things_of
from alaya.model.past import Way
from alaya.model.raw import Origin
from alaya.model.scope import Scope
from alaya.past.inverse import REFUSALS
from alaya.projection import commit
from alaya.testing.invented import ALICE, START, card, day, everything, link, revised
from alaya.testing.strategies import values

QUIET = {
    "embedding.provider": "none",
    "embedding.background": False,
    "distill.min_session_tokens": 0,
}
NOW = datetime(2026, 3, 9, tzinfo=UTC)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "home", ALICE, settings=QUIET) as opened:
        opened.init()
        yield opened


def tell(memory: Memory, *changes: ch.Change, verb: str = "distill") -> int:
    """One record with these changes; returns its number."""
    parts = memory.parts
    return commit(
        parts.archive,
        parts.index,
        decide=lambda: changes,
        actor="alice",
        verb=verb,
        clock=lambda: NOW,
    ).seq


def now(memory: Memory, name: str = "a"):
    return memory.trace(f"card-{name}").card


def test_revise_keeps_the_words(memory: Memory) -> None:
    """A revision is a new version that cites what was written, word for word in the archive."""
    tell(memory, ch.CardAdded(card("a", "网关端口", content="网关监听 8080")))
    new = memory.revise("card-a", content="网关监听 18790", tags=["port"], reason="已迁移")
    assert (new.version, new.content, new.tags) == (2, "网关监听 18790", ("port",))
    traced = memory.trace("card-a")
    assert [quote.verified for quote in traced.quotes] == [True]
    assert traced.quotes[0].turn.turn.content == "网关监听 18790\n\n已迁移"
    assert traced.quotes[0].turn.turn.origin is Origin.OWNER
    assert memory.recall("网关 18790").hits[0].id == "card-a"
    assert memory.revise("card-a", content="网关监听 18790") == new  # nothing differs


def test_revise_refuses(memory: Memory) -> None:
    """What no card can be is said, and nothing is written; secrets never reach the archive."""
    tell(memory, ch.CardAdded(card("a", "Key")))
    for given, why in (({"content": " "}, "content is empty"), ({"importance": 2}, "not in 0..1")):
        with pytest.raises(InvalidInput, match=why):
            memory.revise("card-a", **given)
    with pytest.raises(NotFound, match="no card card-x"):
        memory.revise("card-x", title="x")
    key = "sk-proj-" + "a1B2" * 12
    assert key not in memory.revise("card-a", content=f"the key is {key}").content
    home = memory.config.home
    assert not [p for p in home.rglob("*") if p.is_file() and key.encode() in p.read_bytes()]


def test_an_agent_revises(tmp_path: Path) -> None:
    """What an agent wrote is of the agent's class, and stays in its scope."""
    with Memory.open(tmp_path / "h", Scope("alice", "coder"), settings=QUIET) as memory:
        mine = card("a", scope=Scope("alice", "coder"), origin=Origin.OWNER)
        tell(memory, ch.CardAdded(mine), ch.CardAdded(card("b")))
        assert memory.revise("card-a", title="anew").origin is Origin.AGENT
        with pytest.raises(NotFound):
            memory.revise("card-b", title="of another")


def test_history(memory: Memory) -> None:
    """Versions and everything that happened, by which record, why, and what was undone."""
    tell(memory, ch.CardAdded(card("a", "old")), ch.CardAdded(card("b")))
    memory.revise("card-a", title="new", reason="better")
    tell(memory, ch.Forgotten(ALICE, ("card-a",), "unused"), verb="forget")
    memory.undo()
    tell(memory, ch.CardMerged(card("b", version=2), ("card-a",)), verb="consolidate")
    told = memory.history("card-a")
    assert [(h.what, h.seq, h.reason, h.undone_by) for h in told.happened] == [
        ("CardAdded", 1, "", None),
        ("CardRevised", 2, "better", None),
        ("Forgotten", 3, "unused", 4),
        ("Restored", 4, "undo #3", None),
        ("CardMerged", 5, "", None),
    ]
    assert [v.card.title for v in told.versions] == ["old", "new"]
    assert (told.held, told.happened[-1].detail) == (False, "card-b")
    with pytest.raises(NotFound, match="nothing is known"):
        memory.history("card-x")
    with pytest.raises(NotFound, match="is no id"):
        memory.history("nobody")


def test_diff_and_rollback(memory: Memory) -> None:
    """What came, went and changed between two records; going back is one new record."""
    one = tell(memory, ch.CardAdded(card("a", "端口")), ch.CardAdded(card("b", "bee")))
    memory.revise("card-a", title="新端口")
    tell(memory, ch.CardAdded(card("c", "sea")), ch.Forgotten(ALICE, ("card-b",), ""))
    told = {d.thing.name: d for d in memory.diff(one).differences if d.thing.kind == "card"}
    assert (told["card-a"].before, told["card-a"].after) == ("端口", "新端口")
    assert "title" in told["card-a"].fields
    assert (told["card-b"].fields, told["card-c"].way) == (("forgotten",), Way.ADDED)
    assert memory.diff("#1", end="#1").differences == ()
    with pytest.raises(InvalidInput, match="is after"):
        memory.diff(2, end=1)
    with pytest.raises(NotFound, match="#1 to #3"):
        memory.diff(9)
    assert memory.rollback("#1", dry_run=True).seq is None
    assert memory.rollback("#1").seq == 4
    assert (now(memory).title, len(memory.recall("bee").hits)) == ("端口", 1)
    assert memory.rollback(1).changes == ()
    memory.undo()
    assert now(memory).title == "新端口"
    assert memory.verify().differences == ()


def test_undo_refuses_and_names(memory: Memory) -> None:
    """What was built on is not undone alone; what is gone for good, not at all."""
    tell(memory, ch.CardAdded(card("a", "one")))
    memory.revise("card-a", title="two")
    memory.revise("card-a", title="three")
    with pytest.raises(InvalidInput, match=r"#3 \(revise\).*--with-later"):
        memory.undo(seq=2)
    assert now(memory).title == "three"
    report = memory.undo(seq=2, with_later=True)
    assert [one.seq for one in report.undone] == [3, 2]
    assert now(memory).title == "one"
    memory.undo(seq=report.seq)
    assert now(memory).title == "three"
    seq = tell(memory, ch.Erased(ALICE, ("card-b",), ()), verb="erase")
    with pytest.raises(InvalidInput, match="gone for good"):
        memory.undo(seq=seq)
    for wrong in ({"seq": 99}, {"seq": 0}):
        with pytest.raises(NotFound):
            memory.undo(**wrong)
    with pytest.raises(InvalidInput, match="at least one"):
        memory.undo(0)


def test_a_field_decided_since_stays(memory: Memory) -> None:
    """Undoing a revision leaves alone what was decided about the card since."""
    tell(memory, ch.CardAdded(card("a", "one")))
    seq = tell(memory, ch.CardRevised(card("a", "two", version=2)), verb="revise")
    tell(memory, ch.Pinned(ALICE, ("card-a",), True), verb="pin")
    memory.undo(seq=seq)
    traced = memory.trace("card-a")
    assert (traced.card.title, traced.state.pinned) == ("one", True)


def test_words_stay_in_the_archive(memory: Memory) -> None:
    """Undoing what was added drops its turns from recall; the words stay, and come back."""
    memory.add("die Katze heißt Mimi", session="s", distill=False)
    assert memory.recall("Katze Mimi", include_sessions=True).hits
    memory.undo()
    assert not memory.recall("Katze Mimi", include_sessions=True).hits
    assert memory.verify().differences == ()
    memory.add("die Katze heißt Mimi", session="s", distill=False)  # said again, it stands again
    assert memory.recall("Katze Mimi", include_sessions=True).hits


def test_undone_distilling_is_done_again(memory: Memory) -> None:
    """A session whose distilling was undone is new: distilled again, it has its cards again."""
    memory.add(
        [
            {"role": "user", "content": "Always use docker compose -p shop for this project."},
            {"role": "assistant", "content": "Noted: docker compose -p shop from now on."},
        ],
        session="s",
        distill=True,
    )
    cards = {c.id for c, _ in memory.parts.index.find_cards(everything())}
    assert cards
    while any(c.verb != "add" and not c.undoes and not c.undone_by for c in memory.changes()):
        memory.undo()
    assert {c.id for c, _ in memory.parts.index.find_cards(everything())} == set()
    memory.distill("s", rules=True)
    assert {c.id for c, _ in memory.parts.index.find_cards(everything())} == cards
    assert memory.verify().differences == ()


def test_believed_at(memory: Memory) -> None:
    """Recall, context and facts of a past time show what was held then, in its version."""
    tell(memory, ch.CardAdded(card("a", "网关端口", content="网关监听 8080")))
    tell(memory, ch.CardAdded(card("b")))
    tell(memory, ch.LinkAdded(link("a", "CAUSES", target="b", reason="old reason")))
    then = memory.parts.index.moment(3)[1]
    memory.revise("card-a", content="网关监听 18790")
    tell(memory, ch.LinkRetired(ALICE, link("a", "CAUSES", target="b").id, "wrong"))
    tell(memory, ch.Quarantined(ALICE, ("card-b",), True))
    was = memory.recall("网关监听", believed_at=then)
    assert was.hits[0].content == "网关监听 8080"
    assert memory.recall("网关监听").hits[0].content == "网关监听 18790"
    assert "8080" in memory.context("网关监听", believed_at=then).text
    assert "18790" not in memory.context("网关监听", believed_at=then).text
    walked = memory.recall(from_nodes=["card-a"], believed_at=then)
    assert [hit.id for hit in walked.hits] == ["card-b"]
    assert memory.recall(from_nodes=["card-a"]).hits == ()


@pytest.mark.parametrize("kind", get_args(ch.Change), ids=lambda cls: cls.__name__)
def test_every_change_is_covered(kind) -> None:
    """Of every kind of change it is known what it is about, or why it is not undone."""
    change = find(values(kind), lambda _: True)
    about = things_of(change)
    listed = {"cards", "ids", "tiers"} & set(vars(change))
    assert about or listed or kind in REFUSALS or kind is ch.Undone
    assert all(isinstance(thing, Thing) and thing.kind in ThingKind for thing in about)


def test_a_life_of_a_fact(memory: Memory) -> None:
    """When it held, when it was learnt, that it ended, when that was: all can be asked."""
    ada, york = (Entity(f"entity-{n}", ALICE, n, EntityKind.PERSON) for n in ("Ada", "York"))
    home = link("entity-Ada", "LIVES_IN", target="entity-York", fact="Ada lives in York")
    tell(memory, ch.EntityAdded(ada), ch.EntityAdded(york), ch.LinkAdded(home))
    told = memory.parts.index.moment(1)[1]
    end = START + timedelta(days=3)
    tell(memory, ch.FactRetired(ALICE, home.id, "moved", end), verb="distill")
    assert memory.facts() == []
    (past,) = memory.facts(as_of=START + timedelta(days=1))
    assert (past.link.invalid_at, past.link.retired_at is None) == (end, False)
    (then,) = memory.facts(as_of=START + timedelta(days=5), believed_at=told)
    assert (then.link.invalid_at, then.link.recorded_at) == (None, told)
    memory.undo()
    (again,) = memory.facts()
    assert again.link.invalid_at is None
    happened = [h.what for h in memory.history(home.id).happened]
    assert happened[:2] == ["LinkAdded", "FactRetired"]
    assert memory.history("Ada").thing.name == "entity-Ada"


def test_no_second_home_by_undoing(memory: Memory) -> None:
    """A home that was given up does not come back beside one that was told since; a pet does."""
    people = [Entity(f"entity-{n}", ALICE, n, EntityKind.PERSON) for n in ("阿信", "York", "Leeds")]
    york, leeds = (
        link("entity-阿信", "住在", target=f"entity-{n}", fact=f"阿信住在{n}", valid_at=day(at))
        for n, at in (("York", 2), ("Leeds", 1))
    )
    tell(memory, *(ch.EntityAdded(one) for one in people))
    tell(memory, ch.LinkAdded(york))
    gone = memory.undo().seq
    tell(memory, ch.LinkAdded(leeds))
    with pytest.raises(InvalidInput, match=r"#4 \(distill\).*--with-later"):
        memory.undo(seq=gone)
    assert [fact.link.id for fact in memory.facts()] == [leeds.id]
    report = memory.undo(seq=gone, with_later=True)
    assert [one.seq for one in report.undone] == [4, 3]
    assert [fact.link.id for fact in memory.facts()] == [york.id]
    first, second = (replace(one, relation="养了") for one in (york, leeds))
    tell(memory, ch.LinkAdded(first))
    gone = memory.undo().seq
    tell(memory, ch.LinkAdded(second))
    memory.undo(seq=gone)
    assert {first.id, second.id} <= {fact.link.id for fact in memory.facts()}


def test_undo_stops_at_what_cannot_be_undone(memory: Memory) -> None:
    """What a record that stays made of the same thing is not overwritten, not even when asked."""
    tell(memory, ch.CardAdded(card("a", "one")))
    both = ch.CardAdded(card("b", "his", scope=Scope("bob")))
    tell(memory, ch.Pinned(ALICE, ("card-a",), True), both)
    tell(memory, ch.CardRevised(revised(card("a"), title="two")))
    tell(memory, ch.CardRevised(replace(card("a", "three"), version=3)), both)
    for wish in ({}, {"seq": 3}, {"seq": 3, "with_later": True}):
        with pytest.raises(InvalidInput, match=r"#4 \(distill\), which cannot.*another user"):
            memory.undo(**wish)
    assert now(memory).title == "three"


def test_what_a_merge_moved_is_not_lost_sight_of(memory: Memory) -> None:
    """A fact that a merge made another entity's is taken back with the merge, or not at all."""
    people = [Entity(f"entity-{n}", ALICE, n, EntityKind.PERSON) for n in ("阿信", "陈信宏", "茶")]
    likes = link("entity-阿信", "喜欢", target="entity-茶", fact="阿信喜欢茶")
    tell(memory, *(ch.EntityAdded(one) for one in people))
    told = tell(memory, ch.LinkAdded(likes))
    merged = tell(memory, ch.EntityMerged(ALICE, "entity-陈信宏", ("entity-阿信",)), verb="merge")
    with pytest.raises(InvalidInput, match=rf"#{merged} \(merge\).*--with-later"):
        memory.undo(seq=told)
    report = memory.undo(seq=told, with_later=True)
    assert [one.seq for one in report.undone] == [merged, told]
    assert memory.facts() == []
    memory.undo(seq=report.seq)
    (again,) = memory.facts()
    assert again.link.source == "entity-陈信宏"
