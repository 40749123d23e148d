"""What becomes a card of what people tell each other, and what the card says."""

from __future__ import annotations

import pytest

from alaya.distill.rules import RuleDistiller
from alaya.model.raw import Origin, Role

NAMES = {"u": "Dana", "a": "Luis"}
ZH = {"u": "林悦", "a": "陈默"}
TALK = (
    ("u", "Hey Luis! How have you been?"),
    ("a", "Great! Last Friday I ran the harbour race with my sister. Do you still paint?"),
    ("u", "Yes, since May. I'm taking a class in watercolours at the old mill."),
    ("a", "Wow, nice!"),
    ("u", "Thanks! Which team do you train with?"),
    ("a", "The Otters. We meet on Tuesdays and Thursdays behind the stadium."),
)


@pytest.mark.parametrize(
    ("said", "names", "kind"),
    [
        ([("u", "What's new?"), ("a", "I ran the harbour race on Sunday.")], NAMES, "observation"),
        ([("u", "Where do you live?"), ("a", "I live in Porto with my wife.")], NAMES, "concept"),
        (
            [("u", "Rome or Lisbon?"), ("a", "We decided to go to Lisbon in May.")],
            NAMES,
            "decision",
        ),
        ([("u", "周末干嘛了？"), ("a", "周六我们去爬了香山，人特别多。")], ZH, "observation"),
        ([("u", "你住哪儿？"), ("a", "我住在苏州，我妻子在医院工作。")], ZH, "concept"),
        ([("u", "去云南还是贵州？"), ("a", "我们商量过，决定五月去云南。")], ZH, "decision"),
    ],
)
def test_kinds(distil, said, names, kind: str) -> None:
    """What happened is an observation, what lasts a concept, a choice a decision."""
    (card,) = distil(*said, names=names).cards
    assert card.kind.value == kind
    assert card.title.startswith(names["a"])


def test_content(distil) -> None:
    """A card quotes question and answer under the names of who spoke, and names its days."""
    first, second, third = distil(*TALK, names=NAMES).cards
    assert first.content == (
        "Luis: Last Friday I ran the harbour race with my sister.\n"
        "(31 March 2026; Last Friday = 27 March 2026)"
    )
    assert second.content == (
        "Luis: Do you still paint?\n"
        "Dana: Yes, since May. I'm taking a class in watercolours at the old mill.\n"
        "(31 March 2026)"
    )
    assert third.content.startswith("Dana: Which team do you train with?\nLuis: The Otters. We ")
    assert third.title == "Luis: We meet on Tuesdays and Thursdays behind the stadium"


def test_content_in_chinese(distil) -> None:
    """The same in Chinese, without spaces between sentences."""
    (card,) = distil(
        ("u", "你女儿几岁了？"), ("a", "六岁。她去年开始学画画，我上周六陪她看了画展。"), names=ZH
    ).cards
    assert card.content == (
        "林悦：你女儿几岁了？\n"
        "陈默：六岁。她去年开始学画画，我上周六陪她看了画展。\n"
        "（2026年3月31日；去年 = 2025年；上周六 = 2026年3月28日）"
    )


def test_two_messages(distil) -> None:
    """Two messages without a full stop are told apart where they stand in one line."""
    (card,) = distil(
        ("a", "Where do you work?"),
        ("u", "i work in a tea shop in Ghent"),
        ("u", "we moved here in may"),
        names=NAMES,
    ).cards
    assert "Dana: i work in a tea shop in Ghent / we moved here in may" in card.content


