"""Every feature of a candidate, computed by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from alaya.model.forms import Forms
from alaya.model.passage import Item, ItemKind
from alaya.recall import features
from alaya.recall.features import Scene
from alaya.testing.invented import START

NAN = float("nan")
K1, B = 0.8, 0.3


def item(line: str, session: str = "", *, ordinal: int = 0, speaker: str = "", asks=False) -> Item:
    return Item(
        f"{session}#{ordinal}#{line}",
        ItemKind.TURN,
        START,
        Forms(line, asks=asks),
        session=session,
        ordinal=ordinal,
        speaker=speaker,
    )


def scene(*items: Item, similarity=None) -> Scene:
    return Scene(items, np.full(len(items), NAN) if similarity is None else np.array(similarity))


def alone(*lines: str) -> Scene:
    """Texts without a session."""
    return scene(*(item(line) for line in lines))


def talk(*lines: str, similarity=None) -> Scene:
    """One session, a turn a line."""
    said = (item(line, "s", ordinal=number) for number, line in enumerate(lines))
    return scene(*said, similarity=similarity)


def held(of: Scene, *terms: str):
    return (of.counts(terms) > 0).astype(float)


def numbers(column) -> list[float]:
    return [round(float(value), 12) for value in column]


def test_counts_whole_terms() -> None:
    """A term is counted as a word of its own, not inside another one; a bigram as it stands."""
    on = alone("port gateway port", "airport ports", "", "端口 口冲 端口")
    assert on.counts(["port", "端口"]).tolist() == [[2, 0], [0, 0], [0, 0], [0, 2]]
    assert on.counts([]).shape == (4, 0)


def test_counts_single_characters() -> None:
    """A single Chinese character is found inside bigrams; a letter is not found inside words."""
    on = alone("绿茶 茶叶", "茶", "端口", "plan c")
    assert (on.counts(["茶", "c", "a"]) > 0).tolist() == [
        [True, False, False],
        [True, False, False],
        [False, False, False],
        [False, True, False],
    ]


def test_counts_beginnings() -> None:
    """Not whole: what begins with it counts, wherever it stands; what holds it inside does not."""
    on = alone("allergies allergic", "anallergic", "aller")
    assert on.counts(["aller"], whole=False).tolist() == [[2], [0], [1]]


def test_counts_what_follows_itself() -> None:
    """A term that is said three times in a row is counted three times, so that of `哈哈哈哈`."""
    on = alone("port port port", "哈哈 哈哈 哈哈")
    assert on.counts(["port", "哈哈"]).tolist() == [[3, 0], [0, 3]]


def test_lengths() -> None:
    """In terms; 40 of them are half of what a text can have to speak for itself."""
    on = alone("", "one", " ".join(["word"] * 40), " ".join(["word"] * 120))
    assert numbers(on.lengths) == [0, 1, 40, 120]
    assert numbers(on.long) == numbers([0, 1 / 41, 0.5, 0.75])


def test_sessions() -> None:
    """Sessions are numbered as they come; what stands alone has none."""
    on = scene(item("a"), item("b", "t"), item("c", "s"), item("d", "t", ordinal=1), item("e"))
    assert on.sessions.tolist() == [-1, 0, 1, 0, -1]
    assert on.talk.tolist() == [0, 1, 1, 1, 0]


def test_bm25() -> None:
    """The formula of Robertson and Zaragoza with k1 0.8 and b 0.3, term by term."""
    on = alone("port gateway port", "gateway", "bread", "tea and port and moss")
    idf = {"port": 1.5, "gateway": 0.4}
    mean = (3 + 1 + 1 + 5) / 4

    def expected(counts: dict[str, int], length: int) -> float:
        norm = K1 * (1 - B + B * length / mean)
        return sum(idf[t] * n * (K1 + 1) / (n + norm) for t, n in counts.items())

    found = features.bm25(on, on.counts(list(idf)), worth=np.array(list(idf.values())))
    assert numbers(found) == numbers(
        [
            expected({"port": 2, "gateway": 1}, 3),
            expected({"gateway": 1}, 1),
            0.0,
            expected({"port": 1}, 5),
        ]
    )
    assert numbers(found)[0] == pytest.approx(1.5 * 3.6 / 2.848 + 0.4 * 1.8 / 1.848)


def test_bm25_of_empty_texts() -> None:
    """Texts without a term are worth nothing and divide by nothing; the same without a question."""
    on = alone("", "")
    assert numbers(features.bm25(on, on.counts(["port"]), worth=np.array([2.0]))) == [0, 0]
    on = alone("port", "")
    assert numbers(features.bm25(on, on.counts([]), worth=np.zeros(0))) == [0, 0]


def test_rooted() -> None:
    """Words of five letters or more that begin alike; a root counts once, as its rarest word."""
    on = alone("allergies", "anallergic", "port allergies allergic", "网关网关网")
    idf = {"allergic": 0.5, "allergy": 2.0, "port": 9.0, "网关网关网": 9.0}
    mean = (1 + 1 + 3 + 1) / 4

    def expected(count: int, length: int) -> float:
        return 2.0 * count * (K1 + 1) / (count + K1 * (1 - B + B * length / mean))

    for words in (idf, dict(reversed(idf.items()))):
        found = features.rooted(on, words)
        assert numbers(found) == numbers([expected(1, 1), 0, expected(2, 3), 0])
    assert numbers(features.rooted(on, {"port": 1.0})) == [0, 0, 0, 0]


def test_lettered() -> None:
    """Each character once, by its weight, alone or in any bigram."""
    on = alone("宝玉 玉说 宝", "说", "port")
    assert numbers(features.lettered(on, {"宝": 2.0, "说": 0.5, "林": 9.0})) == [2.5, 0.5, 0]
    assert numbers(features.lettered(on, {})) == [0, 0, 0]


def test_covered() -> None:
    """Shares by weight: 3 of 4 for the rare word, 1 of 4 for the other."""
    on = alone("port", "gateway port port", "bread")
    worth = np.array([3.0, 1.0])
    assert numbers(features.covered(held(on, "port", "gateway"), worth)) == [0.75, 1, 0]
    assert numbers(features.covered(held(on), np.zeros(0))) == [0, 0, 0]


def test_held_near() -> None:
    """The turns before and after lend their words, those farther away do not."""
    on = talk("port", "yes", "gateway", "no", "well")
    assert features.held_near(on, held(on, "port", "gateway")).tolist() == [
        [1, 0],
        [1, 1],
        [0, 1],
        [0, 1],
        [0, 0],
    ]


def test_near_is_by_place() -> None:
    """Neighbours are told by session and ordinal: a gap, another talk, and no talk part."""
    on = scene(
        item("port", "s", ordinal=4),
        item("yes", "s", ordinal=6),
        item("no", "t", ordinal=5),
        item("alone", ordinal=5),
        item("last", "s", ordinal=3),
    )
    near = features.held_near(on, held(on, "port"))
    assert near.ravel().tolist() == [1, 0, 0, 0, 1]


IDF = {"port": 2.0, "gateway": 1.0, "tea": 1.0}


def test_close_in_a_short_text() -> None:
    """A dozen terms or fewer stand close: the share is that of the whole text."""
    line = f"port {'x ' * 10}gateway"
    on = alone(line, "tea", "bread")
    assert on.lengths[0] == 12
    assert numbers(features.close(on, held(on, *IDF), idf=IDF)) == [0.75, 0.25, 0]


@pytest.mark.parametrize(("between", "share"), [(10, 0.75), (11, 0.5), (40, 0.5)])
def test_close_in_a_longer_text(between, share) -> None:
    """Two words eleven places apart are within a window of twelve, twelve places apart are not."""
    for line in (f"port {'x ' * between}gateway end end", f"end end gateway {'x ' * between}port"):
        on = alone(line)
        assert numbers(features.close(on, held(on, *IDF), idf=IDF)) == [share]


def test_close_counts_words_once() -> None:
    """A word that is repeated in a window is worth no more, and stays as long as one is inside."""
    filler = "x " * 10
    on = alone(
        f"port port port {filler}end",
        f"port port x {'x ' * 9}gateway tea end",  # the second `port` is still in the window
        f"gateway {filler} port port gateway {filler}tea",
    )
    assert numbers(features.close(on, held(on, *IDF), idf=IDF)) == [0.5, 0.75, 0.75]


def test_close_takes_the_best_place() -> None:
    """The window that holds most by weight, wherever it is: two words are worth less than one."""
    far = "x " * 12
    on = alone(f"port {far}gateway", f"gateway tea {far}port", f"gateway {far}port tea {far}port")
    assert numbers(features.close(on, held(on, *IDF), idf=IDF)) == [0.5, 0.5, 0.75]


def test_smoothed() -> None:
    """0.6 x (0.6 of the turns beside, 0.3 of those two away) is added to a turn's own."""
    on = talk("a", "b", "c", "d")
    values = np.array([10.0, 0.0, 2.0, 0.0])
    assert numbers(features.smoothed(on, values)) == numbers(
        [
            10 + 0.6 * (0.6 * 0 + 0.3 * 2),
            0 + 0.6 * (0.6 * 10 + 0.6 * 2 + 0.3 * 0),
            2 + 0.6 * (0.3 * 10 + 0.6 * 0 + 0.6 * 0),
            0 + 0.6 * (0.6 * 2 + 0.3 * 0),
        ]
    )


