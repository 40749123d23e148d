"""Who is who: what names alone tell, what is unclear, and who settles it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from alaya.distill.calls import Asker
from alaya.distill.entities import MOST_SPANS, Familiar, resolved
from alaya.distill.settling import settle, similarity_by
from alaya.model.change import EntityAdded, EntityMerged, EntityRevised
from alaya.model.graph import Entity, EntityKind, Link
from alaya.model.naming import name_key
from alaya.model.raw import Span
from alaya.model.record import Draft, DraftEntity, DraftFact
from alaya.model.scope import Scope
from alaya.stores.files.archive import FileArchive
from alaya.testing.embedder import HashingEmbedder
from alaya.testing.invented import START
from alaya.testing.scripted_llm import ScriptedLLM

SCOPE = Scope("default", "main", "s1")
PERSON = EntityKind.PERSON


def known(name: str, *aliases: str, session: str = "s0", id: str = "", **more: Any) -> Entity:
    """An entity from an earlier talk."""
    span = Span(session, "t0", 0, 1, "x")
    return Entity(id or f"entity-{name}", SCOPE, name, PERSON, aliases, evidence=(span,), **more)


def of(*entities: DraftEntity, facts: tuple[DraftFact, ...] = ()) -> Draft:
    """A draft with these entities."""
    return Draft("s1", "test", "hash", 0, 9, entities=entities, facts=facts)


def named(name: str, turn: str = "t0", *, kind: EntityKind = PERSON, **more: Any) -> DraftEntity:
    """An entity of a draft, named at the beginning of a turn."""
    return DraftEntity(name, kind, ((turn, 0, len(name)),), **more)


@pytest.fixture
def turns(say: Callable[..., Any]) -> Callable[[str], Any]:
    """Nine turns that say nothing."""
    made = {t.turn.id: t for t in say(*(("u", "x" * 40) for _ in range(9)))}
    return made.get


def test_what_cites_nothing(turns: Callable[[str], Any]) -> None:
    """An entity whose turns are not in the archive is left out and counted."""
    draft = of(named("Ann", "t99"), named("Bob"))
    found = resolved(draft, scope=SCOPE, familiar=Familiar(), turn=turns)
    assert (list(found.ids), found.unfounded) == ([1], 1)
    assert [type(change) for change in found.changes] == [EntityAdded]


def test_unclear(turns: Callable[[str], Any]) -> None:
    """Of two with the name, what both have to do with decides; else it is told to be unclear."""
    alexes = known("Alex", id="entity-a"), known("Alex", id="entity-b")
    acme = Entity("entity-acme", SCOPE, "Acme", EntityKind.ORGANIZATION)
    works = Link(SCOPE, "entity-b", "WORKS_AT", "entity-acme", START)
    familiar = Familiar((*alexes, acme), (works,))
    found = resolved(of(named("Alex")), scope=SCOPE, familiar=familiar, turn=turns)
    assert [one.position for one in found.unclear] == [0]
    company = named("Acme", kind=EntityKind.ORGANIZATION)
    fact = DraftFact(0, "works at", 1, "Alex works at Acme.", (("t0", 0, 5),))
    draft = of(named("Alex"), company, facts=(fact,))
    found = resolved(draft, scope=SCOPE, familiar=familiar, turn=turns)
    assert (found.ids, found.unclear) == ({1: "entity-acme", 0: "entity-b"}, [])
    hinted = resolved(
        of(named("Alex")), scope=SCOPE, familiar=familiar, turn=turns, hints={0: "entity-b"}
    )
    assert hinted.ids == {0: "entity-b"}
    none = resolved(of(named("Alex")), scope=SCOPE, familiar=familiar, turn=turns, hints={0: ""})
    assert [type(change) for change in none.changes] == [EntityAdded]


def test_a_short_name_needs_support(turns: Callable[[str], Any]) -> None:
    """Anna may be Anna Smith of another talk: nothing says so, and it stays a question."""
    familiar = Familiar((known("Anna Smith"),))
    found = resolved(of(named("Anna")), scope=SCOPE, familiar=familiar, turn=turns)
    assert [type(change) for change in found.changes] == [EntityAdded]
    assert [one.candidates[0].id for one in found.unclear] == ["entity-Anna Smith"]
    same_talk = Familiar((known("Anna Smith", session="s1"),))
    found = resolved(of(named("Anna")), scope=SCOPE, familiar=same_talk, turn=turns)
    (change,) = found.changes
    assert isinstance(change, EntityRevised)
    assert (change.entity.name, change.entity.aliases) == ("Anna Smith", ("Anna",))


def test_told_to_be_one(turns: Callable[[str], Any]) -> None:
    """Two that are known become one when the words say so; the other's names and spans move."""
    familiar = Familiar((known("Melanie"), known("Mel", session="s9")))
    draft = of(named("Melanie", aliases=("Mel",)))
    found = resolved(draft, scope=SCOPE, familiar=familiar, turn=turns)
    revised, merged = found.changes
    assert isinstance(revised, EntityRevised)
    assert isinstance(merged, EntityMerged)
    assert (merged.entity, merged.merged) == ("entity-Melanie", ("entity-Mel",))
    assert {span.session for span in revised.entity.evidence} == {"s0", "s9", "s1"}


