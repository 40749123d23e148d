"""How much of the gold evidence of two talks' data sets do cards cite, and do recalled cards?

    python benchmarks/evidence.py [--data locomo realtalk] [--vectors] [--cards N ...]

The conversations in `../shared/data` become one user each, their sessions become messages (speaker
A is `user`, B is `assistant`, both with their names), and everything goes through the public API
into a temporary home. Printed for each setting of `max_cards_per_session`, as shares of the gold
evidence turns of all questions:

- cited: that any card cites;
- top 10: that one of the ten cards recalled for their question cites;
- first 20: among the first 20 distinct turns that the recalled cards cite, best card first;
- oracle: the same if every card that cites gold came first, those with the largest share of it
  ahead;
- turns a card: how many turns a card cites, on average and at most.

Gold turns that the data name but do not contain are left out and counted. Without `--vectors`
recall has words and graph only, which takes a minute or two instead of half an hour.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from alaya import Memory, Scope

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
_TURN = re.compile(r"D\d+:\d+")
_SESSION = re.compile(r"session_\d+")
_TOP = 10
FIRST = 20  # distinct turns that are looked at
_LIMIT = 60  # cards that are asked for, to have as many turns


@dataclass(frozen=True)
class Talk:
    """A conversation: Alaya session documents, and (question, gold evidence turns)."""

    name: str
    sessions: tuple[dict[str, Any], ...]
    questions: tuple[tuple[str, frozenset[str]], ...]

    @property
    def turns(self) -> frozenset[str]:
        """The ids of all turns."""
        return frozenset(turn["id"] for one in self.sessions for turn in one["turns"])


@dataclass
class Counts:
    """Sums over conversations; each gold evidence turn counts once for each question."""

    gold: int = 0
    absent: int = 0
    cited: int = 0
    top: int = 0
    first: int = 0
    oracle: int = 0
    sessions: int = 0
    cards: int = 0
    turns_cited: int = 0
    most_cited: int = 0
    turns: int = 0
    seconds: float = 0.0


def locomo() -> list[Talk]:
    """The conversations of LoCoMo; a shared photo is its caption in brackets."""
    found = []
    for sample in json.loads((DATA / "locomo" / "locomo10.json").read_text(encoding="utf-8")):
        talk, name = sample["conversation"], sample["sample_id"]
        sessions = []
        for key, turns in _sessions(talk):
            started = _milliseconds(talk[f"{key}_date_time"], "%I:%M %p on %d %B, %Y")
            messages = [
                _message(turn, turn["text"], first=talk["speaker_a"], at=started + 30_000 * i)
                for i, turn in enumerate(turns)
            ]
            sessions.append({"id": f"{name}-{key}", "timestamp": started, "turns": messages})
        found.append(Talk(name, tuple(sessions), _questions(sample["qa"])))
    return found


def realtalk() -> list[Talk]:
    """The conversations of REALTALK, likewise; each message has a time of its own."""
    found = []
    for path in sorted((DATA / "realtalk").glob("Chat_*.json")):
        talk = json.loads(path.read_text(encoding="utf-8"))
        first = talk["name"]["speaker_1"]
        sessions = []
        for key, turns in _sessions(talk):
            messages = []
            for turn in turns:
                at = _milliseconds(turn["date_time"], "%d.%m.%Y, %H:%M:%S")
                messages.append(_message(turn, turn["clean_text"], first=first, at=at))
            started = messages[0]["timestamp"]
            sessions.append({"id": f"{path.stem}-{key}", "timestamp": started, "turns": messages})
        found.append(Talk(path.stem, tuple(sessions), _questions(talk["qa"])))
    return found


def _sessions(talk: dict[str, Any]) -> Iterable[tuple[str, list[dict[str, Any]]]]:
    return ((k, turns) for k, turns in talk.items() if _SESSION.fullmatch(k) and turns)


def _message(turn: dict[str, Any], text: str, *, first: str, at: int) -> dict[str, Any]:
    caption = turn.get("blip_caption")
    return {
        "id": turn["dia_id"],
        "role": "user" if turn["speaker"] == first else "assistant",
        "name": turn["speaker"],
        "content": text + (f" [shares {caption}]" if caption else ""),
        "timestamp": at,
    }


def _milliseconds(text: str, shape: str) -> int:
    return int(datetime.strptime(text, shape).replace(tzinfo=UTC).timestamp() * 1000)


def _questions(asked: Sequence[dict[str, Any]]) -> tuple[tuple[str, frozenset[str]], ...]:
    """Questions without evidence in the talk are left out."""
    found = []
    for qa in asked:
        gold = {name for text in qa.get("evidence") or () for name in _TURN.findall(str(text))}
        if gold:
            found.append((str(qa["question"]), frozenset(gold)))
    return tuple(found)


def first_turns(cards: Iterable[Sequence[str]], most: int = FIRST) -> set[str]:
    """The first `most` distinct turns that cards cite, walking from card to card."""
    seen: dict[str, None] = {}
    for turns in cards:
        for turn in turns:
            if len(seen) >= most:
                return set(seen)
            seen.setdefault(turn)
    return set(seen)


def perfect(cards: Iterable[Sequence[str]], gold: frozenset[str]) -> list[Sequence[str]]:
    """The cards that cite gold, those with the largest share of it ahead."""
    citing = [turns for turns in cards if gold & set(turns)]
    return sorted(citing, key=lambda turns: (-len(gold & set(turns)) / len(set(turns)), turns))


def measure(talks: Sequence[Talk], *, max_cards: int, vectors: bool) -> Counts:
    """Ingest, distil and recall all talks in a home of their own."""
    total = Counts()
    with tempfile.TemporaryDirectory(prefix="alaya-evidence-") as folder:
        for talk in talks:
            _measure(talk, Path(folder), max_cards=max_cards, vectors=vectors, total=total)
    return total


def _measure(talk: Talk, folder: Path, *, max_cards: int, vectors: bool, total: Counts) -> None:
    source = folder / "sessions" / talk.name
    source.mkdir(parents=True)
    for document in talk.sessions:
        text = json.dumps(document, ensure_ascii=False)
        (source / f"{document['id']}.json").write_text(text, encoding="utf-8")
    settings = {
        "distill.max_cards_per_session": max_cards,
        "distill.min_session_tokens": 0,
        "embedding.background": False,
        **({} if vectors else {"embedding.provider": "none"}),
    }
    with Memory.open(folder / "home", scope=Scope(user=talk.name), settings=settings) as memory:
        memory.ingest(source)
        began = time.perf_counter()
        report = memory.distill()
        total.seconds += time.perf_counter() - began
        if vectors:
            memory.embed()
        ids = [card for session in report.sessions for card, _, _ in session.cards]
        cards = [[span.turn for span in memory.trace(card).card.evidence] for card in ids]
        total.sessions += len(talk.sessions)
        total.turns += len(talk.turns)
        _count_cards(cards, total)
        _count_questions(memory, talk, cards=cards, total=total)


def _count_cards(cards: Sequence[Sequence[str]], total: Counts) -> None:
    sizes = [len(set(turns)) for turns in cards]
    total.cards += len(cards)
    total.turns_cited += sum(sizes)
    total.most_cited = max([total.most_cited, *sizes])


def _count_questions(
    memory: Memory, talk: Talk, *, cards: Sequence[Sequence[str]], total: Counts
) -> None:
    cited = {turn for turns in cards for turn in turns}
    for question, named in talk.questions:
        gold = named & talk.turns
        answer = memory.recall(question, limit=_LIMIT, min_similarity=0.0)
        recalled = [[span.turn for span in hit.evidence] for hit in answer.hits]
        total.gold += len(gold)
        total.absent += len(named - gold)
        total.cited += len(gold & cited)
        total.top += len(gold & {turn for turns in recalled[:_TOP] for turn in turns})
        total.first += len(gold & first_turns(recalled))
        total.oracle += len(gold & first_turns(perfect(cards, gold)))


def line(name: str, limit: int, c: Counts) -> str:
    """One setting as text."""
    shares = "; ".join(
        f"{label} {count / max(c.gold, 1):.3f}"
        for label, count in (
            ("cited", c.cited),
            (f"top {_TOP}", c.top),
            (f"first {FIRST}", c.first),
            ("oracle", c.oracle),
        )
    )
    return (
        f"{name}, at most {limit} cards a session: {shares} of {c.gold} gold turns "
        f"({c.absent} more are not in the data)\n"
        f"    {c.cards} cards from {c.turns} turns of {c.sessions} sessions, "
        f"{c.turns_cited / max(c.cards, 1):.2f} turns a card and at most {c.most_cited}; "
        f"distilled and stored in {c.seconds:.1f} s"
    )


_SETS: dict[str, Callable[[], list[Talk]]] = {"locomo": locomo, "realtalk": realtalk}


def main(argv: Sequence[str] | None = None) -> None:
    """Print two lines for each setting."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", nargs="*", default=list(_SETS), choices=_SETS)
    parser.add_argument("--vectors", action="store_true", help="embed before recalling (slow)")
    parser.add_argument("--cards", type=int, nargs="*", default=[10, 30], metavar="N")
    parser.add_argument("--conversations", type=int, default=5)
    options = parser.parse_args(argv)
    for name in options.data:
        if not (DATA / name).is_dir():
            print(f"skipped: {DATA / name} is not there")
            continue
        talks = _SETS[name]()[: options.conversations]
        for limit in options.cards:
            counts = measure(talks, max_cards=limit, vectors=options.vectors)
            print(line(name, limit, counts), flush=True)


if __name__ == "__main__":
    main()
