"""From the text of a reply to a value, where the corpus of bad replies does not reach."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alaya.distill.replies import read
from alaya.distill.shapes import fit
from alaya.model.call import Call, Problem, Reply

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "label": {"type": "string"},
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "at": {"type": ["string", "null"]},
                    "sure": {"type": "boolean"},
                },
                "required": ["name"],
            },
        },
    },
    "required": ["label"],
}
CALL = Call("topic", "s", "u", SCHEMA)


def test_marks_of_thought_in_a_text_are_words() -> None:
    """A reply that tells of <think> marks is not torn at them."""
    value = {"label": "the <think> mark and </think>", "items": []}
    assert read(Reply(json.dumps(value)), CALL).value == value


def test_what_must_be_there_is_missed() -> None:
    """An empty object is nothing found only where nothing but arrays is asked for."""
    found = read(Reply("{}"), CALL)
    assert (found.value, found.problem) == (None, Problem.WRONG_SHAPE)
    assert "label" in found.complaint


def test_kinds_of_values() -> None:
    """Null stays where it is allowed and goes where it is not; yes and no may be words."""
    value = {"label": 7, "items": [{"name": "a", "at": None, "sure": "True"}, {"name": "b"}, None]}
    assert fit(value, SCHEMA).value == {
        "label": "7",
        "items": [{"name": "a", "at": None, "sure": True}, {"name": "b"}],
    }


@pytest.mark.parametrize(
    ("text", "language", "complains"),
    [
        ("Gateway restarts lose running tasks unless everybody is told before.", "zh", True),
        (
            "Gateway 重启之前不通知的话，正在运行的任务会丢失。所以要先在群里说一声，再去重启。",
            "zh",
            False,
        ),
        (
            "重启之前不通知的话，正在运行的任务会丢失。所以要先在群里说一声，再去重启网关。",
            "en",
            True,
        ),
        ("Gateway restarts lose running tasks unless everybody is told before.", "en", False),
        ("nginx", "zh", False),
        ("Gateway restarts lose running tasks unless everybody is told before.", "", False),
    ],
)
def test_language(text: str, language: str, complains: bool) -> None:
    """Words in another language than that of the conversation are complained of, once."""
    call = Call("topic", "s", "u", SCHEMA, language=language)
    reply = Reply(json.dumps({"label": text}))
    assert (read(reply, call).problem is Problem.WRONG_LANGUAGE) == complains
    last = read(reply, call, last=True)
    assert last.value is not None
    assert ("other language" in last.mended) == complains


@given(st.text(alphabet='{}[]",:ab \\<>/`\n好0.t', max_size=80))
def test_any_text_is_read(text: str) -> None:
    """Whatever a model writes, there is a value that has what it must have, or a reason."""
    for last in (False, True):
        found = read(Reply(text), CALL, last=last)
        assert (found.value is None) == bool(found.problem)
        assert found.value is None or isinstance(found.value["label"], str)
        assert found.value is not None or found.complaint


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["label", "items", "name", "x"]), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(JSON)
def test_any_value_is_fitted(value: Any) -> None:
    """Whatever JSON it is, it comes out as the schema has it, or with a complaint."""
    found = fit(value, SCHEMA, salvage=True)
    if found.value is None:
        assert found.complaint
    else:
        assert fit(found.value, SCHEMA).value == found.value
