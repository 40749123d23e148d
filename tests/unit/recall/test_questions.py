"""The questions in what was asked, in both languages and among chat."""

from __future__ import annotations

import time

import pytest

from alaya.recall.questions import questions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Who won?", ("Who won?",)),
        ("I was at the fair today. Who won? And where is it?", ("Who won?", "And where is it?")),
        ("It rained! We left; who won?", ("who won?",)),
        ("first line\nwho won?\nthanks", ("who won?",)),
        ("Really?! Who won?", ("Really?", "Who won?")),
        ("who won ? ok", ("who won ?",)),
    ],
)
def test_english(text, expected) -> None:
    """The sentences that end with a question mark, without what was said around them."""
    assert questions(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("谁赢了？", ("谁赢了？",)),
        ("今天天气真好。会议是几点？在哪儿？", ("会议是几点？", "在哪儿？")),
        ("我去了集市！人很多；谁赢了？", ("谁赢了？",)),
        ("谁赢了?在哪儿?", ("谁赢了?", "在哪儿?")),
        ("“谁赢了？”他问。", ("“谁赢了？",)),
    ],
)
def test_chinese(text, expected) -> None:
    """So it is with marks of either width, and without a space between the sentences."""
    assert questions(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我今天去了集市。It was fun. 谁赢了？Who lost?", ("谁赢了？", "Who lost?")),
        ("Gateway 启动失败。which port？端口是多少?", ("which port？", "端口是多少?")),
        ("gateway.port 是多少？", ("gateway.port 是多少？",)),
    ],
)
def test_both_languages(text, expected) -> None:
    """Developers write both in one line."""
    assert questions(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the gateway port", ("the gateway port",)),
        ("I was at the fair. Tell me who won", ("Tell me who won",)),
        ("我去了集市。告诉我谁赢了", ("告诉我谁赢了",)),
        ("我去了集市。告诉我谁赢了。", ("告诉我谁赢了。",)),
        ("a title\nthe gateway port", ("the gateway port",)),
    ],
)
def test_no_question_mark(text, expected) -> None:
    """Without a question mark it is the last sentence that asks."""
    assert questions(text) == expected


@pytest.mark.parametrize("text", ["", " ", "\n\t\n"])
def test_empty(text) -> None:
    """Nothing asks nothing."""
    assert questions(text) == ()


@pytest.mark.parametrize("text", ["🦓", "👍🏽 ❤️", "？？？", "?!", "...", "。"])
def test_signs_alone(text) -> None:
    """Emoji are words; marks without a word are no question."""
    assert questions(text) == ((text,) if ord(text[0]) > 0xFFFF else ())


@pytest.mark.parametrize(
    "text",
    [
        "Is it 3.5 or 4.0?",
        "Which fruits does she like, e.g. apples?",
        "Is it too late, i.e. after 5 p.m. on Friday?",
        "Did Dr. Smith call Mrs. Jones?",
        "Who is J. K. Rowling?",
        "Was v2.0.1 released?",
        "圆周率是 3.14 吗？",
    ],
)
def test_full_stops_inside(text) -> None:
    """The full stop of a number, an abbreviation, a title or an initial ends no sentence."""
    assert questions(text) == (text,)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It costs 5. Who paid?", "Who paid?"),
        ("we met in 2023. who paid?", "who paid?"),
        ("I asked Bob. He said no... Who paid?", "Who paid?"),
    ],
)
def test_full_stops_behind(text, expected) -> None:
    """After a word, a number or more stops a sentence ends, whatever case goes on."""
    assert questions(text) == (expected,)


def test_many() -> None:
    """Six are told apart at most, the first ones."""
    asked = [f"Who was number {n}?" for n in range(9)]
    assert questions(" ".join(asked)) == tuple(asked[:6])


def test_many_marks() -> None:
    """However often a mark is repeated, no other question is lost for it."""
    assert questions("Who won??????? And where?") == ("Who won?", "And where?")
    assert questions("谁赢了？？？？？？？在哪儿？") == ("谁赢了？", "在哪儿？")


@pytest.mark.parametrize(
    "unit", ["word ", "a. ", "? ", "？", " ", "\n", ". ", "Dr. ", "e.g. ", "啊"]
)
def test_huge(unit) -> None:
    """Two million characters take a moment, and what is asked at their end is found."""
    text = unit * (2_000_000 // len(unit)) + "\nwho won?"
    start = time.process_time()
    found = questions(text)
    assert time.process_time() - start < 5
    assert found[-1] == "who won?"