def test_contextual() -> None:
    """A mean with weight 1 for the turn, 0.6 beside it and 0.3 two places away."""
    on = talk("a", "b", "c", similarity=[0.8, 0.2, 0.5])
    assert numbers(features.contextual(on, on.similarity)) == numbers(
        [
            (0.8 + 0.6 * 0.2 + 0.3 * 0.5) / 1.9,
            (0.2 + 0.6 * 0.8 + 0.6 * 0.5) / 2.2,
            (0.5 + 0.6 * 0.2 + 0.3 * 0.8) / 1.9,
        ]
    )


def test_contextual_without_vectors() -> None:
    """What has no vector takes no part: not even as 0; where nobody has one it is 0."""
    on = talk("a", "b", "c", similarity=[0.8, NAN, 0.5])
    assert numbers(features.contextual(on, on.similarity)) == numbers(
        [(0.8 + 0.3 * 0.5) / 1.3, (0.6 * 0.8 + 0.6 * 0.5) / 1.2, (0.5 + 0.3 * 0.8) / 1.3]
    )
    nobody, some = talk("a", "b"), talk("a", "b", similarity=[0.0, 0.4])
    assert numbers(features.contextual(nobody, nobody.similarity)) == [0, 0]
    assert numbers(features.contextual(some, some.similarity)) == numbers(
        [0.6 * 0.4 / 1.6, 0.4 / 1.6]
    )


