"""Model values: their JSON, their times, their file names."""

from __future__ import annotations

import dataclasses
import importlib
import json
import pkgutil
import unicodedata
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from alaya import model
from alaya.errors import InvalidInput
from alaya.model.change import Change
from alaya.model.codec import decode, decode_change, encode, encode_change
from alaya.model.ids import NAME_BYTES, clean, file_name
from alaya.model.named import Named
from alaya.model.record import Record
from alaya.model.time import format_time, parse_time
from alaya.model.tokens import TokenCounter
from alaya.projection import touched
from alaya.testing.strategies import JSON, TIMES, WILD, values

# A Record is read by the journal, not by the codec; what holds a function is no data; of the
# times that a text names only their days are kept.
_NO_VALUES = (Record, TokenCounter, Named)
_CLASSES = sorted(
    {
        item
        for found in pkgutil.iter_modules(model.__path__)
        for item in vars(importlib.import_module(f"alaya.model.{found.name}")).values()
        if isinstance(item, type) and dataclasses.is_dataclass(item) and item not in _NO_VALUES
    },
    key=lambda cls: cls.__name__,
)
_CHANGES = [cls for cls in _CLASSES if cls in Change.__args__]


def test_every_change_is_a_class_that_was_found() -> None:
    """The union of changes is closed: each of its classes is tested below."""
    assert len(_CHANGES) == len(Change.__args__)
    assert len(_CLASSES) > 40


@pytest.mark.parametrize("cls", _CLASSES, ids=lambda cls: cls.__name__)
def test_round_trip(cls) -> None:
    """A value of any model class survives being JSON text."""

    @given(values(cls))
    def holds(value) -> None:
        text = json.dumps(encode(value), ensure_ascii=False)
        assert decode(cls, json.loads(text)) == value

    holds()


@pytest.mark.parametrize("cls", _CHANGES, ids=lambda cls: cls.__name__)
def test_change_round_trip(cls) -> None:
    """A change survives the journal, and what a newer alaya added to it is passed over."""

    @given(values(cls), JSON)
    def holds(value, more) -> None:
        data = json.loads(json.dumps({**encode_change(value), "unheard of": more}))
        assert decode_change(data) == value

    holds()


@given(st.sampled_from(_CHANGES).flatmap(values))
def test_every_change_touches(change) -> None:
    """Every kind of change says what it touches, as a set of names."""
    found = touched(change)
    assert found
    assert all(isinstance(name, str) for name in found)


@given(JSON, st.sampled_from(_CLASSES))
def test_anything_else_is_invalid_input(data, cls) -> None:
    """JSON that is no such value is InvalidInput, or by chance a value; nothing else happens."""
    try:
        found = decode(cls, data)
    except InvalidInput:
        return
    assert isinstance(found, cls)


def test_unknown_change() -> None:
    """A change of an unknown type cannot be skipped."""
    with pytest.raises(InvalidInput, match="newer alaya"):
        decode_change({"type": "Teleported"})
    with pytest.raises(InvalidInput):
        decode_change({})


@given(TIMES)
@example(datetime(1, 1, 1, tzinfo=UTC))
@example(datetime(999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC))
def test_time_round_trip(at) -> None:
    """A time is text of one length that reads back as the same moment."""
    text = format_time(at)
    assert len(text) == 27
    assert parse_time(text) == at
    assert parse_time(text).utcoffset() == timedelta(0)


@given(TIMES, TIMES, st.integers(-14 * 60, 14 * 60))
def test_time_sorts(one, other, minutes) -> None:
    """Times sort as their text does, in whatever zone they were given."""
    assert (one < other) == (format_time(one) < format_time(other))
    zone = timezone(timedelta(minutes=minutes))
    try:
        shifted = one.astimezone(zone)
    except OverflowError:
        return
    assert format_time(shifted) == format_time(one)
    assert parse_time(shifted.isoformat()) == one


@given(JSON | WILD | st.datetimes() | st.integers() | st.floats())
@example("0001-01-01T00:00:00+05:00")
@example("9999-12-31T23:59:59-05:00")
@example(datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5))))
@example(float("nan"))
@example(10**400)
@example("9" * 500)
def test_any_time(value) -> None:
    """Anything is a time in UTC or InvalidInput."""
    try:
        found = parse_time(value)
    except InvalidInput:
        return
    assert found.utcoffset() == timedelta(0)
    assert parse_time(format_time(found)) == found


_NAMES = st.text(max_size=400) | st.text("aAß.~-_/\\ 0", max_size=40) | WILD
_OWNERS = st.none() | st.text(max_size=5)


@given(_NAMES, _OWNERS)
@example("../../x", None)
@example("/", None)
@example("\x00", None)
@example("x" * 400, None)
@example("ΐ" * 400, None)
@example("COM¹", None)
@example("nul.txt", None)
@example("😀" * 100, "")
def test_file_names(name, owner) -> None:
    """A file name is one component, short, without what a file system could read otherwise."""
    found = file_name(name, owner)
    assert 0 < len(found.encode()) <= NAME_BYTES
    assert not set(found) & set('/\\\x00:*?"<>|\n ')
    assert found not in (".", "..")
    assert not found.startswith(".")
    assert Path(found).name == found
    stem = found.split(".")[0].casefold()
    assert stem not in {"con", "prn", "aux", "nul", "com1", "com¹", "lpt9"}


@given(_NAMES, _OWNERS, _NAMES, _OWNERS)
@example("Case", None, "case", None)
@example("é", None, "e\u0301", None)
@example("a/b", None, "ab", None)
@example("x", None, "x", "")
def test_file_names_differ(one, one_owner, other, other_owner) -> None:
    """Two names have two files, also where case and composition are folded."""

    def folded(name, owner):
        return unicodedata.normalize("NFC", file_name(name, owner)).casefold()

    same = (clean(one), one_owner) == (clean(other), other_owner)
    assert same or folded(one, one_owner) != folded(other, other_owner)
    # What one name became is no other's name.
    assert file_name(one, one_owner) == one or file_name(file_name(one, one_owner)) != file_name(
        one, one_owner
    )


@given(st.text())
def test_clean(text) -> None:
    """Cleaned text can be stored anywhere, and cleaning it again changes nothing."""
    found = clean(text)
    assert "\x00" not in found
    assert found.encode().decode() == found
    assert clean(found) == found
