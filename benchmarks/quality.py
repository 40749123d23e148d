"""Retrieval quality without a model call: alaya beside BM25 on the tasks of `retrieval_bench.py`.

    python benchmarks/quality.py [--tasks NAME,...|all] [--sample N] [--ablate ARM,...|all]
                                 [--set KEY=VALUE ...] [--no-baselines] [--out FILE]

Every task goes through the public ingest and recall (`alaya.evals.retriever`) with one default
configuration; each row stands beside its target and beside BM25 of the same run: words as they are,
and stems (English) or character bigrams (Chinese). R@k is the share of the gold that is found,
any@k whether any of it is. Milliseconds are those of a whole search with the question's embedding.

`--ablate` runs alaya once more without each arm. `--sample` asks N questions a task, drawn once: a
quick look, not a figure to quote. Vectors come from the shared cache; what it lacks is embedded
first, 30 texts a second. Needs `pip install '.[bench]'`, and `../shared` beside the repository.
On a busy machine, TMPDIR=/dev/shm OPENBLAS_NUM_THREADS=1 halves the time that stores take.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import random
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from alaya import config
from alaya.evals.retriever import RetrieverFactory

SHARED = Path(__file__).resolve().parents[2] / "shared" / "bench"
ARMS = ("words", "dense", "neighbours", "session", "speaker", "dates", "graph", "feedback")
_SWITCH = "recall.arms"  # the arms that vote, by name, with commas between


@dataclass(frozen=True)
class Row:
    """A line of the issue's table: figures of one task, each with what it must reach."""

    task: str
    targets: Mapping[str, float]  # by metric, or `category metric`
    lang: str = "en"

    @property
    def baselines(self) -> tuple[str, str]:
        return ("bm25", "bm25-stem" if self.lang == "en" else "bm25-bigram")


ROWS = (
    Row("locomo-turn", {"R@10": 82, "N@10": 62}),
    Row("locomo-turn", {"multi-hop R@10": 48, "temporal R@10": 88}),
    Row("locomo-session", {"any@1": 78}),
    Row("realtalk-turn", {"R@10": 64}),
    Row("beam-100K", {"R@10": 54}),
    Row("musique-train100", {"R@5": 65}),
    Row("hotpotqa-train100", {"R@5": 92}),
    Row("memdaily-noise10", {"R@5": 85}, "zh"),
    Row("novel-hlm", {"R@10": 76}, "zh"),
    Row("novel-sgyy", {"R@10": 94}, "zh"),
)
TASKS = tuple(dict.fromkeys(row.task for row in ROWS))

Result = dict[str, Any]
Results = dict[str, dict[str, Result]]  # by task, then by retriever


def retrieval_bench() -> Any:
    """The benchmark itself, as a module. Raises ImportError where it, or what it needs, is not."""
    if str(SHARED) not in sys.path:
        sys.path.insert(0, str(SHARED))
    for name in ("bm25s", "jieba", "retrieval_bench"):
        if importlib.util.find_spec(name) is None:
            raise ImportError(f"{name} is not installed")
    return importlib.import_module("retrieval_bench")


def without(arm: str) -> dict[str, Any]:
    """The settings that switch an arm off."""
    known = config.keys()
    if _SWITCH in known:
        return {_SWITCH: ",".join(name for name in ARMS if name != arm)}
    if arm == "dense":
        return {"embedding.provider": "none"}
    raise SystemExit(f"there is no setting {_SWITCH} that could switch {arm} off; use --set")


def sampled(task: Any, number: int | None) -> Any:
    """The task with `number` of its questions, always the same ones, and the stores they need."""
    asked = [(g, q) for g, group in enumerate(task.groups) for q in range(len(group.queries))]
    if number is None or number >= len(asked):
        return task
    kept = set(random.Random(0).sample(asked, number))
    groups = [
        replace(group, queries=[q for n, q in enumerate(group.queries) if (g, n) in kept])
        for g, group in enumerate(task.groups)
    ]
    return replace(task, groups=[group for group in groups if group.queries])


def figure(result: Result, name: str) -> float:
    """A metric in percent, of all questions or, as `multi-hop R@10`, of one category.

    Not a number where a sample holds no question of the category.
    """
    category, _, metric = name.rpartition(" ")
    found = result["by_category"].get(category) if category else result["overall"]
    return 100 * float(found[metric]) if found else math.nan


def lines(row: Row, results: Mapping[str, Result]) -> Iterable[str]:
    """The row as text: a line for each of its figures."""
    for name, target in row.targets.items():
        ours = results.get("alaya")
        verdict = "" if ours is None else "hit" if figure(ours, name) >= target else "MISS"
        cells = [
            f"{figure(results[r], name):7.1f}" if r in results else " " * 7
            for r in (*row.baselines, "alaya")
        ]
        speed = ""
        if ours is not None:
            speed = f"{ours['query_ms_p50']:7.1f} {ours['query_ms_p95']:7.1f}"
        label = f"{row.task} {name}"
        yield f"{label:34s}" + " ".join(cells) + f" {target:7.1f}  {verdict:5s}{speed}"


def holds(row: Row, results: Mapping[str, Result]) -> bool:
    """Whether every figure of the row reaches its target."""
    ours = results.get("alaya")
    return ours is not None and all(figure(ours, n) >= t for n, t in row.targets.items())