def test_session_prior() -> None:
    """A third of the sum of a session's three best turns, for each turn of it, however many."""
    on = scene(
        item("a", "s"),
        item("b", "t"),
        item("c", "s", ordinal=1),
        item("d"),
        item("e", "s", ordinal=2),
        item("f", "s", ordinal=9),
        item("g", "t", ordinal=7),
        item("h", "u"),
    )
    values = np.array([0.3, 0.2, 0.9, 5.0, 0.1, 0.6, 0.4, 0.0])
    best, other = (0.9 + 0.6 + 0.3) / 3, (0.4 + 0.2) / 3
    assert numbers(features.session_prior(on, values)) == numbers(
        [best, other, best, 0, best, best, other, 0]
    )


def test_session_prior_with_equals() -> None:
    """Of four that do equally well three count, whichever they are."""
    on = talk("a", "b", "c", "d")
    assert numbers(features.session_prior(on, np.full(4, 0.5))) == [0.5] * 4


def test_session_words() -> None:
    """What the turns of a session hold together, not what they repeat; nothing for the others."""
    on = scene(
        item("port port", "s"),
        item("port", "t"),
        item("gateway", "s", ordinal=8),
        item("port gateway tea"),
        item("bread", "u"),
    )
    worth = np.array(list(IDF.values()))
    found = features.session_words(on, held(on, *IDF), worth=worth)
    assert numbers(found) == [0.75, 0.5, 0.75, 0, 0]


