"""What it saves to rank words by their rarer terms, and whether an answer is lost by it.

    python benchmarks/pruning.py [--rows 125000 350000] [--questions N] [--folder DIR]

Rows are turns of one to four neighbouring sentences of real prose, half Chinese, half English.
Known-item questions are made from one sentence of a row: `mixed` is its two rarest words with three
of its common ones (in Chinese a stretch of ten characters around its rarest pair), `common` has
only words that stand in more than 2 % of the rows (in Chinese its three most frequent pairs),
`whole` is all of it. A row that holds the sentence is right.

Each question is asked with all its terms, with those in at most 2 % of the rows (the three rarest
where there are none), and as alaya does, by the rarest terms until 4,000 rows hold them: how long
the words arm takes, whether a right row is among the hundred that it proposes, and how the whole
ranking without vectors then places it. What was built is kept in --folder.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partialmethod
from pathlib import Path
from typing import Any

import numpy as np
import prose

from alaya.model.change import SessionGrew
from alaya.model.passage import ItemKind, Where
from alaya.model.raw import ArchivedTurn, Role, Session, Turn
from alaya.model.record import Position
from alaya.model.scope import Scope
from alaya.model.topical import topical_terms
from alaya.recall import arms
from alaya.stores.sqlite import words
from alaya.stores.sqlite.index import SqliteIndex
from alaya.testing.invented import START
from alaya.wiring import _stemmer

_EACH = 500  # turns in a session
_TOP, _LOOKED = 10, 100  # what a user sees, and what a recall takes from this arm
_COMMON = 0.02  # of the rows
KINDS = ("mixed", "common", "whole")


@dataclass(frozen=True)
class Row:
    """Which sentences a row holds."""

    chinese: bool
    start: int
    count: int


@dataclass(frozen=True)
class Question:
    text: str
    kind: str
    chinese: bool
    right: frozenset[str]


def rows_of(pool: prose.Prose, count: int) -> list[Row]:
    """The rows of an index of that size: always the same."""
    rng = random.Random(2026)
    found = []
    for _ in range(count):
        chinese = rng.random() < 0.5
        size = len(pool.chinese if chinese else pool.english)
        found.append(Row(chinese, rng.randrange(size - 4), rng.randint(1, 4)))
    return found


def text_of(pool: prose.Prose, row: Row) -> str:
    sentences = pool.chinese if row.chinese else pool.english
    return ("" if row.chinese else " ").join(sentences[row.start : row.start + row.count])


def build(index: SqliteIndex, pool: prose.Prose, rows: Sequence[Row]) -> None:
    """Sessions of turns, straight into the index."""
    scope = Scope("alice")
    for number, first in enumerate(range(0, len(rows), _EACH)):
        turns = tuple(
            ArchivedTurn(Turn(str(first + i), Role.USER, text_of(pool, row)), i, 0, 10 * i, 10)
            for i, row in enumerate(rows[first : first + _EACH])
        )
        session = Session(f"s{number}", scope, START)
        grew = SessionGrew(session, 0, 0, len(turns), 0, 10 * len(turns), "", 0, turns)
        place = Position(number + 1, f"{number:064}", "2026-03.jsonl", number + 1)
        assert index.apply(place, [grew], at=START)
        if number % 50 == 0:
            print(f"building: {first} of {len(rows)} rows", file=sys.stderr, flush=True)


def questions(
    index: SqliteIndex, pool: prose.Prose, rows: Sequence[Row], count: int
) -> Iterator[Question]:
    """`count` known items, each asked for in three ways (fewer where it has no common words)."""
    rng = random.Random(7)
    holding: dict[tuple[bool, int], list[str]] = {}
    for number, row in enumerate(rows):
        name = f"s{number // _EACH}#{number}"
        for sentence in range(row.start, row.start + row.count):
            holding.setdefault((row.chinese, sentence), []).append(name)

    def often(terms: Sequence[str]) -> Mapping[str, float]:
        total, found = index.frequencies(terms, ItemKind.TURN)
        return {term: found.get(term, 0) / total for term in terms}

    for number in range(count):
        row = rng.choice(rows)
        chinese = number % 2 == 0
        while row.chinese != chinese or len(text_of(pool, row)) < 20:
            row = rng.choice(rows)
        place = rng.randrange(row.start, row.start + row.count)
        sentence = (pool.chinese if chinese else pool.english)[place][:300]
        right = frozenset(holding[chinese, place])
        asked = (_asked_chinese if chinese else _asked_english)(sentence, often)
        for kind, text in zip(KINDS, (*asked, sentence), strict=True):
            if text:
                yield Question(text, kind, chinese, right)


def _asked_english(
    sentence: str, often: Callable[[Sequence[str]], Mapping[str, float]]
) -> tuple[str, str]:
    tokens = list(dict.fromkeys("".join(c if c.isalnum() else " " for c in sentence).split()))
    share = often([token.casefold() for token in tokens])
    ordered = sorted(tokens, key=lambda token: share[token.casefold()])
    common = [t for t in ordered if share[t.casefold()] > _COMMON]
    chosen = {*ordered[:2], *common[:3]}
    mixed = " ".join(token for token in tokens if token in chosen)
    return mixed, " ".join(common[:5]) if len(common) >= 3 else ""


def _asked_chinese(
    sentence: str, often: Callable[[Sequence[str]], Mapping[str, float]]
) -> tuple[str, str]:
    pairs = [sentence[i : i + 2] for i in range(len(sentence) - 1)]
    han = [i for i, pair in enumerate(pairs) if pair.isalnum() and not pair.isascii()]
    if not han:
        return "", ""
    share = often(pairs)
    rarest = min(han, key=lambda i: share[pairs[i]])
    start = max(0, rarest - 4)
    common = sorted(han, key=lambda i: -share[pairs[i]])[:3]
    often_said = [pairs[i] for i in sorted(common) if share[pairs[i]] > _COMMON / 4]
    return sentence[start : start + 10], " ".join(often_said) if len(often_said) == 3 else ""


def found_by(index: SqliteIndex, text: str) -> list[str]:
    """The turns that a recall without vectors finds, best first."""
    asking = arms.Asking(index, _stemmer(), None, Where(Scope("alice")))
    question = arms.ask(asking, [text], vectors=[None], kind=ItemKind.TURN)
    return [candidate.id for candidate in arms.find(question, limit=_TOP).candidates[:_TOP]]


def _rarest(arm: words.Words, text: str, kind: ItemKind, *, most: float) -> str:
    """What FTS5 is asked where terms that stand in more rows are left out, but for three."""
    terms = topical_terms(text, _stemmer())
    found = arm.frequencies.get([*terms.words, *terms.chars], kind)[1]
    known = [(t, "words") for t in terms.words if t in found]
    known += [(t, "chars") for t in terms.chars if t in found]
    known.sort(key=lambda pair: found[pair[0]])
    kept = [pair for pair in known if found[pair[0]] <= most] or known[:3]
    return " OR ".join(words._looked_up(term, column, kind=kind) for term, column in kept[:64])


def measure(index: SqliteIndex, asked: Sequence[Question]) -> None:
    """Times and what is found each way, the ways in a turning order."""
    where = Where(Scope("alice"))
    total, _ = index.frequencies([], ItemKind.TURN)
    ways: dict[str, Any] = {
        "all terms": partialmethod(_rarest, most=total),
        "2 %": partialmethod(_rarest, most=total * _COMMON),
    }
    ways["alaya"] = words.Words._expression
    took: dict[tuple[str, str], list[float]] = {}
    proposed: dict[tuple[str, str, bool], list[bool]] = {}
    places: dict[tuple[str, str, bool], list[int]] = {}
    for number, question in enumerate(asked):
        turn = number % len(ways)
        for name in [*ways][turn:] + [*ways][:turn]:
            words.Words._expression = ways[name]  # type: ignore[method-assign]
            start = time.process_time()
            match = index.match(question.text, ItemKind.TURN, where=where, limit=_LOOKED)
            took.setdefault((name, question.kind), []).append((time.process_time() - start) * 1e3)
            key = name, question.kind, question.chinese
            proposed.setdefault(key, []).append(any(s.id in question.right for s in match))
            ids = found_by(index, question.text)
            place = next((i for i, item in enumerate(ids, 1) if item in question.right), 0)
            places.setdefault(key, []).append(place)
    words.Words._expression = ways["alaya"]  # type: ignore[method-assign]
    figures = f"in {_LOOKED}   R@{_TOP} MRR@{_TOP}"
    print(f"{'':<18}{'CPU p50':>8}{'p95 ms':>8}{'n':>6}   Chinese: {figures}   English: {figures}")
    for kind in KINDS:
        for name in ways:
            times = took[name, kind]
            line = f"{kind + ', ' + name:<18}{np.percentile(times, 50):8.1f}"
            line += f"{np.percentile(times, 95):8.1f}{len(times):6}"
            for chinese in (True, False):
                key = name, kind, chinese
                if key not in places:
                    continue
                values = np.array(places[key])
                mrr = np.mean(np.where(values > 0, 1 / np.maximum(values, 1), 0))
                line += (
                    f"          {np.mean(proposed[key]):6.3f} {(values > 0).mean():6.3f} {mrr:6.3f}"
                )
            print(line, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, nargs="*", default=[125_000, 350_000])
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument(
        "--folder", type=Path, default=Path(tempfile.gettempdir()) / "alaya-pruning"
    )
    args = parser.parse_args()
    pool = prose.load()
    for count in args.rows:
        folder = args.folder / str(count)
        folder.mkdir(parents=True, exist_ok=True)
        index = SqliteIndex(
            folder / "alaya.db",
            stem=_stemmer(),
            read_turn=lambda *_, **__: None,  # type: ignore[arg-type, return-value]
        )
        rows = rows_of(pool, count)
        if index.counts(Scope("alice")).get("turns", 0) < count:
            build(index, pool, rows)
        asked = list(questions(index, pool, rows, args.questions))
        kind = "real" if pool.real else "invented"
        print(f"\n{count} rows of {kind} prose, terms above {_COMMON:.0%} of the rows dropped")
        measure(index, asked)
        index.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
