"""The verb introspect and what a recall does to COLD cards, on the store that users have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from alaya import Memory
from alaya.errors import Busy, InvalidInput
from alaya.introspect.cooling import FADED
from alaya.introspect.embed_worker import only_worker
from alaya.model import change as ch
from alaya.model.graph import Card, CardKind, CardState, Horizon, Link, Tier
from alaya.model.introspection import Step
from alaya.model.passage import ItemKind, Where
from alaya.model.record import Position
from alaya.model.scope import Scope
from alaya.projection import commit
from alaya.verbs.introspecting import LOCK

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SETTINGS = {"embedding.provider": "hashing", "embedding.background": False}
COLDEST = {"temperature.hot_limit": 0, "temperature.warm_limit": 0}


class Minded:
    """A memory whose time is told, and what its journal holds."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.now = NOW
        self.memory = self.opened()

    def opened(self, **settings: object) -> Memory:
        opened = Memory.open(self.home, Scope("ann"), settings={**SETTINGS, **settings})
        return Memory(replace(opened.parts, clock=lambda: self.now), opened.scope)

    def write(self, *changes: ch.Change, user: str = "ann") -> None:
        parts = self.memory.parts
        commit(
            parts.archive,
            parts.index,
            decide=lambda: changes,
            actor=user,
            verb="test",
            clock=parts.clock,
        )

    def cards(self, *names: str, user: str = "ann", **fields: Any) -> None:
        self.write(*(ch.CardAdded(card(name, user=user, now=self.now, **fields)) for name in names))

    def changes(self, verb: str) -> list[Sequence[ch.Change]]:
        """What each record of this verb changed."""
        archive = self.memory.parts.archive
        return [record.changes for record in archive.records(Position()) if record.verb == verb]

    def state(self, name: str, user: str = "ann") -> tuple[Card, CardState]:
        where = Where(Scope(user), include_forgotten=True)
        (found,) = self.memory.parts.index.cards([f"card-{name}"], where)
        return found

    def embedded(self, *names: str) -> set[str]:
        """Those of these cards that have a vector."""
        parts, ids = self.memory.parts, [f"card-{name}" for name in names]
        assert parts.embedder is not None
        where = Where(Scope("ann"))
        return set(parts.index.vectors(parts.embedder.name, ids, kind=ItemKind.CARD, where=where))

    def tier(self, name: str, user: str = "ann") -> Tier:
        return self.state(name, user)[1].tier


def card(name: str, *, user: str = "ann", now: datetime = NOW, **fields: Any) -> Card:
    given: dict[str, Any] = {"importance": 0.6, "content": f"the {name} was painted", **fields}
    said = given.pop("said_at", now)
    return Card(
        id=f"card-{name}",
        scope=Scope(user),
        title=f"About {name}",
        kind=CardKind.CONCEPT,
        created_at=said,
        said_at=said,
        updated_at=said,
        **given,
    )


@pytest.fixture
def minded(tmp_path: Path) -> Iterator[Minded]:
    made = Minded(tmp_path / "home")
    yield made
    made.memory.close()


def days(minded: Minded, number: float) -> None:
    minded.now += timedelta(days=number)


def test_one_record_lists_what_changed(minded: Minded) -> None:
    """Cards that changed tier stand in one Cooled, others nowhere, and temperatures never do."""
    minded.cards("harbour", "lighthouse")
    days(minded, 20)
    minded.cards("ferry")
    report = minded.memory.introspect()
    assert minded.changes("cool") == [
        (ch.Cooled(Scope("ann"), (("card-lighthouse", Tier.WARM), ("card-harbour", Tier.WARM))),)
    ]
    cool = report.step(Step.COOL)
    assert cool is not None
    assert (cool.counts["hot"], cool.counts["warm"], cool.counts["downgraded"]) == (1, 2, 2)


def test_twice_is_once(minded: Minded) -> None:
    """A second introspection writes nothing, and neither does a dry run, which tells the same."""
    minded.cards("harbour", "lighthouse", importance=0.9)
    minded.cards("net", importance=0.2)
    days(minded, 60)
    tried = minded.memory.introspect(dry_run=True)
    assert minded.changes("cool") == []
    done = minded.memory.introspect()
    assert [s.counts for s in tried.steps] == [s.counts for s in done.steps]
    head = minded.memory.parts.archive.head()
    again = minded.memory.introspect()
    assert minded.memory.parts.archive.head() == head
    cool = again.step(Step.COOL)
    assert cool is not None
    assert not any(cool.counts[name] for name in ("upgraded", "archived", "promoted", "faded"))


