"""One judgement of everything proposed: features, weights, feedback and bridges, on real SQLite."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from alaya.model.passage import Item, ItemKind, Where
from alaya.model.raw import SessionKind
from alaya.recall import asked as phrases
from alaya.recall import ranking
from alaya.recall.dates import Named, spans
from alaya.recall.ranking import NOTHING, Ranked
from alaya.recall.weights import WORDS_ALONE
from alaya.testing.invented import ALICE, BOB, START, Told, card, day, session, turn

CARD, TURN, WHERE = ItemKind.CARD, ItemKind.TURN, Where(ALICE)
# What depends on which candidates are best.
LATER = frozenset(("bridge", "heading", "feedback", "together", "together_long"))


def asked(told: Told, text: str, kind=CARD, *, dates: tuple[Named, ...] = ()) -> phrases.Asked:
    return phrases.asked(told.index, text, kind=kind, stem=str, dates=dates, where=WHERE)


def known(told: Told, *names: str, kind=CARD) -> list[Item]:
    """Items by short name (cards) or by `session#turn`."""
    ids = [name if "#" in name else f"card-{name}" for name in names]
    return told.index.items(ids, kind, where=WHERE)


def like(**similarities: float):
    """How similar each is by vectors; what is not named has none."""

    def similar(items: Sequence[Item]):
        return np.array([similarities.get(short(item), math.nan) for item in items])

    return similar


def rank(told: Told, question, *, items: Sequence[Item], similar=None, off=()) -> Ranked:
    return ranking.rank(
        told.index,
        question=question,
        items=items,
        where=WHERE,
        similar=similar or like(),
        off=frozenset(off),
    )


def short(item: Item) -> str:
    return item.id.removeprefix("card-")


def names(ranked: Ranked) -> list[str]:
    return [short(item) for item in ranked.items]


def values(ranked: Ranked, column: str) -> dict[str, float]:
    """Of each item one feature."""
    return dict(zip(names(ranked), ranked.columns[column].tolist(), strict=True))


def weighed(ranked: Ranked) -> np.ndarray:
    """The weighed sum, term by term."""
    used = sorted(set(ranked.weights) & set(ranked.columns))
    return np.sum([ranked.weights[name] * ranked.columns[name] for name in used], axis=0)


@pytest.fixture
def ports(stored: Told) -> Told:
    stored.cards(
        card("port", "gateway port", content="it was 9000 until the proxy took it"),
        card("proxy", "The proxy", content="an old proxy was taken from the cellar"),
        card("端口", "网关端口", content="端口冲突，代理占用"),
        card("bread", "Bread", content="let the dough rest"),
    )
    return stored


def idf(count: int, total: int) -> float:
    return math.log(1 + (total - count + 0.5) / (count + 0.5))


def test_asked(ports) -> None:
    """Terms weigh as their rarity says, those that nobody says too; grammar counts apart."""
    found = asked(ports, "Was the gateway's proxy in Vienna?")
    assert dict(found.idf) == pytest.approx(
        {"gateway": idf(1, 4), "proxy": idf(2, 4), "vienna": idf(0, 4)}
    )
    assert {"was", "the", "in"} <= found.names
    assert (found.total, found.chars, found.han, found.topical) == (4, {}, 0.0, True)


def test_strange_names(ports) -> None:
    """The share of the words in the names of a question that nobody ever said."""
    assert asked(ports, "did Bob see the Gateway in Vienna").strange == pytest.approx(2 / 3)
    assert asked(ports, "谁写了《石头记》").strange == 1.0
    assert asked(ports, "《网关》里写了什么").strange == 0.0
    assert asked(ports, "the zebra in the zoo").strange == 0.0


def test_asked_in_chinese(ports) -> None:
    """Bigrams weigh as words; of single characters those that somebody writes."""
    found = asked(ports, "网关龘")
    assert dict(found.idf) == pytest.approx({"网关": idf(1, 4), "关龘": idf(0, 4)})
    assert dict(found.chars) == pytest.approx({"网": idf(1, 4), "关": idf(1, 4)})
    assert found.han == 1.0
    assert 0 < asked(ports, "gateway 端口").han < 1


def test_letters_are_no_characters(stored) -> None:
    """Scripts with letters have words: no single letter of them is looked for, known or not."""
    stored.cards(card("c", "plan c, и в доме é"), card("ru", "привет и пока"))
    for text in ("crème brûlée", "привет, как дела", "Über Österreich", "🦓"):
        assert asked(stored, text).chars == {}, text


@pytest.mark.parametrize("text", ["what is it that they had", "这是什么呢"])
def test_asked_with_grammar_alone(ports, text) -> None:
    """Words that only hold a sentence together are looked up where there is nothing else."""
    found = asked(ports, text)
    assert found.idf
    assert not found.topical


@pytest.mark.parametrize("text", ["", "?", "—", " \n"])
def test_asked_nothing(ports, text) -> None:
    """A text without a word is a question without a term, and is ranked all the same."""
    found = asked(ports, text)
    assert (dict(found.idf), found.strange, found.parts) == ({}, 0.0, ())
    ranked = rank(ports, found, items=known(ports, "port", "bread"))
    assert names(ranked) == ["bread", "port"]
    assert ranked.scores.tolist() == [0, 0]


def test_nothing(ports) -> None:
    """Of no candidates nothing comes, whatever was asked."""
    question = asked(ports, "gateway port")
    assert rank(ports, question, items=[]) is NOTHING
    assert ranking.beside(NOTHING, extra=[], question=question, similar=like()) is NOTHING


def test_order(ports) -> None:
    """Best first by the weighed sum of the features; each row belongs to its item."""
    similar = like(port=0.5, proxy=0.25)
    items = known(ports, "bread", "proxy", "端口", "port")
    ranked = rank(ports, asked(ports, "gateway port proxy"), items=items, similar=similar)
    assert names(ranked)[:2] == ["port", "proxy"]
    assert ranked.scores.tolist() == sorted(ranked.scores.tolist(), reverse=True)
    assert ranked.scores == pytest.approx(weighed(ranked))
    guessed = {"bread": 0.375, "端口": 0.375}  # no vector, none of the words: the median
    assert values(ranked, "dense") == {"port": 0.5, "proxy": 0.25} | guessed
    assert np.isnan(ranked.similarity).tolist() == [False, False, True, True]
    assert values(ranked, "own")["port"] == 1.0
    assert 0 < values(ranked, "own")["proxy"] < 1
    assert values(ranked, "held")["bread"] == 0


def test_equals(stored) -> None:
    """Items that are alike stand by their ids, in whatever order they come."""
    stored.cards(*(card(f"c{n}", "gateway port") for n in range(7)))
    items = known(stored, *(f"c{n}" for n in (3, 6, 0, 5, 1, 4, 2)))
    for order in (items, items[::-1]):
        ranked = rank(stored, asked(stored, "gateway port"), items=order)
        assert names(ranked) == [f"c{n}" for n in range(7)]


def test_other_script(ports) -> None:
    """A question in Chinese finds by bigrams, and by a single character where only it is shared."""
    ranked = rank(ports, asked(ports, "网关"), items=known(ports, "port", "端口"))
    assert names(ranked) == ["端口", "port"]
    found = values(rank(ports, asked(ports, "关口"), items=known(ports, "port", "端口")), "chars")
    assert found == {"端口": 1.0, "port": 0.0}


@pytest.mark.parametrize("name", sorted(WORDS_ALONE))
def test_off(ports, name) -> None:
    """A feature that is switched off counts nothing, and no other one changes its value."""
    ports.says(
        session(),
        turn("1", "the gateway port is taken", name="Grace"),
        turn("2", "which port? by the old proxy?", name="Bob", said_at=day(1)),
        turn("3", "端口冲突 proxy", name="Bob"),
    )
    question = asked(ports, "Which port did Grace say? 端口", TURN, dates=spans("today", START))
    items, similar = known(ports, "s#1", "s#2", "s#3", kind=TURN), like(**{"s#1": 0.5, "s#3": 0.2})
    whole = rank(ports, question, items=items, similar=similar)
    without = rank(ports, question, items=items, similar=similar, off=[name])
    assert without.scores == pytest.approx(weighed(without))
    assert without.weights == {**whole.weights, name: 0}
    for column in whole.columns.keys() - LATER:
        assert values(without, column) == values(whole, column), column


def test_long(stored) -> None:
    """A text that speaks for itself by its length is judged by other weights, in the same sum."""
    stored.cards(card("short", "gateway"), card("long", "gateway", content="port " + "moss " * 78))
    items = known(stored, "short", "long")
    ranked = rank(stored, asked(stored, "gateway"), items=items, similar=like(long=0.5))
    share = {"short": 1 / 41, "long": 80 / 120}
    for name in ("own", "close", "dense", "around", "held", "session"):
        plain, gated = values(ranked, name), values(ranked, f"{name}_long")
        assert gated == pytest.approx({one: plain[one] * share[one] for one in plain}), name


def test_dates(ports) -> None:
    """The time that the question names beside when it was said, or what was told of that time."""
    said = {"1": ("port", 0), "2": ("port", 15), "3": ("昨天 port", 16), "4": ("port", 16)}
    ports.says(session(), *(turn(n, text, said_at=day(at)) for n, (text, at) in said.items()))
    items = known(ports, *(f"s#{n}" for n in said), kind=TURN)
    when = spans("on 16 March 2026", day(30))
    dated = asked(ports, "port on 16 March 2026", TURN, dates=when)
    ranked = rank(ports, dated, items=items)
    assert values(ranked, "date") == {"s#2": 1.0, "s#3": 40 / 42, "s#4": 0.8, "s#1": 0.0}
    undated = rank(ports, asked(ports, "port", TURN), items=items)
    assert set(values(undated, "date").values()) == {0.0}


def parts(told: Told, text: str) -> dict[str, float]:
    items = known(told, "port", "proxy", "bread", "端口")
    return values(rank(told, asked(told, text), items=items), "part")


def test_several_questions(ports) -> None:
    """Who answers one of them wholly has answered, however little it says of the others."""
    text = "Which dough should rest? And which port did the gateway have? 什么冲突？"
    found = parts(ports, text)
    assert found == pytest.approx({"port": 1.0, "bread": 1.0, "端口": 1.0, "proxy": 0.0})
    own = values(rank(ports, asked(ports, text), items=known(ports, *found)), "own")
    assert sorted(own.values())[-2] < 1


def test_chat_before_a_question(ports) -> None:
    """What was said before a question is no part of it."""
    found = parts(ports, "I baked bread, the dough was good. Which gateway port?")
    assert found["port"] == 1.0
    assert found["bread"] == 0.0


def test_one_question(ports) -> None:
    """Of one question there is nothing to tell apart."""
    for text in ("Which gateway port, by the proxy?", "网关端口是多少？", "what is it?"):
        items = known(ports, "port", "proxy", "bread", "端口")
        ranked = rank(ports, asked(ports, text), items=items)
        assert values(ranked, "part") == values(ranked, "own"), text


@pytest.fixture
def library(stored: Told) -> Told:
    """Documents, each on its own: an answer in two steps, in English and in Chinese."""
    stored.says(
        session("d", kind=SessionKind.DOCUMENTS),
        turn("notes", "the first program ever published was written by Ada Lovelace"),
        turn("ada", "a mathematician (born in London), Ada Lovelace, lived in Surrey"),
        turn("page", "Ada Lovelace (countess)\nher estate stood in the county of Surrey"),
        turn("石", "曹雪芹写过一本书，书名就是《石头记》"),
        turn("玉", "《石头记》\n宝玉住在怡红院"),
        turn("moss", "moss grows in Surrey on walls"),
    )
    return stored


PROGRAM = "who wrote the first published program"


def notes(told: Told, text: str = PROGRAM, off=()) -> Ranked:
    """What comes of the notes alone, which answer half of the question."""
    items = known(told, "d#notes", kind=TURN)
    return rank(told, asked(told, text, TURN), items=items, off=off)


def test_bridge(library) -> None:
    """What only shares a rare name with the best candidate is found, though no word of it asks."""
    ranked = notes(library)
    assert set(names(ranked)) == {"d#notes", "d#ada", "d#page"}
    assert {name for name, value in values(ranked, "held").items() if value} == {"d#notes"}
    led = values(ranked, "bridge")
    assert led["d#ada"] == led["d#page"] > led["d#notes"] == 0
    assert values(ranked, "heading") == pytest.approx({"d#notes": 0, "d#ada": 0, "d#page": 1})


def test_bridge_in_chinese(library) -> None:
    """A title in 《》 is such a name."""
    question = asked(library, "曹雪芹写过什么", TURN)
    ranked = rank(library, question, items=known(library, "d#石", kind=TURN))
    assert set(names(ranked)) == {"d#石", "d#玉"}
    assert values(ranked, "heading")["d#玉"] == pytest.approx(1)


def test_no_bridge(library) -> None:
    """Where bridges are switched off nothing new comes; half of them brings it still."""
    off = ("bridge", "heading")
    assert names(notes(library, off=off)) == ["d#notes"]
    for one in off:
        assert len(names(notes(library, off=[one]))) == 3


def test_a_name_in_the_question(library) -> None:
    """A name that the question gives leads nowhere: whoever holds it was proposed for it."""
    assert names(notes(library, f"{PROGRAM}, Ada Lovelace")) == ["d#notes"]


def test_a_name_that_is_everywhere(library) -> None:
    """A name that more than ten items hold leads nowhere in a small memory."""
    for n in range(10):
        library.says(session(f"s{n}"), turn("1", f"we spoke with Ada Lovelace, {n} times"))
    assert names(notes(library)) == ["d#notes"]


def test_a_speaker_is_no_name(library) -> None:
    """Who speaks is named in every other turn of a talk: that leads nowhere."""
    library.says(
        session("t"),
        turn("1", "my kiln broke, said Mary Shelley", name="Bob"),
        turn("2", "so I heard from Mary Shelley", name="Mary Shelley"),
    )
    library.says(session("u"), turn("9", "I saw Mary Shelley there", name="Bob"))
    question = asked(library, "whose kiln broke", TURN)
    both = known(library, "t#1", "t#2", kind=TURN)
    assert set(names(rank(library, question, items=both))) == {"t#1", "t#2"}
    assert "u#9" in names(rank(library, question, items=both[:1]))


def test_a_name_inside_a_name(stored) -> None:
    """A longer name leads to a page about what stands inside it."""
    stored.cards(
        card("kiln", "a kiln", content="it was fired in New Harmony County for years"),
        card("harmony", "New Harmony", content="on the river"),
    )
    question = asked(stored, "where was it fired, the kiln")
    ranked = rank(stored, question, items=known(stored, "kiln"))
    assert values(ranked, "heading") == pytest.approx({"kiln": 0, "harmony": 1})


def test_bridges_keep_to_the_filter(library) -> None:
    """No bridge leads to another user's memory."""
    library.says(session("b", BOB), turn("1", "I know where Ada Lovelace lived"))
    assert set(names(notes(library))) == {"d#notes", "d#ada", "d#page"}


