"""How many of the names that matter do the rules find, and what else do they take for names?

    python benchmarks/entities.py [--conversations N] [--list]

LoCoMo (English): the names in the gold answers which stand word for word in what was said. MemDaily
(Chinese): the people of whom somebody says 名叫. A conversation is distilled session by session;
printed are the share of these names that are an entity, how many entities there are, and with
`--list` every entity, to be judged by eye.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from evidence import DATA, locomo

from alaya.distill.rules import RuleDistiller
from alaya.model.forms import proper_names
from alaya.model.naming import name_key
from alaya.model.raw import ArchivedTurn, Origin, Role, Session, Turn
from alaya.model.scope import Scope

_NO_NAMES = frozenset(["may", "august", "spanish", "german", "yes", "its", "lets"])
_CALLED = re.compile(r"(?:名叫|叫做|名字叫|名字是)([\u4e00-\u9fff]{2,3})(?=[，。！？,.!?]|$)")


def entities(documents: Iterable[dict[str, Any]]) -> set[str]:
    """The names of all entities, session by session."""
    distil, found = RuleDistiller(), set[str]()
    for document in documents:
        at = datetime.fromtimestamp(document["timestamp"] / 1000, UTC)
        session = Session(document["id"], Scope("u"), at)
        turns = [
            ArchivedTurn(
                Turn(t["id"], Role(t["role"]), t["content"], at, t.get("name"), Origin.OWNER),
                number,
                0,
                0,
                0,
            )
            for number, t in enumerate(document["turns"])
        ]
        found |= {entity.name for entity in distil(session, turns, context=()).entities}
    return found


def named_in_answers(sample: dict[str, Any], said: str) -> set[str]:
    """Names in gold answers that somebody says, as they are written there."""
    found, small = set(), set(re.findall(r"[a-z']+", said))
    for qa in sample["qa"]:
        text = f"It is {qa.get('answer', '')}"
        names = (text[a:b].strip(" .,'’") for a, b, sure in proper_names(text) if sure)
        found |= {name for name in names if len(name) > 2 and name in said}
    # An answer begins with a capital whatever its first word is.
    return {n for n in found if n.lower() not in small and name_key(n) not in _NO_NAMES}


def english(most: int) -> Iterator[tuple[str, set[str], set[str]]]:
    """(conversation, names that matter, entities found)."""
    samples = json.loads((DATA / "locomo" / "locomo10.json").read_text(encoding="utf-8"))
    for sample, talk in list(zip(samples, locomo(), strict=True))[:most]:
        said = " ".join(turn["content"] for one in talk.sessions for turn in one["turns"])
        yield talk.name, named_in_answers(sample, said), entities(talk.sessions)


def chinese(most: int) -> Iterator[tuple[str, set[str], set[str]]]:
    """As `english`, a trajectory of messages a conversation."""
    for path in sorted((DATA / "memdaily").glob("*roles*.json")):
        for one in json.loads(path.read_text(encoding="utf-8"))[:most]:
            messages = [m["message"] for m in one["message_list"]]
            turns = [
                {"id": str(n), "role": "user", "content": text} for n, text in enumerate(messages)
            ]
            gold = {name for text in messages for name in _CALLED.findall(text)}
            name = f"{path.stem}-{one['tid']}"
            yield name, gold, entities([{"id": name, "timestamp": 0, "turns": turns}])


def held(gold: set[str], found: set[str]) -> int:
    """How many gold names are an entity, alone or within a longer or shorter name."""
    keys = [name_key(name) for name in found]
    return sum(any(name_key(g) in key or key in name_key(g) for key in keys) for g in gold)


def main(argv: Sequence[str] | None = None) -> None:
    """Print a line for each language."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--conversations", type=int, default=5, help="of LoCoMo; of MemDaily 20 times that"
    )
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args(argv)
    for language, read, folder in (("en", english, "locomo"), ("zh", chinese, "memdaily")):
        if not (DATA / folder).is_dir():
            print(f"skipped: {DATA / folder} is not there")
            continue
        rows = list(read(options.conversations * (1 if language == "en" else 20)))
        gold, found = sum(len(g) for _, g, _ in rows), sum(len(f) for *_, f in rows)
        hit = sum(held(g, f) for _, g, f in rows)
        print(
            f"{language}: {hit} of {gold} names are entities ({hit / max(gold, 1):.2f}); ", end=""
        )
        print(f"{found} entities of {len(rows)} conversations")
        for name, named, one in rows if options.list else ():
            print(name, sorted(one), "missing:", sorted(g for g in named if not held({g}, one)))


if __name__ == "__main__":
    main()
