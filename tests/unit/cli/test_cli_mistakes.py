"""Whoever errs is told in the language of choice, by whichever layer it is noticed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from alaya.cli.language import translated
from alaya.cli.main import main
from alaya.cli.mistakes_zh import MISTAKES
from alaya.distill.prompts.texts import prompt
from alaya.errors import ConfigError

_ALICE = [
    f"--set=recall.alice_{name}=0" for name in ("semantic", "time", "importance", "frequency")
]
# What is typed, and the English sentence that says what is wrong with it.
MADE = {
    "depth 99 is": ["recall", "网关", "--depth", "99"],
    "limit 100000 is": ["recall", "网关", "--limit", "100000"],
    "recipe alice weighs": ["recall", "网关", "--recipe", "alice", *_ALICE],
    "a path of at most 0": ["recall", "--from", "网关", "--to", "通知", "--depth", "0"],
    "a path from 网关": ["recall", "--from", "网关", "--to", "网关"],
    "a path needs two ends": ["recall", "--from", " ", "--to", "网关"],
    "no 会话#9": ["recall", "--from-nodes", "会话#9"],
    "no card card-9 to go on": ["recall", "--from-nodes", "card-9"],
    "no card-9 (for this user": ["recall", "--from", "card-9", "--to", "网关"],
    "no nope#1 (for this user": ["recall", "--from", "nope#1", "--to", "网关"],
    "no 会话#轮1 (for this user": ["recall", "--from", "网关", "--to", "会话#轮1"],
    "no card card-9 (for user 'default'); see": ["trace", "card-9"],
    "no card, event or turn s#1 (for user 'default'): give card-…": ["trace", "s#1"],
    "no event event-9 (for user 'default')": ["trace", "event-9"],
    "content says nothing: give some words": ["remember", " "],
    "no card card-8 (for user": ["link", "card-8", "card-9"],
    "no session '会话'": ["distill", "--session", "会话"],
    "card-9 cannot be linked": ["link", "card-9", "card-9"],
    "no relation 受启发; alaya": ["relations", "promote", "受启发"],
    "no relation DEPENDS_O; did": ["relations", "promote", "DEPENDS_O"],
    "CAUSES is built in": ["relations", "alias", "CAUSES", "LED_TO"],
    "CAUSED_BY cannot be split": ["relations", "split", "CAUSED_BY", "CAUSES", "--reason", "x"],
    "no link link-9 of": ["relations", "split", "CAUSES", "LED_TO", "--link", "link-9"],
    "no card card-7 (for user": ["pin", "card-7"],
    "there is nothing to undo": ["undo"],
    "there is no record #9": ["undo", "--seq", "9"],
    "nothing is known of 'card-6' (for user": ["history", "card-6"],
    "'史' is no id": ["history", "史"],
    "not a relation name": ["recall", "网关", "--rel", "???"],
    "nothing can be embedded": ["embed"],
    "nothing to add: every message": ["add", "  "],
    "nothing to add: give a text": ["add", "--messages", "[]"],
    "message 1 is int, not": ["add", "--messages", "[7]"],
    "message 2: role must be": ["add", "--messages", '[{"role": "user", "text": ""}, {}]'],
    "message 1: content must be": ["add", "--messages", '{"role": "user", "content": 7}'],
    "message 1: text must be": ["add", "--messages", '{"role": "user", "text": [7]}'],
    "message 1: name must be": ["add", "--messages", '{"role":"user","text":"x","name":7}'],
    "message 1: id must be": ["add", "--messages", '{"role":"user","text":"x","id":[7]}'],
    "message 1: metadata must": ["add", "--messages", '{"role":"user","text":"x","metadata":7}'],
    "message 1: tool_calls must": ["add", "--messages", '{"role":"user","tool_calls":7}'],
    "message 1: timestamp": ["add", "网关", "--at", "2999-01-01"],
    "messages 1 and 2 have": [
        "add",
        "--messages",
        '[{"role":"user","text":"x","id":7},{"role":"user","text":"y","id":7}]',
    ],
    "message 1 has no content": ["add", "--messages", '{"role": "user"}'],
    "message 1: date is not": ["add", "--messages", '{"role":"user","text":"x","date":"?"}'],
    "session must be a name": ["add", "x", "--session", " "],
    "no such file or folder": ["ingest", "没有.json"],
    "the name of a source": ["ingest", ""],
    "cannot export to": ["export", "--output", "{home}/raw"],
    "unknown setting": ["config", "get", "没有"],
    "recall is a section": ["config", "set", "recall", "1"],
    "config recall.alpha must be between": ["recall", "网关", "--set", "recall.alpha=7"],
    "config recall.max_results must be at least": ["recall", "x", "--set", "recall.max_results=0"],
    "config recall.recipe must be one of": ["recall", "x", "--set", "recall.recipe=x"],
    "config user must be a name": ["recall", "x", "--set", "user= "],
    "config recall.alpha must be float": ["recall", "x", "--set", "recall.alpha=true"],
}


def said(argv: list[str], home: Path, language: str, capsys: pytest.CaptureFixture[str]) -> str:
    filled = [word.replace("{home}", str(home)) for word in argv]
    status = main([*filled, "--home", str(home), "--lang", language, "--json"])
    told = capsys.readouterr()
    assert (status, told.out) == (1, "")
    message: str = json.loads(told.err)["error"]["message"]
    return message


@pytest.fixture(autouse=True)
def by_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """No embedder, and nothing in the background."""
    monkeypatch.setenv("ALAYA_EMBEDDING_PROVIDER", "none")
    monkeypatch.setenv("ALAYA_EMBEDDING_BACKGROUND", "false")


@pytest.mark.parametrize(
    ("content", "english"),
    [
        (b"\xff\xfe\x00", "cannot read the prompt"),
        (b"", "is empty"),
        (b"{{cards}}", "has the unknown slot"),
        (b"word " * 10_000, "characters, more than"),
    ],
)
def test_a_broken_prompt_is_told_in_the_language_of_choice(
    content: bytes, english: str, tmp_path: Path
) -> None:
    """What is wrong with a prompt that a user edited, with its path."""
    (tmp_path / "distill.txt").write_bytes(content)
    with pytest.raises(ConfigError) as error:
        prompt("distill", "en", folder=tmp_path, slots={"max_cards": "1"})
    assert english in str(error.value)
    local = translated(str(error.value), "zh")
    assert re.match("[一-鿿]", local)
    assert str(tmp_path) in local


@pytest.mark.parametrize("english", MADE)
def test_a_mistake_is_told_in_the_language_of_choice(
    english: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In English as the verb says it; in Chinese in Chinese, with the same names and numbers."""
    before = said(MADE[english], tmp_path, "en", capsys)
    assert before.startswith(english)
    local = said(MADE[english], tmp_path, "zh", capsys)
    assert local == translated(before, "zh") != before
    assert re.match(
        "[^a-z]*[一-鿿]", re.sub(r"[\w.-]*[._-][\w./-]*|limit|depth|recall|config", "", local)
    )
    numbers = re.findall(r"\d+", before)
    assert sorted(re.findall(r"\d+", local)) == sorted(numbers)


def test_each_sentence_is_chinese_and_found_by_its_own_pattern() -> None:
    """No pattern is hidden by one before it, and each has Chinese and as many places to fill."""
    for number, (pattern, local) in enumerate(MISTAKES):
        assert re.search("[一-鿿]", local)
        assert len(set(re.findall(r"{\d}", local))) == re.compile(pattern).groups
        plain = re.sub(r"\\(.)", r"\1", pattern.replace("(?:card )?", "").replace("(.+)", ".+"))
        example = plain.replace(".+", "x")
        first = next(n for n, (other, _) in enumerate(MISTAKES) if re.fullmatch(other, example))
        assert first == number, example
    assert translated("something new", "zh") == "something new"
