"""Sources that are hostile, strange or in the wrong place: one of them never stops the others."""

from __future__ import annotations

import errno
import io
import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest

from alaya.errors import InvalidInput, OutOfSpace
from alaya.ingest import document
from alaya.ingest.cursor import cursor_name
from alaya.ingest.document import Element, read_document
from alaya.ingest.found import Broken, Row, fallback_id
from alaya.ingest.injected import is_alaya
from alaya.ingest.lines import LineReader, parse_json
from alaya.ingest.readable import NotRegular, NotUtf8, check_encoding, open_regular

DIGITS = "9" * 6000
DEEP = "[" * 900 + "]" * 900
GOOD = '{"role": "user", "content": "good"}'


def message(text: str, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": text, **more}


@pytest.mark.parametrize("bad", [DIGITS, DEEP, "[" * 200_000 + "]" * 200_000])
@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ('{"role": "user", "content": "x", "n": BAD}\n', 1),
        ('{"role": "user", "content": "x", "n": BAD}', 1),
        ('GOOD\n{"role": "user", "content": "x", "n": BAD}\nGOOD\n', 2),
        ('{"id": "s", "turns": [{"role": "user", "content": "x", "n": BAD}, GOOD]}', 1),
        ('{"id": "s", "n": BAD, "turns": [BAD, GOOD]}', 1),
        ('[BAD, {"role": "user", "content": "x", "n": BAD}, GOOD]', 2),
        ('{\n"turns": [GOOD, BAD]}', 1),
    ],
)
def test_a_value_that_python_cannot_take_is_parked(
    home, tmp_path: Path, text: str, turns: int, bad: str
) -> None:
    """Too many digits or too deep: wherever it stands, what can be read beside it is taken, in the
    same source and in the others."""
    path = tmp_path / ("m.json" if "turns" in text else "m.jsonl")
    path.write_text(text.replace("BAD", bad).replace("GOOD", GOOD))
    other = tmp_path / "other.jsonl"
    other.write_text(GOOD + "\n")
    report = home.take(path, other)
    assert report.turns == turns + 1
    assert {Path(parked.source).name for parked in report.parked} == {path.name}
    assert all(len(parked.reason) < 300 for parked in report.parked)


def test_a_hopeless_last_line_is_not_waited_for() -> None:
    """No more text can mend it: it is broken at once, and what is appended to it is its rest."""
    start = f'{{"n": {DIGITS}'.encode()
    reader = LineReader(io.BytesIO(start))
    assert [type(one) for one in reader] == [Broken]
    more = LineReader(
        io.BytesIO(start + b"9}\n[1]\n"), offset=reader.position, in_line=reader.in_line
    )
    assert [one.data for one in more if isinstance(one, Row)] == [[1]]


def test_only_plain_value_errors_come_from_json() -> None:
    """Also for arguments of calls, which are JSON within JSON."""
    for text in (DIGITS, DEEP):
        with pytest.raises(ValueError, match=r"digits|nested"):
            parse_json(text)
        assert is_alaya("bash", f'{{"command": "alaya recall x", "n": {text}}}') in (True, False)


def test_a_number_that_is_passed_over_takes_no_neighbour_with_it() -> None:
    """It ends where the number ends, also at the end of a list."""
    file = io.BytesIO(f'{{"turns": [{DIGITS},{{"a": 1}}, {DIGITS} ], "b": 2}}'.encode())
    pieces = list(read_document(file, frozenset({"turns"})))
    assert [type(one).__name__ for one in pieces] == ["Broken", "Element", "Broken", "Key", "End"]


@pytest.mark.parametrize("window", [1 << 16, (1 << 16) + 1, 1 << 24])
def test_megabytes_of_escapes_are_passed_over_in_one_go(monkeypatch, window: int) -> None:
    """Every character is looked at once, however the escapes fall on the edges of the window: to
    look through the largest one again at each escape would take minutes."""
    monkeypatch.setattr(document, "_CHUNK", window)
    text = "\\u4f60\\\\" * 2_000_000 + '\\"' * 1000
    file = io.BytesIO(f'{{"turns": [[{DIGITS}, "{text}"], 1]}}'.encode())
    pieces = list(read_document(file, frozenset({"turns"})))
    assert [type(one) for one in pieces[:2]] == [Broken, Element]
    assert isinstance(pieces[1], Element)
    assert pieces[1].value == 1


def test_what_is_no_regular_file_is_never_opened(home, tmp_path: Path) -> None:
    """A pipe, a socket or a device: skipped where it was found, parked where it was named."""
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "good.jsonl").write_text(GOOD + "\n")
    os.mkfifo(folder / "pipe.jsonl")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / "socket.json"))
        (folder / "zero.jsonl").symlink_to("/dev/zero")
        report = home.take(folder)
        assert (report.turns, report.skipped) == (1, {"not a regular file": 3})
        report = home.take(folder / "pipe.jsonl", "/dev/zero", folder / "socket.json")
    assert report.turns == 0
    assert len(report.parked) == 3
    assert all("not a regular file" in parked.reason for parked in report.parked)


def test_a_pipe_that_takes_the_place_of_a_file(tmp_path: Path, monkeypatch) -> None:
    """Between the look and the opening: it does not block, and it is not read."""
    path = tmp_path / "m.jsonl"
    path.write_text(GOOD)
    seen = path.stat()
    path.unlink()
    os.mkfifo(path)
    monkeypatch.setattr(Path, "stat", lambda self: seen)
    with pytest.raises(NotRegular):
        open_regular(path)