@pytest.fixture
def topics(stored: Told) -> Told:
    stored.cards(
        card("best", "gateway port", content="conflict daemon moss"),
        card("same", "conflict", content="daemon of the printer"),
        card("other", "lions", content="moss in Kenya"),
        card("alone", "tea", content="is green"),
        card("asked", "gateway"),
        *(card(f"x{n}", "moss", content=f"number{n}") for n in range(30)),
    )
    return stored


def test_feedback(topics) -> None:
    """What speaks of the same as the best has its share, by rare words that nobody asked for."""
    items = known(topics, "best", "same", "other", "alone", "asked")
    found = values(rank(topics, asked(topics, "gateway port"), items=items), "feedback")
    assert found["same"] > 0.5
    assert found["other"] == found["alone"] == found["asked"] == 0.0
    assert max(found.values()) == 1.0


def test_no_feedback(topics) -> None:
    """Where the best has nothing of the question there is nothing to learn from it."""
    items = known(topics, "same", "other", "alone")
    ranked = rank(topics, asked(topics, "zebra"), items=items)
    assert set(values(ranked, "feedback").values()) == {0.0}


def test_beside(ports) -> None:
    """Others are judged with the best that are known, by what does not ask who is best."""
    question = asked(ports, "gateway port")
    similar = like(port=0.5, proxy=0.25, bread=0.1)
    found = rank(ports, question, items=known(ports, "port", "bread"), similar=similar)
    extra = known(ports, "proxy", "port")
    both = ranking.beside(found, extra=extra, question=question, similar=similar)
    assert names(both)[0] == "port"
    assert sorted(names(both)) == ["bread", "port", "proxy"]
    assert values(both, "dense") == {"port": 0.5, "proxy": 0.25, "bread": 0.1}
    assert not LATER & both.columns.keys()
    assert both.scores == pytest.approx(weighed(both))
    off = frozenset(["held"])
    without = ranking.beside(found, extra=extra, question=question, similar=similar, off=off)
    assert without.scores == pytest.approx(weighed(without))
    assert both.weights["held"] != without.weights["held"] == 0


def test_beside_many(stored) -> None:
    """Beside the twenty best that are known, and all that is new."""
    stored.cards(*(card(f"c{n:02}", "gateway port") for n in range(30)), card("new", "moss"))
    question = asked(stored, "gateway port")
    found = rank(stored, question, items=known(stored, *(f"c{n:02}" for n in range(30))))
    extra = known(stored, "new")
    both = ranking.beside(found, extra=extra, question=question, similar=like())
    assert names(both) == [*(f"c{n:02}" for n in range(20)), "new"]
