"""The ranking, for any candidates: within its ranges, and blind to the order they come in."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from alaya.model.forms import Forms, forms
from alaya.model.passage import Item, ItemKind, Where
from alaya.model.raw import SessionKind
from alaya.recall import arms, features, ranking
from alaya.recall.arms import Asking, Candidate
from alaya.recall.asked import Asked, asked
from alaya.recall.dates import spans
from alaya.recall.features import Scene
from alaya.recall.questions import questions
from alaya.recall.ranking import Ranked
from alaya.testing.embedder import HashingEmbedder
from alaya.testing.invented import ALICE, START, Told, day, session, turn
from alaya.testing.oracle import OracleIndex
from alaya.testing.strategies import WILD

WORDS = ("port", "gateway", "allergic", "allergies", "网关", "关端", "端口", "🦓", "9000")
IDF = dict(zip(WORDS, (2.0, 1.0, 1.5, 1.5, 2.5, 0.25, 1.0, 3.0, 0.5), strict=True))
CHARS = {"网": 2.0, "关": 1.0, "口": 0.5}
WORTH = np.array(list(IDF.values()))
WHERE = Where(ALICE)
FILLERS = st.integers(0, 14).map(lambda count: " ".join(["moss"] * count))
LINES = st.lists(st.sampled_from(WORDS) | FILLERS, max_size=8).map(lambda w: " ".join(w).strip())
PLACES = st.tuples(st.sampled_from(["", "", "s", "t"]), st.integers(0, 5))
SAID = st.tuples(LINES, PLACES, st.sampled_from(["", "bob", "grace hopper"]), st.booleans())
SIMILARITIES = st.floats(0, 1) | st.just(math.nan)
SENTENCES = st.lists(
    st.sampled_from(
        [
            "the gateway port",
            "Was it Ada Lovelace?",
            "网关端口冲突",
            "谁写了《石头记》？",
            "we met Mary Shelley in Whitby Bay",
            "Whitby Bay\nis a bay",
            "bread",
            "🦓",
            " ".join(["moss"] * 30),
        ]
    )
    | WILD,
    min_size=1,
    max_size=9,
)
QUESTIONS = (
    st.lists(
        st.sampled_from(
            ["Which gateway port?", "Who met Bob in Whitby Bay?", "网关端口是多少？", "谁？", "🦓"]
        ),
        min_size=1,
        max_size=3,
    ).map(" ".join)
    | WILD
)


@st.composite
def scenes(draw) -> Scene:
    """Some turns of two talks and texts that stand alone, no two in one place."""
    said = draw(st.lists(SAID, max_size=9, unique_by=lambda one: one[1] if one[1][0] else object()))
    items = []
    for number, (line, (talk, ordinal), speaker, asks) in enumerate(said):
        one = Forms(line, asks=asks)
        place = {"session": talk, "ordinal": ordinal if talk else 0, "speaker": speaker}
        items.append(Item(f"i{number}", ItemKind.TURN, START, one, **place))
    similar = draw(st.lists(SIMILARITIES, min_size=len(items), max_size=len(items)))
    return Scene(items, np.array(similar, dtype=float))


def every_feature(on: Scene) -> dict[str, np.ndarray]:
    """Each function of `features`, with the most that it can give."""
    counts = on.counts(list(IDF))
    held = (counts > 0).astype(float)
    words = features.bm25(on, counts, worth=WORTH)
    return {
        "bm25": words,
        "rooted": features.rooted(on, IDF),
        "lettered": features.lettered(on, CHARS),
        "covered": features.covered(held, WORTH),
        "near": features.covered(features.held_near(on, held), WORTH),
        "close": features.close(on, held, idf=IDF),
        "smoothed": features.smoothed(on, words),
        "contextual": features.contextual(on, on.similarity),
        "session": features.session_prior(on, words),
        "session_words": features.session_words(on, held, worth=WORTH),
        "speaker": features.spoken_by(on, frozenset(["grace", "port"])),
        "length": features.length(on),
        "asks": features.asks(on),
        "best": features.over_best(words),
    }


SUM = sum(IDF.values())
MOST = {
    "bm25": 1.8 * SUM,
    "rooted": 1.8 * 1.0 + 1.8 * 1.5,  # gatew, aller
    "lettered": sum(CHARS.values()),
    "smoothed": 1.8 * SUM * (1 + 0.6 * 1.8),
    "session": 1.8 * SUM,
    "length": math.log(9) / 4,
}


@given(scenes())
def test_ranges(on) -> None:
    """Every feature is finite, has a value for each candidate, and stays within its range."""
    found = every_feature(on)
    for name, column in found.items():
        assert column.shape == (len(on.items),), name
        assert np.isfinite(column).all(), name
        assert (column >= 0).all(), name
        assert (column <= MOST.get(name, 1.0) + 1e-9).all(), name
    assert (found["close"] <= found["covered"] + 1e-9).all()
    assert (found["covered"] <= found["near"] + 1e-9).all()
    assert (found["bm25"] <= found["smoothed"]).all()


@given(scenes(), st.randoms(use_true_random=False))
def test_order_of_candidates(on, random) -> None:
    """No candidate's feature depends on the place in which it comes."""
    order = list(range(len(on.items)))
    random.shuffle(order)
    other = Scene([on.items[n] for n in order], on.similarity[order])
    before, after = every_feature(on), every_feature(other)
    for name, column in before.items():
        assert np.allclose(after[name], column[order], rtol=0, atol=1e-12), name


