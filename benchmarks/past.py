"""How long undo, diff and rollback take over 25,000 cards and 100,000 links, and in what memory.

python benchmarks/past.py [CARDS]
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from alaya.memory import Memory
from alaya.model import change as ch
from alaya.model.graph import Card, CardKind, Link
from alaya.model.passage import Where
from alaya.model.scope import Scope
from alaya.projection import commit

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
ALICE = Scope("alice")
LINKS = 4  # of each card
AT_ONCE = 100  # cards in one record
WORDS = "gateway port plugin queue reaper 网关 配置 端口 冲突 部署 手册 记忆 时间".split()  # noqa: SIM905
T = TypeVar("T")


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder, opened(folder) as memory:
        timed("grow", lambda: grow(memory, count))
        last = memory.parts.index.position().seq
        middle = last // 2
        timed("undo the last record", memory.undo)
        timed("undo a record in the middle", lambda: memory.undo(seq=middle))
        timed("history of a card", lambda: memory.history("card-7"))
        timed("diff of the second half", lambda: memory.diff(middle))
        timed("rollback to the middle, dry", lambda: memory.rollback(middle, dry_run=True))
        timed("rollback to the middle", lambda: memory.rollback(middle))
        back = timed("rollback to the beginning", lambda: memory.rollback(0))
        timed("undo that: every card again", lambda: memory.undo(seq=back.seq))
        where = Where(ALICE, believed_at=memory.parts.index.moment(middle)[1])
        found = timed("cards as they were", lambda: list(memory.parts.index.find_cards(where)))
        print(f"{len(found):,} cards then; {memory.parts.index.size() / 1e6:.0f} MB of database")


def opened(folder: str) -> Memory:
    return Memory.open(
        Path(folder) / "home",
        ALICE,
        settings={"embedding.provider": "none", "embedding.background": False},
    )


def grow(memory: Memory, count: int) -> None:
    chance, parts = random.Random(7), memory.parts
    memory.init()
    for first in range(0, count, AT_ONCE):
        cards = [card(n, chance) for n in range(first, min(first + AT_ONCE, count))]
        links = [link(n, chance.randrange(n), chance) for n in range(first + 1, first + len(cards))]
        links += [
            link(c, chance.randrange(first + 1), chance)
            for c in range(first + 1, first + len(cards))
            for _ in range(LINKS - 1)
        ]
        changes = [*map(ch.CardAdded, cards), *map(ch.LinkAdded, links)]
        commit(
            parts.archive,
            parts.index,
            decide=lambda changes=changes: changes,  # type: ignore[misc]
            actor="alice",
            verb="distill",
            clock=lambda n=first: START + timedelta(minutes=n),  # type: ignore[misc]
        )


def card(number: int, chance: random.Random) -> Card:
    words = " ".join(chance.choices(WORDS, k=40))
    title = " ".join(chance.choices(WORDS, k=5))
    times = {"created_at": START, "said_at": START, "updated_at": START}
    return Card(f"card-{number}", ALICE, title, words, CardKind.CONCEPT, **times)


def link(source: int, target: int, chance: random.Random) -> Link:
    relation = chance.choice(["CAUSES", "DEPENDS_ON", "SIMILAR_TO"])
    at = START + timedelta(seconds=chance.randrange(10_000))
    return Link(ALICE, f"card-{source}", relation, f"card-{target}", at, reason="because")


def timed(what: str, do: Callable[[], T]) -> T:
    begun, busy = time.perf_counter(), time.process_time()
    found = do()
    took, cpu = time.perf_counter() - begun, time.process_time() - busy
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{what}: {took:.2f} s ({cpu:.2f} of this process), at most {peak:.0f} MB resident",
        flush=True,
    )
    return found


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 25_000)
