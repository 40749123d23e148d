"""What turns tell of themselves: events at meaningful borders, named by their place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from alaya.model.event import (
    EVENT,
    REMEMBERED,
    event_id,
    events_of,
    import_of,
    recall_id,
    recalled_at,
    spoken,
    turn_places,
)
from alaya.model.ids import sha256
from alaya.model.raw import EventKind, Origin, Role, SessionKind, ToolCall, Turn
from alaya.testing.invented import START, day, session

TALK = (
    Turn("1", Role.USER, "哪个端口？", day(0), origin=Origin.OWNER),
    Turn(
        "2",
        Role.ASSISTANT,
        "Let me look.",
        day(1),
        tool_calls=(ToolCall("c1", "bash", "cat conf"), ToolCall("c2", "ls")),
    ),
    Turn("3", Role.TOOL, "port 5433", day(2), origin=Origin.TOOL, tool_call_id="c1"),
    Turn("4", Role.ASSISTANT, "It is 5433.", day(3)),
    Turn("5", Role.USER, "thanks", day(4), origin=Origin.OWNER),
)


def test_a_talk_tells_its_events() -> None:
    """A message, a thought between calls, each call with its result, the last answer."""
    found = events_of(session(), TALK)
    told = [(event.id, event.kind, event.origin) for event in found]
    assert told == [
        ("event:s#1", EventKind.USER_MESSAGE, Origin.OWNER),
        ("event:s#2", EventKind.REASONING, Origin.AGENT),
        ("event:s#2!c1", EventKind.TOOL_CALL, Origin.TOOL),
        ("event:s#2!c2", EventKind.TOOL_CALL, Origin.AGENT),
        ("event:s#4", EventKind.FINAL_ANSWER, Origin.AGENT),
        ("event:s#5", EventKind.USER_MESSAGE, Origin.OWNER),
    ]
    call, answer = found[2], found[4]
    assert call.metadata == {"tool": "bash", "input_sha256": sha256("cat conf")}
    assert [(span.turn, span.sha256) for span in call.output] == [("3", sha256("port 5433"))]
    assert [(span.turn, span.sha256) for span in answer.input] == [("1", sha256("哪个端口？"))]
    assert [span.turn for span in answer.output] == ["4"]
    assert found[3].output == ()


def test_a_thought_in_the_log_is_known_by_its_hash() -> None:
    """Reasoning that stands beside the words is not copied: the event holds its hash."""
    thinks = replace(TALK[3], content="", metadata={"reasoning": "hm"})
    (event,) = events_of(session(), [thinks])
    assert event.metadata == {"reasoning_sha256": sha256("hm")}
    assert event.output == ()


def test_what_belongs_to_another_event_tells_none() -> None:
    """Turns of an event of the journal are its words; what was remembered is a reflection."""
    of_event = replace(TALK[0], metadata={EVENT: "event-x"})
    put_down = replace(TALK[3], metadata={REMEMBERED: "result"})
    (event,) = events_of(session(kind=SessionKind.DOCUMENTS), [of_event, put_down])
    assert (event.kind, event.id) == (EventKind.REFLECTION, "event:s#4")


def test_documents_and_logs_are_imports() -> None:
    """A text that stands alone was imported, and so was a whole log."""
    (event,) = events_of(session(kind=SessionKind.DOCUMENTS), [TALK[0]])
    assert event.kind is EventKind.IMPORT
    whole = import_of(session(source="/logs/a.jsonl", format="codex"))
    assert (whole.id, whole.kind, whole.at) == ("event:s", EventKind.IMPORT, START)
    assert whole.metadata == {"source": "/logs/a.jsonl", "format": "codex"}


def test_what_alaya_said_itself_is_not_in_the_snapshot() -> None:
    """The spans go around what alaya had put into the prompt."""
    turn = Turn("1", Role.USER, "abc<memory>def", injected=((3, 11),))
    assert [(span.start, span.end) for span in spoken("s", turn)] == [(0, 3), (11, 14)]
    assert spoken("s", replace(turn, injected=((0, 14),))) == ()


@pytest.mark.parametrize("name", ["s#1", "a#b#c", "会话#9"])
def test_places_hold_every_reading(name: str) -> None:
    """Either id may hold a `#`: all readings are tried."""
    assert all("#".join(place) == name for place in turn_places(name))
    assert len(turn_places(name)) == name.count("#")
    assert event_id("s", "1", call="c") == "event:s#1!c"


def test_a_recall_tells_when_it_was() -> None:
    """The name of a recall holds its time; other names hold none."""
    name = recall_id(day(3), "alice", {"text": "网关"})
    assert name.startswith("recall-")
    assert name == recall_id(day(3), "alice", {"text": "网关"})
    assert name != recall_id(day(3), "bob", {"text": "网关"})
    assert recalled_at(name) == day(3)
    assert recalled_at("recall-x") is recalled_at("event-x") is recalled_at("recall-") is None
