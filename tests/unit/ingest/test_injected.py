"""What alaya put into a prompt itself."""

from __future__ import annotations

import pytest

from alaya.ingest.injected import calls_of_alaya, injected_ranges, is_alaya, mark
from alaya.model.raw import Role, ToolCall, Turn


@pytest.mark.parametrize(
    ("text", "injected"),
    [
        ("a <alaya-memory>x</alaya-memory> b", ["<alaya-memory>x</alaya-memory>"]),
        ('<alaya-memory v="1">\nx', ['<alaya-memory v="1">\nx']),
        ("a <alaya-memory>x <alaya-memory>y</alaya-memory> z</alaya-memory>!",
         ["<alaya-memory>x <alaya-memory>y</alaya-memory> z</alaya-memory>"]),
        ("<alaya-memory>1</alaya-memory>🙁<alaya-memory>2</alaya-memory>",
         ["<alaya-memory>1</alaya-memory>", "<alaya-memory>2</alaya-memory>"]),
        ("<alaya-memory-of-others>x", []),
        ("nothing here </alaya-memory>", []),
    ],
)  # fmt: skip
def test_tagged_text_is_injected(text: str, injected: list[str]) -> None:
    """Tags with attributes, nested, repeated and without an end."""
    assert [text[start:end] for start, end in injected_ranges(text)] == injected


@pytest.mark.parametrize(
    ("name", "arguments", "ours"),
    [
        ("Bash", '{"command": "alaya recall \\"gateway\\" --json"}', True),
        ("exec", '{"command": "cd x && /usr/bin/alaya --home /h context"}', True),
        ("exec_command", '{"cmd": ["bash", "-lc", "alaya trace card-1"]}', True),
        ("local_shell", '{"command": ["alaya", "recall", "x"]}', True),
        ("Bash", '{"command": "alaya facts Melanie --json"}', True),
        ("Bash", '{"command": "alaya entities; alaya summaries"}', True),
        ("mcp__alaya__recall", "{}", True),
        ("alaya_recall", "", True),
        ("alaya", "", True),
        ("Bash", '{"command": "pip install alaya"}', False),
        ("Bash", '{"command": "cat alaya-recall.md"}', False),
        ("Bash", '{"command": "alaya ingest x.jsonl"}', False),
        ("Read", '{"file": "alaya recall"}', False),
        ("alayastore", "{}", False),
        (None, "", False),
    ],
)
def test_calls_of_alaya_are_known(name: str | None, arguments: str, ours: bool) -> None:
    """Its command in any shell and its MCP tools, and nothing that only mentions it."""
    assert is_alaya(name, arguments) is ours


def test_a_result_of_alaya_is_injected_as_a_whole() -> None:
    """The result is known by the id of the call, or by the tool's name."""
    asked = calls_of_alaya([ToolCall("c1", "Bash", '{"command":"alaya recall x"}')])
    assert asked == ["c1"]
    answer = Turn("2", Role.TOOL, "old memories", tool_call_id="c1", name="Bash")
    assert mark(answer, asked) == ((0, 12),)
    assert mark(answer, []) == ()
    assert mark(Turn("3", Role.TOOL, "m", name="mcp__alaya__context"), []) == ((0, 1),)
    assert mark(Turn("4", Role.USER, "alaya recall x", name="alaya"), asked) == ()
