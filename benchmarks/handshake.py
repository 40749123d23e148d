"""How long an MCP server takes, as a whole process, to answer `initialize`.

    python benchmarks/handshake.py [--times 5]

The median by the clock, and of the processor's time: on a busy machine the former is waiting.
Beside it, what importing the SDK alone takes.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median

ASKED = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "handshake", "version": "1"},
    },
}
SDK = "import mcp.server.lowlevel, mcp.server.stdio, sys; print(flush=True); sys.stdin.read()"


def handshake(environment: Mapping[str, str]) -> float:
    """Milliseconds from the start of the process to its answer."""
    return answered([sys.executable, "-m", "alaya", "mcp"], environment)[0]


def answered(command: list[str], environment: Mapping[str, str]) -> tuple[float, float]:
    """Milliseconds until a process wrote its first line, by the clock and of the processor."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(ASKED).encode() + b"\n")
    process.stdin.flush()
    line = process.stdout.readline()
    took = (time.perf_counter() - start) * 1000
    stat = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8")
    fields = stat.rsplit(")", 1)[1].split()
    worked = (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")
    process.stdin.close()
    process.wait()
    process.stdout.close()
    assert line == b"\n" or json.loads(line)["result"]["serverInfo"]["name"] == "alaya"
    return took, worked


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5)
    times = parser.parse_args().times
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "ALAYA_HOME": home}
        for what, command in (
            ("`alaya mcp` answers initialize", [sys.executable, "-m", "alaya", "mcp"]),
            ("importing the SDK alone", [sys.executable, "-c", SDK]),
        ):
            found = [answered(command, environment) for _ in range(times)]
            wall, worked = median(a for a, _ in found), median(b for _, b in found)
            print(f"{what:34} {wall:7.0f} ms, {worked:5.0f} ms of the processor (target 1000)")


if __name__ == "__main__":
    main()
