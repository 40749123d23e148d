"""The journal: no alteration goes unseen, no crash loses what was acknowledged."""

from __future__ import annotations

import json
import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alaya.errors import ArchiveError
from alaya.model.change import CardAdded, Erased, Pinned
from alaya.model.record import Position
from alaya.stores.files.archive import FileArchive
from alaya.stores.files.journal import blanked_line, line_hash
from alaya.testing.invented import ALICE, card, day

WRITTEN = (
    (
        "distill",
        (CardAdded(card("a", "标题", content="x\x1f\\ \u2028", importance=1e-05)),),
        day(0),
    ),
    ("pin", (Pinned(ALICE, ("card-a",), True),), day(1)),
    ("link", (), day(40)),
    ("secret", (CardAdded(card("b", "secret")),), day(41)),
    ("erase", (Erased(ALICE, ("card-b",), (4,)),), day(42)),
)


@pytest.fixture(scope="module")
def template(tmp_path_factory) -> Path:
    home = tmp_path_factory.mktemp("journal") / "home"
    archive = FileArchive(home)
    archive.create()
    for verb, changes, at in WRITTEN:
        with archive.lock() as writer:
            writer.append("alice", verb, changes=changes, at=at)
    assert list(archive.verify()) == []
    return home


@pytest.fixture
def copied(template, tmp_path_factory):
    """Makes copies of a home with five records in two months."""

    def make() -> FileArchive:
        home = tmp_path_factory.mktemp("copy") / "home"
        shutil.copytree(template, home)
        return FileArchive(home)

    return make


def files(archive: FileArchive) -> list[Path]:
    return sorted((archive.home / "raw/journal").iterdir())


def lines(archive: FileArchive) -> list[bytes]:
    return b"".join(p.read_bytes() for p in files(archive)).splitlines(keepends=True)


def test_there_are_two_months(copied) -> None:
    """The journal under test has two files, of two and three records."""
    assert [len(p.read_bytes().splitlines()) for p in files(copied())] == [2, 3]


@given(st.data())
def test_any_byte_altered(copied, data) -> None:
    """A byte of any record that is another one is reported."""
    archive = copied()
    path = data.draw(st.sampled_from(files(archive)))
    content = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] = data.draw(st.integers(0, 255).filter(lambda b: b != content[place]))
    path.write_bytes(bytes(content))
    assert list(archive.verify())


@pytest.mark.parametrize(
    ("old", "new"), [(b"1e-05", b"1E-05"), (rb"\u001f", rb"\u001F"), (b'"seq":1', b'"seq": 1')]
)
def test_same_meaning_other_bytes(copied, old, new) -> None:
    """Bytes that read as the same values are an alteration all the same."""
    archive = copied()
    path = files(archive)[0]
    assert old in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(old, new, 1))
    assert list(archive.verify())


@given(st.data())
def test_cut_tail(copied, data) -> None:
    """A tail that was cut off, anywhere, is reported, and a follower that knows more is told."""
    archive = copied()
    end = archive.head()
    whole = files(archive)
    path = data.draw(st.sampled_from(whole))
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.truncate(data.draw(st.integers(0, size - 1)))
    for later in whole[whole.index(path) + 1 :]:
        later.unlink()
    assert list(archive.verify())
    with pytest.raises(ArchiveError):
        list(archive.records(end))


@given(st.permutations(range(5)), st.sets(st.integers(0, 4), max_size=1), st.booleans())
def test_moved_lines(copied, order, left_out, doubled) -> None:
    """Lines that were removed, doubled or stand in another order are reported."""
    archive = copied()
    before = lines(archive)
    after = [before[i] for i in order if i not in left_out]
    after += after[-1:] if doubled else []
    first, second = files(archive)
    first.write_bytes(b"".join(after[:2]))
    second.write_bytes(b"".join(after[2:]))
    assert bool(list(archive.verify())) == (after != before)


