"""Precision and recall of the distiller without a model, on labelled, invented sessions.

    python benchmarks/rules.py [--quick] [--show]

Three kinds of figures, and only two of them say what to expect of a new session:

- *fitted*: the shipped weights on the sessions they were fitted on (`rules`, written beside the
  rules, and `dev-a` … `dev-e`, by five other writers). Optimistic by nature.
- *held out*: the same sessions, each distilled with weights fitted on the other writers' ones.
  Needs scikit-learn and some minutes; `--quick` leaves it out. Thresholds were chosen on these.
- *blind*: by a sixth writer. Nobody who wrote rules or weights has read a session of it; totals
  were looked at some fifteen times while the rules grew, and as often as `LOG.md` says since.

A produced card is correct if some expected one has its kind and shares a turn of evidence; an
expected card is found likewise. `nothing`: sessions that must yield no card.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from alaya.distill.rules import RuleDistiller
from alaya.distill.weights import Weights, parsed, shipped
from alaya.model.ids import clean
from alaya.model.raw import ArchivedTurn, Origin, Role, Session, ToolCall, Turn
from alaya.model.record import Draft
from alaya.model.scope import Scope
from alaya.model.time import parse_time

LABELLED = Path(__file__).parent.parent / "tests" / "data" / "labelled"
FITTED = ("rules", "dev-a", "dev-b", "dev-c", "dev-d", "dev-e")
KINDS = ("concept", "pattern", "gotcha", "decision")
_ORIGINS = {
    Role.USER: Origin.OWNER,
    Role.ASSISTANT: Origin.AGENT,
    Role.TOOL: Origin.TOOL,
    Role.SYSTEM: Origin.SYSTEM,
}


@dataclass
class Score:
    """Counts by kind; `all` sums them."""

    produced: Counter[str] = field(default_factory=Counter)
    correct: Counter[str] = field(default_factory=Counter)
    expected: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    nothing: int = 0
    wrong_on_nothing: int = 0
    sessions: int = 0

    def precision(self, kind: str = "all") -> float:
        """Correct among produced; 1 where nothing was produced."""
        return self.correct[kind] / self.produced[kind] if self.produced[kind] else 1.0

    def recall(self, kind: str = "all") -> float:
        """Found among expected; 1 where nothing was expected."""
        return self.found[kind] / self.expected[kind] if self.expected[kind] else 1.0


def load(folder: Path) -> list[dict[str, Any]]:
    """The labelled sessions of a folder, by name."""
    return [json.loads(p.read_text(encoding="utf-8")) for p in sorted(folder.glob("*.json"))]


def archived(document: dict[str, Any]) -> tuple[Session, list[ArchivedTurn]]:
    """A labelled session as the archive would give it; turn ids are `t0`, `t1` …"""
    raw = document["session"]
    session = Session(raw["id"], Scope(agent=raw.get("agent")), parse_time(raw["timestamp"]))
    turns = []
    for i, t in enumerate(raw["turns"]):
        role = Role(t["role"])
        calls = tuple(
            ToolCall(str(c.get("id", "")), c["name"], json.dumps(c.get("arguments", {})))
            for c in t.get("tool_calls") or ()
        )
        turn = Turn(
            f"t{i}",
            role,
            clean(t.get("content") or ""),
            parse_time(t["timestamp"]) if t.get("timestamp") else None,
            t.get("name"),
            _ORIGINS[role],
            tool_calls=calls,
            tool_call_id=t.get("tool_call_id"),
        )
        turns.append(ArchivedTurn(turn, i, 0, 0, 0))
    return session, turns


def distil(
    document: dict[str, Any], max_cards: int = 10, *, weights: Weights | None = None
) -> Draft:
    """The draft of a labelled session, by the shipped weights or others."""
    session, turns = archived(document)
    return RuleDistiller(max_cards=max_cards, weights=weights)(session, turns, context=())


def add(score: Score, document: dict[str, Any], draft: Draft) -> None:
    """Count one session into a score."""
    expected = [(e["kind"], set(e["turns"])) for e in document["expected"]]
    produced = [(c.kind.value, {int(t[1:]) for t, _, _ in c.evidence}) for c in draft.cards]
    score.sessions += 1
    if not expected:
        score.nothing += 1
        score.wrong_on_nothing += len(produced)
    for mine, other, total, hit in (
        (produced, expected, score.produced, score.correct),
        (expected, produced, score.expected, score.found),
    ):
        for kind, turns in mine:
            right = any(k == kind and turns & t for k, t in other)
            total.update((kind, "all"))
            hit.update((kind, "all") if right else ())


def score_of(
    documents: Sequence[dict[str, Any]], weights: Sequence[Weights | None] | None = None
) -> Score:
    """The score over these sessions; `weights`: those for each of them."""
    score = Score()
    for document, own in zip(documents, weights or [None] * len(documents), strict=True):
        add(score, document, distil(document, weights=own))
    return score


def table(name: str, score: Score) -> str:
    """The score as lines of text."""
    lines = [
        f"{name}: {score.sessions} sessions, {score.nothing} must yield nothing "
        f"({score.wrong_on_nothing} cards did come of them)"
    ]
    for kind in (*KINDS, "all"):
        lines.append(
            f"  {kind:9} precision {score.precision(kind):.2f} "
            f"({score.correct[kind]}/{score.produced[kind]})   "
            f"recall {score.recall(kind):.2f} ({score.found[kind]}/{score.expected[kind]})"
        )
    return "\n".join(lines)


def show(document: dict[str, Any]) -> str:
    """What came of one session beside what was expected."""
    draft = distil(document)
    lines = [f"== {document['name']} (dropped {draft.dropped})"]
    for c in draft.cards:
        turns = sorted({int(t[1:]) for t, _, _ in c.evidence})
        expected = document["expected"]
        right = any(e["kind"] == c.kind and set(e["turns"]) & set(turns) for e in expected)
        lines.append(f"  {'+' if right else '-'} {c.kind.value:8} {turns} {c.importance} {c.title}")
    got = [(c.kind.value, {int(t[1:]) for t, _, _ in c.evidence}) for c in draft.cards]
    for e in document["expected"]:
        if not any(k == e["kind"] and t & set(e["turns"]) for k, t in got):
            lines.append(f"  missed {e['kind']} {e['turns']} {e['about']}")
    return "\n".join(lines)


def held_out_tables(sets: dict[str, list[dict[str, Any]]]) -> list[str]:
    """The tables of sessions that are distilled with weights fitted without them."""
    import fit_distiller

    documents = [d for group in sets.values() for d in group]
    models = fit_distiller.held_out(
        [fit_distiller.labelled(d, name) for name, group in sets.items() for d in group]
    )
    once = {id(m): parsed({**m, "needed": shipped().needed}) for m in models}
    weights = [once[id(m)] for m in models]
    found = []
    at = 0
    for name, group in sets.items():
        part = weights[at : at + len(group)]
        found.append(table(f"{name} (held out)", score_of(group, part)))
        at += len(group)
    return [*found, table("rules and dev sets (held out)", score_of(documents, weights))]


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true", help="each session but the blind in detail")
    parser.add_argument("--quick", action="store_true", help="without the held-out folds")
    options = parser.parse_args(argv)
    sets = {name: load(LABELLED / name) for name in FITTED}
    fitted = [d for group in sets.values() for d in group]
    if options.show:
        print("\n".join(show(d) for d in fitted))
    for name, group in sets.items():
        print(table(f"{name} (fitted)", score_of(group)))
    blind = load(LABELLED / "blind")
    print(table("blind (never read)", score_of(blind)))
    print(table("all (fitted and blind)", score_of(fitted + blind)))
    if not options.quick:
        print("\n".join(held_out_tables(sets)))


if __name__ == "__main__":
    main()
