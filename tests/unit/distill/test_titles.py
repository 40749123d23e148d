"""What a run of turns is called without a model, in both languages."""

from __future__ import annotations

import pytest

from alaya.distill.titles import title


@pytest.mark.parametrize(
    ("said", "weights", "called"),
    [
        (
            ["The error was caused by a stale lock in gateway.yaml."],
            {"lock": 3.0, "gateway.yaml": 2.0},
            "Lock in gateway.yaml",
        ),
        (["I signed up for a pottery class."], {"pottery": 2.0, "class": 1.0}, "Pottery class"),
        (["gateway.yaml lock is gone."], {"lock": 2.0, "gateway.yaml": 1.0}, "gateway.yaml lock"),
        (["[shares a photo of a red car] We have a red car."], {"red": 1.0, "car": 1.0}, "Red car"),
        (["网关启动失败：端口 8443 被代理拒绝。"], {"网关": 3.0, "端口": 1.0}, "网关启动失败"),
        (["我们去维也纳坐夜班火车了。"], {"维也纳": 2.0, "火车": 1.0}, "去维也纳坐夜班火车"),
        (["Yes. I do."], {"lock": 1.0}, ""),
        ([], {}, ""),
    ],
)
def test_title(said: list[str], weights: dict[str, float], called: str) -> None:
    """A phrase as it was said that holds the words that weigh; none where none does."""
    assert title(said, weights, dull=frozenset()) == called


def test_two() -> None:
    """A second phrase where it tells as much as the first; what was sent is nobody's phrase."""
    said = ["The night train leaves at ten.", "My nut allergy is bad.", "[a photo of a nut tree]"]
    weights = {"night": 2.0, "train": 2.0, "nut": 2.0, "allergy": 2.5}
    assert title(said, weights, dull=frozenset()) == "Nut allergy; night train"