def test_files_swapped_renamed_and_removed(copied) -> None:
    """A month that stands under another month's name, or is gone, is reported."""
    archive = copied()
    first, second = files(archive)
    both = first.read_bytes(), second.read_bytes()
    first.write_bytes(both[1])
    second.write_bytes(both[0])
    assert list(archive.verify())
    for index, name in ((0, "2026-05.jsonl"), (1, "2026-05.jsonl"), (1, "2026-02.jsonl")):
        archive = copied()
        files(archive)[index].rename(files(archive)[index].with_name(name))
        assert list(archive.verify()), (index, name)
    for index in (0, 1):
        archive = copied()
        files(archive)[index].unlink()
        assert list(archive.verify())


def test_added(copied) -> None:
    """A line, a file or a field that nobody wrote is reported."""
    archive = copied()
    with files(archive)[1].open("ab") as file:
        file.write(lines(archive)[4])
    assert list(archive.verify())
    archive = copied()
    (archive.home / "raw/journal/2020-01.jsonl").write_bytes(b"[]\n")
    assert list(archive.verify())
    for extra in ({"erased": True}, {"note": 1}):
        archive = copied()
        rewrite(archive, 2, lambda record, extra=extra: {**record, **extra})
        assert list(archive.verify()), extra


def rewrite(archive: FileArchive, seq: int, change) -> None:
    """Replace a record by what `change` makes of it, in the form in which records are written."""
    all_lines = lines(archive)
    record = change(json.loads(all_lines[seq - 1]))
    all_lines[seq - 1] = (
        json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"
    ).encode()
    first, second = files(archive)
    first.write_bytes(b"".join(all_lines[:2]))
    second.write_bytes(b"".join(all_lines[2:]))


@pytest.mark.parametrize("seq", [1, 2, 3, 4, 5])
def test_blanked(copied, seq) -> None:
    """A record that an erasure names may be blank, as that erasure left it; no other may.

    It is as long as it was, so that the places which followers remember stay what they are.
    """
    archive = copied()
    places = [record.position for record in archive.records(Position())]
    path = files(archive)[0 if seq < 3 else 1]
    line = lines(archive)[seq - 1]
    blank = blanked_line(line, [], actor="", salt="x")
    assert len(blank) == len(line)
    path.write_bytes(path.read_bytes().replace(line, blank))
    without = ["the content was blanked without an erasure"]
    assert [d.what for d in archive.verify()] == without
    with archive.lock() as writer:
        named = Erased(ALICE, (), (seq,), lines=(line_hash(blank),))
        writer.append("alice", "erase", changes=[named], at=day(43))
    assert list(archive.verify()) == []
    altered = blank.replace(b'"verb":"', b'"verb":"X').replace(b"  \n", b" \n")
    path.write_bytes(path.read_bytes().replace(blank, altered))
    assert [d.what for d in archive.verify()] == without
    records = list(archive.records(Position()))
    assert [r.erased for r in records[:5]] == [number == seq for number in range(1, 6)]
    assert records[seq - 1].changes == ()
    assert [r.position for r in records[:5]] == places
    assert [r.seq for r in archive.records(places[2])] == [4, 5, 6]


@given(st.binary(max_size=80).filter(lambda b: b"\n" not in b), st.integers(0, 100))
def test_half_line(copied, half, days) -> None:
    """A half last line is passed over, cut by the next record, and costs nothing else."""
    archive = copied()
    with files(archive)[1].open("ab") as file:
        file.write(half)
    assert [r.verb for r in archive.records(Position())] == [verb for verb, _, _ in WRITTEN]
    assert list(archive.verify()) == []
    with archive.lock() as writer:
        writer.append("alice", "after the crash", changes=(), at=day(days))
    found = [r.verb for r in archive.records(Position())]
    assert found == [*(verb for verb, _, _ in WRITTEN), "after the crash"]
    assert list(archive.verify()) == []


