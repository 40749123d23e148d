"""Forms of texts, who speaks, and what of a question is looked up."""

from __future__ import annotations

from datetime import date

import pytest

from alaya.model.forms import (
    MOST_TERMS,
    Forms,
    aliased,
    card_forms,
    forms,
    speaker_terms,
    terms,
    turn_forms,
)
from alaya.model.raw import Role
from alaya.model.speech import embeddable, speaker
from alaya.model.topical import topical_terms
from alaya.model.words import query_terms
from alaya.testing.invented import START, card, turn


def stem(word: str) -> str:
    return word.removesuffix("ing").removesuffix("s")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("The gateways restarting", ["gateway", "restart"]),
        ("what is it about", []),
        ("x 7 C plugins.allow", ["7", "plugin", "allow"]),
        ("port port", ["port", "port"]),
        ("端口冲突", ["端口", "口冲", "冲突"]),
        ("网", ["网"]),
        ("部署Gateway时", ["部署", "gateway", "时"]),
        ("ｶﾀｶﾅ", ["カタ", "タカ", "カナ"]),
        ("done 🎉", ["🎉"]),
        ("café naïves", ["café", "naïves"]),  # only ASCII words have English stems
        ("it's Ada's", ["ada"]),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    """One token for a word, bigrams of dense scripts, emoji; no grammar, no single letters."""
    assert terms(text, stem) == expected


def test_terms_with_grammar() -> None:
    """Of a name everything counts; without a stemmer words stay as they are."""
    assert terms("The Who", grammar=True) == ["the", "who"]
    assert terms("gateways") == ["gateways"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("he met Ada Lovelace near Turin", ("ada lovelace", "turin")),
        ("Yesterday he slept. Then he woke", ()),  # capitals of sentences
        ("Ada Lovelace slept", ("ada lovelace",)),
        ("the Bank of England", ("bank england",)),
        ("I think I am OK", ()),
        ("twice Turin, twice Turin", ("turin",)),
        ("读《石头记》和《红楼梦》", ("石头 头记", "红楼 楼梦")),
        ("《" + "长" * 41 + "》", ()),
        ("her O'Neill and his Jean-Luc", ("neill", "jean luc")),
        ("lower case alone", ()),
        ("with Ada\nTurin was hot", ("ada",)),  # a line ends a name
        ("he met Ada. Turin was hot", ("ada",)),  # and so does a sentence
        ("by Dr. Bo of St. Malo and J. R. Tolkien", ("dr bo st malo tolkien",)),
        ("a Lord of the Rings fan in Turin", ("lord ring", "turin")),
        ("his Next.js and GPT-4 Turbo", ("next j gpt 4 turbo",)),
    ],
)
def test_names(text: str, names: tuple[str, ...]) -> None:
    """Words with capitals that no sentence gave them, and titles in 《》; each once."""
    assert forms(text, stem).names == names


def test_names_end() -> None:
    """A text has at most forty names."""
    text = " ".join(f"he met Zz{n}x," for n in range(100))
    assert len(forms(text).names) == 40


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("# Gateway (old)\nit restarts", "gateway"),
        ("红楼梦（石头记）\n曹雪芹", "红楼 楼梦"),
        ("Gateway", ""),
        ("Gateway\n  \n", ""),
        ("x" * 81 + "\nbelow", ""),
        ("xy" * 40 + "\nbelow", "xy" * 40),
        ("\n\nGateway\n\nbelow", "gateway"),
    ],
)
def test_heading(text: str, heading: str) -> None:
    """A short first line with more below it, without what is in parentheses."""
    assert forms(text).heading == heading


@pytest.mark.parametrize("text", ["why?", "why?  \n", "为什么？"])
def test_asks(text: str) -> None:
    """A text that ends with a question mark asks."""
    assert forms(text).asks
    assert not forms(f"{text} because").asks


def test_huge() -> None:
    """A huge text is ranked by its beginning."""
    found = forms("gateway " * 100_000)
    assert found.terms == ("gateway",) * MOST_TERMS


