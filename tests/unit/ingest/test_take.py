"""Ingest as a whole, with the real stores: cursors, appended, rewritten and broken sources."""

from __future__ import annotations

import io
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from alaya.errors import InvalidInput, NotFound, OutOfSpace
from alaya.ingest.cursor import cursor_name
from alaya.ingest.take import is_known
from alaya.model.raw import SessionKind


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
    assert is_known(home.archive, "default", path, path.stat().st_size)
    assert not is_known(home.archive, "default", path, 1)


def test_a_rewritten_source_is_read_again(home, tmp_path: Path) -> None:
    """Old words stay and are marked; changed ones get a generation of their own; spans hold."""
    path = write(tmp_path / "m.jsonl", message("a"), message("b"), message("c"))
    home.take(path)
    before = home.turns()
    write(path, message("a"), message("B"))
    report = home.take(path)
    assert (report.turns, report.skipped) == (1, {"already archived": 1})
    turns = home.turns()
    assert [(t.turn.id, t.turn.content, t.generation, t.mark.value) for t in turns] == [
        ("0", "a", 0, "active"),
        ("1", "b", 0, "superseded"),
        ("2", "c", 0, "superseded"),
        ("1@1", "B", 1, "active"),
    ]
    assert [t.turn for t in turns[:3]] == [t.turn for t in before]
    write(path, message("a"), message("b"))
    assert home.take(path).turns == 0
    assert home.active() == ["a", "b"]
    assert list(home.archive.verify()) == []


TEXTS = st.lists(st.sampled_from(["a", "b", "c", "password=hunter2", ""]), max_size=6)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    versions=st.lists(TEXTS, min_size=1, max_size=5), layout=st.sampled_from(["lines", "document"])
)
def test_whatever_becomes_of_a_source_its_words_stand(home_factory, versions, layout) -> None:
    """After any history of a source, the active turns are those it holds, each once."""
    home, folder = home_factory()
    path = folder / "m.json"
    for version in versions:
        rows = [message(text) for text in version]
        write(path, *(rows if layout == "lines" else [json.dumps({"messages": rows}, indent=1)]))
        home.take(path)
        if version and any(version):
            standing = [text.replace("[REDACTED:password]", "hunter2") for text in home.active()]
            assert Counter(standing) == Counter(text for text in version if text)
        head = home.head()
        home.take(path)
        assert home.head() == head
    home.index.close()


