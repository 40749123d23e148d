"""The OpenAI-compatible adapter against servers that fail in every way."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from email.utils import format_datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from alaya.errors import InvalidInput, ProviderError
from alaya.model.time import utc_now
from alaya.providers.openai_embeddings import OpenAIEmbedder
from alaya.providers.openai_presets import PRESETS, Endpoint, endpoint


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


server = _load("embedding_server")
Answer, serving, vector_of, embeddings = (
    server.Answer,
    server.serving,
    server.vector_of,
    server.embeddings,
)


@contextmanager
def asking(script: Any, **settings: Any) -> Iterator[tuple[OpenAIEmbedder, Any, list[float]]]:
    """An embedder on a server that follows `script`, and the pauses it makes."""
    pauses: list[float] = []
    environ = settings.pop("environ", {})
    with serving(script) as seen:
        where = Endpoint("test/m", seen.url, "m", settings.pop("api_key_env", None), "start it")
        embedder = OpenAIEmbedder(
            replace(where, **settings), environ=environ, pause=pauses.append, chance=lambda: 0.5
        )
        try:
            yield embedder, seen, pauses
        finally:
            embedder.close()


def right(_number: int, _body: dict[str, Any]) -> Any:
    return Answer()


def same(vector: Any, text: str) -> bool:
    wanted = np.asarray(vector_of(text), dtype=np.float32)
    return bool(np.allclose(np.asarray(vector), wanted / np.linalg.norm(wanted), atol=1e-6))


def test_order_and_batches() -> None:
    """Texts go in batches, no more side by side than allowed; answers come in their order."""
    texts = ["x" * (i + 1) for i in range(25)]
    with asking(lambda n, b: Answer(wait=0.05), batch_size=4, max_concurrency=3) as (
        embedder,
        seen,
        pauses,
    ):
        found = embedder.passages(texts)
    assert all(same(windows[0], text) for windows, text in zip(found, texts, strict=True))
    assert sorted(len(r["input"]) for r in seen.requests) == [1, 4, 4, 4, 4, 4, 4]
    assert 2 <= seen.most_at_once <= 3
    assert pauses == []
    assert embedder.dimensions == 4  # learned


def test_empty() -> None:
    """Nothing is sent for texts that hold nothing; an empty question is the caller's mistake."""
    with asking(right) as (embedder, seen, _):
        assert embedder.passages(["", "\x00", " "]) == [[], [], []]
        assert embedder.passages([]) == []
        with pytest.raises(InvalidInput):
            embedder.query(" ")
    assert seen.requests == []


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503])
def test_busy_then_well(status: int) -> None:
    """A server that is busy or failing is asked again, after pauses that grow."""
    script = lambda n, b: Answer(status, b'{"error":{"message":"later"}}') if n < 4 else Answer()  # noqa: E731
    with asking(script) as (embedder, seen, pauses):
        (windows,) = embedder.passages(["hello"])
    assert same(windows[0], "hello")
    assert len(seen.requests) == 4
    assert pauses == [0.5, 1.0, 2.0]


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_retry_after(form: str) -> None:
    """A server that says when to come back is not asked before."""
    value = "7" if form == "seconds" else format_datetime(utc_now() + timedelta(seconds=7.5), True)
    script = lambda n, b: Answer(429, b"{}", {"Retry-After": value}) if n == 1 else Answer()  # noqa: E731
    with asking(script) as (embedder, _, pauses):
        embedder.passages(["hello"])
    assert pauses == pytest.approx([7], abs=1.5)


def test_retry_after_too_long() -> None:
    """A server that wants to be left alone for long is not waited for."""
    script = lambda n, b: Answer(429, b"{}", {"Retry-After": "86400"})  # noqa: E731
    with (
        asking(script) as (embedder, seen, pauses),
        pytest.raises(ProviderError, match="86400 s"),
    ):
        embedder.passages(["hello"])
    assert (len(seen.requests), pauses) == (1, [])


def test_bounded() -> None:
    """A server that never recovers is given up: the message has its URL, its words, the tries."""
    script = lambda n, b: Answer(500, b'{"error":{"message":"disk on fire"}}')  # noqa: E731
    with asking(script, tries=3) as (embedder, seen, pauses):
        with pytest.raises(ProviderError) as caught:
            embedder.passages(["hello"])
        assert len(seen.requests) == 3
        assert len(pauses) == 2
        with pytest.raises(ProviderError):
            embedder.query("hello")
        assert len(seen.requests) == 5  # someone waits: twice only
    message = str(caught.value)
    assert all(part in message for part in (seen.url, "3 times", "HTTP 500", "disk on fire"))