def test_an_index_that_is_a_pipe_says_nothing(home, tmp_path: Path) -> None:
    """OpenClaw's `sessions.json` is read beside a log: it may be a pipe as well."""
    os.mkfifo(tmp_path / "sessions.json")
    log = tmp_path / "a.jsonl"
    rows = [{"type": "session", "version": 3, "id": "o"}]
    rows.append({"type": "message", "id": "b", "parentId": None, "message": message("x")})
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert home.take(log).turns == 1


def test_an_empty_name_is_no_folder(home, tmp_path: Path, monkeypatch) -> None:
    """It would be the working folder, with all that is in it."""
    monkeypatch.chdir(tmp_path)
    Path("m.jsonl").write_text(GOOD)
    for sources in ([""], ["m.jsonl", ""]):
        with pytest.raises(InvalidInput, match="empty"):
            home.take(*sources)
    assert home.sessions() == {}


CHINESE = "今天部署失败了，请看一下日志里的错误信息，然后重新构建。"


@pytest.mark.parametrize("text", ["你好", CHINESE, CHINESE * 900])
@pytest.mark.parametrize("encoding", ["gbk", "gb18030"])
def test_a_file_in_gbk_is_parked_with_advice(
    home, tmp_path: Path, text: str, encoding: str
) -> None:
    """Whether it was named or found; as UTF-8 with the same words it is taken."""
    path = tmp_path / "m.jsonl"
    line = json.dumps(message(text), ensure_ascii=False) + "\n"
    path.write_bytes(line.encode(encoding))
    for source in (path, tmp_path):
        report = home.take(source)
        assert report.turns == 0
        assert "iconv -f GB18030 -t UTF-8" in report.parked[0].reason
    path.write_bytes(line.encode())
    assert home.take(path).turns == 1
    assert home.active() == [text]
    assert list(home.archive.parked()) == []


@pytest.mark.parametrize(
    ("raw", "refused"),
    [
        (CHINESE.encode("big5", "replace"), True),
        ("日本語のテキストがここにあります".encode("shift-jis"), True),
        ("déjà vu, à côté, où ça, élève".encode("latin-1"), True),
        ("Tschüß".encode("latin-1"), False),
        (b"caf\xe9 \xff", False),
        ((CHINESE * 2000).encode()[:65001], False),
        (CHINESE.encode()[:-2], False),
        (CHINESE.encode() + b"\xc4\xe3", False),
        ("\ufffd".encode() * 100, False),
        (b"x" * 5000 + b"\xff" * 5, False),
    ],
)
def test_some_bytes_that_are_not_utf8_are_no_other_encoding(raw: bytes, refused: bool) -> None:
    """Text cut within a character is still UTF-8; most of it invalid is another encoding."""
    head = b'{"role": "user", "content": "' + raw + b'"}'
    if refused:
        with pytest.raises(NotUtf8, match="iconv"):
            check_encoding(head, "m.jsonl")
    else:
        check_encoding(head, "m.jsonl")
    check_encoding(raw, "not JSON at all")


def test_a_name_that_is_no_text(home, tmp_path: Path) -> None:
    """Bytes in a file name that are not UTF-8 are in no id, and still tell files apart."""
    for name in (b"bad\xff\xfename.json", b"bad\xfe\xffname.json"):
        with open(os.path.join(os.fsencode(tmp_path), name), "w") as file:  # noqa: PTH118, PTH123
            json.dump({"turns": [message(repr(name))]}, file)
    report = home.take(tmp_path)
    assert (report.turns, len(report.sessions), report.parked) == (2, 2, ())
    assert set(home.sessions()) == {taken.session.id for taken in report.sessions}
    assert all(taken.session.id.isprintable() for taken in report.sessions)
    assert json.dumps([taken.session.source for taken in report.sessions], ensure_ascii=False)
    assert home.take(tmp_path).unchanged == 2
    assert fallback_id("/a/\udcff.json") != fallback_id("/a/\udcfe.json")
    assert cursor_name("u", "/\udcff") != cursor_name("u", "/\udcfe")


def test_a_broken_source_with_a_name_that_is_no_text(home, tmp_path: Path) -> None:
    """It is parked under a name that can be printed, and parked no more once it is mended."""
    path = os.fsdecode(os.path.join(os.fsencode(tmp_path), b"bad\xff.jsonl"))  # noqa: PTH118
    Path(path).write_text(f"{GOOD}\n{{broken\n")
    (parked,) = home.take(path).parked
    parked.source.encode()
    Path(path).write_text(f"{GOOD}\n{GOOD}\n")
    home.take(path)
    assert list(home.archive.parked()) == []


def test_a_full_disk_fails_the_report(home, tmp_path: Path, monkeypatch) -> None:
    """While committing, parking or keeping a stream; what is wrong with a source does not."""
    path = tmp_path / "m.jsonl"
    path.write_text(f"{GOOD}\n{{broken\n")

    def full(*arguments: Any, **options: Any) -> None:
        raise OutOfSpace("no space left; free some")

    for method in ("lock", "set_state", "park"):
        with monkeypatch.context() as patch:
            patch.setattr(home.archive, method, full)
            report = home.take(path)
        assert report.failed, method
        assert report.parked
    report = home.take(path)
    assert not report.failed
    assert report.turns + report.unchanged

    class Full(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError(errno.ENOSPC, "No space left on device")

    assert home.take(Full()).failed
