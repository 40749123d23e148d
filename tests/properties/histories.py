"""Random histories of a memory, and what two indexes must agree on after any of them."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import strategies as st

from alaya.model import change as ch
from alaya.model.graph import CardKind, Edge, Entity, EntityKind, Horizon, Relation, Summary, Tier
from alaya.model.ids import sha256
from alaya.model.note import Note, NoteKind
from alaya.model.passage import ItemKind, Where
from alaya.model.raw import Event, EventKind, Origin, Role, SessionKind, Turn, TurnMark
from alaya.model.scope import Scope
from alaya.projection import Grow
from alaya.testing.invented import ALICE, BOB, START, card, day, link, session, span

SCOPES = (ALICE, BOB, Scope("alice", "coder"))
WORDS = ("网关 配置", "gateway", "C++", "カナ", "🎉", "plugins.allow", "端口冲突", "x", "")
WORDS += ("ask Ada Lovelace", "《石头记》", "Gateway\nwhat is it?", "very", "的")
CALLED = ("ada lovelac", "ada lovelace", "gateway", "石头 头记", "x", "c", "nothing")
NAMES = "abcde"
MODEL = "model"

texts = st.lists(st.sampled_from(WORDS), max_size=3).map(" ".join)
names = st.sampled_from(NAMES)
SUMMED = ("summary-m", "summary-n")
card_ids = st.lists(names, min_size=1, max_size=3).map(lambda ns: tuple(f"card-{n}" for n in ns))
users = st.sampled_from((ALICE, BOB))
days = st.floats(0, 30).map(lambda n: day(round(n)))
cards = st.builds(
    card,
    names,
    texts,
    content=texts,
    scope=st.sampled_from(SCOPES),
    kind=st.sampled_from([CardKind.GOTCHA, CardKind.DECISION]),
    tags=st.lists(st.sampled_from(["t", "T", "标签"]), max_size=2).map(tuple),
    said_at=days,
    origin=st.sampled_from([Origin.OWNER, Origin.UNTRUSTED]),
    confidence=st.sampled_from([0.2, 0.8]),
    version=st.integers(1, 4),
    source_events=st.lists(st.sampled_from(["event-a", "event-b"]), max_size=2).map(tuple),
)
events = st.builds(
    lambda name, scope, kind, at, about: Event(f"event-{name}", scope, kind, at, about=about),
    st.sampled_from("ab"),
    users,
    st.sampled_from([EventKind.CORRECTION, EventKind.TOOL_CALL]),
    days,
    card_ids,
)
links = st.builds(
    link,
    names,
    st.sampled_from(["CAUSES", "CAUSED_BY", "SIMILAR_TO", "受启发于"]),
    target=names | st.sampled_from(["session:s", "entity-a", "entity-b"]),
    scope=users,
    valid_at=days,
    weight=st.sampled_from([0.1, 0.5, 1.0]),
    invalid_at=st.none() | days,
)
entities = st.builds(
    lambda name, alias, scope: Entity(f"entity-{name}", scope, name, EntityKind.TOOL, (alias,)),
    st.sampled_from("abc"),
    st.sampled_from(["Alias", "别名", "a"]),
    users,
)
entity_ids = st.sampled_from(["entity-a", "entity-b", "entity-c"])
turns = st.builds(
    lambda role, text, said, name: Turn("", role, text, said, name),
    st.sampled_from([Role.USER, Role.ASSISTANT, Role.TOOL]),
    texts,
    st.none() | days,
    st.sampled_from([None, "Ada", "林黛玉", "user"]),
)
summaries = st.builds(
    lambda name, scope, topic, text, said: Summary(name, scope, "s", topic, text, "0", "1", said),
    st.sampled_from(SUMMED),
    users,
    texts,
    texts,
    days,
)
notes = st.builds(
    lambda scope, text: Note(scope, "soul/me.md", NoteKind.SOUL, "me", text, "", START),
    users,
    texts,
)
relations = st.builds(
    Relation, st.sampled_from(["受启发于", "CAUSES"]), definition=texts, is_core=st.booleans()
)
flags = st.booleans()
tiers = st.lists(st.tuples(names.map("card-{}".format), st.sampled_from(Tier)), max_size=3)

# Changes that need to know nothing of what is there.
changes = st.one_of(
    st.builds(ch.CardAdded, cards),
    st.builds(ch.EventAdded, events),
    st.builds(ch.CardRevised, cards),
    st.builds(ch.CardMerged, cards, card_ids),
    st.builds(ch.Cooled, users, tiers.map(tuple)),
    st.builds(ch.Forgotten, users, card_ids, texts),
    st.builds(ch.Restored, users, card_ids),
    st.builds(ch.Pinned, users, card_ids, flags),
    st.builds(ch.Quarantined, users, card_ids, flags),
    st.builds(ch.MarkedStale, users, card_ids, flags),
    st.builds(ch.Promoted, users, card_ids, st.sampled_from(Horizon)),
    st.builds(ch.LinkAdded, links),
    st.builds(ch.EntityAdded, entities),
    st.builds(ch.EntityRevised, entities),
    st.builds(ch.EntityMerged, users, entity_ids, entity_ids.map(lambda e: (e,))),
    st.builds(ch.RelationAdded, relations),
    st.builds(ch.RelationRevised, relations),
    st.builds(ch.SummaryAdded, summaries),
    st.builds(ch.NoteChanged, notes),
    st.builds(ch.NoteRemoved, users, st.just("soul/me.md")),
    st.builds(ch.Erased, users, card_ids, st.just(())),
    st.builds(ch.Forgotten, users, st.just(SUMMED[:1]), texts),
    st.builds(ch.Restored, users, st.just(SUMMED)),
    st.builds(ch.Erased, users, st.just(SUMMED[1:]), st.just(())),
    st.builds(
        ch.TurnsMarked,
        users,
        st.just("s"),
        st.lists(st.integers(0, 5).map(str), max_size=2).map(tuple),
        st.sampled_from(TurnMark),
    ),
    st.builds(
        ch.Calibrated,
        st.just(MODEL),
        st.just((("han|latin", 0.5),)),
        st.integers(1, 9),
        st.just(START),
    ),
)


def grow(index, scope: Scope, said: list[Turn], generation: int) -> list[Grow]:
    """These turns at the end of the user's session `s`, in a new generation or the current one.

    Three turns make a collection of documents of it, others a talk.
    """
    state = index.session(Scope(scope.user), "s")
    first = state.turns if state else 0
    now = state.generation if state else 0
    fresh = state is None or generation > now
    given = tuple(replace(turn, id=str(first + n)) for n, turn in enumerate(said))
    at = 0 if fresh or state is None else state.end
    kind = SessionKind.DOCUMENTS if len(said) == 3 else SessionKind.MAIN
    return [
        Grow(session("s", scope, kind=kind), now + 1 if fresh and state else now, at, first, given)
    ]


def evidence(index, scope: Scope, given) -> object:
    """A card that cites the turns of its user's session which are there."""
    places = index.turns(Scope(scope.user), "s")[:2]
    return replace(given, evidence=tuple(span("s", place.id) for place in places))


