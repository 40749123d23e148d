"""A local HTTP server that answers as it is told to: rightly, late, by halves or not at all.

It plays an OpenAI-compatible endpoint whose every fault can be had on demand.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Answer:
    """What a request gets. `body` None: a right answer.

    `wait`: seconds of silence first. `silent`: then nothing at all, until the client goes or the
    server ends. `cut`: bytes of the body after which the connection is closed, though more were
    promised. `drip`: seconds between one byte and the next.
    """

    status: int = 200
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    wait: float = 0.0
    silent: bool = False
    cut: int | None = None
    drip: float = 0.0


Script = Callable[[int, dict[str, Any]], Answer]


@dataclass
class Server:
    """What a test sees of it: its URL, and what it was sent, in order."""

    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    most_at_once: int = 0


def completion(text: Any, *, finish: str = "stop", **message: Any) -> bytes:
    """The body of a right answer of a chat model that wrote this."""
    said = {"role": "assistant", "content": text, **message}
    return json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "model": "m",
            "choices": [{"index": 0, "message": said, "finish_reason": finish}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        }
    ).encode()


def says(text: Any, *, finish: str = "stop", **message: Any) -> Answer:
    """The answer of a chat model that wrote this."""
    return Answer(body=completion(text, finish=finish, **message))


@contextmanager
def serving(script: Script, *, right: Callable[[dict[str, Any]], bytes]) -> Iterator[Server]:
    """Serve on a free loopback port; `script` gets the number of the request and its body.

    `right` makes the body of a right answer to a request.
    """
    seen = Server()
    over = threading.Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(seen, script, right=right, over=over))
    server.daemon_threads = True
    seen.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(
    seen: Server,
    script: Script,
    *,
    right: Callable[[dict[str, Any]], bytes],
    over: threading.Event,
) -> type[BaseHTTPRequestHandler]:
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
                seen.paths.append(self.path)
                answer = script(len(seen.requests), body)
            over.wait(answer.wait)
            if answer.silent:
                over.wait()
            with lock:
                busy -= 1
            try:
                self._send(answer, right(body) if answer.body is None else answer.body)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # the client gave up, as some tests want

        def _send(self, answer: Answer, content: bytes) -> None:
            self.send_response(answer.status)
            headers = {"Content-Type": "application/json", **answer.headers}
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if answer.drip:
                for byte in content:
                    self.wfile.write(bytes([byte]))
                    time.sleep(answer.drip)
            else:
                self.wfile.write(content[: answer.cut])
            if answer.cut is not None:
                self.close_connection = True

    return Handler
