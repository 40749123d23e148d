"""How much of the gold evidence of LoCoMo do cards cite, and do recalled cards?

    python benchmarks/evidence.py [--vectors] [--cards N ...]

The five conversations in `../shared/data/locomo` become one user each, their sessions become
messages (speaker A is `user`, B is `assistant`, both with their names), and everything goes through
the public API into a temporary home. Printed for each setting of `max_cards_per_session`:

- cited: gold evidence turns that any card cites;
- recalled: gold evidence turns that one of the ten cards recalled for their question cites;
- turns per card: how many turns a card cites, on average.

Without `--vectors` recall has words and graph only, which takes a minute instead of ten.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from alaya import Memory, Scope

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "locomo" / "locomo10.json"
_TURN = re.compile(r"D\d+:\d+")
_TOP = 10


@dataclass
class Counts:
    """Sums over conversations; each gold evidence turn counts once for each question."""

    gold: int = 0
    cited: int = 0
    recalled: int = 0
    cards: int = 0
    turns_cited: int = 0
    turns: int = 0
    seconds: float = 0.0


def session_documents(sample: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """The sessions of a conversation as Alaya session documents; message ids are LoCoMo's."""
    talk = sample["conversation"]
    for key, turns in talk.items():
        if not isinstance(turns, list):
            continue
        started = int(_time(talk[f"{key}_date_time"]).timestamp() * 1000)
        messages = [
            {
                "id": turn["dia_id"],
                "role": "user" if turn["speaker"] == talk["speaker_a"] else "assistant",
                "name": turn["speaker"],
                "content": turn["text"] + _photo(turn),
                "timestamp": started + 30_000 * i,
            }
            for i, turn in enumerate(turns)
        ]
        if messages:
            yield {"id": f"{sample['sample_id']}-{key}", "timestamp": started, "turns": messages}


def questions(sample: dict[str, Any]) -> Iterable[tuple[str, set[str]]]:
    """(question, gold evidence turns); questions without evidence in the talk are left out."""
    for qa in sample["qa"]:
        gold = {name for text in qa.get("evidence") or () for name in _TURN.findall(str(text))}
        if gold:
            yield str(qa["question"]), gold


def measure(samples: Sequence[dict[str, Any]], *, max_cards: int, vectors: bool) -> Counts:
    """Ingest, distil and recall all samples in a home of their own."""
    total = Counts()
    with tempfile.TemporaryDirectory(prefix="alaya-evidence-") as folder:
        for sample in samples:
            _measure(sample, Path(folder), max_cards=max_cards, vectors=vectors, total=total)
    return total


def _measure(
    sample: dict[str, Any], folder: Path, *, max_cards: int, vectors: bool, total: Counts
) -> None:
    source = folder / "sessions" / sample["sample_id"]
    source.mkdir(parents=True)
    for document in session_documents(sample):
        text = json.dumps(document, ensure_ascii=False)
        (source / f"{document['id']}.json").write_text(text, encoding="utf-8")
        total.turns += len(document["turns"])
    settings = {
        "distill.max_cards_per_session": max_cards,
        "distill.min_session_tokens": 0,
        "embedding.background": False,
        **({} if vectors else {"embedding.provider": "none"}),
    }
    scope = Scope(user=sample["sample_id"])
    with Memory.open(folder / "home", scope=scope, settings=settings) as memory:
        memory.ingest(source)
        began = time.perf_counter()
        report = memory.distill()
        total.seconds += time.perf_counter() - began
        if vectors:
            memory.embed()
        cited: set[str] = set()
        for card, _, _ in (c for s in report.sessions for c in s.cards):
            turns = {span.turn for span in memory.trace(card).card.evidence}
            cited |= turns
            total.cards += 1
            total.turns_cited += len(turns)
        for question, gold in questions(sample):
            answer = memory.recall(question, limit=_TOP)
            found = {span.turn for hit in answer.hits for span in hit.evidence}
            total.gold += len(gold)
            total.cited += len(gold & cited)
            total.recalled += len(gold & found)


def _photo(turn: dict[str, Any]) -> str:
    caption = turn.get("blip_caption")
    return f" [shares {caption}]" if caption else ""


def _time(text: str) -> datetime:
    return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)


def main(argv: Sequence[str] | None = None) -> None:
    """Print one line for each setting."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vectors", action="store_true", help="embed before recalling (slow)")
    parser.add_argument("--cards", type=int, nargs="*", default=[10, 30], metavar="N")
    parser.add_argument("--conversations", type=int, default=5)
    options = parser.parse_args(argv)
    if not DATA.is_file():
        print(f"skipped: {DATA} is not there")
        return
    samples = json.loads(DATA.read_text(encoding="utf-8"))[: options.conversations]
    for limit in options.cards:
        c = measure(samples, max_cards=limit, vectors=options.vectors)
        print(
            f"at most {limit} cards a session: {c.cards} cards from {c.turns} turns; "
            f"cited {c.cited / c.gold:.3f}, recalled in top {_TOP} {c.recalled / c.gold:.3f} "
            f"of {c.gold} gold evidence turns; "
            f"{c.turns_cited / max(c.cards, 1):.2f} turns per card; "
            f"distilled in {c.seconds:.1f} s"
        )


if __name__ == "__main__":
    main()