def test_stops_together() -> None:
    """When one batch fails for good, the others do not go on trying."""

    def script(number: int, body: dict[str, Any]) -> Any:
        return Answer(401, b'{"error":{"message":"who are you"}}')

    with asking(script, batch_size=1, max_concurrency=2) as (embedder, seen, _):
        with pytest.raises(ProviderError, match="who are you"):
            embedder.passages([f"text {i}" for i in range(50)])
        assert len(seen.requests) < 10


def test_nobody_there() -> None:
    """A server that does not run is named, with what to do."""
    with serving(right) as seen:
        url = seen.url
    where = replace(endpoint("ollama"), url=url, tries=2)
    embedder = OpenAIEmbedder(where, environ={}, pause=lambda s: None)
    with pytest.raises(ProviderError, match=r"no connection.*ollama serve") as caught:
        embedder.passages(["hello"])
    assert url in str(caught.value)
    embedder.close()


def test_slow() -> None:
    """A server that does not answer in time is asked again, then given up."""
    with (
        asking(lambda n, b: Answer(wait=0.6), timeout=0.1, tries=2) as (embedder, _, pauses),
        pytest.raises(ProviderError, match=r"no answer within 0\.1 s"),
    ):
        embedder.passages(["hello"])
    assert len(pauses) == 1


@pytest.mark.parametrize("status", [401, 403])
def test_key_is_refused(status: int) -> None:
    """A refused key is not tried again, is named by its variable and never shown."""
    key = "sk-secret-123"
    body = b'{"error":{"message":"Incorrect API key provided: sk-secret-123."}}'
    with (
        asking(
            lambda n, b: Answer(status, body), api_key_env="MY_KEY", environ={"MY_KEY": key}
        ) as (embedder, seen, pauses),
        pytest.raises(ProviderError, match="MY_KEY") as caught,
    ):
        embedder.passages(["hello"])
    assert key not in str(caught.value)
    assert seen.keys == [f"Bearer {key}"]
    assert pauses == []


def test_key_is_missing() -> None:
    """Without its key an endpoint is not asked at all; the message names the variable."""
    with (
        asking(right, api_key_env="MY_KEY") as (embedder, seen, _),
        pytest.raises(ProviderError, match="set the environment variable MY_KEY"),
    ):
        embedder.query("hello")
    assert seen.requests == []


def test_no_credit() -> None:
    """An account without credit is not asked again and again."""
    body = b'{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}'
    with (
        asking(lambda n, b: Answer(429, body)) as (embedder, seen, pauses),
        pytest.raises(ProviderError, match="add credit"),
    ):
        embedder.passages(["hello"])
    assert (len(seen.requests), pauses) == (1, [])


def test_wrong_url() -> None:
    """A 404 says to look at the URL and the model."""
    with (
        asking(lambda n, b: Answer(404, b"not here")) as (embedder, _, pauses),
        pytest.raises(ProviderError, match=r"embedding\.base_url and embedding\.model"),
    ):
        embedder.passages(["hello"])
    assert pauses == []


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"<html>hello</html>", r"base_url ends.*/v1"),
        (b"", "did not answer with embeddings"),
        (b'{"data": 5}', "did not answer with embeddings"),
        (b'{"data": [{"index": 0}]}', "did not answer with embeddings"),
        (b'{"data": [{"index": 0, "embedding": ["a"]}]}', "did not answer with embeddings"),
        (b'{"data": [{"index": 0, "embedding": [0, 0, 0, 0]}]}', "without a direction"),
        (b'{"data": [{"index": 0, "embedding": [NaN, 0, 0, 0]}]}', "without a direction"),
        (b'{"data": []}', "0 vectors for 1 texts"),
        (b'{"data": [{"embedding": [1]}, {"embedding": [1]}]}', "2 vectors for 1 texts"),
        (b'{"data": [{"index": 0, "embedding": [1, 2, 3]}]}', "gives 3 dimensions, not 4"),
    ],
)
def test_garbage(body: bytes, message: str) -> None:
    """An answer that is not what was asked for is not believed, and says what to look at."""
    with (
        asking(lambda n, b: Answer(200, body), dimensions=4) as (embedder, _, _pauses),
        pytest.raises(ProviderError, match=message),
    ):
        embedder.passages(["hello"])


def test_dimension_does_not_change() -> None:
    """The dimension learned from the first answer holds for the next."""
    script = lambda n, b: Answer(200, embeddings(b["input"], 4 if n == 1 else 5))  # noqa: E731
    with asking(script) as (embedder, _, _pauses):
        embedder.passages(["hello"])
        with pytest.raises(ProviderError, match="gives 5 dimensions, not 4"):
            embedder.passages(["hello"])