def test_card_forms() -> None:
    """A card's heading is its title; tags are terms, and hide no question mark."""
    found = card_forms(card("a", "Ports (old)", content="which one?", tags=("容器", "k8s")), stem)
    assert found == Forms("port old 容器 k8s one", (), "port", asks=True)
    assert card_forms(card("a", "Ports", content="which one?")).asks


def test_turn_forms() -> None:
    """A turn's forms are of its words alone; of a tool's output only terms are of use."""
    text = "Turin\nhe met Ada Lovelace yesterday"
    yesterday = START.toordinal() - 1
    assert turn_forms(turn("1", text, name="Zoë"), said_at=START) == Forms(
        "turin met ada lovelace",
        ("ada lovelace",),
        heading="turin",
        days=((yesterday, yesterday),),
    )
    for role in (Role.TOOL, Role.SYSTEM):
        found = turn_forms(turn("1", text, role=role), said_at=START)
        assert found == Forms("turin met ada lovelace")


def test_days() -> None:
    """The days of a title count as those of the text; a text of no known time has none."""
    whole = (date(2025, 1, 1).toordinal(), date(2025, 12, 31).toordinal())
    assert card_forms(card("a", "去年的账单")).days == (whole,)
    assert card_forms(card("a", "账单", content="paid last year")).days == (whole,)
    assert forms("paid last year").days == ()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Grace Hopper", "Grace Hopper"),
        (" Grace \n Hopper ", "Grace Hopper"),
        ("林黛玉", "林黛玉"),
        ("User", ""),
        (" ASSISTANT ", ""),
        ("助手", ""),
        ("user1", "user1"),
        ("", ""),
        (None, ""),
    ],
)
def test_speaker(name: str | None, expected: str) -> None:
    """Who speaks has a name, unless it tells no more than the role."""
    said = turn("1", " hello ", name=name)
    assert speaker(said) == expected
    assert embeddable(said) == (f"{expected}: hello" if expected else "hello")
    assert embeddable(turn("1", " \n", name=name)) == ""
    assert speaker(turn("1", "x", name=name, role=Role.TOOL)) == ""


def test_speaker_terms() -> None:
    """The name's terms, as a question would have them."""
    assert speaker_terms(turn("1", "x", name="Mr. Jennings"), stem) == "mr jenning"
    assert speaker_terms(turn("1", "x", name="林黛玉")) == "林黛 黛玉"
    assert speaker_terms(turn("1", "x", name="The Who")) == "the who"


@pytest.mark.parametrize(
    ("question", "words", "chars"),
    [
        ("What is the gateway?", ("gateway",), ()),
        ("what's up with it's port", ("port",), ()),
        ("very doing gateways", ("gateways", "gateway"), ()),  # not the stem of `doing` either
        ("a.b", ("a.b", "a", "b"), ()),
        ("C", ("c",), ()),
        ("什么端口", ("么端", "端口"), ()),
        ("的 网", (), ("网",)),
        ("is it 🎉", ("🎉",), ()),
    ],
)
def test_topical(question: str, words: tuple[str, ...], chars: tuple[str, ...]) -> None:
    """Grammar is not looked up beside a topic."""
    found = topical_terms(question, stem)
    assert (found.words, found.chars) == (words, chars)


@pytest.mark.parametrize("question", ["what is this", "very", "的", "是什么", "", "it's you"])
def test_nothing_but_grammar(question: str) -> None:
    """Where there is nothing else, it is looked up."""
    assert topical_terms(question, stem) == query_terms(question, stem)


def test_other_names() -> None:
    """What else somebody is called is kept beside the names, found from either, and is no name."""
    found = forms("we met Melanie, also known as Mel", stem)
    assert found.alike == (("melanie", "mel"),)
    assert {aliased("mel"), aliased("melanie")} < set(found.names)
    said = turn("t", "大家都叫我豆豆。", name="Ada Lovelace")
    assert turn_forms(said, said_at=START).alike == (("ada lovelace", "豆豆"),)
    assert forms("Melanie met Mel in Turin", stem).alike == ()
