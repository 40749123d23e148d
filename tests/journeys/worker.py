"""A process that works on a home, and tells on its standard output what it entered and finished.

    python worker.py HOME STEPS.json [--die-at N] [--count]

A step is [verb, arguments…]. Each is told twice, as a JSON line: `{"enter": number}` before the
verb, `{"done": number, …}` after it has returned, which is when it counts as acknowledged. With
`--die-at N` the process kills itself at the N-th write, fsync, rename or SQL statement of its
steps (a write only half); with `--count` it says how many there were.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

from alaya import Memory

SETTINGS = {
    "embedding.provider": "none",
    "embedding.background": False,
    "distill.min_session_tokens": 0,
}
_write = os.write
_ingested: list[str] = []


def tell(**what: Any) -> None:
    _write(1, (json.dumps(what) + "\n").encode())


def ingest(memory: Memory, path: str) -> dict[str, Any]:
    """Acknowledges turns by session."""
    report = memory.ingest(path)
    _ingested.extend(s.session.id for s in report.sessions)
    return {
        "parked": [p.reason for p in report.parked],
        "turns": {s.session.id: s.total_turns for s in report.sessions},
    }


def add(memory: Memory, session: str, messages: str) -> dict[str, Any]:
    """Acknowledges messages, by how many are new."""
    return {"added": len(memory.add(json.loads(messages), session=session).episodes)}


def distill(memory: Memory, session: str | None = None) -> dict[str, Any]:
    """Acknowledges cards."""
    report = memory.distill(session)
    return {"cards": [card[0] for one in report.sessions for card in one.cards]}


def distill_last(memory: Memory) -> dict[str, Any]:
    """Distils the session that was ingested last by this process."""
    return distill(memory, _ingested[-1])


def link(memory: Memory, source: str, target: str, relation: str) -> dict[str, Any]:
    """Acknowledges one link, as (source, relation, target)."""
    made = memory.link(source, target, relation=relation)
    return {"links": [[made.source, made.relation, made.target]]}


def recall(memory: Memory, text: str) -> dict[str, Any]:
    """Acknowledges nothing; says what it saw."""
    return {"hits": [[hit.id, hit.score] for hit in memory.recall(text).hits]}


def introspect(memory: Memory) -> dict[str, Any]:
    """Acknowledges nothing: whoever asks afterwards sees where cards are."""
    return {"steps": [step.step.value for step in memory.introspect().steps]}


def undo(memory: Memory, seq: str = "") -> dict[str, Any]:
    """Acknowledges which records were undone."""
    report = memory.undo(seq=int(seq) if seq else None)
    return {"undone": [one.seq for one in report.undone]}


def rollback(memory: Memory, to: str) -> dict[str, Any]:
    """Acknowledges the record that rolled back, if one had to be written."""
    return {"rolled_back": memory.rollback(to).seq}


def erase(memory: Memory, session: str) -> dict[str, Any]:
    """Acknowledges that no word of a session is left."""
    report = memory.erase(session=session)
    assert report is not None
    return {"erased": session, "remaining": report.remaining}


def backup(memory: Memory) -> dict[str, Any]:
    """Acknowledges a copy of the home."""
    return {"backup": memory.backup(keep=3).path}


VERBS: dict[str, Callable[..., dict[str, Any]]] = {
    "ingest": ingest,
    "add": add,
    "distill": distill,
    "distill_last": distill_last,
    "link": link,
    "recall": recall,
    "introspect": introspect,
    "undo": undo,
    "rollback": rollback,
    "erase": erase,
    "backup": backup,
}


class Deaths:
    """Counts what reaches the disk, and dies at the `at`-th (0: never)."""

    def __init__(self, at: int) -> None:
        self.count = 0
        self._at = at

    def here(self) -> bool:
        self.count += 1
        return self.count == self._at

    def watch(self) -> None:
        """Put itself before everything that changes a file."""
        for name in ("fsync", "replace", "unlink", "ftruncate"):
            setattr(os, name, self._before(getattr(os, name)))
        os.write = self._half
        apsw.connection_hooks.append(lambda connection: connection.set_exec_trace(self._statement))

    def _before(self, act: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*arguments: Any, **options: Any) -> Any:
            if self.here():
                os.kill(os.getpid(), signal.SIGKILL)
            return act(*arguments, **options)

        return watched

    def _half(self, handle: int, data: Any) -> int:
        if self.here():
            _write(handle, bytes(data)[: max(1, len(data) // 2)])
            os.kill(os.getpid(), signal.SIGKILL)
        return _write(handle, data)

    def _statement(self, *_: Any) -> bool:
        if self.here():
            os.kill(os.getpid(), signal.SIGKILL)
        return True


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("home")
    parser.add_argument("steps")
    parser.add_argument("--die-at", type=int, default=0)
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--until", help="go round and round until this file exists")
    parser.add_argument("--settings", default="{}", help="more settings, as JSON")
    args = parser.parse_args()
    deaths = Deaths(args.die_at)
    if args.die_at or args.count:
        deaths.watch()
    steps = json.loads(Path(args.steps).read_text(encoding="utf-8"))
    settings = {**SETTINGS, **json.loads(args.settings)}
    with Memory.open(args.home, settings=settings) as memory:
        while True:
            for number, (verb, *arguments) in enumerate(steps):
                tell(enter=number)
                tell(done=number, **VERBS[verb](memory, *arguments))
            if args.until is None or Path(args.until).exists():
                break
    if args.count:
        tell(count=deaths.count)
    return 0


if __name__ == "__main__":
    sys.exit(main())
