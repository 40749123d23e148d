"""OpenClaw's JSON lines."""

from __future__ import annotations

from typing import Any

from alaya.ingest.found import Broken, Tip
from alaya.model.raw import Role, SessionKind

HEADER = {
    "type": "session", "version": 3, "id": "5b1f0c1e-1111-4222-8333-abcdefabcdef",
    "timestamp": "2026-05-02T08:00:00.000Z", "cwd": "/p",
}  # fmt: skip


def entry(id: str, parent: str | None, **more: Any) -> dict[str, Any]:
    return {"type": "message", "id": id, "parentId": parent, "timestamp": 1777708800000, **more}


def said(id: str, parent: str | None, text: str, role: str = "user", **more: Any) -> dict[str, Any]:
    message = {"role": role, "content": [{"type": "text", "text": text}], **more}
    return entry(id, parent, message=message)


def test_roles_and_tool_results(parse) -> None:
    """Tool results and shell commands are the tool's words; summaries are nobody's."""
    call = {"type": "toolCall", "id": "c", "name": "exec", "arguments": {"command": "ls"}}
    parsed = parse(
        HEADER,
        said("a", None, "hi"),
        entry("b", "a", message={"role": "assistant", "content": [call], "usage": {"input": 1}}),
        entry("c", "b", message={"role": "toolResult", "toolCallId": "c", "content": "out"}),
        entry(
            "d",
            "c",
            message={"role": "bashExecution", "command": "pwd", "output": "/x", "exitCode": 1},
        ),
        entry("e", "d", type="compaction", summary="all of it"),
        entry("f", "e", type="custom_message", content="injected"),
        said("g", "f", "hook", role="hookMessage"),
        said("h", "g", "thanks", audio={"data": "A" * 400, "mimeType": "audio/ogg"}),
    )
    assert [(turn.role, turn.content) for turn in parsed.turns] == [
        (Role.USER, "hi"),
        (Role.ASSISTANT, ""),
        (Role.TOOL, "out"),
        (Role.TOOL, "$ pwd\n/x"),
        (Role.USER, "thanks"),
    ]
    assert parsed.turns[2].name == "exec"
    assert parsed.turns[3].is_error
    assert parsed.turns[4].parent == "d"
    assert parsed.turns[4].metadata["audio"] == "[audio/ogg, 300 bytes]"
    assert parsed.skipped == ["compaction entry", "custom_message entry", "hookMessage message"]


def test_a_straight_session_needs_no_tip(parse) -> None:
    """Where nothing branched, every turn is active and no tip is reported."""
    parsed = parse(HEADER, said("a", None, "x"), said("b", "a", "y"))
    assert not [one for one in parsed.found if isinstance(one, Tip)]


def test_the_last_leaf_is_the_tip(parse) -> None:
    """A leaf moves the tip to the turn above its target, and later entries move it on."""
    rows = [
        HEADER,
        said("a", None, "x"),
        entry("m", "a", type="model_change"),
        said("b", "m", "left"),
        entry("l", "b", type="leaf", targetId="m", appendMode="side"),
    ]
    left = parse(*rows)
    assert left.found[-1] == Tip(HEADER["id"], "a")
    on = parse(
        said("c", "l", "right"),
        said(
            "d",
            "c",
            "side",
        ),
        carry=left.carry,
    )
    assert on.turns[0].parent == "a"
    assert on.found[-1] == Tip(HEADER["id"], "d")
    side = parse({**said("e", "d", "aside"), "appendMode": "side"}, carry=on.carry)
    assert side.found[-1] == Tip(HEADER["id"], "d")


def test_version_1_has_no_ids(parse) -> None:
    """Without ids turns are numbered and there is no tree."""
    old = {
        "type": "message",
        "timestamp": "2026-01-01",
        "message": {"role": "user", "content": "x"},
    }
    parsed = parse({"type": "session", "id": "v1"}, old, old)
    assert [turn.id for turn in parsed.turns] == ["0", "1"]
    assert not [one for one in parsed.found if isinstance(one, Tip)]


def test_a_broken_header_is_recovered(parse) -> None:
    """The session is then named by its file, and begins with its first entry."""
    parsed = parse(
        '{"type":"session","id":"5b1f', said("a", None, "x"),
        name="5b1f0c1e-1111-4222-8333-abcdefabcdef-topic-7.jsonl",
    )  # fmt: skip
    assert isinstance(parsed.found[0], Broken)
    assert parsed.session.id == "5b1f0c1e-1111-4222-8333-abcdefabcdef"
    assert parsed.session.started_at.year == 2026


def test_the_index_beside_a_session_tells_its_kind(parse) -> None:
    """Session keys name cron jobs, hooks, sub-agents and channels."""
    for key, kind, channel in (
        ("agent:main:main", SessionKind.MAIN, None),
        ("agent:main:telegram:group:12", SessionKind.MAIN, "telegram"),
        ("cron:nightly", SessionKind.CRON, None),
        ("agent:main:cron:nightly:run:1", SessionKind.CRON, None),
        ("hook:5b1f", SessionKind.HOOK, None),
        ("agent:main:subagent:5b1f", SessionKind.SUBAGENT, None),
    ):
        session = parse(HEADER, said("a", None, "x"), hints={"key": key}).session
        assert (session.kind, session.channel) == (kind, channel)
        assert session.metadata["session_key"] == key


def test_strange_entries_are_skipped_or_parked(parse) -> None:
    """Unknown types are counted; what is no object or no message is parked; the rest goes on."""
    parsed = parse(
        HEADER, [1], {"type": "reset"}, {"type": "message", "id": "q", "parentId": None},
        entry("x", "x", type="usage"), said("a", "gone", "still here"),
    )  # fmt: skip
    assert [turn.content for turn in parsed.turns] == ["still here"]
    assert len([one for one in parsed.found if isinstance(one, Broken)]) == 2
