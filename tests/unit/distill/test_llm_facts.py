"""What a model is shown of a talk, and how its answer becomes entities and facts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from alaya.distill.calls import Asker
from alaya.distill.learning import learn, spoken_of
from alaya.distill.llm_facts import (
    SCHEMA,
    Asked,
    ask_facts,
    facts_call,
    read_facts,
    with_facts,
)
from alaya.distill.prompts.texts import shipped
from alaya.distill.replies import read
from alaya.model.call import Answered, Reply, Unanswered
from alaya.model.graph import Entity, EntityKind
from alaya.model.record import Draft
from alaya.model.scope import Scope
from alaya.projection import commit
from alaya.stores.files.archive import FileArchive
from alaya.testing.scripted_llm import ScriptedLLM

KNOWN = (Entity("entity-1", Scope(), "Melanie", EntityKind.PERSON, ("Mel",)),)


@pytest.fixture
def asked(say: Callable[..., Any], session: Callable[..., Any]) -> Asked:
    """A talk of three turns and a known entity."""
    turns = say(
        ("u", "I moved to Leeds last May. Mel helped."),
        ("a", "Nice! 上海呢？"),
        ("u", "我去年住在上海。"),
        names={"u": "Anna"},
    )
    return Asked(session(), tuple(turns), KNOWN)


def test_what_is_shown(asked: Asked) -> None:
    """Turns by number with the time and who speaks, known entities by number with aliases."""
    call = facts_call(asked)
    assert call.user.splitlines() == [
        "Known entities:",
        "E1 person: Melanie (also Mel)",
        "",
        "[1] 2026-03-31 09:00 Tue Anna: I moved to Leeds last May. Mel helped.",
        "[2] 2026-03-31 09:00 Tue assistant: Nice! 上海呢？",
        "[3] 2026-03-31 09:01 Tue Anna: 我去年住在上海。",
    ]
    assert (call.system, call.about, call.language) == (shipped("facts", "en"), ("s1",), "en")
    chinese = facts_call(Asked(asked.session, asked.turns, KNOWN, "zh"))
    assert chinese.user.startswith("已知实体：\nE1 person: Melanie (又名 Mel)")
    assert chinese.version != call.version


def fact(subject: str, relation: str, what: str, turns: list[Any], **more: Any) -> dict[str, Any]:
    """As a model writes one."""
    sentence = f"{subject} {relation} {what}."
    return {
        "subject": subject,
        "relation": relation,
        "object": what,
        "fact": sentence,
        "turns": turns,
        **more,
    }


def test_read(asked: Asked) -> None:
    """Names become positions, words become times, turns become the sentences that say it."""
    entities = [{"name": "Leeds", "kind": "place", "turns": [1]}]
    facts = [
        fact("Anna", "moved to", "Leeds", [1], **{"from": "last May"}),
        fact("E1", "helped", "Anna", [1]),
        fact("Anna", "住在", "上海", [3], **{"from": "去年", "to": "2026-02-31", "over": True}),
    ]
    found = read_facts({"entities": entities, "facts": facts}, asked)
    assert not found.rejected
    names = [(e.name, e.kind.value, e.known) for e in found.entities]
    assert names == [
        ("Leeds", "place", ""),
        ("Anna", "person", ""),
        ("Melanie", "person", "entity-1"),
        ("上海", "thing", ""),
    ]
    moved, helped, lived = found.facts
    assert (moved.subject, moved.object) == (1, 0)
    assert moved.valid_at == datetime(2025, 5, 1, tzinfo=UTC)
    assert moved.evidence == (("t0", 0, 26),)
    assert (helped.subject, helped.valid_at) == (2, None)
    assert lived.valid_at == datetime(2025, 1, 1, tzinfo=UTC)
    assert lived.invalid_at == asked.turns[2].turn.said_at  # over, and no such day
    assert found.entities[0].evidence == (("t0", 11, 16),)


@pytest.mark.parametrize("turns", [[], [0], [4], [-1], [99, 0]])
def test_no_such_turn(asked: Asked, turns: list[int]) -> None:
    """What cites no turn that is there is rejected, with the reason."""
    entities = [{"name": "Leeds", "kind": "place", "turns": turns}]
    value = {"entities": entities, "facts": [fact("Anna", "moved to", "Leeds", turns)]}
    found = read_facts(value, asked)
    assert (found.entities, found.facts) == ([], [])
    assert len(found.rejected) == 2
    assert str(turns) in found.rejected[0]


def test_two_of_one_name(say: Callable[..., Any], session: Callable[..., Any]) -> None:
    """`Alex (school)` is another Alex, whose place is the second in the sentence."""
    asked = Asked(session(), tuple(say(("u", "Alex met another Alex from school."))))
    entities = [
        {"name": "Alex", "kind": "person", "turns": [1]},
        {"name": "Alex (school)", "kind": "person", "other": True, "turns": [1]},
    ]
    facts = [fact("Alex", "met", "Alex (school)", [1])]
    found = read_facts({"entities": entities, "facts": facts}, asked)
    one, other = found.entities
    assert (one.name, one.other, one.evidence) == ("Alex", False, (("t0", 0, 4),))
    assert (other.name, other.summary, other.other) == ("Alex", "school", True)
    assert other.evidence == (("t0", 17, 21),)
    assert (found.facts[0].subject, found.facts[0].object) == (0, 1)


def test_windows(tmp_path: Path, say: Callable[..., Any], session: Callable[..., Any]) -> None:
    """A long talk is asked in windows; what one cannot be asked about, the others still tell."""
    archive = FileArchive(tmp_path)
    archive.create()
    turns = say(*(("u", f"I like tea number {n}, very much so.") for n in range(6)))
    good = {"entities": [], "facts": [fact("user", "likes", "tea", [1])]}
    llm = ScriptedLLM(facts=[good, Reply("I cannot say."), Reply("No."), good])
    at = turns[0].turn.said_at
    # One after the other, as the replies are written.
    asker = Asker(llm, archive, "default", lambda: at, lambda: 0.0, concurrency=1)
    found, answers = ask_facts(asker, Asked(session(), tuple(turns)), window=30)
    assert [type(answer) for answer in answers] == [Answered, Unanswered, Answered]
    assert [fact.evidence[0][0] for fact in found.facts] == ["t0", "t4"]
    assert [entity.name for entity in found.entities] == ["user", "tea"]
    assert len(list(archive.parked())) == 1


def test_a_draft_with_facts(
    home: Any, say: Callable[..., Any], session: Callable[..., Any]
) -> None:
    """A model is shown the known entities that turns name; its draft counts what that took."""
    turns = say(("u", "Yesterday I met Ann Lee in Leeds."))
    one = session()
    llm = ScriptedLLM(facts=[{"entities": [], "facts": [fact("user", "met", "Ann Lee", [1])]}] * 2)
    asker = Asker(llm, home.archive, "default", lambda: one.started_at, lambda: 0.0)
    empty = Draft("s1", "scripted/1", "hash", 0, 1, dropped=1)
    draft, failed = with_facts(empty, Asked(one, tuple(turns)), asker=asker)
    assert ([e.name for e in draft.entities], failed) == (["user", "Ann Lee"], ())
    assert (draft.dropped, draft.tokens_in > 0, draft.tokens_out > 0) == (1, True, True)
    home.tell(one, turns)
    by_id = {t.turn.id: t for t in turns}
    commit(
        home.archive,
        home.index,
        decide=lambda: learn(home.index, one, draft=draft, turn=by_id.get).changes,
        actor="test",
        verb="distill",
        clock=lambda: one.started_at,
    )
    assert [e.name for e in spoken_of(home.index, one, turns=turns)] == ["Ann Lee"]
    known = spoken_of(home.index, one, turns=turns)
    assert "E1 thing: Ann Lee" in facts_call(Asked(one, tuple(turns), known)).user


def test_the_schema_takes_what_the_prompt_asks(asked: Asked) -> None:
    """An answer as the prompts describe it passes the checks that every reply meets."""
    assert SCHEMA["required"] == ["entities", "facts"]
    text = (
        '{"entities":[{"name":"Leeds","kind":"place","turns":[1]}],"facts":[{"subject":"Anna",'
        '"relation":"moved to","object":"Leeds","fact":"Anna moved.","from":"May","turns":[1]}]}'
    )
    reading = read(Reply(text), facts_call(asked), last=False)
    assert reading.problem is None
    assert reading.value is not None
    assert read_facts(reading.value, asked).facts[0].valid_at is not None


def test_a_turn_without_a_clock(asked: Asked) -> None:
    """Where a turn has no time, its session's counts."""
    from dataclasses import replace

    bare = tuple(replace(t, turn=replace(t.turn, said_at=None)) for t in asked.turns)
    value = {
        "entities": [],
        "facts": [fact("Anna", "moved to", "Leeds", [1], **{"from": "yesterday"})],
    }
    found = read_facts(value, replace(asked, turns=bare))
    begins = asked.session.started_at.replace(hour=0) - timedelta(days=1)
    assert found.facts[0].valid_at == begins
