"""One card of two keeps what both had."""

from __future__ import annotations

from alaya.introspect.merging import elder, merged, rederived
from alaya.model.graph import CardState, Horizon
from alaya.model.raw import Origin
from alaya.testing.invented import START, card, day, span


def test_what_a_merged_card_keeps() -> None:
    """Evidence, events, sources and tags of all; the most important, the least trusted, the first
    said; its own words, and whose place it took."""
    kept = card(
        "a",
        "port",
        content="8080",
        said_at=day(5),
        tags=("Net",),
        importance=0.3,
        confidence=0.9,
        evidence=(span("s", "1"),),
        derived_from=("card-x", "card-b"),
        origin=Origin.OWNER,
        metadata={"mine": 1, "both": 1},
    )
    other = card(
        "b",
        "Port",
        content="8080.",
        said_at=day(2),
        tags=("net", "ops"),
        importance=0.8,
        confidence=0.4,
        evidence=(span("s", "1"), span("t", "2")),
        source_events=("event-1",),
        derived_from=("card-x", "card-y"),
        origin=Origin.TOOL,
        horizon=Horizon.LONG,
        metadata={"theirs": 2, "both": 2, "merged": ["card-old"]},
    )
    found = merged(kept, [other], now=day(9))
    assert (found.id, found.title, found.content) == ("card-a", "port", "8080")
    assert (found.version, found.supersedes) == (2, "card-a@1")
    assert found.evidence == (span("s", "1"), span("t", "2"))
    assert found.source_events == ("event-1",)
    assert found.derived_from == ("card-x", "card-y")
    assert found.tags == ("Net", "ops")
    assert (found.importance, found.confidence, found.origin) == (0.8, 0.9, Origin.TOOL)
    assert (found.said_at, found.updated_at, found.horizon) == (day(2), day(9), Horizon.LONG)
    assert found.metadata == {
        "mine": 1,
        "theirs": 2,
        "both": 1,
        "merged": ["card-old", "card-b"],
    }


def test_the_elder_is_kept_unless_the_other_is_pinned() -> None:
    """Pinned before said first before made first before the name."""
    first, second = card("b", said_at=day(1)), card("a", said_at=day(2))
    free, pinned = CardState(START), CardState(START, pinned=True)
    assert elder((first, free), (second, free)) == (first, second)
    assert elder((second, free), (first, free)) == (first, second)
    assert elder((first, free), (second, pinned)) == (second, first)


def test_what_was_derived_follows() -> None:
    """A source that was merged is named by the card that took it in, once."""
    one = card("c", derived_from=("card-a", "card-b", "card-z"))
    found = rederived(one, {"card-b": "card-a"}, now=day(9))
    assert found is not None
    assert (found.derived_from, found.version) == (("card-a", "card-z"), 2)
    assert rederived(one, {"card-q": "card-a"}, now=day(9)) is None
