"""L3 on a real file system: private, locked, whole, and full at times."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from alaya.errors import ArchiveError, Busy, Denied, OutOfSpace
from alaya.model.change import CardAdded
from alaya.model.record import Draft, Position
from alaya.projection import Grow, catch_up, commit
from alaya.stores.files import disk
from alaya.stores.files.archive import FileArchive
from alaya.stores.files.lock import held
from alaya.stores.sqlite.index import SqliteIndex
from alaya.testing.archive_contract import recall
from alaya.testing.invented import START, card, day, session, turn

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


def add(archive: FileArchive, index, name: str, content: str = "") -> Position:
    return commit(
        archive,
        index,
        decide=lambda: [CardAdded(card(name, content=content))],
        actor="",
        verb="v",
        clock=lambda: START,
    )


def test_private(archive, opened, home) -> None:
    """Folders are the owner's alone, and so is every file."""
    index = opened()
    grow = Grow(session("../x"), 0, 0, 0, (turn("1", "hello"),))
    commit(archive, index, decide=lambda: [grow], actor="", verb="v", clock=lambda: START)
    add(archive, index, "a")
    index.put("m", {p.text_hash: [[1.0, 0.0]] for p in index.pending("m", 99)})
    archive.log_recalls([recall(0)])
    archive.set_state("cursors/x", {})
    archive.put_context("card-a", {})
    for path in home.rglob("*"):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), (path, oct(mode))


def test_lock_is_busy(home) -> None:
    """Who cannot have the lock is told who may have it, after the wait and not before."""
    lock = home / "state/lock"
    with held(lock), pytest.raises(Busy, match="alaya"), held(lock, wait=0.05):
        pass
    with held(lock, wait=0):
        pass


def test_lock_of_another_process(home) -> None:
    """The lock holds between processes, and ends with the process that held it."""
    code = f"""
import sys
from pathlib import Path
from alaya.stores.files.lock import held
with held(Path({str(home / "state/lock")!r})):
    print("held", flush=True)
    sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == "held\n"
        # Closing another descriptor of the file does not give the lock away.
        (home / "state/lock").read_bytes()
        with pytest.raises(Busy), held(home / "state/lock", wait=0.05):
            pass
        other.kill()
        other.wait()
    with held(home / "state/lock", wait=5):
        pass


@contextlib.contextmanager
def files_of_at_most(size: int):
    """As on a full disk, no file grows beyond this size."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_full_disk_for_the_journal(archive, opened) -> None:
    """A record that does not fit leaves nothing behind, and the next one follows."""
    index = opened()
    add(archive, index, "a")
    end = archive.head()
    with (
        files_of_at_most(end.offset + 100),
        pytest.raises(OutOfSpace, match="journal"),
        archive.lock() as writer,
    ):
        writer.append("", "v", changes=[CardAdded(card("b"))], at=START)
    assert archive.head() == end
    assert (archive.home / "raw/journal" / end.file).stat().st_size == end.offset
    assert list(archive.verify()) == []
    assert add(archive, index, "c").seq == 2


def test_full_disk_for_turns(archive, opened) -> None:
    """Turns that do not fit are not half there; those that were acknowledged are whole."""
    index = opened()

    def say(at: int, first: int, content: str) -> None:
        grow = Grow(session(), 0, at, first, (turn(str(first), content),))
        commit(archive, index, decide=lambda: [grow], actor="", verb="v", clock=lambda: START)

    say(0, 0, "kept")
    state = index.session(session().scope, "s")
    with files_of_at_most(state.end + 1000), pytest.raises(OutOfSpace):
        say(state.end, 1, "x" * 5000)
    assert Path(archive.session_path(session())).stat().st_size == state.end
    assert list(archive.verify()) == []
    say(state.end, 1, "then")
    assert [
        t.turn.content
        for t in archive.turns(session(), 0, start=0, end=index.session(session().scope, "s").end)
    ] == ["kept", "then"]


def test_full_disk_for_whole_files(archive) -> None:
    """A document that does not fit leaves the old one, and no litter."""
    archive.set_state("x", {"k": 1})
    with files_of_at_most(50), pytest.raises(OutOfSpace):
        archive.set_state("x", {"k": "v" * 100})
    assert archive.state("x") == {"k": 1}
    assert [p.name for p in (archive.home / "state").iterdir()] == ["x.json"]


