"""The MCP server as a process of its own, and the official client on either transport."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters, stdio_client

QUIET = {
    "ALAYA_EMBEDDING_PROVIDER": "none",
    "ALAYA_EMBEDDING_BACKGROUND": "false",
    "PYTHONWARNINGS": "error",
}


def environ(**more: str) -> dict[str, str]:
    """That of this process without settings of alaya, by words alone."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ALAYA_", "LC_", "LANG"))}
    return {**kept, **QUIET, **more}


@asynccontextmanager
async def over_stdio(home: Path, *argv: str, **env: str) -> AsyncIterator[Client]:
    """A client of a server that it starts itself."""
    command = ["-m", "alaya", "mcp", "--home", str(home), *argv]
    started = StdioServerParameters(command=sys.executable, args=command, env=environ(**env))
    async with Client(stdio_client(started), mode="legacy") as client:
        yield client


@contextmanager
def http_server(home: Path, *argv: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A server over HTTP on a free port: its address, and its process."""
    command = ["-m", "alaya", "mcp", "--home", str(home), "--http", "127.0.0.1:0", *argv]
    process = subprocess.Popen(
        [sys.executable, *command], stderr=subprocess.PIPE, env=environ(), text=True
    )
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        found = re.search(r"http://\S+", line)
        assert found is not None, line + process.stderr.read()
        yield found[0], process
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


@asynccontextmanager
async def over_http(home: Path, *argv: str) -> AsyncIterator[Client]:
    """A client of a server over streamable HTTP."""
    with http_server(home, *argv) as (url, _):
        async with Client(url, mode="legacy") as client:
            yield client


def run(talk: Callable[[], Awaitable[None]]) -> None:
    """Run a conversation to its end."""
    anyio.run(talk)


async def call(client: Client, name: str, **arguments: Any) -> Any:
    """The result of a tool."""
    return await client.call_tool(name, arguments)


def text(result: Any) -> str:
    """All that a result says."""
    return "\n".join(part.text for part in result.content)
