"""`alaya retrieve`: the four kinds of a question, to a person and as JSON, in both languages."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from alaya.cli.main import main

TALKS = {
    "en": ("Ada", "I live in Leeds since May. On Friday I ordered a new bicycle.", "Leeds"),
    "zh": ("阿信", "我去年五月搬到了上海，住在静安区，上周买了一辆新自行车。", "上海"),
}
Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def typed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Type a command; returns its status and what it prints."""

    def run(*argv: str) -> tuple[int, str, str]:
        quiet = ["--set=embedding.provider=none", "--set=embedding.background=false"]
        status = main([*argv, "--home", str(tmp_path), *quiet])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_is_remembered_of_a_question(lang: str, typed: Typed) -> None:
    """A turn with its speaker and topic, who it is of, what is known; the same in both forms."""
    name, words, place = TALKS[lang]
    argv = ("add", words, "--session", "s", "--name", name, "--distill", "--lang", lang)
    assert typed(*argv)[0] == 0
    status, out, _ = typed("retrieve", name, place, "--lang", lang)
    assert status == 0
    found = json.loads(typed("retrieve", name, place, "--lang", lang, "--json")[1])
    (episode,) = found["episodes"]
    assert (episode["speaker"], episode["content"]) == (name, words)
    assert episode["topic"]
    assert f"  {name}: {words}" in out
    assert episode["topic"] in out
    assert name in [one["name"] for one in found["entities"]]
    assert all(one["fact"] in out for one in found["edges"])
    assert found["context"]["text"].rstrip().endswith("</alaya-memory>")
    assert not found["abstained"]


def test_kinds_that_are_not_wanted_and_what_is_not_there(typed: Typed) -> None:
    """A kind may be left out; nothing relevant says so; a mistake is told with its place."""
    name, words, place = TALKS["en"]
    typed("add", words, "--session", "s", "--name", name, "--distill")
    argv = ("--no-episodes", "--no-cards", "--no-summaries", "--max-hops", "1", "--json")
    found = json.loads(typed("retrieve", name, place, *argv)[1])
    assert (found["episodes"], found["cards"], found["summaries"]) == ([], [], [])
    assert found["entities"]
    early = typed("retrieve", name, place, "--until", "2020-01-01", "--no-entities", "--no-edges")
    assert early[:2] == (0, "Nothing relevant is remembered\n")
    assert typed("retrieve")[0] == 2
    for argv, says in ((("--since", "soon"), "since"), (("--max-hops", "99"), "max_hops 99")):
        status, _, err = typed("retrieve", name, *argv)
        assert (status, says in err) == (1, True), err