def categories(task: str, results: Mapping[str, Result]) -> Iterable[str]:
    """R@10 of each category of a task, and of its baselines where they were run."""
    names = list(next(iter(results.values()))["by_category"])
    if len(names) < 2:
        return
    yield f"\n{task} by category, R@10 (R@5, N@10)"
    for name in names:
        cells = [
            f"{who} {figure(r, f'{name} R@10'):5.1f} ({figure(r, f'{name} R@5'):5.1f}, "
            f"{figure(r, f'{name} N@10'):5.1f})"
            for who, r in results.items()
        ]
        count = next(iter(results.values()))["by_category"][name]["n"]
        yield f"  {name:26s} n {count:4d}  " + "  ".join(cells)


def ablation(arm: str, results: Results) -> Iterable[str]:
    """What each row loses without an arm, in points."""
    yield f"\nwithout {arm}"
    for row in ROWS:
        found = results.get(row.task, {})
        if "alaya" not in found or f"without {arm}" not in found:
            continue
        cells = []
        for name in row.targets:
            now, less = figure(found["alaya"], name), figure(found[f"without {arm}"], name)
            cells.append(f"{name} {now:.1f} -> {less:.1f} ({less - now:+.1f})")
        yield f"  {row.task:20s} " + ", ".join(cells)


def measure(
    bench: Any, name: str, *, sample: int | None, retrievers: Mapping[str, Callable[..., Any]]
) -> dict[str, Result]:
    """Run one task with each retriever."""
    task = sampled(bench.TASKS[name](), sample)
    found = {}
    for label, factory in retrievers.items():
        print(f"… {name} {label}", file=sys.stderr, flush=True)
        found[label] = bench.evaluate(task, factory) | {"retriever": label}
        found[label].pop("stats", None)
    return found


def retrievers_of(
    bench: Any, options: argparse.Namespace, *, task: str
) -> dict[str, Callable[..., Any]]:
    """By label, in the order in which they are run."""
    made: dict[str, Callable[..., Any]] = {}
    lang = next((row.lang for row in ROWS if row.task == task), None)
    if not options.no_baselines:
        names = Row(task, {}, lang or bench.TASKS[task]().lang).baselines
        made |= {name: bench.get_retriever(name) for name in names}
    made["alaya"] = RetrieverFactory(options.set)
    for arm in options.ablate:
        made[f"without {arm}"] = RetrieverFactory({**options.set, **without(arm)})
    return made


def settings_of(texts: Iterable[str]) -> dict[str, Any]:
    """Settings typed as KEY=VALUE."""
    given = dict(text.partition("=")[::2] for text in texts)
    return {key: config.parse_value(key, text) for key, text in given.items()}


def heading() -> str:
    """What stands over the table."""
    return f"{'':34s}   bm25 stem/bi   alaya  target        p50 ms  p95 ms"


def table(task: str, results: Mapping[str, Result]) -> Iterable[str]:
    """The rows of one task; of a task that has no targets the usual metrics."""
    rows = [row for row in ROWS if row.task == task]
    for row in rows:
        yield from lines(row, results)
    for who, result in results.items() if not rows else ():
        metrics = ("R@5", "R@10", "N@10", "any@1", "MRR")
        yield f"{task} {who:14s} " + " ".join(f"{m} {figure(result, m):.1f}" for m in metrics)


def rest(results: Results, ablated: Sequence[str]) -> Iterable[str]:
    """What follows the table: the count, the categories, and what each arm is worth."""
    rows = [row for row in ROWS if row.task in results]
    yield f"{sum(holds(row, results[row.task]) for row in rows)} of {len(rows)} rows hold"
    for name, found in results.items():
        yield from categories(name, found)
    for arm in ablated:
        yield from ablation(arm, results)


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line, with lists split and settings read."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--tasks", default="all", help=f"of {', '.join(TASKS)}, or any of the bench"
    )
    parser.add_argument("--sample", type=int, metavar="N", help="questions for each task")
    parser.add_argument("--ablate", default="", metavar="ARM,...", help=f"of {', '.join(ARMS)}")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--no-baselines", action="store_true", help="alaya alone")
    parser.add_argument("--out", type=Path, metavar="FILE", help="all figures as JSON")
    options = parser.parse_args(argv)
    options.tasks = TASKS if options.tasks == "all" else tuple(options.tasks.split(","))
    arms = options.ablate.split(",") if options.ablate else []
    options.ablate = ARMS if arms == ["all"] else arms
    if strange := set(options.ablate) - set(ARMS):
        parser.error(f"no arm {', '.join(sorted(strange))}; arms are: {', '.join(ARMS)}")
    options.set = settings_of(options.set)
    return options


def main(argv: Sequence[str] | None = None) -> None:
    """Print the table; with --out, write every figure as JSON after each task."""
    options = arguments(argv)
    try:
        bench = retrieval_bench()
    except ImportError as error:
        print(f"skipped: {error} (the benchmark is read from {SHARED})")
        return
    if strange := set(options.tasks) - set(bench.TASKS):
        raise SystemExit(f"no task {', '.join(strange)}; tasks are: {', '.join(bench.TASKS)}")
    results: Results = {}
    print(heading(), flush=True)
    for name in options.tasks:
        made = retrievers_of(bench, options, task=name)
        results[name] = measure(bench, name, sample=options.sample, retrievers=made)
        if options.out:
            options.out.write_text(json.dumps(results, ensure_ascii=False, indent=1), "utf-8")
        print(*table(name, results[name]), sep="\n", flush=True)
    print(*rest(results, options.ablate), sep="\n")


if __name__ == "__main__":
    main()
