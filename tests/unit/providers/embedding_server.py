"""A local HTTP server that answers for embeddings as it is told to: rightly, late or not at all."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Answer:
    """What a request gets. `body` None: right embeddings."""

    status: int = 200
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0


Script = Callable[[int, dict[str, Any]], Answer]


@dataclass
class Server:
    """What a test sees of it: its URL, and what it was sent, in order."""

    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    most_at_once: int = 0


def vector_of(text: str, dimensions: int = 4) -> list[float]:
    """Not of length 1, and told apart by the length of the text."""
    return [2.0, float(len(text)), *[0.0] * (dimensions - 2)]


def embeddings(texts: list[str], dimensions: int = 4) -> bytes:
    """A right answer, in an order that is not that of the texts."""
    data = [
        {"object": "embedding", "index": i, "embedding": vector_of(text, dimensions)}
        for i, text in enumerate(texts)
    ]
    return json.dumps({"object": "list", "data": data[::-1], "model": "m"}).encode()


@contextmanager
def serving(script: Script) -> Iterator[Server]:
    """Serve on a free loopback port; `script` gets the number of the request and its body."""
    seen = Server()
    lock = threading.Lock()
    busy = 0

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            """Nothing."""

        def do_POST(self) -> None:
            nonlocal busy
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                busy += 1
                seen.most_at_once = max(seen.most_at_once, busy)
                seen.requests.append(body)
                seen.keys.append(self.headers.get("Authorization", ""))
                answer = script(len(seen.requests), body)
            time.sleep(answer.wait)
            with lock:
                busy -= 1
            content = embeddings(body["input"]) if answer.body is None else answer.body
            try:
                self.send_response(answer.status)
                headers = {"Content-Type": "application/json", **answer.headers}
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # the client gave up, as some tests want

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    seen.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
