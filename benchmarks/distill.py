"""What distilling takes and yields, on the LoCoMo development conversations.

    python benchmarks/distill.py [--conversations N] [--window TOKENS] [--out FILE]

With a model, nothing is asked: `alaya distill --dry-run` says which calls it would make and how
many tokens they would hold at most (cards and facts; a reply counts as
`distill.max_reply_tokens`). By rules, what it takes and what comes of it: seconds, cards, entities,
facts and summaries; how many of the names that speakers use in gold answers are entities
(`entities.py`); and whether the graph helps recall: gold turns among the first 20 that the ten hits
of a default recall hold or cite, cards alone and with what was said, with the graph and without.
With `min_similarity` 0 and 60 cards, as this measured before, words find all that a walk can reach.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from entities import english, held
from evidence import DATA, Talk, first_turns, locomo

from alaya import Memory
from alaya.model.passage import Where

_QUIET = {"embedding.provider": "none", "embedding.background": False}
_ARMS = {
    "cards": {"graph_expand": False},
    "cards and graph": {"graph_expand": True},
    "cards and turns": {"graph_expand": False, "include_sessions": True},
    "cards, turns and graph": {"graph_expand": True, "include_sessions": True},
}
_MODEL = {"distill.llm_provider": "llama.cpp", "distill.base_url": "http://127.0.0.1:9/v1"}


def opened(folder: str, talk: Talk, **more: Any) -> Memory:
    """A memory with the sessions of a conversation, not distilled."""
    settings = {**_QUIET, "distill.min_session_tokens": 0, "distill.model": "any", **more}
    memory = Memory.open(Path(folder), settings=settings)
    path = Path(folder) / "talk.json"
    path.write_text(json.dumps(talk.sessions, ensure_ascii=False), encoding="utf-8")
    memory.ingest(path, format="alaya")
    return memory


def forecast(talk: Talk, window: int) -> dict[str, float]:
    """What a model would be asked, before anything is known."""
    with (
        tempfile.TemporaryDirectory() as folder,
        opened(folder, talk, **{**_MODEL, "distill.window_tokens": window}) as memory,
    ):
        estimate = memory.distill(dry_run=True).estimate
        assert estimate is not None
        return {
            "calls": estimate.calls,
            "tokens in": estimate.tokens_in,
            "tokens out at most": estimate.tokens_out,
        }


def by_rules(talk: Talk) -> dict[str, float]:
    """What rules make of it, and how recall does with and without the graph."""
    with tempfile.TemporaryDirectory() as folder, opened(folder, talk) as memory:
        begun = time.perf_counter()
        report = memory.distill(close=True)
        seconds = time.perf_counter() - begun
        index, where = memory.parts.index, Where(memory.scope)
        links = list(index.all_links(where))
        found = {
            "seconds": seconds,
            "cards": report.cards,
            "entities": len(index.entities(where)),
            "facts": sum(bool(link.fact) for link in links),
            "links": len(links),
            "summaries": len(index.summaries(where)),
        }
        return found | {
            f"gold {name}": float(sum(_held(memory, one, **how) for one in talk.questions))
            for name, how in _ARMS.items()
        }


def _held(memory: Memory, asked: tuple[str, frozenset[str]], **how: bool) -> int:
    """How many gold turns the hits of a question hold or cite."""
    question, gold = asked
    answer = memory.recall(question, **how)
    return len(gold & first_turns([[span.turn for span in hit.evidence] for hit in answer.hits]))


def total(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    return {name: sum(row[name] for row in rows) for name in rows[0]}


def main(argv: Sequence[str] | None = None) -> None:
    """Print the figures, for a hundred turns where that says more."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--conversations", type=int, default=5)
    parser.add_argument("--window", type=int, default=6000, metavar="TOKENS")
    parser.add_argument("--out", type=Path, metavar="FILE")
    options = parser.parse_args(argv)
    if not (DATA / "locomo").is_dir():
        print(f"skipped: {DATA / 'locomo'} is not there")
        return
    talks = locomo()[: options.conversations]
    turns, sessions = sum(len(t.turns) for t in talks), sum(len(t.sessions) for t in talks)
    gold = sum(len(named & talk.turns) for talk in talks for _, named in talk.questions)
    asked = total([forecast(talk, options.window) for talk in talks])
    made = total([by_rules(talk) for talk in talks])
    names = list(english(options.conversations))
    hit, wanted = sum(held(g, f) for _, g, f in names), sum(len(g) for _, g, _ in names)
    print(f"{len(talks)} conversations, {sessions} sessions, {turns} turns")
    per = ", ".join(f"{count * 100 / turns:,.1f} {name}" for name, count in asked.items())
    print(f"a model, of 100 turns, in windows of {options.window}: {per}")
    print(
        f"rules: {made['seconds']:.1f} s ({turns / made['seconds']:,.0f} turns a second); "
        f"{made['cards'] / sessions:.1f} cards a session; {made['entities']:.0f} entities, "
        f"{made['facts']:.0f} facts, {made['links']:.0f} links, {made['summaries']:.0f} summaries"
    )
    print(f"rules: {hit} of {wanted} names in gold answers are entities")
    shares = "; ".join(f"{made[f'gold {n}'] / gold:.3f} {n}" for n in _ARMS)
    print(f"gold turns in the first 20 of ten hits, words only: {shares}")
    if options.out:
        options.out.write_text(json.dumps({"asked": asked, "rules": made}, indent=2))


if __name__ == "__main__":
    main()
