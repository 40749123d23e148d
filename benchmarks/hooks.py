"""How long `alaya hook prompt` takes as a whole process, and how often it has something to say.

    python benchmarks/hooks.py [--times 21]

First alone, then beside an MCP server of the same home, which answers it. A hook promises 300 ms.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from statistics import median

from alaya import Memory

OFF = {"embedding.provider": "none", "embedding.background": False}
SAID = "We decided to run the gateway under systemd, because Docker restarts lost its tokens."


def hook(home: str, session: str) -> tuple[float, bool]:
    """Milliseconds, and whether it said something."""
    event = json.dumps({"prompt": "How does the gateway run?", "session_id": session}).encode()
    command = [sys.executable, "-m", "alaya", "hook", "prompt", "--home", home]
    start = time.perf_counter()
    done = subprocess.run(command, input=event, capture_output=True, check=True)
    return (time.perf_counter() - start) * 1000, b"systemd" in done.stdout


def shown(what: str, found: list[tuple[float, bool]]) -> None:
    took = [ms for ms, _ in found]
    told = sum(said for _, said in found)
    print(
        f"{what:30} {median(took):5.0f} ms, at most {max(took):5.0f}; {told} of {len(found)} told"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=21)
    times = range(parser.parse_args().times)
    with tempfile.TemporaryDirectory() as home:
        with Memory.open(home, settings=OFF) as memory:
            memory.add(SAID, session="s", distill=True)
        shown("a hook alone", [hook(home, f"alone {n}") for n in times])
        server = subprocess.Popen(
            [sys.executable, "-m", "alaya", "mcp", "--home", home],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "ALAYA_EMBEDDING_PROVIDER": "none"},
        )
        until = time.monotonic() + 30
        while not hook(home, str(until))[1] and time.monotonic() < until:
            time.sleep(0.5)
        shown("beside an MCP server", [hook(home, f"beside {n}") for n in times])
        assert server.stdin is not None
        server.stdin.close()
        server.wait()


if __name__ == "__main__":
    main()
