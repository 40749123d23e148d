"""A local HTTP server that answers for embeddings as it is told to: rightly, late or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from alaya.testing import http_server
from alaya.testing.http_server import Answer, Script, Server

__all__ = ["Answer", "Script", "Server", "embeddings", "serving", "vector_of"]


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
    with http_server.serving(script, right=lambda body: embeddings(body["input"])) as server:
        yield server
