"""Every row of design.md section 5 that applies to the library and its command line.

    python benchmarks/speed.py [--home DIR] [--cards N] [--links N] [--turns N] [--quick]
                               [--only NAME ...]

The home is built once (see large_home.py) and kept in --home. Each figure is a median and a 95th
percentile over n; the noise line says how much a fixed piece of work varied meanwhile. `--quick`
takes a tenth of everything: a check that the benchmark runs, not a figure to quote.
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
from memory_use import peak_of_ingest, resident_of_recall

from alaya import Memory
from alaya.model.passage import Where
from alaya.model.scope import Scope

QUIET = {"embedding.background": False}


@dataclass(frozen=True)
class Row:
    """One measured line; `target` applies to `judged` (the p95, or the only value)."""

    what: str
    target: float
    unit: str
    values: Sequence[float]
    typical: bool = False  # the target is for the median, not for the p95
    cpu: Sequence[float] = ()  # what of it this process computed: the rest is waiting its turn

    def line(self) -> str:
        ordered = sorted(self.values)
        half, most = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)]
        judged = half if self.typical or len(ordered) == 1 else most
        verdict = "ok  " if judged < self.target else "OVER"
        spread = f"p50 {half:8.1f}  p95 {most:8.1f}" if len(ordered) > 1 else f"    {half:8.1f}"
        worked = sorted(self.cpu)
        share = f"  (CPU p50 {worked[len(worked) // 2]:.1f})" if worked else ""
        return (
            f"{verdict} {self.what:<58} {spread:<28} {self.unit:<3} n={len(ordered):<4} "
            f"target < {self.target:g} {self.unit}{' (p50)' if self.typical else ''}"
            f"{share}"
        )


@dataclass(frozen=True)
class Bench:
    """A home and what to ask of it."""

    home: Path
    questions: tuple[str, ...]
    count: int  # of repetitions

    def open(self, **settings: object) -> Memory:
        return Memory.open(self.home, settings={**QUIET, **settings})


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
    """In a running process: with the embedding of the question, then again without it."""
    asked = bench.questions[: bench.count]
    with bench.open() as memory:
        for _ in range(2):  # what a running process has done long ago: load the model, the matrix
            memory.recall("预热 warm up", include_sessions=True)
        wide = [partial(memory.recall, question, include_sessions=True) for question in asked]
        fresh, again = both(wide), both(wide)
        alone = both([partial(memory.recall, question) for question in asked])
    names = ("cards and turns, query embedding included", "cards and turns, without the embedding")
    yield Row(f"recall, {names[0]}", 100, "ms", fresh[0], cpu=fresh[1])
    yield Row(f"recall, {names[1]}", 40, "ms", again[0], cpu=again[1])
    yield Row("recall, cards alone, without the embedding", 15, "ms", alone[0], cpu=alone[1])


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
        500,
        "ms",
        [run("recall", q) for q in bench.questions[-number:]],
        typical=True,
    )
    yield Row("`alaya --help`", 100, "ms", [run("--help") for _ in range(number)], typical=True)


def appends(bench: Bench) -> Iterator[Row]:
    """One link between two cards, until it is fsynced, committed and projected."""
    rng = random.Random(time.time_ns())
    with bench.open(**{"embedding.provider": "none"}) as memory:
        cards = [c.id for c, _ in memory._parts.index.find_cards(Where(memory.scope), 2000)]
        pairs = [rng.sample(cards, 2) for _ in range(bench.count)]
        wall, cpu = both([partial(memory.link, *p, relation="BENCHMARKED") for p in pairs])
        yield Row("append of one change, committed (a link)", 15, "ms", wall, cpu=cpu)


def rebuilding(bench: Bench) -> Iterator[Row]:
    """In a copy of the home, without an embedder."""
    with tempfile.TemporaryDirectory(prefix="alaya-speed-") as folder:
        copy = Path(folder) / "home"
        shutil.copytree(bench.home, copy, ignore=shutil.ignore_patterns("alaya.db*", "*.i8"))
        with Memory.open(copy, settings={**QUIET, "embedding.provider": "none"}) as memory:
            took = timed(memory.rebuild) / 1000
            counts = memory.status().counts
    what = f"rebuild of {counts['cards']} cards, {counts['links']} links, {counts['turns']} turns"
    yield Row(what, 60, "s", [took])


def memories(bench: Bench) -> Iterator[Row]:
    """Resident memory, each in a process of its own."""
    yield Row(
        "resident memory of a process serving recall",
        600,
        "MB",
        [resident_of_recall(bench.home, bench.questions[:50])],
    )
    size = 300 if bench.count >= 100 else 30
    yield Row(f"resident memory of ingest, {size} MB session", 300, "MB", [peak_of_ingest(size)])


MEASURES: dict[str, Callable[[Bench], Iterator[Row]]] = {
    "recall": recalls,
    "process": processes,
    "append": appends,
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
    parser.add_argument("--links", type=int, default=100_000)
    parser.add_argument("--turns", type=int, default=100_000)
    parser.add_argument("--repeat", type=int, default=200, help="recalls and appends")
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    parser.add_argument("--only", nargs="*", choices=MEASURES, default=list(MEASURES))
    args = parser.parse_args()
    share = 10 if args.quick else 1
    cards, links, turns = args.cards // share, args.links // share, args.turns // share
    home = args.home or Path(tempfile.gettempdir()) / f"alaya-speed-{cards}-{links}-{turns}"
    words = prose.load()
    large_home.build(
        home,
        words,
        cards=cards,
        links=links,
        turns=turns,
        vectors=large_home.VECTORS // share,
        tell=lambda text: print(text, file=sys.stderr),
    )
    questions = list(words.questions)
    random.Random(6).shuffle(questions)
    bench = Bench(home, tuple(questions), args.repeat // share)
    with bench.open() as memory:
        counts = memory._parts.index.counts(Scope())
    size = ", ".join(f"{counts[name]} {name}" for name in ("cards", "links", "turns"))
    print(f"{size}; {'real' if words.real else 'invented'} prose; {os.cpu_count()} cores")
    print(f"noise before: p95 is {noise():.2f} x the median of a fixed piece of work")
    for name in args.only:
        for row in MEASURES[name](bench):
            print(row.line(), flush=True)
    print(f"noise after: {noise():.2f} x")
    return 0


if __name__ == "__main__":
    sys.exit(main())
