"""`alaya usage`: what calls to a model took, by day, stage and model."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from alaya.cli.main import main
from alaya.distill.calls import Asker
from alaya.errors import ProviderError
from alaya.model.call import Call, Price
from alaya.model.time import utc_now
from alaya.stores.files.archive import FileArchive
from alaya.testing.scripted_llm import ScriptedLLM

SCHEMA = {"type": "object", "properties": {"label": {"type": "string"}}, "required": ["label"]}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three days ago a topic at the second try; now one that nobody answered; and one of Bob's."""
    monkeypatch.setenv("ALAYA_EMBEDDING_PROVIDER", "none")
    archive = FileArchive(tmp_path)
    archive.create()
    ago = utc_now() - timedelta(days=3)

    def ask(user: str, at: datetime, *script: Any) -> None:
        asker = Asker(
            ScriptedLLM("deepseek/d1", topic=script),
            archive,
            user,
            lambda: at,
            lambda: 0.0,
            price=Price(1.0, 2.0),
            currency="CNY",
        )
        asker.ask(Call("topic", "主题？", f"{user} {at}", SCHEMA))

    ask("default", ago, "no", {"label": "网关"})
    ask("default", utc_now(), ProviderError("down"))
    ask("bob", utc_now(), {"label": "x"})
    return tmp_path


def said(home: Path, capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(["usage", "--home", str(home), *argv]) == 0
    return capsys.readouterr().out


def test_lines(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each day, stage and model, what went wrong by name, and the day's sum of all."""
    english = said(home, capsys)
    assert "topic, deepseek/d1: 2 calls, " in english
    assert " CNY" in english
    assert "1 asked again" in english
    assert "1 failed" in english
    assert "no limit" in english
    chinese = said(home, capsys, "--lang", "zh", "--set", "distill.max_tokens_per_day=5000")
    assert "topic，deepseek/d1：2 次调用" in chinese
    assert "1 次重新询问" in chinese
    assert "/ 5,000 token" in chinese


def test_document(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` has the numbers, of this user and since then; only the day's sum is of all."""
    everything = json.loads(said(home, capsys, "--json"))
    assert [(r["calls"], r["answered"], r["failed"]) for r in everything["rows"]] == [
        (2, 1, 0),
        (1, 0, 1),
    ]
    assert everything["rows"][0]["cost"] > 0
    late = json.loads(said(home, capsys, "--json", "--since", "1d"))
    assert [r["failed"] for r in late["rows"]] == [1]
    (bob,) = json.loads(said(home, capsys, "--json", "--user", "bob"))["rows"]
    assert everything["today"] == bob["tokens_in"] + bob["tokens_out"] > 0
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    assert bob["day"] <= today


def test_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where no model was asked it says so; a time that is none is a mistake."""
    assert "No calls to a model" in said(tmp_path, capsys)
    assert main(["usage", "--home", str(tmp_path), "--since", "neulich"]) == 1
    assert "neulich" in capsys.readouterr().err
