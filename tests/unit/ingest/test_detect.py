"""Which format a source has, and where the logs of tools are."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from alaya.errors import InvalidInput
from alaya.ingest.detect import Detected, detect, known_format
from alaya.ingest.discover import discover, is_log, logs_in


@pytest.mark.parametrize(
    ("text", "detected"),
    [
        ('{"id":"s","turns":[]}', Detected("alaya")),
        ('{\n "metadata": {"a": 1},\n "turns": [{"role": "user"}]}', Detected("alaya", True)),
        ('{"messages":[{"role":"user","content":"x"}]}\n{"messages":[]}', Detected("messages")),
        ('[{"role":"user","content":"x"}]', Detected("messages", True)),
        ('[{"id":"s","turns":[{"role":"user","content":"x"}]}]', Detected("alaya", True)),
        ('{"role":"user","content":"x"}', Detected("messages")),
        ('{"type":"session","version":3,"id":"5b"}', Detected("openclaw")),
        ('{"type":"sess\n{"type":"message","id":"a","parentId":null,"message":{}}',
         Detected("openclaw")),
        ('{"type":"summary","summary":"x","leafUuid":"u"}', Detected("claude-code")),
        ('{"type":"user","uuid":"u","sessionId":"s","message":{}}', Detected("claude-code")),
        ('{"timestamp":"t","type":"session_meta","payload":{"id":"x"}}', Detected("codex")),
        ("\ufeff\n" + '{"role":"user","content":"x"}', Detected("messages")),
        ('{"turns":[{"role":"user","content":"' + "x" * 100, Detected("alaya", True)),
        ("  \n", None),
        ("", None),
    ],
)  # fmt: skip
def test_the_format_shows_in_the_content(text: str, detected: Detected | None) -> None:
    """Also in broken, pretty-printed, truncated and empty files."""
    assert detect(io.BytesIO(text.encode()), "x") == detected


def test_a_long_first_line_is_no_obstacle() -> None:
    """A document on one line that is longer than any line may be is read as a document."""
    turns = [{"role": "user", "content": "x" * 1000}] * 18_000
    file = io.BytesIO(json.dumps({"id": "s", "turns": turns}).encode())
    assert detect(file, "x") == Detected("alaya", document=True)


@pytest.mark.parametrize("raw", [b"hello\n", b'{"a":1}', b"%PDF-1.7", b"\xff\xfe{\x00", b"[1,2]"])
def test_an_unknown_format_says_what_was_seen(raw: bytes) -> None:
    """The message names the file, and the formats or what to do."""
    with pytest.raises(InvalidInput, match=r"notes\.txt.*(codex.*--format|UTF-8)"):
        detect(io.BytesIO(raw), "notes.txt")


def test_a_format_can_be_named() -> None:
    """`--format` decides between formats, has aliases, and refuses what it does not know."""
    file = io.BytesIO(b'{"id":"s","messages":[{"role":"user","content":"x"}]}')
    assert detect(file, "x", wanted="alaya") == Detected("alaya")
    assert known_format("Claude_Code") == "claude-code"
    with pytest.raises(InvalidInput, match="messages"):
        known_format("mbox")


def test_discover_finds_the_logs_of_each_tool(tmp_path: Path) -> None:
    """Logs are found at their places and in the folders that the environment names."""
    paths = [
        ".openclaw/agents/main/agent/openclaw-agent.sqlite",
        ".openclaw/agents/main/sessions/a.jsonl",
        ".openclaw/agents/main/sessions/a.trajectory.jsonl",
        ".openclaw/agents/main/sessions/a.checkpoint.1.jsonl",
        ".openclaw/agents/main/sessions/a.jsonl.reset.2026",
        ".openclaw/agents/main/sessions/a-clean.jsonl",
        ".openclaw/agents/main/sessions/sessions.json",
        ".claude/projects/-p/s1.jsonl",
        ".claude/projects/-p/s1/subagents/agent-1.jsonl",
        ".claude/projects/-p/s1/subagents/journal.jsonl",
        ".claude/history.jsonl",
        "elsewhere/sessions/2026/06/01/rollout-1.jsonl",
        "elsewhere/archived_sessions/rollout-0.jsonl",
        "elsewhere/session_index.jsonl",
        ".codex/sessions/2026/06/01/rollout-9.jsonl",
    ]
    for path in paths:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("{}\n")
    (tmp_path / ".claude/projects/-p/empty.jsonl").touch()
    found = discover(
        {"CODEX_HOME": str(tmp_path / "elsewhere")},
        tmp_path,
        known=lambda path, _: "s1" in path.name,
    )
    assert [(one.format, Path(one.path).name) for one in found] == [
        ("openclaw-db", "openclaw-agent.sqlite"),
        ("openclaw", "a.jsonl"),
        ("claude-code", "agent-1.jsonl"),
        ("claude-code", "s1.jsonl"),
        ("codex", "rollout-0.jsonl"),
        ("codex", "rollout-1.jsonl"),
    ]
    assert [one.known for one in found] == [False, False, False, True, False, False]
    assert found[0].bytes == 3
    assert discover({}, tmp_path / "nobody", known=lambda *_: False) == []


def test_a_folder_is_walked_once(tmp_path: Path) -> None:
    """Links that lead in circles and folders of dependencies are passed over."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a/x.jsonl").touch()
    (tmp_path / "a/notes.md").touch()
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules/y.json").touch()
    (tmp_path / "a/loop").symlink_to(tmp_path)
    assert list(logs_in(tmp_path)) == [tmp_path / "a/x.jsonl"]
    assert is_log(Path("s.JSONL"))
    assert not is_log(Path("s.jsonl.lock"))
