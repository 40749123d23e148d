"""Where do topics end, and do summaries lead to what is asked for?

    python benchmarks/segments.py [--threshold T ...] [--talks N]      borders
    python benchmarks/segments.py --recall [--talks N] [--vectors]     summaries of LoCoMo

Borders: pieces of one to four different sessions of a LoCoMo conversation (7 to 16 turns from the
middle of each, without their times) are put one behind the other, and so are one to four articles
of CMRC 2018, a sentence a turn. Printed are Pk (Beeferman et al. 1999) and WindowDiff (Pevzner and
Hearst 2002) with half the mean length as window, lower is better, borders found and true, and
borders found where there is one piece only. What is usual is taken from turns of other sessions.

Recall: the questions of LoCoMo with `include_summaries` and nothing else, in a home for each
conversation: how much of the gold evidence is in the turns that the first so many summaries cover,
and cite. Summaries are made by rules.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import statistics
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from evidence import DATA, Talk, locomo

from alaya import Memory, Scope
from alaya.distill.segments import Cut, centred, segments
from alaya.distill.topics import topics
from alaya.model.passage import ItemKind, Where
from alaya.model.raw import ArchivedTurn, Role, Turn
from alaya.ports import Embedder, Vector
from alaya.wiring import parts

_USUAL = 300
_STORES = 24  # put together from each conversation
_ARTICLES = 60


@dataclass(frozen=True)
class Joined:
    """Turns of several pieces, where each but the first begins, and what is usually said."""

    turns: tuple[ArchivedTurn, ...]
    borders: tuple[int, ...]
    usual: tuple[tuple[Role, str], ...]


def archived(said: Sequence[tuple[Role, str | None, str]]) -> tuple[ArchivedTurn, ...]:
    """Turns without times, from (role, name, words)."""
    return tuple(
        ArchivedTurn(Turn(f"t{i}", role, words, None, name), i, 0, i, 1)
        for i, (role, name, words) in enumerate(said)
    )


def joined(pieces: Sequence[Sequence[tuple[Role, str | None, str]]], usual: list) -> Joined:
    ends = np.cumsum([len(piece) for piece in pieces])
    every = [one for piece in pieces for one in piece]
    return Joined(archived(every), tuple(int(e) for e in ends[:-1]), tuple(usual[:_USUAL]))


def of_locomo(talks: Sequence[Talk]) -> list[Joined]:
    found = []
    for talk in talks:
        said = [
            [(Role(t["role"]), t["name"], t["content"]) for t in one["turns"]]
            for one in talk.sessions
        ]
        long = [one for one in said if len(one) >= 14]
        for seed in range(_STORES):
            chance = random.Random(f"{talk.name} {seed}")
            chosen = chance.sample(long, 1 + seed % 4)
            pieces = []
            for one in chosen:
                size = chance.randint(7, min(16, len(one) - 4))
                start = chance.randint(2, len(one) - size - 1)
                pieces.append(one[start : start + size])
            usual = [(r, f"{n}: {w}") for one in said if one not in chosen for r, n, w in one]
            found.append(joined(pieces, usual))
    return found


def of_cmrc() -> list[Joined]:
    path = DATA / "cmrc2018" / "squad-style-data_cmrc2018_dev.json"
    data = json.loads(path.read_text("utf-8"))["data"]
    random.Random(3).shuffle(data)
    articles = []
    for one in data[:110]:
        cut = [s for s in re.split(r"(?<=[。！？])", one["paragraphs"][0]["context"]) if len(s) > 8]
        if len(cut) >= 8:
            articles.append([(Role.USER, None, s) for s in cut[:14]])
    found = []
    for seed in range(_ARTICLES):
        chance = random.Random(seed)
        chosen = chance.sample(articles, 1 + seed % 4)
        others = [one for one in chance.sample(articles, 60) if one not in chosen]
        pieces = [one[: chance.randint(7, len(one))] for one in chosen]
        found.append(joined(pieces, [(role, words) for one in others for role, _, words in one]))
    return found


class Vectors:
    """Texts to vectors of length 1, from the cache where it has them."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, Vector] = {}

    def of(self, texts: Sequence[str]) -> list[Vector]:
        new = [t for t in dict.fromkeys(texts) if t not in self._known]
        for text, windows in zip(new, self._embedder.passages(new), strict=True):
            one = np.mean(np.asarray(windows), axis=0)
            self._known[text] = one / np.linalg.norm(one)
        return [self._known[t] for t in texts]

    def centred(self, one: Joined, *, less: bool = True) -> list[Vector | None]:
        said = [f"{t.turn.name}: {t.turn.content}" if t.turn.name else t.turn.content
                for t in one.turns]  # fmt: skip
        roles = [t.turn.role for t in one.turns]
        usual = {}
        for role in set(roles):
            vectors = self.of([words for r, words in one.usual if r is role])
            usual[role] = np.mean(vectors, axis=0) if less else np.zeros(len(vectors[0]))
        return centred(self.of(said), roles, usual=usual)


