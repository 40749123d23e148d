"""What must be so before a source is read: it is a regular file, and its text is UTF-8."""

from __future__ import annotations

import codecs
import os
import stat
from pathlib import Path
from typing import BinaryIO, cast

from alaya.errors import InvalidInput

LOOKED_AT = 64 * 1024  # bytes, for their encoding
_FEW = 5  # invalid sequences in a thousand bytes happen where a tool cuts text by bytes
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)


class NotRegular(InvalidInput):
    """A pipe, a socket or a device stands where a file should be."""


class NotUtf8(InvalidInput):
    """It looks like a log, but in another encoding: to guess would be to keep garbage for good."""


def open_regular(path: Path) -> BinaryIO:
    """The file, open. Raises NotRegular for what might block, never end or answer by doing
    something; it is never opened, but where it takes a file's place just now."""
    _check(path.stat().st_mode)
    file = cast(BinaryIO, open(path, "rb", opener=_without_waiting))  # noqa: SIM115
    try:
        _check(os.fstat(file.fileno()).st_mode)
    except NotRegular:
        file.close()
        raise
    return file


def _without_waiting(name: str, flags: int) -> int:
    return os.open(name, flags | _NONBLOCK)


def _check(mode: int) -> None:
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # opening a folder says what is wrong
        raise NotRegular(
            "not a regular file but a pipe, a socket or a device; what a pipe brings is read "
            "from standard input: `… | alaya ingest -`"
        )


def check_encoding(head: bytes, name: str) -> None:
    """Raises NotUtf8 where the beginning of a JSON file is text in another encoding.

    Some invalid bytes among valid ones are none: they become U+FFFD where they are read.
    """
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise NotUtf8(f"{name} is UTF-16; save it as UTF-8 and ingest it again")
    if head.isascii() or not head.lstrip().startswith((b"{", b"[")):
        return
    text = codecs.getincrementaldecoder("utf-8")("replace").decode(head)
    bad = text.count("\ufffd") - head.count(b"\xef\xbf\xbd")
    good = sum(not one.isascii() for one in text) - bad
    if bad * 4 <= good:
        return
    dense = bad * 1000 > _FEW * len(head)
    if _is_gb18030(head, 2 if dense else 8):
        raise NotUtf8(
            f"{name} is not UTF-8; it looks like GBK/GB18030: convert it with "
            "`iconv -f GB18030 -t UTF-8 OLD > NEW` and ingest the new file"
        )
    if dense and bad > 3:
        raise NotUtf8(
            f"{name} is not UTF-8 ({bad} invalid sequences in its first {len(head)} bytes): "
            "convert it with `iconv -f ENCODING -t UTF-8 OLD > NEW` and ingest the new file"
        )


def _is_gb18030(head: bytes, least: int) -> bool:
    """Whether it decodes without error, and to the common characters above all, of which there
    are `least`: those that were in GB2312 are two bytes from A1 on."""
    try:
        text = codecs.getincrementaldecoder("gb18030")("strict").decode(head)
    except UnicodeDecodeError:
        return False
    found = [one.encode("gb18030") for one in text if not one.isascii()]
    common = sum(len(one) == 2 and min(one) >= 0xA1 for one in found)
    return common >= least and common * 2 >= len(found)
