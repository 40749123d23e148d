"""What `revise`, `history`, `diff`, `undo` and `rollback` print, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import get_args

from alaya.cli import show_past as show
from alaya.cli.language import messages
from alaya.cli.page import Page
from alaya.cli.query import time_of
from alaya.model.change import Change
from alaya.model.held import Thing, ThingKind
from alaya.model.past import (
    Diff,
    Difference,
    Happened,
    Moment,
    Recorded,
    RollbackReport,
    ThingHistory,
    UndoReport,
    Version,
    Way,
)
from alaya.testing.invented import card, revised

Make = Callable[..., Page]
NOON = datetime(2026, 3, 5, 12, tzinfo=UTC)
A = Thing(ThingKind.CARD, "card-a")
CHANGES = (("CardAdded", 2), ("LinkAdded", 1))
RECORD = Recorded(7, NOON, "alice", "distill", CHANGES, ("端口\x1b[31m",), undone_by=9)


def test_every_kind_has_words() -> None:
    """Each kind of change and of thing can be told, in both languages."""
    for language in ("en", "zh"):
        known = messages(language)
        assert {f"change.{cls.__name__}" for cls in get_args(Change)} <= set(known)
        assert {f"thing.{k}" for k in ThingKind if k is not ThingKind.AROUND} <= set(known)


def test_history(make_page: Make) -> None:
    """Versions, then what happened, by which record, why, and whether it was undone."""
    happened = (
        Happened("CardAdded", 1, NOON, "alice", "distill", version=1),
        Happened("Cooled", 2, NOON, "alice", "introspect", detail="COLD", undone_by=3),
        Happened("Forgotten", 4, NOON, "alice", "forget", reason="unused"),
    )
    told = ThingHistory(A, "端口", False, happened, (Version(card("a", "端口"), NOON),))
    lines = show.history_lines(told, make_page())
    assert lines[0] == "card-a: 端口"
    assert "not held any more" in lines[1]
    assert lines[2] == "  v1 (2026-03-05 … now): 端口"
    assert lines[-2].endswith(
        "card moved to another tier [COLD] introspect by alice (undone by #3)"
    )
    assert lines[-1] == "  #4 2026-03-05 12:00 UTC forgotten forget by alice “unused”"
    local = "\n".join(show.history_lines(told, make_page("zh")))
    assert "现已不再持有" in local
    assert "张卡片换层 [COLD] introspect（alice） （已被 #3 撤销）" in local


def test_diff(make_page: Make) -> None:
    """By kind: what came, what went, what differs and in which parts."""
    found = Diff(
        Moment(1, NOON),
        Moment(7, NOON),
        (
            Difference(A, Way.CHANGED, "old", "new", ("title",)),
            Difference(Thing(ThingKind.CARD, "card-b"), Way.ADDED, after="bee"),
            Difference(Thing(ThingKind.ENTITY, "entity-x"), Way.REMOVED, before="Ada"),
        ),
    )
    assert show.diff_lines(found, make_page())[1:] == [
        "cards (+1, ~1)",
        "  ~ old → new (title)  card-a",
        "  + bee  card-b",
        "entities (-1)",
        "  - Ada  entity-x",
    ]
    assert "卡片 (+1, ~1)" in show.diff_lines(found, make_page("zh"))
    assert show.diff_document(found)["differences"][2]["way"] == "removed"
    nothing = Diff(Moment(1, NOON), Moment(1, NOON), ())
    assert show.diff_lines(nothing, make_page("zh"))[-1] == "没有变化"


def test_undo_and_rollback(make_page: Make) -> None:
    """What was done, to what, and how to have it again; no control characters of what is kept."""
    listed = "\n".join(show.recorded_lines([RECORD], make_page()))
    assert "#7 2026-03-05 12:00 UTC distill by alice 2× cards added, 1× link told" in listed
    assert "(undone by #9)" in listed
    assert "\x1b" not in listed
    report = UndoReport((RECORD,), 9, (("Withdrawn", 2),))
    assert show.undo_lines(report, make_page())[0].startswith("✓ Undone: #7")
    assert "已撤销" in show.undo_lines(report, make_page("zh"))[0]
    back = RollbackReport(Moment(3, NOON), 4, 8, (("Withdrawn", 2),), (("card.removed", 2),))
    assert show.rollback_lines(back, make_page())[1] == "  - 2 cards"
    assert "退回 4 条记录" in show.rollback_lines(back, make_page("zh"))[0]
    same = show.revised_lines(card("a"), make_page("zh"), before=card("a"))
    assert same == ["card-a 已是如此；没有改动"]
    assert (
        "to version 2" in show.revised_lines(revised(card("a")), make_page(), before=card("a"))[0]
    )


def test_days_are_times() -> None:
    """A day that is named is its first moment, looking back; also in Chinese."""
    for text, day in (("yesterday", 4), ("昨天", 4), ("today", 5), ("last Monday", 2)):
        assert time_of("--to", text, now=NOON) == datetime(2026, 3, day, tzinfo=UTC), text
