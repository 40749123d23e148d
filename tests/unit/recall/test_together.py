"""Two texts that answer together: what the one lacks of a question, the other holds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from alaya.model.forms import Forms
from alaya.model.passage import Item, ItemKind, Query, Where
from alaya.recall import features
from alaya.recall.answer import recall
from alaya.recall.features import Scene
from alaya.testing.invented import ALICE, START, Told, card

WHERE = Where(ALICE)


def together(*lines: str, idf, parts=(), base=None, sessions=()):
    """The feature of each line, all equally good unless `base` says otherwise."""
    items = [
        Item(f"{n}", ItemKind.TURN, START, Forms(line), session=where)
        for n, (line, where) in enumerate(zip(lines, sessions or [""] * len(lines), strict=True))
    ]
    scene = Scene(items, np.full(len(items), math.nan))
    held = (scene.counts(list(idf)) > 0).astype(float)
    scores = np.zeros(len(items)) if base is None else np.array(base, dtype=float)
    found = features.together(scene, held, idf=idf, parts=parts or [idf], base=scores)
    return [round(float(value), 9) for value in found]


def test_by_hand() -> None:
    """Each holds half of the question, and all else that they say is the same: one half."""
    found = together("boss reads", "boss mail", "aunt mail", idf={"reads": 1.0, "mail": 1.0})
    assert found == [0.5, 0.5, 0.0]


def test_who_brings_nothing() -> None:
    """Who adds nothing to a partner, or gets nothing from one, does not answer with it."""
    idf = {"reads": 1.0, "mail": 1.0}
    assert together("boss reads", "boss reads", "aunt", idf=idf) == [0, 0, 0]
    assert together("boss reads mail", "boss mail", "aunt", idf=idf) == [0, 0, 0]
    assert together("boss reads", "aunt mail", idf=idf) == [0, 0]
    assert together("boss reads", idf=idf) == [0]
    assert together("boss reads", "boss mail", idf={}) == [0, 0]


def test_common_words_join_nothing() -> None:
    """A word that stands in most of the candidates joins no two of them."""
    lines = ["boss reads", "boss mail", *(f"boss {n}" for n in range(9))]
    assert together(*lines, idf={"reads": 1.0, "mail": 1.0}) == [0.0] * 11


def test_each_question_for_itself() -> None:
    """Of two questions, the one that a pair answers whole decides."""
    idf = {"reads": 1.0, "mail": 1.0, "park": 6.0}
    lines = ("boss reads", "boss mail", "park")
    assert together(*lines, idf=idf, parts=[{"reads", "mail"}, {"park"}]) == [0.5, 0.5, 0]
    assert together(*lines, idf=idf) == [0.125, 0.125, 0]


def test_worse_partner() -> None:
    """A partner three points behind the best joins 1/e as well."""
    idf = {"reads": 1.0, "mail": 1.0}
    found = together("boss reads", "boss mail", "aunt", idf=idf, base=[0, -3, -9])
    assert found == pytest.approx([0.5 / math.e, 0.5, 0])


def test_turns_have_neighbours() -> None:
    """A turn is completed by those around it, so it takes no other partner."""
    idf = {"reads": 1.0, "mail": 1.0}
    assert together("boss reads", "boss mail", idf=idf, sessions=["s", "s"]) == [0, 0]


FACTS = {
    "en": (
        "My boss loves reading novels.",
        "The mail address of my boss is li@example.org.",
        "The mail address of my aunt is bo@example.org.",
        "The mail address of my cousin is an@example.org.",
        "My aunt lives in Leeds.",
        "My cousin is a nurse.",
    ),
    "zh": (
        "我上司特别喜欢看小说。",
        "我上司的邮箱地址是li@example.org。",
        "我婶婶的邮箱地址是bo@example.org。",
        "我表弟的邮箱地址是an@example.org。",
        "我婶婶住在苏州。",
        "我表弟是护士。",
    ),
}


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "What is the mail address of the one who loves reading?"),
        ("zh", "那个喜欢看小说的人的邮箱地址是多少？"),
    ],
)
def test_second_hop(told: Told, recaller, language: str, question: str) -> None:
    """Who loves reading stands in one text and the address in another: both come first."""
    told.cards(*(card(f"c{n}", text) for n, text in enumerate(FACTS[language])))
    found = [
        hit.id for hit in recall(recaller(), Query(question, where=WHERE, min_similarity=0.0)).hits
    ]
    assert set(found[:2]) == {"card-c0", "card-c1"}
    assert found.index("card-c1") < found.index("card-c2")