@as_root
def test_full_file_system(tmp_path) -> None:
    """On a small disk that fills up, all that was acknowledged stands, then and afterwards."""
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(small)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("cannot mount a tmpfs here")
    try:
        archive = FileArchive(small / "home")
        archive.create()
        filler = small / "filler"
        filler.write_bytes(b"\0" * 300_000)
        index = SqliteIndex(small / "home/alaya.db", stem=lambda w: w, read_turn=archive.turn)
        acknowledged = []

        def fill_up() -> None:
            for number in range(1000):
                add(archive, index, f"{number}", "words " * 500)
                acknowledged.append(f"card-{number}")

        with pytest.raises(OutOfSpace):
            fill_up()
        assert acknowledged
        assert list(archive.verify()) == []
        filler.unlink()
        catch_up(archive, index)
        written = [c.card.id for r in archive.records(Position()) for c in r.changes]
        assert written[: len(acknowledged)] == acknowledged
        assert index.position() == archive.head()
        assert list(index.check()) == []
        add(archive, index, "after")
        index.close()
    finally:
        subprocess.run(["umount", "-l", str(small)], check=True)


def test_unreadable(home) -> None:
    """What may not be read is Denied, by name; as another user, since root reads everything."""
    code = f"""
import os, sys
from pathlib import Path
from alaya.errors import Denied
from alaya.model.record import Draft, Position
from alaya.stores.files.archive import FileArchive
archive = FileArchive(Path({str(home)!r}))
with archive.lock() as writer:
    now = __import__("datetime").datetime.now(__import__("datetime").UTC)
    writer.append("", "v", changes=(), at=now)
archive.set_state("x", {{}})
(journal,) = (archive.home / "raw/journal").iterdir()
os.chmod(journal, 0)
os.chmod(archive.home / "state/x.json", 0)
if os.geteuid() == 0:
    for path in [*archive.home.rglob("*"), archive.home]:
        os.chown(path, 65534, 65534)
    for parent in archive.home.parents:
        if parent != Path("/tmp") and Path("/tmp") in parent.parents:
            os.chmod(parent, 0o755)
    os.setgid(65534)
    os.setuid(65534)
refused = []
for read in (
    lambda: list(archive.records(Position())),
    lambda: list(archive.verify()),
    lambda: archive.state("x"),
):
    try:
        read()
    except Denied as error:
        refused.append(str(error))
print(len(refused), all(".json" in message for message in refused))
"""
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert found.stdout.split() == ["3", "True"], found.stderr


def test_half_line_in_the_recall_log(archive) -> None:
    """A half line of a crash is nobody's recall, and what follows it is not lost."""
    archive.log_recalls([recall(0)])
    (log,) = (archive.home / "raw/recalls").iterdir()
    with log.open("ab") as file:
        file.write(b'{"at": "2026-03-02')
    assert [r.at for r in archive.recalls()] == [day(0)]
    ((_, place),) = archive.recalls_after(Position())
    archive.log_recalls([recall(1)])
    archive.log_recalls([recall(2)])
    assert [r.at for r in archive.recalls()][-1] == day(2)
    assert [r.at for r, _ in archive.recalls_after(place)][-1] == day(2)