def test_base64_and_no_index() -> None:
    """Servers that answer in base64, or without indexes, are understood."""
    import base64
    import json

    def script(number: int, body: dict[str, Any]) -> Any:
        data = [
            {
                "embedding": base64.b64encode(
                    np.asarray(vector_of(text), dtype="<f4").tobytes()
                ).decode()
            }
            for text in body["input"]
        ]
        return Answer(200, json.dumps({"data": data}).encode())

    with asking(script) as (embedder, _, _pauses):
        found = embedder.passages(["a", "bbb"])
    assert same(found[0][0], "a")
    assert same(found[1][0], "bbb")


def test_poison() -> None:
    """One text that the server will not have costs no other text its vector."""

    def script(number: int, body: dict[str, Any]) -> Any:
        bad = any("forbidden" in text for text in body["input"])
        return Answer(400, b'{"error":{"message":"no"}}') if bad else Answer()

    texts = ["one", "two", "forbidden " * 2, "three", "four"]
    with asking(script) as (embedder, _, pauses):
        found = embedder.passages(texts)
        assert [len(windows) for windows in found] == [1, 1, 0, 1, 1]
        assert same(found[4][0], "four")
        assert embedder.passages(["forbidden"]) == [[]]
    assert pauses == []


def test_too_long() -> None:
    """A text that is too long for the server is shortened until it fits."""

    def script(number: int, body: dict[str, Any]) -> Any:
        return Answer(413, b"{}") if max(map(len, body["input"])) > 300 else Answer()

    with asking(script) as (embedder, _, _pauses):
        ((vector,),) = embedder.passages(["x" * 1100])
    assert same(vector, "x" * 275)


def test_batch_too_large() -> None:
    """A server that takes fewer texts at once is given fewer from then on."""

    def script(number: int, body: dict[str, Any]) -> Any:
        return Answer(400, b"{}") if len(body["input"]) > 10 else Answer()

    texts = ["x" * (i + 1) for i in range(40)]
    with asking(script, batch_size=32, max_concurrency=1) as (embedder, seen, _):
        found = embedder.passages(texts)
        assert all(same(w[0], t) for w, t in zip(found, texts, strict=True))
        before = len(seen.requests)
        embedder.passages(texts)
        assert len(seen.requests) - before == 5


def test_refuses_everything() -> None:
    """A server that refuses all there is, is an error and is found out with two requests."""
    with (
        asking(lambda n, b: Answer(400, b'{"error":{"message":"no such model"}}')) as (
            embedder,
            seen,
            _,
        ),
        pytest.raises(ProviderError, match="no such model"),
    ):
        embedder.passages([f"text {i}" for i in range(64)])
    assert len(seen.requests) == 2


def test_presets() -> None:
    """The presets stand as the Alaya design has them; what is given beside one wins."""
    silicon = endpoint("siliconflow")
    assert silicon.name == "siliconflow/BAAI/bge-large-zh-v1.5"
    assert (silicon.dimensions, silicon.shorten) == (1024, False)
    assert silicon.api_key_env == "SILICONFLOW_API_KEY"
    assert endpoint("ollama").api_key_env is None
    assert endpoint("ollama", base_url="http://10.0.0.5:11434/v1").name == "ollama/bge-m3"
    small = endpoint("openai", dimensions=256)
    assert (small.name, small.shorten) == ("openai/text-embedding-3-small@256", True)
    other = endpoint("openai", base_url="http://u:p@box:8000/v1/", model="intfloat/e5-base-v2")
    assert other.name == "box:8000/intfloat/e5-base-v2"
    assert other.shown_url == "http://box:8000/v1"
    assert other.prefix == ("query: ", "passage: ")
    assert other.api_key_env is None  # a key is not sent to where it does not belong
    with pytest.raises(ProviderError, match=", ".join(PRESETS)):
        endpoint("nobody")


def test_what_is_sent() -> None:
    """Prefixes are set for the e5 family; a dimension is sent only where vectors are shortened."""
    with serving(right) as seen:
        for model, dimensions in (("multilingual-e5-base", 4), ("text-embedding-3-small", 4)):
            where = endpoint("openai", base_url=seen.url, model=model, dimensions=dimensions)
            embedder = OpenAIEmbedder(where, environ={})
            embedder.passages(["a"])
            embedder.query("b")
            embedder.close()
    assert [r["input"] for r in seen.requests] == [["passage: a"], ["query: b"], ["a"], ["b"]]
    assert [r.get("dimensions") for r in seen.requests] == [None, None, 4, 4]
    assert set(seen.keys) == {"Bearer none"}


def test_missing_client(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the client the message says what to install."""
    monkeypatch.setitem(sys.modules, "openai", None)
    embedder = OpenAIEmbedder(endpoint("ollama"), environ={})
    with pytest.raises(ProviderError, match=r"pip install 'alaya-agent-memory\[openai\]'"):
        embedder.query("hello")