def test_spoken_by() -> None:
    """1 where a part of the speaker's name is in the question; of a name in Chinese a bigram."""
    on = scene(
        item("a", speaker="grace hopper"),
        item("b", speaker="bob"),
        item("c"),
        item("d", speaker="林黛 黛玉"),
    )
    assert numbers(features.spoken_by(on, frozenset(["did", "grace", "say"]))) == [1, 0, 0, 0]
    assert numbers(features.spoken_by(on, frozenset(["黛玉", "玉说"]))) == [0, 0, 0, 1]
    assert numbers(features.spoken_by(on, frozenset(["bo", "race"]))) == [0, 0, 0, 0]


def test_spoken_by_everybody() -> None:
    """A question that names all who speak prefers nobody; so it is where one alone speaks."""
    on = scene(item("a", speaker="grace"), item("b", speaker="bob"), item("c"))
    assert numbers(features.spoken_by(on, frozenset(["grace", "bob"]))) == [0, 0, 0]
    assert numbers(features.spoken_by(scene(item("a", speaker="bob")), frozenset(["bob"]))) == [0]
    assert numbers(features.spoken_by(alone("a", "b"), frozenset(["a"]))) == [0, 0]


def test_length() -> None:
    """ln(1 + terms) / 4, eight terms at most: only of turns in a talk."""
    on = scene(
        item("", "s"),
        item("one", "s", ordinal=1),
        item("one two three", "s", ordinal=2),
        item("x " * 7 + "x", "s", ordinal=3),
        item("x " * 99 + "x", "s", ordinal=4),
        item("one two three"),
    )
    most = math.log(9) / 4
    expected = [0, math.log(2) / 4, math.log(4) / 4, most, most, 0]
    assert numbers(features.length(on)) == numbers(expected)


def test_asks() -> None:
    """1 for a turn that ends with a question mark; what stands alone is not judged by that."""
    on = scene(item("a", "s", asks=True), item("b", "s", ordinal=1), item("c", asks=True))
    assert numbers(features.asks(on)) == [1, 0, 0]


def test_over_best() -> None:
    """As shares of the best; where nobody is above nothing, nothing."""
    assert numbers(features.over_best(np.array([1.0, 4.0, 0.0]))) == [0.25, 1, 0]
    assert numbers(features.over_best(np.zeros(3))) == [0, 0, 0]
    assert numbers(features.over_best(np.array([-1.0, -2.0]))) == [0, 0]
    assert numbers(features.over_best(np.zeros(0))) == []


def test_each() -> None:
    """One number for each item, in their order."""
    on = talk("a b", "c")
    found = features.each(on, lambda one: one.ordinal + one.forms.length)
    assert found.dtype == float
    assert numbers(found) == [2, 2]


def every_feature(on: Scene) -> dict[str, list[float]]:
    """Each feature of a scene, for a question about a port."""
    worth = np.array(list(IDF.values()))
    has = held(on, *IDF)
    words = features.bm25(on, on.counts(list(IDF)), worth=worth)
    columns = {
        "bm25": words,
        "rooted": features.rooted(on, {"gateway": 1.0}),
        "lettered": features.lettered(on, {"端": 1.0}),
        "covered": features.covered(has, worth),
        "near": features.covered(features.held_near(on, has), worth),
        "close": features.close(on, has, idf=IDF),
        "smoothed": features.smoothed(on, words),
        "contextual": features.contextual(on, on.similarity),
        "session": features.session_prior(on, words),
        "session_words": features.session_words(on, has, worth=worth),
        "speaker": features.spoken_by(on, frozenset(["bob"])),
        "length": features.length(on),
        "asks": features.asks(on),
        "best": features.over_best(words),
        "each": features.each(on, lambda one: 1.0),
    }
    return {name: numbers(column) for name, column in columns.items()}


def test_no_candidates() -> None:
    """Of nobody every feature is an empty column, and nothing divides by nothing."""
    assert set(map(tuple, every_feature(scene()).values())) == {()}


def test_no_session() -> None:
    """What stands alone has what is its own, and nothing of what stands beside it."""
    on = scene(item("port gateway"), item("tea", asks=True), similarity=[0.4, NAN])
    found = every_feature(on)
    assert found["smoothed"] == found["bm25"]
    assert found["near"] == found["covered"] == found["close"] == [0.75, 0.25]
    assert found["contextual"] == [0.4, 0]
    for name in ("session", "session_words", "length", "asks"):
        assert found[name] == [0, 0], name
    assert on.around == []
