"""What every GraphReader must do with links, sessions, turns and entities, and the scope's wall."""

from __future__ import annotations

from datetime import timedelta

import pytest

from alaya.errors import Unsupported
from alaya.model import change as ch
from alaya.model.graph import CardKind, Entity, EntityKind, Relation, Summary
from alaya.model.note import Note, NoteKind
from alaya.model.passage import ItemKind, Where
from alaya.model.raw import Event, EventKind, Origin, TurnMark
from alaya.model.scope import Scope
from alaya.testing.index_contract import IndexContract
from alaya.testing.invented import (
    ALICE,
    BOB,
    START,
    Told,
    card,
    day,
    everything,
    link,
    session,
    span,
    turn,
)


def entity(name: str, *aliases: str, scope: Scope = ALICE) -> Entity:
    return Entity(f"entity-{name}", scope, name, EntityKind.TOOL, aliases)


def summary(name: str, scope: Scope = ALICE, **fields: object) -> Summary:
    given = {"said_at": START, "origin": Origin.AGENT, **fields}
    return Summary(name, scope, "s", "topic", "content", "1", "2", **given)  # type: ignore[arg-type]


class ScopeContract(IndexContract):
    """The user is a wall on every read, also by id, and on every write."""

    def test_two_users_of_one_name(self, told: Told) -> None:
        """Two users with the same session, turn, card and entity ids each have their own."""
        for scope, word in ((ALICE, "apple"), (BOB, "banana")):
            told.says(session("s", scope, title=word), turn("1", f"{word} cake"))
            told.cards(card("a", word, scope=scope, evidence=(span("s", "1"),)))
            told.tell(
                ch.EntityAdded(entity("e", word, scope=scope)),
                ch.SummaryAdded(summary("m", scope, said_at=day(scope is BOB))),
                ch.LinkAdded(link("a", "EXTRACTED_FROM", target="session:s", scope=scope)),
                ch.SessionDistilled(scope, "s", "d", "rules", 1, "hash", 1),
                ch.NoteChanged(Note(scope, "soul/me.md", NoteKind.SOUL, word, word, "", START)),
            )
        for scope, word in ((ALICE, "apple"), (BOB, "banana")):
            index, where = told.index, Where(scope)
            assert [c.title for c, _ in index.find_cards(where)] == [word]
            assert [c.title for c, _ in index.cards(["card-a"], where)] == [word]
            assert [s.session.title for s in index.sessions(scope)] == [word]
            state = index.session(scope, "s")
            assert state is not None
            assert (state.session.title, state.turns, state.distilled) == (word, 1, 1)
            assert len(index.turns(scope, "s")) == 1
            assert [e.aliases for e in index.entities(where)] == [(word,)]
            assert index.entities(where, [word])
            assert len(index.summaries(where)) == 1
            assert [e.scope.user for e in index.all_links(where)] == [scope.user]
            assert index.cards_of_turns(where, [("s", "1")]) == {("s", "1"): ["card-a"]}
            assert [s.id for s in index.match(word, ItemKind.CARD, where=where, limit=9)] == [
                "card-a"
            ]
            assert [s.id for s in index.match(word, ItemKind.TURN, where=where, limit=9)] == ["s#1"]
            counts = index.counts(scope)
            assert [counts[k] for k in ("cards", "links", "turns", "sessions", "notes")] == [1] * 5

    def test_nothing_through_the_wall(self, told: Told) -> None:
        """What is another's is not there: not by id, by word, by turn, by edge or by name."""
        told.says(session(), turn("1", "a secret"))
        told.cards(card("a", "secret", evidence=(span("s", "1"),)), card("b"))
        told.links(link("a", "DEPENDS_ON", target="b"), link("a", "私密关系", target="b"))
        told.tell(ch.EntityAdded(entity("e", "secret")), ch.SummaryAdded(summary("m")))
        index, where = told.index, everything(BOB)
        assert index.cards(["card-a"], where) == []
        assert list(index.find_cards(where)) == []
        assert index.links(["card-a", "card-b"], where) == []
        assert list(index.all_links(where)) == []
        assert list(index.sessions(BOB)) == []
        assert index.session(BOB, "s") is None
        assert index.turns(BOB, "s") == []
        assert index.turns(BOB, "s", ids=["1"]) == []
        assert index.cards_of_turns(where, [("s", "1")]) == {}
        assert index.entities(where, ["secret"]) == []
        assert index.summaries(where, "s") == []
        assert index.match("secret", ItemKind.CARD, where=where, limit=9) == []
        assert index.match("secret", ItemKind.TURN, where=where, limit=9) == []
        assert "私密关系" not in {r.name for r in index.relations(BOB)}
        assert sum(r.frequency for r in index.relations(BOB)) == 0
        assert {n for k, n in index.counts(BOB).items() if k != "relations"} == {0}

    def test_writes_stay_inside(self, told: Told) -> None:
        """A change in one user's scope alters nothing of another's, whatever ids it names."""
        told.says(session(), turn("1", "hello"))
        told.cards(card("a"), card("b"))
        told.links(link("a", "DEPENDS_ON", target="b"))
        told.tell(ch.EntityAdded(entity("e")), ch.EntityAdded(entity("f")))
        ((kept),) = told.index.all_links(Where(ALICE))
        before = sorted(told.index.fingerprint())
        ids = ("card-a", "card-b")
        told.tell(
            ch.Forgotten(BOB, ids, ""),
            ch.Pinned(BOB, ids, True),
            ch.Quarantined(BOB, ids, True),
            ch.MarkedStale(BOB, ids, True),
            ch.LinkRetired(BOB, kept.id),
            ch.TurnsMarked(BOB, "s", ("1",), TurnMark.SIDE),
            ch.SessionDistilled(BOB, "s", "d", "rules", 1, "h", 0),
            ch.EntityMerged(BOB, "entity-e", ("entity-f",)),
            ch.Erased(BOB, ids, ()),
        )
        after = sorted(told.index.fingerprint())
        assert [row for row in after if "bob" not in row[1]] == before
        assert set(told.seen()) == {"a", "b"}
        assert len(list(told.index.all_links(Where(ALICE)))) == 1
        assert len(told.index.entities(Where(ALICE))) == 2
        told.tell(ch.CardMerged(card("a", scope=BOB), ids))
        told.tell(ch.CardRevised(card("b", scope=BOB, version=7)))
        assert set(told.seen()) == {"a", "b"}
        assert len(told.index.match("title", ItemKind.CARD, where=Where(ALICE), limit=9)) == 2


