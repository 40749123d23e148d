"""Titles, contents and tags."""

from __future__ import annotations

import pytest

from alaya.distill.acts import HAN
from alaya.distill.tags import tags
from alaya.distill.wording import shortened


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("We use SQLite.", "We use SQLite"),
        (
            "We moved the whole import to a queue, because the old one lost files at night",
            "We moved the whole import to a queue",
        ),
        (
            "The api container on the staging box restarts every two seconds since this morning",
            "The api container on the staging box restarts",
        ),
        (
            "阈值叫“水位”，水位指的是某个门店某个 SKU 未来七天的预计销量",
            "阈值叫“水位”，水位指的是某个门店某个 SKU",
        ),
        ("x" * 100, "x" * 60),
        ("字" * 100, "字" * 30),
    ],
)
def test_shortened(phrase: str, expected: str) -> None:
    """A title is whole clauses where they fit, then words, and never longer than allowed."""
    assert shortened(phrase) == expected


def test_titles(bench) -> None:
    """Titles of all labelled sessions fit, are one line and are not empty."""
    for document in bench.load(bench.LABELLED / "rules") + bench.load(bench.LABELLED / "blind"):
        for card in bench.distil(document).cards:
            assert card.title.strip() == card.title != ""
            assert "\n" not in card.title
            assert len(card.title) <= 60
            han = len(HAN.findall(card.title))
            assert han <= 30 or han * 3 < len(card.title)
            assert card.content


def test_gotcha_content(distil) -> None:
    """A gotcha says problem, cause, fix with its code, and confirmation, in this order."""
    code = "```python\ndf.to_csv(p, encoding='utf-8-sig')\n```"
    (card,) = distil(
        ("u", "导出的 csv 用 Excel 打开是乱码"),
        ("a", f"原因是没有 BOM。改成 `utf-8-sig` 就行：\n{code}"),
        ("u", "好了，谢谢"),
    ).cards
    places = [
        card.content.index(w) for w in ("**现象**", "**原因**", "**解决**", "```python", "**验证**")
    ]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("set `plugins.allow` in the Gateway", ("plugins.allow", "Gateway")),
        ("把 Redis Stream 换成 Kafka", ("Redis Stream", "Kafka")),
        ("ask Priya about my_table and WAL", ("my_table", "WAL", "Priya")),
        ("nothing named here", ()),
    ],
)
def test_tags(text: str, expected: tuple[str, ...]) -> None:
    """Tags are names: identifiers, products, people; in both languages."""
    assert set(expected) <= set(tags([text]))
    assert len(tags([text])) <= 8


def test_tags_once() -> None:
    """A name stands once whatever its case."""
    assert tags(["`SQLite` and SQLITE and `sqlite`"]) == ("SQLite",)
