"""From the configuration to a model: prices, which one, and what is loaded for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from alaya.cli.language import translated
from alaya.config import load
from alaya.config_values import prices_of
from alaya.errors import ConfigError
from alaya.model.call import Price
from alaya.parts import How
from alaya.wiring import parts

QUIET = {"embedding.provider": "none"}


def test_prices() -> None:
    """Prices are read by model, whose name may hold anything but a semicolon."""
    assert prices_of(" gpt-4o 2.5 10; Qwen/Qwen3 8B 0 0.5 ;") == {
        "gpt-4o": (2.5, 10.0),
        "Qwen/Qwen3 8B": (0.0, 0.5),
    }
    assert prices_of("") == {}


@pytest.mark.parametrize("wrong", ["gpt-4o", "gpt-4o 1", "m 1 x", "m -1 2", "m nan 1", "m 1 inf"])
def test_wrong_prices(tmp_path: Path, wrong: str) -> None:
    """A price that is none is a ConfigError that shows how prices are written."""
    with pytest.raises(ConfigError, match=r"distill\.prices must be prices .*gpt-4o 2\.5 10"):
        load(tmp_path, settings={"distill.prices": wrong})


def test_no_model(tmp_path: Path) -> None:
    """Where none is configured there is nobody to ask."""
    assert parts(tmp_path, QUIET).asker("default") is None


def test_asker(tmp_path: Path) -> None:
    """What is configured arrives where it is used; the price is that of the model."""
    wanted = {
        **QUIET,
        "distill.llm_provider": "siliconflow",
        "distill.model": "Qwen/Qwen3-8B",
        "distill.prices": "gpt-4o 2.5 10; Qwen/Qwen3-8B 1 2",
        "distill.currency": "CNY",
        "distill.max_tokens_per_day": 1000,
        "distill.max_reply_tokens": 99,
    }
    asker = parts(tmp_path, wanted).asker("bob")
    assert asker is not None
    assert asker.llm.name == "siliconflow/Qwen/Qwen3-8B"
    assert (asker.user, asker.price, asker.currency) == ("bob", Price(1.0, 2.0), "CNY")
    assert (asker.max_tokens, asker.max_tokens_per_day) == (99, 1000)


def test_a_model_must_be_named(tmp_path: Path) -> None:
    """A provider without a model that everybody has asks for its name, in Chinese, too."""
    with pytest.raises(ConfigError, match=r"distill\.model") as caught:
        parts(tmp_path, {**QUIET, "distill.llm_provider": "ollama"}).asker("default")
    assert "请指定模型" in translated(str(caught.value), "zh")


def test_the_client_is_loaded_late(tmp_path: Path) -> None:
    """Neither opening a memory nor making an asker loads the client or what reads replies."""
    code = (
        "import sys\n"
        "from alaya.wiring import parts\n"
        "wanted = {'embedding.provider': 'none', 'distill.llm_provider': 'deepseek'}\n"
        f"assert parts({str(tmp_path)!r}, wanted).asker('default')\n"
        "print([m for m in ('openai', 'fastjsonschema', 'json_repair') if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_who_is_meant_is_told_by_an_embedder_at_hand(tmp_path: Path) -> None:
    """A local one is asked before the model; not one behind a network, and none by rules."""
    model = {"distill.llm_provider": "ollama", "distill.model": "m"}
    local = {**model, "embedding.provider": "hashing"}
    similar = parts(tmp_path, local).distilling("default", How()).similar
    assert similar is not None
    assert similar("Alex 在学校教书", "Alex 在学校教书") > similar(
        "Alex 在学校教书", "a red bicycle"
    )
    remote = {**model, "embedding.provider": "ollama", "embedding.model": "bge-m3"}
    for wanted, how in ((remote, How()), (local, How(rules=True)), ({**model, **QUIET}, How())):
        assert parts(tmp_path, wanted).distilling("default", how).similar is None


def test_a_price_goes_by_the_model_wherever_it_runs(tmp_path: Path) -> None:
    """The name holds no address: prices, usage and kept replies outlast a port."""
    wanted = {**QUIET, "distill.llm_provider": "vllm", "distill.model": "BAAI/m"}
    for port, prices in ((1, "BAAI/m 1 2"), (2, "vllm/BAAI/m 1 2")):
        more = {"distill.base_url": f"http://127.0.0.1:{port}/v1", "distill.prices": prices}
        asker = parts(tmp_path, {**wanted, **more}).asker("default")
        assert asker is not None
        assert (asker.llm.name, asker.price) == ("vllm/BAAI/m", Price(1.0, 2.0))
