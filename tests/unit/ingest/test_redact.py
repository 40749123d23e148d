"""Secrets at the border."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alaya.ingest.redact import redact, redact_session, redact_turn
from alaya.model.raw import Role, Session, ToolCall, Turn
from alaya.model.scope import Scope
from alaya.model.time import EPOCH

DATA = Path(__file__).parents[2] / "data" / "ingest"
INNOCENT = (DATA / "innocent.txt").read_text(encoding="utf-8").splitlines()
# All invented. They are cut in two by `¦` where a scanner of repositories would raise an alarm.
SECRETS = [
    tuple(line.replace("¦", "").split("\t"))
    for line in (DATA / "secrets.tsv").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize(("kind", "text"), SECRETS)
@pytest.mark.parametrize("unescape", [False, True])
def test_a_secret_becomes_its_placeholder(kind: str, text: str, unescape: bool) -> None:
    """Each kind of secret is found, in a sentence and in JSON, and once replaced stays as it is."""
    if unescape:
        text = text.replace("\\n", "\n")
    replaced, counts = redact(f"看这里 {text}\nand go on")
    assert counts == {kind: 1}
    assert f"[REDACTED:{kind}]" in replaced
    assert replaced.startswith("看这里 ")
    assert replaced.endswith("and go on")
    assert redact(replaced) == (replaced, {})
    for secret in ("hunter2", "s3cret", "Sup3r!", "Tr0ub4dor", "abc123", "芝麻", "GxyZ", "wJalr"):
        assert secret not in replaced


@pytest.mark.parametrize("text", INNOCENT)
def test_what_is_no_secret_stays(text: str) -> None:
    """Prose, code, hashes, references to a secret and images are left as they are."""
    assert redact(text) == (text, {})


WORDS = st.text(st.characters(whitelist_categories=["L", "Zs"]), max_size=80)


@given(WORDS)
def test_text_without_secrets_is_the_same(text: str) -> None:
    """Letters and spaces of any script are never touched."""
    assert redact(text) == (text, {})


PIECES = st.sampled_from(
    [text for _, text in SECRETS]
    + INNOCENT
    + ["password", "=", ": ", "是", " ", "\n", '"', "'", "://", "@", "token", "[REDACTED:x]"]
)


@given(st.lists(PIECES, max_size=8))
def test_redacting_twice_changes_nothing_more(pieces: list[str]) -> None:
    """However secrets and their neighbours meet, what remains holds none."""
    once, _ = redact("".join(pieces))
    assert redact(once) == (once, {})


NEAR_MISSES = [
    "eyJ", "sk-", "password=", "password is ", "://a:b", "curl -u ", 'password="', "密码是", "-a",
    "-----BEGIN PRIVATE KEY-----", "password for ", "api_key: ", "a1", "mysql ", "mysql a -",
    "redis-cli a ", "Cookie: a=", "Cookie: a=b; ", "Ma", "MaMaMaMaMaMaMaMaMaMaMaMa.",
]  # fmt: skip


@pytest.mark.parametrize("unit", NEAR_MISSES)
def test_a_megabyte_of_near_misses_ends(unit: str) -> None:
    """No pattern runs away; the test's own time limit is the judge."""
    redact(unit * (1_000_000 // len(unit)))


def test_every_part_of_a_turn_is_redacted_and_counted() -> None:
    """Words, tool arguments, reasoning and metadata; names of fields count as in text."""
    turn = Turn(
        id="1",
        role=Role.ASSISTANT,
        content="password=hunter2",
        tool_calls=(ToolCall("c", "exec", json.dumps({"cmd": "export TOKEN=abcd1234efgh"})),),
        metadata={
            "reasoning": "the password is hunter2",
            "details": {"password": "hunter2", "count": 3, "list": ["密码：abc12345"]},
        },
    )
    redacted, counts = redact_turn(turn)
    assert counts == {"password": 4, "secret": 1}
    assert redacted.redacted == 5
    assert json.loads(redacted.tool_calls[0].arguments) == {"cmd": "export TOKEN=[REDACTED:secret]"}
    assert redacted.metadata["details"] == {
        "password": "[REDACTED:password]",
        "count": 3,
        "list": ["密码：[REDACTED:password]"],
    }
    assert redact_turn(redacted) == (redacted, {})


def test_a_title_is_redacted() -> None:
    """The title of a session is often its first prompt."""
    session = Session("s", Scope(), EPOCH, title="set password=hunter2")
    assert redact_session(session)[0].title == "set password=[REDACTED:password]"