def test_true_to_words(say, session) -> None:
    """Every line but the last quotes its turns, and every word that is quoted is cited."""
    turns = say(*TALK, names=NAMES)
    said = {t.turn.id: t.turn.content for t in turns}
    for card in RuleDistiller()(session(), turns, context=()).cards:
        cited = " ".join(said[t][a:b] for t, a, b in card.evidence)
        for line in card.content.splitlines()[:-1]:
            name, _, quote = line.partition(": ")
            assert name in NAMES.values()
            assert quote in cited


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ([("u", "Way to go, Luis! Let's help those in need."), ("a", "Yes, we can do it!")], NAMES),
        ([("u", "Have you met the new neighbour?"), ("a", "Not yet.")], NAMES),
        ([("u", "What do you think?"), ("a", "Hmm.")], NAMES),
        ([("u", "加油！"), ("a", "谢谢，一起努力。")], ZH),
    ],
)
def test_nothing_told(distil, said, names) -> None:
    """Where nobody tells anything, and no question is answered at length, there is no card."""
    assert distil(*said, names=names).cards == ()


def test_answers(distil) -> None:
    """What answers a question at length is worth a card, though it tells of nobody."""
    answer = (
        "The old lighthouse stands on a rock off the coast, and its keeper shows visitors round."
    )
    (card,) = distil(("u", "What is there to see?"), ("a", answer), names=NAMES).cards
    assert answer in card.content
    assert distil(("u", "So it is."), ("a", answer), names=NAMES).cards == ()


def test_allergies(distil) -> None:
    """An allergy names its card, whatever else was said or decided beside it."""
    (card,) = distil(
        ("u", "我们决定五一去云南，机票已经订好了，要不要一起？"),
        ("a", "好啊，我对海鲜过敏，别安排海鲜大餐就行。"),
        names=ZH,
    ).cards
    assert "过敏" in card.title
    assert card.importance >= 0.7


def test_three_people(say, session) -> None:
    """People of a group are read like two people, also where nobody vouches for them."""
    turns = say(
        ("u", "Who is coming to the harbour race?"),
        ("u", "I'm in, I signed up on Monday with my cousin."),
        ("u", "I moved to Ghent last month, so I can't."),
    )
    told = []
    for name, t in zip(("Ana", "Ben", "Cleo"), turns, strict=True):
        turn = t.turn.__class__(
            **{**t.turn.__dict__, "name": name, "role": Role.USER, "origin": Origin.UNTRUSTED}
        )
        told.append(t.__class__(**{**t.__dict__, "turn": turn}))
    (card,) = RuleDistiller()(session(), told, context=()).cards
    assert {line.split(":")[0] for line in card.content.splitlines()[:-1]} == {"Ana", "Ben", "Cleo"}


def test_an_agent_without_a_name(distil) -> None:
    """A named user and an assistant without a name are no talk between people."""
    draft = distil(
        ("u", "I ran the harbour race on Sunday."), ("a", "Well done!"), names={"u": "Dana"}
    )
    assert all(card.kind.value != "observation" for card in draft.cards)


def test_many_exchanges(say, session) -> None:
    """More exchanges than cards are wanted: longer ones are made, then the best are kept."""
    subjects = (
        *("garden roses", "cello lessons", "harbour races", "Lisbon holidays", "cheese recipes"),
        *("chess clubs", "winter boots", "piano repairs", "mushroom hunts", "sailing trips"),
        *("pottery courses", "bicycle tyres"),
    )
    said = []
    for subject in subjects:
        said.append(("u", f"How are the {subject}?"))
        said.append(("a", f"I spent all of yesterday on {subject}."))
    turns = say(*said, names=NAMES)
    every = RuleDistiller(max_cards=30)(session(), turns, context=()).cards
    assert len(every) == 12
    few = RuleDistiller(max_cards=5)(session(), turns, context=()).cards
    assert len(few) <= 5
    cited = {t for card in few for t, _, _ in card.evidence}
    assert len(cited) == 24
    fewer = RuleDistiller(max_cards=2)(session(), turns, context=())
    assert len(fewer.cards) == 2
    assert fewer.dropped > 0
    assert all(len({t for t, _, _ in c.evidence}) <= 6 for c in (*every, *few, *fewer.cards))
