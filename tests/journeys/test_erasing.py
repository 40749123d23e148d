"""Erasing and backing up: killed anywhere, and while other processes are at work."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from others import Contents, Process

from alaya import Memory
from alaya import backup as backing

Start = Callable[..., Process]
SECRET = ("Zanzibarium", "绿孔雀方案", "🦚")
SAID = [
    {"role": "user", "content": f"We decided to use {SECRET[0]} as the gateway. {SECRET[2]}"},
    {"role": "assistant", "content": "Noted: that gateway it is, because of its latency."},
    {"role": "user", "content": f"我决定用{SECRET[1]}部署网关，因为延迟低。"},
]
KEPT = [{"role": "user", "content": "Decision: always use Postgres for billing, 因为稳定。"}]


@pytest.fixture
def template(opened: Callable[[Path], Memory], tmp_path: Path) -> Path:
    """A home with a session to be erased, one to be kept, and a backup of both."""
    home = tmp_path / "template"
    with opened(home) as memory:
        memory.init()
        memory.add(SAID, session="secret", distill=True)
        memory.add(KEPT, session="kept", distill=True)
        memory.recall(SECRET[0])
        memory.backup()
        memory.export()
    return home


def standing(home: Path, words: tuple[str, ...] = SECRET) -> list[str]:
    """The files that hold any of the words, also inside backups."""
    found = []
    for path in sorted(home.rglob("*")):
        data = path.read_bytes() if path.is_file() else b""
        if path.suffix == ".gz":
            folder = home.parent / f"unpacked-{time.monotonic_ns()}"
            backing.unpacked(path, folder)
            found += [f"{path.name}: {name}" for name in standing(folder, words)]
            shutil.rmtree(folder)
        forms = [form.encode() for word in words for form in (word, word.casefold())]
        if any(form in data for form in forms):
            found.append(path.name)
    return found


def lines_of(process: Process) -> list[dict[str, Any]]:
    return list(process.lines())


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_an_erasure_killed_at_every_step_to_the_disk(
    sized: Callable[[int, int], int],
    start: Start,
    opened: Callable[[Path], Memory],
    contents: Callable[[Memory], Contents],
    template: Path,
    tmp_path: Path,
) -> None:
    """Killed at its n-th write, fsync, rename or statement, an erasure has not begun, or the next
    command ends it: then no byte of the words is left, and what was not erased is whole.

    n runs over 8 points, in the soak over all; half of a killed write is written.
    """
    shutil.copytree(template, tmp_path / "counted")
    *_, final = lines_of(start(tmp_path / "counted", [["erase", "secret"]], "--count"))
    with opened(tmp_path / "counted") as memory:
        expected = contents(memory)
    assert list(expected.turns) == ["kept"]
    points = range(1, final["count"] + 1)
    begun = 0
    for point in points[:: max(1, len(points) // sized(8, len(points)))]:
        home = tmp_path / f"home-{point}"
        shutil.copytree(template, home)
        process = start(home, [["erase", "secret"]], "--die-at", str(point))
        lines_of(process)
        assert process.end()[0] == -9, f"point {point} of {len(points)} was not reached"
        intended = (home / "state" / "erasing.json").exists()
        with opened(home) as memory:
            memory.status()
            assert memory.verify().differences == (), f"point {point}"
            if intended:
                assert standing(home) == [], f"point {point}"
            elif "secret" in contents(memory).turns:
                assert memory.erase(session="secret") is not None
            assert contents(memory) == expected, f"point {point}"
            assert standing(home) == [], f"point {point}"
            assert memory.verify().differences == ()
        begun += intended
        shutil.rmtree(home)
    print(f"{begun} erasures were interrupted behind their beginning, of {len(points)} points")
    assert begun >= 3


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_backup_killed_at_every_step_to_the_disk(
    sized: Callable[[int, int], int],
    start: Start,
    opened: Callable[[Path], Memory],
    template: Path,
    tmp_path: Path,
) -> None:
    """Killed anywhere, a backup is whole or not there, and the home is as it was."""
    shutil.copytree(template, tmp_path / "counted")
    *_, final = lines_of(start(tmp_path / "counted", [["backup"]], "--count"))
    points = range(1, final["count"] + 1)
    for point in points[:: max(1, len(points) // sized(5, len(points)))]:
        home = tmp_path / f"home-{point}"
        shutil.copytree(template, home)
        process = start(home, [["backup"]], "--die-at", str(point))
        lines_of(process)
        assert process.end()[0] == -9
        for path in backing.backups(home / backing.FOLDER):
            backing.checked(path)
        with opened(home) as memory:
            assert memory.verify().differences == ()
            memory.backup()
        shutil.rmtree(home)


@pytest.mark.timeout(600)
def test_others_at_work_meanwhile(
    sized: Callable[[int, int], int],
    start: Start,
    opened: Callable[[Path], Memory],
    contents: Callable[[Memory], Contents],
    template: Path,
    talks: Callable[[int], list[Path]],
    tmp_path: Path,
) -> None:
    """Processes that recall, add, ingest and back up while words are erased bring none of them
    back, and lose nothing of their own."""
    ends = tmp_path / "enough"
    adding = '[{"role": "user", "content": "We agreed that the cache is warm 缓存。"}]'
    processes = [
        start(template, [["recall", "gateway 网关"], ["recall", "billing"]], "--until", str(ends)),
        start(template, [["add", "mine", adding], ["distill"]], "--until", str(ends)),
        start(template, [["ingest", str(path)] for path in talks(6)], "--until", str(ends)),
        start(template, [["backup"]], "--until", str(ends)),
    ]
    for process in processes:
        next(process.lines())
    with opened(template) as memory:
        for number in range(sized(2, 10)):
            words = f"Zanzibarium{number}"
            said = [{"role": "user", "content": f"We decided to use {words} as the gateway."}]
            memory.add(said, session=f"more-{number}", distill=True)
            for session in ("secret", f"more-{number}") if not number else (f"more-{number}",):
                report = memory.erase(session=session)
                assert report is not None
        ends.touch()
        for process in processes:
            for line in process.lines():
                assert not line.get("parked"), line
            status, complaint = process.end()
            assert status == 0, complaint
        last = memory.erase(query="cache warm")
        assert last is not None
        assert memory.verify().differences == ()
        assert {"kept"} < contents(memory).turns.keys()
        assert not [name for name in contents(memory).turns if name.startswith(("more", "secret"))]
    assert standing(template) == []


def test_a_backup_is_restored(
    opened: Callable[[Path], Memory],
    contents: Callable[[Memory], Contents],
    template: Path,
) -> None:
    """What was backed up is there again, word for word; what stood there is kept beside it."""
    with opened(template) as memory:
        before = contents(memory)
        path = memory.backup(template.parent / "safe").path
        memory.add("said later", session="later")
    report = Memory.restore_backup(path, template, settings={"embedding.provider": "none"})
    assert Path(report.before).is_dir()
    with opened(template) as memory:
        assert contents(memory) == before
        assert memory.verify().differences == ()
        memory.add("said again", session="later")
    assert backing.backups(template / backing.FOLDER)


def test_a_damaged_backup_replaces_nothing(
    opened: Callable[[Path], Memory],
    contents: Callable[[Memory], Contents],
    template: Path,
) -> None:
    """Cut short, altered anywhere or no backup at all: the home stays as it is."""
    from alaya.errors import ArchiveError, NotFound

    with opened(template) as memory:
        before, path = contents(memory), Path(memory.backup(template.parent / "safe").path)
    whole = path.read_bytes()
    half = len(whole) // 2
    for data in (
        whole[:half],
        whole[:-1],
        whole[:half] + bytes([whole[half] ^ 1]) + whole[half + 1 :],
        b"",
        b"no backup",
    ):
        path.write_bytes(data)
        with pytest.raises(ArchiveError, match="damaged"):
            Memory.restore_backup(path, template)
        assert sorted(p.name for p in template.parent.iterdir() if "restoring" in p.name) == []
    with pytest.raises(NotFound):
        Memory.restore_backup(template.parent / "none.tar.gz", template)
    with opened(template) as memory:
        assert contents(memory) == before
