"""What every Store and GraphReader must do. A test module derives a class and names an adapter.

    class TestMine(StoreContract, CardContract, GraphContract):
        @pytest.fixture
        def make_index(self, tmp_path):
            return lambda read_turn: MyIndex(tmp_path, read_turn=read_turn)

The rest of the contract stands in graph_contract, edges_contract, words_contract,
items_contract, summaries_contract and vectors_contract.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from alaya.model import change as ch
from alaya.model.graph import CardKind, Horizon, Tier
from alaya.model.passage import Where
from alaya.model.raw import Origin
from alaya.model.record import Position, RecallLog
from alaya.model.scope import Scope
from alaya.testing.invented import (
    ALICE,
    BOB,
    START,
    MakeIndex,
    Told,
    card,
    day,
    everything,
    link,
    revised,
    session,
    span,
    turn,
)


class IndexContract:
    """Needs a fixture `make_index`: a function of `read_turn` that opens an empty index."""

    @pytest.fixture
    def told(self, make_index: MakeIndex) -> Iterator[Told]:
        told = Told(make_index)
        yield told
        told.index.close()


class StoreContract(IndexContract):
    """The write side: position, once only, all or nothing, emptied in place."""

    def test_new(self, told: Told) -> None:
        """A new store stands before the first record and holds nothing but core relations."""
        assert told.index.position() == Position()
        counts = told.index.counts(ALICE)
        assert (counts["cards"], counts["links"], counts["turns"], counts["sessions"]) == (0,) * 4
        assert "CAUSES" in {r.name for r in told.index.relations(ALICE) if r.is_core}

    def test_position(self, told: Told) -> None:
        """The store keeps the whole position of the last record it applied."""
        told.cards(card("a"))
        told.tell()
        assert told.index.position() == told.records[-1][0]

    def test_twice_is_once(self, told: Told) -> None:
        """A record that was applied, or is not the next one, is refused and changes nothing."""
        told.says(session(), turn("1", "hello"))
        told.cards(card("a"))
        before = list(told.index.fingerprint())
        for position, changes, at in told.records:
            assert told.index.apply(position, changes, at=at) is False
        later = Position(9, "9" * 64, "2026-03.jsonl", 900)
        assert told.index.apply(later, [ch.CardAdded(card("b"))], at=START) is False
        assert list(told.index.fingerprint()) == before
        assert told.index.position().seq == 2

    def test_all_or_nothing(self, told: Told) -> None:
        """A record that cannot be applied leaves no trace."""
        told.cards(card("a"))
        before = list(told.index.fingerprint())

        def torn() -> Iterator[ch.Change]:
            yield ch.CardAdded(card("b"))
            raise KeyError("the archive went away")

        with pytest.raises(KeyError):
            told.index.apply(Position(2, "2" * 64, "2026-03.jsonl", 200), torn(), at=START)
        assert list(told.index.fingerprint()) == before
        assert told.index.position().seq == 1
        told.cards(card("c"))
        assert told.seen() == ["c", "a"]

    def test_reset(self, told: Told) -> None:
        """Emptied and told again, a store is what it was; `reset` is one transaction."""
        told.says(session(), turn("1", "hello"))
        told.cards(card("a", evidence=(span("s", "1"),)), card("b"))
        told.links(link("a", "DEPENDS_ON", target="b"))
        before = sorted(told.index.fingerprint())
        with told.index.reset():
            assert told.index.position() == Position()
            assert told.index.counts(ALICE)["cards"] == 0
            told.replay(told.index)
        assert sorted(told.index.fingerprint()) == before
        with pytest.raises(ZeroDivisionError), told.index.reset():
            raise ZeroDivisionError
        assert sorted(told.index.fingerprint()) == before
        assert told.index.position().seq == 3

    def test_fingerprint(self, told: Told, make_index: MakeIndex) -> None:
        """Every row has a name of its own, and another content gives another fingerprint."""
        told.cards(card("a", tags=("x",), evidence=(span("s", "1"),)))
        told.tell(ch.CardRevised(revised(card("a", tags=("x",), evidence=(span("s", "1"),)))))
        told.tell(ch.CardAdded(card("a", scope=BOB, tags=("x",), evidence=(span("s", "1"),))))
        found = list(told.index.fingerprint())
        assert len({(layer, name) for layer, name, _ in found}) == len(found)
        told.tell(ch.Pinned(ALICE, ("card-a",), True))
        assert set(told.index.fingerprint()) != set(found)

    def test_recalls_are_counted_once(self, told: Told) -> None:
        """Accesses add up, similarities become a running mean, and a mark moves with them."""
        told.cards(card("a"), card("a", scope=BOB))
        start, end = told.index.recalls_counted(), Position(file="2026-03.jsonl", offset=120)

        def recall(at: float, score: float | None) -> RecallLog:
            return RecallLog(day(at), "alice", {}, (("card-a", score),), {}, 1.0, (), False, False)

        logs = [recall(2, 0.5), recall(1, 1.0)]
        assert told.index.count_recalls(start, end, recalls=logs) is True
        assert told.index.count_recalls(start, end, recalls=logs) is False
        assert told.index.recalls_counted() == end
        _, state = told.one("a")
        assert (state.access_count, state.last_access) == (2, day(2))
        assert state.relevance == pytest.approx(0.6)
        assert told.one("a", everything(BOB))[1].access_count == 0

    def test_standing(self, told: Told) -> None:
        """What ranks cards is theirs, of those that pass the filter."""
        told.cards(card("a", importance=0.9, said_at=day(1)), card("b"), card("c"), card("d"))
        told.cards(card("e", scope=BOB))
        told.tell(
            ch.MarkedStale(ALICE, ("card-b",), True, ""), ch.Forgotten(ALICE, ("card-c",), "")
        )
        log = RecallLog(day(2), "alice", {}, (("card-b", 0.5),), {}, 1.0, (), False, False)
        told.index.count_recalls(
            told.index.recalls_counted(), Position(file="2026-03.jsonl", offset=1), recalls=[log]
        )
        ids = [f"card-{n}" for n in "abcdefa"]
        assert told.index.standing(ids, Where(ALICE)) == {
            "card-a": (day(1), 0.9, 0, False),
            "card-b": (START, 0.5, 1, True),
            "card-d": (START, 0.5, 0, False),
        }
        assert told.index.standing([], Where(ALICE)) == {}

    def test_recalls_without_words(self, told: Told) -> None:
        """Who followed links to a card used it, and compared it with nothing."""
        told.cards(card("a"))
        mark = told.index.recalls_counted()
        seen = []
        for n, score in enumerate((None, 0.5, None, 1.0), 1):
            log = RecallLog(day(n), "alice", {}, (("card-a", score),), {}, 1.0, (), False, False)
            after, mark = mark, Position(file="2026-03.jsonl", offset=n)
            assert told.index.count_recalls(after, mark, recalls=[log])
            _, state = told.one("a")
            seen.append((state.access_count, state.relevance))
        assert seen == [(1, None), (2, 0.5), (3, 0.5), (4, pytest.approx(0.6))]


class CardContract(IndexContract):
    """Cards, their versions, flags and filters."""

    def test_order(self, told: Told) -> None:
        """By id in the order asked, each once; else newest said first, as many as wanted."""
        told.cards(*(card(n, said_at=day(i)) for i, n in enumerate("abc")))
        ids = ["card-c", "card-nothing", "card-a", "card-c"]
        assert [c.id for c, _ in told.index.cards(ids, Where(ALICE))] == ["card-c", "card-a"]
        assert told.seen() == ["c", "b", "a"]
        assert [c.id for c, _ in told.index.find_cards(Where(ALICE), 1)] == ["card-c"]

    def test_whole(self, told: Told) -> None:
        """A card comes back as it was given, whatever characters it holds."""
        given = card(
            "a",
            "引号\"'; DROP TABLE cards;-- \u2028😀",
            content="C++ \\ %s {x} \u0000-free\n\ttab",
            tags=("标签", "Ünï"),
            evidence=(span("s", "1", words="词"), span("s", "1", words="词", start=4)),
            source_events=("e1",),
            derived_from=("card-b",),
            importance=0.1 + 0.2,
            metadata={"未知": [1, None, {"a": 1.5}]},
            horizon=Horizon.LONG,
            origin=Origin.UNTRUSTED,
        )
        told.cards(given)
        assert told.one("a")[0] == given

    def test_strange_ids(self, told: Told) -> None:
        """An id that nothing could have finds nothing."""
        told.cards(card("a"))
        ids = [
            "",
            "\udcff",
            "card-a\x00",
            "card-%",
            "' OR 1=1 --",
            *(f"card-{i}" for i in range(2000)),
        ]
        assert told.index.cards(ids, Where(ALICE)) == []
        assert told.index.session(ALICE, "\udcff") is None

    def test_revised(self, told: Told) -> None:
        """A new version replaces the old one now; the old one is what was believed before."""
        first = card("a", "old", tags=("x",))
        told.cards(first)
        at = told.tell(ch.CardRevised(revised(first, title="new", tags=("y",))))
        assert told.one("a")[0].title == "new"
        assert told.seen(Where(ALICE, tags=("x",))) == []
        before = Where(ALICE, believed_at=at - timedelta(seconds=1))
        old, state = told.one("a", before)
        assert (old.title, state.retired_at) == ("old", None)
        assert told.one("a", Where(ALICE, believed_at=at))[0].title == "new"
        assert told.seen(Where(ALICE, believed_at=START)) == []

    def test_old_version_again(self, told: Told) -> None:
        """A version that is known, or older than the known one, changes nothing."""
        first = card("a", "one")
        told.cards(first)
        told.tell(ch.CardRevised(revised(first, title="two")))
        told.tell(ch.CardAdded(replace(first, title="other")))
        told.tell(ch.CardRevised(revised(first, title="other")))
        assert told.one("a")[0].title == "two"
        assert told.index.counts(ALICE)["cards"] == 1

    def test_decisions_outlive_versions(self, told: Told) -> None:
        """Pinned, quarantined, forgotten and cooled stay so in a new version; stale does not."""
        told.cards(card("a"))
        ids = ("card-a",)
        told.tell(ch.Pinned(ALICE, ids, True), ch.Quarantined(ALICE, ids, True))
        told.tell(ch.MarkedStale(ALICE, ids, True), ch.Forgotten(ALICE, ids, "old"))
        told.tell(ch.Cooled(ALICE, (("card-a", Tier.COLD),)))
        told.tell(ch.CardRevised(revised(card("a"))))
        _, state = told.one("a")
        assert (state.pinned, state.quarantined, state.stale) == (True, True, False)
        assert (state.tier, state.forgotten_at is None) == (Tier.COLD, False)
        assert told.seen() == []

    def test_forgotten_and_restored(self, told: Told) -> None:
        """Forgotten is out of sight, was in sight before, and comes back when restored."""
        told.cards(card("a"), card("b"))
        at = told.tell(ch.Forgotten(ALICE, ("card-a",), "unused"))
        told.tell(ch.Forgotten(ALICE, ("card-a",), "again"))
        assert told.seen() == ["b"]
        assert told.one("a")[1].forgotten_at == at
        assert set(told.seen(Where(ALICE, believed_at=at - timedelta(seconds=1)))) == {"a", "b"}
        assert told.seen(Where(ALICE, believed_at=at)) == ["b"]
        told.tell(ch.Restored(ALICE, ("card-a",)))
        assert set(told.seen()) == {"a", "b"}

    def test_flags(self, told: Told) -> None:
        """Each flag is set, seen, filtered by, and taken back."""
        told.cards(card("a"), card("b"))
        ids = ("card-a", "card-nothing")
        told.tell(ch.Quarantined(ALICE, ids, True))
        assert told.seen() == ["b"]
        told.tell(ch.Quarantined(ALICE, ids, False), ch.MarkedStale(ALICE, ids, True))
        assert told.seen(Where(ALICE, include_stale=False)) == ["b"]
        assert set(told.seen()) == {"a", "b"}
        assert told.one("a")[1].stale
        told.tell(ch.MarkedStale(ALICE, ids, False), ch.Pinned(ALICE, ids, True))
        assert told.one("a")[1].pinned
        told.tell(ch.Pinned(ALICE, ids, False), ch.Promoted(ALICE, ids, Horizon.LONG))
        found, state = told.one("a")
        assert (found.horizon, state.pinned, state.stale) == (Horizon.LONG, False, False)
        told.tell(ch.Promoted(ALICE, ids, Horizon.SHORT))
        assert told.one("a")[0] == card("a")

    def test_cooled(self, told: Told) -> None:
        """Cards start HOT; each of one introspection's tiers is set, counted and filtered by."""
        told.cards(card("a"), card("b"), card("c"))
        told.tell(ch.Cooled(ALICE, (("card-a", Tier.WARM), ("card-b", Tier.COLD))))
        assert told.seen(Where(ALICE, tiers=(Tier.COLD,))) == ["b"]
        assert set(told.seen(Where(ALICE, tiers=(Tier.HOT, Tier.WARM)))) == {"a", "c"}
        counts = told.index.counts(ALICE)
        assert [counts[f"tiers.{t}"] for t in Tier] == [1, 1, 1]

    def test_merged(self, told: Told) -> None:
        """Merged cards are retired in favour of one that takes over their links."""
        told.cards(*(card(n) for n in "abxy"))
        told.links(
            link("a", "DEPENDS_ON", target="x"),
            link("y", "CAUSES", target="b"),
            link("a", "CAUSES", target="b"),
            link("b", "SIMILAR_TO", target="x"),
        )
        at = told.tell(ch.CardMerged(card("m"), ("card-a", "card-b"), "same"))
        assert set(told.seen()) == {"m", "x", "y"}
        found = {(e.source, e.relation, e.target) for e in told.index.all_links(Where(ALICE))}
        assert found == {
            ("card-m", "DEPENDS_ON", "card-x"),
            ("card-y", "CAUSES", "card-m"),
            ("card-m", "SIMILAR_TO", "card-x"),
        }
        before = Where(ALICE, believed_at=at - timedelta(seconds=1))
        assert len(list(told.index.all_links(before))) == 4
        assert set(told.seen(before)) == {"a", "b", "x", "y"}

    def test_merged_link_can_be_retired(self, told: Told) -> None:
        """A link that was taken over is known by the id that it has now."""
        told.cards(card("a"), card("z"))
        told.links(link("a", "SIMILAR_TO", target="z"))
        told.tell(ch.CardMerged(card("zz"), ("card-a",)))
        (moved,) = told.index.all_links(Where(ALICE))
        assert (moved.source, moved.target) == ("card-z", "card-zz")
        told.tell(ch.LinkRetired(ALICE, moved.id))
        assert list(told.index.all_links(Where(ALICE))) == []

    def test_merged_into_known_link(self, told: Told) -> None:
        """An edge that would be there twice is there once, as it stood."""
        told.cards(card("a"), card("b"), card("x"))
        told.links(
            link("a", "CAUSES", target="x", weight=0.9, reason="a"),
            link("b", "CAUSES", target="x", weight=0.2, reason="b"),
        )
        told.tell(ch.CardMerged(revised(card("b")), ("card-a",)))
        (kept,) = told.index.all_links(Where(ALICE))
        assert (kept.source, kept.weight, kept.reason) == ("card-b", 0.2, "b")

    def test_erased(self, told: Told) -> None:
        """Every version, with its words, links and accesses, is gone for good."""
        first = card("a", "secret plan", tags=("t",), evidence=(span("s", "1"),))
        told.cards(card("b"))
        before = sorted(told.index.fingerprint())
        told.cards(first)
        told.tell(ch.CardRevised(revised(first, title="secret draft")))
        told.links(link("a", "DEPENDS_ON", target="b"))
        told.tell(ch.Erased(ALICE, ("card-a",), (2, 3, 4)))
        assert told.one("a") is None
        assert told.one("a", everything(believed_at=day(2))) is None
        left = {name for _, name, _ in told.index.fingerprint()}
        assert [name for name in left if "card-a" in name or "secret" in name] == []
        assert {name for _, name, _ in before} <= left
        assert told.index.cards_of_turns(everything(), [("s", "1")]) == {}

    def test_filters(self, told: Told) -> None:
        """Each field of a filter narrows by itself, and all together."""
        told.cards(
            card("a", kind=CardKind.GOTCHA, tags=("Docker", "网络"), said_at=day(1)),
            card("b", origin=Origin.TOOL, confidence=0.9, said_at=day(2)),
            card("c", tags=("docker",), said_at=day(3)),
        )
        for fields, expected in (
            ({"kinds": (CardKind.GOTCHA,)}, "a"),
            ({"kinds": (CardKind.GOTCHA, CardKind.CONCEPT)}, "cba"),
            ({"tags": ("DOCKER",)}, "ca"),
            ({"tags": ("docker", "网络")}, "a"),
            ({"since": day(2)}, "cb"),
            ({"until": day(2)}, "a"),
            ({"since": day(2), "until": day(3)}, "b"),
            ({"as_of": day(2)}, "ba"),
            ({"origins": (Origin.TOOL,)}, "b"),
            ({"min_confidence": 0.9}, "b"),
            ({"tags": ("docker",), "since": day(2), "tiers": (Tier.HOT,)}, "c"),
            ({"tiers": (Tier.COLD,)}, ""),
        ):
            where = Where(ALICE, **fields)
            assert told.seen(where) == list(expected), fields
            ids = [f"card-{n}" for n in "abc"]
            assert {c.id[-1] for c, _ in told.index.cards(ids, where)} == set(expected), fields

    def test_agent_and_session_narrow(self, told: Told) -> None:
        """Agent and session narrow only when given."""
        told.cards(
            card("a", scope=Scope("alice", "coder", "s1")),
            card("b", scope=Scope("alice", "coder", "s2")),
            card("c"),
        )
        assert set(told.seen(Where(Scope("alice", "coder")))) == {"a", "b"}
        assert told.seen(Where(Scope("alice", session="s1"))) == ["a"]
        assert told.index.counts(Scope("alice", "coder"))["cards"] == 2
