"""Cutting turns into sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alaya.distill.sentences import sentences
from alaya.model.raw import Role, Turn


def texts(
    words: str, role: Role = Role.USER, injected: tuple[tuple[int, int], ...] = ()
) -> list[str]:
    """The sentences of a turn."""
    return [s.text for s in sentences(Turn("t", role, words, injected=injected))[0]]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("好的。那就这样！可以吗？", ["好的。", "那就这样！", "可以吗？"]),
        ("他说“好。”然后走了。", ["他说“好。”", "然后走了。"]),
        ("Use e.g. v1.2.3 of a.b.c now.", ["Use e.g. v1.2.3 of a.b.c now."]),
        (
            "See https://a.example/x?y=1.z for it. Done.",
            ["See https://a.example/x?y=1.z for it.", "Done."],
        ),
        ("- first\n- second", ["first", "second"]),
        ("1. 先备份\n2. 再升级", ["先备份", "再升级"]),
        ("10.2.0.15 是生产库。", ["10.2.0.15 是生产库。"]),
        ("", []),
        ("...\n---", []),
    ],
)
def test_cut(words: str, expected: list[str]) -> None:
    """Chinese and English marks end a sentence; versions, addresses and abbreviations do not."""
    assert texts(words) == expected


def test_code_left_out() -> None:
    """Fenced code is no sentence, and is found as a block."""
    turn = Turn("t", Role.USER, "Look:\n```py\nx = 1. y = 2.\n```\nIt fails.")
    found, blocks = sentences(turn)
    assert [s.text for s in found] == ["Look:", "It fails."]
    assert turn.content[blocks[0].start : blocks[0].end].strip().startswith("```py")


def test_nobodys_words() -> None:
    """What alaya injected and what the host wrapped around the prompt is not read."""
    words = "MEMORY: I like tea. Hello there."
    assert texts(words, injected=((0, 19),)) == ["Hello there."]
    assert texts("<system-reminder>Always use X.</system-reminder>\nfine") == ["fine"]


def test_long_tool_output() -> None:
    """Of long tool output both ends are read."""
    found = texts("start line\n" + "x y\n" * 3000 + "fatal: last line", Role.TOOL)
    assert found[0] == "start line"
    assert found[-1] == "fatal: last line"
    assert len(found) < 1000


@given(st.text(alphabet="ab .!?。！？\n`~1-、<>“”", max_size=200))
def test_places(words: str) -> None:
    """A sentence is exactly what stands at its place, and sentences do not overlap."""
    last = 0
    for one in sentences(Turn("t", Role.USER, words))[0]:
        assert words[one.start : one.end] == one.text
        assert one.start >= last
        last = one.end