def wrong(count: int, true: Sequence[int], found: Sequence[int]) -> tuple[float, float]:
    """(Pk, WindowDiff)."""
    window = max(2, round(count / (len(true) + 1) / 2))
    places = range(count - window)

    def between(borders: Sequence[int], at: int) -> int:
        return sum(at < b <= at + window for b in borders)

    pairs = [(between(true, at), between(found, at)) for at in places]
    pk = sum((a > 0) != (b > 0) for a, b in pairs) / len(pairs)
    return pk, sum(a != b for a, b in pairs) / len(pairs)


def show(name: str, every: Sequence[Joined], find: Callable[[Joined], Sequence[int]]) -> None:
    scores, counts, false = [], [0, 0], []
    for one in every:
        found = find(one)
        if one.borders:
            scores.append(wrong(len(one.turns), one.borders, found))
            counts = [counts[0] + len(found), counts[1] + len(one.borders)]
        else:
            false.append(len(found))
    pk, differs = (statistics.mean(part) for part in zip(*scores, strict=True))
    print(
        f"{name:28} Pk {pk:.3f}  WindowDiff {differs:.3f}  borders {counts[0]} of {counts[1]}"
        f"  in one piece {statistics.mean(false):.2f}"
    )


def starts(runs: Sequence[object]) -> list[int]:
    return [run.first for run in runs[1:]]  # type: ignore[attr-defined]


def borders(talks: Sequence[Talk], thresholds: Sequence[float]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        embedder = parts(folder).embedder
    assert embedder is not None
    vectors = Vectors(embedder)
    for name, every in (("LoCoMo", of_locomo(talks)), ("CMRC", of_cmrc())):
        show(f"{name} none", every, lambda one: [])
        show(f"{name} TextTiling", every, lambda one: starts(topics(one.turns)))
        show(f"{name} words", every, lambda one: starts(segments(one.turns, cut=Cut(), over=True)))
        for level in thresholds:

            def by_vectors(one: Joined, level: float = level) -> list[int]:
                cut = Cut(threshold=level)
                return starts(segments(one.turns, cut=cut, vectors=vectors.centred(one), over=True))

            show(f"{name} vectors {level}", every, by_vectors)


def recall(talks: Sequence[Talk], *, vectors: bool) -> None:
    settings = {
        "distill.min_session_tokens": 0,
        "embedding.background": False,
        "recall.min_similarity": 0.0,
        **({} if vectors else {"embedding.provider": "none"}),
    }
    gold = covered = cited = asked = hits = 0
    sizes: list[int] = []
    levels: dict[str, int] = {}
    for talk in talks:
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder)
            files = []
            for one in talk.sessions:
                files.append(home / f"{one['id']}.json")
                files[-1].write_text(json.dumps(one), "utf-8")
            with Memory.open(home / "home", Scope(user="u"), settings=settings) as memory:
                memory.ingest(*files)
                if vectors:
                    memory.embed()
                report = memory.distill(close=True)
                assert report.summaries is not None
                for _, level, _ in report.summaries.made:
                    levels[level] = levels.get(level, 0) + 1
                if vectors:
                    memory.embed()
                told = _covering(memory, talk)
                sizes += [len(turns) for _, turns in told.values()]
                for question, turns in talk.questions:
                    answer = memory.recall(question, include_cards=False, include_summaries=True,
                                           limit=5)  # fmt: skip
                    found = [h for h in answer.hits if h.kind is ItemKind.SUMMARY]
                    asked, hits = asked + 1, hits + bool(found)
                    gold += len(turns)
                    over = {t for h in found if told[h.id][0] == "topic" for t in told[h.id][1]}
                    covered += len(turns & over)
                    cited += len(turns & {s.turn for h in found for s in h.evidence})
    print(f"summaries {levels}, turns a topic {statistics.mean(sizes):.1f}, asked {asked}, "
          f"answered {hits}; gold turns covered {covered / gold:.1%}, cited {cited / gold:.1%} "
          "by the first five")  # fmt: skip


def _covering(memory: Memory, talk: Talk) -> dict[str, tuple[str, list[str]]]:
    """The level of each summary, and of topics the turns that it covers."""
    order = {one["id"]: [turn["id"] for turn in one["turns"]] for one in talk.sessions}
    found = {}
    for one in memory.parts.index.summaries(Where(memory.scope)):
        level, turns = str(one.metadata["level"]), order.get(one.session, [])
        inside = (
            turns[turns.index(one.first_turn) : turns.index(one.last_turn) + 1] if turns else []
        )
        found[one.id] = (level, inside)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--threshold", type=float, nargs="+", default=[-0.05, 0, 0.05, 0.08, 0.1])
    parser.add_argument("--talks", type=int, default=5)
    parser.add_argument("--recall", action="store_true")
    parser.add_argument("--vectors", action="store_true")
    args = parser.parse_args()
    talks = locomo()[: args.talks]
    if args.recall:
        recall(talks, vectors=args.vectors)
    else:
        borders(talks, args.threshold)


if __name__ == "__main__":
    main()
