"""How far the estimate of tokens is from what four vocabularies count.

    python benchmarks/tokens.py

Above 1 the estimate is cautious: a context that is cut by it fits with room to spare. Below 1 it
would not fit. Needs the extra `tokens`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

from alaya.model.tokens import estimate
from alaya.providers.vocabularies import counter

ROOT = Path(__file__).parent.parent
VOCABULARIES = ("o200k_base", "cl100k_base", "deepseek_v3", "qwen3")


def texts() -> Iterator[tuple[str, str]]:
    """Names and texts: what stands in a context, and what an estimate stumbles over."""
    chance = random.Random(7)

    def hexadecimal(digits: int) -> str:
        return f"{chance.getrandbits(digits * 4):0{digits}x}"

    yield "English prose (docs)", "\n".join(p.read_text() for p in sorted(ROOT.glob("docs/*n.md")))
    yield "Python", (ROOT / "src/alaya/memory.py").read_text()
    yield "Chinese help", (ROOT / "docs/cli.zh.md").read_text()
    for name in ("dev-a", "dev-c"):
        found = sorted((ROOT / "tests/data/labelled" / name).glob("*.json"))[:20]
        yield f"sessions, {name}", "\n".join(_said(path) for path in found)
    logs = sorted((ROOT / "examples/sessions").iterdir())
    yield "agent logs as JSON", "\n".join(path.read_text()[:20_000] for path in logs)
    yield (
        "citations",
        "\n".join(
            f"[card-{hexadecimal(20)}] [session {hexadecimal(8)}-{hexadecimal(4)}#{hexadecimal(8)}]"
            for _ in range(60)
        ),
    )
    yield (
        "log lines",
        "\n".join(
            f"2026-03-0{i % 9 + 1}T0{i % 9}:15:22.{i:03}Z ERR [0x{hexadecimal(8)}] port {8000 + i}"
            for i in range(60)
        ),
    )
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    yield "base64", "".join(chance.choices(letters, k=3_000))
    yield "emoji", "🎉😀🙁🔥👍🏽🇨🇳👨‍👩‍👧" * 40
    yield "Chinese, classical", "话说天下大势，分久必合，合久必分。周末七国分争，并入于秦。" * 20
    yield "Japanese", "メモリは会話の内容をそのまま保存し、あとで検索できるようにします。" * 20
    yield "Russian", "Память для агентов: хранит сказанное слово в слово. " * 20


def _said(path: Path) -> str:
    turns = json.loads(path.read_text())["session"]["turns"]
    return "\n".join(turn["content"] for turn in turns)


def main() -> None:
    """One line for each kind of text: estimated / counted."""
    count = {name: counter(name).count for name in VOCABULARIES}
    print(f"{'estimate / counted':24}", *(f"{name:>12}" for name in VOCABULARIES))
    for name, text in texts():
        guess = estimate(text)
        print(f"{name:24}", *(f"{guess / count[v](text):12.2f}" for v in VOCABULARIES))


if __name__ == "__main__":
    main()
