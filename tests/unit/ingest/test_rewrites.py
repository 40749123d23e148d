"""Sources that were rewritten, branched, forked, copied or read twice: every turn once."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from alaya.ingest.cursor import cursor_name
from alaya.model.raw import SessionKind


def message(text: str, role: str = "user", **more: Any) -> dict[str, Any]:
    return {"role": role, "content": text, **more}


def write(path: Path, *rows: Any, append: bool = False) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows)
    with path.open("a" if append else "w", encoding="utf-8", errors="surrogatepass") as file:
        file.write("".join(f"{line}\n" for line in lines))
    return path


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