def test_only_some_steps(minded: Minded) -> None:
    """Steps are named, in any order, as a list or with commas; an unknown one is a mistake."""
    for only in ("cool", ["cool"], "cool,", [Step.COOL]):
        assert [s.step for s in minded.memory.introspect(only=only).steps] == [Step.COOL]
    both = minded.memory.introspect(only="cool, distill").steps
    assert [s.step for s in both] == [Step.DISTILL, Step.COOL]
    with pytest.raises(InvalidInput, match="no step dream: known are distill"):
        minded.memory.introspect(only="cool,dream")


def test_one_at_a_time(minded: Minded) -> None:
    """While one introspects a home another says so, and leaves; a dry run disturbs nobody."""
    with only_worker(minded.home, LOCK) as alone:
        assert alone
        with pytest.raises(Busy, match=r"another process \(\d+\) introspects this memory"):
            minded.memory.introspect()
        minded.memory.introspect(dry_run=True)
    minded.memory.introspect()


def test_cold_and_back(minded: Minded) -> None:
    """A COLD card has no vector, words find it, and the recall brings tier and vector back."""
    minded.cards("harbour", "lighthouse")
    minded.memory.embed()
    days(minded, 60)
    minded.memory.introspect()
    assert minded.tier("harbour") is Tier.COLD
    assert minded.embedded("harbour", "lighthouse") == set()
    found = minded.memory.recall("harbour")
    assert [(hit.id, hit.tier) for hit in found.hits[:1]] == [("card-harbour", Tier.COLD)]
    minded.memory.flush()
    assert minded.changes("warm") == [(ch.Cooled(Scope("ann"), (("card-harbour", Tier.WARM),)),)]
    minded.memory.embed()
    assert minded.embedded("harbour", "lighthouse") == {"card-harbour"}
    minded.memory.introspect()
    assert minded.tier("harbour") is Tier.HOT  # recalled within a week
    assert minded.tier("lighthouse") is Tier.COLD


def test_counts_follow_from_the_log(minded: Minded) -> None:
    """Access counts and similarities are counted once, and are the same after a rebuild."""
    minded.cards("harbour")
    for _ in range(12):
        minded.memory.recall("harbour")
    days(minded, 90)
    minded.memory.introspect()
    before = minded.state("harbour")[1]
    assert (before.access_count, before.tier) == (12, Tier.HOT)
    minded.memory.rebuild()
    minded.memory.introspect()
    assert minded.state("harbour")[1] == before
    assert [type(one) for record in minded.changes("cool") for one in record] == [ch.Promoted]
    assert minded.memory.verify().differences == ()


def test_limits_are_of_each_user(minded: Minded) -> None:
    """hot_limit and warm_limit hold; whoever introspects minds only what is theirs."""
    minded.cards("harbour", "lighthouse", "ferry")
    minded.cards("harbour", user="bob")
    with minded.opened(**{**COLDEST, "temperature.warm_limit": 1}) as small:
        small.introspect()
    tiers = [minded.tier(name) for name in ("harbour", "lighthouse", "ferry")]
    assert sorted(tiers) == [Tier.COLD, Tier.COLD, Tier.WARM]
    assert minded.tier("harbour", "bob") is Tier.HOT


def test_short_term_becomes_long_term_or_fades(minded: Minded) -> None:
    """By importance or use a card is promoted; little important ones fade, unless needed."""
    minded.cards("harbour", importance=0.9)
    minded.cards("net", "rope", "knot", "sail", importance=0.2)
    depends = Link(Scope("ann"), "card-harbour", "DEPENDS_ON", "card-rope", NOW)
    caused = Link(Scope("ann"), "card-harbour", "CAUSED_BY", "card-knot", NOW)
    similar = Link(Scope("ann"), "card-harbour", "SIMILAR_TO", "card-sail", NOW)
    minded.write(*(ch.LinkAdded(one) for one in (depends, caused, similar)))
    days(minded, 31)
    minded.memory.introspect()
    (record,) = minded.changes("cool")
    assert record[1:] == (
        ch.Promoted(Scope("ann"), ("card-harbour",), Horizon.LONG),
        ch.Forgotten(Scope("ann"), ("card-sail", "card-net"), FADED),
    )
    assert minded.state("harbour")[0].horizon is Horizon.LONG
    hits = minded.memory.recall("the net was painted").hits
    assert "card-net" not in {hit.id for hit in hits}
    minded.write(ch.Restored(Scope("ann"), ("card-net",)))
    assert minded.state("net")[1].forgotten_at is None


def test_interrupted_it_goes_on(minded: Minded, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped between deciding and writing, nothing is written, and the next one does it all."""
    minded.cards("harbour")
    days(minded, 60)
    archive = minded.memory.parts.archive

    def stop() -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(archive, "lock", stop)
        with pytest.raises(KeyboardInterrupt):
            minded.memory.introspect()
    assert minded.tier("harbour") is Tier.HOT
    minded.memory.introspect()
    assert minded.tier("harbour") is Tier.COLD
