"""What `alaya context` prints, and what it takes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from alaya.cli.main import main
from alaya.cli.page import Page
from alaya.cli.show_context import context_document, context_lines
from alaya.model.context import Context, ContextItem, Format, Mark, MarkKind, Section
from alaya.model.raw import Origin

ITEM = ContextItem(
    Section.CARDS,
    "card-1",
    "obey",
    ("[card-1]",),
    origin=Origin.TOOL,
    marks=(Mark(MarkKind.CONTRADICTED, "[card-2]"),),
)
FULL = Context("q", Format.TEXT, "<alaya-memory>…", (ITEM,), 100, 40, "estimate", 3)
EMPTY = Context("q", Format.TEXT, "", (), 1, 0, "estimate", 3)


def test_a_pipe_gets_the_block_alone(make_page: Callable[..., Page]) -> None:
    """What is printed can be put into a prompt as it is; where nothing fits, that is nothing."""
    assert context_lines(FULL, make_page()) == ["<alaya-memory>…"]
    assert context_lines(EMPTY, make_page()) == []


@pytest.mark.parametrize(
    ("language", "said", "nothing"),
    [
        ("en", "40 of 100 tokens (estimate); 3 more found", "Nothing fits into 1 tokens"),
        ("zh", "预算 100 token，已用 40（estimate）；另有 3 条未放入", "放不下任何内容"),
    ],
)
def test_a_person_is_told_how_full_it_is(
    make_page: Callable[..., Page], language: str, said: str, nothing: str
) -> None:
    """On a terminal a line below says what was used of the budget, and what counted."""
    page = make_page(language, decor=True)
    assert context_lines(FULL, page)[-1] == said
    assert nothing in context_lines(EMPTY, page)[-1]


def test_the_document_holds_no_words_outside_the_block() -> None:
    """With --json the items are named and explained; their words stand between the tags only."""
    found = json.loads(json.dumps(context_document(FULL)))
    assert found["text"] == FULL.text
    (item,) = found["items"]
    assert (item["id"], item["untrusted"], item["citations"]) == ("card-1", True, ["[card-1]"])
    assert item["marks"] == [{"kind": "contradicted", "by": "[card-2]", "at": None}]
    assert "obey" not in json.dumps(found)


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["context"], "context needs a QUESTION"),
        (["context", "x", "--budget", "-1"], "--budget"),
        (["context", "x", "--budget", "many"], "--budget"),
        (["context", "x", "--format", "html"], "md, text, json"),
        (["context", "x", "--rel", "CAUSES"], "--rel"),
    ],
)
def test_bad_usage(
    argv: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Status 2, with what is wrong."""
    monkeypatch.setattr("sys.stdin", None)
    assert main([*argv, "--home", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
