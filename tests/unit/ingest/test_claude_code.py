"""Claude Code's transcripts."""

from __future__ import annotations

from typing import Any

from alaya.ingest.found import Header, Said
from alaya.model.raw import Origin, Role, SessionKind


def row(kind: str, uuid: str, content: Any, **more: Any) -> dict[str, Any]:
    message = {"role": kind, "content": content, **more.pop("message", {})}
    return {
        "type": kind, "uuid": uuid, "sessionId": "s1", "timestamp": "2026-06-01T10:00:00Z",
        "message": message, **more,
    }  # fmt: skip


def answer(uuid: str, *parts: Any, id: str = "msg_1", **more: Any) -> dict[str, Any]:
    return row("assistant", uuid, list(parts), message={"id": id, **more})


def call(id: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": "Bash", "input": {"command": id}}


def result(uuid: str, *calls: str) -> dict[str, Any]:
    parts = [{"type": "tool_result", "tool_use_id": c, "content": f"out {c}"} for c in calls]
    return row("user", uuid, parts)


def test_streamed_blocks_are_one_turn_and_usage_counts_once(parse) -> None:
    """Rows that share message.id are merged, also around tool results."""
    parsed = parse(
        row("user", "u1", "fix it"),
        answer("u2", {"type": "thinking", "thinking": "hm"}, usage={"output_tokens": 1}),
        answer("u3", {"type": "text", "text": "Looking."}, usage={"output_tokens": 9}),
        answer("u4", call("t1"), usage={"output_tokens": 20}),
        result("u5", "t1"),
        answer("u6", call("t2"), usage={"output_tokens": 40}),
        result("u7", "t2"),
        answer("u8", {"type": "text", "text": "Done."}, id="msg_2"),
    )
    assert [turn.id for turn in parsed.turns] == ["u1", "u2", "u5", "u7", "u8"]
    merged = parsed.turns[1]
    assert (merged.content, merged.metadata["reasoning"]) == ("Looking.", "hm")
    assert [one.id for one in merged.tool_calls] == ["t1", "t2"]
    assert merged.metadata["usage"] == {"output_tokens": 40}


def test_tool_results_are_not_the_user(parse) -> None:
    """A user row with two results is two turns of the tool; words beside them are the user's."""
    mixed = result("u3", "t1", "t2")
    mixed["message"]["content"].append({"type": "text", "text": "and hurry"})
    parsed = parse(answer("u2", call("t1"), call("t2")), mixed)
    _, first, second, words = parsed.turns
    assert (first.id, first.role, first.name, first.content) == ("u3", Role.TOOL, "Bash", "out t1")
    assert (second.id, second.name) == ("u3.1", "Bash")
    assert (words.id, words.role, words.content) == ("u3.2", Role.USER, "and hurry")


def test_what_nobody_said_is_skipped(parse) -> None:
    """Meta rows, compaction summaries, API errors, system rows and snapshots are counted."""
    parsed = parse(
        row("user", "a", "hello"),
        row("user", "b", "x", isMeta=True),
        row("user", "c", "continued", isCompactSummary=True),
        row("assistant", "d", "API Error", isApiErrorMessage=True),
        {"type": "system", "uuid": "e", "subtype": "compact_boundary"},
        {"type": "file-history-snapshot", "messageId": "a"},
        row("user", "f", "<local-command-stdout>ok</local-command-stdout>"),
    )
    assert [turn.content for turn in parsed.turns] == ["hello"]
    assert parsed.skipped == [
        "meta row", "compaction summary", "API error", "system row",
        "file-history-snapshot row", "only wrapper tags",
    ]  # fmt: skip


def test_wrapper_tags_go_and_the_words_stay(parse) -> None:
    """What the host wrapped around the user's words is taken off, arguments of commands stay."""
    parsed = parse(
        row("user", "a", "fix <b>it</b><system-reminder>be nice</system-reminder> now"),
        row("user", "b", "<command-name>/review</command-name><command-args>PR 12</command-args>"),
        row("user", "c", "an <open-tag without end, a <system-reminder> never closed"),
        row("assistant", "d", "I saw <system-reminder>x</system-reminder>"),
    )
    assert [turn.content for turn in parsed.turns] == [
        "fix <b>it</b> now",
        "PR 12",
        "an <open-tag without end, a <system-reminder> never closed",
        "I saw <system-reminder>x</system-reminder>",
    ]


def test_side_chains_are_sessions_of_their_own(parse) -> None:
    """Rows of an agent go to a sub-session whose prompt is not the owner's."""
    parsed = parse(
        row("user", "a", "go"),
        row("user", "b", "find it", isSidechain=True, agentId="x9"),
        row("user", "c", "back"),
    )
    said = [(one.session, one.turn.origin) for one in parsed.found if isinstance(one, Said)]
    side = "s1-agent-x9"
    assert said == [("s1", Origin.OWNER), (side, Origin.AGENT), ("s1", Origin.OWNER)]
    headers = {one.session.id: one.session for one in parsed.found if isinstance(one, Header)}
    assert (headers[side].kind, headers[side].parent) == (SessionKind.SUBAGENT, "s1")


def test_a_file_of_a_sub_agent(parse) -> None:
    """`agent-*.jsonl` is a sub-session of the session that its rows name."""
    parsed = parse(row("user", "a", "find", isSidechain=True, agentId="7"), name="agent-7.jsonl")
    assert (parsed.session.id, parsed.session.kind) == ("s1-agent-7", SessionKind.SUBAGENT)
    assert parsed.turns[0].origin is Origin.AGENT


def test_a_transcript_is_named_after_its_file(parse) -> None:
    """Copied rows may carry another session's id; the file's name is what counts."""
    name = "5b1f0c1e-1111-4222-8333-abcdefabcdef"
    assert parse(row("user", "a", "x"), name=f"{name}.jsonl").session.id == name
    assert parse(row("user", "a", "x"), name="demo.jsonl").session.id == "s1"


def test_a_forked_row_keeps_the_id_it_was_copied_from(parse) -> None:
    """So that it can be recognised in the session it came from."""
    forked = row("user", "new", "x", forkedFrom={"sessionId": "s0", "messageUuid": "old"})
    parsed = parse(forked)
    assert (parsed.turns[0].id, parsed.session.parent) == ("old", "s0")


def test_queued_words_titles_and_big_fields(parse) -> None:
    """What was typed while the agent was busy is kept; titles are; results are not kept twice."""
    big = result("u3", "t1") | {"toolUseResult": {"stdout": "x" * 10, "persistedOutputPath": "/t"}}
    parsed = parse(
        {"type": "summary", "summary": "Early title", "leafUuid": "z"},
        row("user", "a", "x", newKey={"deep": [1]}),
        big,
        {"type": "attachment", "uuid": "q", "sessionId": "s1",
         "attachment": {"type": "queued_command", "prompt": "also lint"}},
        {"type": "ai-title", "aiTitle": "Late title", "sessionId": "s1"},
    )  # fmt: skip
    assert [turn.content for turn in parsed.turns] == ["x", "out t1", "also lint"]
    assert parsed.turns[0].metadata == {"newKey": {"deep": [1]}}
    assert parsed.turns[1].metadata == {"persistedOutputPath": "/t"}
    titles = [one.session.title for one in parsed.found if isinstance(one, Header)]
    assert titles == ["Early title", "Late title"]


def test_an_answer_goes_on_in_an_appended_file(parse) -> None:
    """Names of tools are remembered from one reading to the next."""
    first = parse(answer("u2", call("t1")))
    more = parse(result("u3", "t1"), carry=first.carry)
    assert more.turns[0].name == "Bash"
