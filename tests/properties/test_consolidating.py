"""Random memories of few words: consolidating twice is once, loses nothing, and grows back."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alaya import Memory
from alaya.introspect.consolidate import consolidate_cards
from alaya.introspect.embed import work
from alaya.introspect.sameness import opposed, wording
from alaya.model.change import CardAdded, LinkAdded, Pinned
from alaya.model.graph import Card, CardKind
from alaya.model.passage import Where
from alaya.model.scope import Scope
from alaya.projection import commit
from alaya.testing.embedder import HashingEmbedder
from alaya.testing.invented import ALICE, card, day, link, span

SETTINGS = {
    "embedding.provider": "none",
    "embedding.background": False,
    "introspect.consolidate_threshold": 0.8,
    "introspect.similar_threshold": 0.5,
}
SAID = (
    "the gateway listens on port 8080",
    "The gateway listens on port 8080.",
    "the gateway listens on port 8081",
    "the gateway never listens on port 8080",
    "the gateway listens on port 8080 since the move in May",
    "网关监听 8080 端口",
    "网关不监听 8080 端口",
    "网关监听 8080 端口，改动后要重启",
    "nothing to do with it",
)
NAMES = "abcdefgh"


@contextmanager
def told(cards, links, pinned) -> Iterator[Memory]:
    """A home that was told these."""
    with tempfile.TemporaryDirectory() as folder:
        memory = Memory.open(Path(folder) / "home", ALICE, settings=SETTINGS)
        parts = memory.parts = replace(
            memory.parts, embedder=HashingEmbedder(), clock=lambda: day(9)
        )
        changes = [CardAdded(c) for c in cards] + [LinkAdded(one) for one in links]
        changes += [Pinned(ALICE, (name,), pinned=True) for name in pinned]
        commit(
            parts.archive,
            parts.index,
            decide=lambda: changes,
            actor="t",
            verb="t",
            clock=parts.clock,
        )
        work(parts.index, parts.embedder)
        try:
            yield memory
        finally:
            memory.close()


def consolidate(memory: Memory):
    return consolidate_cards(memory, dry_run=False, progress=None)


def living(memory: Memory) -> dict[str, Card]:
    found = memory.parts.index.find_cards(Where(Scope("alice")))
    return {one.id: one for one, _ in found}


cards = st.builds(
    lambda name, said, kind, when, agent: card(
        name,
        "gateway",
        content=said,
        kind=kind,
        said_at=day(when),
        evidence=(span("s", name),),
        tags=(name,),
        scope=Scope("alice", agent),
    ),
    st.sampled_from(NAMES),
    st.sampled_from(SAID),
    st.sampled_from([CardKind.CONCEPT, CardKind.GOTCHA]),
    st.integers(0, 5),
    st.sampled_from([None, None, "coder"]),
)
links = st.builds(
    lambda a, relation, b: link(a, relation, target=b),
    st.sampled_from(NAMES),
    st.sampled_from(["DEPENDS_ON", "CONTRADICTS", "SIMILAR_TO", "CAUSES"]),
    st.sampled_from(NAMES),
)


@given(
    st.lists(cards, min_size=1, max_size=8, unique_by=lambda one: one.id),
    st.lists(links.filter(lambda one: one.source != one.target), max_size=5),
    st.lists(st.sampled_from(NAMES), max_size=2).map(lambda ns: [f"card-{n}" for n in ns]),
)
@settings(max_examples=25)
def test_consolidating(cards, links, pinned) -> None:
    """Twice is once, and a rebuild grows the same. All evidence and tags are still there, under the
    same agent; nobody's pin is lost; what contradicts stays apart; what it was can be read as of
    before."""
    ids = {one.id for one in cards}
    here = [one for one in links if {one.source, one.target} <= ids]
    with told(cards, here, [name for name in pinned if name in ids]) as memory:
        index, before = memory.parts.index, memory.parts.clock()
        memory.parts = replace(memory.parts, clock=lambda: day(10))
        consolidate(memory)
        left, holder = living(memory), {}
        for one in cards:
            holders = [c for c in left.values() if set(one.evidence) <= set(c.evidence)]
            assert len(holders) == 1
            holder[one.id] = holders[0].id
            assert set(one.tags) <= set(holders[0].tags)
            assert (holders[0].kind, holders[0].scope) == (one.kind, one.scope)
            if one.id in pinned:
                [(_, state)] = index.cards([holders[0].id], Where(Scope("alice")))
                assert state.pinned
            if one.id != holders[0].id:
                assert not opposed(wording(one), wording(holders[0]))
        for link_ in here:
            if link_.relation == "CONTRADICTS":
                assert holder[link_.source] != holder[link_.target]
        then = Where(Scope("alice"), believed_at=before)
        assert {c.id: c for c, _ in index.find_cards(then)} == {one.id: one for one in cards}
        head, rows = memory.parts.archive.head(), set(index.fingerprint())
        again = consolidate(memory)
        assert (again.counts["compared"], memory.parts.archive.head()) == (0, head)
        memory.parts.archive.set_state("introspect/alice", None)
        forgetful = consolidate(memory)
        assert (forgetful.counts["merged"], forgetful.counts["linked"]) == (0, 0)
        memory.rebuild()
        work(index, memory.parts.embedder)
        assert set(index.fingerprint()) == rows


def held(memory: Memory) -> tuple[dict[str, object], set[tuple[object, ...]]]:
    """What is believed of cards and links, but for the numbers of versions."""
    index, where = memory.parts.index, Where(Scope("alice"))
    found = {
        one.id: (replace(one, version=0, supersedes=None), state.pinned, state.stale)
        for one, state in index.find_cards(where)
    }
    edges = {
        (e.source, e.relation, e.target, e.valid_at, e.weight, e.reason)
        for e in index.all_links(where)
    }
    return found, edges


@pytest.mark.skipif(not hasattr(Memory, "undo"), reason="there is no undo in this tree yet")
@given(
    st.lists(cards, min_size=2, max_size=8, unique_by=lambda one: one.id),
    st.lists(links.filter(lambda one: one.source != one.target), max_size=5),
)
@settings(max_examples=25)
def test_merging_and_undoing_is_nothing(cards, links) -> None:
    """After an undo the memory holds what it held; what was parted so is not merged again."""
    ids = {one.id for one in cards}
    with told(cards, [one for one in links if {one.source, one.target} <= ids], []) as memory:
        before, head = held(memory), memory.parts.archive.head().seq
        consolidate(memory)
        records = memory.parts.archive.head().seq - head
        if records:
            memory.undo(records)
            assert held(memory) == before
            assert consolidate(memory).counts["merged"] == 0
