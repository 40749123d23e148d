"""What says the same goes behind, and nothing else moves."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alaya.model.forms import forms
from alaya.recall.diversity import Told, enough, overlap, spread

LONG = (
    "The gateway would not start after the update because another process held its port, "
    "so we looked for the process, stopped it, started the gateway again and wrote it down"
)


def told(text: str, speaker: str = "") -> Told:
    return Told(forms(text), lambda: text, speaker)


def order(texts, scores=None, *, limit: int = 100, diversity: float = 0.5, seen=()) -> list[int]:
    falling = scores or [1 - n / 1000 for n in range(len(texts))]
    found = spread(
        [told(t) for t in texts],
        falling,
        limit=limit,
        diversity=diversity,
        seen=[told(t) for t in seen],
    )
    return list(found)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("The port is 9000", "The port is 9000"),
        ("网关的端口被占用了，换一个", "网关的端口被占用了，换一个"),
        (LONG, LONG + " today."),
        (LONG + " again, as always", LONG),
        ("we stopped the process that held the gateway port", "Bob: we stopped the process that "
         "held the gateway port. Alice: good, then let us write that down for the others"),
    ],
)  # fmt: skip
def test_the_same(new, old) -> None:
    """Equal words, a few added words, and what is quoted whole are the same."""
    assert overlap(told(new), told(old)) >= 0.8


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("The port is 9000", "The port is 9001"),
        (LONG + " on 3 May", LONG + " on 4 May"),
        ("I eat meat at home", "I do not eat meat at home"),
        ("我吃肉", "我不吃肉"),
        ("Is the gateway port taken?", "The gateway port is taken."),
        ("Alice lives in Vienna", "Bob lives in Vienna"),
        ("thanks", LONG + " thanks"),
        ("port process gateway start update", LONG),
        (LONG + " and much else that nobody had known before, about lions, bread and snow", LONG),
        ("", ""),
        ("the of and", "the of and"),
    ],
)
def test_not_the_same(new, old) -> None:
    """Other numbers, names, a denial, a question, a word or two in a longer text: other facts."""
    assert overlap(told(new), told(old)) == 0


def test_speakers() -> None:
    """The same words of two people are two facts; a card that quotes one of them is not."""
    assert overlap(told("I love hiking", "alice"), told("I love hiking", "bob")) == 0
    assert overlap(told("I love hiking", "alice"), told("I love hiking", "alice")) == 1
    assert overlap(told("I love hiking", "alice"), told("I love hiking")) == 1


def test_ten_times() -> None:
    """The same fact ten times fills one place; the others stand behind, in order, not lost."""
    texts = ["the port is 9000"] * 10 + ["bread is baked", "the lion sleeps", "雪下了一夜"]
    assert order(texts, limit=4) == [0, 10, 11, 12]
    assert order(texts) == [0, 10, 11, 12, 1, 2, 3, 4, 5, 6, 7, 8, 9]


def test_how_much_of_it_stands_before() -> None:
    """Each that is shown tells how much of it repeats what is before it, or was seen."""
    texts = ["the port is 9000", "bread is baked", "the port is 9000"]
    fresh = spread([told(t) for t in texts], [1.0, 0.9, 0.8], limit=3, diversity=0.5)
    assert fresh == {0: 0.0, 1: 0.0, 2: 1.0}
    seen = [told("Bread is baked!")]
    again = spread([told(t) for t in texts], [1.0, 0.9, 0.8], limit=3, diversity=0.5, seen=seen)
    assert again[1] == 1.0


def test_off() -> None:
    """With a diversity of 0 nothing moves."""
    assert order(["same words here"] * 3 + ["other"], diversity=0) == [0, 1, 2, 3]


def test_what_was_seen() -> None:
    """What repeats something the caller has seen goes behind, too."""
    assert order(["the port is 9000", "bread is baked"], seen=["The port is 9000!"]) == [1, 0]


def test_far_below() -> None:
    """Lambda weighs: with little diversity a repetition stays before what is hardly relevant."""
    texts, scores = ["the port is 9000", "the port is 9000", "bread"], [1.0, 0.9, 0.05]
    assert order(texts, scores, diversity=0.2) == [0, 1, 2]
    assert order(texts, scores, diversity=0.5) == [0, 2, 1]


WORDS = st.sampled_from(
    ["gateway", "port", "process", "bread", "lion", "9000", "9001", "网关", "not"]
)
TEXTS = st.lists(st.lists(WORDS, min_size=1, max_size=12).map(" ".join), max_size=14)


@given(TEXTS, st.floats(0.05, 0.95), st.randoms(use_true_random=False))
def test_as_by_the_formula(texts: list[str], diversity: float, chance: random.Random) -> None:
    """The lazy choice is that of MMR worked out in full, position by position."""
    scores = sorted((chance.random() for _ in texts), reverse=True)
    shown = [told(text) for text in texts]
    left, expected = list(range(len(texts))), []
    while left:
        best = max(
            left,
            key=lambda n: (
                (1 - diversity) * scores[n]
                - diversity * max((overlap(shown[n], shown[c]) for c in expected), default=0.0),
                -n,
            ),
        )
        left.remove(best)
        expected.append(best)
    assert order(texts, scores, diversity=diversity) == expected


@given(st.lists(st.integers(0, 3), max_size=12), st.integers(0, 4))
def test_enough(keys: list[int], wanted: int) -> None:
    """A ranking is cut before the key that would be one too many."""
    count = enough(keys, wanted)
    assert len(set(keys[:count])) <= wanted
    if count < len(keys):
        assert len(set(keys[: count + 1])) == wanted + 1
