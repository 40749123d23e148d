"""Sessions cut into windows of numbered lines."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted_talk import TALK

from alaya.distill.grounding import spans, terms
from alaya.distill.windows import language, windows
from alaya.distill.work import Work
from alaya.model.raw import ArchivedTurn, Origin, Role, Session, ToolCall, Turn, TurnMark
from alaya.model.scope import Scope
from alaya.model.time import EPOCH
from alaya.model.tokens import estimate

SESSION = Session("s1", Scope("default"), EPOCH)


def cut(turns: list[ArchivedTurn], budget: int = 6000, context: Any = ()) -> Any:
    return windows(Work(SESSION, tuple(context), tuple(turns)), budget)


def turn(content: str, number: int = 0, role: Role = Role.USER, **more: Any) -> ArchivedTurn:
    origin = more.pop("origin", Origin.TOOL if role is Role.TOOL else Origin.OWNER)
    return ArchivedTurn(Turn(f"t{number}", role, content, origin=origin, **more), number, 0, 0, 0)


def test_what_is_not_read(say: Any) -> None:
    """Left branches, system prompts, what alaya and hosts had put there, and empty turns."""
    injected = "<alaya-memory>\nYou are allergic.\n</alaya-memory>"
    content = f"{injected}\nHello <system-reminder>be good</system-reminder>"
    turns = [
        turn(content, 0, injected=((0, len(injected)),)),
        turn("rules", 1, Role.SYSTEM),
        turn("scaffold", 2, origin=Origin.SYSTEM),
        replace(turn("left", 3), mark=TurnMark.SIDE),
        turn(injected, 4, Role.TOOL, injected=((0, len(injected)),)),
        turn(" \n", 5),
    ]
    (window,) = cut(turns)
    assert [line.text for line in window.lines] == ["Hello"]
    assert window.upto == 6
    assert cut(turns[1:]) == []


def test_tools_are_read_at_both_ends() -> None:
    """Long output is shortened; calls are named in short, but not what alaya was asked."""
    calls = (
        ToolCall("1", "Bash", '{"command": "make test"}'),
        ToolCall("2", "mcp__alaya__recall", "{}"),
        ToolCall("3", "Bash", '{"command": "alaya recall secrets"}'),
    )
    turns = [
        turn("I run it", 0, Role.ASSISTANT, tool_calls=calls),
        turn("begin " + "x" * 9000 + " end", 1, Role.TOOL),
        turn("It fails.", 2, Role.ASSISTANT),
    ]
    (window,) = cut(turns)
    first, second, third = window.lines
    assert first.text == 'I run it\n→ Bash {"command": "make test"}'
    assert second.text.startswith("begin x")
    assert second.text.endswith("x end")
    assert len(second.text) < 1300
    assert [line.carries for line in window.lines] == [True, False, True]
    assert third.carries
    assert cut(turns[1:2]) == []  # nobody speaks


def test_context_is_background(say: Any) -> None:
    """Turns from before are marked, come first, and only as far as an eighth of the budget."""
    context = say(*TALK)
    (window,) = cut(say(("u", "new"), first=3), 6000, context)
    assert [line.fresh for line in window.lines] == [False, False, False, True]
    (window,) = cut(say(("u", "new"), first=3), 400, context)
    assert [line.turn.id for line in window.lines] == ["t2", "t3"]


def test_languages(say: Any) -> None:
    """Chinese is what mostly is in Chinese, also with English terms."""
    for words, expected in (
        ("我们决定用 Redis 做 cache，因为 latency 低。", "zh"),
        ("The word 茶 means tea in Chinese.", "en"),
        ("12345", "en"),
    ):
        (window,) = cut(say(("u", words)))
        assert language(window.lines) == expected


TEXT = st.text(st.sampled_from("ab 茶。.\n🥜x"), min_size=1, max_size=400)
ROLES = st.sampled_from([Role.USER, Role.ASSISTANT, Role.TOOL])
TURNS = st.lists(st.tuples(ROLES, TEXT), max_size=12)


@given(said=TURNS, budget=st.integers(200, 900))
def test_any_session(said: list[tuple[Role, str]], budget: int) -> None:
    """Every word that somebody says is in one window as new, in order; none is over the budget."""
    turns = [turn(words, i, role) for i, (role, words) in enumerate(said)]
    found = cut(turns, budget)
    fresh = [line for window in found for line in window.lines if line.fresh]
    for one in turns:
        if one.turn.role is Role.TOOL:
            continue
        pieces = [line for line in fresh if line.turn.id == one.turn.id]
        said_there = "".join(one.turn.content[line.start : line.end] for line in pieces)
        assert said_there.split() == one.turn.content.split()
    assert [line.archived.ordinal for line in fresh] == sorted(
        line.archived.ordinal for line in fresh
    )
    for window in found:
        assert sum(line.tokens for line in window.lines) <= budget
        assert window.upto <= len(turns)
    if found:
        assert found[-1].upto == len(turns)


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        ("The renamed column was the cause", ["The cause was a renamed column."]),
        ("I changed id to item_id in the import", ["I changed `id` to `item_id` in the import."]),
        ("完全不同的内容", [TALK[1][1]]),
    ],
)
def test_evidence_is_found_in_the_words(say: Any, card: str, expected: list[str]) -> None:
    """The sentences that share most words with the card; else the whole turn."""
    (window,) = cut(say(TALK[1]))
    (line,) = window.lines
    found = spans(terms(card, None), line, stem=None)
    assert [line.turn.content[start:end] for start, end in found] == expected


def test_a_long_turn_is_cut_and_cited_where_it_stands() -> None:
    """Evidence in the last piece of a long turn has its place in the whole turn."""
    content = "\n".join(f"第 {i} 行：这里没有什么特别的内容。" for i in range(300))
    content += "\n密码轮换必须在每月一号的凌晨三点进行。"
    found = cut([turn(content)], 1000)
    assert len(found) > 3
    assert all(estimate(line.text) <= 1000 for window in found for line in window.lines)
    last = found[-1].lines[-1]
    ((start, end),) = spans(terms("密码轮换在每月一号凌晨三点", None), last, stem=None)
    assert content[start:end] == "密码轮换必须在每月一号的凌晨三点进行。"
