"""How two texts stand to each other, in English and Chinese."""

from __future__ import annotations

import pytest

from alaya.introspect.sameness import Sameness, compared, wording
from alaya.testing.invented import card


def stand(one: tuple[str, str] | str, other: tuple[str, str] | str) -> str:
    cards = []
    for name, said in (("a", one), ("b", other)):
        title, content = said if isinstance(said, tuple) else ("t", said)
        cards.append(wording(card(name, title, content=content)))
    found, turned = compared(*cards), compared(*reversed(cards))
    mirror = {Sameness.INSIDE: Sameness.AROUND, Sameness.AROUND: Sameness.INSIDE}
    assert turned is mirror.get(found, found)
    return found.value


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The gateway listens on 8080.", "the  Gateway listens on 8080"),
        ("网关监听 8080。", "网关监听　８０８０"),
        ("use C++", "Use C++!"),
    ],
)
def test_identical(one, other) -> None:
    """Case, width, spaces and the ends of lines aside."""
    assert stand(one, other) == "identical"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The gateway listens on 8080.", "The gateway listens on 8080. Restart it to change that."),
        ("网关监听 8080 端口", "记住：网关监听 8080 端口，改动后需要重启"),
        ("uses tabs", "Our Makefile uses tabs for everything"),
    ],
)
def test_one_stands_in_the_other(one, other) -> None:
    """All its words, in order."""
    assert stand(one, other) == "inside"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("port 80", "port 8080 is open to everyone in the office"),
        ("it is 5 degrees", "outside it is 5.5 degrees and the sun is out"),
        ("written in C", "written in C++ by the old team in Berlin"),
        ("the port is open", "who knows whether the port is open?"),
        ("使用制表符缩进", "我们团队从来都不使用制表符缩进，这是规定"),
        (("Redis", "runs on a machine"), ("Postgres", "runs on a machine of its own")),
    ],
)
def test_what_only_looks_like_standing_in_the_other(one, other) -> None:
    """A piece of a number or name, a question, a denial, another title."""
    assert stand(one, other) in ("other", "opposed")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The gateway listens on port 8080", "The gateway listens on port 8081"),
        ("Backups run at two every night", "Backups run at three every night"),
        ("备份每天三点运行", "备份每天五点运行"),
        ("Use tabs for indentation", "Do not use tabs for indentation"),
        ("Use tabs for indentation", "Never use tabs for indentation"),
        ("用户喜欢喝绿茶", "用户不喜欢喝绿茶"),
        ("用户喜欢喝绿茶", "用户讨厌喝绿茶"),
        ("Enable the cache in production", "Disable the cache in production"),
        ("生产环境要启用缓存", "生产环境要禁用缓存"),
        ("Deploy before the tests ran", "Deploy after the tests ran"),
        ("the switch is on", "the switch is off"),
        ("Is the port open", "Is the port open?"),
    ],
)
def test_opposed(one, other) -> None:
    """Nearly the same words, and a number, a denial, an opposite or a question mark apart."""
    assert stand(one, other) == "opposed"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use tabs for indentation", "Use spaces for indentation"),
        ("The cat sat on the mat in 1999", "Kubernetes evicts pods under memory pressure"),
        ("小王住在北京", "小王住在上海"),
        ("", ""),
    ],
)
def test_other(one, other) -> None:
    """Words in the place of others: nothing follows from words alone."""
    assert stand(one, other) == ("identical" if not one else "other")
