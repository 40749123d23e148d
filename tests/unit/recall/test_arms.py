"""What the arms say of a question: proposals, votes, and how sure it is that something answers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from alaya.errors import ProviderError
from alaya.model.passage import ItemKind, Where
from alaya.model.raw import Role, SessionKind
from alaya.recall import arms
from alaya.recall.arms import ARMS, Asking, Candidate, Found, Question
from alaya.recall.dates import spans
from alaya.recall.weights import WEIGHTS, WORDS_ALONE
from alaya.testing.embedder import HashingEmbedder
from alaya.testing.invented import ALICE, BOB, START, Told, card, day, session, turn

CARD, TURN = ItemKind.CARD, ItemKind.TURN
EMBEDDER = HashingEmbedder()
EVERY = frozenset(ARMS)
# What depends on which candidates are best, and so on every arm.
LATER = frozenset(("bridge", "heading", "feedback"))


def embed(told: Told) -> None:
    """Everything told so far gets its vectors."""
    found = told.index.pending(EMBEDDER.name, 1000)
    windows = EMBEDDER.passages([one.text for one in found])
    told.index.put(EMBEDDER.name, {p.text_hash: w for p, w in zip(found, windows, strict=True)})


def question(told: Told, *phrases: str, kind=CARD, embedder=EMBEDDER, **fields) -> Question:
    asking = Asking(told.index, str, embedder, where=fields.pop("where", Where(ALICE)), **fields)
    vectors, _ = arms.query_vectors(told.index, embedder, phrases=phrases)
    return arms.ask(asking, phrases, vectors=vectors, kind=kind)


def find(told: Told, *phrases: str, **fields) -> Found:
    return arms.find(question(told, *phrases, **fields), limit=10)


def ids(found: Found) -> list[str]:
    return [one.id.removeprefix("card-") for one in found.candidates]


def by_id(found: Found) -> dict[str, Candidate]:
    return {one.id.removeprefix("card-"): one for one in found.candidates}


def columns(found: Found) -> dict[str, dict[str, float]]:
    """Each feature of each item, of the first phrase."""
    (ranked, *_) = found.ranked
    names = [item.id for item in ranked.items]
    return {
        feature: dict(zip(names, column.tolist(), strict=True))
        for feature, column in ranked.columns.items()
    }


@pytest.fixture
def talk(stored: Told) -> Told:
    """Every turn holds a word of `ASKED`, so that words and vectors propose the same."""
    stored.says(
        session(),
        turn("1", "I painted the old lighthouse in Whitby Bay", name="Caroline"),
        turn("2", "was it the one by the bay, the lighthouse?", name="Melanie", said_at=day(3)),
        turn("3", "yes, and I painted a heron", name="Caroline"),
    )
    stored.says(
        session("t"),
        turn("1", "who painted Whitby Bay is Ada Lovelace", name="Bob", said_at=day(9)),
        turn("2", "Ada Lovelace keeps a heron, Caroline says", name="Melanie"),
    )
    return stored


ASKED = "When did Caroline paint the lighthouse? Who painted a heron on 1 March 2026?"
DATES = spans(ASKED, START)


def test_every_feature_has_one_arm() -> None:
    """Every weight, with vectors or without, belongs to exactly one arm, so that it can be told."""
    listed = [feature for features in ARMS.values() for feature in features]
    assert len(listed) == len(set(listed))
    assert WEIGHTS.keys() | WORDS_ALONE.keys() <= set(listed)
    assert not set(WORDS_ALONE) & {*ARMS[arms.DENSE], "session_dense"}


@pytest.mark.parametrize("arm", sorted(ARMS))
def test_off(talk, arm) -> None:
    """An arm that is switched off gives no votes and changes no other arm's values."""
    embed(talk)
    whole = find(talk, ASKED, kind=TURN, dates=DATES)
    without = find(talk, ASKED, kind=TURN, dates=DATES, arms=EVERY - {arm})
    assert arm in {vote.arm for one in whole.candidates for vote in one.arms}
    assert arm not in {vote.arm for one in without.candidates for vote in one.arms}
    assert set(ids(without)) == set(ids(whole))
    before, after = columns(whole), columns(without)
    others = {f for name, features in ARMS.items() if name != arm for f in features} - LATER
    if arm == arms.DENSE:
        others -= {"session_dense"}  # there is no similarity left to judge a session by
    for feature in others:
        assert after[feature] == pytest.approx(before[feature]), feature
    (ranked,) = without.ranked
    assert not any(ranked.weights.get(feature) for feature in ARMS[arm])
    expected = sum(w * ranked.columns[f] for f, w in ranked.weights.items())
    assert ranked.scores == pytest.approx(expected)


