"""The MCP server: a memory for agents over stdio or streamable HTTP, on the official SDK.

Handlers parse, call one verb of Memory in a thread, and print. The memory is opened by the first
call that needs it: `initialize` waits for nothing but the SDK. Whose memory it is was said when the
server was started.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, TypeVar

from alaya.errors import ConfigError

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from alaya.memory import Memory

_Result = TypeVar("_Result")
INSTALL = "pip install 'alaya-agent-memory[mcp]'"
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
PATH = "/mcp"
_WAITING = 128  # connections that have not been taken yet


@dataclass
class Home:
    """The memory, opened when it is first needed, and what the edges need to know beside it.

    `local` says a sentence of a verb in the language of choice; `crashed` writes an unexpected
    error into the log, without words of the memory.
    """

    open: Callable[[], Memory]
    language: str
    budget: int
    read_only: bool
    local: Callable[[str], str]
    crashed: Callable[[BaseException], object]
    _memory: Memory | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def memory(self) -> Memory:
        """The open memory. Raises what opening it does."""
        with self._lock:
            if self._memory is None:
                self._memory = self.open()
            return self._memory

    def close(self) -> None:
        """Write what is still to be logged; a memory that nobody needed was never opened."""
        with self._lock:
            if self._memory is not None:
                self._memory.close()
                self._memory = None


def check_installed() -> None:
    """Raises ConfigError, saying how to install it, where the SDK is missing or too old."""
    try:
        found = version("mcp")
    except PackageNotFoundError as error:
        raise ConfigError(f"the MCP server needs the package mcp: {INSTALL}") from error
    if int(found.split(".")[0]) < 2:
        raise ConfigError(f"the MCP server needs mcp 2 or newer, not {found}: {INSTALL} --upgrade")


def serve_stdio(home: Home) -> None:
    """Serve one client over standard input and output, until it leaves."""
    server = _server(home)
    _leave_on_signals(home)
    stdio: Any = import_module("mcp.server.stdio")

    async def serve() -> None:
        async with stdio.stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    try:
        import_module("anyio").run(serve)
    finally:
        home.close()


def serve_http(home: Home, *, host: str, port: int, ready: Callable[[str], object]) -> None:
    """Serve any number of clients over streamable HTTP, until it is interrupted.

    `ready` is told the address once connections are taken. Raises ConfigError for an address beyond
    this machine, which would need keys.
    """
    if host not in _LOOPBACK:
        raise ConfigError(
            f"--http {host} is not this machine: anybody who reaches it would read this memory; "
            "give 127.0.0.1, and let a proxy with authentication or an SSH tunnel lead there"
        )
    server = _server(home)
    uvicorn: Any = import_module("uvicorn")
    app = server.streamable_http_app(streamable_http_path=PATH, host=host)
    bound = _bound(host, port)
    shown = f"[{host}]" if ":" in host else host
    settings = uvicorn.Config(
        app, log_config=None, access_log=False, timeout_graceful_shutdown=5, lifespan="on"
    )
    ready(f"http://{shown}:{bound.getsockname()[1]}{PATH}")
    try:
        uvicorn.Server(settings).run(sockets=[bound])
    finally:
        home.close()


def address(text: str) -> tuple[str, int]:
    """Host and port of `HOST:PORT`, `:PORT` or `PORT`. Raises ConfigError."""
    host, _, port = text.strip().rpartition(":")
    if not port.isdecimal() or int(port) > 65_535:
        raise ConfigError(f"--http {text[:80]} has no port: give HOST:PORT, as 127.0.0.1:8765")
    return host.strip("[]") or "127.0.0.1", int(port)


def _bound(host: str, port: int) -> Any:
    import socket

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen(_WAITING)  # who connects as soon as the address is told, waits
    except OSError as error:
        found.close()
        raise ConfigError(
            f"--http {host}:{port} cannot be used: {error.strerror}; choose another port"
        ) from error
    return found


def _server(home: Home) -> Server[Any]:
    check_installed()
    _quiet()
    # Models of the SDK are built while it is imported: a fifth of that is the collector's.
    collecting = gc.isenabled()
    gc.disable()
    try:
        handlers = import_module("alaya.server.mcp_handlers")
        made: Server[Any] = handlers.server(home)
    finally:
        if collecting:
            gc.enable()
    return made


def _quiet() -> None:
    """The SDK's log may hold what was said: it goes nowhere."""
    import logging

    for name in ("mcp", "uvicorn", "uvicorn.error", "sse_starlette"):
        logger = logging.getLogger(name)
        logger.addHandler(logging.NullHandler())
        logger.propagate = False


def _leave_on_signals(home: Home) -> None:
    """Standard input is read in a thread that nothing interrupts: leave in the handler itself."""

    def leave(number: int, frame: object) -> None:
        home.close()
        os._exit(128 + number)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, leave)