@given(scenes(), st.randoms(use_true_random=False))
def test_stands_alone(on, random) -> None:
    """Who stands beside whom does not touch what stands alone: it has nothing but its own."""
    mixed = [(one.session, one.ordinal) for one in on.items if one.session]
    random.shuffle(mixed)
    moved = iter(mixed)
    items = []
    for one in on.items:
        talk, ordinal = next(moved) if one.session else ("", 0)
        place = {"session": talk, "ordinal": ordinal, "speaker": one.speaker}
        items.append(Item(one.id, one.kind, one.said_at, one.forms, **place))
    before, after = every_feature(on), every_feature(Scene(items, on.similarity))
    for number, one in enumerate(on.items):
        if not one.session:
            for name, column in before.items():
                assert column[number] == after[name][number], name
            own = {name: column[number] for name, column in before.items()}
            assert own["smoothed"] == own["bm25"]
            assert own["near"] == own["covered"]
            assert own["contextual"] == np.nan_to_num(on.similarity[number])
            assert own["session"] == own["session_words"] == own["length"] == own["asks"] == 0


@given(scenes())
def test_close_is_the_best_window(on) -> None:
    """As if every stretch of twelve terms were looked at."""
    held = (on.counts(list(IDF)) > 0).astype(float)
    found = features.close(on, held, idf=IDF)
    for one, share in zip(on.items, found, strict=True):
        terms = one.forms.terms
        windows = (set(terms[n : n + 12]) for n in range(max(len(terms), 1)))
        best = max(sum(IDF[t] for t in window if t in IDF) for window in windows)
        assert math.isclose(share * SUM, best, abs_tol=1e-9)


@given(scenes(), st.lists(st.floats(0, 9), min_size=9, max_size=9))
def test_sessions_by_their_best(on, given_values) -> None:
    """As if the values of each session were sorted and its three best taken."""
    values = np.array(given_values[: len(on.items)])
    found = features.session_prior(on, values)
    for number, one in enumerate(on.items):
        same = [v for i, v in zip(on.items, values, strict=True) if i.session == one.session]
        best = sum(sorted(same, reverse=True)[:3]) / 3 if one.session else 0.0
        assert math.isclose(found[number], best, abs_tol=1e-12)