def test_votes(talk) -> None:
    """A vote has the points that the arm's features give, 0..1, and the place in the ranking."""
    embed(talk)
    found = find(talk, ASKED, kind=TURN, dates=DATES)
    (ranked,) = found.ranked
    for place, (item, one) in enumerate(zip(ranked.items, found.candidates, strict=True)):
        assert one.id == item.id
        values = {f: float(column[place]) for f, column in ranked.columns.items()}
        for vote in one.arms:
            given = {f: values[f] for f in ARMS[vote.arm]}
            points = sum(ranked.weights.get(f, 0.0) * value for f, value in given.items())
            assert vote.raw == pytest.approx(points, abs=1e-3)
            assert 0 < vote.vote <= 1
            assert vote.vote <= max(given.values()) + 1e-4
            assert vote.rank == place + 1
        silent = EVERY - {vote.arm for vote in one.arms}
        for feature in {f for arm in silent for f in ARMS[arm]} - {"length", "asks"}:
            assert values[feature] < 1e-4 or not ranked.weights.get(feature), (one.id, feature)


def test_nothing_to_say(stored) -> None:
    """Of what has nothing of the question no arm says anything: not that it is short, or asks."""
    stored.cards(card("port", "gateway port"), card("tea", "tea"))
    stored.says(session(), turn("1", "the gateway port"))
    stored.says(session("t"), turn("1", "do you like tea?"))
    embed(stored)
    for kind, mine, other in ((CARD, "port", "tea"), (TURN, "s#1", "t#1")):
        found = by_id(find(stored, "gateway port", kind=kind))
        assert {"words", "dense", "neighbours"} <= {vote.arm for vote in found[mine].arms}
        assert found[other].arms == ()


def test_neighbours(stored) -> None:
    """Turns around a find are candidates; without the arm, and among documents, they are not."""
    lines = ("where do you live now?", "in the north", "nice", "well", "far away")
    said = [turn(str(n), line) for n, line in enumerate(lines)]
    stored.says(session(), *said)
    stored.says(session("d", kind=SessionKind.DOCUMENTS), *said)
    found = find(stored, "live", kind=TURN, embedder=None)
    assert set(ids(found)) == {"s#0", "s#1", "s#2", "d#0"}
    assert columns(found)["held"] == {"s#0": 1, "s#1": 1, "s#2": 0, "d#0": 1}
    alone = find(stored, "live", kind=TURN, embedder=None, arms=EVERY - {arms.NEIGHBOURS})
    assert set(ids(alone)) == {"s#0", "d#0"}


@pytest.mark.parametrize(
    ("left", "expected"),
    [({"words"}, ["port"]), ({"dense"}, ["port", "bread"]), ({"graph", "session"}, [])],
)
def test_proposals(stored, left, expected) -> None:
    """Words and vectors propose, whatever else may vote; without both there is nothing to judge."""
    stored.cards(card("port", "gateway port"), card("bread", "bread"))
    embed(stored)
    assert ids(find(stored, "gateway", arms=frozenset(left))) == expected


def test_bridge(stored) -> None:
    """A text that shares only a rare name with the best candidate is found, and says by what."""
    stored.cards(
        card("program", "the first published program", content="it was written by Ada Lovelace"),
        card("ada", "Ada Lovelace", content="lived in Surrey"),
        card("石", "《石头记》的作者", content="有人说《石头记》是曹雪芹写的"),
        card("曹", "石头记", content="怡红院的故事"),
    )
    asked = "who wrote the first published program?"
    found = find(stored, asked, embedder=None)
    assert set(ids(found)) == {"program", "ada"}
    said = {vote.arm for vote in by_id(found)["ada"].arms}
    assert "graph" in said
    assert said.isdisjoint(("words", "dense"))
    assert ids(find(stored, asked, embedder=None, arms=EVERY - {"graph"})) == ["program"]


