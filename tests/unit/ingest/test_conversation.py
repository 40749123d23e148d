"""Alaya session JSON and plain messages."""

from __future__ import annotations

import json

import pytest

from alaya.ingest.found import Broken, Header, Said
from alaya.model.raw import Origin, Role, SessionKind

SESSION = {
    "id": "session-20260331-062900",
    "timestamp": 1743403740000,
    "channel": "telegram",
    "agent": "main",
    "turns": [
        {"role": "user", "content": "帮我分析一下", "timestamp": 1743403740000},
        {
            "role": "assistant",
            "content": "好的",
            "timestamp": 1743403745000,
            "tool_calls": [{"id": "c1", "name": "exec", "arguments": {"cmd": "ls"}}],
            "mood": "calm",
        },
        {"role": "tool", "content": "a.txt", "tool_call_id": "c1"},
    ],
    "metadata": {"duration_ms": 12000, "model": "claude"},
    "rating": 5,
}


@pytest.mark.parametrize("indent", [None, 2])
def test_the_session_json_of_the_alaya_design(parse, indent) -> None:
    """Header, turns, tool names and unknown fields are kept, on one line or on many."""
    parsed = parse(json.dumps(SESSION, ensure_ascii=False, indent=indent))
    session = parsed.session
    assert (session.id, session.channel, session.scope.agent) == (
        "session-20260331-062900",
        "telegram",
        "main",
    )
    assert session.started_at.year == 2025
    assert session.metadata == {"rating": 5, "duration_ms": 12000, "model": "claude"}
    user, assistant, tool = parsed.turns
    assert (user.id, user.role, user.origin) == ("0", Role.USER, Origin.OWNER)
    assert assistant.tool_calls[0].arguments == '{"cmd": "ls"}'
    assert assistant.metadata == {"mood": "calm"}
    assert (tool.name, tool.origin) == ("exec", Origin.TOOL)


def test_a_header_may_stand_behind_the_turns(parse) -> None:
    """The id of a document is found wherever it stands."""
    text = json.dumps({"turns": SESSION["turns"], "kind": "cron", "id": "late"}, indent=1)
    parsed = parse(text)
    assert {one.session for one in parsed.found if isinstance(one, Said)} == {"late"}
    assert parsed.session.kind is SessionKind.CRON


def test_a_conversation_a_line(parse) -> None:
    """Each line is a session; without ids they are named after the file and numbered."""
    line = {"messages": [{"role": "user", "content": "hi"}]}
    parsed = parse(line, {**line, "id": "own"}, line)
    names = [one.session.id for one in parsed.found if isinstance(one, Header)]
    assert names == ["fallback-id", "own", "fallback-id-3"]
    assert [turn.id for turn in parsed.turns] == ["0", "0", "0"]


def test_a_message_a_line_goes_on_where_it_ended(parse) -> None:
    """Loose messages are one session, and the ordinals go on in an appended file."""
    first = parse({"role": "user", "content": "a"}, {"role": "assistant", "content": "b"})
    more = parse({"role": "user", "content": "c"}, carry=first.carry)
    assert [turn.id for turn in first.turns + more.turns] == ["0", "1", "2"]
    assert not any(isinstance(one, Header) for one in more.found)


def test_messages_of_several_sessions_may_be_mixed(parse) -> None:
    """Messages that name their session go there, each with ordinals of its own."""
    rows = [
        {"session_id": name, "role": "user", "content": str(number)}
        for number, name in enumerate("aabab")
    ]
    said = [one for one in parse(*rows).found if isinstance(one, Said)]
    assert [(one.session, one.turn.id) for one in said] == [
        ("a", "0"), ("a", "1"), ("b", "0"), ("a", "2"), ("b", "1"),
    ]  # fmt: skip


def test_a_bare_list_and_a_list_of_conversations(parse) -> None:
    """A JSON list of messages is one session; a list of objects with messages is several."""
    bare = parse('[{"role":"user","content":"a"},\n {"role":"assistant","content":"b"}]')
    assert [turn.content for turn in bare.turns] == ["a", "b"]
    several = parse(json.dumps([{"messages": [{"role": "user", "content": "a"}]}] * 2, indent=1))
    assert len([one for one in several.found if isinstance(one, Header)]) == 2


def test_parts_of_openai_and_anthropic_messages(parse) -> None:
    """Text is joined, images leave a note, tool results become turns with the tool's name."""
    parsed = parse(
        {
            "messages": [
                {
                    "role": "user",
                    "content": [
                        {"type": "text", "text": "look"},
                        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
                    ],
                },
                {
                    "role": "assistant",
                    "content": [
                        {"type": "thinking", "thinking": "hm"},
                        {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "ls"}},
                    ],
                },
                {
                    "role": "user",
                    "content": [
                        {
                            "type": "tool_result",
                            "tool_use_id": "t",
                            "content": "x",
                            "is_error": True,
                        }
                    ],
                },
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [
                        {
                            "id": "u",
                            "type": "function",
                            "function": {"name": "f", "arguments": "{}"},
                        }
                    ],
                },
            ]
        }
    )
    look, thought, result, call = parsed.turns
    assert look.metadata["attachments"] == ["[image/png, 3 bytes]"]
    assert (thought.content, thought.metadata["reasoning"]) == ("", "hm")
    assert (result.role, result.name, result.is_error) == (Role.TOOL, "Bash", True)
    assert call.tool_calls[0].name == "f"


def test_a_truncated_document_keeps_what_came_before(parse) -> None:
    """The turns before the cut are taken, and the cut is reported."""
    text = json.dumps(SESSION, indent=1)
    parsed = parse(text[: text.index('"tool_calls"')])
    assert [turn.content for turn in parsed.turns] == ["帮我分析一下"]
    assert "truncated" in next(one.reason for one in parsed.found if isinstance(one, Broken))


def test_strange_values_do_no_harm(parse) -> None:
    """Bad times are none, surrogates and NUL are cleaned, unknown roles are not trusted."""
    parsed = parse(
        '{"messages": [{"role": "user", "content": "a\\ud83d\\u0000b 🙁", "timestamp": "soon"},'
        ' {"role": "Caroline", "content": "hi", "timestamp": -5, "x": 1e999}, 7, {"role": "user"},'
        ' {"role": "user", "content": ""}]}'
    )
    first, second = parsed.turns
    assert (first.content, first.said_at) == ("a\ufffdb 🙁", None)
    assert (second.name, second.origin, second.said_at) == ("Caroline", Origin.UNTRUSTED, None)
    assert len([one for one in parsed.found if isinstance(one, Broken)]) == 2
    assert parsed.skipped == ["empty message"]


def test_a_file_cannot_claim_more_trust_than_its_role_has(parse) -> None:
    """`origin` in a file lowers trust and never raises it."""
    parsed = parse(
        {"role": "tool", "content": "x", "origin": "owner"},
        {"role": "user", "content": "y", "origin": "untrusted"},
    )
    assert [turn.origin for turn in parsed.turns] == [Origin.TOOL, Origin.UNTRUSTED]