def remembered(sentences: list[str]) -> Told:
    """Two talks and a collection of documents that say the sentences in turn."""
    told = Told(lambda read_turn: OracleIndex())
    kinds = (SessionKind.MAIN, SessionKind.MAIN, SessionKind.DOCUMENTS)
    for number, kind in enumerate(kinds):
        said = [
            turn(str(n), text, name=("Bob", "Mary", None)[n % 3], said_at=day(n))
            for n, text in enumerate(sentences)
            if n % 3 == number or number == 0
        ]
        if said:
            told.says(session(f"s{number}", kind=kind), *said)
    return told


def similar(items) -> np.ndarray:
    """Any similarity that hangs on nothing but the item: none for some."""
    found = [(sum(map(ord, item.id + item.forms.line)) % 11) / 10 for item in items]
    return np.array([math.nan if value == 1.0 else value for value in found])


def ranked(told: Told, question: Asked, items: list[Item]) -> Ranked:
    return ranking.rank(told.index, question=question, items=items, where=WHERE, similar=similar)


@given(SENTENCES, QUESTIONS, st.randoms(use_true_random=False), st.integers(1, 27))
def test_rank(sentences, text, random, count) -> None:
    """An item's rank and its features are the same in whatever order the candidates come."""
    told = remembered(sentences)
    question = asked(
        told.index,
        text,
        kind=ItemKind.TURN,
        stem=str,
        dates=spans("on 2 March", START),
        where=WHERE,
    )
    ids = [f"s{n}#{m}" for n in range(3) for m in range(len(sentences))]
    items = told.index.items(ids, ItemKind.TURN, where=WHERE)[:count]
    one = ranked(told, question, items)
    random.shuffle(items)
    other = ranked(told, question, items)
    assert [item.id for item in one.items] == [item.id for item in other.items]
    assert {item.id for item in items} <= {item.id for item in one.items}
    assert len({item.id for item in one.items}) == len(one.items)
    assert list(one.scores) == sorted(one.scores, reverse=True)
    for name, column in one.columns.items():
        assert np.isfinite(column).all(), name
        assert (column >= 0).all(), name
        # Of roots and of turns around there may be more than of the best's own words.
        if name not in ("root", "session", "session_long"):
            assert (column <= 1 + 1e-9).all(), name
        assert np.allclose(column, other.columns[name], rtol=0, atol=1e-9), name


@given(SENTENCES, QUESTIONS)
def test_find(sentences, text) -> None:
    """Of any memory and any question: each candidate once, sure by 0..1, votes by 0..1."""
    told, embedder = remembered(sentences), HashingEmbedder()
    pending = told.index.pending(embedder.name, 1000)[::2]  # some have no vector yet
    windows = embedder.passages([one.text for one in pending])
    told.index.put(embedder.name, {p.text_hash: w for p, w in zip(pending, windows, strict=True)})
    assume(text.strip())
    asking = Asking(told.index, str, embedder, where=WHERE)
    vectors, _ = arms.query_vectors(told.index, embedder, phrases=[text])
    question = arms.ask(asking, [text], vectors=vectors, kind=ItemKind.TURN)
    found = arms.find(question, limit=10)
    candidates: list[Candidate] = list(found.candidates)
    candidates += arms.judge(question, ["s0#0", "s1#1", "s2#2"], found=found)
    assert len({one.id for one in found.candidates}) == len(found.candidates)
    for one in candidates:
        assert 0 <= one.similarity <= 1
        for vote in one.arms:
            assert 0 < vote.vote <= 1
            assert math.isfinite(vote.raw)


@given(WILD | st.lists(st.sampled_from(["Who?", "e.g. ", "3.5", "谁？", "\n", ". "])).map("".join))
def test_questions(text) -> None:
    """Each question is a part of the text, at most six; some if it has any word."""
    found = questions(text)
    assert len(found) <= 6
    assert all(one in text and one == one.strip() != "" for one in found)
    if forms(text).line:
        assert found