def test_a_crash_before_the_cursor_is_harmless(home, tmp_path: Path, monkeypatch) -> None:
    """What was committed is found again, and what was not is taken."""
    rows = [message(str(number)) for number in range(1200)]
    path = write(tmp_path / "m.jsonl", *rows)

    def crash(name: str, value: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(home.archive, "set_state", crash)
        with pytest.raises(KeyboardInterrupt):
            home.take(path)
    write(path, message("more"), append=True)
    report = home.take(path)
    assert (report.turns, report.skipped) == (1, {"already archived": 1200})
    assert home.active() == [*(row["content"] for row in rows), "more"]


def test_a_lost_database_is_no_obstacle(home_factory) -> None:
    """A new, empty index catches up first, so that an appended or rewritten source is known."""
    home, folder = home_factory()
    path = write(folder / "m.jsonl", message("a"), message("b"))
    home.take(path)
    for rows, standing in (([message("c")], ["a", "b", "c"]), (None, ["b"])):
        home.index.close()
        for file in (folder / "home").glob("alaya.db*"):
            file.unlink()
        home = type(home)(folder / "home")
        write(path, *(rows or [message("b", id="1")]), append=rows is not None)
        assert home.take(path).parked == ()
        assert home.active() == standing
    home.index.close()


def test_one_id_for_two_turns(home, tmp_path: Path) -> None:
    """Both are kept, whenever they come; the same words under the same id are one turn."""
    path = write(
        tmp_path / "m.jsonl", message("x", id="1"), message("y", id="1"), message("x", id="1")
    )
    home.take(path)
    write(path, message("z", id="1"), append=True)
    home.take(path)
    assert home.active() == ["x", "y", "z"]
    home.archive.set_state(cursor_name("default", str(path)), None)
    assert home.take(path).turns == 0
    assert home.active() == ["x", "y", "z"]


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


def entry(id: str, parent: str | None, text: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "message", "id": id, "parentId": parent,
        "message": {"role": "user", "content": text}, **more,
    }  # fmt: skip


def test_branches_of_a_tree(home, tmp_path: Path) -> None:
    """A branch that was left goes to the side and comes back when it is taken up again."""
    path = write(
        tmp_path / "agents/main/sessions/s.jsonl",
        {"type": "session", "version": 3, "id": "s", "timestamp": "2026-05-02T08:00:00Z"},
        entry("a", None, "1"), entry("b", "a", "left"), entry("c", "b", "left too"),
        {"type": "branch_summary", "id": "d", "parentId": "a", "summary": "…"},
        entry("e", "d", "right"),
    )  # fmt: skip
    write(path.with_name("sessions.json"), {"cron:x": {"sessionId": "s", "provider": "telegram"}})
    home.take(path)
    assert home.active() == ["1", "right"]
    session = home.sessions()["s"]
    assert (session.kind, session.channel, session.scope.agent) == (
        SessionKind.CRON,
        "telegram",
        "main",
    )
    write(path, {"type": "leaf", "id": "f", "parentId": "e", "targetId": "c"}, append=True)
    home.take(path)
    assert home.active() == ["1", "left", "left too"]
    write(path, entry("g", "f", "on"), entry("h", "lost", "with a lost parent"), append=True)
    home.take(path)
    assert home.active() == ["1", "left", "left too", "on", "with a lost parent"]


def test_rounds_that_codex_took_back(home, tmp_path: Path) -> None:
    """They go to the side, and reading all of it again changes nothing."""

    def item(role: str, text: str) -> dict[str, Any]:
        part = {"type": "input_text", "text": text}
        payload = {"type": "message", "role": role, "content": [part]}
        return {"type": "response_item", "timestamp": "2026-06-01", "payload": payload}

    back = {"type": "event_msg", "payload": {"type": "thread_rolled_back", "num_turns": 1}}
    meta = {"type": "session_meta", "payload": {"id": "r", "timestamp": "2026-06-01"}}
    path = write(tmp_path / "rollout-1.jsonl", meta, item("user", "a"), item("assistant", "b"))
    home.take(path)
    write(path, item("user", "c"), back, item("user", "d"), append=True)
    home.take(path)
    assert home.active() == ["a", "b", "d"]
    head = home.head()
    home.archive.set_state(cursor_name("default", str(path)), None)
    home.take(path)
    assert home.head() == head
    fork = {"type": "session_meta", "payload": {"id": "f", "forked_from_id": "r"}}
    report = home.take(
        write(tmp_path / "rollout-2.jsonl", fork, meta, item("user", "a"), item("user", "new"))
    )
    assert (report.turns, home.active("f")) == (1, ["new"])
    assert report.skipped["copied from another session"] == 1


@pytest.mark.parametrize("order", [["old", "new"], ["new", "old"]])
@pytest.mark.parametrize("named", [True, False])
def test_copies_of_a_session_are_taken_once(home, tmp_path: Path, order, named: bool) -> None:
    """A fork or resumed copy adds only what is new in it, in whichever order the files come."""

    def row(number: int, session: str, text: str, **more: Any) -> dict[str, Any]:
        uuid = f"5b1f0c1e-1111-4222-8333-{number:012}"
        return {
            "type": "user", "uuid": uuid, "sessionId": session, "timestamp": "2026-06-01",
            "message": {"role": "user", "content": text}, **more,
        }  # fmt: skip

    origin: dict[str, Any] = {}
    if named:
        origin = {"forkedFrom": {"sessionId": "old", "messageUuid": row(1, "", "")["uuid"]}}
    write(tmp_path / "old.jsonl", row(1, "old", "same"), row(2, "old", "old end"))
    write(tmp_path / "new.jsonl", row(1, "new", "same", **origin), row(3, "new", "new end"))
    report = home.take(*(tmp_path / f"{name}.jsonl" for name in order))
    assert report.turns == 3
    assert report.skipped == {"copied from another session": 1}
    assert sorted(home.active("old") + home.active("new")) == ["new end", "old end", "same"]
    for name in order:
        home.archive.set_state(cursor_name("default", str(tmp_path / f"{name}.jsonl")), None)
    assert home.take(*(tmp_path / f"{name}.jsonl" for name in order)).turns == 0


def test_a_chain_of_resumed_copies_is_taken_once(home, tmp_path: Path) -> None:
    """Each copy begins with all that came before it, from whichever session."""

    def row(number: int, session: str) -> dict[str, Any]:
        return {
            "type": "user", "uuid": f"5b1f0c1e-1111-4222-8333-{number:012}", "sessionId": session,
            "message": {"role": "user", "content": f"turn {number}"},
        }  # fmt: skip

    for length, name in enumerate("abcd", 1):
        write(tmp_path / f"{name}.jsonl", *(row(number, name) for number in range(length)))
    report = home.take(tmp_path)
    assert report.turns == 4
    assert home.active("d") == ["turn 3"]


def test_many_sessions_in_one_file_and_progress(home, tmp_path: Path) -> None:
    """Batches span sessions, each session is complete, and progress ends at the end."""
    lines = [{"id": f"s{n}", "messages": [message("a"), message("b")]} for n in range(400)]
    told: list[tuple[str, int, int | None]] = []
    path = write(tmp_path / "m.jsonl", *lines)
    report = home.take(path, progress=lambda *now: told.append(now))
    assert (len(report.sessions), report.turns) == (400, 800)
    assert home.head().seq <= 3
    assert home.active("s399") == ["a", "b"]
    assert told[-1] == ("m.jsonl", path.stat().st_size, path.stat().st_size)
    assert all(done <= total for _, done, total in told)


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
