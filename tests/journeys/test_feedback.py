"""Memory does not learn from itself: what alaya wrote, said again to it, makes no new cards."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import modelled
import pytest
import spoken

from alaya import Memory
from alaya.cli.main import main
from alaya.model.passage import Where
from alaya.testing.http_server import Server

QUESTION = "billing service Redis"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with modelled.echoing() as made:
        yield made


@pytest.fixture(params=["rules", "model"])
def memory(request: Any, tmp_path: Path, server: Server) -> Iterator[Memory]:
    """A memory of two talks, distilled by rules, or by a model that makes a card of every turn."""
    settings = modelled.settings(server)
    if request.param == "rules":
        settings["distill.llm_provider"] = "none"
    with Memory.open(tmp_path / "home", settings=settings) as made:
        made.ingest(*(spoken.write_session(tmp_path, number) for number in range(2)))
        report = made.distill()
        assert report.cards > 3
        assert (report.model is None) == (request.param == "rules")
        yield made


Tell = Callable[..., int]


@pytest.fixture
def learn(memory: Memory, tmp_path: Path) -> Tell:
    """Tell the memory a session; how many cards it makes of it."""

    numbers = count()

    def tell(*turns: dict[str, Any]) -> int:
        path = tmp_path / f"again-{next(numbers)}.jsonl"
        lines = [json.dumps(turn, ensure_ascii=False) for turn in turns]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        (taken,) = memory.ingest(path).sessions
        report = memory.distill(taken.session.id)
        assert not report.failed
        return report.cards

    return tell


@pytest.fixture
def printed(memory: Memory, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """What a command prints about this memory."""

    def run(*argv: str) -> str:
        quiet = ("--set", "embedding.provider=none", "--set", "embedding.background=false")
        assert main([*argv, "--home", str(memory.config.home), *quiet]) == 0
        return capsys.readouterr().out

    return run


@pytest.mark.parametrize("form", ["md", "text", "json"])
def test_a_context_in_a_prompt(memory: Memory, learn: Tell, form: str) -> None:
    """A block that a prompt began with, in every form, and the agent's thanks for it."""
    block = memory.context(QUESTION, format=form).text
    assert "Redis" in block
    assert learn({"role": "user", "content": block}, {"role": "assistant", "content": "ok"}) <= 1
    assert learn({"role": "system", "content": block}) == 0


def test_an_agent_repeats_what_was_recalled(memory: Memory, learn: Tell) -> None:
    """In its own words' place it says what the block told: an echo."""
    block = memory.context(QUESTION).text
    card = memory.recall(QUESTION).hits[0].card
    assert card is not None
    restated = f"From memory: {card.content}"
    turns = ({"role": "user", "content": f"{block}\n"}, {"role": "assistant", "content": restated})
    assert learn(*turns) == 0


@pytest.mark.parametrize("options", [[], ["--json"], ["--explain"]])
def test_a_tool_printed_it(printed: Callable[..., str], learn: Tell, options: list[str]) -> None:
    """The output of `alaya recall` in a shell, and of the MCP tool of that name."""
    out = printed("recall", QUESTION, *options)
    assert "Redis" in out
    shell = ("Bash", json.dumps({"command": f"alaya recall '{QUESTION}'"}))
    for name, arguments in (shell, ("mcp__alaya__recall", "{}")):
        call = {"id": "c1", "function": {"name": name, "arguments": arguments}}
        asks = {"role": "assistant", "content": "", "tool_calls": [call]}
        assert learn(asks, {"role": "tool", "tool_call_id": "c1", "content": out}) == 0


def test_cards_were_pasted(memory: Memory, printed: Callable[..., str], learn: Tell) -> None:
    """Cards as `recall` prints them, or their Markdown, in a person's own turn: known already."""
    for hit in memory.recall(QUESTION, limit=3).hits:
        assert hit.card is not None
        words = f"# {hit.card.title}\n\n{hit.card.content}"
        assert learn({"role": "user", "content": words}) == 0
    links = memory.parts.index.all_links(Where(memory.scope))
    assert any(link.reason == "said again" for link in links)


def test_a_person_who_says_something_new_is_heard(memory: Memory, learn: Tell) -> None:
    """The guard is no deafness: new words beside a block, in both languages, make cards."""
    block = memory.context(QUESTION).text
    for new in (
        "We decided to move the billing service to Postgres, because Redis lost our data twice.",
        "我们决定以后用 Postgres 做账单服务的存储，因为它最容易维护。",
    ):
        before = {"role": "user", "content": f"{block}\nHello."}
        assert learn(before, {"role": "user", "content": new}) >= 1
