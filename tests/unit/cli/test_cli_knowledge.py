"""What `add`, `facts`, `entities` and `summaries` print, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from alaya.cli import show_knowledge as show
from alaya.cli.commands import ROLES
from alaya.cli.page import Page
from alaya.model.action import Added, EntityFound, FactFound
from alaya.model.graph import Entity, EntityKind, Link, Summary
from alaya.model.raw import Role, Span, Turn
from alaya.model.report import DistillReport
from alaya.model.scope import Scope

Make = Callable[..., Page]
NOON = datetime(2026, 3, 5, 12, tzinfo=UTC)
ME = Scope()
SPANS = tuple(Span("s", f"t{n}", 0, 3, "ab" * 32) for n in range(5))
MEL = Entity("entity-m", ME, "Mel", EntityKind.PERSON, ("信哥",), "lives\x1b[31m here", SPANS)
LINK = Link(
    ME, "entity-m", "住在", "entity-o", NOON, fact="Mel 住在 Oslo", evidence=SPANS[:1],
    invalid_at=NOON.replace(day=9),
)  # fmt: skip
FACT = FactFound(LINK, "Mel", "Oslo", holds=False)
SUMMARY = Summary("summary-1", ME, "s", "搬家", "Mel moved\nto Oslo", "t0", "t4", NOON)


def test_roles_are_those_of_turns() -> None:
    """What --role takes is every role that there is."""
    assert tuple(role.value for role in Role) == ROLES


def test_facts(make_page: Make) -> None:
    """The sentence, what it joins, from when until when, and the turns that tell it."""
    text = "\n".join(show.fact_lines([FACT], make_page(), more=50))
    assert "  Mel 住在 Oslo\n" in text
    assert "Mel —住在→ Oslo; from 2026-03-05 until 2026-03-09; from s#t0" in text
    assert text.endswith("There are more: --offset 50")
    local = "\n".join(show.fact_lines([FACT], make_page("zh"), more=50))
    assert "自 2026-03-05 至 2026-03-09；出自 s#t0".replace("；", "; ") in local
    assert "还有更多：--offset 50" in local
    holding = FactFound(replace(LINK, invalid_at=None))
    assert "since 2026-03-05" in "\n".join(show.fact_lines([holding], make_page(), more=None))
    document = show.fact_document(FACT)
    assert document["subject"] == {"id": "entity-m", "name": "Mel"}
    assert (document["holds"], document["invalid_at"][:10]) == (False, "2026-03-09")


def test_entities(make_page: Make) -> None:
    """A line each with other names, kind and facts; one in full, without control characters."""
    found = EntityFound(MEL, facts=1)
    assert show.entity_lines([found], make_page(), more=None)[1:] == [
        "  Mel = 信哥 (person): 1 fact"
    ]
    assert show.entity_lines([found], make_page("zh"), more=None)[1:] == [
        "  Mel = 信哥 (人物): 1 条事实"
    ]
    whole = "\n".join(show.whole_entity(found, make_page(), facts=[FACT]))
    assert "\x1b" not in whole
    assert "entity-m" in whole
    assert "from s#t0, s#t1, s#t2, …" in whole
    assert "    Mel 住在 Oslo" in whole


def test_summaries(make_page: Make) -> None:
    """Topic and day, the words, and which turns."""
    lines = show.summary_lines([SUMMARY], make_page(), more=None)
    assert lines[1:] == ["  搬家 (2026-03-05)", "    Mel moved", "    to Oslo", "    s#t0 … #t4"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_is_said_to_be_nothing(make_page: Make, language: str) -> None:
    """An empty list is a sentence."""
    page = make_page(language)
    for lines in (show.fact_lines, show.entity_lines, show.summary_lines):
        assert len(lines([], page, more=None)) == 1


def test_added(make_page: Make) -> None:
    """What is new, known and learnt; that nothing is new; and what to do next."""
    turn = Turn("t", Role.USER, "x")
    learnt = Added(
        "s", True, (turn,), 2, entities=(MEL,), facts=(LINK,), summaries=(SUMMARY,),
        redacted={"api key": 1}, skipped={"empty message": 1},
        distilled=DistillReport("rules", None),
    )  # fmt: skip
    text = "\n".join(show.added_lines(learnt, make_page()))
    for words in (
        "✓ Added 1 turn to session s",
        "Known already: 2",
        "Skipped: 1 × empty message",
        "Replaced 1 secret: 1 × api key",
        "✓ Mel = 信哥 (person)",
        "✓ Mel 住在 Oslo",
        "Learnt: 1 entity, 1 fact, 1 summary",
    ):
        assert words in text
    local = "\n".join(show.added_lines(learnt, make_page("zh")))
    assert "学到：1 个实体，1 条事实，1 条摘要" in local
    known = show.added_lines(Added("s", False, known=3), make_page(decor=True))
    assert "Nothing new: session s holds all of it" in known[0]
    assert "alaya distill --session s" in known[-1]