def test_evidence_is_bounded(turns: Callable[[str], Any]) -> None:
    """Who is named everywhere keeps the first places, and is then not revised any more."""
    spans = tuple(Span("s0", f"t{n}", 0, 1, "x") for n in range(MOST_SPANS))
    everywhere = Entity("entity-Ann", SCOPE, "Ann", PERSON, evidence=spans)
    familiar = Familiar((everywhere,))
    assert not resolved(of(named("Ann")), scope=SCOPE, familiar=familiar, turn=turns).changes


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Dr. Anna  SMITH", "anna smith", True),
        ("Ｃｈａｔ GPT", "chatgpt", True),
        ("王强先生", "王强", True),
        ("用户", "user", True),
        ("C++", "C", False),
        ("王老师", "王医生", False),
        ("!!!", "???", False),
    ],
)
def test_name_keys(one: str, other: str, same: bool) -> None:
    """Width, case, spaces and titles make no other name; what is left alone stays itself."""
    assert (name_key(one) == name_key(other)) is same


def test_settled(
    home: Any, tmp_path: Path, say: Callable[..., Any], session: Callable[..., Any]
) -> None:
    """The unclear rest: by the meaning of what is told where that is plain, else by a model."""
    from alaya.projection import commit

    turns = {t.turn.id: t for t in say(("u", "Alex plays the violin in an orchestra."))}
    one, other = known("Alex", id="entity-a"), known("Alex", id="entity-b")
    one, other = (
        Entity(e.id, SCOPE, e.name, e.kind, summary=text, evidence=e.evidence)
        for e, text in ((one, "plays the violin in an orchestra"), (other, "a plumber"))
    )
    commit(
        home.archive,
        home.index,
        decide=lambda: [EntityAdded(one), EntityAdded(other)],
        actor="test",
        verb="distill",
        clock=lambda: START,
    )
    draft = of(named("Alex", summary="plays the violin in an orchestra"))
    kept = FileArchive(tmp_path / "model")
    kept.create()

    def found(**how: Any) -> dict[int, str]:
        return settle(home.index, session(), draft=draft, turn=turns.get, **how)

    assert found() == {}
    similar = similarity_by(HashingEmbedder(), home.index)
    assert found(similar=similar) == {0: "entity-a"}
    for number, expected in (("E2", "entity-b"), ("", ""), ("E9", "")):
        llm = ScriptedLLM(same=[{"same": number}])
        asker = Asker(llm, kept, number, lambda: START, lambda: 0.0)
        assert found(asker=asker) == {0: expected}
        assert "E1 Alex: plays the violin" in llm.calls[0].user
