"""What rules learn of people and their things, sentence by sentence, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from alaya.distill.rules import RuleDistiller
from alaya.distill.run import Rules, distill
from alaya.model.graph import EntityKind
from alaya.model.passage import Where
from alaya.model.record import Draft
from alaya.model.scope import Scope

USER = Scope("default")
LABELLED = Path(__file__).parents[2] / "data" / "facts_rules"


def clock() -> datetime:
    """A clock that stands still."""
    return datetime(2026, 4, 1, 12, tzinfo=UTC)


def labelled(language: str) -> list[tuple[str, set[str]]]:
    """(sentence, its facts) of a labelled file."""
    found = []
    for line in (LABELLED / f"{language}.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            said, _, told = line.partition(" >")
            found.append(
                (
                    said,
                    {
                        " | ".join(one.split(" | ")).strip()
                        for one in told.split(" ; ")
                        if one.strip()
                    },
                )
            )
    return found


def facts(draft: Draft) -> set[str]:
    """`subject | relation | object` of each fact."""
    names = [entity.name for entity in draft.entities]
    return {f"{names[f.subject]} | {f.relation} | {names[f.object]}" for f in draft.facts}


@pytest.mark.parametrize(("said", "told"), [*labelled("en"), *labelled("zh")])
def test_labelled(distil: Callable[..., Draft], said: str, told: set[str]) -> None:
    """A sentence tells exactly its facts, and what is no fact of the speaker tells none."""
    draft = distil(("u", said))
    assert facts(draft) == told
    for fact in draft.facts:
        ((turn, start, end),) = fact.evidence
        assert (turn, said[start:end]) == ("t0", said)


@pytest.mark.parametrize(
    ("said", "begins"),
    [
        ("We moved to Leeds last year.", datetime(2025, 1, 1, tzinfo=UTC)),
        ("I went to a parade yesterday.", datetime(2026, 3, 30, tzinfo=UTC)),
        ("I've lived in Leeds since 2019.", datetime(2019, 1, 1, tzinfo=UTC)),
        ("I live in Leeds.", None),
        ("我上个月搬到了杭州。", datetime(2026, 2, 1, tzinfo=UTC)),
        ("昨天我买了一台新电脑。", datetime(2026, 3, 30, tzinfo=UTC)),
        ("我住在杭州。", None),
    ],
)
def test_times(distil: Callable[..., Draft], said: str, begins: datetime | None) -> None:
    """A fact begins when its sentence says, counted from when it was said; else nothing is told."""
    (fact,) = distil(("u", said)).facts
    assert fact.valid_at == begins


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("My sister Anna is here. She moved to Lisbon in May.", "Anna | moved to | Lisbon"),
        ("My sister is here. She lives in Lisbon.", "user's sister | lives in | Lisbon"),
        ("我妹妹叫安安。她在腾讯工作。", "安安 | 就职于 | 腾讯"),
    ],
)
def test_she(distil: Callable[..., Draft], said: str, told: str) -> None:
    """`She` is the one person of whom the turn spoke before."""
    assert told in facts(distil(("u", said)))


@pytest.mark.parametrize(
    "said",
    ["She moved to Lisbon in May.", "Anna is my sister, and my boss Eva left. She lives in Rome."],
)
def test_who_she_is(distil: Callable[..., Draft], said: str) -> None:
    """Where nobody was spoken of, or several were, `she` is nobody."""
    assert not {one for one in facts(distil(("u", said))) if "Lisbon" in one or "Rome" in one}


def test_kin_by_name(distil: Callable[..., Draft]) -> None:
    """Who has a name is no `user's sister`, wherever it is told; of two nobody knows which."""
    told = facts(distil(("u", "My sister lives in Oslo."), ("u", "My sister Anna is a nurse.")))
    assert told == {
        "user | has sister | Anna",
        "Anna | lives in | Oslo",
        "Anna | works as | nurse",
    }
    two = facts(
        distil(("u", "My sister Anna came."), ("u", "My sister Bea left. My sister lives in Oslo."))
    )
    assert "user's sister | lives in | Oslo" in two


def test_speakers(distil: Callable[..., Draft]) -> None:
    """I and 我 are who speaks; a speaker whom others name is the same person."""
    names = {"u": "阿信", "a": "Eve"}
    draft = distil(
        ("u", "我住在杭州。"), ("a", "My brother lives in Oslo. 阿信住在杭州。"), names=names
    )
    assert facts(draft) == {
        "阿信 | 住在 | 杭州",
        "Eve | has brother | Eve's brother",
        "Eve's brother | lives in | Oslo",
    }


@pytest.mark.parametrize(
    ("said", "name", "kind"),
    [
        ("Hey Maya! How are you?", "Maya", EntityKind.PERSON),
        ("Last week Maya and I met.", "Maya", EntityKind.PERSON),
        ("Then Maya said it was fine.", "Maya", EntityKind.PERSON),
        ("That is great, Maya!", "Maya", EntityKind.PERSON),
        ('We read "Dune" by Frank Herbert.', "Frank Herbert", EntityKind.PERSON),
        ("A veteran named Samuel came.", "Samuel", EntityKind.PERSON),
        ("We met in Oslo once.", "Oslo", EntityKind.PLACE),
        ("Use `redis-cli` for it.", "redis-cli", EntityKind.TOOL),
        ("Then run `docker` again.", "docker", EntityKind.TOOL),
        ("老李来了。", "老李", EntityKind.PERSON),
    ],
)
def test_kinds(distil: Callable[..., Draft], said: str, name: str, kind: EntityKind) -> None:
    """What the words around a name make of it."""
    found = {entity.name: entity.kind for entity in distil(("u", said)).entities}
    assert found[name] is kind


@pytest.mark.parametrize(
    "said",
    ["Please LISTEN to me.", "I said STOP! Now.", "Press `down` twice.", "Run `npm install -g x`."],
)
def test_no_names(distil: Callable[..., Draft], said: str) -> None:
    """A raised voice, a plain word in backticks and a command name nothing."""
    assert {entity.name for entity in distil(("u", said)).entities} <= {"user"}


@pytest.mark.parametrize(
    ("first", "then", "relation", "holds"),
    [
        ("I live in York.", "We moved to Leeds last month.", "MOVED_TO", "Leeds"),
        ("I work at Acme Corp.", "I got a new job at Globex.", "WORKS_AT", "Globex"),
        ("我住在上海。", "我上个月搬到了杭州。", "搬到", "杭州"),
        ("我在华为上班。", "我入职腾讯了。", "就职于", "腾讯"),
    ],
)
def test_superseded(
    home: Any, say: Callable[..., Any], session: Callable[..., Any], first: str, then: str,
    relation: str, holds: str,
) -> None:  # fmt: skip
    """What somebody has one of is ended by what is told later, in the store."""
    for number, words in enumerate((first, then)):
        (one,) = say(("u", words))
        at = datetime(2025 + number, 3, 31, tzinfo=UTC)
        turn = replace(one.turn, said_at=at)
        home.tell(replace(session(f"s{number}"), started_at=at), [replace(one, turn=turn)])
    distill(
        home.archive,
        home.index,
        scope=USER,
        rules=Rules(RuleDistiller(), min_tokens=0),
        clock=clock,
    )
    names = {entity.id: entity.name for entity in home.index.entities(Where(USER))}
    told = [k for k in home.index.all_links(Where(USER, include_ended=True)) if k.fact]
    now = [k for k in told if k.invalid_at is None]
    assert len(told) == 2
    assert [(k.relation, names[k.target]) for k in now] == [(relation, holds)]


@pytest.mark.parametrize(
    ("first", "then", "name", "other"),
    [
        ("My mom is a teacher.", "My mom Anna came.", "Anna", "user's mother"),
        ("My husband works at Acme Corp.", "My husband Tom came.", "Tom", "user's husband"),
        ("我妈妈是老师。", "我妈妈叫王芳。", "王芳", "用户的妈妈"),
    ],
)
def test_named_later(
    home: Any, say: Callable[..., Any], session: Callable[..., Any], first: str, then: str,
    name: str, other: str,
) -> None:  # fmt: skip
    """Whose name is told in a later talk is who was meant before; who speaks stays one person."""
    rules = Rules(RuleDistiller(), min_tokens=0)
    for number, words in enumerate((first, then)):
        home.tell(session(f"s{number}"), say(("u", words)))
        distill(home.archive, home.index, scope=USER, rules=rules, clock=clock)
    found = {entity.name: entity for entity in home.index.entities(Where(USER))}
    people = {n for n, entity in found.items() if entity.kind is EntityKind.PERSON}
    assert people == {"user", name}
    assert found[name].aliases == (other,)
