"""The line reader and the document reader."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alaya.ingest.document import Element, End, Key, read_document
from alaya.ingest.found import Broken, Row, Skipped
from alaya.ingest.lines import UNFINISHED, LineReader, parse_json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=10,
)  # fmt: skip


def test_bad_lines_are_broken_and_the_rest_goes_on() -> None:
    """A malformed line yields its number, offset and beginning; the lines after it are read."""
    reader = LineReader(io.BytesIO(b'\xef\xbb\xbf{"a":1}\r\n\n{"b":\n[2]\n'))
    first, broken, last = list(reader)
    assert isinstance(first, Row)
    assert (first.number, first.data) == (1, {"a": 1})
    assert isinstance(broken, Broken)
    assert (broken.line, broken.offset, broken.excerpt) == (3, 13, '{"b":')
    assert isinstance(last, Row)
    assert last.data == [2]
    assert reader.position == last.end == 23


def test_half_a_last_line_is_left_for_next_time() -> None:
    """The position stays before a last line without newline that is no JSON yet."""
    whole = b'{"a":1}\n{"b":2}\n'
    reader = LineReader(io.BytesIO(whole[:-4]))
    assert list(reader)[-1] == Skipped(UNFINISHED)
    assert (reader.position, reader.number) == (8, 1)
    again = LineReader(io.BytesIO(whole), offset=reader.position, number=reader.number)
    assert [row.data for row in again if isinstance(row, Row)] == [{"b": 2}]
    assert again.number == 2


def test_a_last_line_without_newline_is_taken_if_it_is_whole() -> None:
    """A complete JSON value at the end of the file needs no newline."""
    reader = LineReader(io.BytesIO(b'{"a":1}'))
    assert [row.data for row in reader if isinstance(row, Row)] == [{"a": 1}]
    assert reader.position == 7


@pytest.mark.parametrize("ending", [b"\n", b""])
def test_a_line_over_the_limit_is_broken(ending: bytes) -> None:
    """A line over the limit is passed over, whether it ends or not."""
    file = io.BytesIO(b'{"a":"' + b"x" * 5000 + b'"}' + ending + (b"[1]\n" if ending else b""))
    reader = LineReader(file, limit=1000)
    found = list(reader)
    assert isinstance(found[0], Broken)
    assert "5008" in found[0].reason or "5009" in found[0].reason
    assert found[1:] == ([Row(2, 5009, 5013, [1])] if ending else [])
    assert reader.in_line is not bool(ending)


def test_a_line_that_was_too_long_is_passed_over_when_it_goes_on() -> None:
    """What is appended to an unfinished long line belongs to that line."""
    start = b'"' + b"x" * 3000
    reader = LineReader(io.BytesIO(start), limit=1000)
    list(reader)
    more = LineReader(
        io.BytesIO(start + b'yy"\n[1]\n'),
        offset=reader.position,
        in_line=reader.in_line,
        limit=1000,
    )
    assert [row.data for row in more if isinstance(row, Row)] == [[1]]


def test_a_line_at_the_limit_is_read() -> None:
    """The limit counts the line without its newline."""
    line = json.dumps("x" * 98).encode()
    assert len(line) == 100
    assert isinstance(next(iter(LineReader(io.BytesIO(line + b"\n"), limit=100))), Row)


def test_what_json_does_not_know_is_none() -> None:
    """NaN and infinities, also by overflow, become None, and deep nesting is a ValueError."""
    assert parse_json("[NaN, -Infinity, 1e999, 1.5]") == [None, None, None, 1.5]
    with pytest.raises(ValueError, match="nested"):
        parse_json("[" * 200_000)


@given(st.lists(JSON, max_size=5), st.sampled_from([None, 1]))
def test_a_list_in_a_document_is_read_element_by_element(values: list[Any], indent: Any) -> None:
    """Whatever the values and the layout, the elements of a list are those that were written."""
    document = {"id": "s", "turns": values, "after": {"turns": [1]}}
    file = io.BytesIO(json.dumps(document, indent=indent).encode())
    pieces = list(read_document(file, frozenset({"turns"})))
    assert [p.value for p in pieces if isinstance(p, Element)] == json.loads(json.dumps(values))
    assert [p for p in pieces if isinstance(p, Key)] == [
        Key(0, "id", "s"),
        Key(0, "after", {"turns": [1]}),
    ]
    assert pieces[-1] == End(0)


@given(st.binary(max_size=60) | st.text('{}[]",:\\u12 ab', max_size=60).map(str.encode))
def test_no_bytes_break_the_document_reader(raw: bytes) -> None:
    """Anything that is no document ends in Broken, never in an error."""
    list(read_document(io.BytesIO(raw), frozenset({"turns"}), limit=20))


def test_a_value_over_the_limit_is_passed_over() -> None:
    """A huge element is Broken, whatever brackets its strings hold; its neighbours are read."""
    huge = {"a": 'x]}"\\' * 300, "b": [[1, {}], 2]}
    file = io.BytesIO(json.dumps({"turns": [1, huge, "y" * 2000, 3]}).encode())
    pieces = list(read_document(file, frozenset({"turns"}), limit=500))
    values = [piece.value for piece in pieces if isinstance(piece, Element)]
    assert [value for value in values if isinstance(value, int)] == [1, 3]
