"""Every row of design.md section 5 that applies to the library and its command line.

    python benchmarks/speed.py [--cards 25000|250000] [--width 384|1024] [--links N] [--turns N]
                               [--home DIR] [--quick] [--only NAME ...]

The home is built once (see large_home.py) and kept in --home; 250,000 cards take half an hour. Each
figure is a median and a 95th percentile over n; the noise line says how much a fixed piece of work
varied meanwhile. In 1024 dimensions the vectors are those of the local model, turned: what a recall
costs is shown, not what another model costs. `--quick` takes a tenth of everything: a check that
the benchmark runs, not a figure to quote.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import large_home
import prose
from handshake import handshake
from memory_use import peak_of_ingest, resident_of_recall

from alaya import Memory
from alaya.model.passage import ItemKind, Where
from alaya.model.scope import Scope


@dataclass(frozen=True)
class Row:
    """One measured line; `target` applies to `judged` (the p95, or the only value)."""

    what: str
    target: float | None  # None: nothing was promised
    unit: str
    values: Sequence[float]
    typical: bool = False  # the target is for the median, not for the p95
    cpu: Sequence[float] = ()  # what of it this process computed: the rest is waiting its turn

    def line(self) -> str:
        ordered = sorted(self.values)
        half, most = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)]
        judged = half if self.typical or len(ordered) == 1 else most
        if self.target is None:
            verdict, target = "    ", "no target"
        else:
            verdict = "ok  " if judged < self.target else "OVER"
            target = f"target < {self.target:g} {self.unit}{' (p50)' if self.typical else ''}"
        spread = f"p50 {half:8.1f}  p95 {most:8.1f}" if len(ordered) > 1 else f"    {half:8.1f}"
        worked = sorted(self.cpu)
        share = ""
        if worked:
            share = f"  (CPU {worked[len(worked) // 2]:.1f}, {worked[int(len(worked) * 0.95)]:.1f})"
        return (
            f"{verdict} {self.what:<58} {spread:<28} {self.unit:<3} n={len(ordered):<4} "
            f"{target}{share}"
        )


@dataclass(frozen=True)
class Bench:
    """A home and what to ask of it."""

    home: Path
    questions: tuple[str, ...]
    count: int  # of repetitions
    width: int = 384
    large: bool = False  # more cards than the targets of design.md are for

    def open(self, **settings: object) -> Memory:
        return large_home.opened(self.home, self.width, settings=settings)

    def target(self, small: float, large: float | None = None) -> float | None:
        """What was promised for 25,000 cards, or for 250,000."""
        return large if self.large else small


_NAMES = (
    "cards and turns, query embedding included",
    "cards and turns, without the embedding",
    "cards alone, without the embedding",
)


def timed(act: Callable[[], object]) -> float:
    """Milliseconds."""
    start = time.perf_counter()
    act()
    return (time.perf_counter() - start) * 1000


def both(acts: Sequence[Callable[[], object]]) -> tuple[list[float], list[float]]:
    """Milliseconds by the clock and of this process, for each."""
    wall, cpu = [], []
    for act in acts:
        start = time.process_time()
        wall.append(timed(act))
        cpu.append((time.process_time() - start) * 1000)
    return wall, cpu


def recalls(bench: Bench) -> Iterator[Row]:
    """In a running process, each time other questions: with their embedding, then without it."""
    count = bench.count
    fresh, known, alone = (bench.questions[count * n : count * (n + 1)] for n in range(3))
    with bench.open() as memory:
        embedder = memory.parts.embedder
        assert embedder is not None
        for number in range(8):  # what a running process has done long ago: load, list, settle
            memory.recall(f"预热 warm up {number}", include_sessions=True)
        asked = both([partial(memory.recall, q, include_sessions=True) for q in fresh])
        yield Row(f"recall, {_NAMES[0]}", bench.target(100), "ms", asked[0], cpu=asked[1])
        for question in known:
            embedder.query(question)  # the last 256 are kept
        asked = both([partial(memory.recall, q, include_sessions=True) for q in known])
        yield Row(f"recall, {_NAMES[1]}", bench.target(40, 60), "ms", asked[0], cpu=asked[1])
        for question in alone:
            embedder.query(question)
        asked = both([partial(memory.recall, question) for question in alone])
        yield Row(f"recall, {_NAMES[2]}", bench.target(15, 60), "ms", asked[0], cpu=asked[1])


def while_embedding(bench: Bench) -> Iterator[Row]:
    """As the recalls without the embedding, but each after the background worker stored a batch."""
    asked = bench.questions[: min(40, bench.count)]
    with bench.open() as memory:
        index, embedder = memory.parts.index, memory.parts.embedder
        assert embedder is not None
        vectors = [embedder.query(question) for question in asked]
        large_home.add_cards(memory.parts, len(asked))  # something that has no vector yet
        memory.recall(asked[0], include_sessions=True)
        wall: list[float] = []
        stored: list[float] = []
        for question, vector in zip(asked, vectors, strict=True):
            if waiting := index.pending(embedder.name, 1):
                made = {waiting[0].text_hash: [vector]}
                stored.append(timed(partial(index.put, embedder.name, made)))
                wall.append(timed(partial(memory.recall, question, include_sessions=True)))
    yield Row("insert of one vector, committed", None, "ms", stored)
    yield Row("recall after an insert, without the embedding", bench.target(40, 60), "ms", wall)


def processes(bench: Bench) -> Iterator[Row]:
    """`alaya` as a whole process."""
    environment = {
        **{k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"},
        "ALAYA_HOME": str(bench.home),
        "ALAYA_EMBEDDING_BACKGROUND": "false",
    }

    def run(*arguments: str) -> float:
        command = [str(Path(sys.executable).with_name("alaya")), *arguments]
        return timed(
            lambda: subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
        )

    number = max(5, bench.count // 10)
    run("recall", "预热")
    yield Row(
        "`alaya recall` as a whole process",
        bench.target(500),
        "ms",
        [run("recall", q) for q in bench.questions[-number:]],
        typical=True,
    )
    yield Row(
        "`alaya mcp` answers `initialize`",
        1000,
        "ms",
        [handshake(environment) for _ in range(5)],
        typical=True,
    )
    yield Row("`alaya --help`", 100, "ms", [run("--help") for _ in range(number)], typical=True)


def appends(bench: Bench) -> Iterator[Row]:
    """One link between two cards, until it is fsynced, committed and projected."""
    rng = random.Random(time.time_ns())
    with bench.open(**{"embedding.provider": "none"}) as memory:
        cards = [c.id for c, _ in memory.parts.index.find_cards(Where(memory.scope), 2000)]
        pairs = [rng.sample(cards, 2) for _ in range(bench.count)]
        wall, cpu = both([partial(memory.link, *p, relation="BENCHMARKED") for p in pairs])
        yield Row("append of one change, committed (a link)", 15, "ms", wall, cpu=cpu)


def rebuilding(bench: Bench) -> Iterator[Row]:
    """In a copy of the home, without an embedder."""
    with tempfile.TemporaryDirectory(prefix="alaya-speed-") as folder:
        copy = Path(folder) / "home"
        shutil.copytree(bench.home, copy, ignore=shutil.ignore_patterns("alaya.db*", "*.i8"))
        with Memory.open(
            copy, settings={**large_home.QUIET, "embedding.provider": "none"}
        ) as memory:
            took = timed(memory.rebuild) / 1000
            counts = memory.status().counts
    what = f"rebuild of {counts['cards']} cards, {counts['links']} links, {counts['turns']} turns"
    yield Row(what, bench.target(60), "s", [took])


def building(bench: Bench) -> Iterator[Row]:
    """The vector index from its vectors, and all words from all texts, in a copy."""
    with tempfile.TemporaryDirectory(prefix="alaya-speed-") as folder:
        copy = Path(folder) / "home"
        shutil.copytree(bench.home, copy, ignore=shutil.ignore_patterns("*.i8", "recalls"))
        with large_home.opened(copy, bench.width) as memory:
            index, embedder = memory.parts.index, memory.parts.embedder
            assert embedder is not None
            vector = embedder.query(bench.questions[0])
            asked = partial(
                index.nearest, embedder.name, vector, kind=ItemKind.CARD, where=Where(), limit=20
            )
            took = timed(asked) / 1000
            words = timed(index.reset_l1) / 1000
            size = f"{index.size() / 1e6:.0f} MB"
    yield Row(f"vector index grown anew, {bench.width} dimensions", None, "s", [took])
    yield Row(f"words indexed anew (database: {size})", None, "s", [words])


def memories(bench: Bench) -> Iterator[Row]:
    """Resident memory, each in a process of its own."""
    yield Row(
        "resident memory of a process serving recall",
        bench.target(600),
        "MB",
        [resident_of_recall(bench.home, bench.questions[:50], width=bench.width)],
    )
    if bench.large or bench.width != 384:
        return
    size = 300 if bench.count >= 100 else 30
    yield Row(f"resident memory of ingest, {size} MB session", 300, "MB", [peak_of_ingest(size)])


MEASURES: dict[str, Callable[[Bench], Iterator[Row]]] = {
    "recall": recalls,
    "insert": while_embedding,
    "process": processes,
    "append": appends,
    "build": building,
    "rebuild": rebuilding,
    "memory": memories,
}


def noise() -> float:
    """How much a fixed piece of work varies now: p95 over median."""
    took = sorted(timed(lambda: sum(i * i for i in range(100_000))) for _ in range(40))
    return took[37] / took[20]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--home", type=Path)
    parser.add_argument("--cards", type=int, default=25_000)
    parser.add_argument("--width", type=int, choices=(384, 1024), default=384)
    parser.add_argument("--links", type=int, help="four a card, unless said")
    parser.add_argument("--turns", type=int, default=100_000)
    parser.add_argument("--repeat", type=int, default=200, help="recalls and appends")
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    parser.add_argument("--only", nargs="*", choices=MEASURES)
    args = parser.parse_args()
    share = 10 if args.quick else 1
    cards, turns = args.cards // share, args.turns // share
    links = (4 * args.cards if args.links is None else args.links) // share
    home = args.home or Path(tempfile.gettempdir()) / f"alaya-speed-{cards}-{links}-{turns}"
    words = prose.load()
    large_home.build(
        home,
        words,
        cards=cards,
        links=links,
        turns=turns,
        vectors=large_home.VECTORS // share,
        width=args.width,
        tell=lambda text: print(text, file=sys.stderr),
    )
    questions = [question.strip() for question in words.questions]
    random.Random(6).shuffle(questions)
    bench = Bench(
        home,
        tuple(questions),
        args.repeat // share,
        width=args.width,
        large=args.cards > 25_000,
    )
    with bench.open() as memory:
        counts = memory.parts.index.counts(Scope())
    size = ", ".join(f"{counts[name]} {name}" for name in ("cards", "links", "turns"))
    print(
        f"{size}, {args.width} dimensions; {'real' if words.real else 'invented'} prose; "
        f"{os.cpu_count()} cores"
    )
    print(f"noise before: p95 is {noise():.2f} x the median of a fixed piece of work")
    # The command line has the local model only.
    rest = ("process", "append", "rebuild") if args.width == 384 else ()
    for name in args.only or ["recall", "insert", "build", "memory", *rest]:
        for row in MEASURES[name](bench):
            print(row.line(), flush=True)
    print(f"noise after: {noise():.2f} x")
    return 0


if __name__ == "__main__":
    sys.exit(main())