def test_threads_write_the_same_file(archive) -> None:
    """Threads that replace one document at once get in nobody's way."""
    errors = []

    def write(number: int) -> None:
        try:
            for _ in range(30):
                archive.set_state("x", {"k": number})
        except ArchiveError as error:
            errors.append(error)

    threads = [threading.Thread(target=write, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert archive.state("x")["k"] in range(4)
    assert len(list((archive.home / "state").iterdir())) == 1


@pytest.mark.parametrize("content", ["", "[1]", "{", "\x00\x00"])
def test_damaged_document(archive, content) -> None:
    """A document that is no JSON object is named, not guessed at."""
    (archive.home / "state/x.json").write_text(content)
    with pytest.raises(ArchiveError, match=r"x\.json is damaged"):
        archive.state("x")


def test_append_to_a_cut_file(tmp_path) -> None:
    """Where acknowledged bytes are missing, nothing is appended."""
    path = tmp_path / "x"
    assert disk.append(path, b"0123") == 0
    assert disk.append(path, b"45", at=2) == 2
    assert path.read_bytes() == b"0145"
    with pytest.raises(ArchiveError, match="4 bytes long but 9"):
        disk.append(path, b"x", at=9)


def test_folder_that_cannot_be_made(tmp_path) -> None:
    """A home below a file is refused with its name."""
    (tmp_path / "file").write_text("")
    with pytest.raises((ArchiveError, Denied), match="file"):
        FileArchive(tmp_path / "file/home").create()


def test_readable_copy(archive) -> None:
    """The Markdown copy follows the session, and is grown anew where it does not fit."""
    with archive.lock() as writer:
        _, end, _ = writer.append_turns(session(title="Plan"), 0, at=0, turns=[turn("1", "first")])
        _, end, _ = writer.append_turns(
            session(title="Plan"), 0, at=end, turns=[turn("2", "second")]
        )
    copy = Path(archive.session_path(session())).with_suffix(".md")
    text = copy.read_text()
    assert text.startswith("# Plan\n")
    assert text.index("first") < text.index("second")
    copy.write_text("scribbled over")
    with archive.lock() as writer:
        writer.append_turns(session(title="Plan"), 0, at=end, turns=[turn("3", "third")])
    text = copy.read_text()
    assert "scribbled" not in text
    assert text.index("first") < text.index("second") < text.index("third")


def whole(archive: FileArchive, index) -> Path:
    """A home with a session and a draft; returns the session's file."""
    grow = Grow(session("s"), 0, 0, 0, (turn("1", "hello"),))
    commit(archive, index, decide=lambda: [grow], actor="", verb="v", clock=lambda: START)
    archive.put_draft(Draft("s", "rules-1", "hash", 0, 1, raw="x"))
    assert list(archive.verify()) == []
    return Path(archive.session_path(session("s")))


def test_verify_names_an_altered_draft(archive, opened, home) -> None:
    """A draft that does not hold what its name is the hash of is named; so is a broken one."""
    whole(archive, opened())
    (path,) = (home / "raw/drafts").rglob("*.json")
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, "raw": "what a model said"}))
    assert list(archive.verify()) == []
    for bad, what in (
        (json.dumps({**content, "session": "other"}), "altered"),
        ("", "cannot be read"),
        ("[" * 99999, "cannot be read"),
    ):
        path.write_text(bad)
        (found,) = archive.verify()
        assert (found.layer, found.where) == ("L3", str(path))
        assert what in found.what


@pytest.mark.parametrize("content", [b"x\n", b"x", b'{"id":"s"}\n', b"[]\n", b'{"generation":0}\n'])
def test_verify_names_a_foreign_file(archive, opened, home, content) -> None:
    """A session file that alaya did not write is named; readable copies may be anything."""
    known = whole(archive, opened())
    path = known.with_name("other.jsonl")
    path.with_suffix(".md").write_text("notes")
    path.write_bytes(content)
    (found,) = archive.verify()
    assert (found.what, found.where) == ("a file that alaya did not write", str(path))
    path.write_bytes(known.read_bytes())
    assert len(list(archive.verify())) == 1, "a copy under another name"


@pytest.mark.parametrize("cut", [0, 1, 10, 40, -1, None])
def test_verify_forgives_a_crash_before_the_record(archive, opened, cut) -> None:
    """A session file of which the journal knows nothing yet is what a crash leaves."""
    whole(archive, opened())
    with archive.lock() as writer:
        writer.append_turns(session("t"), 0, at=0, turns=[turn("1", "not acknowledged")])
    path = Path(archive.session_path(session("t")))
    path.write_bytes(path.read_bytes()[:cut])
    assert list(archive.verify()) == []


def test_verify_goes_on_where_it_cannot_read(archive, opened, home) -> None:
    """A folder in the place of a session file is named, and the rest is checked all the same."""
    path = whole(archive, opened())
    path.unlink()
    path.mkdir()
    (draft,) = (home / "raw/drafts").rglob("*.json")
    draft.write_text("{}")
    found = [(d.layer, d.what) for d in archive.verify()]
    assert ("L3", "a draft was altered") in found
    assert any(what in ("turns cannot be read", "turns are missing") for _, what in found)
