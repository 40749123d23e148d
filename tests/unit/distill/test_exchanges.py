"""How a talk between people is cut into exchanges."""

from __future__ import annotations

from datetime import timedelta

import pytest

from alaya.distill.exchanges import MOST_CHARACTERS, MOST_TURNS, Exchange, exchanges, stretches
from alaya.distill.reading import read
from alaya.distill.rules import breaks_of
from alaya.model.raw import ArchivedTurn

NAMES = {"u": "Dana", "a": "Luis"}
ZH = {"u": "林悦", "a": "陈默"}


@pytest.fixture
def cut(say):
    """Cut what was said (or turns as they are) into exchanges."""

    def run(*said, names: dict[str, str] = NAMES, context: int = 0, cost: float = 0.75):
        plain = not all(isinstance(s, ArchivedTurn) for s in said)
        turns = say(*said, names=names) if plain else list(said)
        reading = read(turns[context:], turns[:context])
        return exchanges(
            stretches(reading), breaks=breaks_of(turns, 0), borders=frozenset(), cost=cost
        )

    return run


def words(exchange: Exchange) -> str:
    """All sentences of an exchange."""
    return " | ".join(s.text for stretch in exchange for s in stretch.said)


def test_question_with_answer(cut) -> None:
    """A question stays with its answer, and the next question opens the next exchange."""
    found = cut(
        ("u", "Which instrument does your brother play?"),
        ("a", "He plays the cello in the city orchestra. Where did you spend the holidays?"),
        ("u", "We hiked in the Dolomites for a week."),
    )
    assert [words(e) for e in found] == [
        "Which instrument does your brother play? | He plays the cello in the city orchestra.",
        "Where did you spend the holidays? | We hiked in the Dolomites for a week.",
    ]


def test_question_with_answer_in_chinese(cut) -> None:
    """The same in Chinese: a turn that answers and asks is cut inside."""
    found = cut(
        ("u", "你女儿学什么乐器？"),
        ("a", "她在少年宫学大提琴。你国庆去哪儿玩了？"),
        ("u", "去了敦煌看莫高窟，住了四天。"),
        names=ZH,
    )
    assert [words(e) for e in found] == [
        "你女儿学什么乐器？ | 她在少年宫学大提琴。",
        "你国庆去哪儿玩了？ | 去了敦煌看莫高窟，住了四天。",
    ]


def test_follow_up(cut) -> None:
    """A question without a subject of its own does not open an exchange."""
    found = cut(
        ("u", "I took my kids camping by the lake."),
        ("a", "Oh! How was it?"),
        ("u", "It rained, but they caught a pike."),
    )
    assert len(found) == 1


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ([("u", "Hey Luis!"), ("a", "Hi Dana, how are you?"), ("u", "I'm doing great!")], NAMES),
        ([("u", "Wow, congratulations!"), ("a", "Thanks! Bye."), ("u", "Good night!")], NAMES),
        ([("u", "早上好！"), ("a", "你好，好久不见"), ("u", "哈哈"), ("a", "晚安")], ZH),
    ],
)
def test_greetings(cut, said, names) -> None:
    """Greetings and mere reactions belong to no exchange."""
    assert cut(*said, names=names) == []


@pytest.mark.parametrize("answer", ["In Porto.", "Yes.", "Night shifts.", "Morning yoga."])
def test_brief_answers(cut, answer: str) -> None:
    """An answer of one or two words is kept with its question."""
    (found,) = cut(("u", "What do you do on weekdays in winter?"), ("a", answer))
    assert words(found).endswith(f"| {answer}")


def test_at_most_six_turns(cut) -> None:
    """No exchange has more than six turns or 1,500 characters, and no words are lost or doubled."""
    said = [("u" if i % 2 else "a", f"I bought apple number {i} at the market.") for i in range(40)]
    for cost in (0.75, 8.0):
        found = cut(*said, cost=cost)
        assert max(len({s.one.index for s in e}) for e in found) <= MOST_TURNS
        assert sum(len(e) for e in found) == len(said)
        assert [s.one.index for e in found for s in e] == list(range(40))
    long = [("u" if i % 2 else "a", f"I painted door {i}. " * 30) for i in range(8)]
    sizes = [sum(s.size for s in e) for e in cut(*long, cost=8.0)]
    assert max(sizes) <= MOST_CHARACTERS


def later(turns: list[ArchivedTurn], start: int) -> list[ArchivedTurn]:
    """The turns with five hours of silence before the `start`-th."""
    moved = []
    for i, t in enumerate(turns):
        said_at = t.turn.said_at + timedelta(hours=5 * (i >= start))
        turn = t.turn.__class__(**{**t.turn.__dict__, "said_at": said_at})
        moved.append(t.__class__(**{**t.__dict__, "turn": turn}))
    return moved


def test_silence(cut, say) -> None:
    """After hours of silence another exchange begins, but for the answer to a question."""
    told = [("u", "I planted two cherry trees."), ("a", "My cherry trees are in bloom now.")]
    assert len(cut(*later(say(*told, names=NAMES), 1))) == 2
    asked = [("u", "Which cherry trees did you plant?"), ("a", "Two Morello trees.")]
    assert len(cut(*later(say(*asked, names=NAMES), 1))) == 1


def test_context(cut) -> None:
    """Of the context only the question that is answered now takes part, and never alone."""
    said = (
        ("u", "I moved to Ghent in May."),
        ("a", "Which quarter of Ghent do you live in?"),
        ("u", "In Patershol, next to the castle."),
    )
    (found,) = cut(*said, context=2)
    assert words(found) == (
        "Which quarter of Ghent do you live in? | In Patershol, next to the castle."
    )
    assert cut(*said, ("a", "Bye!"), context=3) == []
