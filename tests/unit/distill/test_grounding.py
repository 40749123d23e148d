"""Which cards rest on nothing of what they cite, in both languages, and which cannot be judged."""

from __future__ import annotations

import pytest
from scripted_talk import card, says
from test_proposals import GATE, asked

from alaya.distill.grounding import strange
from alaya.distill.proposals import Found

ENGLISH = "The import of the nightly report fails with a KeyError since we moved to port 5433."
CHINESE = "昨晚的报表导入失败了，换成端口 5433 之后就一直报错，先由小王来看。"
GERMAN = "Der nächtliche Bericht schlägt seit gestern fehl, weil die Datenbank umgezogen ist."
JAPANESE = "昨夜のレポートの取り込みが失敗しました。"


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("Redis cache policy\nUse an eviction of least recently used entries.", ENGLISH),
        ("缓存策略\n使用最近最少使用的淘汰算法，内存上限两吉字节。", CHINESE),
    ],
)
def test_nothing_in_common(text: str, heard: str) -> None:
    """Words that only hold a sentence together do not support a card."""
    assert strange(text, heard, stem=None)


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("Failing imports\nSomething about a reporting job is broken at night.", ENGLISH),  # report
        ("Database address\nConnections now go to 05433 instead of before.", ENGLISH),  # a number
        ("数据载入\n夜间任务出现故障，负责人是小王，需要尽快处理。", CHINESE),  # 小王
        ("Port\nIt changed.", "We had some tea and it was good."),  # too little to judge
        ("Caching policy\nUse an eviction of least recently used entries.", CHINESE),
        ("缓存策略\n使用最近最少使用的淘汰算法，内存上限两吉字节。", ENGLISH),
        ("Nightly data job\nIt is broken because the storage was moved.", GERMAN),
        ("夜间任务\n导入出现故障，需要有人处理一下这个情况。", JAPANESE),
        ("Caching policy\nUse an eviction of least recently used entries.", "ok 👍"),
    ],
)
def test_what_shares_anything_or_cannot_be_judged(text: str, heard: str) -> None:
    """A word, its beginning, a number or a name is enough; so is another language."""
    assert not strange(text, heard, stem=None)


def test_made_up_cards_are_rejected_and_counted() -> None:
    """Against the turns that it cites and those beside them; elsewhere in the window is too far."""
    talk = [("u", ENGLISH), ("a", "Shall we roll the port back?"), ("u", "yes, please do that now")]
    talk += [("a", "It is done and it is all fine.")] * 3
    talk += [("u", "We also had a long talk about the garden and the tomatoes in it.")]
    lines = asked(*talk).window.lines
    made_up = "Use an eviction of least recently used entries for the cache."
    rolled = card("Roll back", 3, content="The port is rolled back to what it was before.")
    far = card("Garden", 1, content="The tomatoes in the garden were watered and have grown.")
    found = Found()
    value = says(card("Cache", 1, content=made_up), rolled, far)
    found.take(value, lines, gate=GATE, stem=None)
    assert [one.title for one in found.cards] == ["Roll back"]
    assert (found.dropped, found.unsupported) == (2, 2)
