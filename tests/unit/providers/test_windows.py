"""The windows that long text is cut into before a model sees it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alaya.providers.windows import MOST, UNITS, question, tidy, windows


@pytest.mark.parametrize("text", ["", " ", "\n\t\r", "\x00", "　\x00 "])
def test_nothing(text: str) -> None:
    """A text without a character to read has no window."""
    assert windows(text) == []


def test_short_is_whole() -> None:
    """A text that fits is one window, its white space made single."""
    assert windows("  one\n\n two\x00\tthree ") == ["one two three"]


def test_borders() -> None:
    """Windows end where sentences do."""
    sentence = "This sentence is about nothing at all, but it does end somewhere. "
    found = windows(sentence * 60)
    assert len(found) > 2
    assert all(part.endswith("somewhere.") for part in found)
    chinese = windows("这句话什么也没有说，不过它总归会结束。" * 60)
    assert len(chinese) > 2
    assert all(part.endswith("。") for part in chinese)


def test_words_stay_whole() -> None:
    """Where no sentence ends, a window ends between words."""
    assert {w for part in windows("plugin " * 1000) for w in part.split()} == {"plugin"}


def test_sizes() -> None:
    """A window holds some 1,200 Latin or 400 Chinese characters, a quarter more at the end."""
    assert max(map(len, windows("x" * 9000))) <= UNITS * 1.25
    assert max(map(len, windows("字" * 3000))) <= UNITS / 3 * 1.25
    assert len(windows("字" * 500)) == 1
    assert len(windows("字" * 501)) == 2


def test_cap() -> None:
    """Of a very long text the beginning is kept, and parts at even distances up to the end."""
    numbered = " ".join(f"{i:06d}" for i in range(200_000))
    found = windows(numbered)
    assert len(found) == MOST
    starts = [int(part.split()[0]) for part in found]
    assert starts == sorted(starts)
    assert found[0].startswith("000000")
    assert found[-1].endswith("199999")
    steps = [b - a for a, b in pairwise(starts[:8])]
    assert max(steps) < 200  # the first half stands together
    assert max(b - a for a, b in pairwise(starts[7:])) < 200_000 / 7


@given(st.text(max_size=400), st.integers(3, 60), st.integers(1, 9))
def test_any_text(text: str, units: int, most: int) -> None:
    """Of any text, windows are never blank nor too many, and within the cap they lose nothing."""
    found = windows(text, units=units, most=most)
    assert len(found) <= most
    assert all(part.strip() for part in found)
    everything = windows(text, units=units, most=10_000)
    assert "".join(everything).replace(" ", "") == tidy(text).replace(" ", "")


def test_question() -> None:
    """Of a long question the beginning and the end are asked."""
    long = "first words. " + "filler text " * 500 + "why does it fail?"
    asked = question(long)
    assert asked.startswith("first words.")
    assert asked.endswith("why does it fail?")
    assert len(windows(asked)) == 1
    assert question(" short\n one ") == "short one"
    assert len(question("字" * 3000)) <= UNITS / 3 + 3