def filters(past: datetime) -> list[Where]:
    """Filters in which two indexes must agree."""
    return [
        Where(),
        *(Where(scope) for scope in SCOPES),
        Where(Scope("alice", session="s")),
        *(
            Where(ALICE, **fields)
            for fields in (
                {"believed_at": past},
                {"as_of": day(15)},
                {"as_of": day(15), "believed_at": past},
                {"include_ended": True},
                {"include_ended": True, "believed_at": past},
                {"since": day(5), "until": day(20)},
                {"include_forgotten": True, "include_quarantined": True},
                {"include_stale": False, "tiers": (Tier.HOT, Tier.WARM)},
                {"kinds": (CardKind.GOTCHA,), "origins": (Origin.OWNER,)},
                {"tags": ("T",), "min_confidence": 0.5},
            )
        ),
    ]


def same_answers(one, other, past: datetime, turn: int = 0, of: int = 1) -> None:
    """Every read of two indexes gives the same; order only where it is fixed.

    With `of`, only that share of the filters is tried, another one each `turn`.
    """
    for scope in (*SCOPES, Scope("alice", session="s")):
        assert list(one.sessions(scope)) == list(other.sessions(scope))
        assert one.turns(scope, "s") == other.turns(scope, "s")
        assert one.turns(scope, "s", ids=["1", "0"]) == other.turns(scope, "s", ids=["1", "0"])
        assert one.relations(scope) == other.relations(scope)
        for asked in ({"ids": ["event-a"]}, {"about": ["card-a", "card-b"]}):
            assert one.events(scope, **asked) == other.events(scope, **asked)
        assert dict(one.counts(scope)) == dict(other.counts(scope))
    for where in filters(past)[turn % of :: of]:
        _same_graph(one, other, where)
        _same_l1(one, other, where)
    assert one.pending_count(MODEL) == other.pending_count(MODEL)
    assert set(one.pending(MODEL, 1000)) == set(other.pending(MODEL, 1000))
    assert dict(one.models()) == dict(other.models())
    assert one.calibration(MODEL) == other.calibration(MODEL)


