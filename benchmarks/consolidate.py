"""How long consolidation takes, and that it is incremental.

    python benchmarks/consolidate.py --cards 10000

Cards are real prose in Chinese and English with vectors as real ones (placed.py). Of every hundred
five say again what another says: two in the same words, one with more behind it, two in words that
only vectors know to be alike. First all are compared, then nothing new, then a hundred new ones.
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import placed
import prose

from alaya import Memory
from alaya.introspect.consolidate import consolidate_cards
from alaya.model.change import CardAdded
from alaya.model.graph import Card, CardKind
from alaya.model.ids import sha256
from alaya.model.scope import Scope
from alaya.projection import commit

START = datetime(2026, 1, 1, tzinfo=UTC)
_TOGETHER = 500


def main() -> None:
    """Build, consolidate three times, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=10_000)
    wanted = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="alaya-consolidate-"))
    try:
        with Memory.open(folder, settings={"embedding.background": False}) as memory:
            run(memory, wanted.cards)
    finally:
        shutil.rmtree(folder)


def run(memory: Memory, count: int) -> None:
    """Three consolidations of one memory."""
    rng, words = random.Random(1), prose.load()
    print(f"{count:,} cards of {'real' if words.real else 'invented'} prose")
    cards = _cards(count + 100, words, rng=rng)
    _tell(memory, cards[:count])
    for what, new in (("all", []), ("nothing new", []), ("100 new", cards[count:])):
        if new:
            _tell(memory, new)
        before = memory.parts.archive.head().seq
        began, used = time.perf_counter(), time.process_time()
        report = consolidate_cards(memory, dry_run=False, progress=None)
        took, used = time.perf_counter() - began, time.process_time() - used
        written = memory.parts.archive.head().seq - before
        counts = ", ".join(f"{name} {n:,}" for name, n in report.counts.items())
        print(f"{what:12} {took:7.1f} s, {used:.1f} s of CPU: {counts}, {written} records")


def _cards(count: int, words: prose.Prose, *, rng: random.Random) -> list[tuple[Card, np.ndarray]]:
    """Cards with a vector each; of a hundred five are like an earlier one."""
    chance = np.random.default_rng(1)
    vectors = placed.like(placed.cached(5_000), count, chance)
    made: list[tuple[Card, np.ndarray]] = []
    for number in range(count):
        title, content, vector = words.passage(rng, 1, 1)[:60], words.passage(rng, 1, 4), None
        again = number % 100 if number > 100 else 99
        if again < 5:
            other, near = made[rng.randrange(len(made))]
            title, content, vector = other.title, other.content, near
            if again == 2:
                content += " " + words.passage(rng, 1, 1)
            if again > 2:
                title, content = title[::-1], words.passage(rng, 1, 2)
                vector = near + chance.normal(0, 0.004, len(near)).astype(np.float32)
                vector /= np.linalg.norm(vector)
        said = START + timedelta(hours=number)
        made.append(
            (
                Card(
                    f"card-{number:06}", Scope(), title, content, CardKind.CONCEPT,
                    said, said, said,
                ),
                vectors[number] if vector is None else vector,
            )
        )  # fmt: skip
    return made


def _tell(memory: Memory, cards: list[tuple[Card, np.ndarray]]) -> None:
    parts = memory.parts
    for first in range(0, len(cards), _TOGETHER):
        some = cards[first : first + _TOGETHER]
        commit(
            parts.archive,
            parts.index,
            decide=lambda some=some: [CardAdded(card) for card, _ in some],
            actor="bench",
            verb="bench",
            clock=parts.clock,
        )
        parts.index.put(placed.MODEL, {sha256(card.text): [vector] for card, vector in some})


if __name__ == "__main__":
    main()
