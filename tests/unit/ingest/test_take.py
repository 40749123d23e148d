"""Ingest as a whole, with the real stores: cursors, appended, rewritten and broken sources."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

from alaya.errors import InvalidInput, NotFound, OutOfSpace
from alaya.ingest.cursor import cursor_name
from alaya.ingest.take import is_known


def message(text: str, role: str = "user", **more: Any) -> dict[str, Any]:
    return {"role": role, "content": text, **more}


def write(path: Path, *rows: Any, append: bool = False) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows)
    with path.open("a" if append else "w", encoding="utf-8", errors="surrogatepass") as file:
        file.write("".join(f"{line}\n" for line in lines))
    return path


def test_running_twice_changes_nothing(home, tmp_path: Path) -> None:
    """The second run finds the source unchanged, also without its cursor, and writes nothing."""
    path = write(
        tmp_path / "m.jsonl", message("部署失败 password=hunter2"), message("ok", "assistant")
    )
    first = home.take(path)
    assert (first.turns, first.redacted, first.sources) == (2, {"password": 1}, 1)
    assert first.sessions[0].created
    assert first.sessions[0].total_turns == 2
    assert Path(first.sessions[0].path).exists()
    head = home.head()
    assert home.take(path).unchanged == 1
    assert home.take(first.sessions[0].path).parked[0].reason.endswith("it is not ingested")
    home.archive.set_state(cursor_name("default", str(path)), {"offset": "nonsense"})
    again = home.take(path)
    assert (again.turns, again.redacted, again.skipped) == (0, {}, {"already archived": 2})
    assert home.head() == head
    assert "hunter2" not in Path(first.sessions[0].path).read_text(encoding="utf-8")


def test_an_appended_source_goes_on(home, tmp_path: Path) -> None:
    """Only what was added is read; half a last line waits until it is whole."""
    path = write(tmp_path / "m.jsonl", message("1"))
    home.take(path)
    write(path, message("2"), append=True)
    with path.open("a") as file:
        file.write('{"role":"user","con')
    report = home.take(path)
    assert (report.turns, report.skipped) == (1, {"unfinished last line": 1})
    assert home.take(path).unchanged == 1
    with path.open("a") as file:
        file.write('tent":"3"}\n')
    assert home.take(path).turns == 1
    assert home.active() == ["1", "2", "3"]
    assert [turn.ordinal for turn in home.turns()] == [0, 1, 2]


def test_a_touched_source_is_unchanged(home, tmp_path: Path) -> None:
    """Another time with the same bytes is no change."""
    path = write(tmp_path / "m.jsonl", message("1"))
    home.take(path)
    os.utime(path, (1, 1))
    assert home.take(path).unchanged == 1
    assert is_known(home.archive, "default", path=path, size=path.stat().st_size)
    assert not is_known(home.archive, "default", path=path, size=1)


def test_folders_patterns_and_streams(home, tmp_path: Path) -> None:
    """Folders are searched for logs by name and content; a stream is named after its content."""
    write(tmp_path / "logs/a.jsonl", message("a"))
    write(tmp_path / "logs/deep/b.json", {"id": "b", "turns": [message("b")]})
    write(tmp_path / "logs/c.trajectory.jsonl", message("c"))
    write(tmp_path / "logs/config.json", {"debug": True})
    write(tmp_path / "logs/empty.jsonl")
    report = home.take(tmp_path / "logs")
    assert (report.turns, report.parked) == (2, ())
    assert report.skipped == {"not a session log": 1, "empty file": 1}
    assert home.take(str(tmp_path / "logs/**/*.json*")).unchanged == 2
    stream = io.BytesIO(json.dumps(message("from a pipe")).encode())
    name = home.take(stream).sessions[0].session.id
    assert name.startswith("stdin-")
    stream.seek(0)
    assert home.take(stream).turns == 0


def test_a_session_that_begins_empty(home, tmp_path: Path) -> None:
    """A log whose first message is empty is taken when it goes on."""
    path = tmp_path / "m.jsonl"
    path.write_text(json.dumps({"role": "user", "content": ""}) + "\n")
    assert home.take(path).turns == 0
    with path.open("a") as file:
        file.write(json.dumps({"role": "user", "content": "网关"}) + "\n")
    assert (home.take(path).turns, home.take(path).parked) == (1, ())


def test_what_is_not_there(home, tmp_path: Path) -> None:
    """One missing name among others is reported; nothing but missing names is an error."""
    path = write(tmp_path / "m.jsonl", message("a"))
    report = home.take(path, tmp_path / "gone.jsonl")
    assert report.turns == 1
    assert report.parked[0].reason == "no such file or folder"
    assert list(home.archive.parked()) == []
    with pytest.raises(NotFound, match=r"gone\.jsonl"):
        home.take(tmp_path / "gone.jsonl")
    with pytest.raises(InvalidInput, match="formats are"):
        home.take(path, format="mbox")


def test_what_cannot_be_understood_is_parked(home, tmp_path: Path) -> None:
    """With its line, and the rest goes on; once it is mended it is parked no more."""
    path = write(tmp_path / "m.jsonl", message("a"), '{"role": "user", ', message("b"))
    report = home.take(path, write(tmp_path / "notes.md", "hello"))
    assert report.turns == 2
    broken, unknown = report.parked
    assert (broken.line, broken.offset) == (2, 33)
    assert "not JSON" in broken.reason
    assert "--format" in unknown.reason
    assert len(list(home.archive.parked())) == 2
    write(path, message("a"), message("b"))
    home.take(path)
    assert [parked.source for parked in home.archive.parked()] == [unknown.source]


def test_an_unreadable_file_is_parked(home_factory) -> None:
    """As a user without rights; the other sources are taken."""
    home, folder = home_factory()
    secret = write(folder / "logs/secret.jsonl", message("x"))
    closed = folder / "logs/closed"
    closed.mkdir()
    write(folder / "logs/open.jsonl", message("y"))
    secret.chmod(0)
    closed.chmod(0)
    root = os.geteuid() == 0
    if root:
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, 65534, 65534)
        os.seteuid(65534)
    try:
        report = home.take(folder / "logs")
    finally:
        if root:
            os.seteuid(0)
        closed.chmod(0o700)
        home.index.close()
    assert report.turns == 1
    assert sorted(Path(parked.source).name for parked in report.parked) == [
        "closed",
        "secret.jsonl",
    ]
    assert all("no permission" in parked.reason for parked in report.parked)


@pytest.mark.parametrize(
    "name",
    ["../../x", "/etc/passwd", "é" * 400, "con", ".", "a\x00b", "🙁", "\ud800", "A", "a/b\\c"],
)
def test_strange_session_ids(home, tmp_path: Path, name: str) -> None:
    """Every session file stays in its folder, whatever the session and its turns are called."""
    text = json.dumps({"id": name, "turns": [message("x", id=name), message("y", id="#" + name)]})
    report = home.take(write(tmp_path / "s.json", text))
    assert report.turns == 2
    sessions = (tmp_path / "home/raw/sessions").resolve()
    assert Path(report.sessions[0].path).resolve().is_relative_to(sessions)
    assert home.active() == ["x", "y"]
    assert home.take(tmp_path / "s.json").unchanged == 1


def test_a_line_of_20_mb(home, tmp_path: Path) -> None:
    """It is parked with its line number and size; the lines around it are taken."""
    path = write(tmp_path / "m.jsonl", message("a"), message("x" * 20_000_000), message("b"))
    report = home.take(path)
    assert home.active() == ["a", "b"]
    assert report.parked[0].line == 2
    assert "over the limit" in report.parked[0].reason
    assert len(report.parked[0].excerpt) <= 200


def test_what_alaya_put_there_is_marked(home, tmp_path: Path) -> None:
    """Tags and results of its own commands, also where call and result come in two readings."""
    call = {"id": "c", "name": "Bash", "arguments": {"command": "alaya recall x"}}
    tagged = "do it <alaya-memory>password=hunter2</alaya-memory>!"
    path = write(tmp_path / "m.jsonl", message(tagged), message("", "assistant", tool_calls=[call]))
    home.take(path)
    write(path, message("old memory", "tool", tool_call_id="c"), append=True)
    home.take(path)
    user, _, tool = (t.turn for t in home.turns())
    ((start, end),) = user.injected
    expected = "<alaya-memory>password=[REDACTED:password]</alaya-memory>"
    assert user.content[start:end] == expected
    assert tool.injected == ((0, 10),)


def test_many_sessions_in_one_file_and_progress(home, tmp_path: Path) -> None:
    """Batches span sessions, each session is complete, and progress ends at the end."""
    lines = [{"id": f"s{n}", "messages": [message("a"), message("b")]} for n in range(400)]
    told: list[tuple[str, int, int | None]] = []
    path = write(tmp_path / "m.jsonl", *lines)
    report = home.take(path, progress=lambda what, done, *, total: told.append((what, done, total)))
    assert (len(report.sessions), report.turns) == (400, 800)
    assert home.head().seq <= 3
    assert home.active("s399") == ["a", "b"]
    assert told[-1] == ("m.jsonl", path.stat().st_size, path.stat().st_size)
    assert all(done <= total for _, done, total in told)


def test_no_secret_is_left_anywhere(home, tmp_path: Path) -> None:
    """Not in what was archived, parked or remembered for the next reading, whatever the format."""
    secret = "password=hunter2"
    user = {"role": "user", "content": secret}
    write(tmp_path / "broken.jsonl", message("a"), f'{{"x": "{secret}')
    write(tmp_path / "unknown.md", secret)
    write(
        tmp_path / "claude.jsonl",
        {"type": "user", "uuid": "u", "sessionId": "c", "cwd": secret, "message": user},
        {"type": "summary", "summary": secret},
    )
    write(
        tmp_path / "openclaw.jsonl",
        {"type": "session", "version": 3, "id": "o", "cwd": secret},
        {"type": "session_info", "id": "a", "parentId": None, "name": secret},
        {"type": "message", "id": "b", "parentId": "a", "message": user, "extra": secret},
    )
    thought = {"type": "reasoning", "summary": [{"type": "summary_text", "text": secret}]}
    write(
        tmp_path / "codex.jsonl",
        {"type": "session_meta", "payload": {"id": "x", "cwd": secret}},
        {"type": "event_msg", "payload": {"type": "user_message", "message": secret}},
        {"type": "response_item", "payload": thought},
    )
    report = home.take(*tmp_path.glob("*.*"))
    assert report.redacted == {"password": 7}
    assert report.turns == 4
    kept = [path for path in (tmp_path / "home").rglob("*") if path.is_file()]
    assert [path.name for path in kept if b"hunter2" in path.read_bytes()] == []


def test_users_do_not_share_cursors(home, tmp_path: Path) -> None:
    """What one user took, another one can take too."""
    path = write(tmp_path / "m.jsonl", message("a"))
    home.take(path)
    home.scope = type(home.scope)("ann")
    assert home.take(path).turns == 1


def test_a_full_disk_is_reported(home, tmp_path: Path, monkeypatch) -> None:
    """Nothing more can be written, so the report says so; nothing is half taken."""
    path = write(tmp_path / "m.jsonl", message("a"))

    def full() -> None:
        raise OutOfSpace("no space left; free some")

    with monkeypatch.context() as patch:
        patch.setattr(home.archive, "lock", full)
        report = home.take(path)
    assert "no space" in report.parked[0].reason
    assert home.take(path).turns == 1


def test_a_log_that_grows_a_title_and_an_agent(home, tmp_path: Path) -> None:
    """Later lines may tell more of a session; its place and beginning never change."""
    path = tmp_path / "s.json"
    turns = [message("a", timestamp=1743403740000)]
    home.take(write(path, {"id": "s", "turns": turns}))
    before = home.sessions()["s"]
    turns.append(message("b"))
    home.take(
        write(path, {"id": "s", "title": "T", "agent": "bot", "turns": turns, "timestamp": 1})
    )
    after = home.sessions()["s"]
    assert (after.title, after.scope.agent) == ("T", "bot")
    assert after.started_at == before.started_at
