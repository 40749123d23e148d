"""What is said before a model is asked, and while it does not answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import modelled
import pytest

from alaya.cli.main import main
from alaya.testing.http_server import Answer, Server, completion

SAID = (
    ("user", "The staging database moved to port 5433 because 5432 was taken by the old server."),
    ("assistant", "Noted: staging uses 5433. I changed the deploy script and the firewall rule."),
    ("user", "今天开始由小王负责网关，他把超时改成了三十秒。"),
    ("assistant", "好的，网关由小王负责，超时三十秒。"),
)
Typed = Callable[..., tuple[int, str, str]]


def reply(request: dict[str, Any]) -> bytes:
    """A right answer to whichever question it is."""
    words = request["messages"][0]["content"]
    if '"sources"' in words:
        value: dict[str, Any] = {"topic": "ports", "summary": "Staging moved.", "sources": [1]}
    elif '"facts"' in words:
        value = {"entities": [], "facts": []}
    else:
        return modelled.echo(request)
    return completion(json.dumps(value))


@pytest.fixture
def typed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Type a command; returns its status and what it prints."""

    def run(*argv: str, server: Server | None = None, lang: str = "en") -> tuple[int, str, str]:
        known = {} if server is None else modelled.settings(server, facts=True, tries=1)
        usual = {**known, "summary.enabled": True, "embedding.provider": "none"}
        sets = [f"--set={name}={_text(value)}" for name, value in usual.items()]
        status = main([*argv, "--home", str(tmp_path / "home"), "--lang", lang, *sets])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def tell(typed: Typed, *sessions: str) -> None:
    for name in sessions:
        said = [{"role": role, "content": f"{words} ({name})"} for role, words in SAID]
        messages = json.dumps(said)
        assert typed("add", "--messages", messages, "--session", name, "--no-distill")[0] == 0


@pytest.mark.parametrize(("lang", "says"), [("en", "alaya ingest PATH"), ("zh", "还没有会话")])
def test_an_empty_memory_says_what_to_do(typed: Typed, lang: str, says: str) -> None:
    """Nothing to distil is not the same as nothing new."""
    for more in ((), ("--dry-run",)):
        status, out, _ = typed("distill", *more, lang=lang)
        assert (status, says in out) == (0, True), out


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_a_model_needs_is_said(typed: Typed, lang: str) -> None:
    """Who distils by rules is told how a model is named, and what to install for it."""
    tell(typed, "s1")
    assert "pip install 'alaya-agent-memory[openai]'" in typed("distill", lang=lang)[1]


def test_a_dry_run_counts_every_call_without_the_client(
    typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cards, facts and summaries are foreseen; the run then asks so often; nothing is asked yet."""
    tell(typed, "s1", "s2")
    with modelled.serving(lambda *_: Answer(), right=reply) as server:
        with monkeypatch.context() as without:
            without.setattr("alaya.providers.openai_chat.find_spec", lambda name: None)
            status, out, _ = typed("distill", "--close", "--dry-run", "--json", server=server)
            assert typed("distill", "--close", server=server)[0] == 1  # and says what to install
        assert (status, server.requests) == (0, [])
        stages = json.loads(out)["estimate"]["stages"]
        assert stages.pop("distill") == 1  # two short sessions share it
        assert stages.pop("facts") == 2
        assert stages.pop("summary") >= 2
        assert stages == {}
        _, told, _ = typed("distill", "--close", "--dry-run", server=server)
        assert "Calls by stage: distill 1, facts 2, summary" in told
        assert typed("distill", "--close", server=server)[0] == 0
        asked = json.loads(typed("usage", "--json", server=server)[1])["rows"]
        made = {row["stage"]: row["answered"] for row in asked}
        summaries = json.loads(out)["estimate"]["stages"]["summary"]
        assert (made["distill"], made["facts"]) == (1, 2)
        assert summaries <= made["summary"] <= summaries + 1  # a theme of both cannot be foreseen
        again = json.loads(typed("distill", "--close", "--dry-run", "--json", server=server)[1])
        assert again["estimate"]["calls"] == 0


def test_an_outage_is_told_once_and_goes_when_it_is_over(typed: Typed) -> None:
    """Three failed runs are an item for each session that waits; an answer takes them back."""
    tell(typed, "s1", "s2")
    broken = [True]

    def script(number: int, request: dict[str, Any]) -> Answer:
        return Answer(503, bytes(range(256))) if broken[0] else Answer()

    with modelled.serving(script, right=reply) as server:
        for _ in range(3):
            status, out, _ = typed("distill", "--close", server=server)
            assert status == 3
            assert out.count("HTTP 503") == 1
        assert "failed: HTTP 503" in out
        parked = json.loads(typed("status", "--json")[1])["parked"]
        assert {p["source"]: p["times"] for p in parked} == {
            "model s1 distill": 3,
            "model s2 distill": 3,
        }
        for lang, words in (("en", "(tried 3 times)"), ("zh", "（已尝试 3 次）")):
            assert typed("status", lang=lang)[1].count(words) == 2
        broken.clear()
        broken.append(False)
        assert typed("distill", "--close", server=server)[0] == 0
        assert json.loads(typed("status", "--json")[1])["parked"] == []


def test_every_prompt_may_be_edited(typed: Typed, tmp_path: Path) -> None:
    """What stands in the home's prompts about facts and summaries is asked, in each language."""
    english = " ".join(words for _, words in SAID[:2])
    assert typed("add", english, "--session", "s1", "--no-distill")[0] == 0
    chinese = "以后网关的超时一律设为三十秒，由小王负责，出了问题先找他，再看日志。"
    assert typed("add", chinese, "--session", "s2", "--no-distill")[0] == 0
    folder = tmp_path / "home" / "prompts"
    with modelled.serving(lambda *_: Answer(), right=reply) as server:
        typed("distill", "--close", "--dry-run", server=server)
        for name in ("facts.txt", "facts.zh.txt", "summary.txt", "summary.zh.txt"):
            path = folder / name
            path.write_text(path.read_text("utf-8") + f"\nMine: {name} 我的", "utf-8")
        status, _, _ = typed("distill", "--close", server=server)
        asked = [request["messages"][0]["content"] for request in server.requests]
    assert status == 0
    said = " ".join(asked)
    assert all(f"Mine: {name} 我的" in said for name in ("facts.txt", "facts.zh.txt"))
    assert all(f"Mine: {name} 我的" in said for name in ("summary.txt", "summary.zh.txt"))
    assert "{{" not in said
