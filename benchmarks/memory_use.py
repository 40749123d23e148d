"""Resident memory of ingesting a large session, and of a process that serves recalls.

    python benchmarks/memory_use.py [MEGABYTES]

Each is measured as the peak (VmHWM) of a process of its own that does nothing else.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import prose

_INGEST = """
import sys
from alaya import Memory
with Memory.open(sys.argv[1], settings={"embedding.background": False}) as memory:
    report = memory.ingest(sys.argv[2])
    assert report.turns == int(sys.argv[3]), report.parked
"""
_RECALL = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
import large_home
with large_home.opened(Path(sys.argv[1]), int(sys.argv[4])) as memory:
    for question in json.loads(sys.argv[2]):
        memory.recall(question, include_sessions=True)
"""
# Not ru_maxrss: a child inherits that of the process it was forked from.
_PEAK = """
import re
print(int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1024)
"""


def peak_of_ingest(megabytes: int) -> float:
    """The peak in MB of ingesting one session file of that size, prose and tool output."""
    with tempfile.TemporaryDirectory(prefix="alaya-memory-") as folder:
        path = Path(folder) / "large.jsonl"
        turns = write_large(path, megabytes)
        return _run(_INGEST, str(Path(folder) / "home"), str(path), str(turns))


def resident_of_recall(home: Path, questions: Sequence[str], *, width: int = 384) -> float:
    """The peak in MB of a process that answers these questions."""
    here = str(Path(__file__).parent)
    return _run(_RECALL, str(home), json.dumps(questions), here, str(width))


def write_large(path: Path, megabytes: int) -> int:
    """A Claude Code session of that size; returns how many turns it has."""
    words, rng, turns, size = prose.load(), random.Random(3), 0, 0
    with path.open("w", encoding="utf-8") as file:
        while size < megabytes * 1_000_000:
            kind = "user" if turns % 2 == 0 else "assistant"
            sentences = 400 if turns % 20 == 0 else 30
            text = " ".join(words.passage(rng, 1, 2) for _ in range(sentences))
            line = {
                "type": kind,
                "uuid": f"00000000-0000-4000-8000-{turns:012d}",
                "parentUuid": f"00000000-0000-4000-8000-{turns - 1:012d}" if turns else None,
                "sessionId": "11111111-1111-4111-8111-111111111111",
                "timestamp": f"2026-03-{turns // 1440 % 28 + 1:02d}T{turns // 60 % 24:02d}"
                f":{turns % 60:02d}:00.000Z",
                "message": {"role": kind, "content": [{"type": "text", "text": text}]},
            }
            text = json.dumps(line, ensure_ascii=False) + "\n"
            size += len(text.encode())
            file.write(text)
            turns += 1
    return turns


def _run(program: str, *arguments: str) -> float:
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program + _PEAK, *arguments],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout.split()[-1])


def main() -> int:
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    start = time.perf_counter()
    peak = peak_of_ingest(megabytes)
    took = time.perf_counter() - start
    print(f"ingest of {megabytes} MB: peak {peak:.0f} MB (target < 300 MB), {took:.0f} s in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
