"""Codex rollouts."""

from __future__ import annotations

from typing import Any

from alaya.ingest.found import Dropped
from alaya.model.raw import Origin, Role, SessionKind

AT = "2026-06-01T10:00:00.000Z"


def line(kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": AT, "type": kind, "payload": payload}


def item(role: str, text: str) -> dict[str, Any]:
    part = {"type": "input_text" if role == "user" else "output_text", "text": text}
    return line("response_item", type="message", role=role, content=[part])


def event(kind: str, message: str) -> dict[str, Any]:
    return line("event_msg", type=kind, message=message)


META = line("session_meta", id="r1", timestamp=AT, cwd="/p", source="cli", git={"branch": "main"})


def test_words_that_stand_twice_are_taken_once(parse) -> None:
    """An event is dropped beside its item, whichever comes first; alone it is taken, in place."""
    parsed = parse(
        META,
        item("user", "fix it"),
        event("user_message", "fix it"),
        event("agent_message", "On it."),
        item("assistant", "On it."),
        event("user_message", "only shown"),
        item("assistant", "Done."),
    )
    assert [turn.content for turn in parsed.turns] == ["fix it", "On it.", "only shown", "Done."]
    assert [turn.id for turn in parsed.turns] == ["0", "1", "2", "3"]


def test_a_rollout_of_events_alone(parse) -> None:
    """Where there are no items the events are all there is, and an item later repeats nothing."""
    first = parse(META, event("user_message", "a"), event("agent_message", "b"))
    assert [(turn.role, turn.content) for turn in first.turns] == [
        (Role.USER, "a"),
        (Role.ASSISTANT, "b"),
    ]
    more = parse(item("assistant", "b"), item("user", "c"), carry=first.carry)
    assert [(turn.id, turn.content) for turn in more.turns] == [("2", "c")]


def test_scaffolding_is_not_the_user(parse) -> None:
    """Environment, permissions, AGENTS.md and developer messages are dropped."""
    parsed = parse(
        META,
        item("user", "<environment_context>\n<cwd>/p</cwd>"),
        item("user", "# AGENTS.md instructions for /p"),
        item("developer", "<permissions instructions>"),
        item("system", "x"),
        event("user_message", "<user_instructions>y"),
        item("user", "hello"),
    )
    assert [turn.content for turn in parsed.turns] == ["hello"]


def test_tools_are_joined_by_call_id(parse) -> None:
    """Outputs carry the tool's name and whether it failed, in each of their shapes."""
    parsed = parse(
        META,
        line("response_item", type="reasoning", summary=[{"type": "summary_text", "text": "hm"}]),
        line("response_item", type="function_call", name="exec", arguments="{}", call_id="c1"),
        line("response_item", type="function_call_output", call_id="c1",
             output='{"output":"boom","metadata":{"exit_code":2}}'),
        line("response_item", type="custom_tool_call", name="apply_patch", input="***",
             call_id="c2"),
        line("response_item", type="custom_tool_call_output", call_id="c2", output="ok"),
        line("response_item", type="local_shell_call", call_id="c3", action={"command": ["ls"]}),
        line("response_item", type="function_call_output", call_id="c3",
             output={"content": [{"type": "input_text", "text": "a"}], "success": True}),
    )  # fmt: skip
    call, boom, patch, ok, shell, listed = parsed.turns
    assert (call.tool_calls[0].name, call.metadata["reasoning"]) == ("exec", "hm")
    assert (boom.content, boom.name, boom.is_error) == ("boom", "exec", True)
    assert (patch.tool_calls[0].arguments, ok.name, ok.is_error) == ("***", "apply_patch", False)
    assert shell.tool_calls[0].name == "local_shell"
    assert (listed.content, listed.name) == ("a", "local_shell")


def test_rounds_that_were_rolled_back_are_dropped(parse) -> None:
    """The last rounds go, also when they were read earlier and when some went before."""
    first = parse(
        META, item("user", "a"), item("assistant", "b"), item("user", "c"), item("assistant", "d")
    )
    back = line("event_msg", type="thread_rolled_back", num_turns=1)
    second = parse(back, item("user", "e"), carry=first.carry)
    assert second.found[0] == Dropped("r1", ("2", "3"))
    third = parse(line("event_msg", type="thread_rolled_back", num_turns=9), carry=second.carry)
    assert third.found == [Dropped("r1", ("0", "1", "2", "3", "4"))]


def test_sub_agents_and_forks(parse) -> None:
    """A spawned thread is a sub-agent's; a fork keeps its parent and is the user's."""
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": "r0", "depth": 1}}}
    agent = parse(line("session_meta", id="r2", source=spawn), item("user", "find it"))
    assert (agent.session.kind, agent.session.parent) == (SessionKind.SUBAGENT, "r0")
    assert agent.turns[0].origin is Origin.AGENT
    fork = parse(line("session_meta", id="r3", source="cli", forked_from_id="r0"), META)
    assert (fork.session.id, fork.session.parent) == ("r3", "r0")
    assert fork.session.kind is SessionKind.MAIN


def test_a_rollout_without_a_header(parse) -> None:
    """The session is named after the file, and unknown lines are counted."""
    parsed = parse(item("user", "x"), line("compacted", message="sum"), {"type": "odd"})
    assert parsed.session.id == "fallback-id"
    assert parsed.skipped == ["compacted line", "odd line"]
