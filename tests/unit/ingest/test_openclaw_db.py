"""OpenClaw's database."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import apsw
import pytest

from alaya.model.raw import SessionKind

SCHEMA = """
CREATE TABLE transcript_events(session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER,
  PRIMARY KEY(session_id, seq));
CREATE TABLE session_windows(session_id TEXT PRIMARY KEY, session_key TEXT, channel TEXT,
  previous_session_id TEXT, started_at INTEGER, created_at INTEGER);
CREATE TABLE transcript_rewrite_watermarks(session_id TEXT PRIMARY KEY, generation TEXT);
CREATE TABLE session_transcript_archives(session_id TEXT, generation TEXT, session_key TEXT,
  encoding TEXT, archive_blob BLOB);
"""


def said(id: str, parent: str | None, text: str) -> str:
    message = {"role": "user", "content": text}
    return json.dumps({"type": "message", "id": id, "parentId": parent, "message": message})


class Agent:
    """An OpenClaw agent's database, written as OpenClaw writes it."""

    def __init__(self, state: Path) -> None:
        self.path = state / "agents/main/agent/openclaw-agent.sqlite"
        self.path.parent.mkdir(parents=True)
        self.db = apsw.Connection(str(self.path))
        self.db.execute("PRAGMA journal_mode=WAL")
        self.db.execute(SCHEMA)

    def session(self, id: str, key: str, *events: Any) -> None:
        self.db.execute(
            "INSERT INTO session_windows VALUES(?,?,'telegram',NULL,1777708800000,0)", (id, key)
        )
        self.write(id, *events)

    def write(self, id: str, *events: str) -> None:
        (last,) = self.db.execute(
            "SELECT coalesce(max(seq), -1) FROM transcript_events WHERE session_id=?", (id,)
        ).fetchone()
        for number, event in enumerate(events, last + 1):
            self.db.execute(
                "INSERT INTO transcript_events VALUES(?,?,?,?)", (id, number, event, number)
            )

    def rewrite(self, id: str, generation: str, *events: str) -> None:
        self.db.execute("DELETE FROM transcript_events WHERE session_id=?", (id,))
        self.db.execute("REPLACE INTO transcript_rewrite_watermarks VALUES(?,?)", (id, generation))
        self.write(id, *events)


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    return Agent(tmp_path / "state")


def test_sessions_with_their_kind_channel_and_agent(home, agent) -> None:
    """Each session is its own; cron jobs are marked; a broken event is parked."""
    agent.session(
        "s1", "agent:main:main", said("a", None, "hello"), '{"bro', said("b", "a", "there")
    )
    agent.session("s2", "cron:nightly", said("c", None, "run"))
    report = home.take(agent.path)
    assert (report.turns, len(report.parked)) == (3, 1)
    assert "s1/1" in report.parked[0].reason
    sessions = home.sessions()
    assert sessions["s1"].scope.agent == "main"
    assert (sessions["s1"].channel, sessions["s1"].kind) == ("telegram", SessionKind.MAIN)
    assert sessions["s2"].kind is SessionKind.CRON
    assert home.take(agent.path).unchanged == 1


def test_new_events_are_read_and_no_others(home, agent) -> None:
    """The cursor is the last sequence number of each session."""
    agent.session("s1", "agent:main:main", said("a", None, "1"))
    home.take(agent.path)
    agent.write("s1", said("b", "a", "2"))
    report = home.take(agent.path)
    assert (report.turns, report.skipped) == (1, {})
    assert home.active("s1") == ["1", "2"]


def test_a_new_generation_is_read_from_the_beginning(home, agent) -> None:
    """What a rewritten history no longer holds is superseded, what changed has both versions."""
    agent.session(
        "s1", "agent:main:main", said("a", None, "1"), said("b", "a", "2"), said("c", "b", "3")
    )
    home.take(agent.path)
    agent.rewrite("s1", "g2", said("a", None, "1"), said("b", "a", "two"))
    report = home.take(agent.path)
    assert report.turns == 1
    assert home.active("s1") == ["1", "two"]
    assert [(t.turn.id, t.mark.value) for t in home.turns("s1")] == [
        ("a", "active"), ("b", "superseded"), ("c", "superseded"), ("b@1", "active"),
    ]  # fmt: skip


def test_json_lines_of_the_same_session_are_not_taken_twice(home, agent) -> None:
    """Entries are known by their ids; what only the file has is kept, also after a rewrite."""
    file = agent.path.parent.parent / "sessions/s1.jsonl"
    file.parent.mkdir()
    header = '{"type":"session","version":3,"id":"s1","timestamp":"2026-05-02T08:00:00Z"}'
    file.write_text("\n".join([header, said("y", None, "older"), said("a", "y", "1"), ""]))
    agent.session("s1", "agent:main:main", said("a", None, "1"), said("b", "a", "2"))
    for sources in ([agent.path, file], [file, agent.path]):
        report = home.take(*sources)
    assert report.turns == 0
    assert sorted(home.active("s1")) == ["1", "2", "older"]
    agent.rewrite("s1", "g2", said("a", None, "1"), said("c", "a", "3"), said("d", "a", "4"))
    home.take(agent.path)
    assert sorted(home.active("s1")) == ["1", "4", "older"]


def test_archived_transcripts(home, agent) -> None:
    """Plain archives are read once; compressed ones say what to install where it is missing."""
    lines = f"{said('a', None, 'old')}\n".encode()
    insert = "INSERT INTO session_transcript_archives VALUES(?,?,?,?,?)"
    agent.db.execute(insert, ("s0", "g", "agent:main:main", "identity", lines))
    agent.db.execute(insert, ("s9", "g", "agent:main:main", "zstd", b"\x28\xb5\x2f\xfdbroken"))
    agent.session("s1", "agent:main:main", said("b", None, "new"))
    report = home.take(agent.path)
    assert home.active("s0") == ["old"]
    assert len(report.parked) == 1
    assert "zstd" in report.parked[0].reason
    assert home.take(agent.path).turns == 0


def test_a_compressed_archive(home, agent) -> None:
    """With `zstandard` installed, compressed archives are read like plain ones."""
    zstandard = pytest.importorskip("zstandard")
    blob = zstandard.ZstdCompressor().compress(f"{said('a', None, 'old')}\n".encode())
    insert = "INSERT INTO session_transcript_archives VALUES(?,?,?,?,?)"
    agent.db.execute(insert, ("s0", "g", "agent:main:main", "zstd", blob))
    home.take(agent.path)
    assert home.active("s0") == ["old"]


def test_what_is_no_agent_database_is_parked(home, tmp_path: Path) -> None:
    """Another database, and a file that only begins like one."""
    other = tmp_path / "other.sqlite"
    with apsw.Connection(str(other)) as db:
        db.execute("CREATE TABLE t(a)")
    broken = tmp_path / "broken.sqlite"
    broken.write_bytes(b"SQLite format 3\x00" + b"x" * 5000)
    reasons = [parked.reason for parked in home.take(other, broken).parked]
    assert "not an OpenClaw agent database" in reasons[0]
    assert "database" in reasons[1]