def _same_graph(one, other, where: Where) -> None:
    found = list(one.find_cards(where))
    assert found == list(other.find_cards(where))
    ids = [f"card-{n}" for n in NAMES]
    assert one.cards(ids, where) == other.cards(ids, where)
    edges = list(one.all_links(where))
    assert {e.id: e for e in edges} == {e.id: e for e in other.all_links(where)}
    nodes = ["card-a", "session:s", "entity-a"]
    for limit in (1, 50):
        near = one.links(nodes, where, relations=(), limit_per_node=limit)
        assert near == other.links(nodes, where, relations=(), limit_per_node=limit)
        bare = one.edges(nodes, where, limit_per_node=limit)
        assert bare == [Edge(e.source, e.relation, e.target, e.weight) for e in near]
    assert dict(one.ways(nodes, where)) == dict(other.ways(nodes, where))
    assert one.summaries(where) == other.summaries(where)
    assert one.summaries(where, ids=SUMMED[:1]) == other.summaries(where, ids=SUMMED[:1])
    cited = [("s", str(n)) for n in range(4)]
    names = ["event-a", "event-b", "event-c"]
    assert one.cards_of_events(where, names) == other.cards_of_events(where, names)
    mine, its = one.cards_of_turns(where, cited), other.cards_of_turns(where, cited)
    assert {k: sorted(v) for k, v in mine.items()} == {k: sorted(v) for k, v in its.items()}
    if not (where.kinds or where.tags or where.tiers or where.since or where.as_of):
        for wanted in ((), ("A",), ("别名",)):
            assert one.entities_of_turns(where, cited) == other.entities_of_turns(where, cited)
            mine, its = one.entities(where, wanted), other.entities(where, wanted)
            assert {e.id: e for e in mine} == {e.id: e for e in its}


def _same_l1(one, other, where: Where) -> None:
    for kind in (ItemKind.CARD, ItemKind.TURN, ItemKind.SUMMARY):
        for text in ("网关", "gateway C++", "端", "🎉カナ", "what is very x", "very", "的网关"):
            mine = {s.id for s in one.match(text, kind, where=where, limit=1000)}
            assert mine == {s.id for s in other.match(text, kind, where=where, limit=1000)}, (
                text,
                where,
            )
    _same_items(one, other, where)
    for kind in (ItemKind.CARD, ItemKind.TURN, ItemKind.SUMMARY, ItemKind.RELATION):
        mine, its = (
            x.nearest(MODEL, direction("q"), kind=kind, where=where, limit=1000)
            for x in (one, other)
        )
        assert [s.score for s in mine] == pytest.approx([s.score for s in its], abs=1e-5)
        expected = {s.id: s.score for s in its}
        assert {s.id: s.score for s in mine} == pytest.approx(expected, abs=1e-5)


def _same_items(one, other, where: Where) -> None:
    for kind, ids, reaches in (
        (ItemKind.CARD, ["card-a", "card-b", "card-c"], (0,)),
        (ItemKind.TURN, ["s#0", "s#2", "s#5"], (0, 1, 3)),
        (ItemKind.SUMMARY, list(SUMMED), (0,)),
    ):
        for reach in reaches:
            mine, its = (x.items(ids, kind, where=where, reach=reach) for x in (one, other))
            assert sorted(mine, key=repr) == sorted(its, key=repr)
        for most in (1, 50):
            mine, its = (x.mentioning(CALLED, kind, where=where, most=most) for x in (one, other))
            assert {k: sorted(v, key=repr) for k, v in mine.items()} == {
                k: sorted(v, key=repr) for k, v in its.items()
            }


def direction(text: str) -> list[float]:
    """A unit vector that follows from a text."""
    digest = bytes.fromhex(sha256(text))[:6]
    raw = [byte - 127.5 for byte in digest]
    return [x / math.hypot(*raw) for x in raw]
