"""`alaya pin`, `forget`, `forgotten`, `restore` and `relations`, in both languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from alaya import Memory
from alaya.cli.main import main
from alaya.model.change import CardAdded, LinkAdded
from alaya.model.scope import Scope
from alaya.projection import commit
from alaya.testing.invented import card, link

ME = Scope("default")


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """Run a command on a home with three cards and two links; returns (status, output, error)."""
    monkeypatch.setenv("ALAYA_EMBEDDING_PROVIDER", "none")
    home = tmp_path / "home"
    with Memory.open(home) as memory:
        told = [CardAdded(card(n, f"网关 {n}", content=f"端口 {n}", scope=ME)) for n in "abc"]
        links = [
            link("b", "DEPENDS_ON", target="a", scope=ME),
            link("b", "INFLUENCED_BY", target="c", scope=ME, reason="想法由此而来"),
        ]
        parts = memory.parts
        commit(
            parts.archive,
            parts.index,
            decide=lambda: [*told, *map(LinkAdded, links)],
            actor="t",
            verb="t",
            clock=parts.clock,
        )

    def command(*argv: str, lang: str = "en"):
        status = main([*argv, "--home", str(home), "--lang", lang])
        out = capsys.readouterr()
        return status, out.out, out.err

    return command


def test_forgetting_and_restoring(run) -> None:
    """A dry run, then in earnest: who depends on it, the list with the reason, and back."""
    assert "Would be forgotten: 网关 a (card-a)" in run("forget", "card-a", "--dry-run")[1]
    status, out, _ = run("forget", "card-a", "--reason", "搬走了")
    assert status == 0
    assert "✓ Forgotten: 网关 a (card-a)" in out
    assert "card-b depends on card-a" in out
    assert "搬走了" in run("forgotten")[1]
    assert "已恢复：网关 a（card-a）" in run("restore", "card-a", lang="zh")[1]
    assert run("forgotten", lang="zh")[1] == "没有被遗忘的卡片\n"
    assert "原未遗忘" in run("restore", "card-a", lang="zh")[1]


def test_a_query_forgets_what_it_finds(run) -> None:
    """As JSON: which cards, and that it was tried only."""
    _, out, _ = run("forget", "--query", "网关 a 端口 a", "--limit", "1", "--dry-run", "--json")
    found = json.loads(out)
    assert found["dry_run"]
    assert len(found["cards"]) == 1
    assert "没有可遗忘的" in run("forget", "--query", "量子色动力学", lang="zh")[1]


def test_pages_of_the_forgotten(run) -> None:
    """The last one first, with where the next page begins."""
    run("forget", "card-a", "card-b", "card-c")
    _, out, _ = run("forgotten", "--limit", "2", "--json")
    found = json.loads(out)
    assert ([one["id"] for one in found["forgotten"]], found["more"]) == (["card-c", "card-b"], 2)
    assert "--offset 2" in run("forgotten", "--limit", "2")[1]


def test_pinning(run) -> None:
    """Pinned is not forgotten by name, and can be let go."""
    assert "已固定：网关 a（card-a）" in run("pin", "card-a", lang="zh")[1]
    assert run("forget", "card-a")[::2] == (
        1,
        "alaya: card-a is pinned; unpin it first: alaya pin card-a --off\n",
    )
    assert "请先取消固定" in run("forget", "card-a", lang="zh")[2]
    assert "No longer pinned" in run("pin", "card-a", "--off")[1]


@pytest.mark.parametrize(
    "argv",
    [
        ("forget",),
        ("forget", "card-a", "--query", "x"),
        ("restore",),
        ("pin",),
        ("relations", "list", "A"),
        ("relations", "promote"),
        ("relations", "alias", "A"),
        ("relations", "alias", "A", "B", "--reason", "x"),
        ("relations", "split", "A", "B"),
        ("relations", "split", "A", "B", "--link", "x", "--definition", "y"),
        ("relations", "mend"),
        ("forgotten", "--limit", "0"),
    ],
)
def test_bad_usage(run, argv) -> None:
    """Status 2, and how it is used."""
    for lang in ("en", "zh"):
        status, out, err = run(*argv, lang=lang)
        assert (status, out) == (2, "")
        assert f"alaya {argv[0]}" in err


def test_relations_from_the_command_line(run) -> None:
    """Listed with what could be done; an alias, a promotion and a split say what they did."""
    _, out, _ = run("relations")
    assert "INFLUENCED_BY: 1 use" in out
    assert "Nothing to tidy" in out
    assert "1 link moved" in run("relations", "alias", "INFLUENCED_BY", "受启发于")[1]
    assert "INFLUENCED_BY" in run("schema", "--relations")[1]
    _, out, _ = run("relations", "promote", "受启发于", "--definition", "想法由此而来", lang="zh")
    assert "受启发于 现在是一级关系" in out
    argv = ("relations", "split", "受启发于", "基于", "--reason", "想法")
    assert "1 条链接移到了 基于" in run(*argv, lang="zh")[1]
    _, out, _ = run("relations", "--json")
    found = json.loads(out)
    assert {"基于", "DEPENDS_ON"} <= {one["name"] for one in found["relations"]}
    assert found["proposals"]["aliases"] == []