def test_half_line_in_a_month_that_was_left(copied) -> None:
    """A half line at the end of a month, or alone in a new one, stops nobody."""
    archive = copied()
    with files(archive)[1].open("ab") as file:
        file.write(b'{"seq":6,"ti')
    with archive.lock() as writer:
        writer.append("alice", "next month", changes=(), at=day(100))
    (archive.home / "raw/journal/2026-08.jsonl").write_bytes(b'{"seq":7')
    for days in (120, 160):
        with archive.lock() as writer:
            writer.append("alice", "later", changes=(), at=day(days))
    assert [r.seq for r in FileArchive(archive.home).records(Position())] == list(range(1, 9))
    assert list(archive.verify()) == []


@given(st.lists(st.integers(-400, 400), min_size=1, max_size=6))
def test_months_only_go_forward(copied, days) -> None:
    """Whatever the clock says, records are read in the order in which they were written, and each
    is later than the one before, by as little as can be where the clock went back."""
    archive = copied()
    name = files(archive)[-1].name
    for number in days:
        with archive.lock() as writer:
            end = writer.append("alice", "verb", changes=(), at=day(number))
        assert end.file >= name
        name = end.file
    last = [r.time for r in archive.records(Position())][len(WRITTEN) - 1]
    times = [r.time for r in archive.records(Position())][len(WRITTEN) :]
    for number, time in zip(days, times, strict=True):
        last = max(day(number), last + timedelta(microseconds=1))
        assert time == last
    assert list(archive.verify()) == []


@given(st.integers(0, 5), st.booleans())
def test_old_or_lost_head(copied, seq, lost) -> None:
    """A head that was not kept, or is older than the journal, is healed by reading on."""
    archive = copied()
    end = archive.head()
    head = archive.home / "state/chain-head.json"
    if lost:
        head.unlink()
    else:
        old = [Position(), *(r.position for r in archive.records(Position()))][seq]
        head.write_text(json.dumps(vars(old)))
    assert archive.head() == end
    assert [d.what for d in archive.verify()] == ["the chain head was lost or damaged"] * lost
    with archive.lock() as writer:
        new = writer.append("alice", "verb", changes=(), at=day(50))
    assert new.seq == 6
    assert json.loads(head.read_text())["seq"] == 6
    assert list(archive.verify()) == []


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", "\0", "[" * 99999, '{"seq": "5"}', '{"seq": 5, "chain": 1}']
)
def test_damaged_head(copied, content) -> None:
    """A head that cannot be read stops nobody: verify names it, the next record makes it anew."""
    archive = copied()
    end = archive.head()
    (archive.home / "state/chain-head.json").write_text(content)
    (found,) = archive.verify()
    assert (found.layer, found.what) == ("L3", "the chain head was lost or damaged")
    assert "chain-head.json" in found.where
    assert "makes it anew" in found.advice
    assert archive.head() == end
    with archive.lock() as writer:
        assert writer.append("alice", "verb", changes=(), at=day(50)).seq == end.seq + 1
    assert list(archive.verify()) == []


def test_damaged_head_of_an_altered_journal(copied) -> None:
    """Without a head the whole chain is checked, and nothing goes behind what was altered."""
    archive = copied()
    (archive.home / "state/chain-head.json").write_text("")
    first = files(archive)[0]
    first.write_bytes(first.read_bytes().replace(b'"chain":"', b'"chain":"0', 1))
    assert any("chain is broken" in d.what for d in archive.verify())
    with pytest.raises(ArchiveError, match="altered"), archive.lock():
        pass


def test_no_head_after_the_first_record(tmp_path) -> None:
    """A crash between the first record and its head is no difference."""
    archive = FileArchive(tmp_path)
    archive.create()
    with archive.lock() as writer:
        writer.append("alice", "verb", changes=(), at=day(1))
    (archive.home / "state/chain-head.json").unlink()
    assert list(archive.verify()) == []
