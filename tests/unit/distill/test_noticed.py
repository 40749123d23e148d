"""What rules notice of people, places and facts, in both languages, without a model."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from alaya.distill.learning import MENTIONS
from alaya.distill.rules import RuleDistiller
from alaya.distill.run import Rules, distill
from alaya.model.graph import EntityKind
from alaya.model.passage import Where
from alaya.model.record import Draft
from alaya.model.scope import Scope

USER = Scope("default")
NAMES = {"u": "阿信", "a": "Eve"}


def clock() -> datetime:
    """A clock that stands still."""
    return datetime(2026, 4, 1, 12, tzinfo=UTC)


def facts(draft: Draft) -> set[str]:
    """`subject relation object` of each fact."""
    names = [entity.name for entity in draft.entities]
    return {f"{names[f.subject]} {f.relation} {names[f.object]}" for f in draft.facts}


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("I live in New York now.", "user lives in New York"),
        ("We've moved to Leeds last May.", "user moved to Leeds"),
        ("My sister Mia came.", "user has sister Mia"),
        ("We have a cat named Tom.", "user has pet Tom"),
        ("We got a new cat named Tom.", "user has pet Tom"),
        ("I'm working for Acme Corp.", "user works at Acme Corp"),
        ("I love hiking with friends.", "user likes hiking"),
        ("Bob works at Globex.", "Bob works at Globex"),
        ("我现在住在上海。", "user 住在 上海"),
        ("去年我搬到了杭州。", "user 搬到 杭州"),
        ("我在华为上班，挺累的。", "user 就职于 华为"),
        ("我同事的名字叫张雅静。", "user 同事 张雅静"),
        ("我家养了一只猫叫小花。", "user 养了 小花"),
        ("我特别喜欢爬山。", "user 喜欢 爬山"),
    ],
)
def test_facts(distil: Callable[..., Draft], said: str, fact: str) -> None:
    """A person is believed of themselves; the sentence is the evidence."""
    draft = distil(("u", said))
    assert facts(draft) == {fact}
    (turn, start, end) = draft.facts[0].evidence[0]
    assert (turn, said[start:end]) == ("t0", said)


@pytest.mark.parametrize(
    "said",
    [
        "Do you live in New York?",
        "If only I lived in Paris.",
        "I love finding old books.",
        "你住在上海吗？",
        "今天天气真好，方便的话任何时间都行。",
        "Thanks! Wow, That Was Great",
    ],
)
def test_no_facts(distil: Callable[..., Draft], said: str) -> None:
    """Questions, wishes and small talk tell nothing, and capitals alone make no name."""
    draft = distil(("u", said))
    assert not draft.facts
    assert {entity.name for entity in draft.entities} <= {"Paris", "New York"}


def test_times(distil: Callable[..., Draft]) -> None:
    """A fact begins when its sentence says, counted from when it was said."""
    draft = distil(("u", "We moved to Leeds last year."), ("u", "我上个月搬到了杭州。"))
    begins = [fact.valid_at for fact in draft.facts]
    assert begins == [datetime(2025, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC)]


def test_names(distil: Callable[..., Draft]) -> None:
    """Names within sentences, with what opens a sentence taken off; where each one stands."""
    draft = distil(
        ("u", "I met Ann Lee in Oslo. Woohoo Ann Lee!"),
        ("a", "老李和王强来了。王强说《西游记》好看。"),
        ("u", "Use `redis-cli` for it."),
        names=NAMES,
    )
    found = {entity.name: entity for entity in draft.entities}
    assert set(found) == {"阿信", "Eve", "Ann Lee", "Oslo", "老李", "王强", "西游记", "redis-cli"}
    assert found["Oslo"].kind is EntityKind.PLACE
    assert found["王强"].kind is EntityKind.PERSON
    assert found["redis-cli"].kind is EntityKind.TOOL
    assert len(found["Ann Lee"].evidence) == 2
    assert found["王强"].evidence == (("t1", 3, 5), ("t1", 8, 10))


def test_committed(home: Any, say: Callable[..., Any], session: Callable[..., Any]) -> None:
    """Entities, facts and MENTIONS are committed with the cards; again, nothing is new."""
    talk = (
        ("u", "We moved to Leeds last year, near the Royal Armouries. 我在华为上班。"),
        ("a", "Oh! I visited Leeds in May with my sister Mia, she loves the Royal Armouries."),
        ("u", "我女儿叫豆豆，对花生过敏，请记住。"),
    )
    home.tell(session(), say(*talk, names=NAMES))
    rules = Rules(RuleDistiller(), min_tokens=0)

    def run(redistill: bool = False) -> None:
        wanted = Rules(rules.distiller, min_tokens=0, redistill=redistill)
        distill(home.archive, home.index, scope=USER, rules=wanted, clock=clock)

    run()
    before = {link.id: link for link in home.index.all_links(Where(USER))}
    entities = home.index.entities(Where(USER))
    assert {"Leeds", "Mia", "豆豆", "华为", "Royal Armouries"} <= {e.name for e in entities}
    assert {link.relation for link in before.values()} >= {MENTIONS, "MOVED_TO", "就职于", "女儿"}
    ids = {entity.id: entity.name for entity in entities}
    mentioned = {ids[k.target] for k in before.values() if k.relation == MENTIONS}
    assert "Leeds" in mentioned
    assert not mentioned & {"阿信", "Eve"}
    run(redistill=True)
    assert {link.id: link for link in home.index.all_links(Where(USER))} == before
    assert home.index.entities(Where(USER)) == entities