def test_many_bridges(stored) -> None:
    """However many names the best candidate holds, they bring twenty others along at most."""
    names = [f"Ada Smith{letter}" for letter in "abcdefghi"]
    stored.cards(
        card("list", "the guests", content=f"we invited {', '.join(names)} to it"),
        *(card(f"{name[-1]}{n}", "", content=f"I met {name}") for name in names for n in range(9)),
    )
    found = find(stored, "who were the guests", embedder=None)
    assert ids(found)[0] == "list"
    assert 15 < len(found.candidates) <= 21


@pytest.fixture
def cards(stored: Told) -> Told:
    stored.cards(
        card("port", "gateway port", content="gateway port"),
        card("same", "gateway port", content="gateway port", said_at=day(2)),
        card("proxy", "The proxy took a port", content="some years ago"),
        card("tea", "Tea", content="green, from the hills"),
        card("zoo", "Lions", content="in Kenya"),
    )
    return stored


@pytest.mark.parametrize("vectors", [False, True])
def test_judge(cards, vectors) -> None:
    """Cards that a walk leads to stand on the scale of what was found: equal ones are equal."""
    if vectors:
        embed(cards)
    asked = question(cards, "gateway port")
    # As if a filter had let the question find one of two cards that say the same.
    early = replace(asked, asking=replace(asked.asking, where=Where(ALICE, until=day(1))))
    found = arms.find(early, limit=10)
    assert "same" not in ids(found)
    best = by_id(found)["port"]
    walked = ["card-same", "card-tea", "card-proxy"]
    judged = {one.id.removeprefix("card-"): one for one in arms.judge(asked, walked, found=found)}
    assert set(judged) == {"same", "tea", "proxy"}
    assert judged["same"].similarity == pytest.approx(best.similarity, abs=0.02)
    assert judged["same"].similarity > judged["proxy"].similarity > judged["tea"].similarity
    assert all(0 <= one.similarity <= 1 for one in judged.values())


def test_judge_without_anything_found(cards) -> None:
    """Where the question found nothing, what a walk leads to is judged by itself."""
    asked = question(cards, "lions", embedder=None)
    judged = arms.judge(asked, ["card-tea", "card-zoo", "card-none"], found=arms.NOTHING)
    assert [one.id for one in judged] == ["card-zoo", "card-tea"]
    assert judged[0].similarity == by_id(arms.find(asked, limit=10))["zoo"].similarity
    assert arms.judge(asked, [], found=arms.NOTHING) == []


@pytest.mark.parametrize(
    ("embedder", "told"),
    [(None, "no embedder"), (HashingEmbedder("other/256"), "no vectors of other/256 yet")],
)
def test_without_vectors(cards, embedder, told) -> None:
    """Words and names decide alone: how sure it is, is the share of the question that is held."""
    embed(cards)
    _, why = arms.query_vectors(cards.index, embedder, phrases=["gateway"])
    assert told in why
    found = find(cards, "gateway port", embedder=embedder)
    assert ids(found) == ["port", "same", "proxy"]
    assert "dense" not in {vote.arm for one in found.candidates for vote in one.arms}
    assert np.isnan(found.ranked[0].similarity).all()
    half = find(cards, "gateway zebra", embedder=embedder)
    assert ids(half)[:2] == ["port", "same"]
    assert 0 < half.candidates[0].similarity < found.candidates[0].similarity <= 1


@pytest.mark.parametrize("text", ["what was it that they did", "那是什么呢"])
def test_grammar_alone(stored, text) -> None:
    """Words that only hold a sentence together are no topic, in either language."""
    stored.cards(card("said", text, content="Oslo"))
    (grammar,) = find(stored, text, embedder=None).candidates
    (topic,) = find(stored, "Oslo", embedder=None).candidates
    assert grammar.similarity < 0.2 < topic.similarity


def test_not_embedded_yet(cards) -> None:
    """Until a card has its vector, words find it, as sure as if nothing had one."""
    embed(cards)
    cards.cards(card("new", "zebra crossing"))
    found, without = (find(cards, "zebra crossing", embedder=one) for one in (EMBEDDER, None))
    assert ids(found)[0] == ids(without)[0] == "new"
    assert found.candidates[0].similarity == without.candidates[0].similarity > 0.5


class _Squeezed(HashingEmbedder):
    """The same vectors, of which unrelated ones are said to stand at .4, in Chinese at .2."""

    def __init__(self) -> None:
        super().__init__()
        self.baseline = {"latin|latin": 0.4, "latin|han": 0.2}


