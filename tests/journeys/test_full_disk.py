"""A disk that is full: a message that names the file, and nothing acknowledged is lost."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from others import Contents, Done, Told

from alaya import Memory
from alaya.errors import OutOfSpace

MEGABYTE = 1_000_000


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 24 MB; needs the right to mount."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no right to mount a tmpfs here; the limit of file size is tested beside this")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def tell(memory: Memory, path: Path, told: Told, complaints: list[str]) -> None:
    """Ingest, distil and link one session; what is acknowledged, and what is complained of."""
    try:
        report = memory.ingest(path)
        complaints += [p.reason for p in report.parked]
        told.hear({"turns": {s.session.id: s.total_turns for s in report.sessions}})
        for taken in report.sessions:
            cards = [c[0] for s in memory.distill(taken.session.id).sessions for c in s.cards]
            told.hear({"cards": cards})
            link = memory.link(cards[0], cards[1], relation="RELATES_TO")
            told.hear({"links": [[link.source, link.relation, link.target]]})
    except OutOfSpace as error:
        complaints.append(str(error))


def test_a_full_disk(
    small_disk: Path,
    talks: Callable[[int], list[Path]],
    alaya: Callable[..., Done],
    opened: Callable[[Path], Memory],
    contents: Callable[[Memory], Contents],
    tmp_path: Path,
) -> None:
    """Every write into a full disk fails by name; with space again all goes on as if never full."""
    files, home, told = talks(120), small_disk / "home", Told()
    tried = 1
    with opened(home) as memory:
        tell(memory, files[0], told, complaints := [])
    ballast = small_disk / "ballast"
    free = os.statvfs(small_disk)
    ballast.write_bytes(b"\0" * max(0, free.f_bavail * free.f_frsize - MEGABYTE))
    with opened(home) as memory:
        while len(complaints) < 12:
            tell(memory, files[tried], told, complaints)
            tried += 1
    files = files[:tried]
    assert len(told.turns) > 3
    for complaint in complaints:
        assert "no space" in complaint
        assert str(home) in complaint
    done = alaya(home, "ingest", str(files[-1]))
    assert done.status in (1, 3), done
    assert "no space" in done.out + done.err
    assert "Traceback" not in done.err
    ballast.unlink()
    with opened(home) as memory:
        assert memory.verify().differences == ()
        assert contents(memory).holds(told) == []
        for path in files:
            tell(memory, path, told, after := [])
            assert after == []
        memory.distill()
        again = contents(memory)
        assert memory.verify().differences == ()
    with opened(tmp_path / "never-full") as memory:
        memory.ingest(*files)
        memory.distill()
        assert again.turns == contents(memory).turns
        assert again.cards.keys() == contents(memory).cards.keys()


def test_a_limit_of_file_size(
    talks: Callable[[int], list[Path]],
    alaya: Callable[..., Done],
    opened: Callable[[Path], Memory],
    contents: Callable[[Memory], Contents],
    tmp_path: Path,
) -> None:
    """Where no file may grow (ulimit -f), the command names the file and loses nothing."""
    files, home = talks(30), tmp_path / "home"
    with opened(home) as memory:
        memory.ingest(*files[:10])
        memory.distill()
        before = contents(memory)
    most = max(path.stat().st_size for path in home.rglob("*") if path.is_file())

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    done = alaya(home, "ingest", *(str(path) for path in files), before=limited)
    assert done.status in (1, 3), done
    assert str(home) in done.out + done.err
    assert "Traceback" not in done.err
    with opened(home) as memory:
        assert memory.verify().differences == ()
        now = contents(memory)
        assert {name: now.turns[name] for name in before.turns} == before.turns
        assert before.cards.items() <= now.cards.items()
        memory.ingest(*files)
        assert [len(turns) for turns in contents(memory).turns.values()] == [6] * 30
        assert memory.verify().differences == ()
