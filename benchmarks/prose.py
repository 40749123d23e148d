"""Real prose for benchmarks: passages and questions in Chinese and English, endlessly and seeded.

Sentences come from the folder given by ALAYA_BENCH_DATA (CMRC 2018, HotpotQA, LoCoMo, REALTALK,
two novels); runs of neighbouring sentences from random places are the passages. Where the folder is
missing, sentences are drawn from an invented vocabulary with word frequencies as Zipf has them.
"""

from __future__ import annotations

import json
import os
import random
import re
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

DATA = Path(os.environ.get("ALAYA_BENCH_DATA", "/work/shared/data"))
_ENDS = re.compile(r"(?<=[。！？!?])|(?<=\.)\s+|\n+")
_SHORTEST = 6


@dataclass(frozen=True)
class Prose:
    """`chinese` and `english` are sentences in order; `questions` are asked about them."""

    chinese: tuple[str, ...]
    english: tuple[str, ...]
    questions: tuple[str, ...]
    real: bool

    def passage(self, rng: random.Random, fewest: int, most: int) -> str:
        """A run of sentences from anywhere, in one of the two languages."""
        dense = rng.random() < 0.5
        pool = self.chinese if dense else self.english
        start = rng.randrange(len(pool) - most)
        return ("" if dense else " ").join(pool[start : start + rng.randint(fewest, most)])


def load(folder: Path = DATA) -> Prose:
    """The real prose where it is, else invented."""
    if not folder.is_dir():
        return _invented()
    chinese, english, questions = [], [], []
    cmrc = _json(folder / "cmrc2018" / "squad-style-data_cmrc2018_dev.json")
    for article in cmrc["data"]:
        for paragraph in article["paragraphs"]:
            chinese += _sentences(paragraph["context"])
            questions += [qa["question"] for qa in paragraph["qas"][:1]]
    for novel in sorted((folder / "novels").glob("*.txt")):
        chinese += _sentences(novel.read_text(encoding="utf-8", errors="replace"))
    for sentences in _json(folder / "hipporag" / "hotpotqa_train_corpus.json").values():
        english += [s for sentence in sentences for s in _sentences(sentence)]
    questions += [q["question"] for q in _json(folder / "hipporag" / "hotpotqa_train.json")]
    for chat in (folder / "realtalk").glob("*.json"):
        english += _said(_json(chat), "clean_text", "text")
    for sample in _json(folder / "locomo" / "locomo10.json"):
        english += _said(sample["conversation"], "text")
    return Prose(tuple(chinese), tuple(english), tuple(questions), real=True)


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _sentences(text: str) -> list[str]:
    return [s.strip() for s in _ENDS.split(text) if s and len(s.strip()) >= _SHORTEST]


def _said(conversation: Any, *keys: str) -> list[str]:
    found = []
    for name, turns in conversation.items():
        if re.fullmatch(r"session_\d+", name) and isinstance(turns, list):
            for turn in turns:
                found += _sentences(next((str(turn[k]) for k in keys if turn.get(k)), ""))
    return found


def _invented() -> Prose:
    rng = random.Random(7)
    han = ["".join(chr(rng.randint(0x4E00, 0x7FA5)) for _ in range(2)) for _ in range(20_000)]
    latin = ["".join(rng.choices("abcdefghilmnoprstu", k=rng.randint(2, 9))) for _ in range(20_000)]
    weights = list(accumulate(1 / rank for rank in range(1, 20_001)))

    def sentences(words: list[str], joint: str, end: str, fewest: int, most: int) -> list[str]:
        return [
            joint.join(rng.choices(words, cum_weights=weights, k=rng.randint(fewest, most))) + end
            for _ in range(30_000)
        ]

    chinese, english = sentences(han, "", "。", 6, 20), sentences(latin, " ", ".", 6, 24)
    questions = [*sentences(han, "", "？", 2, 8)[:400], *sentences(latin, " ", "?", 3, 10)[:400]]
    return Prose(tuple(chinese), tuple(english), tuple(questions), real=False)