def test_similarity_is_calibrated(stored) -> None:
    """(cos - m) / (1 - m), 0..1, where m is that of the scripts: between both, by the mix."""
    stored.cards(
        card("latin", "gateway"), card("han", "端口网关"), card("mixed", "gateway 端口", content="")
    )
    embed(stored)
    cosines, scaled = (
        {i.id: s for r in found.ranked for i, s in zip(r.items, r.similarity, strict=True)}
        for found in (find(stored, "gateway", embedder=one) for one in (EMBEDDER, _Squeezed()))
    )
    for name, middle in (("latin", 0.4), ("han", 0.2), ("mixed", 0.3)):
        plain = cosines[f"card-{name}"]
        expected = max(0.0, (plain - middle) / (1 - middle))
        assert scaled[f"card-{name}"] == pytest.approx(expected, abs=1e-6), name
    assert 0 < scaled["card-mixed"] < cosines["card-mixed"] < scaled["card-latin"] <= 1


class _Broken(HashingEmbedder):
    def query(self, text):
        raise ProviderError("the model is out")


def test_query_vectors(cards) -> None:
    """A vector for each phrase that says something; else none, and the reason."""
    embed(cards)
    vectors, why = arms.query_vectors(cards.index, EMBEDDER, phrases=["gateway", "🦓", "茶"])
    assert ([one is None for one in vectors], why) == ([False, True, False], "")
    assert arms.query_vectors(cards.index, EMBEDDER, phrases=["🦓", "…"]) == ([None, None], "")
    vectors, why = arms.query_vectors(cards.index, _Broken(), phrases=["gateway"])
    assert (vectors, "the model is out" in why) == ([None], True)


@pytest.mark.parametrize("vectors", [False, True])
def test_phrases(stored, vectors) -> None:
    """Of several phrases the one that fits best counts 0.7, the mean of all of them 0.3."""
    stored.cards(
        card("both", "dough at the gateway"), card("dough", "dough"), card("gate", "gateway")
    )
    if vectors:
        embed(stored)
    found = find(stored, "dough", "gateway")
    apart = [by_id(find(stored, phrase)) for phrase in ("dough", "gateway")]
    assert set(ids(found)) == {"both", "dough", "gate"}
    assert vectors or ids(found)[0] == "both"
    for name, one in by_id(found).items():
        given = [each[name].similarity if name in each else 0.0 for each in apart]
        assert one.similarity == pytest.approx(0.7 * max(given) + 0.3 * sum(given) / 2)


def test_a_phrase_without_a_vector(cards) -> None:
    """An emoji beside a phrase takes nothing from the other phrase's vector."""
    embed(cards)
    cards.cards(card("🦓", "the 🦓 house"))
    found = find(cards, "gateway port", "🦓")
    assert {"port", "🦓"} <= set(ids(found))
    first, second = found.ranked
    assert not np.isnan(first.similarity[0])
    assert np.isnan(second.similarity).all()


def test_sureness(talk) -> None:
    """How sure it is falls along the order, and stays within 0..1."""
    embed(talk)
    asked = question(talk, ASKED, kind=TURN)
    (ranked,) = arms.find(asked, limit=10).ranked
    sure = arms.sureness(ranked, asked.phrases[0])
    assert sure == sorted(sure, reverse=True)
    assert len(sure) == len(ranked.items)
    assert 0 < sure[-1] <= sure[0] <= 1
    assert arms.sureness(arms.ranking.NOTHING, asked.phrases[0]) == []


def test_nothing_found(talk) -> None:
    """Nobody's memory, and a question without a word, give no candidates."""
    assert find(talk, ASKED, kind=TURN, where=Where(BOB)) == Found((), (arms.ranking.NOTHING,))
    assert ids(find(talk, "?!", kind=TURN)) == []


def test_tools_do_not_speak(stored) -> None:
    """Of what a tool put out there is no vector and no speaker: words alone find it."""
    stored.says(
        session(),
        turn("1", "the gateway port is taken", role=Role.TOOL, name="Gateway"),
        turn("2", "bread", name="Bob"),
    )
    embed(stored)
    found = by_id(find(stored, "gateway port", kind=TURN))
    assert {vote.arm for vote in found["s#1"].arms} >= {"words", "neighbours"}
    assert "speaker" not in {vote.arm for vote in found["s#1"].arms}
    assert columns(find(stored, "gateway port", kind=TURN))["dense"]["s#1"] == 0
