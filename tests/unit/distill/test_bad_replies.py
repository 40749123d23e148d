"""Whatever a model or its server sends: cards, another try, or parked with a reason."""

from __future__ import annotations

import importlib.util
import sys
import time
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from alaya.distill.calls import Asker
from alaya.errors import ConfigError
from alaya.model.call import Answered, Call, Outcome, Problem, Unanswered
from alaya.model.time import utc_now
from alaya.providers.openai_chat import OpenAIChat
from alaya.providers.openai_chat_presets import chat_endpoint
from alaya.stores.files.archive import FileArchive
from alaya.testing.http_server import Answer, Script, Server, completion, says, serving

TRIES = 3


def _load(name: str) -> ModuleType:
    """A module that stands beside this one; tests are no package."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


bad = _load("bad_replies")
CASES = {case.name: case for case in bad.CASES}


def call() -> Call:
    return Call("distill", "提炼知识卡片。", "[1] 用户：你好", bad.SCHEMA, ("s1",), language="zh")


def asked(
    home: Path, script: Script, *, timeout: float = 60.0
) -> tuple[Answered | Unanswered | ConfigError, FileArchive, Server]:
    """What becomes of one call to a server that follows the script."""
    archive = FileArchive(home)
    archive.create()
    with serving(script, right=lambda _: completion(bad.TEXT)) as server:
        endpoint = chat_endpoint(
            "openai",
            model="m",
            base_url=server.url,
            api_key_env="THE_KEY",
            limits=(1, TRIES, timeout),
        )
        llm = OpenAIChat(endpoint, environ={"THE_KEY": "sk-secret"}, pause=lambda _: None)
        asker = Asker(llm, archive, "default", utc_now, time.perf_counter, max_tokens=600)
        try:
            found: Any = asker.ask(call())
        except ConfigError as error:
            found = error
        finally:
            llm.close()
    return found, archive, server


def patience(answer: Answer) -> float:
    return 0.4 if answer.silent or answer.drip else 60.0


def outcomes(archive: FileArchive) -> Counter[Outcome]:
    return Counter(usage.outcome for usage in archive.usages())


def test_corpus() -> None:
    """There are many kinds, no two of one name."""
    assert len(CASES) == len(bad.CASES) >= 100


@pytest.mark.parametrize("name", CASES)
def test_then_good(tmp_path: Path, name: str) -> None:
    """A bad answer, and then a right one: cards at once, after another try, or why not."""
    case = CASES[name]
    found, archive, server = asked(
        tmp_path,
        lambda number, _: case.answer if number == 1 else Answer(),
        timeout=patience(case.answer),
    )
    count = outcomes(archive)
    if case.then_good == bad.MISTAKE:
        assert isinstance(found, ConfigError)
        assert case.words in str(found)
        assert len(server.requests) == 1
        assert count == {Outcome.FAILED: 1}
        return
    if case.then_good in (bad.PARKED, bad.NO_ANSWER):
        assert isinstance(found, Unanswered)
        return
    assert isinstance(found, Answered)
    again = case.then_good == bad.AGAIN
    assert count == ({Outcome.ANSWERED: 1, Outcome.REJECTED: 1} if again else {Outcome.ANSWERED: 1})
    assert len(found.value["cards"]) == (case.cards if case.then_good == bad.ANSWERED else 2)
    assert found.usage[-1].tries == (2 if case.then_good == bad.RETRIED else 1)
    assert len(server.requests) <= 2
    assert list(archive.parked()) == []
    if again:
        shown = server.requests[1]["messages"]
        assert [message["role"] for message in shown] == ["system", "user", "assistant", "user"]


@pytest.mark.parametrize("name", CASES)
def test_always(tmp_path: Path, name: str) -> None:
    """Nothing but bad answers: what can be used is used, the rest is parked with its reason."""
    case = CASES[name]
    found, archive, server = asked(tmp_path, lambda *_: case.answer, timeout=patience(case.answer))
    count = outcomes(archive)
    parked = list(archive.parked())
    assert Outcome.ASKED not in count
    if case.always == bad.MISTAKE:
        assert isinstance(found, ConfigError)
        assert "sk-secret" not in str(found)
        return
    if case.always == bad.ANSWERED:
        assert isinstance(found, Answered)
        assert count[Outcome.ANSWERED] == 1
        assert len(found.value["cards"]) == case.cards
        assert case.mended in found.mended if case.mended else True
        assert bool(parked) == bool(found.lost) == (case.cards == 1 and case.then_good == bad.AGAIN)
        return
    assert isinstance(found, Unanswered)
    (item,) = parked
    assert case.words in item.reason
    assert found.parked
    if case.always == bad.NO_ANSWER:
        assert found.problem is Problem.NO_ANSWER
        assert found.stop
        assert count == {Outcome.FAILED: 1}
        assert len(server.requests) == (1 if "come back" in item.reason else TRIES)
        return
    assert not found.stop
    once = case.then_good != bad.AGAIN
    assert count == ({Outcome.PARKED: 1} if once else {Outcome.PARKED: 1, Outcome.REJECTED: 1})


@pytest.mark.parametrize("cut", range(1, len(bad.TEXT), 9))
@pytest.mark.parametrize("finish", ["length", "stop"])
def test_truncated(tmp_path: Path, cut: int, finish: str) -> None:
    """Wherever a reply is cut off, no half card comes of it, and a missing one is told."""
    text = bad.TEXT[:cut]
    found, archive, _ = asked(tmp_path, lambda *_: says(text, finish=finish))
    parked = list(archive.parked())
    if isinstance(found, Answered):
        cards = found.value["cards"]
        assert cards in ([bad.ONE], [bad.ONE, bad.TWO])
        whole = found.value == bad.GOOD
        assert whole or (found.lost and parked)
    else:
        assert isinstance(found, Unanswered)
        assert found.parked
        assert len(parked) == 1
        assert text in parked[0].excerpt
    assert outcomes(archive)[Outcome.REJECTED] == 1