class GraphContract(IndexContract):
    """Links with both ends seen, sessions, turns, entities, relations."""

    def test_link(self, told: Told) -> None:
        """A link comes back whole, from either end, once."""
        told.cards(card("a"), card("b"))
        given = link(
            "a", "DEPENDS_ON", target="b", weight=0.7, reason="因为", fact="f", metadata={"k": 1}
        )
        at = told.tell(ch.LinkAdded(given), ch.LinkAdded(given))
        for nodes in (["card-a"], ["card-b"], ["card-a", "card-b", "card-a"]):
            (found,) = told.index.links(nodes, Where(ALICE))
            assert (found.source, found.target, found.weight) == ("card-a", "card-b", 0.7)
            assert (found.reason, found.fact, found.metadata) == ("因为", "f", {"k": 1})
            assert (found.recorded_at, found.retired_at, found.id) == (at, None, given.id)

    def test_one_form(self, told: Told) -> None:
        """CAUSED_BY is CAUSES the other way round; a symmetric link said both ways is one."""
        told.cards(card("a"), card("b"))
        told.links(
            link("a", "CAUSED_BY", target="b"),
            link("b", "CAUSES", target="a"),
            link("b", "SIMILAR_TO", target="a"),
            link("a", "SIMILAR_TO", target="b"),
        )
        found = {(e.source, e.relation, e.target) for e in told.index.all_links(Where(ALICE))}
        assert found == {("card-b", "CAUSES", "card-a"), ("card-a", "SIMILAR_TO", "card-b")}

    def test_both_ends(self, told: Told) -> None:
        """An edge to, or from, what the filter hides is not returned; a loop is once."""
        told.cards(card("a"), card("b", tags=("t",)), card("c"), card("d", said_at=day(9)))
        told.links(
            *(link("a", "DEPENDS_ON", target=n) for n in "bcd"), link("a", "OWN", target="a")
        )
        told.links(link("a", "DEPENDS_ON", target="nothing"))
        assert len(told.index.links(["card-a"], Where(ALICE))) == 4
        told.tell(ch.Forgotten(ALICE, ("card-c",), ""))
        reached = {e.target for e in told.index.links(["card-a"], Where(ALICE))}
        assert reached == {"card-a", "card-b", "card-d"}
        assert {e.target for e in told.index.all_links(Where(ALICE))} == reached
        early = Where(ALICE, until=day(5))
        assert {e.target for e in told.index.links(["card-a"], early)} == {"card-a", "card-b"}
        assert told.index.links(["card-c"], Where(ALICE)) == []
        assert told.index.links(["card-a"], Where(ALICE, tags=("t",))) == []

    def test_heaviest_that_pass(self, told: Told) -> None:
        """Per node, the heaviest edges of those that pass, however many heavier ones are hidden."""
        names = [f"n{i:02}" for i in range(40)]
        told.cards(card("a"), *(card(n) for n in names))
        told.links(
            *(
                link(
                    *(("a", "R") if i % 2 else (n, "R")),
                    target=n if i % 2 else "a",
                    weight=1 - i / 100,
                )
                for i, n in enumerate(names)
            )
        )
        hidden = tuple(f"card-{n}" for n in names[:30])
        told.tell(ch.Forgotten(ALICE, hidden, ""))
        found = told.index.links(["card-a"], Where(ALICE), relations=(), limit_per_node=4)
        assert [e.weight for e in found] == pytest.approx([0.7, 0.69, 0.68, 0.67])
        assert (
            len(told.index.links(["card-a"], Where(ALICE), relations=("S",), limit_per_node=4)) == 0
        )
        assert len(told.index.links(["card-a"], Where(ALICE), relations=("S", "R"))) == 10

    def test_world_and_belief(self, told: Told) -> None:
        """Two time axes: what was valid then, and what was believed then."""
        told.cards(card("a"), card("b"))
        given = link("a", "DEPENDS_ON", target="b", valid_at=day(2), invalid_at=day(4))
        recorded = told.tell(ch.LinkAdded(given), at=day(10))

        def count(**fields: object) -> int:
            return len(told.index.links(["card-a"], Where(ALICE, **fields)))  # type: ignore[arg-type]

        assert [count(as_of=day(n)) for n in (1, 2, 3, 4)] == [0, 1, 1, 0]
        told.tell(ch.LinkRetired(ALICE, given.id, "wrong"), at=day(20))
        assert count() == 0
        assert [count(believed_at=day(n)) for n in (9, 10, 19, 20)] == [0, 1, 1, 0]
        told.tell(ch.LinkRetired(ALICE, given.id, "again"), at=day(30))
        (found,) = told.index.links(["card-a"], Where(ALICE, believed_at=day(15)))
        assert (found.recorded_at, found.retired_at) == (recorded, None)

    def test_fact_retired(self, told: Told) -> None:
        """A fact whose world changed is no longer believed; before that nobody knew of its end."""
        told.tell(ch.EntityAdded(entity("x")), ch.EntityAdded(entity("y")))
        given = link("entity-x", "WORKS_AT", target="entity-y", fact="x works at y")
        told.links(given)
        assert len(told.index.links(["entity-y"], Where(ALICE))) == 1
        at = told.tell(ch.FactRetired(ALICE, given.id, "left", day(1)))
        assert told.index.links(["entity-y"], Where(ALICE)) == []
        then = Where(ALICE, believed_at=at - timedelta(seconds=1))
        (found,) = told.index.links(["entity-y"], then)
        assert found.invalid_at is None
        (found,) = told.index.links(["entity-y"], Where(ALICE, include_ended=True))
        assert found.invalid_at == day(1)

    def test_said_again_after_retiring(self, told: Told) -> None:
        """A link that is said again is believed again, with its newest weight and reason."""
        told.cards(card("a"), card("b"))
        given = link("a", "DEPENDS_ON", target="b", weight=0.2)
        told.links(given)
        told.tell(ch.LinkRetired(ALICE, given.id))
        told.links(link("a", "DEPENDS_ON", target="b", weight=0.9, reason="still"))
        (found,) = told.index.links(["card-a"], Where(ALICE))
        assert (found.weight, found.reason, found.retired_at) == (0.9, "still", None)

    def test_relations(self, told: Told) -> None:
        """Core relations always, free ones while used, aliases ever after; a revised one is
        the revised."""
        told.cards(card("a"), card("b"))
        told.links(link("a", "受启发于", target="b"), link("a", "DEPENDS_ON", target="b"))
        told.tell(ch.RelationAdded(Relation("UNUSED")))
        found = {r.name: r for r in told.index.relations(ALICE)}
        assert (found["受启发于"].frequency, found["DEPENDS_ON"].frequency) == (1, 1)
        assert "UNUSED" not in found
        told.tell(ch.RelationAdded(Relation("受启发于", definition="ignored: it is known")))
        told.tell(ch.RelationRevised(Relation("受启发于", alias_of="DERIVED_FROM")))
        found = {r.name: r for r in told.index.relations(ALICE)}
        assert (found["受启发于"].alias_of, found["受启发于"].definition) == ("DERIVED_FROM", "")
        told.links(link("a", "READS", target="b"))
        for name in ("受启发于", "READS"):
            told.tell(ch.LinkRetired(ALICE, link("a", name, target="b").id))
        found = {r.name: r for r in told.index.relations(ALICE)}
        assert "READS" not in found
        assert (found["受启发于"].alias_of, found["受启发于"].frequency) == ("DERIVED_FROM", 0)

    def test_sessions_grow(self, told: Told) -> None:
        """A session counts its turns and tokens, over generations, and keeps its newest header."""
        told.says(session(title="one"), turn("1", "a", said_at=day(2)), turn("2", "b"))
        told.says(session(title="two"), turn("3", "c", said_at=day(1)), generation=1)
        told.says(session("t", started_at=day(-1)))
        state = told.index.session(ALICE, "s")
        assert state is not None
        assert (state.session.title, state.turns, state.tokens) == ("two", 3, 30)
        assert (state.generation, state.last_said_at, state.distilled) == (1, day(2), 0)
        assert [s.session.id for s in told.index.sessions(ALICE)] == ["t", "s"]
        empty = told.index.session(ALICE, "t")
        assert empty is not None
        assert (empty.turns, empty.last_said_at) == (0, None)

    def test_turns(self, told: Told) -> None:
        """Turns stand in order with their places; an id that is known is not taken again."""
        told.says(session(), turn("b", "1", said_at=day(1)), turn("a#x", "2", parent="b"))
        told.tell(ch.TurnsMarked(ALICE, "s", ("b", "nothing"), TurnMark.SUPERSEDED))
        places = told.index.turns(ALICE, "s")
        assert [(p.id, p.ordinal, p.said_at) for p in places] == [
            ("b", 0, day(1)),
            ("a#x", 1, START),
        ]
        assert [p.mark for p in places] == [TurnMark.SUPERSEDED, TurnMark.ACTIVE]
        assert [p.id for p in told.index.turns(ALICE, "s", ids=["a#x", "c", "a#x"])] == ["a#x"]
        assert told.index.turns(ALICE, "s", ids=[]) == []
        assert told.index.counts(ALICE)["turns"] == 1
        told.tell(ch.TurnsMarked(ALICE, "s", ("b",), TurnMark.ACTIVE))
        assert told.index.counts(ALICE)["turns"] == 2

    def test_agent_of_a_session(self, told: Told) -> None:
        """A session whose agent became known is that agent's with all its turns."""
        told.says(session(), turn("1", "hello"))
        told.says(session(scope=Scope("alice", "coder")), turn("2", "there"))
        coder = Scope("alice", "coder")
        assert [s.turns for s in told.index.sessions(coder)] == [2]
        assert [p.id for p in told.index.turns(coder, "s")] == ["1", "2"]
        assert list(told.index.sessions(Scope("alice", "writer"))) == []
        assert told.index.counts(Scope("alice", "writer"))["sessions"] == 0
        assert [s.turns for s in told.index.sessions(Scope("alice", session="s"))] == [2]
        assert told.index.counts(Scope("alice", session="t"))["turns"] == 0

    def test_distilled(self, told: Told) -> None:
        """How far a session was distilled never goes back; the first of a content is known."""
        told.says(session(), turn("1", "a"), turn("2", "b"))
        told.says(session("t"), turn("1", "a"))
        told.tell(ch.SessionDistilled(ALICE, "s", "d", "rules", 2, "hash", 1))
        told.tell(ch.SessionDistilled(ALICE, "s", "d", "rules", 1, "hash-1", 0))
        told.tell(ch.SessionDistilled(ALICE, "t", "d", "rules", 1, "hash", 0))
        state = told.index.session(ALICE, "s")
        assert state is not None
        assert state.distilled == 2
        assert told.index.distilled(ALICE, "hash") == "s"
        assert told.index.distilled(ALICE, "other") is None
        assert told.index.distilled(BOB, "hash") is None

    def test_cards_of_turns(self, told: Told) -> None:
        """Which current, visible cards cite a turn."""
        told.cards(card("a", evidence=(span("s", "1"), span("s", "1", start=9), span("s", "2"))))
        told.cards(card("b", evidence=(span("s", "1"),)), card("c", evidence=(span("t", "1"),)))
        told.tell(ch.Forgotten(ALICE, ("card-b",), ""))
        asked = [("s", "1"), ("s", "2"), ("s", "3"), ("s", "1")]
        expected = {("s", "1"): ["card-a"], ("s", "2"): ["card-a"]}
        assert told.index.cards_of_turns(Where(ALICE), asked) == expected
        all_of = told.index.cards_of_turns(everything(), [("s", "1")])
        assert sorted(all_of["s", "1"]) == ["card-a", "card-b"]

    def test_entities(self, told: Told) -> None:
        """Entities are found by any name they ever had, in any case and spacing."""
        told.tell(ch.EntityAdded(entity("Zürich", "苏黎世", "Turicum")))
        told.tell(ch.EntityRevised(entity("Zürich", "Züri")))
        for name in ("zürich", " ZÜRICH ", "苏黎世", "züri"):
            assert [e.name for e in told.index.entities(Where(ALICE), [name])] == ["Zürich"], name
        assert told.index.entities(Where(ALICE), ["Bern"]) == []
        (found,) = told.index.entities(Where(ALICE))
        assert found.aliases == ("Züri",)

    def test_entities_merged(self, told: Told) -> None:
        """A merged entity is no more; its names and links lead to the other."""
        told.tell(*(ch.EntityAdded(entity(n)) for n in ("x", "y", "z")))
        told.links(
            link("entity-x", "KNOWS", target="entity-z"),
            link("entity-x", "KNOWS", target="entity-y"),
        )
        told.tell(ch.EntityMerged(ALICE, "entity-y", ("entity-x", "entity-y")))
        assert [e.id for e in told.index.entities(Where(ALICE), ["x"])] == ["entity-y"]
        (kept,) = told.index.all_links(Where(ALICE))
        assert (kept.source, kept.target) == ("entity-y", "entity-z")
        assert told.index.counts(ALICE)["entities"] == 2

    def test_entities_have_no_more(self, told: Told) -> None:
        """A filter by what entities do not have is refused, never ignored."""
        for where in (
            Where(ALICE, kinds=(CardKind.GOTCHA,)),
            Where(ALICE, tags=("t",)),
            Where(ALICE, min_confidence=0.1),
            Where(ALICE, since=START),
        ):
            with pytest.raises(Unsupported):
                told.index.entities(where)

    def test_summaries(self, told: Told) -> None:
        """Summaries come by session in the order said, filtered by what they have."""
        told.tell(
            ch.SummaryAdded(summary("m2", said_at=day(2))),
            ch.SummaryAdded(summary("m1", said_at=day(1), origin=Origin.TOOL)),
        )

        def found(where: Where, name: str | None = None) -> list[str]:
            return [s.id for s in told.index.summaries(where, name)]

        assert found(Where(ALICE)) == ["m1", "m2"]
        assert found(Where(ALICE), "s") == ["m1", "m2"]
        assert found(Where(ALICE), "t") == []
        assert found(Where(ALICE, since=day(2))) == ["m2"]
        assert found(Where(ALICE, origins=(Origin.TOOL,))) == ["m1"]
        assert found(Where(ALICE, believed_at=START)) == []
        assert found(Where(ALICE, kinds=(CardKind.GOTCHA,))) == []

    def test_notes_events_and_calibration(self, told: Told) -> None:
        """What has no reader of its own yet is kept: it is counted or in the fingerprint."""
        note = Note(ALICE, "soul/me.md", NoteKind.SOUL, "me", "text", "", START)
        told.tell(ch.NoteChanged(note), ch.NoteChanged(note))
        assert told.index.counts(ALICE)["notes"] == 1
        told.tell(ch.NoteRemoved(ALICE, "soul/me.md"), ch.NoteRemoved(ALICE, "nothing.md"))
        assert told.index.counts(ALICE)["notes"] == 0
        before = len(list(told.index.fingerprint()))
        event = Event("e", ALICE, EventKind.CORRECTION, START, session="s", turn="1")
        told.tell(ch.EventAdded(event), ch.EventAdded(event), ch.Undone(1))
        assert len(list(told.index.fingerprint())) > before
        told.tell(ch.Calibrated("m", (("han|latin", 0.8),), 100, START))
        told.tell(ch.Calibrated("m", (("han|latin", 0.7), ("latin|han", 0.6)), 200, START))
        assert told.index.calibration("m") == {"han|latin": 0.7, "latin|han": 0.6}
        assert told.index.calibration("other") == {}
