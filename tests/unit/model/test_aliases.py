"""Other names of what a text names."""

from __future__ import annotations

import pytest

from alaya.model.aliases import aliases


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("Melanie goes by Mel.", ("Melanie", "Mel")),
        ("Robert, also known as Bob, came", ("Robert", "Bob")),
        ("K8s is short for Kubernetes", ("K8s", "Kubernetes")),
        ("New York City (a.k.a. Big Apple)", ("New York City", "Big Apple")),
        ("马超，字孟起。", ("马超", "孟起")),
        ("那人姓刘，名备，字玄德。", ("刘备", "玄德")),
        ("人民大学（简称人大）", ("人民大学", "人大")),
        ("我女儿小名叫豆豆。", ("女儿", "豆豆")),
    ],
)
def test_said_of_another(text: str, pair: tuple[str, str]) -> None:
    """People say of somebody what else they are called, in both languages."""
    assert pair in aliases(text)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Just call me Mel, everyone does", "Mel"),
        ("叫我小李吧", "小李"),
        ("我的网名叫阿猫。", "阿猫"),
    ],
)
def test_said_of_oneself(text: str, other: str) -> None:
    """Who says what to be called is meant; of nobody it says nothing."""
    assert aliases(text, "Li Ming") == (("Li Ming", other),)
    assert aliases(text) == ()


@pytest.mark.parametrize(
    "text",
    ["", "Bob called Alice", "他写了几个字，很好看。", "it is also known as a bug", "🦓", "a.k.a."],
)
def test_nothing_said(text: str) -> None:
    """A call is no name, and what is written in small letters is none."""
    assert aliases(text) == ()


def test_each_once() -> None:
    """The same pair twice is one."""
    assert aliases("Melanie goes by Mel. Melanie goes by Mel.") == (("Melanie", "Mel"),)
