"""What a line of a walk means, how a view is numbered, and how a path is printed."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from alaya.cli import show_path, show_recall
from alaya.cli.navigating import understood
from alaya.cli.page import Page
from alaya.model.graph import Link
from alaya.model.path import Chain, Path, PathQuery, PathStep, Place
from alaya.model.raw import Origin
from alaya.model.scope import Scope

Make = Callable[..., Page]


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("3", ("go", "3")),
        (" ３ \n", ("go", "３")),
        ("9" * 99, ("go", "0")),
        ("card-abc", ("card", "card-abc")),
        ("b", ("back", "")),
        ("BACK", ("back", "")),
        ("返回", ("back", "")),
        ("t 2", ("trace", "2")),
        ("t2", ("trace", "2")),
        ("t", ("trace", "")),
        ("追溯2", ("trace", "2")),
        ("原话 card-abc", ("trace", "card-abc")),
        ("s gateway restart", ("search", "gateway restart")),
        ("搜索网关", ("search", "网关")),
        ("搜 网关", ("search", "网关")),
        ("s", ("help", "")),
        ("?", ("help", "")),
        ("？", ("help", "")),
        ("q", ("quit", "")),
        ("退出", ("quit", "")),
        ("", ("search", "")),
        ("gateway restart", ("search", "gateway restart")),
        ("back to the gateway", ("search", "back to the gateway")),
        ("quit smoking", ("search", "quit smoking")),
        ("退出登录失败", ("search", "退出登录失败")),
        ("原话是什么", ("search", "原话是什么")),
        ("trace the packet", ("search", "trace the packet")),
        ("-1", ("search", "-1")),
        ("3 ports", ("search", "3 ports")),
        ("card-a card-b", ("search", "card-a card-b")),
        ("²", ("search", "²")),
    ],
)
def test_understood(line: str, meaning: tuple[str, str]) -> None:
    """Numbers, ids and commands of both languages; everything else is looked for, as it is."""
    assert understood(line) == meaning


def test_a_view_is_numbered_through(samples: Any, make_page: Make) -> None:
    """Relations continue the numbers of the nodes, and nobody is told to leave for trace."""
    lines = show_recall.recall_lines(samples.answer, make_page(decor=True), numbered=True)
    assert "  [3] DEPENDS_ON (2 nodes, rel_sim=0.41)" in lines
    assert "  [4] TEMPORAL_NEXT (1 node, rel_sim=0.22)" in lines
    assert not any("alaya trace" in line for line in lines)
    plain = show_recall.recall_lines(samples.answer, make_page(decor=True))
    assert any("--from-nodes" in line for line in plain)


@pytest.fixture
def path(samples: Any) -> Path:
    """A chain from a card to a session, over an untrusted link that says it the other way round."""
    card = samples.answer.hits[0].card
    link = Link(
        Scope(),
        "session:s",
        "受启发于",
        card.id,
        card.said_at,
        0.5,
        reason="same\n\x1b[31mhost",
        fact="a fact",
        origin=Origin.TOOL,
    )
    step = PathStep(Place("session:s", "a talk", 0.0), link, "受启发于", True, 0.9, 0.185)
    chain = Chain(Place(card.id, card.title, 1.0, card), (step,), 0.285, (0.1, 0.0))
    return Path(
        query=PathQuery("网关\x1b[2J", "session:s"),
        chain=chain,
        expanded=1234,
        max_depth=6,
        settings=(("alpha", 0.5), ("beta", 0.3), ("gamma", 0.2)),
    )


def test_a_path_in_lines(path: Path, make_page: Make) -> None:
    """Nodes, the link with its arrow, reason and fact, the sum; escapes never reach a terminal."""
    lines = show_path.path_lines(path, make_page(decor=True), explain=True)
    text = "\n".join(lines)
    for part in (
        "🧭 Path: 网关 → session:s",
        "[1] Gateway plugins.allow 遗漏导致消息中断 #gotcha",
        "  ↑ 受启发于 (weight=0.50, rel_sim=0.90, distance +0.18) [tool: a quote",
        "    because: same host",
        "    fact: a fact",
        "[2] a talk #session",
        "Total distance: 0.28 (1 link, 1,234 nodes explored)",
        "[2] alpha 0.5 × 0.000 + beta 0.3 × (1 - 0.90 × 0.50) + gamma 0.2 × 0.1 = 0.185",
        "beginning 0.100, ending 0.000",
    ):
        assert part in text, part
    assert "\x1b" not in text
    chinese = "\n".join(show_path.path_lines(path, make_page("zh")))
    assert "↑ 受启发于（权重=0.50" in chinese
    assert "总距离：0.28（1 条链接，已探索 1,234 个节点）" in chinese


def test_no_path_in_lines(path: Path, make_page: Make) -> None:
    """What is said when there is none: how close, that the search was cut off, or which end."""
    none = replace(path, chain=None, closest=path.chain, complete=False, notes=("no vectors",))
    text = "\n".join(show_path.path_lines(none, make_page(), explain=True))
    assert "No chain of at most 6 links leads there (1,234 nodes explored)." in text
    assert "The closest that one came (concept distance 0.00):" in text
    assert "Note: no vectors" in text
    assert "Note: the graph is too large" in text
    assert path.chain is not None
    alone = replace(none, closest=replace(path.chain, steps=()))
    assert "No link leads closer" in "\n".join(show_path.path_lines(alone, make_page()))
    same = replace(path, chain=replace(path.chain, steps=()))
    assert "One card answers both:" in show_path.path_lines(same, make_page())
    lost = Path(PathQuery("月球", "火星"), None, unmatched=("月球", "火星"))
    assert "没有与这一端相关的记忆：火星" in show_path.path_lines(lost, make_page("zh"))


def test_a_path_as_a_document(path: Path) -> None:
    """Every link with both ends, what it says and what it costs; null where there is no chain."""
    found = json.loads(json.dumps(show_path.path_document(path)))
    (step,) = found["chain"]["steps"]
    assert (step["from"], step["rel"], step["to"]) == ("card-abc", "受启发于", "session:s")
    assert (step["against"], step["fact"], step["origin"]) == (True, "a fact", "tool")
    assert [node["kind"] for node in found["chain"]["nodes"]] == ["gotcha", "session"]
    assert (found["found"], found["distance"], found["closest"]) == (True, 0.285, None)
    none = show_path.path_document(replace(path, chain=None, closest=path.chain))
    assert (none["found"], none["distance"], none["chain"]) == (False, None, None)
    assert none["closest"]["nodes"]


@pytest.mark.parametrize(
    ("query", "status", "says"),
    [
        ({"from": "a"}, 1, "to is missing"),
        ({"to": "a"}, 1, "from is missing"),
        ({"from": "a", "to": "b", "text": "x"}, 1, "text"),
        ({"from": "a", "to": "b", "limit": 3}, 1, "limit"),
        ({"from": ["a"], "to": "b"}, 1, "from must be a text"),
        ({"from": "a", "to": "b", "depth": "x"}, 1, "depth"),
        ({"from": "a", "to": "a"}, 1, "two different ends"),
        ({"from": "quasar", "to": "红移", "kinds": ["gotcha"], "depth": 2}, 0, ""),
    ],
)
def test_a_path_asked_for_from_a_pipe(
    query: dict[str, Any],
    status: int,
    says: str,
    tmp_path: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """`from` and `to` in a JSON query ask for a path; what says nothing to a path is named."""
    from alaya.cli.main import main

    monkeypatch.setenv("ALAYA_EMBEDDING_PROVIDER", "none")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(query).encode())))
    assert main(["--home", str(tmp_path), "recall", "--json"]) == status
    out, err = capsys.readouterr()
    if status:
        assert (out, says in json.loads(err)["error"]["message"]) == ("", True)
    else:
        assert json.loads(out)["unmatched"] == ["quasar", "红移"]
