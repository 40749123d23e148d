"""Where a topic ends: by vectors, by words, by silence and because somebody says so."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from alaya.distill.segments import Border, Cut, Segment, centred, segments
from alaya.model.raw import Role

GARDEN = {
    "en": [
        "The tomatoes in the garden need water every evening",
        "Tomatoes and basil grow well beside each other in the garden",
        "I planted basil and beans beside the tomatoes",
        "Slugs ate the beans, so the garden got a fence",
    ],
    "zh": [
        "菜园里的番茄每天傍晚都要浇水",
        "番茄和罗勒种在菜园里长得很好",
        "我在番茄旁边种了罗勒和豆角",
        "蛞蝓吃了豆角，所以菜园围了栅栏",
    ],
}
RAILWAY = {
    "en": [
        "The express railway to Berlin leaves from platform nine",
        "A railway ticket to Berlin with the express costs ninety euros",
        "Platform nine is closed, the Berlin express uses platform two",
        "My railway ticket lists platform two and a window seat",
    ],
    "zh": [
        "去柏林的高铁从九号站台发车",
        "去柏林的高铁车票要九十欧元",
        "九号站台关闭了，柏林高铁改到二号站台",
        "我的高铁车票写着二号站台靠窗座位",
    ],
}


def talk(*said: str) -> list[tuple[str, str]]:
    """Said by a person and the agent in turn."""
    return [("ua"[i % 2], words) for i, words in enumerate(said)]


def places(found: list[Segment]) -> list[tuple[int, int, str, bool]]:
    return [(s.first, s.last, s.border.value, s.closed) for s in found]


def test_nothing(say) -> None:
    """No turns are no run; one turn is an open run, and closed when the session is over."""
    assert segments([], cut=Cut()) == []
    one = say(("u", "the tomatoes need water"))
    assert places(segments(one, cut=Cut())) == [(0, 0, "end", False)]
    assert places(segments(one, cut=Cut(), over=True)) == [(0, 0, "end", True)]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_words(say, language: str) -> None:
    """Where the words change a topic ends; the last one stays open until the session is over."""
    turns = say(*talk(*GARDEN[language], *RAILWAY[language]))
    for over in (False, True):
        found = segments(turns, cut=Cut(), over=over)
        closed = [(0, 3, "topic", True)] if over else []
        assert places(found) == [*closed, (4 if over else 0, 7, "end", over)]
    more = talk(*GARDEN[language], *RAILWAY[language], *RAILWAY[language], RAILWAY[language][0])
    assert places(segments(say(*more), cut=Cut())) == [(0, 3, "topic", True), (4, 12, "end", False)]
    assert len(segments(say(*more[:-1]), cut=Cut())) == 1  # what follows could still move it


@pytest.mark.parametrize(
    "words", [("Good morning!", "Morning!", "Thanks", "ok"), ("早上好！", "你好", "谢谢", "好的")]
)
def test_small_talk(say, words: tuple[str, ...]) -> None:
    """Greetings and thanks in the middle of a topic end nothing, whatever their words."""
    language = "zh" if words[0] > "z" else "en"
    four = GARDEN[language]
    turns = say(*talk(*four[:2], *words, *four[2:], *four))
    assert places(segments(turns, cut=Cut(), over=True)) == [(0, len(turns) - 1, "end", True)]


@pytest.mark.parametrize(
    ("silence", "border"),
    [(timedelta(minutes=110), False), (timedelta(minutes=130), True), (timedelta(days=3), True)],
)
def test_silence(say, silence: timedelta, border: bool) -> None:
    """More than two hours without a word end a topic, also a short one."""
    turns = say(*talk(*GARDEN["en"]))
    turns[2:] = [
        replace(t, turn=replace(t.turn, said_at=t.turn.said_at + silence)) for t in turns[2:]
    ]
    found = segments(turns, cut=Cut())
    assert places(found)[0] == ((0, 1, "silence", True) if border else (0, 3, "end", False))
    assert len(segments(turns, cut=Cut(silence=timedelta(days=9)))) == 1


@pytest.mark.parametrize("words", ["By the way, which platform", "换个话题，高铁站台"])
def test_said(say, words: str) -> None:
    """Words that change the subject end a topic, unless it is only an aside."""
    language = "zh" if words[0] > "z" else "en"
    garden, railway = GARDEN[language], RAILWAY[language]
    told = say(*talk(*garden[:2], f"{words} {railway[0]}", railway[1]))
    assert places(segments(told, cut=Cut())) == [(0, 1, "said", True), (2, 3, "end", False)]
    aside = say(*talk(*garden[:2], f"{words} {railway[0]}"))
    assert len(segments(aside, cut=Cut())) == 1


def test_vectors(say) -> None:
    """Vectors decide, not words, where nearly all turns have one; the threshold says how alike."""
    turns = say(*talk(*[GARDEN["en"][i % 4] for i in range(8)]))
    vectors = [[1.0, 0.2 * i % 1] if i < 4 else [-0.2 * i % 1, 1.0] for i in range(8)]
    found = segments(turns, cut=Cut(threshold=0.9), vectors=vectors, over=True)
    assert places(found) == [(0, 3, "topic", True), (4, 7, "end", True)]
    assert len(segments(turns, cut=Cut(threshold=-0.5), vectors=vectors, over=True)) == 1
    few = [*vectors[:5], None, None, None]
    assert len(segments(turns, cut=Cut(threshold=0.9), vectors=few, over=True)) == 1


def test_centred() -> None:
    """What a role usually says is taken off; without knowing it, or a vector, nothing is left."""
    found = centred(
        [[2.0, 0.0], None, [0.0, 1.0]],
        [Role.USER, Role.USER, Role.ASSISTANT],
        usual={Role.USER: [0.5, 0.5]},
    )
    assert [None if v is None else [float(x) for x in v] for v in found] == [
        [0.5, -0.5],
        None,
        None,
    ]


def test_length(say) -> None:
    """A run that never changes its topic is cut all the same, so that every summary is bounded."""
    turns = say(*talk(*[GARDEN["en"][i % 4] for i in range(130)]))
    found = segments(turns, cut=Cut(), over=True)
    assert {s.border for s in found[:-1]} == {Border.LENGTH}
    assert all(20 <= s.last - s.first + 1 <= 44 for s in found[:-1])


def test_noise(say) -> None:
    """The output of tools and system prompts neither end a topic nor hold one together."""
    said = talk(*GARDEN["en"])
    noisy = [x for one in said for x in (one, ("t", "ERROR railway express platform Berlin"))]
    turns = say(("s", "You are a helpful railway clerk"), *noisy)
    assert places(segments(turns, cut=Cut(), over=True)) == [(0, 8, "end", True)]
